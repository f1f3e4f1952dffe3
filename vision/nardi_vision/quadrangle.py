"""From the finder's maps to quadrangles that may be the board, the likeliest first."""

from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.errors import EyeError
from nardi_vision.geometry import clockwise

Floats = NDArray[np.float32]
Places = NDArray[np.float64]
"""Points as rows (x, y), px of the maps."""

PEAKS = 7
LEAST = 0.02
"""Smallest share of the picture that a board's surface may fill."""
ALIKE_PX = 3.0
"""Quadrangles whose corners are all nearer than this are one."""


def quadrangles(surface: Floats, corner: Floats, carrying: Floats, bare: Floats) -> list[Places]:
    """Candidates (4, 2), clockwise, the first two corners along a side that carries points; never none.

    The maps (rows, columns; 0..1) show the playing surface, its corners, the sides that carry points and the other two.
    Raises EyeError `board_not_found` where there is no surface.
    """
    hulls = _hulls(surface)
    shapes = [shape for hull in hulls for shape in (_four(hull), _box(hull))]
    peaks = _peaks(corner)
    shapes += _of_peaks(peaks, surface > 0.5)
    found: list[tuple[float, Places]] = []
    for shape in shapes:
        placed = clockwise(shape)
        reach = 0.12 * float(np.sqrt(cv2.contourArea(placed.astype(np.float32))))
        placed = np.array([_snap(corner, place, reach) for place in placed])
        if cv2.contourArea(placed.astype(np.float32)) < LEAST / 2 * surface.size or _bent(placed):
            continue
        if any(np.abs(placed - other).max() < ALIKE_PX for _, other in found):
            continue
        sides = [(_along(carrying, placed, side), _along(bare, placed, side)) for side in range(4)]
        found.append((sum(max(pair) for pair in sides), _from_points(placed, sides)))
    if not found:
        placed = clockwise(shapes[0])
        sides = [(_along(carrying, placed, side), _along(bare, placed, side)) for side in range(4)]
        return [_from_points(placed, sides)]
    return [placed for _, placed in sorted(found, key=lambda one: -one[0])]


def _from_points(corners: Places, sides: list[tuple[float, float]]) -> Places:
    """Begun at a side that carries points."""
    leans = [carrying - bare for carrying, bare in sides]
    return corners if leans[0] + leans[2] >= leans[1] + leans[3] else np.roll(corners, -1, axis=0)


def _hulls(surface: Floats) -> list[NDArray[np.int32]]:
    """The outline of the largest patch, and of all large ones together: an arm may cut the surface in two."""
    mask = (surface > 0.5).astype(np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outlines = sorted(outlines, key=cv2.contourArea, reverse=True)
    if not outlines or cv2.contourArea(outlines[0]) < LEAST * surface.size:
        raise EyeError("board_not_found", remedy="calibrate")
    least = 0.1 * cv2.contourArea(outlines[0])
    parts = [outline for outline in outlines if cv2.contourArea(outline) >= least]
    hulls = [cv2.convexHull(np.concatenate(parts))]
    if len(parts) > 1:
        hulls.append(cv2.convexHull(parts[0]))
    return [np.asarray(hull, np.int32) for hull in hulls]


def _four(hull: NDArray[np.int32]) -> Places:
    """The hull with ever more of its corners left out, until four are left."""
    length = cv2.arcLength(hull, True)
    for share in np.arange(0.02, 0.16, 0.01):
        corners = cv2.approxPolyDP(hull, share * length, True)
        if len(corners) == 4:
            return np.asarray(corners.reshape(4, 2), np.float64)
        if len(corners) < 4:
            break
    return _box(hull)


def _box(hull: NDArray[np.int32]) -> Places:
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float64)


def _peaks(corner: Floats) -> Places:
    """The highest places (n, 2) of the corner map."""
    top = cv2.dilate(corner, np.ones((13, 13), np.uint8))
    ys, xs = np.nonzero((corner >= top) & (corner > 0.2))
    order = np.argsort(-corner[ys, xs])[:PEAKS]
    return np.stack([xs[order], ys[order]], axis=1).astype(np.float64)


def _of_peaks(peaks: Places, mask: NDArray[np.bool_]) -> list[Places]:
    """The four peaks whose quadrangle covers the surface best."""
    best, best_overlap = None, 0.3
    for four in combinations(range(len(peaks)), 4):
        shape = clockwise(peaks[list(four)])
        if _bent(shape):
            continue
        drawn = np.zeros(mask.shape, np.uint8)
        cv2.fillConvexPoly(drawn, np.round(shape).astype(np.int32), 1)
        overlap = float((mask & (drawn > 0)).sum()) / float((mask | (drawn > 0)).sum())
        if overlap > best_overlap:
            best, best_overlap = shape, overlap
    return [] if best is None else [best]


def _bent(corners: Places) -> bool:
    """Whether four points are not the corners of a convex quadrangle, clockwise."""
    sides = np.roll(corners, -1, axis=0) - corners
    before = np.roll(sides, 1, axis=0)
    return bool((before[:, 0] * sides[:, 1] - before[:, 1] * sides[:, 0] <= 0).any())


def _snap(heat: Floats, place: Places, reach: float) -> Places:
    """The middle of the corner map's weight around a place; the place itself where the map shows nothing there."""
    height, width = heat.shape
    ys, xs = np.mgrid[0:height, 0:width]
    near = np.exp(-((xs - place[0]) ** 2 + (ys - place[1]) ** 2) / (2 * reach**2))
    if float((heat * (near > 0.6)).max()) < 0.15:
        return place
    weight = heat.astype(np.float64) ** 2 * near
    total = weight.sum()
    return np.array([(weight * xs).sum() / total, (weight * ys).sum() / total])


def _along(part: Floats, corners: Places, side: int) -> float:
    """The map's mean along a side."""
    shares = np.linspace(0.1, 0.9, 40)[:, None]
    points = corners[side] * (1 - shares) + corners[(side + 1) % 4] * shares
    x = np.clip(np.round(points[:, 0]).astype(int), 0, part.shape[1] - 1)
    y = np.clip(np.round(points[:, 1]).astype(int), 0, part.shape[0] - 1)
    return float(part[y, x].mean())
