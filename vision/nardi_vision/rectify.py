"""The board laid flat: from a frame and the four corners to pictures in which every board looks alike.

Two flat pictures are made. The *plan* shows the playing surface itself, whole, for finding how wide its columns are.
The *canvas* shows the plane of the checkers' tops, which lean away from the surface in any tilted picture, in three
panels side by side: the half with columns 0-5, the bar, the half with columns 6-11. In the canvas every column of every
board has the same place and width, however wide the bar is.
"""

import math
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


def column_left(slot: int) -> int:
    """The canvas pixel at which a slot's column begins."""
    return PANELS[0 if slot % 12 < 6 else 2][0] + SIDE_PX + slot % 6 * COLUMN_PX


_BEGINS = np.array([begin for begin, _ in PANELS])

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
    if array.shape != (4, 2):
        raise EyeError("corners_not_quadrangle", shape=str(array.shape))
    points = array.tolist()
    around = zip(points, points[1:] + points[:1], points[2:] + points[:2], strict=True)
    turns = ((bx - ax) * (cy - by) - (by - ay) * (cx - bx) for (ax, ay), (bx, by), (cx, cy) in around)
    # Written so that what is no number is refused, too.
    if not all(1.0 < turn < math.inf for turn in turns):
        raise EyeError("corners_not_quadrangle", remedy="clockwise, none in line with its neighbours")
    return array


def surface_plane(corners: Floats) -> Floats:
    """The homography (3, 3) from the unit square (corner 0 at 0,0, corner 1 at 1,0) to pixels."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(square, corners.astype(np.float32)).astype(float)
    return np.asarray(matrix / matrix[2, 2])


@dataclass(frozen=True, slots=True)
class Pose:
    """How the surface stands before the camera: `surface` (3, 3) is its homography from the unit square; `rise` (3,)
    what going up by one length of the side of twelve adds to the homogeneous pixel of any surface point; `aspect` the
    surface's height over its length."""

    surface: Floats
    rise: Floats
    aspect: float


FOCALS = np.exp(np.linspace(np.log(0.55), np.log(2.6), 40))
"""Focal lengths that are tried, in frame widths."""
_NEAR = FOCALS**-2
_UNUSUAL = (np.log(FOCALS / 1.1) / 0.35) ** 2


def pose(corners: Floats, frame_size: tuple[int, int]) -> Pose:
    """The likeliest pose.

    The camera's focal length is not known; the likeliest one is taken, given that the surface's sides stand at right
    angles, that boards are about 0.86 as high as long, and that cameras have focal lengths about 1.1 frame widths.
    """
    width, height = frame_size
    surface = surface_plane(corners)
    centred = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]]) @ surface
    (ax, bx, cx), (ay, by, cy), (az, bz, cz) = centred.tolist()
    near = _NEAR / width**2
    long, short = (ax * ax + ay * ay) * near + az * az, (bx * bx + by * by) * near + bz * bz  # squared lengths
    slant = ((ax * bx + ay * by) * near + az * bz) ** 2 / (long * short)
    cost = slant / 0.02**2 + _UNUSUAL + (np.log(short / long / 0.86**2) / (2 * 0.13)) ** 2
    best = int(cost.argmin())
    focal = width * float(FOCALS[best])
    # Across both sides; x and y of a direction are its pixels over the focal length.
    normal = np.array([(ay * bz - az * by) / focal, (az * bx - ax * bz) / focal, (ax * by - ay * bx) / focal**2])
    normal *= math.sqrt(float(long[best])) / math.sqrt(float(normal @ normal))
    middle = np.array([(cx + ax / 2 + bx / 2) / focal, (cy + ay / 2 + by / 2) / focal, cz + az / 2 + bz / 2])
    if normal @ middle > 0:
        normal = -normal
    up = float(normal[2])
    rise = np.array([focal * normal[0] + up * width / 2, focal * normal[1] + up * height / 2, up])
    return Pose(surface, rise, math.sqrt(float(short[best] / long[best])))


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
    matrix = surface_plane(corners) @ to_unit
    source, fit = _shrunk(frame, inner[0], corners, _span(matrix[None], PLAN_PX))
    return np.asarray(cv2.cvtColor(_warp(source, fit @ matrix, PLAN_PX), cv2.COLOR_BGRA2BGR), np.uint8)


def _span(matrices: Floats, size: tuple[int, int]) -> tuple[float, float, float, float]:
    """The pixels (left, top, right, bottom) between which pictures of (width, height) show the frame, given their
    matrices (n, 3, 3); everywhere where one shows what lies behind the camera."""
    width, height = size
    found = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]]) @ matrices.transpose(0, 2, 1)
    if found[:, :, 2].min() <= 0:
        return -math.inf, -math.inf, math.inf, math.inf
    places = (found[:, :, :2] / found[:, :, 2:]).reshape(-1, 2)
    (left, top), (right, bottom) = places.min(axis=0).tolist(), places.max(axis=0).tolist()
    return left, top, right, bottom


def _shrunk(
    frame: NDArray[np.uint8], long_px: float, corners: Floats, span: tuple[float, float, float, float]
) -> tuple[NDArray[np.uint8], Floats]:
    """The part of the frame that `span` lies in, at about the scale it will be sampled at, so that fine patterns do not
    alias, and the matrix (3, 3) from the frame's pixels to its own.

    It has four channels, the last of no meaning: OpenCV warps them twice as fast as three.
    """
    side = corners[1] - corners[0]
    scale = math.hypot(side[0], side[1]) / long_px
    # Whole squares of pixels, so that what is cut away changes nothing in what is kept.
    halvings = min(max(round(math.log2(max(scale, 1e-3)) - 0.15), 0), 3)
    step = 1 << halvings
    left, right = _squares(span[0], span[2], step, frame.shape[1])
    top, bottom = _squares(span[1], span[3], step, frame.shape[0])
    part = frame[top:bottom, left:right]
    small = part
    for _ in range(halvings):  # (One step by four takes three times as long as two by two.)
        small = np.asarray(cv2.resize(small, (small.shape[1] // 2, small.shape[0] // 2), interpolation=cv2.INTER_AREA))
    across, down = small.shape[1] / part.shape[1], small.shape[0] / part.shape[0]
    # Pixel middles, not their corners, keep their places.
    fit = [[across, 0, (0.5 - left) * across - 0.5], [0, down, (0.5 - top) * down - 0.5], [0, 0, 1]]
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2BGRA), np.uint8), np.array(fit)


def _squares(low: float, high: float, step: int, size: int) -> tuple[int, int]:
    """From where to where, within 0..size, whole squares of `step` pixels hold low..high, with one more either way."""
    begin = max(math.floor(min(max(low, 0), size) / step - 1) * step, 0)
    end = math.ceil(min(max(high, 0), size) / step + 1) * step
    return begin, min(max(end, begin + step), size)


def _warp(
    frame: NDArray[np.uint8], matrix: Floats, size: tuple[int, int], out: NDArray[np.uint8] | None = None
) -> NDArray[np.uint8]:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    warped = cv2.warpPerspective(frame, matrix, size, out, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8)


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
        self.aspect = min(max(stand.aspect, 0.65), 1.15)
        self.surface = stand.surface
        self._inverses: dict[float, Floats] = {}
        unit = layout.width / COLUMN_PX
        down = [0, 1 / SURFACE_PX, (0.5 - TOP_PX) / SURFACE_PX]
        first = layout.edge - (SIDE_PX - 0.5) * unit
        starts = first, 0.5 - (BAR_PX - 1) / 2 * unit, 1 - layout.edge - 6 * layout.width - (SIDE_PX - 0.5) * unit
        to_unit = np.array([[[unit, 0, start], down, [0, 0, 1]] for start in starts])
        self._to_image = self._plane(lift) @ to_unit

    def canvas(self, frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The canvas (288, 352, 3) of a frame (rows, columns, 3)."""
        if frame.shape[:2] != (self.frame_size[1], self.frame_size[0]):
            raise EyeError("frame_size", expected=str(self.frame_size), actual=str(frame.shape))
        span = _span(self._to_image[::2], (PANEL_PX, HEIGHT_PX))
        source, fit = _shrunk(frame, COLUMN_PX / self.layout.width, self.corners, span)
        out = np.empty((HEIGHT_PX, WIDTH_PX, 4), np.uint8)
        for matrix, (begin, end) in zip(fit @ self._to_image, PANELS, strict=True):
            _warp(source, matrix, (end - begin, HEIGHT_PX), out[:, begin:end])
        return np.asarray(cv2.cvtColor(out, cv2.COLOR_BGRA2BGR), np.uint8)

    def to_canvas(self, pixels: Floats, panel: Panel) -> Floats:
        """Frame pixels (N, 2) to canvas pixels (N, 2), in the given panel (0: first half, 1: bar, 2: second half)."""
        found = mapped(np.linalg.inv(self._to_image[panel]), pixels)
        found[:, 0] += PANELS[panel][0]
        return found

    def to_frame(self, points: Floats, panel: Panel) -> Floats:
        """Canvas pixels (N, 2) in a panel to frame pixels (N, 2)."""
        inside = np.asarray(points, float) - [PANELS[panel][0], 0]
        return mapped(self._to_image[panel], inside)

    def places(self, points: Floats) -> Floats:
        """Canvas pixels (N, 2), each in whichever panel it lies, to frame pixels (N, 2)."""
        panels = np.searchsorted(_BEGINS[1:], points[:, 0], side="right")
        inside = np.ones((len(points), 3, 1))
        inside[:, :2, 0] = points
        inside[:, 0, 0] -= _BEGINS[panels]
        found = (self._to_image[panels] @ inside)[:, :, 0]
        return np.asarray(found[:, :2] / found[:, 2:])

    def _plane(self, lift: float) -> Floats:
        """The homography of the plane `lift` columns over the surface."""
        matrix = self.surface.copy()
        matrix[:, 2] += self._rise * lift * self.layout.width
        return matrix

    def _from_plane(self, lift: float) -> Floats:
        """The inverse of `_plane`, kept: dice and cube are looked for in few planes many times."""
        if lift not in self._inverses:
            self._inverses[lift] = np.asarray(np.linalg.inv(self._plane(lift)), float)
        return self._inverses[lift]

    def to_board(self, pixels: Floats, lift: float = 0.0) -> Floats:
        """Frame pixels (N, 2) of things `lift` columns over the surface to board shares (N, 2)."""
        return mapped(self._from_plane(lift), pixels)
