"""What is taken for a die again and again where none lies: an ornament of the board, a stain.

Dice are thrown anew each turn and come to lie elsewhere. What stays where it is from turn to turn is the board's own.
"""

import math
from collections.abc import Sequence

from nardi_vision.reading import DieReading

SAME = 0.012
"""What is seen within this (shares of the board) of where it was seen has not moved: a thrown die hardly ever comes to
lie so near to one place."""
TURNS = 3
"""Positions in a row in whose pictures something lies in one place, and is no die."""
ROLL = 2

Place = tuple[float, float]


class Marks:
    """The places of one board's marks. Mutable: it learns with every position that becomes known."""

    def __init__(self) -> None:
        self._places: list[Place] = []
        self._lain: list[tuple[Place, int]] | None = None

    def met(self, dice: Sequence[DieReading]) -> None:
        """Another position than before is known, in whose picture these were read as dice.

        In the very first one either a roll lies there already or no dice at all: one die alone, or more than two, are
        none.
        """
        places = [(die.x, die.y) for die in dice]
        if self._lain is None:
            rolled = len(dice) == ROLL and all(die.value is not None for die in dice)
            self._places += [] if rolled else places
            self._lain = [(place, 1) for place in places]
            return
        self._lain = [
            (place, 1 + max((turns for before, turns in self._lain if _same(place, before)), default=0))
            for place in places
        ]
        self._places += [place for place, turns in self._lain if turns == TURNS and not self._is_mark(place)]

    def without(self, dice: tuple[DieReading, ...]) -> tuple[DieReading, ...]:
        """Those of `dice` that do not lie where a mark is."""
        return tuple(die for die in dice if not self._is_mark((die.x, die.y)))

    def _is_mark(self, place: Place) -> bool:
        return any(_same(place, mark) for mark in self._places)


def _same(one: Place, other: Place) -> bool:
    return math.dist(one, other) < SAME
