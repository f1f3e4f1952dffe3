"""The match as a record for export: what was done, in order, whatever was corrected on the way (CASES 38-40)."""

from collections.abc import Callable

from nardi.game import clock
from nardi.game.clock import Clocks
from nardi.game.match import Game, Match, Ply
from nardi.rules.color import ByColor, Color
from nardi.rules.legal import LegalPlays
from nardi.rules.notation.record import Action, CubeDeed, CubeDone, GameRecord, MatchRecord, PlayDone
from nardi.rules.position import Position
from nardi.rules.ruleset import Ruleset

BOARD_SET = "board set"
"""The comment of a play after which somebody entitled to it set the board otherwise."""


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
    outcome, start = game.outcome, _start(game)
    return GameRecord(
        score=score,
        actions=tuple(_actions(game, match.ruleset, column_of=column)),
        crawford=game.crawford,
        winner=column(outcome.winner) if outcome is not None and outcome.winner is not None else None,
        win=outcome.win if outcome is not None else None,
        ending=outcome.ending if outcome is not None else None,
        points=int(game.points),
        start=None if start == match.ruleset.start else _white_first(start, game.colors_swapped),
    )


def _white_first(position: Position, swapped: bool) -> Position:
    return position.flipped if swapped else position


def _boards_after(game: Game) -> list[Position]:
    """What stood after each turn, the mover's side first: where the board was set right before the next one, that.

    No format has a word for a board set between two turns, so it belongs to the turn before it (CASES 40).
    """
    following = [(ply.by, ply.before) for ply in game.plies[1:]]
    if game.outcome is None and game.turn is not None:
        following.append((game.turn, game.position))
    boards = [
        before if by is ply.by else before.flipped for ply, (by, before) in zip(game.plies, following, strict=False)
    ]
    return [*boards, *(ply.after for ply in game.plies[len(boards) :])]


def _start(game: Game) -> Position:
    """White's side first: the board before the first turn, as it was set right if it was."""
    if game.plies:
        first = game.plies[0]
        return first.before if first.by is Color.WHITE else first.before.flipped
    return game.start


def _actions(game: Game, ruleset: Ruleset, column_of: Callable[[Color], Color]) -> list[Action]:
    """Plays and what was done with the cube, in order."""
    actions: list[Action] = []
    moved: set[Color] = set()
    stood = _boards_after(game)
    for number, ply in enumerate((*game.plies, None)):
        for turned in game.cube_turns:
            if turned.ply == number:
                by = column_of(turned.by)
                clocks_ms = _left(turned.clocks, game.colors_swapped)
                actions.append(CubeDone(by, CubeDeed(turned.deed), turned.value, clocks_ms))
        if ply is not None:
            first_turn = ply.by not in moved
            actions.append(_play(ply, stood[number], column_of(ply.by), first_turn, ruleset, game.colors_swapped))
            moved.add(ply.by)
    return actions


def _play(ply: Ply, after: Position, by: Color, first_turn: bool, ruleset: Ruleset, swapped: bool) -> PlayDone:
    legal, comment = ply.legal, ply.rule or ""
    if after != ply.after:
        legal = LegalPlays(ply.before, ply.roll, ruleset, first_turn).by_result(after) is not None
        comment = "" if legal else BOARD_SET
    return PlayDone(
        by=by,
        roll=ply.roll,
        before=ply.before,
        after=after,
        legal=legal,
        first_turn=first_turn,
        clocks_ms=_left(ply.clocks, swapped),
        comment=comment,
    )


def _left(clocks: Clocks, swapped: bool) -> ByColor[int] | None:
    """What both clocks had left (CASES 39); None where no clock was used."""
    if clocks.rules is None:
        return None
    left = clock.both_left_ms(clocks, clocks.since_ms)
    return ByColor(left.black, left.white) if swapped else left
