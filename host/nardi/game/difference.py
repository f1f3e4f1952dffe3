"""Where two boards differ, place by place."""

from dataclasses import dataclass

from nardi.rules.color import Color


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where the board is not as the match has it. `point` 1-24, 25 bar, 0 off, in White's numbering.

    `expected` and `seen` are (whose, how many); (None, 0) is an empty place.
    """

    point: int
    expected: tuple[Color | None, int]
    seen: tuple[Color | None, int]
