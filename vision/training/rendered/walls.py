"""A board's walls, bar and tray dividers as beams of wood, leather or plastic, the way boards are put together."""

import numpy as np
from numpy.typing import NDArray
from solids import Floats, Solid, joined

from nardi_vision.synth.board import BoardSpec
from nardi_vision.synth.surface import holes, outer

Rectangle = tuple[float, float, float, float]
"""(x0, y0, x1, y1) in columns."""

LENGTH, GIRTH = 12.0, 4.0
"""What a beam's sheet spans, in columns: along it, and around it from one foot to the other."""


def rectangles(spec: BoardSpec, sides_through: bool = False) -> list[Rectangle]:
    """Where walls stand: the two that run through from end to end first, then those between them.

    `sides_through`: the left and right walls run through instead of the upper and lower ones.
    """
    x0, y0, x1, y1 = outer(spec)
    sunk = holes(spec)
    spans = sorted({(hole[0], hole[2]) for hole in sunk})
    edges = [x0, *(x for span in spans for x in span), x1]
    upright = list(zip(edges[::2], edges[1::2], strict=True))
    if sides_through:
        (_, left), (right, _) = upright[0], upright[-1]
        found = [(x0, y0, left, y1), (right, y0, x1, y1)]
        found += [(left, y0, right, 0.0), (left, spec.height, right, y1)]
        upright = upright[1:-1]
    else:
        found = [(x0, y0, x1, 0.0), (x0, spec.height, x1, y1)]
    found += [(start, 0.0, end, spec.height) for start, end in upright]
    for start, end in spans:
        ys = sorted(y for hole in sunk if (hole[0], hole[2]) == (start, end) for y in (hole[1], hole[3]))[1:-1]
        found += [(start, low, end, high) for low, high in zip(ys[::2], ys[1::2], strict=True)]
    return found


def beams(spec: BoardSpec, height: float, rounding: float, rng: np.random.Generator) -> Solid:
    """The walls as beams from the table to `height`, each its own cut of a sheet of LENGTH × GIRTH whose pattern
    goes round it: inner faces look like tops. `rounding`: the radius of their edges, columns.
    """
    parts = []
    for x0, y0, x1, y1 in rectangles(spec, bool(rng.random() < 0.4)):
        radius = min(rounding, 0.4 * (x1 - x0), 0.4 * (y1 - y0), 0.8 * height)
        parts.append(_beam((x0, y0, -spec.box), (x1, y1, height), radius, rng.uniform(0, 1, 2)))
    return joined(parts)


def _beam(
    low: tuple[float, float, float], high: tuple[float, float, float], radius: float, offset: NDArray[np.float64]
) -> Solid:
    """A beam without its underside between two corners, its upper and upright edges round; `offset`: where in its
    sheet it is cut (u, v)."""
    start, end = np.array(low), np.array(high)
    along = 0 if end[0] - start[0] >= end[1] - start[1] else 1
    across = 1 - along
    xs, ys = (_lines(start[axis], end[axis], radius) for axis in (0, 1))
    zs = np.unique(np.array([start[2], *(end[2] - radius * np.array([1.0, 0.65, 0.3, 0.0]))]))
    solids = [_bent(*_grid(xs, ys, 2, end[2]), start, end, radius)]
    for axis, others in ((0, ys), (1, xs)):
        solids += [_bent(*_grid(others, zs, axis, value), start, end, radius) for value in (start[axis], end[axis])]
    made = []
    for flat, placed, triangles in solids:
        # The pattern runs over the top and down the sides, or down the ends.
        fallen = end[2] - flat[:, 2]
        places = flat[:, [along, across]].copy()
        for column, axis in ((1, across), (0, along)):
            for value, way in ((start[axis], -1), (end[axis], 1)):
                if np.ptp(flat[:, axis]) == 0 and flat[0, axis] == value:
                    places[:, column] += way * fallen
        made.append(Solid(placed, triangles, places / [LENGTH, GIRTH] + offset))
    return joined(made)


def _lines(start: float, end: float, radius: float) -> Floats:
    """Where a grid has its lines: at both ends, closer where an edge is round."""
    bend = radius * np.array([0.0, 0.3, 0.65, 1.0])
    return np.unique(np.concatenate([start + bend, end - bend]))


def _grid(first: Floats, second: Floats, axis: int, value: float) -> tuple[Floats, NDArray[np.int64]]:
    """A flat grid square to `axis` at `value`: vertices (N, 3) and triangles (M, 3)."""
    one, two = np.meshgrid(first, second)
    vertices = np.insert(np.stack([one.ravel(), two.ravel()], axis=1), axis, value, axis=1)
    index = np.arange(one.size).reshape(one.shape)
    a, b, c, d = index[:-1, :-1].ravel(), index[:-1, 1:].ravel(), index[1:, 1:].ravel(), index[1:, :-1].ravel()
    return vertices, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def _bent(
    flat: Floats, triangles: NDArray[np.int64], start: Floats, end: Floats, radius: float
) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """The grid, where its vertices come to lie on the rounded beam, and its triangles."""
    core = np.clip(flat, [start[0] + radius, start[1] + radius, -np.inf], end - radius)
    out = flat - core
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
    return flat, core + out * radius, triangles
