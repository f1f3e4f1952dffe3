"""The 27 lights of a match, phase by phase."""

from collections.abc import Iterable

from nardi.game.difference import Difference
from nardi.game.match import Game, Match, Phase, Teach
from nardi.rules.color import Color
from nardi.rules.legal import LegalPlays
from nardi.rules.play import Play
from nardi.rules.position import BAR, Position
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset
from nardi.views.legend import BAR_LIGHT, DONE, LIGHTS, LOOK, MAY, OFF, PUT, TRAY_LIGHT, TURN, WRONG, Light


def light_of(point: int, side: Color, ruleset: Ruleset) -> int:
    """The index of the light at `point` (1-24, 25 bar, 0 off) of `side`'s own numbering."""
    if point == BAR:
        return BAR_LIGHT
    if point == 0:
        return TRAY_LIGHT[side]
    return (point if side is Color.WHITE else ruleset.facing(point)) - 1


def lights(match: Match, *, teach: Teach, advice: Play | None = None) -> tuple[Light, ...]:
    """All 27 lights. `advice` is the tutor's play for the present roll; it is shown from `Teach.HINT` on."""
    strip = [OFF] * LIGHTS
    game = match.game
    if game is None or match.paused:
        return tuple(strip)
    if match.lost:
        _show_differences(strip, match.lost)
        return tuple(strip)
    if match.phase is Phase.SET_UP:
        return tuple(strip)
    if match.phase in (Phase.GAME_OVER, Phase.MATCH_OVER):
        outcome = game.outcome
        winner = match.winner if match.phase is Phase.MATCH_OVER else outcome.winner if outcome is not None else None
        for color in Color if winner is None else (winner,):
            strip[TRAY_LIGHT[color]] = DONE
        return tuple(strip)
    asked = addressed(match)
    if asked is not None:
        strip[TRAY_LIGHT[asked]] = TURN
    match match.phase:
        case Phase.TO_ROLL | Phase.ROLLING | Phase.LAST_ROLL:
            _show_last_play(strip, match, game)
        case Phase.TO_PLAY:
            if teach is not Teach.OFF:
                _show_choices(strip, match, game, teach, advice)
        case Phase.PLAYED:
            if game.turn is not None and game.provisional is not None:
                _show_arrivals(strip, match.ruleset, game.turn, game.provisional.before, game.provisional.after, DONE)
        case Phase.ILLEGAL | Phase.CALLABLE:
            _show_illegal(strip, match, game)
        case Phase.OFFERED | Phase.BEAVERED | Phase.RESIGNING:
            strip[BAR_LIGHT] = LOOK
        case _:
            pass
    return tuple(strip)


def addressed(match: Match) -> Color | None:
    """The player from whom the table now wants something: the one on turn, or the one who must answer."""
    game = match.game
    if game is None:
        return None
    match match.phase:
        case Phase.OFFERED | Phase.BEAVERED if game.offer_by is not None:
            return game.offer_by.other
        case Phase.RESIGNING if game.resign is not None:
            return game.resign[0].other
        case Phase.CALLABLE if game.turn is not None and not game.must_correct:
            return game.turn.other
        case _:
            return game.turn


def _show_differences(strip: list[Light], differences: Iterable[Difference]) -> None:
    for difference in differences:
        strip[_place_of(difference)] = difference_light(difference)


def _place_of(difference: Difference) -> int:
    if difference.point == BAR:
        return BAR_LIGHT
    if difference.point == 0:
        color = difference.expected[0] or difference.seen[0] or Color.WHITE
        return TRAY_LIGHT[color]
    return difference.point - 1


def difference_light(difference: Difference) -> Light:
    """PUT where checkers are missing, WRONG where some are too many, LOOK where the colour is another."""
    (expected, wanted), (seen, there) = difference.expected, difference.seen
    if wanted and there and expected is not seen:
        return LOOK
    return PUT if wanted > there else WRONG


def _show_last_play(strip: list[Light], match: Match, game: Game) -> None:
    if game.plies and game.turn is not None:
        ply = game.plies[-1]
        _show_arrivals(strip, match.ruleset, ply.by, ply.before, ply.after, DONE)


def _show_arrivals(
    strip: list[Light], ruleset: Ruleset, side: Color, before: Position, after: Position, light: Light
) -> None:
    for point in range(1, 25):
        if after.mine[point] > before.mine[point]:
            strip[light_of(point, side, ruleset)] = light


def _show_departures(
    strip: list[Light], ruleset: Ruleset, side: Color, before: Position, after: Position, light: Light
) -> None:
    for point in range(1, 26):
        if after.mine[point] < before.mine[point]:
            strip[light_of(point, side, ruleset)] = light


def _show_illegal(strip: list[Light], match: Match, game: Game) -> None:
    """Red where a checker should not be, amber where it came from: the way back, and no advice."""
    if game.turn is None or game.illegal_position is None:
        return
    side, before, after = game.turn, game.position, game.illegal_position
    left = {point for point in range(1, 26) if after.mine[point] < before.mine[point]}
    arrived = {point for point in range(1, 25) if after.mine[point] > before.mine[point]}
    # The rule may concern one of two moves only; where it names none that can be seen, all of it is shown.
    steps = game.illegality.steps if game.illegality is not None else ()
    concerned = [step for step in steps if step.source in left and step.target in arrived]
    for point in {step.source for step in concerned} or left:
        strip[light_of(point, side, match.ruleset)] = PUT
    for point in {step.target for step in concerned} or arrived:
        strip[light_of(point, side, match.ruleset)] = WRONG


def _show_choices(strip: list[Light], match: Match, game: Game, teach: Teach, advice: Play | None) -> None:
    if game.turn is None or game.roll is None:
        return
    side, ruleset = game.turn, match.ruleset
    if advice is not None and teach in (Teach.HINT, Teach.COACH) and match.lifted_from is None:
        _show_departures(strip, ruleset, side, advice.before, advice.after, MAY)
        _show_arrivals(strip, ruleset, side, advice.before, advice.after, PUT)
        return
    legal = LegalPlays(game.position, game.roll, ruleset, first_turn=game.first_turn)
    if match.lifted_from is None:
        for source in sources(game.position, legal):
            strip[light_of(source, side, ruleset)] = MAY
        return
    strip[light_of(match.lifted_from, side, ruleset)] = MAY
    for target in targets(match.lifted_from, game.position, game.roll, legal):
        strip[light_of(target, side, ruleset)] = PUT


def sources(position: Position, legal: LegalPlays) -> tuple[int, ...]:
    """The points (25 the bar) from which some legal play takes a checker away, highest first."""
    found = {point for end in legal.ends for point in range(1, 26) if end.mine[point] < position.mine[point]}
    return tuple(sorted(found, reverse=True))


def targets(source: int, position: Position, roll: Roll, legal: LegalPlays) -> tuple[int, ...]:
    """Where a checker lifted from `source` may come to rest in some legal play, 0 for off, highest first."""
    numbers = roll.numbers
    reach = {sum(numbers[:count]) for count in range(1, len(numbers) + 1)} | set(numbers)
    found: set[int] = set()
    for end in legal.ends:
        if end.mine[source] >= position.mine[source]:
            continue
        for target in range(25):
            if end.mine[target] > position.mine[target] and (
                source - target in reach or (target == 0 and source < max(reach))
            ):
                found.add(target)
    return tuple(sorted(found, reverse=True))
