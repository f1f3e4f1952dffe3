"""Dice and the doubling cube: found by the board's network, read by two small ones from squares cut out of the
frame."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.network import Network, folded_blob
from nardi_vision.reading import CubeReading, DieReading, DieState
from nardi_vision.rectify import LIFT, Rectifier

Floats = NDArray[np.float64]
Flat = Callable[[Floats, float], Floats]
"""From frame pixels (N, 2) to places (N, 2) in columns on the plane so many columns over the surface."""


@dataclass(frozen=True, slots=True)
class Sight:
    """How a thing is cut out: `reach` columns each way, `pixels` across, in the plane `lift` columns over the
    surface. The network tells `kinds` of contents apart; those from 1 to 6 are faces that can be
    read. It also tells where the face's middle is: right and down of the square's, in halves of its side."""

    reach: float
    pixels: int
    lift: float
    kinds: int


LIKELY = 0.8
"""What finder and reader together weigh over this is a die or the cube."""
TOLD = 0.5
"""A value is told when it is weighed over this."""
CLEAR = 0.85
"""What is weighed over this at once needs no further look."""
MOST = 4
"""How many dice are read, at most."""
SAME = 0.25
"""Columns within which no two dice can lie."""
LOOKS = 2
"""How often a thing is looked at, at most: again where the first look leaves doubt, from where that saw its middle."""
CLIMBED = LIFT + 0.45
"""Columns over the surface of the top of a die that lies on a checker."""
UPON = 0.42
"""Columns from a checker's middle within which a die lies on it; beside it, one is further off."""
DIE = Sight(0.5, 48, 0.4, 8)
"""Kinds: a die that lies flat on no face or shows none that can be read, the values 1..6, no die."""
NO_DIE = 7
CUBE = Sight(0.7, 48, 0.8, 7)
"""Kinds: no cube, the powers of two from 2 to 64."""
NO_CUBE = 0
VALUES = slice(1, 7)
FACE_FOLD = 2
"""The networks see each square of so many pixels a side as one, its pixels as channels."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A likely die or cube: its place in the frame and how sure the finder is, 0..1."""

    pixel: tuple[float, float]
    weight: float


class FaceReader:
    """Reads dice and the cube where they have been found."""

    def __init__(self, die: Network, cube: Network) -> None:
        self._die, self._cube = die, cube

    def dice(
        self, frame: NDArray[np.uint8], rectifier: Rectifier, spots: list[Spot], tops: NDArray[np.float64]
    ) -> tuple[DieReading, ...]:
        """Reads up to four dice, the likeliest first. `tops` (N, 2): frame pixels of the middles of checkers' tops, for
        telling dice that lie on one."""
        found: list[DieReading] = []
        flat = flattened(rectifier)
        bearing = flat(tops, LIFT)
        for spot in spots[:MOST]:
            weights, pixel = _read(self._die, frame, rectifier, spot.pixel, DIE)
            there = agreed(spot.weight, 1 - float(weights[NO_DIE]))
            if there < LIKELY:
                continue
            x, y = rectifier.to_board(np.array([pixel]), DIE.lift)[0].tolist()
            near = SAME * rectifier.layout.width
            if any(math.hypot(x - die.x, (y - die.y) * rectifier.aspect) < near for die in found):
                continue  # seen from beside
            weights = weights[:NO_DIE] / weights[:NO_DIE].sum()
            value = int(weights[1:].argmax()) + 1
            confidence = there * float(weights[value])
            inside = -0.01 <= x <= 1.01 and -0.01 <= y <= 1.01
            state = DieState.FLAT if inside else DieState.OFF_BOARD
            if inside and weights[0] > 0.5:
                state = DieState.COCKED
            if inside and _upon(flat(np.array([pixel]), CLIMBED), bearing):
                state = DieState.ON_CHECKER
            half = None if not inside else 0 if x < 0.5 else 1
            told = value if confidence > TOLD and weights[value] > weights[0] else None
            found.append(DieReading(told, confidence, state, half, x, y))
        return tuple(found)

    def cube(self, frame: NDArray[np.uint8], rectifier: Rectifier, spot: Spot) -> CubeReading | None:
        """Reads the cube, None if the spot shows none; its side is the row of points it lies nearer to."""
        weights, pixel = _read(self._cube, frame, rectifier, spot.pixel, CUBE)
        there = agreed(spot.weight, 1 - float(weights[NO_CUBE]))
        if there < LIKELY:
            return None
        exponent = int(weights[1:].argmax()) + 1
        x, y = rectifier.to_board(np.array([pixel]), CUBE.lift)[0]
        side = None if 0.3 < y < 0.7 else 0 if y <= 0.3 else 1
        confidence = there * float(weights[exponent] / weights[1:].sum())
        return CubeReading(2**exponent if confidence > TOLD else None, confidence, side, float(x), float(y))


def _upon(die: Floats, checkers: Floats) -> bool:
    """Whether a die (1, 2) lies on one of the checkers (n, 2), all in columns."""
    gaps = checkers - die
    return bool(((gaps * gaps).sum(axis=1) < UPON**2).any())


def aimed(flat: Flat, pixel: tuple[float, float], sight: Sight) -> Floats:
    """What one pixel right and one down in the square of a thing at `pixel` are in the frame, as columns (2, 2).

    The square shows its plane from above, turned so that what stands higher lies further up: a thing's sides are seen
    straight below its top.
    """
    x, y = pixel
    here, right, down = flat(np.array([[x, y], [x + 1, y], [x, y + 1]]), sight.lift)
    over = flat(np.array([[x, y]]), sight.lift + 0.2)[0]
    (a, c), (b, d) = (right - here).tolist(), (down - here).tolist()
    across, along = (over - here).tolist()
    length = math.hypot(across, along)
    # Seen from right above, nothing has a side that is nearer.
    turn_x, turn_y = (along / length, -across / length) if length > 1e-6 else (1.0, 0.0)
    unit = 2 * sight.reach / sight.pixels / (a * d - b * c)
    right_down = [
        [d * turn_x - b * turn_y, -b * turn_x - d * turn_y],
        [a * turn_y - c * turn_x, a * turn_x + c * turn_y],
    ]
    return np.asarray(np.array(right_down) * unit)


def square(frame: NDArray[np.uint8], pixel: tuple[float, float], steps: Floats, sight: Sight) -> NDArray[np.uint8]:
    """What a network sees of a thing at `pixel` (pixels, pixels, 3); `steps` as `aimed` gives them."""
    (a, b), (c, d) = steps.tolist()
    (x, y), (height, width) = pixel, frame.shape[:2]
    half = sight.pixels / 2
    step = max(1, int(min(math.sqrt(abs(a * d - b * c)) + 1 / 3, width, height)))
    left, right = _span(x, (abs(a) + abs(b)) * half, width, step)
    top, bottom = _span(y, (abs(c) + abs(d)) * half, height, step)
    part = frame[top:bottom, left:right]
    if step > 1:  # fine patterns would alias
        small = cv2.resize(part, (0, 0), fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
        part = np.asarray(small, np.uint8)
    # Pixel middles, not their corners, keep their places.
    first_x = (x - left + 0.5 - (a + b) * (half - 0.5)) / step - 0.5
    first_y = (y - top + 0.5 - (c + d) * (half - 0.5)) / step - 0.5
    matrix = np.array([[a / step, b / step, first_x], [c / step, d / step, first_y]])
    size = (sight.pixels, sight.pixels)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(part, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _span(middle: float, reach: float, length: int, step: int) -> tuple[int, int]:
    """Where whole steps that reach so far begin and end within a side of the frame; at least one."""
    low = int(min(max(middle - reach - 1, 0), length - step))
    high = int(min(max(middle + reach + 1 + step, low + step), length))
    return low, high - (high - low) % step


def flattened(rectifier: Rectifier) -> Flat:
    """Places on a board in columns."""
    scale = np.array([1, rectifier.aspect]) / rectifier.layout.width
    return lambda pixels, lift: rectifier.to_board(pixels, lift) * scale


def _read(
    network: Network, frame: NDArray[np.uint8], rectifier: Rectifier, pixel: tuple[float, float], sight: Sight
) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """Weights of the kinds and the pixel of the face they were read from.

    The surer a look is the more it counts, but the surest alone would be sure of a wrong value too often.
    """
    flat = flattened(rectifier)
    looks: list[Floats] = []
    for _ in range(LOOKS):
        steps = aimed(flat, pixel, sight)
        (answer,) = network.run(folded_blob(square(frame, pixel, steps, sight), FACE_FOLD), ("face",))
        looks.append(softmax(answer[0, : sight.kinds].astype(float)))
        x, y = (pixel + steps @ answer[0, sight.kinds :] * (sight.pixels / 2)).tolist()
        pixel = (x, y)
        if looks[-1].max() > CLEAR:
            break
    sure = [float(look[VALUES].max()) ** 2 for look in looks]
    return np.asarray(sum(look * weight for look, weight in zip(looks, sure, strict=True)) / sum(sure)), pixel


def agreed(first: float, second: float) -> float:
    """What two weights for the same thing come to together, as if each had been found without the other."""
    both, neither = first * second, (1 - first) * (1 - second)
    return both / max(both + neither, 1e-9)


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Over the last axis."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))
