"""A roll: the two numbers. (The *dice* are a device.)"""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Roll:
    """Two numbers from 1 to 6, kept in the order in which they were thrown.

    In the opening `a` is the starter's own die. `Roll(6, 1) != Roll(1, 6)`; `same_as` compares the numbers alone.
    Raises ValueError for anything but whole numbers from 1 to 6.
    """

    a: int
    b: int

    def __post_init__(self) -> None:
        for number in (self.a, self.b):
            if not isinstance(number, int) or not 1 <= number <= 6:
                raise ValueError(f"a die shows 1 to 6, not {number!r}")

    @property
    def is_double(self) -> bool:
        return self.a == self.b

    @property
    def high(self) -> int:
        return max(self.a, self.b)

    @property
    def low(self) -> int:
        return min(self.a, self.b)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers to be played (R2): two, or four of a double."""
        return (self.a,) * 4 if self.a == self.b else (self.a, self.b)

    @property
    def sorted(self) -> "Roll":
        """The same numbers, the larger first."""
        return self if self.a >= self.b else Roll(self.b, self.a)

    def same_as(self, other: "Roll") -> bool:
        """Whether both show the same numbers, in any order."""
        return {self.a, self.b} == {other.a, other.b}

    @property
    def text(self) -> str:
        """`42`, the way records write a roll."""
        return f"{self.a}{self.b}"

    @staticmethod
    def from_text(text: str) -> "Roll":
        """The roll written `42`, `4-2` or `4 2`. Raises ValueError."""
        digits = text.replace("-", "").replace(" ", "")
        if len(digits) != 2 or not (digits.isascii() and digits.isdecimal()):
            raise ValueError(f"not a roll: {text!r}")
        return Roll(int(digits[0]), int(digits[1]))

    def __iter__(self) -> Iterator[int]:
        yield self.a
        yield self.b


ALL_ROLLS: tuple[Roll, ...] = tuple(Roll(a, b) for a in range(1, 7) for b in range(1, a + 1))
"""The 21 distinct rolls, the larger number first."""
