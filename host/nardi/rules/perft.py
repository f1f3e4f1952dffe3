"""Perft: how many end positions the legal plays reach, ply by ply from the start; the proof of a move generator."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from nardi.rules.legal import end_keys
from nardi.rules.position import CHECKERS, SIDE_BITS, Position
from nardi.rules.roll import ALL_ROLLS, Roll
from nardi.rules.ruleset import Ruleset

_MINE_OFF = SIDE_BITS + 100
_SIDE = (1 << SIDE_BITS) - 1


@dataclass(frozen=True, slots=True)
class Ply:
    """One ply: the distinct positions it was entered with, and over these and the 21 rolls, the end positions.

    `with_repeats` counts a position as often as it was reached.
    """

    number: int
    positions: int
    ends: int
    with_repeats: int


def perft(ruleset: Ruleset, depth: int, start: Position | None = None) -> Iterator[Ply]:
    """Plies 1 to `depth`, each as soon as it is counted. Every roll counts once, doubles too; finished games stop.

    From the ruleset's start both players' first turns are first turns (L2); from another position none is.
    """
    level: Counter[int] = Counter([(start or ruleset.start).key])
    for number in range(1, depth + 1):
        first_turn = start is None and number <= 2
        ends = with_repeats = 0
        following: Counter[int] = Counter()
        for key, times in level.items():
            for roll in ALL_ROLLS:
                reached = end_keys(key, roll.a, roll.b, ruleset, first_turn)
                ends += len(reached)
                with_repeats += len(reached) * times
                if number < depth:
                    for end in reached:
                        if end >> _MINE_OFF != CHECKERS:
                            following[(end & _SIDE) << SIDE_BITS | end >> SIDE_BITS] += times
        yield Ply(number, len(level), ends, with_repeats)
        level = following


def divide(ruleset: Ruleset, depth: int) -> Iterator[tuple[Roll, int]]:
    """For each roll of the first ply, the end positions `depth` plies on, counting each distinct first end once."""
    for roll in ALL_ROLLS:
        reached = end_keys(ruleset.start.key, roll.a, roll.b, ruleset, True)
        if depth == 1:
            yield roll, len(reached)
            continue
        total = 0
        for end in reached:
            flipped = (end & _SIDE) << SIDE_BITS | end >> SIDE_BITS
            total += _ends(flipped, ruleset, depth - 1, first_turn=True)
        yield roll, total


def _ends(key: int, ruleset: Ruleset, depth: int, first_turn: bool) -> int:
    """The end positions `depth` plies on from one position, distinct within each ply."""
    level = {key}
    for left in range(depth, 0, -1):
        following: set[int] = set()
        total = 0
        for position in level:
            for roll in ALL_ROLLS:
                reached = end_keys(position, roll.a, roll.b, ruleset, first_turn)
                total += len(reached)
                if left > 1:
                    following.update(
                        (end & _SIDE) << SIDE_BITS | end >> SIDE_BITS for end in reached if end >> _MINE_OFF != CHECKERS
                    )
        level = following
        first_turn = False
    return total
