"""Position to picture: everything on the board drawn, lit and taken, with what is true of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.synth.board import BoardSpec
from nardi_vision.synth.camera import Camera
from nardi_vision.synth.checker import Sprites, set_down, sprites
from nardi_vision.synth.contents import OFF, Placed
from nardi_vision.synth.die import SimCube, SimDie, attitude, box, cube_faces, die_faces
from nardi_vision.synth.hand import HandSpec, draw_hand
from nardi_vision.synth.light import LightSpec, develop
from nardi_vision.synth.stroke import fill
from nardi_vision.synth.surface import EmptyBoard, empty_board
from nardi_vision.synth.texture import Picture, sheet_to


@dataclass(slots=True)
class Seen:
    """What is true of a drawn frame before the lens bends it: pixels of tops (N, 2) per `Placed`, dice, cube; the
    hand's mask."""

    tops: NDArray[np.float64]
    dice: list[NDArray[np.float64]] = field(default_factory=list)
    cube: NDArray[np.float64] | None = None
    hand: NDArray[np.uint8] | None = None


def seen_of(
    spec: BoardSpec, camera: Camera, placed: tuple[Placed, ...], dice: tuple[SimDie, ...], cube: SimCube | None,
    hand: NDArray[np.uint8] | None,
) -> Seen:  # fmt: skip
    """Where what lies on a board is seen, without drawing it."""
    return Seen(
        camera.flat(tops_of(spec, placed)),
        [
            camera.flat(
                np.array([[d.x * spec.length, d.y * spec.height, d.z + d.size / 2]])
                + attitude(d.angle_deg, d.lean_deg)[:, 2] * d.size / 2
            )[0]
            for d in dice
        ],
        None
        if cube is None
        else camera.flat(np.array([[cube.x * spec.length, cube.y * spec.height, cube.z + cube.size]]))[0],
        hand,
    )


def tops_of(spec: BoardSpec, placed: Sequence[Placed]) -> NDArray[np.float64]:
    """The middles (N, 3) of checkers' tops, in columns."""
    return np.array(
        [[p.x, p.y, p.z + (spec.light if p.shade == "light" else spec.dark).thickness] for p in placed]
    ).reshape(-1, 3)


class Stage:
    """A board before a camera: the empty picture is drawn once, frames with contents quickly."""

    def __init__(self, spec: BoardSpec, camera: Camera, seed: int, direction: tuple[float, float]) -> None:
        self.spec, self.camera = spec, camera
        rng = np.random.default_rng(seed)
        self._empty: EmptyBoard = empty_board(spec, camera, rng)
        norm = float(np.hypot(*direction)) + 1e-6
        # Shadows fall away from the light.
        self.light = (-direction[0] / norm, -direction[1] / norm)
        self.direction = direction
        self.bytes = np.asarray(np.clip(self._empty.picture * 255, 0, 255), np.uint8)
        self._kinds: dict[str, Sprites] = {
            "light": sprites(spec.light, rng, self.light),
            "dark": sprites(spec.dark, rng, self.light),
        }
        self._bar_hides_left = camera.eye[0] > spec.length / 2

    @property
    def gloss(self) -> Picture:
        return self._empty.gloss

    def _shadows(
        self, placed: list[Placed], light: LightSpec, extra: list[tuple[float, float, float, float]]
    ) -> NDArray[Any]:
        """How much light falls on the floor (rows, columns), 0..1."""
        spec, px, pad = self.spec, 12.0, 2.0
        size = (int((spec.height + 2 * pad) * px), int((spec.length + 2 * pad) * px))
        cast, touch = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
        dx, dy = light.direction
        things = [
            (p.x, p.y, p.z + (spec.light if p.shade == "light" else spec.dark).thickness, spec.light.radius)
            for p in placed
        ] + extra
        for x, y, top, radius in things:
            reach = int(radius * px * 16)
            for share in (0.3, 0.65, 1.0):
                centre = ((x + pad + dx * top * share) * px * 16, (y + pad + dy * top * share) * px * 16)
                cv2.circle(cast, (int(centre[0]), int(centre[1])), reach, 255, -1, cv2.LINE_AA, 4)
            cv2.circle(
                touch, (int((x + pad) * px * 16), int((y + pad) * px * 16)), int(reach * 1.12), 255, -1, cv2.LINE_AA, 4
            )
        dark = cv2.GaussianBlur(cast, (0, 0), max(0.5, light.soft * px)).astype(np.float32) * (light.shadow / 255)
        near = cv2.GaussianBlur(touch, (0, 0), 0.16 * px).astype(np.float32) * (light.contact / 255)
        lit = (1 - dark) * (1 - near)
        if spec.wall > 0:  # the frame's own shadow on the floor, on the side the light comes from
            walls = np.zeros(size, np.uint8)
            area = np.array([[0, 0], [spec.length, 0], [spec.length, spec.height], [0, spec.height]])
            fill(walls, (area + pad) * px, 255)
            fill(walls, (area + np.array([dx, dy]) * spec.wall + pad) * px, 0)
            lit *= 1 - cv2.GaussianBlur(walls, (0, 0), max(0.6, light.soft * 1.5 * px)).astype(np.float32) * (
                light.shadow * 0.8 / 255
            )
        matrix = sheet_to(self.camera.plane(0.0), (-pad, -pad), px)
        width, height = self.camera.width_px, self.camera.height_px
        return np.asarray(
            cv2.warpPerspective(
                lit, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=1.0
            )
        )

    def draw(
        self,
        placed: list[Placed],
        light: LightSpec,
        rng: np.random.Generator,
        dice: tuple[SimDie, ...] = (),
        cube: SimCube | None = None,
        hand: HandSpec | None = None,
    ) -> tuple[NDArray[np.uint8], Picture, Seen]:
        """The evenly lit picture, its mirror map and what is true of it."""
        spec, camera = self.spec, self.camera
        picture, gloss = self.bytes.copy(), self._empty.gloss.copy()
        extra = [(d.x * spec.length, d.y * spec.height, d.z + d.size, d.size * 0.55) for d in dice]
        if cube is not None:
            extra.append((cube.x * spec.length, cube.y * spec.height, cube.z + cube.size, cube.size * 0.55))
        lit = self._shadows(placed, light, extra)
        lit = 1 - (1 - lit) * self._empty.floor
        picture = np.asarray(cv2.multiply(picture, cv2.merge([lit, lit, lit]), dtype=cv2.CV_8U), np.uint8)
        floor = picture.copy()
        seen = Seen(np.zeros((len(placed), 2)))
        tops = tops_of(spec, placed)
        seen.tops = camera.flat(tops)
        depth = camera.depth(tops) if len(placed) else np.zeros(0)
        order = sorted(range(len(placed)), key=lambda i: (placed[i].layer, placed[i].z, -depth[i]))

        def lay(which: list[int]) -> None:
            for i in which:
                p = placed[i]
                kind = self._kinds[p.shade]
                if p.layer:
                    self._dim(picture, p, kind, light)
                # No two pieces of wood are the same.
                uneven = (0.16 if kind.spec.top == "wood" else 0.05) * ((p.variant * 29 % 64) / 64 - 0.5)
                set_down(picture, gloss, camera, kind, (p.x, p.y, p.z), p.variant, 1.0 + uneven)

        def restore(mask: NDArray[np.uint8]) -> None:
            if mask.any():
                cv2.copyTo(floor, mask, picture)

        on_bar = [i for i in order if placed[i].slot == 24]
        borne = [i for i in order if placed[i].slot == OFF]
        rest = [i for i in order if placed[i].slot < 24]
        if self._empty.bar.any():
            far = [i for i in rest if (placed[i].slot % 12 < 6) == self._bar_hides_left]
            near = [i for i in rest if (placed[i].slot % 12 < 6) != self._bar_hides_left]
            lay(borne + far)
            restore(self._empty.bar)
            lay(near)
        else:
            lay(borne + rest)
        lay(on_bar)
        seen.dice = [self._die(picture, gloss, die, rng) for die in dice]
        if cube is not None:
            at = (cube.x * spec.length, cube.y * spec.height, cube.z + cube.size / 2)
            faces = cube_faces(cube, np.random.default_rng(int(abs(cube.x) * 1e6) + cube.value))
            seen.cube = box(picture, gloss, camera, at, cube.size, attitude(cube.angle_deg, 0), faces, 0.12, self.light)
        restore(self._empty.front)
        if hand is not None:
            seen.hand = draw_hand(picture, gloss, camera, hand, rng, (*light.direction, min(0.8, light.shadow + 0.1)))
        return picture, gloss, seen

    def _dim(self, picture: NDArray[np.uint8], p: Placed, kind: Sprites, light: LightSpec) -> None:
        """The shadow of a checker of an upper layer on those below it."""
        angles = np.linspace(0, 2 * np.pi, 20, endpoint=False)
        dx, dy = (v * kind.spec.thickness * 0.8 for v in light.direction)
        for grow, strength in ((1.12, 0.35), (1.04, 0.5)):
            reach = grow * kind.spec.radius
            ring = np.column_stack(
                [p.x + dx + reach * np.cos(angles), p.y + dy + reach * np.sin(angles), np.full(20, p.z)]
            )
            seen = self.camera.flat(ring)
            x0, y0 = np.maximum(np.floor(seen.min(axis=0)).astype(int) - 1, 0)
            x1, y1 = np.maximum(np.ceil(seen.max(axis=0)).astype(int) + 2, 0)
            part = picture[y0:y1, x0:x1]
            if not part.size:
                continue
            mask = np.zeros(part.shape[:2], np.uint8)
            fill(mask, seen - [x0, y0], int(255 * strength * max(light.shadow, light.contact)))
            part[:] = (part * (1 - mask[..., None].astype(np.float32) / 255)).astype(np.uint8)

    def _die(
        self, picture: NDArray[np.uint8], gloss: Picture, die: SimDie, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        spec = self.spec
        at = (die.x * spec.length, die.y * spec.height, die.z + die.size / 2)
        faces = die_faces(die, np.random.default_rng(int(die.x * 1e6) + die.value))
        lean_to = float(rng.uniform(0, 360)) if die.lean_deg else 0.0
        return box(
            picture,
            gloss,
            self.camera,
            at,
            die.size,
            attitude(die.angle_deg, die.lean_deg, lean_to),
            faces,
            die.rounding,
            self.light,
        )

    def take(
        self, picture: NDArray[np.uint8], gloss: Picture, light: LightSpec, rng: np.random.Generator
    ) -> NDArray[np.uint8]:
        """Lights, bends and takes an evenly lit picture."""
        if self.camera.lens:
            xs, ys = self.camera.lens_maps()
            picture = np.asarray(cv2.remap(picture, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.uint8)
            gloss = np.asarray(cv2.remap(gloss, xs, ys, cv2.INTER_LINEAR), np.float32)
        return develop(picture, gloss, light, rng)
