"""The board laid flat: from a frame and the four corners to pictures in which every board looks alike.

Two flat pictures are made. The *plan* shows the playing surface itself, whole, for finding how wide its columns are.
The
*canvas* shows the plane of the checkers' tops, which lean away from the surface in any tilted picture, in three panels
side by side: the half with columns 0-5, the bar, the half with columns 6-11. In the canvas every column of every board
has the same place and width, however wide the bar is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.errors import EyeError

Floats = NDArray[np.float64]
Panel = Literal[0, 1, 2]

COLUMN_PX = 20
SIDE_PX = 16  # beyond the columns of a half, on either side
BAR_PX = 48
TOP_PX = 24  # beyond the playing surface, above and below
SURFACE_PX = 240  # the surface from corner 0 to corner 3
PANEL_PX = 6 * COLUMN_PX + 2 * SIDE_PX
WIDTH_PX = 2 * PANEL_PX + BAR_PX
HEIGHT_PX = SURFACE_PX + 2 * TOP_PX
PANELS: tuple[tuple[int, int], ...] = ((0, PANEL_PX), (PANEL_PX, PANEL_PX + BAR_PX), (PANEL_PX + BAR_PX, WIDTH_PX))
"""Where each panel begins and ends in the canvas."""

PLAN_PX = (192, 112)
PLAN_MARGIN_PX = 8

LIFT = 0.22
"""Height of a usual checker's top, in columns: the plane that the canvas shows."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the columns are, in shares of the side from corner 0 to corner 1: the first one's edge and one's width.

    The halves mirror each other; what is left between them is the bar.
    """

    edge: float = 0.0
    width: float = 0.077

    @property
    def gap(self) -> float:
        """The share between the halves."""
        return 1 - 2 * self.edge - 12 * self.width

    def column(self, index: int) -> float:
        """The middle of column 0..11."""
        if index < 6:
            return self.edge + (index + 0.5) * self.width
        return 1 - self.edge - (11.5 - index) * self.width


def checked(corners: Sequence[Sequence[float]] | Floats) -> Floats:
    """The corners (4, 2); EyeError `corners_not_quadrangle` if they do not go round a convex quadrangle clockwise."""
    array = np.asarray(corners, float)
    if array.shape != (4, 2) or not np.isfinite(array).all():
        raise EyeError("corners_not_quadrangle", shape=str(array.shape))
    edges = np.roll(array, -1, axis=0) - array
    turns = edges[:, 0] * np.roll(edges, -1, axis=0)[:, 1] - edges[:, 1] * np.roll(edges, -1, axis=0)[:, 0]
    if (turns <= 1.0).any():
        raise EyeError("corners_not_quadrangle", remedy="clockwise, none in line with its neighbours")
    return array


def surface_plane(corners: Floats) -> Floats:
    """The homography (3, 3) from the unit square (corner 0 at 0,0, corner 1 at 1,0) to pixels."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(square, corners.astype(np.float32)).astype(float)
    return np.asarray(matrix / matrix[2, 2])


@dataclass(frozen=True, slots=True)
class Pose:
    """How the surface stands before the camera: `rise` (3,) is what going up by one length of the side of twelve adds
    to the
    homogeneous pixel of any surface point; `aspect` the surface's height over its length."""

    rise: Floats
    aspect: float


def pose(corners: Floats, frame_size: tuple[int, int]) -> Pose:
    """The likeliest pose.

    The camera's focal length is not known; the likeliest one is taken, given that the surface's sides stand at right
    angles, that boards are about 0.86 as high as long, and that cameras have focal lengths about 1.1 frame widths.
    """
    width, height = frame_size
    centred = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]]) @ surface_plane(corners)
    focals = width * np.exp(np.linspace(np.log(0.55), np.log(2.6), 40))
    scale = np.stack([1 / focals, 1 / focals, np.ones_like(focals)], axis=1)
    first, second, third = (centred[:, i] * scale for i in range(3))
    long, short = np.linalg.norm(first, axis=1), np.linalg.norm(second, axis=1)
    slant = np.sum(first * second, axis=1) / (long * short)
    cost = (slant / 0.02) ** 2 + (np.log(focals / width / 1.1) / 0.35) ** 2 + (np.log(short / long / 0.86) / 0.13) ** 2
    best = int(np.argmin(cost))
    normal = np.cross(first[best], second[best])
    normal /= np.linalg.norm(normal)
    if normal @ (third[best] + first[best] / 2 + second[best] / 2) > 0:
        normal = -normal
    rise = normal * long[best] / scale[best]
    shifted = np.array([rise[0] + rise[2] * width / 2, rise[1] + rise[2] * height / 2, rise[2]])
    return Pose(shifted, float(short[best] / long[best]))


def lifted_plane(corners: Floats, frame_size: tuple[int, int], rise: float) -> Floats:
    """The homography (3, 3) from the unit square at `rise` (in lengths of the side of twelve) to pixels."""
    matrix = surface_plane(corners)
    matrix[:, 2] += pose(corners, frame_size).rise * rise
    return matrix


def mapped(matrix: NDArray[Any], points: Floats) -> Floats:
    """Points (N, 2) through a homography (3, 3)."""
    homogeneous = np.asarray(points, float) @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:3])


def plan(frame: NDArray[np.uint8], corners: Floats) -> NDArray[np.uint8]:
    """The playing surface as a flat picture (112, 192, 3)."""
    width, height = PLAN_PX
    inner = (width - 2 * PLAN_MARGIN_PX, height - 2 * PLAN_MARGIN_PX)
    to_unit = np.array(
        [
            [1 / inner[0], 0, (0.5 - PLAN_MARGIN_PX) / inner[0]],
            [0, 1 / inner[1], (0.5 - PLAN_MARGIN_PX) / inner[1]],
            [0, 0, 1],
        ]
    )
    return _warp(*_shrunk(frame, surface_plane(corners) @ to_unit, inner[0], corners), PLAN_PX)


def _shrunk(
    frame: NDArray[np.uint8], matrix: Floats, long_px: float, corners: Floats
) -> tuple[NDArray[np.uint8], Floats]:
    """The frame at about the scale it will be sampled at, so that fine patterns do not alias, and the matrix that
    fits it."""
    scale = float(np.linalg.norm(corners[1] - corners[0])) / long_px
    steps = int(np.clip(round(np.log2(max(scale, 1e-3)) - 0.15), 0, 3))
    if steps == 0:
        return frame, matrix
    share = 0.5**steps
    size = (int(frame.shape[1] * share), int(frame.shape[0] * share))
    small = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
    fit = np.array([[size[0] / frame.shape[1], 0, 0], [0, size[1] / frame.shape[0], 0], [0, 0, 1]])
    # Pixel middles, not their corners, keep their places.
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    return small, np.linalg.inv(half) @ fit @ half @ matrix


def _warp(frame: NDArray[np.uint8], matrix: Floats, size: tuple[int, int]) -> NDArray[np.uint8]:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(frame, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


class Rectifier:
    """Between a frame and its canvas, for given corners and column layout."""

    def __init__(
        self,
        corners: Sequence[Sequence[float]] | Floats,
        frame_size: tuple[int, int],
        layout: Layout,
        lift: float = LIFT,
    ) -> None:
        self.corners = checked(corners)
        self.layout = layout
        self.frame_size = frame_size
        stand = pose(self.corners, frame_size)
        self._rise = stand.rise
        self.aspect = float(np.clip(stand.aspect, 0.65, 1.15))
        self.surface = surface_plane(self.corners)
        self.tops = self.surface.copy()
        self.tops[:, 2] += self._rise * lift * layout.width
        unit = layout.width / COLUMN_PX
        starts = (
            layout.edge - SIDE_PX * unit,
            0.5 - BAR_PX / 2 * unit,
            1 - layout.edge - 6 * layout.width - SIDE_PX * unit,
        )
        self._to_unit = tuple(
            np.array([[unit, 0, start + 0.5 * unit], [0, 1 / SURFACE_PX, (0.5 - TOP_PX) / SURFACE_PX], [0, 0, 1]])
            for start in starts
        )
        self._to_image = tuple(self.tops @ unit_of for unit_of in self._to_unit)

    def canvas(self, frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The canvas (288, 352, 3) of a frame (rows, columns, 3)."""
        if frame.shape[:2] != (self.frame_size[1], self.frame_size[0]):
            raise EyeError("frame_size", expected=str(self.frame_size), actual=str(frame.shape))
        source, fitted = _shrunk(frame, self._to_image[0], COLUMN_PX / self.layout.width, self.corners)
        scale = fitted @ np.linalg.inv(self._to_image[0])
        panels = [
            _warp(source, scale @ matrix, (end - begin, HEIGHT_PX))
            for matrix, (begin, end) in zip(self._to_image, PANELS, strict=True)
        ]
        return np.hstack(panels)

    def to_canvas(self, pixels: Floats, panel: Panel) -> Floats:
        """Frame pixels (N, 2) to canvas pixels (N, 2), in the given panel (0: first half, 1: bar, 2: second half)."""
        found = mapped(np.linalg.inv(self._to_image[panel]), pixels)
        found[:, 0] += PANELS[panel][0]
        return found

    def to_frame(self, points: Floats, panel: Panel) -> Floats:
        """Canvas pixels (N, 2) in a panel to frame pixels (N, 2)."""
        inside = np.asarray(points, float) - [PANELS[panel][0], 0]
        return mapped(self._to_image[panel], inside)

    def _plane(self, lift: float) -> Floats:
        """The homography of the plane `lift` columns over the surface."""
        matrix = self.surface.copy()
        matrix[:, 2] += self._rise * lift * self.layout.width
        return matrix

    def raised(
        self, pixel: tuple[float, float], columns: float, aside: tuple[float, float] = (0.0, 0.0)
    ) -> tuple[float, float]:
        """Where a thing seen at `pixel` would be seen `columns` higher, and `aside` columns along the board's sides."""
        at = mapped(np.linalg.inv(self._plane(0.2)), np.array([pixel]))
        at += np.array(aside) * self.layout.width / [1.0, self.aspect]
        x, y = mapped(self._plane(0.2 + columns), at)[0].tolist()
        return x, y

    def to_board(self, pixels: Floats, lift: float = 0.0) -> Floats:
        """Frame pixels (N, 2) of things `lift` columns over the surface to board shares (N, 2)."""
        return mapped(np.linalg.inv(self._plane(lift)), pixels)

    def cut(
        self, frame: NDArray[np.uint8], pixel: tuple[float, float], reach: float, size: int, lift: float
    ) -> NDArray[np.uint8]:
        """A square (size, size, 3) of the plane `lift` columns up, around a frame pixel, reaching `reach` columns
        each way."""
        matrix = self._plane(lift)
        ratio = self.aspect
        centre = mapped(np.linalg.inv(matrix), np.array([pixel]))[0]
        unit = 2 * reach * self.layout.width / size
        to_unit = np.array(
            [
                [unit, 0, centre[0] - unit * (size - 1) / 2],
                [0, unit / ratio, centre[1] - unit / ratio * (size - 1) / 2],
                [0, 0, 1],
            ]
        )
        return _warp(frame, matrix @ to_unit, (size, size))
