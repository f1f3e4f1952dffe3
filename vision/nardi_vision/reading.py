"""What the eye reports: plain records, free of pixels, arrays and OpenCV.

Slots are numbered in image order: 0-11 run along the side from corner 0 to corner 1, 12-23 along the opposite side from
corner 3 to corner 2. Corners are those of the playing surface, clockwise in the picture. The eye knows nothing of
players: it tells `light` checkers (the brighter of the two kinds) from `dark` ones.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Shade = Literal["light", "dark"]
MOST = 15
"""The most checkers of one colour that any slot can hold."""

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


class EyeFault(StrEnum):
    """Why a reading cannot be trusted in full; each has a name that a person can act on."""

    HAND = "hand"  # a hand or arm is over the board
    MOVING = "moving"  # the picture has not held still yet
    NUDGED = "nudged"  # the camera or the board has moved; being located again
    BOARD_LOST = "board_lost"  # the board's corners cannot be found
    LIGHT_CHANGED = "light_changed"  # the light changed; being learned again
    COVERED = "covered"  # the lens is covered
    DARK = "dark"  # too dark to read
    BLURRED = "blurred"  # out of focus
    GLARE = "glare"  # reflections hide slots (see the slots' own faults)
    ASTRIDE = "astride"  # a checker stands between two points or on the rail
    NO_FRAME = "no_frame"  # the camera gave no picture, or a torn one
    DOUBT = "doubt"  # what stands there is not certain


@dataclass(frozen=True, slots=True)
class Slot:
    """How well each possible content explains the picture of one point.

    `empty` + sum(`light`) + sum(`dark`) = 1. `light[n - 1]` is the weight of exactly n light checkers, n = 1..15. They
    are likelihoods under a flat prior, so that counts that look the same from above (a column of three layers) weigh
    the same.
    """

    empty: float
    light: tuple[float, ...]
    dark: tuple[float, ...]
    occluded: bool = False
    fault: EyeFault | None = None

    def weight(self, shade: Shade | None, count: int) -> float:
        """The weight of `count` checkers of `shade` (None or 0: empty)."""
        if shade is None or count == 0:
            return self.empty
        return (self.light if shade == "light" else self.dark)[count - 1]

    @property
    def best(self) -> tuple[Shade | None, int]:
        """The likeliest content."""
        light, dark = max(self.light), max(self.dark)
        if self.empty >= max(light, dark):
            return None, 0
        if light >= dark:
            return "light", self.light.index(light) + 1
        return "dark", self.dark.index(dark) + 1

    @property
    def confidence(self) -> float:
        """The weight of the likeliest content, 0..1."""
        return max(self.empty, max(self.light), max(self.dark))


@dataclass(frozen=True, slots=True)
class Pile:
    """Checkers of both colours in one place that is no point (the bar, the trays).

    `light[n]` is the weight of exactly n light checkers, n = 0..15, summing to 1; `dark` likewise.
    """

    light: tuple[float, ...]
    dark: tuple[float, ...]
    occluded: bool = False

    def count(self, shade: Shade) -> int:
        """The likeliest number of `shade` checkers."""
        weights = self.light if shade == "light" else self.dark
        return weights.index(max(weights))

    def weight(self, shade: Shade, count: int) -> float:
        return (self.light if shade == "light" else self.dark)[count]


class DieState(StrEnum):
    FLAT = "flat"
    COCKED = "cocked"
    ON_CHECKER = "on_checker"
    OFF_BOARD = "off_board"


@dataclass(frozen=True, slots=True)
class DieReading:
    """A die in the picture. `value` None: it cannot be read.

    `half` 0: columns 0-5 of the rows; 1: columns 6-11; None: off the board.

    `x`, `y` are in board coordinates: 0..1 from corner 0 to corner 1, 0..1 from corner 0 to corner 3.
    """

    value: int | None
    confidence: float
    state: DieState
    half: int | None
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class CubeReading:
    """The doubling cube. `side` None: in the middle; 0, 1: nearer the row of slots 0-11, 12-23."""

    value: int | None
    confidence: float
    side: int | None
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class BoardReading:
    """One picture, read.

    `t_ms` is the picture's time. `settled`: it holds still, no hand is over it, and nothing is lost.
    """

    t_ms: int
    points: tuple[Slot, ...]
    bar: Pile
    off: Pile | None
    dice: tuple[DieReading, ...]
    cube: CubeReading | None
    settled: bool
    hand: bool
    faults: tuple[EyeFault, ...]
    corners: Corners | None
