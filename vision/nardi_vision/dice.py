"""Dice and the doubling cube: found by the board's network, read by two small ones from squares cut out of the
frame."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nardi_vision.network import DATA, Network, blob
from nardi_vision.reading import CubeReading, DieReading, DieState
from nardi_vision.rectify import Rectifier


@dataclass(frozen=True, slots=True)
class Sight:
    """How a thing is cut out: `reach` columns each way, `pixels` across, in the plane `lift` columns over the
    surface. The network tells `kinds` of contents apart; those from 1 to 6 are faces that can be
    read."""

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
RISES = (0.0, 0.2, 0.35)
"""How many columns above the place where a thing was found its top is looked for."""
DIE = Sight(0.5, 40, 0.4, 8)
"""Kinds: a die that lies flat on no face or shows none that can be read, the values 1..6, no die."""
NO_DIE = 7
CUBE = Sight(0.8, 40, 0.8, 7)
"""Kinds: no cube, the powers of two from 2 to 64."""
NO_CUBE = 0
VALUES = slice(1, 7)


@dataclass(frozen=True, slots=True)
class Spot:
    """A likely die or cube: its place in the frame and how sure the finder is, 0..1."""

    pixel: tuple[float, float]
    weight: float


class FaceReader:
    """Reads dice and the cube where they have been found."""

    def __init__(self, die: Network | None = None, cube: Network | None = None) -> None:
        self._die = die or Network(DATA / "die.onnx.xz")
        self._cube = cube or Network(DATA / "cube.onnx.xz")

    def dice(
        self, frame: NDArray[np.uint8], rectifier: Rectifier, spots: list[Spot], tops: NDArray[np.float64]
    ) -> tuple[DieReading, ...]:
        """Reads up to four dice, the likeliest first. `tops` (N, 2): frame pixels of checkers' tops, for telling dice
        that lie on one."""
        found: list[DieReading] = []
        for spot in spots[:MOST]:
            weights, pixel = _read(self._die, frame, rectifier, spot.pixel, DIE)
            there = agreed(spot.weight, 1 - float(weights[NO_DIE]))
            if there < LIKELY:
                continue
            weights = weights[:NO_DIE] / weights[:NO_DIE].sum()
            value = int(weights[1:].argmax()) + 1
            confidence = there * float(weights[value])
            x, y = rectifier.to_board(np.array([pixel]), DIE.lift)[0]
            inside = -0.01 <= x <= 1.01 and -0.01 <= y <= 1.01
            state = DieState.FLAT if inside else DieState.OFF_BOARD
            if inside and weights[0] > 0.5:
                state = DieState.COCKED
            if inside and len(tops) and self._on_top(rectifier, spot, tops):
                state = DieState.ON_CHECKER
            half = None if not inside else 0 if x < 0.5 else 1
            told = value if confidence > TOLD and weights[value] > weights[0] else None
            found.append(DieReading(told, confidence, state, half, float(x), float(y)))
        return tuple(found)

    @staticmethod
    def _on_top(rectifier: Rectifier, spot: Spot, tops: NDArray[np.float64]) -> bool:
        radius = 0.3 * rectifier.layout.width * float(np.linalg.norm(rectifier.corners[1] - rectifier.corners[0]))
        return bool((np.hypot(*(tops - spot.pixel).T) < radius).any())

    def cube(self, frame: NDArray[np.uint8], rectifier: Rectifier, spot: Spot) -> CubeReading | None:
        """Reads the cube, None if the spot shows none; its side is the row of points it lies nearer to."""
        weights, _ = _read(self._cube, frame, rectifier, spot.pixel, CUBE)
        there = agreed(spot.weight, 1 - float(weights[NO_CUBE]))
        if there < LIKELY:
            return None
        exponent = int(weights[1:].argmax()) + 1
        x, y = rectifier.to_board(np.array([spot.pixel]), CUBE.lift)[0]
        side = None if 0.3 < y < 0.7 else 0 if y <= 0.3 else 1
        confidence = there * float(weights[exponent] / weights[1:].sum())
        return CubeReading(2**exponent if confidence > TOLD else None, confidence, side, float(x), float(y))


def square(
    frame: NDArray[np.uint8], rectifier: Rectifier, pixel: tuple[float, float], sight: Sight, reach: float = 1.0
) -> NDArray[np.uint8]:
    """What a network sees of a thing at `pixel` (pixels, pixels, 3), `reach` times as far as usual.

    It is turned by quarters so that what stands higher lies further up: a thing's sides are seen below its top.
    """
    cut = rectifier.cut(frame, pixel, sight.reach * reach, sight.pixels, sight.lift)
    (x, y), (higher_x, higher_y) = rectifier.to_board(np.array([pixel, rectifier.raised(pixel, 0.2)]), sight.lift)
    return np.ascontiguousarray(np.rot90(cut, quarters(higher_x - x, (higher_y - y) * rectifier.aspect)))


def quarters(across: float, down: float) -> int:
    """The quarter turns against the clock after which a direction points up, more or less."""
    if abs(across) > abs(down):
        return 1 if across > 0 else 3
    return 0 if down < 0 else 2


def _read(
    network: Network, frame: NDArray[np.uint8], rectifier: Rectifier, pixel: tuple[float, float], sight: Sight
) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """Weights of the kinds and the pixel of the face they were read from.

    What is found is a thing's body as much as its top: where the first look leaves doubt, others are taken higher up.
    The surer a look is the more it counts, but the surest alone would be sure of a wrong value too often.
    """
    looks, places = [], []
    for rise in RISES:
        at = rectifier.raised(pixel, rise) if rise else pixel
        (logits,) = network.run(blob([square(frame, rectifier, at, sight)]), ("face",))
        looks.append(softmax(logits.astype(float))[0])
        places.append(at)
        if looks[-1].max() > CLEAR:
            break
    sure = [float(look[VALUES].max()) for look in looks]
    weighed = [look * weight**2 for look, weight in zip(looks, sure, strict=True)]
    return np.asarray(sum(weighed) / sum(weight**2 for weight in sure)), places[sure.index(max(sure))]


def agreed(first: float, second: float) -> float:
    """What two weights for the same thing come to together, as if each had been found without the other."""
    both, neither = first * second, (1 - first) * (1 - second)
    return both / max(both + neither, 1e-9)


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Over the last axis."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))
