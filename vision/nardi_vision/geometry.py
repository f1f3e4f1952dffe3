"""Corners, homographies and the lens: where a point of the board lies in the picture, and back.

Board coordinates: x 0..1 from corner 0 to corner 1, y 0..1 from corner 0 to corner 3. Picture coordinates: px, x to the
right, y down, (0, 0) the middle of the top left pixel.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.errors import EyeError
from nardi_vision.reading import Corners

Points = NDArray[np.float64]
"""Points as rows (x, y): shape (n, 2)."""
Matrix = NDArray[np.float64]
"""A homography: shape (3, 3)."""

SMALLEST_SIDE_PX = 40.0
"""A board with a shorter side than this cannot be read by anyone: three pixels a point."""
SMALLEST_SINE = 0.17
"""Sine of the flattest angle a corner may have (10 degrees): flatter is no view of a board from above."""


def parse_corners(text: str) -> Corners:
    """`"x,y x,y x,y x,y"` → corners. Raises EyeError `corners_unreadable` when that is not what the text holds."""
    try:
        pairs = [tuple(float(number) for number in pair.split(",")) for pair in text.split()]
    except ValueError:
        pairs = []
    if len(pairs) != 4 or any(len(pair) != 2 or not all(map(math.isfinite, pair)) for pair in pairs):
        raise EyeError("corners_unreadable", corners=text, remedy="corners_form")
    return as_corners(pairs)


def as_corners(points: Iterable[Iterable[float]] | Points) -> Corners:
    """Any four (x, y) as the tuple that readings carry."""
    rows = [tuple(float(value) for value in point) for point in points]
    (a, b), (c, d), (e, f), (g, h) = rows
    return ((a, b), (c, d), (e, f), (g, h))


def text_of(corners: Corners) -> str:
    """The inverse of parse_corners, to a tenth of a pixel."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def check_corners(corners: Corners, frame_size: tuple[int, int] | None = None) -> Corners:
    """The corners, proven to be a convex quadrangle, clockwise, large enough, and in the picture.

    `frame_size` = (width, height) in px; corners may lie outside by a tenth of it (a board cut by the picture's edge).
    Raises EyeError `corners_not_quadrangle` with `why`: crossed | concave | counterclockwise | small | flat,
    or `corners_outside`.
    """
    points = np.asarray(corners, np.float64)
    sides = np.roll(points, -1, axis=0) - points
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    text = text_of(corners)
    if lengths.min() < SMALLEST_SIDE_PX:
        raise EyeError("corners_not_quadrangle", why="small", corners=text, remedy="calibrate")
    before = np.roll(sides, 1, axis=0)
    # In a picture y grows downwards, so a clockwise turn has a positive cross product.
    turns = before[:, 0] * sides[:, 1] - before[:, 1] * sides[:, 0]
    sines = turns / (np.roll(lengths, 1) * lengths)
    if (sines < 0).all():
        raise EyeError("corners_not_quadrangle", why="counterclockwise", corners=text, remedy="calibrate")
    if (sines > 0).sum() == 2:
        raise EyeError("corners_not_quadrangle", why="crossed", corners=text, remedy="calibrate")
    if (sines < 0).any():
        raise EyeError("corners_not_quadrangle", why="concave", corners=text, remedy="calibrate")
    if sines.min() < SMALLEST_SINE:
        raise EyeError("corners_not_quadrangle", why="flat", corners=text, remedy="calibrate")
    if frame_size is not None:
        width, height = frame_size
        slack_x, slack_y = 0.1 * width, 0.1 * height
        for index, (x, y) in enumerate(corners):
            if not (-slack_x <= x <= width + slack_x and -slack_y <= y <= height + slack_y):
                raise EyeError(
                    "corners_outside", corner=index, x=x, y=y, width=width, height=height, remedy="calibrate"
                )
    return corners


def in_order(quadrangle: Sequence[Sequence[float]] | Points, point_side: int = 0) -> Corners:
    """The corners in the contract's order.

    `quadrangle`: clockwise; its side `point_side` → `point_side` + 1 is one that carries twelve points. Of the two such
    sides the one whose first corner is higher in the picture comes first (of equals, the one further left).
    """
    points = [(float(x), float(y)) for x, y in quadrangle]
    choices = [points[(point_side + turn) % 4 :] + points[: (point_side + turn) % 4] for turn in (0, 2)]
    return as_corners(min(choices, key=lambda corners: (corners[0][1], corners[0][0])))


def clockwise(points: Points) -> Points:
    """Four points, whatever their order, as they follow each other clockwise in the picture; the topmost first."""
    around = points - points.mean(axis=0)
    ordered = points[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
    return np.asarray(np.roll(ordered, -int(np.argmin(ordered[:, 1])), axis=0), np.float64)


def turned(corners: Corners, quarters: int) -> Corners:
    """The same quadrangle, beginning `quarters` corners later."""
    return as_corners([corners[(index + quarters) % 4] for index in range(4)])


def board_width_px(corners: Corners) -> float:
    """The mean length of the two sides that carry the points: the yardstick of every corner error."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    return (math.hypot(bx - ax, by - ay) + math.hypot(cx - dx, cy - dy)) / 2


def corner_error(found: Corners, true: Corners) -> float:
    """The mean distance of four corners from the true ones, as a share of the board's width. Order counts."""
    gaps = [math.hypot(x - u, y - v) for (x, y), (u, v) in zip(found, true, strict=True)]
    return sum(gaps) / 4 / board_width_px(true)


def board_to_picture(corners: Corners) -> Matrix:
    """The homography from board coordinates to px."""
    board = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(board, np.asarray(corners, np.float32)), np.float64)


def picture_to_board(corners: Corners) -> Matrix:
    """The homography from px to board coordinates."""
    return np.asarray(np.linalg.inv(board_to_picture(corners)), np.float64)


def project(matrix: Matrix, points: Points | Sequence[Sequence[float]]) -> Points:
    """Points (n, 2) through a homography."""
    rows = np.asarray(points, np.float64)
    lifted = np.column_stack([rows, np.ones(len(rows))]) @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:], np.float64)


def move_corners(corners: Corners, motion: Matrix) -> Corners:
    """The corners after the picture has moved by `motion` (3 × 3, old px → new px)."""
    return as_corners(project(motion, corners))


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """How the surface stands before the camera.

    `camera` (3, 4) takes (x, y, z, 1) to homogeneous px: x, y in board coordinates, z up, in lengths of the side of
    twelve. `tilt_deg`: between straight down and the camera's axis, 0 to 90.
    """

    camera: Matrix
    tilt_deg: float


def standing(corners: Corners, frame_size: tuple[int, int], aspect: float, spread: float) -> Standing:
    """The likeliest way a surface `aspect` as deep as long stands before a camera with these `corners`.

    `spread`: how much the aspect may be off, in logarithms. The focal length is not known; the likeliest one is taken
    for which the sides stand at right angles, given that cameras have about 1.1 frame widths.
    """
    width, height = frame_size
    centre = np.array([[1, 0, (width - 1) / 2], [0, 1, (height - 1) / 2], [0, 0, 1]])
    plane = np.linalg.inv(centre) @ board_to_picture(corners)
    focals = width * np.exp(np.linspace(math.log(0.45), math.log(3.0), 96))
    rays = np.stack([1 / focals, 1 / focals, np.ones_like(focals)], axis=1)
    along, down = plane[:, 0] * rays, plane[:, 1] * rays
    long, deep = np.linalg.norm(along, axis=1), np.linalg.norm(down, axis=1)
    slant = (along * down).sum(axis=1) / (long * deep)
    cost = (
        (slant / 0.02) ** 2 + (np.log(focals / width / 1.1) / 0.35) ** 2 + (np.log(deep / long / aspect) / spread) ** 2
    )
    best = int(np.argmin(cost))
    up = np.cross(along[best], down[best]) / long[best] / deep[best]
    middle = (plane @ [0.5, 0.5, 1]) * rays[best]
    # Up is towards the camera.
    up *= -np.sign(up @ middle) / np.linalg.norm(up)
    camera = centre @ np.column_stack([plane[:, 0], plane[:, 1], up * long[best] / rays[best], plane[:, 2]])
    return Standing(camera, math.degrees(math.acos(min(1.0, abs(float(up[2]))))))


@dataclass(frozen=True, slots=True)
class Lens:
    """Radial distortion in one number (the division model).

    A picture point at radius r (1 = half the diagonal, from the middle) is seen at r', r = r' / (1 + k r'²).
    k < 0: barrel, as in wide lenses.
    """

    k: float = 0.0

    def straightened(self, points: Points, frame_size: tuple[int, int]) -> Points:
        """Points as seen (n, 2) px → where they would be without distortion."""
        middle, half = _middle(frame_size)
        offset = (points - middle) / half
        squared = (offset**2).sum(axis=1, keepdims=True)
        return np.asarray(middle + half * offset / (1 + self.k * squared), np.float64)

    def bent(self, points: Points, frame_size: tuple[int, int]) -> Points:
        """The inverse of `straightened`."""
        if self.k == 0.0:
            return points
        middle, half = _middle(frame_size)
        offset = (points - middle) / half
        radius = np.sqrt((offset**2).sum(axis=1, keepdims=True))
        # r' solves k r r'² − r' + r = 0; the root that goes to r as k goes to 0.
        inside = np.maximum(1 - 4 * self.k * radius**2, 0.0)
        factor = 2 / (1 + np.sqrt(inside))
        return np.asarray(middle + half * offset * factor, np.float64)


def _middle(frame_size: tuple[int, int]) -> tuple[Points, float]:
    width, height = frame_size
    return np.array([[(width - 1) / 2, (height - 1) / 2]]), math.hypot(width, height) / 2
