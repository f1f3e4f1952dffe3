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
    surface."""

    reach: float
    pixels: int
    lift: float


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
        """Reads up to four dice. `tops` (N, 2): frame pixels of checkers' tops, for telling dice that lie on one."""
        found = []
        for spot in spots[:4]:
            square = rectifier.cut(frame, spot.pixel, DIE.reach, DIE.pixels, DIE.lift)
            # Four turns of one square are four looks at it: noise that one falls for, the others do not.
            (logits,) = self._die.run(blob([square]), ("face",))
            weights = softmax(logits.astype(float)).mean(axis=0)
            value = int(weights[1:].argmax()) + 1
            x, y = rectifier.to_board(np.array([spot.pixel]), DIE.lift)[0]
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
                    value if confidence > 0.2 else None, confidence * spot.weight, state, half, float(x), float(y)
                )
            )
        return tuple(found)

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
