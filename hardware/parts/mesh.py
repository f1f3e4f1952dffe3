"""A printable part as triangles: read from binary STL, and checked. Needs numpy only."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from measures import Printer
from numpy.typing import NDArray

Triangles = NDArray[np.float64]
"""Shape (n, 3, 3): triangle, corner, (x, y, z) in mm; corners run anticlockwise seen from outside."""

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])
_OPPOSITE = 0.9
"""Two faces bound a wall where they look away from each other to within 25 degrees: the tip of a wedge is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    triangles: Triangles

    @classmethod
    def read(cls, path: Path) -> "Mesh":
        """A binary STL file. ValueError: it is shorter or longer than its own count of triangles says."""
        data = path.read_bytes()
        count = int.from_bytes(data[80:84], "little")
        if len(data) < 84 or len(data) != 84 + count * _RECORD.itemsize:
            raise ValueError(f"{path.name}: {len(data)} bytes do not hold {count} triangles")
        return cls(np.frombuffer(data, _RECORD, offset=84)["corners"].astype(np.float64))

    def write(self, path: Path) -> None:
        """As binary STL, triangles of no area left out: a modeller leaves such at the poles of its spheres."""
        corners = self.triangles.round(4)
        following = np.roll(corners, -1, axis=1)
        whole = (corners != following).any(axis=2).all(axis=1)
        records = np.zeros(int(whole.sum()), _RECORD)
        records["corners"] = self.triangles[whole]
        records["normal"] = self._normals()[0][whole]
        path.write_bytes(
            b"Nardi printable part".ljust(80, b"\0") + len(records).to_bytes(4, "little") + records.tobytes()
        )

    @property
    def low_mm(self) -> NDArray[np.float64]:
        """The smallest x, y, z."""
        low: NDArray[np.float64] = self.triangles.reshape(-1, 3).min(axis=0)
        return low

    @property
    def size_mm(self) -> NDArray[np.float64]:
        """Extent along x, y, z."""
        size: NDArray[np.float64] = np.ptp(self.triangles.reshape(-1, 3), axis=0)
        return size

    @property
    def volume_mm3(self) -> float:
        """Of a closed mesh; negative where it is turned inside out."""
        a, b, c = self.triangles.transpose(1, 0, 2)
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)

    def _normals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(unit normals, areas) of the triangles."""
        a, b, c = self.triangles.transpose(1, 0, 2)
        cross = np.cross(b - a, c - a)
        length = np.linalg.norm(cross, axis=1)
        return cross / np.maximum(length, 1e-12)[:, None], length / 2

    def open_edges(self) -> int:
        """How many edges lack exactly one partner that runs the other way; 0: watertight."""
        _, index = np.unique(self.triangles.reshape(-1, 3).round(4), axis=0, return_inverse=True)
        corners = index.reshape(-1, 3)
        starts, ends = corners.reshape(-1), np.roll(corners, -1, axis=1).reshape(-1)
        most = int(corners.max()) + 1
        there, counts = np.unique(starts * most + ends, return_counts=True)
        back = np.isin((there % most) * most + there // most, there)
        return int((counts[~back]).sum() + (counts[counts > 1] - 1).sum())

    def thinnest_mm(self, samples: int = 2000, seed: int = 1) -> float:
        """Least wall met by rays that start at random places of the surface and run straight inwards."""
        normals, areas = self._normals()
        random = np.random.default_rng(seed)
        chosen = random.choice(len(areas), samples, p=areas / areas.sum())
        u, v = random.random((2, samples, 1))
        u, v = np.where(u + v > 1, 1 - u, u), np.where(u + v > 1, 1 - v, v)
        a, b, c = self.triangles.transpose(1, 0, 2)
        starts = a[chosen] + u * (b - a)[chosen] + v * (c - a)[chosen]
        ways = -normals[chosen]
        least = np.inf
        for block in np.array_split(np.arange(samples), max(1, samples * len(areas) // 1_000_000)):
            reach = self._reach(starts[block], ways[block], normals)
            least = min(least, float(reach.min()))
        return least

    def _reach(self, starts: Triangles, ways: Triangles, normals: Triangles) -> NDArray[np.float64]:
        """How far each ray runs to the nearest facing triangle (Moeller and Trumbore); inf: to none."""
        a, b, c = self.triangles.transpose(1, 0, 2)
        edge1, edge2 = b - a, c - a
        # A plane and its triangle for every (ray, triangle): arrays of shape (rays, triangles).
        facing = ways @ normals.T
        offset = np.einsum("ij,ij->i", a, normals)
        with np.errstate(divide="ignore", invalid="ignore"):
            distance = (offset - starts @ normals.T) / facing
        hit = (facing > _OPPOSITE) & (distance > 1e-4)
        rays, faces = np.nonzero(hit)
        at = starts[rays] + distance[rays, faces, None] * ways[rays] - a[faces]
        e11, e12, e22 = ((x[faces] * y[faces]).sum(axis=1) for x, y in ((edge1, edge1), (edge1, edge2), (edge2, edge2)))
        p1, p2 = (at * edge1[faces]).sum(axis=1), (at * edge2[faces]).sum(axis=1)
        scale = np.maximum(e11 * e22 - e12 * e12, 1e-18)
        u, v = (e22 * p1 - e12 * p2) / scale, (e11 * p2 - e12 * p1) / scale
        inside = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9)
        reach = np.full(len(starts), np.inf)
        np.minimum.at(reach, rays[inside], distance[rays[inside], faces[inside]])
        return reach

    def faults(self, printer: Printer) -> list[str]:
        """What stands against printing it, in words; empty: nothing."""
        found = []
        if edges := self.open_edges():
            found.append(f"not watertight: {edges} open edges")
        elif self.volume_mm3 <= 0:
            found.append("inside out")
        if any(side > room for side, room in zip(self.size_mm, printer.bed_mm, strict=True)):
            found.append(f"larger than the bed of {' x '.join(map(str, printer.bed_mm))} mm")
        if abs(self.low_mm[2]) > 0.01:
            found.append("does not stand on the bed")
        if (wall := self.thinnest_mm()) < printer.min_wall_mm - 0.01:
            found.append(f"a wall of {wall:.2f} mm, at least {printer.min_wall_mm} are needed")
        return found
