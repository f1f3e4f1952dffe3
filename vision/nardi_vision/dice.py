"""Dice and the doubling cube: found by the board's network, read by two small ones from squares cut out of the
frame."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nardi_vision.network import DATA, Network, blob
from nardi_vision.reading import CubeReading, DieReading, DieState
from nardi_vision.rectify import Rectifier


@dataclass(frozen=True, slots=True)
class Sight:
    """How a thing is cut out: `reach` columns each way, `pixels` across, in the plane `lift` columns over the
    surface."""

    reach: float
    pixels: int
    lift: float


SURE = 0.35
"""A spot that the finder weighs over this is a die, whatever its face; a fainter one only if its face can be read."""
READ = 0.85
LEGIBLE = 0.25
"""A die's value is told when finder and reader together weigh it over this."""
LOOKS = (
    (0.0, (0.0, 0.0)),
    (0.2, (0.0, 0.0)),
    (0.35, (0.0, 0.0)),
    (0.1, (0.12, 0.0)),
    (0.1, (-0.12, 0.0)),
)
"""Where a die's top is looked for round the place where it was found: columns higher, columns aside."""
DIE = Sight(0.5, 40, 0.4)
CUBE = Sight(0.8, 40, 0.8)


@dataclass(frozen=True, slots=True)
class Spot:
    """A likely die or cube: its place in the frame and how sure the finder is, 0..1."""

    pixel: tuple[float, float]
    weight: float


class FaceReader:
    """Reads dice and the cube where they have been found."""

    def __init__(self, die: Network | None = None, cube: Network | None = None) -> None:
        self._die = die or Network(DATA / "die.onnx.gz")
        self._cube = cube or Network(DATA / "cube.onnx.gz")

    def dice(
        self, frame: NDArray[np.uint8], rectifier: Rectifier, spots: list[Spot], tops: NDArray[np.float64]
    ) -> tuple[DieReading, ...]:
        """Reads up to four dice, the likeliest first. `tops` (N, 2): frame pixels of checkers' tops, for telling dice
        that lie on one."""
        found: list[DieReading] = []
        for spot in spots[:4]:
            # A faint spot that is no die would only cost time.
            weights, pixel = self._face(frame, rectifier, spot.pixel, LOOKS if spot.weight > SURE else LOOKS[:1])
            value = int(weights[1:].argmax()) + 1
            if spot.weight < SURE and weights[value] < READ:
                continue
            x, y = rectifier.to_board(np.array([pixel]), DIE.lift)[0]
            inside = -0.01 <= x <= 1.01 and -0.01 <= y <= 1.01
            state = DieState.FLAT if inside else DieState.OFF_BOARD
            confidence = float(weights[value])
            if inside and weights[0] > 0.5:
                state = DieState.COCKED
            if inside and len(tops) and self._on_top(rectifier, spot, tops):
                state = DieState.ON_CHECKER
            half = None if not inside else 0 if x < 0.5 else 1
            found.append(
                DieReading(
                    value if confidence * spot.weight >= LEGIBLE else None,
                    confidence * spot.weight,
                    state,
                    half,
                    float(x),
                    float(y),
                )
            )
        return tuple(found)

    def _face(
        self,
        frame: NDArray[np.uint8],
        rectifier: Rectifier,
        pixel: tuple[float, float],
        looks: Sequence[tuple[float, tuple[float, float]]],
    ) -> tuple[NDArray[np.float64], tuple[float, float]]:
        """Weights of the values 0..6 and the pixel of the face they were read from.

        What is found is a die's body as much as its top: where the first look leaves doubt, a few more are taken round
        it, most of them higher, and the surest counts.
        """
        best: tuple[NDArray[np.float64], tuple[float, float]] | None = None
        for rise, aside in looks:
            at = pixel if rise == 0 and aside == (0.0, 0.0) else rectifier.raised(pixel, rise, aside)
            square = rectifier.cut(frame, at, DIE.reach, DIE.pixels, DIE.lift)
            (logits,) = self._die.run(blob([square]), ("face",))
            weights = softmax(logits.astype(float))[0]
            if best is None or weights[1:].max() > best[0][1:].max():
                best = weights, at
            if best[0][1:].max() > 0.9:
                break
        assert best is not None
        return best

    @staticmethod
    def _on_top(rectifier: Rectifier, spot: Spot, tops: NDArray[np.float64]) -> bool:
        radius = 0.3 * rectifier.layout.width * float(np.linalg.norm(rectifier.corners[1] - rectifier.corners[0]))
        return bool((np.hypot(*(tops - spot.pixel).T) < radius).any())

    def cube(self, frame: NDArray[np.uint8], rectifier: Rectifier, spot: Spot) -> CubeReading:
        """Reads the cube; its side is the row of points it lies nearer to."""
        square = rectifier.cut(frame, spot.pixel, CUBE.reach, CUBE.pixels, CUBE.lift)
        (logits,) = self._cube.run(blob([square]), ("face",))
        weights = softmax(logits.astype(float))[0]
        exponent = int(weights[1:].argmax()) + 1
        x, y = rectifier.to_board(np.array([spot.pixel]), CUBE.lift)[0]
        side = None if 0.3 < y < 0.7 else 0 if y <= 0.3 else 1
        confidence = float(weights[exponent])
        return CubeReading(
            2**exponent if confidence > 0.4 else None, confidence * spot.weight, side, float(x), float(y)
        )


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Over the last axis."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))
