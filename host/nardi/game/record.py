"""The match as a record for export: what was done, in order, whatever was corrected on the way (CASES 38-40)."""

from collections.abc import Callable

from nardi.game import clock
from nardi.game.clock import Clocks
from nardi.game.match import Game, Match, Ply
from nardi.rules.color import ByColor, Color
from nardi.rules.notation.record import Action, CubeDeed, CubeDone, GameRecord, MatchRecord, PlayDone
from nardi.rules.position import Position


def match_record(match: Match, *, date: str = "", event: str = "", site: str = "") -> MatchRecord:
    """The record of all games, the present one included. The players keep their columns when colours are swapped.

    `date`: ISO, or empty.
    """
    games = match.games if match.game is None else (*match.games, match.game)
    players = match.players
    if match.colors_swapped:
        players = ByColor(players.black, players.white)
    rules = match.clocks.rules
    comments = [("Moves policy", match.ruleset.moves_policy.value)]
    if rules is not None:
        comments.append(("Clock", f"{rules.kind}, {rules.per_turn_ms} ms a turn, {rules.reserve_ms} ms"))
    return MatchRecord(
        players=players,
        length=match.length or None,
        ruleset=match.ruleset,
        games=tuple(_game(game, match) for game in games),
        date=date,
        event=event,
        site=site,
        comments=tuple(comments),
    )


def _game(game: Game, match: Match) -> GameRecord:
    def column(color: Color) -> Color:
        return color.other if game.colors_swapped else color

    score = ByColor(game.score.black, game.score.white) if game.colors_swapped else game.score
    outcome = game.outcome
    return GameRecord(
        score=score,
        actions=tuple(_actions(game, column_of=column)),
        crawford=game.crawford,
        winner=column(outcome.winner) if outcome is not None and outcome.winner is not None else None,
        win=outcome.win if outcome is not None else None,
        ending=outcome.ending if outcome is not None else None,
        points=int(game.points),
        start=None if game.start == match.ruleset.start else _white_first(game.start, game.colors_swapped),
    )


def _white_first(position: Position, swapped: bool) -> Position:
    return position.flipped if swapped else position


def _actions(game: Game, column_of: Callable[[Color], Color]) -> list[Action]:
    """Plays and what was done with the cube, in order."""
    actions: list[Action] = []
    moved: set[Color] = set()
    for number, ply in enumerate((*game.plies, None)):
        for turned in game.cube_turns:
            if turned.ply == number:
                by = column_of(turned.by)
                clocks_ms = _left(turned.clocks, game.colors_swapped)
                actions.append(CubeDone(by, CubeDeed(turned.deed), turned.value, clocks_ms))
        if ply is not None:
            actions.append(_play(ply, column_of(ply.by), ply.by not in moved, game.colors_swapped))
            moved.add(ply.by)
    return actions


def _play(ply: Ply, by: Color, first_turn: bool, swapped: bool) -> PlayDone:
    return PlayDone(
        by=by,
        roll=ply.roll,
        before=ply.before,
        after=ply.after,
        legal=ply.legal,
        first_turn=first_turn,
        clocks_ms=_left(ply.clocks, swapped),
        comment=f"{ply.rule}" if ply.rule else "",
    )


def _left(clocks: Clocks, swapped: bool) -> ByColor[int] | None:
    """What both clocks had left (CASES 39); None where no clock was used."""
    if clocks.rules is None:
        return None
    left = clock.both_left_ms(clocks, clocks.since_ms)
    return ByColor(left.black, left.white) if swapped else left
