"""The camera of a drawn picture: where a point of the board's space falls in the frame.

Board space is measured in columns (the width of one point): x from corner 0 to corner 1, y from corner 0 to corner 3,
z upwards from the playing surface. The playing surface is 0..length by 0..height.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CameraSpec:
    """How a picture is taken.

    `tilt_deg` from the vertical, `azimuth_deg` the side it leans to, `roll_deg` turns the picture, `zoom` is the
    board's share of the frame, `focal` in frame widths, `lens` the radial distortion (undistorted radius is r(1 +
    lens r^2),
    r in half diagonals), `offset` moves the board in frame sizes.
    """

    size: tuple[int, int] = (960, 720)
    tilt_deg: float = 10.0
    azimuth_deg: float = 90.0
    roll_deg: float = 0.0
    zoom: float = 0.75
    focal: float = 1.1
    lens: float = 0.0
    offset: tuple[float, float] = (0.0, 0.0)


class Camera:
    """A `CameraSpec` aimed at the middle of a board of `length` by `height` columns."""

    def __init__(self, spec: CameraSpec, length: float, height: float) -> None:
        self.spec = spec
        self.width_px, self.height_px = spec.size
        self.lens = spec.lens
        focal = spec.focal * self.width_px
        tilt, azimuth, roll = (np.deg2rad(v) for v in (spec.tilt_deg, spec.azimuth_deg, spec.roll_deg))
        # Board axes x right, y towards the viewer, z up; camera axes x right, y down, z forwards.
        lean = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        forward = -np.cos(tilt) * np.array([0.0, 0.0, 1.0]) - np.sin(tilt) * lean
        # An upright picture looks along -lean; at no tilt the roll alone turns it.
        up = np.array([0.0, -1.0, 0.0]) if spec.tilt_deg < 0.01 else None
        if up is None:
            up = np.array([0.0, 0.0, 1.0]) * np.sin(tilt) - np.cos(tilt) * lean
            turn = azimuth - np.pi / 2
        else:
            turn = 0.0
        right = np.cross(forward, up)
        # Board space is left-handed (y towards the viewer with z up), so the cross product points left.
        right = -right / np.linalg.norm(right)
        down = -up / np.linalg.norm(up)
        angle = roll + turn
        cos, sin = np.cos(angle), np.sin(angle)
        axes = np.stack([cos * right - sin * down, sin * right + cos * down, forward])
        middle = np.array([length / 2, height / 2, 0.0])
        corners = np.array([[0, 0, 0], [length, 0, 0], [length, height, 0], [0, height, 0]], float)
        centre = np.array([self.width_px / 2, self.height_px / 2])
        shift = centre + np.array(spec.offset) * [self.width_px, self.height_px]
        self._intrinsic = np.array([[focal, 0, shift[0]], [0, focal, shift[1]], [0, 0, 1]])
        self._axes = axes
        distance = 3.0 * length
        for _ in range(12):
            self._matrix = self._intrinsic @ np.column_stack([axes, -axes @ (middle - distance * forward)])
            seen = self._pinhole(corners) - centre
            reach = float(np.max(np.abs(seen) / (spec.zoom * centre)))
            distance *= 1.0 + 0.9 * (reach - 1.0) if reach < 3 else 2.0
        self.eye = middle - distance * forward

    @property
    def pose(self) -> tuple[Floats, Floats]:
        """The intrinsic matrix (3, 3), and the camera's axes in board space as rows: right, down, forwards."""
        return self._intrinsic, self._axes

    def _pinhole(self, points: Floats) -> Floats:
        homogeneous = points @ self._matrix[:, :3].T + self._matrix[:, 3]
        return np.asarray(homogeneous[..., :2] / homogeneous[..., 2:3])

    def flat(self, points: Floats) -> Floats:
        """Board points (N, 3) in columns to pixels (N, 2) before the lens bends them."""
        return self._pinhole(np.asarray(points, float))

    def project(self, points: Floats) -> Floats:
        """Board points (N, 3) in columns to pixels (N, 2) of the finished picture."""
        return self.bend(self.flat(points))

    def bend(self, pixels: Floats) -> Floats:
        """Pinhole pixels (N, 2) to where the lens puts them."""
        if self.lens == 0.0:
            return pixels
        centre = np.array([self.width_px / 2, self.height_px / 2])
        half = float(np.hypot(*centre))
        target = (pixels - centre) / half
        bent = target.copy()
        for _ in range(8):
            bent = target / (1.0 + self.lens * np.sum(bent**2, axis=-1, keepdims=True))
        return np.asarray(bent * half + centre)

    def plane(self, z: float) -> Floats:
        """The homography (3, 3) from board (x, y) at height `z` to pinhole pixels."""
        m = self._matrix
        return np.column_stack([m[:, 0], m[:, 1], m[:, 2] * z + m[:, 3]])

    def depth(self, points: Floats) -> Floats:
        """Distance (N,) from the camera, in columns."""
        return np.asarray(np.linalg.norm(np.asarray(points, float) - self.eye, axis=-1))

    def lens_maps(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """For every pixel of the finished picture, where in the pinhole picture it comes from."""
        ys, xs = np.mgrid[0 : self.height_px, 0 : self.width_px].astype(np.float32)
        cx, cy = self.width_px / 2, self.height_px / 2
        half2 = cx * cx + cy * cy
        scale = 1.0 + self.lens * ((xs - cx) ** 2 + (ys - cy) ** 2) / half2
        return ((xs - cx) * scale + cx).astype(np.float32), ((ys - cy) * scale + cy).astype(np.float32)
