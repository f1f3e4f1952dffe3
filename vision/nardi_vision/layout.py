"""Where a board's columns are: read from its plan."""

import numpy as np
from numpy.typing import NDArray

from nardi_vision.network import DATA, Network, blob
from nardi_vision.rectify import Layout, plan
from nardi_vision.sizes import Board

WIDTHS = np.linspace(0.0595, 0.0839, 48)
"""Column widths that the network tells apart, in shares of the side of twelve."""
EDGES = np.linspace(0.0, 0.046, 24)
"""Likewise the first column's edge."""


class LayoutFinder:
    """Finds the columns of a board whose corners are known."""

    def __init__(self, network: Network | None = None) -> None:
        self._network = network or Network(DATA / "plan.onnx.xz")

    def find(self, frame: NDArray[np.uint8], corners: NDArray[np.float64]) -> Layout:
        """The likeliest layout."""
        (logits,) = self._network.run(blob([plan(frame, corners)]), ("layout",))
        width = expected(logits[0, : len(WIDTHS)], WIDTHS)
        edge = expected(logits[0, len(WIDTHS) :], EDGES)
        return Layout(edge, min(width, (1 - 2 * edge) / 12))


def off_by(found: Layout, board: Board) -> float:
    """How far the columns found lie from where a board's sizes put them, at the worst edge of a half, in columns."""
    length, _ = board.surface_mm
    width = board.pitch_mm / length
    edge = (board.point_centres_mm[0] - board.pitch_mm / 2 - board.frame_mm - board.tray_mm) / length
    return max(abs(found.edge - edge), abs(found.edge + 6 * found.width - edge - 6 * width)) / width


def expected(logits: NDArray[np.float32], bins: NDArray[np.float64]) -> float:
    """The mean of the bins around the likeliest one."""
    weights = np.exp(logits - logits.max())
    best = int(weights.argmax())
    near = slice(max(0, best - 3), best + 4)
    return float(weights[near] @ bins[near] / weights[near].sum())
