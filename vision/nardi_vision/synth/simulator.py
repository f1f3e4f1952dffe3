"""The camera of the simulated table: one board, one camera, any position, quickly."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.reading import Corners
from nardi_vision.synth.board import BoardSpec, random_board
from nardi_vision.synth.camera import Camera, CameraSpec
from nardi_vision.synth.contents import BoardContents, Placed, bar_places, fit, off_places, rows_of, slot_places
from nardi_vision.synth.die import SimCube, SimDie
from nardi_vision.synth.hand import HandSpec, random_hand
from nardi_vision.synth.light import LightSpec, illumination, reflections
from nardi_vision.synth.scene import Stage
from nardi_vision.synth.texture import Picture, grain

_ROLL = 64
"""How far, in pixels, the noise sheet can be shifted from frame to frame."""
_ROOM = LightSpec(blur=0.5, noise=1.5, jpeg=100, exposure=0.92, lamps=((0.7, 0.2, 0.1, 1.5),), gradient=(0.08, -0.05))


def playable(spec: BoardSpec) -> BoardSpec:
    """The board with room for five in a row, as one to play on has."""
    height = max(spec.height, 21.4 * spec.light.radius)
    return replace(spec, height=height, point_length=min(spec.point_length, 0.46 * height))


def corners_of(spec: BoardSpec, camera: Camera) -> Corners:
    """The playing surface's corners in the frame, from the board's own corner 0 on."""
    a, b, c, d = camera.project(spec.corners).tolist()
    return (a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])


def raised(spec: BoardSpec, cube: SimCube | None) -> SimCube | None:
    """The cube, up on a bar that stands higher than the surface."""
    if cube is not None and spec.bar in ("raised", "hinge") and abs(cube.x - 0.5) < 0.04:
        return replace(cube, z=spec.wall)
    return cube


def reaching(spec: BoardSpec, hand: tuple[float, float] | None, *seed: int) -> HandSpec | None:
    """A hand that reaches to a place in board shares."""
    if hand is None:
        return None
    at = (hand[0] * spec.length, hand[1] * spec.height)
    return random_hand(np.random.default_rng(seed), *at, (spec.length / 2, spec.height / 2))


def nudged(image: NDArray[np.uint8], shift_px: tuple[int, int]) -> NDArray[np.uint8]:
    """The picture from a camera that was moved by so many pixels, right and down."""
    if shift_px == (0, 0):
        return image
    move = np.array([[1, 0, shift_px[0]], [0, 1, shift_px[1]]], np.float32)
    size = (image.shape[1], image.shape[0])
    return np.asarray(cv2.warpAffine(image, move, size, borderMode=cv2.BORDER_REFLECT), np.uint8)


def stood(spec: BoardSpec, contents: BoardContents, cube: SimCube | None, seed: int) -> list[Placed]:
    """Where the checkers stand. With the same seed, unmoved ones stand where they stood."""
    placed: list[Placed] = []
    most = fit(spec)
    for slot, (shade, count) in enumerate(contents.points):
        if shade is None or count == 0:
            continue
        # One generator a slot, so that the first checkers stay put when one more is laid upon the point.
        full = slot_places(
            spec, slot, shade, rows_of(15, most), np.random.default_rng((seed, slot)), 0.035, 1.01, False
        )
        placed += full[:count]
    bar = bar_places(spec, contents.bar_light, contents.bar_dark, np.random.default_rng((seed, 24)))
    placed += bar if cube is None else [_beside(spec, cube, place) for place in bar]
    return placed + off_places(spec, contents.off_light, contents.off_dark, np.random.default_rng((seed, 25)))


def _beside(spec: BoardSpec, cube: SimCube, place: Placed) -> Placed:
    """A checker on the bar, further out where it would lie in the cube on the bar's middle."""
    middle = spec.height / 2
    if abs(cube.x - 0.5) > 0.04 or abs(cube.y - 0.5) > 0.1:
        return place
    room = cube.size / 2 + 0.2
    return replace(place, y=place.y + room if place.y > middle else place.y - room)


class SimulatedCamera:
    """A fixed camera over a fixed board, both chosen by `style_seed`. Unmoved checkers lie where they lay."""

    def __init__(self, style_seed: int = 0, size: tuple[int, int] = (960, 720), tilt_deg: float = 12.0) -> None:
        rng = np.random.default_rng(style_seed)
        self._spec = playable(random_board(rng))
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
        # The room's light, its reflections and a sheet of sensor noise stay the same: they are made once.
        self._light = cv2.resize(illumination(_ROOM, size, rng), size) * np.float32(_ROOM.exposure)
        self._mirror = cv2.resize(reflections(_ROOM, size), size) * np.float32(255)
        self._noise = cv2.merge([grain(rng, (size[1] + _ROLL, size[0] + _ROLL), 0.6) * np.float32(_ROOM.noise)] * 3)

    @property
    def corners(self) -> Corners:
        """The playing surface's corners in the order of `nardi_vision.reading` (without any `shift_px`)."""
        return corners_of(self._spec, self._camera)

    def _places(self, contents: BoardContents, cube: SimCube | None) -> list[Placed]:
        return stood(self._spec, contents, cube, self._seed)

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
        """A picture (rows, columns, 3) BGR. `hand` in board shares; `light` scales the exposure, `warmth` -1..1 turns
        it blue or
        yellow; `shift_px` nudges the camera; `seed` is the picture's noise only."""
        rng = np.random.default_rng(seed)
        spec = self._spec
        reach = reaching(spec, hand, self._seed, seed)
        cube = raised(spec, cube)
        picture, gloss, _ = self._stage.draw(
            self._places(contents, cube), _ROOM, np.random.default_rng(self._seed), tuple(dice), cube, reach
        )
        return nudged(self._taken(picture, gloss, light, warmth, rng), shift_px)

    def _taken(
        self, picture: NDArray[np.uint8], gloss: Picture, light: float, warmth: float, rng: np.random.Generator
    ) -> NDArray[np.uint8]:
        gains = [(1 - 0.3 * warmth) * light, light, (1 + 0.3 * warmth) * light]
        out = cv2.multiply(picture, cv2.merge([self._light * np.float32(g) for g in gains]), dtype=cv2.CV_32F)
        shine = cv2.multiply(gloss, self._mirror + np.float32(255 * _ROOM.veil[0]))
        out = cv2.add(out, cv2.merge([shine, shine, shine]))
        out = cv2.GaussianBlur(out, (3, 3), _ROOM.blur)
        x, y = (int(v) for v in rng.integers(0, _ROLL, 2))
        height, width = picture.shape[:2]
        out = cv2.add(out, self._noise[y : y + height, x : x + width])
        return np.asarray(cv2.convertScaleAbs(out), np.uint8)
