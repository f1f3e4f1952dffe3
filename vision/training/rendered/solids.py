"""Solids as triangles: what stands on the table of a rendered picture."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Solid:
    """Triangles in board space (x right, y towards the viewer, z up; columns).

    `vertices` (N, 3), `triangles` (M, 3) indices, `uv` (N, 2): places in its texture, v downwards, 0..1.
    """

    vertices: Floats
    triangles: NDArray[np.int64]
    uv: Floats

    def moved(self, rotation: Floats, to: Floats) -> "Solid":
        """Turned by `rotation` (3, 3), then carried to `to` (3,)."""
        return Solid(self.vertices @ rotation.T + to, self.triangles, self.uv)

    def painted(self, u: float, v: float) -> "Solid":
        """With all of it in the one place of its texture."""
        return Solid(self.vertices, self.triangles, np.tile([[u, v]], (len(self.vertices), 1)))


NOTHING = Solid(np.array([[0, 0, -90], [0.01, 0, -90], [0, 0.01, -90]], float), np.array([[0, 1, 2]]), np.zeros((3, 2)))
"""A speck far below the table, for kinds of things that a picture has none of."""


def joined(solids: Sequence[Solid]) -> Solid:
    """All of them as one; NOTHING where there are none."""
    if not solids:
        return NOTHING
    starts = np.cumsum([0] + [len(s.vertices) for s in solids[:-1]])
    return Solid(
        np.concatenate([s.vertices for s in solids]),
        np.concatenate([s.triangles + start for s, start in zip(solids, starts, strict=True)]),
        np.concatenate([s.uv for s in solids]),
    )


def rectangle(x0: float, y0: float, x1: float, y1: float, z: float, repeat: float = 1.0) -> Solid:
    """A flat sheet whose texture lies over all of it, `repeat` times each way."""
    vertices = np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]], float)
    uv = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float) * repeat
    return Solid(vertices, np.array([[0, 1, 2], [0, 2, 3]]), uv)


def block(low: Sequence[float], high: Sequence[float]) -> Solid:
    """A box without its underside between two corners; its texture must be laid over it from above."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    vertices = np.array([[x, y, z] for z in (z0, z1) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))], float)
    sides = [[[a, b, b + 4], [a, b + 4, a + 4]] for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))]
    triangles = np.array([*(t for side in sides for t in side), [4, 5, 6], [4, 6, 7]])
    return Solid(vertices, triangles, np.zeros((8, 2)))


def laid_over(solid: Solid, x0: float, y0: float, x1: float, y1: float) -> Solid:
    """With a texture that spans the rectangle, seen from above."""
    uv = (solid.vertices[:, :2] - [x0, y0]) / [x1 - x0, y1 - y0]
    return Solid(solid.vertices, solid.triangles, uv)


def lathe(profile: Floats, segments: int = 40) -> Solid:
    """Turned on a lathe: `profile` (K, 2) radius and height, from below to the middle of the top.

    Its texture is laid over it from above: the largest radius spans 0..1.
    """
    angles = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rows = len(profile)
    vertices = np.concatenate([np.column_stack([ring * r, np.full(segments, z)]) for r, z in profile])
    a = (np.arange(rows - 1)[:, None] * segments + np.arange(segments)).ravel()
    b = (np.arange(rows - 1)[:, None] * segments + (np.arange(segments) + 1) % segments).ravel()
    triangles = np.concatenate(
        [np.stack([a, b, b + segments], axis=1), np.stack([a, b + segments, a + segments], axis=1)]
    )
    uv = vertices[:, :2] / (2 * profile[:, 0].max()) + 0.5
    return Solid(vertices, triangles, uv)


def rounded_cube(size: float, rounding: float, cells: int = 9) -> tuple[Solid, ...]:
    """The six faces of a cube about the origin with round edges (`rounding`: radius as a share of the size).

    In the order +z, +x, +y, -x, -y, -z; each face's texture spans 0..1.
    """
    spans = (
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((0, 1, 0), (0, 0, -1), (1, 0, 0)),
        ((-1, 0, 0), (0, 0, -1), (0, 1, 0)),
        ((0, -1, 0), (0, 0, -1), (-1, 0, 0)),
        ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
        ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    )
    radius = min(rounding, 0.49) * size
    inner = size / 2 - radius
    # Closer lines where the face bends.
    line = np.unique(np.concatenate([np.linspace(-0.5, 0.5, 3), np.linspace(inner, size / 2, cells // 2) / size]))
    line = np.unique(np.concatenate([line, -line])) * size
    grid_u, grid_v = np.meshgrid(line, line)
    n = len(line)
    index = np.arange(n * n).reshape(n, n)
    a, b, c, d = (index[:-1, :-1].ravel(), index[:-1, 1:].ravel(), index[1:, 1:].ravel(), index[1:, :-1].ravel())
    triangles = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    uv = np.stack([grid_u.ravel(), grid_v.ravel()], axis=1) / size + 0.5
    faces = []
    for u, v, w in spans:
        flat = np.outer(grid_u.ravel(), u) + np.outer(grid_v.ravel(), v) + np.array(w) * size / 2
        core = np.clip(flat, -inner, inner)
        out = flat - core
        out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
        faces.append(Solid(core + out * radius, triangles, uv))
    return tuple(faces)


def tube(spine: Floats, radii: Floats, flat: float = 1.0, segments: int = 20) -> Solid:
    """A limb along `spine` (N, 3) with `radii` (N,), closed and rounded at both ends; `flat`: its height to its
    width."""
    spine, radii = _round_ends(spine, radii)
    along = np.gradient(spine, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    side = np.cross(along, [0, 0, 1.0])
    side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-9)
    up = np.cross(side, along)
    angles = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    rings = [
        at + r * (np.outer(np.cos(angles), s) + flat * np.outer(np.sin(angles), u))
        for at, r, s, u in zip(spine, radii, side, up, strict=True)
    ]
    vertices = np.concatenate(rings)
    rows = len(spine)
    a = (np.arange(rows - 1)[:, None] * segments + np.arange(segments)).ravel()
    b = (np.arange(rows - 1)[:, None] * segments + (np.arange(segments) + 1) % segments).ravel()
    triangles = np.concatenate(
        [np.stack([a, b, b + segments], axis=1), np.stack([a, b + segments, a + segments], axis=1)]
    )
    return Solid(vertices, triangles, np.zeros((len(vertices), 2)))


def _round_ends(spine: Floats, radii: Floats) -> tuple[Floats, Floats]:
    shares = np.sin(np.linspace(0, np.pi / 2, 5))[:-1]
    first = spine[0] - (spine[1] - spine[0]) / np.linalg.norm(spine[1] - spine[0]) * radii[0]
    last = spine[-1] + (spine[-1] - spine[-2]) / np.linalg.norm(spine[-1] - spine[-2]) * radii[-1]
    reach = 1 - np.cos(np.linspace(0, np.pi / 2, 5))[:-1]
    head = [first + (spine[0] - first) * v for v in reach]
    tail = [last + (spine[-1] - last) * v for v in reach[::-1]]
    return (
        np.concatenate([head, spine, tail]),
        np.concatenate([radii[0] * np.maximum(shares, 0.02), radii, radii[-1] * np.maximum(shares[::-1], 0.02)]),
    )
