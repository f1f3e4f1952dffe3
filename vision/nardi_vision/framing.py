"""How a board lies in its camera's picture, and what that leaves the eye to see: the numbers of board.toml's [eye]."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from nardi_vision.geometry import Matrix, Points, standing
from nardi_vision.reading import Corners
from nardi_vision.sizes import Board, Needs

USUAL_ASPECT = 0.86, 0.13
"""Depth over length of playing surfaces, and how much it varies (in logarithms), for a board that nobody named."""
NAMED_SPREAD = 0.02
"""The same of a board whose sizes are known: what its corners are off by."""


class FramingFault(StrEnum):
    """What the camera's place should be changed for."""

    COARSE = "coarse"  # the pictures have too few pixels
    SMALL = "small"  # checkers are too small: the camera is too far away, or looks too flatly at the far ones
    EDGE = "edge"  # the board fills the picture
    ASIDE = "aside"  # the board lies at one edge of the picture, with room at the other
    ASLANT = "aslant"  # the camera looks too flatly


@dataclass(frozen=True, slots=True)
class Framing:
    """What the eye gets to see.

    `checker_px`: the smallest width of any checker's outline at the eye's working width, or in the picture where that
    is narrower; `scale`: of the picture's width to the working width, at most 1; `room` (left, top, right, bottom):
    what stays free around the board's frame, in shares of the picture's width and height, negative: cut off;
    `tilt_deg`: between straight down and the camera's axis.
    """

    checker_px: float
    scale: float
    room: tuple[float, float, float, float]
    tilt_deg: float

    def faults(self, needs: Needs) -> tuple[FramingFault, ...]:
        """All that falls short of what the eye needs."""
        found = []
        if self.checker_px < needs.min_checker_px:
            coarse = self.checker_px >= needs.min_checker_px * self.scale
            found.append(FramingFault.COARSE if coarse else FramingFault.SMALL)
        left, top, right, bottom = self.room
        if min(self.room) < needs.margin:
            centred = min(left + right, top + bottom) / 2
            found.append(FramingFault.EDGE if centred < needs.margin else FramingFault.ASIDE)
        if self.tilt_deg > needs.max_tilt_deg:
            found.append(FramingFault.ASLANT)
        return tuple(found)


def framing(corners: Corners, frame_size: tuple[int, int], board: Board, needs: Needs, named: bool) -> Framing:
    """How `board` lies in a picture of `frame_size` (width, height), px, with its playing surface at `corners`.

    `named`: somebody said that it is this board; else only its shape is a guess, and the tilt is known less well.
    """
    length, depth = board.surface_mm
    aspect, spread = (depth / length, NAMED_SPREAD) if named else USUAL_ASPECT
    stand = standing(corners, frame_size, aspect, spread)
    # Board millimetres, x from corner 0's side, y from the side 0-1, z up: (3, 4).
    matrix = stand.camera @ np.diag([1 / length, 1 / depth, 1 / length, 1.0])
    width, height = frame_size
    scale = min(1.0, width / needs.working_width_px)
    shrink = scale * needs.working_width_px / width
    before = board.frame_mm + board.tray_mm
    tops = np.array(
        [
            (x - before, y, board.checker_height_mm)
            for x in board.point_centres_mm
            for y in (board.checker_mm / 2, depth - board.checker_mm / 2)
        ]
    )
    least = min(float(np.linalg.svd(jacobian, compute_uv=False)[-1]) for jacobian in _jacobians(matrix, tops))
    outline = _seen(
        matrix,
        np.array(
            [
                (x, y, z)
                for x in (-before, length + before)
                for y in (-board.frame_mm, depth + board.frame_mm)
                for z in (0.0, board.frame_height_mm)
            ]
        ),
    )
    # Pixels have their middles at whole numbers.
    (left, top), (right, bottom) = outline.min(axis=0) + 0.5, outline.max(axis=0) + 0.5
    room = (float(left) / width, float(top) / height, 1 - float(right) / width, 1 - float(bottom) / height)
    return Framing(least * board.checker_mm * shrink, scale, room, stand.tilt_deg)


def _seen(matrix: Matrix, points: Points) -> Points:
    """Points (n, 3) in the board's space to px (n, 2)."""
    lifted = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:], np.float64)


def _jacobians(matrix: Matrix, points: Points) -> Points:
    """Pixels a millimetre along the surface's two directions at each of the points (n, 3): shape (n, 2, 2)."""
    here = _seen(matrix, points)
    along = [_seen(matrix, points + step) - here for step in ([1.0, 0, 0], [0, 1.0, 0])]
    return np.stack(along, axis=2)
