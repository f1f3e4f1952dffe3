"""The two players, and pairs of things of which each has one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


class Color(StrEnum):
    """A player. Which checkers White plays (the light or the dark ones) is the table's matter, not the rules'."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> "Color":
        return Color.BLACK if self is Color.WHITE else Color.WHITE


@dataclass(frozen=True, slots=True)
class ByColor(Generic[T]):
    """One thing for each player."""

    white: T
    black: T

    def __getitem__(self, color: Color) -> T:
        return self.white if color is Color.WHITE else self.black

    def __iter__(self) -> Iterator[T]:
        yield self.white
        yield self.black

    def with_(self, color: Color, value: T) -> "ByColor[T]":
        """The same pair with `color`'s thing replaced."""
        return ByColor(value, self.black) if color is Color.WHITE else ByColor(self.white, value)

    def map(self, function: Callable[[T], U]) -> "ByColor[U]":
        return ByColor(function(self.white), function(self.black))
