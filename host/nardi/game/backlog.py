"""Turns played faster than they were seen: which play explains the board together with the next one (CASES 26)."""

from nardi.game.board import Board
from nardi.game.evidence import Weights, best_free
from nardi.game.recognise import APART, SHAKEN, parts_of
from nardi.game.ruling import Ruling
from nardi.rules.legal import LegalPlays
from nardi.rules.play import Play
from nardi.rules.position import Position
from nardi.rules.roll import Roll
from nardi_vision.reading import BoardReading

MOST_REPLIES = 60
"""With more replies than this, only finished ones are looked for: a double's parts are thousands."""


def first_of_two(r: Ruling, reading: BoardReading) -> Play | None:
    """The play of the player on turn that explains `reading` with a reply, or part of one, to the throw that waits.

    None where no two turns explain it clearly, or where several first plays do.
    """
    seating, game, ruleset = r.match.seating, r.game, r.match.ruleset
    if seating is None or not game.waiting or game.roll is None:
        return None
    next_player = r.turn.other
    weights = Weights(reading, seating)
    first_turn = not any(ply.by is next_player for ply in game.plies)
    roll = Roll(*game.waiting[0].dice)
    scored: list[tuple[float, Play]] = []
    for play in r.legal():
        replies = LegalPlays(play.after.flipped, roll, ruleset, first_turn)
        ends: tuple[Position, ...] = replies.ends
        if len(ends) <= MOST_REPLIES:
            ends += parts_of(replies, ruleset)
        scored.append((max(weights.of(Board.of(end, next_player, ruleset)) for end in ends), play))
    scored.sort(key=lambda entry: -entry[0])
    free = best_free(weights, Board.of(game.position, r.turn, ruleset), ruleset)[1]
    if free - scored[0][0] > SHAKEN or (len(scored) > 1 and scored[0][0] - scored[1][0] < APART):
        return None
    return scored[0][1]
