"""The camera of the simulated table: one board, one camera, any position, quickly."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.reading import Corners, Shade
from nardi_vision.synth.board import random_board
from nardi_vision.synth.camera import Camera, CameraSpec
from nardi_vision.synth.contents import BoardContents, Placed, bar_places, fit, off_places, rows_of, slot_places
from nardi_vision.synth.die import SimCube, SimDie
from nardi_vision.synth.hand import random_hand
from nardi_vision.synth.light import LightSpec
from nardi_vision.synth.scene import Stage

_ROOM = LightSpec(blur=0.5, noise=1.5, jpeg=100, exposure=0.92, lamps=((0.7, 0.2, 0.1, 1.5),), gradient=(0.08, -0.05))


class SimulatedCamera:
    """A fixed camera over a fixed board, both chosen by `style_seed`. Unmoved checkers lie where they lay."""

    def __init__(self, style_seed: int = 0, size: tuple[int, int] = (960, 720), tilt_deg: float = 12.0) -> None:
        rng = np.random.default_rng(style_seed)
        self._spec = random_board(rng)
        roll = float(rng.normal(0, 4))
        self._camera = Camera(
            CameraSpec(
                size=size,
                tilt_deg=tilt_deg,
                azimuth_deg=90 + float(rng.normal(0, 8)),
                roll_deg=roll,
                zoom=0.66 if any(self._spec.trays) else 0.8,
            ),
            self._spec.length,
            self._spec.height,
        )
        self._seed = style_seed
        self._stage = Stage(self._spec, self._camera, style_seed, _ROOM.direction)

    @property
    def corners(self) -> Corners:
        """The playing surface's corners in the order of `nardi_vision.reading` (without any `shift_px`)."""
        spec = self._spec
        a, b, c, d = self._camera.project(
            np.array([[0, 0, 0], [spec.length, 0, 0], [spec.length, spec.height, 0], [0, spec.height, 0]], float)
        ).tolist()
        return (a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])

    def _places(self, contents: BoardContents) -> list[Placed]:
        placed: list[Placed] = []
        most = fit(self._spec)
        for slot, (shade, count) in enumerate(contents.points):
            if shade is None or count == 0:
                continue
            # One generator a slot, so that the first checkers stay put when one more is laid upon the point.
            full = slot_places(
                self._spec,
                slot,
                shade,
                rows_of(15, most),
                np.random.default_rng((self._seed, slot)),
                0.035,
                1.01,
                False,
            )
            placed += full[:count]
        placed += bar_places(self._spec, contents.bar_light, contents.bar_dark, np.random.default_rng((self._seed, 24)))
        placed += off_places(self._spec, contents.off_light, contents.off_dark, np.random.default_rng((self._seed, 25)))
        return placed

    def frame(
        self,
        contents: BoardContents,
        *,
        hand: tuple[float, float] | None = None,
        dice: Sequence[SimDie] = (),
        cube: SimCube | None = None,
        light: float = 1.0,
        warmth: float = 0.0,
        shift_px: tuple[int, int] = (0, 0),
        seed: int = 0,
    ) -> NDArray[np.uint8]:
        """A picture (rows, columns, 3) BGR. `hand` in board shares; `light` scales the exposure, `warmth` -1..1 turns it blue or
        yellow; `shift_px` nudges the camera; `seed` is the picture's noise only."""
        rng = np.random.default_rng(seed)
        spec = self._spec
        reach = None
        if hand is not None:
            at = (hand[0] * spec.length, hand[1] * spec.height)
            reach = random_hand(np.random.default_rng((self._seed, seed)), *at, (spec.length / 2, spec.height / 2))
        if cube is not None and spec.bar in ("raised", "hinge") and abs(cube.x - 0.5) < 0.04:
            cube = replace(cube, z=spec.wall)
        picture, gloss, _ = self._stage.draw(
            self._places(contents), _ROOM, np.random.default_rng(self._seed), tuple(dice), cube, reach
        )
        room = replace(_ROOM, exposure=_ROOM.exposure * light, gains=(1 - 0.3 * warmth, 1.0, 1 + 0.3 * warmth))
        image = self._stage.take(picture, gloss, room, rng)
        if shift_px != (0, 0):
            move = np.array([[1, 0, shift_px[0]], [0, 1, shift_px[1]]], np.float32)
            image = np.asarray(
                cv2.warpAffine(image, move, (image.shape[1], image.shape[0]), borderMode=cv2.BORDER_REFLECT), np.uint8
            )
        return image


def opening(points: Sequence[tuple[Shade | None, int]]) -> BoardContents:
    """Contents of 24 slots with nothing on the bar or borne off."""
    return BoardContents(tuple(points))
