"""The scene: everything the lights and the small screen show, as one idempotent value. The newest wins."""

from dataclasses import dataclass
from enum import StrEnum

from nardi.rules.color import Color

Light = tuple[int, int, int]
"""One LED: red, green, blue, 0-255."""


class Layout(StrEnum):
    """How the 128x64 screen is divided; `paint` knows each."""

    DICE = "dice"  # two dice drawn large beside the lines
    LINES = "lines"  # up to four lines
    CUBE = "cube"  # a cube drawn large beside the lines
    SCORE = "score"  # two names, two numbers, the match length
    WRONG = "wrong"  # a warning sign, a short reason, the way back


@dataclass(frozen=True, slots=True)
class Screen:
    """What the 128x64 picture says, already in words. `lines` are top to bottom; `language` en, hy or lt."""

    layout: Layout
    lines: tuple[str, ...]
    language: str
    dice: tuple[int, ...] = ()
    cube: int | None = None
    cube_owner: Color | None = None
    clocks: tuple[str, str] | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """`lights`: 24 points in White's numbering (index 0 = White's 1 point), then bar, White's tray, Black's tray: 27 values."""

    lights: tuple[Light, ...]
    screen: Screen
    buzz: bool = False
