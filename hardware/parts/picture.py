"""Shaded pictures of meshes, for looking at and for the guide: a small z-buffer with outlines. Needs numpy and Pillow.

cd hardware && python -m parts.picture
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from measures import HERE, load
from numpy.typing import NDArray
from PIL import Image

from parts.catalogue import NAMES
from parts.mesh import Triangles

PICTURES = HERE / "pictures"
PAPER = (255, 255, 255)
INK = np.array([45, 45, 50], np.float32)
SAMPLES = 2
"""Each pixel is drawn as SAMPLES x SAMPLES and averaged."""


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """Triangles in one colour."""

    triangles: Triangles
    color: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Parallel projection: seen from `turn_deg` (0: from -y, 90: from +x) and `above_deg` over the horizon."""

    turn_deg: float = 35
    above_deg: float = 30

    def axes(self) -> NDArray[np.float64]:
        """Rows: to the right, up, towards the eye."""
        turn, above = math.radians(self.turn_deg), math.radians(self.above_deg)
        right = (math.cos(turn), math.sin(turn), 0.0)
        eye = (math.sin(turn) * math.cos(above), -math.cos(turn) * math.cos(above), math.sin(above))
        return np.array([right, np.cross(eye, right), eye])


def draw(items: Sequence[Item], viewpoint: Viewpoint, size_px: tuple[int, int], margin_px: int = 16) -> Image.Image:
    """All items, fitted into a picture of `size_px` on white."""
    axes = viewpoint.axes()
    corners = np.concatenate([item.triangles for item in items]) @ axes.T
    colors = np.concatenate([np.tile(np.array(item.color, np.float32), (len(item.triangles), 1)) for item in items])
    low, high = corners[..., :2].min(axis=(0, 1)), corners[..., :2].max(axis=(0, 1))
    width, height = (side * SAMPLES for side in size_px)
    scale = float(min((np.array([width, height]) - 2 * margin_px * SAMPLES) / (high - low)))
    middle = (low + high) / 2
    seen = corners.copy()
    seen[..., 0] = (corners[..., 0] - middle[0]) * scale + width / 2
    seen[..., 1] = height / 2 - (corners[..., 1] - middle[1]) * scale
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-12)[:, None]
    index, depth = _cover(seen, normals[:, 2], width, height)
    return _paint(index, depth, normals, colors, 3.0 / scale).resize(size_px, Image.Resampling.BOX)


def _cover(
    seen: Triangles, facing: NDArray[np.float64], width: int, height: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(index of the nearest triangle or -1, its depth) for every sample."""
    index = np.full((height, width), -1, np.int64)
    depth = np.full((height, width), -np.inf)
    for number in np.flatnonzero(facing > 1e-6):
        (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = seen[number]
        left, right = max(0, math.floor(min(x0, x1, x2))), min(width, math.ceil(max(x0, x1, x2)) + 1)
        top, bottom = max(0, math.floor(min(y0, y1, y2))), min(height, math.ceil(max(y0, y1, y2)) + 1)
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if left >= right or top >= bottom or abs(area) < 1e-9:
            continue
        x, y = np.arange(left, right) + 0.5, (np.arange(top, bottom) + 0.5)[:, None]
        one = ((x - x0) * (y2 - y0) - (x2 - x0) * (y - y0)) / area
        two = ((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)) / area
        near = z0 + one * (z1 - z0) + two * (z2 - z0)
        part = depth[top:bottom, left:right]
        mask = (one >= -1e-6) & (two >= -1e-6) & (one + two <= 1 + 1e-6) & (near > part)
        part[mask] = near[mask]
        index[top:bottom, left:right][mask] = number
    return index, depth


def _paint(
    index: NDArray[np.int64],
    depth: NDArray[np.float64],
    normals: NDArray[np.float64],
    colors: NDArray[np.float32],
    step: float,
) -> Image.Image:
    """Colours by the angle to the light; ink where depth jumps or the surface turns sharply."""
    light = np.array([-0.35, 0.55, 0.76])
    shade = 0.42 + 0.58 * np.clip(normals @ light, 0, 1)
    paper = index < 0
    image = (colors * shade[:, None].astype(np.float32))[index]
    image[paper] = PAPER
    facing = normals[index]
    facing[paper] = 0
    far = np.where(paper, -1e6, depth)
    edge = np.zeros(index.shape, bool)
    for axis in (0, 1):
        # A slope changes depth by as much on both sides; an edge does not.
        jump = np.abs(np.diff(far, axis=axis)) > 4 * step
        turn = (
            np.take(facing, range(1, facing.shape[axis]), axis) * np.take(facing, range(facing.shape[axis] - 1), axis)
        ).sum(-1) < 0.8
        both = jump | turn
        where = (slice(0, -1), slice(None)) if axis == 0 else (slice(None), slice(0, -1))
        blank = np.take(paper, range(1, paper.shape[axis]), axis) & paper[where]
        edge[where] |= both & ~blank
    image[edge] = INK
    return Image.fromarray(image.astype(np.uint8))


def main() -> None:
    """Draw every printed part as it lies on the bed, and the assembled table."""
    from parts import assembly
    from parts.build import PRINTED
    from parts.mesh import Mesh

    PICTURES.mkdir(exist_ok=True)
    for name in NAMES:
        mesh = Mesh.read(PRINTED / f"{name}.stl")
        items = [Item(mesh.triangles, assembly.PLASTIC)]
        draw(items, Viewpoint(35, 32), (480, 360)).quantize(64).save(PICTURES / f"{name}.png", optimize=True)
    for name, (items, viewpoint, size) in assembly.pictures(load()).items():
        draw(items, viewpoint, size).quantize(128).save(PICTURES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
