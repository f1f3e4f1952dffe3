"""Dice and cubes drawn close up on a scrap of board."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from rendered.numerals import cube_faces

from nardi_vision.dice import NO_DIE
from nardi_vision.rectify import mapped
from nardi_vision.synth.board import CheckerSpec, any_tint, near, random_board
from nardi_vision.synth.camera import Camera, CameraSpec
from nardi_vision.synth.checker import set_down, sprites
from nardi_vision.synth.die import SimCube, SimDie, attitude, box, contrast, die_colours, die_faces
from nardi_vision.synth.light import develop, random_light
from nardi_vision.synth.stroke import fill
from nardi_vision.synth.surface import surface_sheet
from nardi_vision.synth.texture import Rgb, colour, sheet_to

SIDE = 5.0  # columns across the scrap of board that is drawn
FRAME = 192


@dataclass(frozen=True, slots=True)
class Scrap:
    """A picture (FRAME, FRAME, 3), where in it the thing's face is, and what that shows."""

    picture: NDArray[np.uint8]
    camera: Camera
    at: tuple[float, float]
    value: int

    def flat(self, pixels: NDArray[np.float64], height: float) -> NDArray[np.float64]:
        """Pixels (N, 2) as places (N, 2) on the plane `height` columns over the surface, in columns."""
        return mapped(np.linalg.inv(self.camera.plane(height)), pixels)


def backgrounds(rng: np.random.Generator, count: int) -> list[tuple[NDArray[np.uint8], CheckerSpec]]:
    """Surfaces to cut scraps from."""
    found = []
    for _ in range(count):
        spec = random_board(rng)
        sheet = np.clip(surface_sheet(spec, 26.0, 0.5) * 255, 0, 255).astype(np.uint8)
        found.append((sheet, spec.light if rng.random() < 0.5 else spec.dark))
    return found


def scene(rng: np.random.Generator, kind: str, stock: list[tuple[NDArray[np.uint8], CheckerSpec]]) -> Scrap:
    """A scrap with a die or cube on it, or with what has been taken for one."""
    tilt = rng.uniform(0, 20) if rng.random() < 0.55 else rng.uniform(15, 50)
    camera = Camera(
        CameraSpec(
            (FRAME, FRAME),
            float(tilt),
            float(rng.uniform(0, 360)),
            float(rng.uniform(0, 360)),
            float(rng.uniform(0.75, 1.6)),
            3.5,
        ),
        SIDE,
        SIDE,
    )
    sheet, checker = stock[int(rng.integers(len(stock)))]
    px = int(SIDE * 26)
    y0, x0 = int(rng.integers(0, sheet.shape[0] - px)), int(rng.integers(0, sheet.shape[1] - px))
    picture = cv2.warpPerspective(
        sheet[y0 : y0 + px, x0 : x0 + px],
        sheet_to(camera.plane(0.0), (0, 0), 26),
        (FRAME, FRAME),
        borderMode=cv2.BORDER_REFLECT,
    )
    gloss = np.full((FRAME, FRAME), float(rng.choice([0.0, 0.2, 0.5])), np.float32)
    light = replace(random_light(rng), vignette=0.0)
    norm = np.hypot(*light.direction) + 1e-6
    towards = (-light.direction[0] / norm, -light.direction[1] / norm)
    middle = np.array([SIDE / 2, SIDE / 2])
    roll = rng.random()
    if rng.random() < 0.15:
        _ornament(picture, camera, middle + rng.normal(0, 0.5, 2), rng)
    if rng.random() < 0.35:  # checkers near by
        look = sprites(replace(checker, radius=0.46), rng, towards)
        for _ in range(int(rng.integers(1, 4))):
            angle, away = rng.uniform(0, 6.28), rng.uniform(0.75, 1.6)
            set_down(
                picture,
                gloss,
                camera,
                look,
                (middle[0] + away * np.cos(angle), middle[1] + away * np.sin(angle), 0.0),
                int(rng.integers(9)),
            )
    value = 0
    size = float(rng.uniform(0.26, 0.6)) if kind == "die" else float(rng.uniform(0.55, 1.05))
    _shadow(picture, camera, middle, size, light.direction, light.shadow, rng)
    if kind == "die":
        tint, pip = (near(rng, tone, 0.04) for tone in die_colours(rng))
        radius, rounding = float(rng.uniform(0.07, 0.13)), float(rng.uniform(0.03, 0.3))
        spread = float(rng.uniform(0.19, 0.29))
        radius = min(radius, 0.46 * spread)
        lean = float(rng.uniform(17, 45)) if roll < 0.05 else 0.0
        die = SimDie(
            int(rng.integers(1, 7)),
            float(rng.random()),
            0.5,
            float(rng.uniform(0, 360)),
            size,
            tint,
            pip,
            lean,
            0.0,
            radius,
            rounding,
            spread,
        )
        if roll > 0.2:
            value = die.value
        if roll < 0.05 or roll > 0.2:
            at = (*middle, size / 2 + (0.08 if lean else 0.0))
            faces = die_faces(die, rng)
            centre = box(
                picture,
                gloss,
                camera,
                at,
                size,
                attitude(die.angle_deg, lean, float(rng.uniform(0, 360))),
                faces,
                rounding,
                towards,
            )
        else:
            value = NO_DIE
            centre = _mistakable(picture, gloss, camera, middle, towards, rng)
        if value not in (0, NO_DIE) and rng.random() < 0.12:  # the other die of the pair, close
            angle, away = rng.uniform(0, 6.28), size * rng.uniform(1.15, 1.9)
            spot = (middle[0] + away * np.cos(angle), middle[1] + away * np.sin(angle), size / 2)
            other = replace(die, value=int(rng.integers(1, 7)))
            box(
                picture,
                gloss,
                camera,
                spot,
                size,
                attitude(float(rng.uniform(0, 360)), 0),
                die_faces(other, rng),
                rounding,
                towards,
            )
    else:
        tint, ink = _cube_colours(rng)
        exponent = int(rng.integers(1, 7))
        cube = SimCube(2**exponent, 0.5, 0.5, float(rng.uniform(0, 360)), size, tint, ink)
        value = exponent
        centre = box(
            picture,
            gloss,
            camera,
            (*middle, size / 2),
            size,
            attitude(cube.angle_deg, 0),
            cube_faces(cube, rng),
            float(rng.uniform(0.03, 0.2)),
            towards,
        )
    taken = develop(picture, gloss, light, rng)
    return Scrap(taken, camera, (float(centre[0]), float(centre[1])), value)


def _ornament(
    picture: NDArray[np.uint8], camera: Camera, middle: NDArray[np.float64], rng: np.random.Generator
) -> None:
    """Draws a star as boards have it in the middle of their halves: within rings, with a rosette, or plain."""
    tint, other = (tuple(float(v) for v in colour(any_tint(rng)) * 255) for _ in range(2))
    reach = float(rng.uniform(0.3, 1.4))
    tips = int(rng.integers(4, 13))
    turn = np.arange(2 * tips) * np.pi / tips + rng.uniform(0, 6.28)

    def outline(
        at: NDArray[np.float64], radii: NDArray[np.float64] | float, angles: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        shape = at + np.asarray(radii)[..., None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        return camera.flat(np.column_stack([shape, np.zeros(len(shape))]))

    circle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    for share in rng.uniform(1.0, 1.35, int(rng.integers(0, 3))):
        ring = np.round(outline(middle, reach * share, circle)).astype(np.int32)
        cv2.polylines(picture, [ring], True, other, int(rng.integers(1, 3)), cv2.LINE_AA)
    star = reach * np.where(np.arange(2 * tips) % 2 == 0, 1.0, rng.uniform(0.3, 0.6))
    fill(picture, outline(middle, star, turn), tint)
    if rng.random() < 0.6:
        core = reach * rng.uniform(0.1, 0.3)
        fill(picture, outline(middle, core, circle), other)
        if rng.random() < 0.6:
            around = reach * rng.uniform(0.2, 0.4)
            for angle in turn[::2]:
                petal = middle + around * np.array([np.cos(angle), np.sin(angle)])
                fill(picture, outline(petal, core * rng.uniform(0.2, 0.5), circle), other)


def _mistakable(
    picture: NDArray[np.uint8],
    gloss: NDArray[np.float32],
    camera: Camera,
    middle: NDArray[np.float64],
    towards: tuple[float, float],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draws what has been taken for a die: a dot beyond a point's tip, a star, the cube, a bare patch. Its pixel."""
    kind = rng.random()
    tint = tuple(float(v) for v in colour(any_tint(rng)) * 255)
    if kind < 0.4:
        turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        ring = middle + rng.uniform(0.05, 0.16) * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        fill(picture, camera.flat(np.column_stack([ring, np.zeros(24)])), tint)
        if rng.random() < 0.6:
            angle = rng.uniform(0, 6.28)
            along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
            tip = middle + along * rng.uniform(0.1, 0.3)
            spike = np.array([tip, tip + along * 2 + across * 0.3, tip + along * 2 - across * 0.3])
            fill(picture, camera.flat(np.column_stack([spike, np.zeros(3)])), tint)
    elif kind < 0.65:
        _ornament(picture, camera, middle + rng.normal(0, 0.25, 2), rng)
    elif kind < 0.9:
        pale, ink = _cube_colours(rng)
        size = float(rng.uniform(0.55, 1.0))
        cube = SimCube(2 ** int(rng.integers(1, 7)), 0.5, 0.5, float(rng.uniform(0, 360)), size, pale, ink)
        at = middle + rng.normal(0, 0.15, 2)
        faces = cube_faces(cube, rng)
        return box(picture, gloss, camera, (*at, size / 2), size, attitude(cube.angle_deg, 0), faces, 0.1, towards)
    return camera.flat(np.array([[*middle, 0.2]]))[0]


def _shadow(
    picture: NDArray[np.uint8],
    camera: Camera,
    middle: NDArray[np.float64],
    size: float,
    direction: tuple[float, float],
    strength: float,
    rng: np.random.Generator,
) -> None:
    mask = np.zeros(picture.shape[:2], np.float32)
    at = camera.flat(np.array([[*(middle + np.array(direction) * size * 0.7), 0.0]]))[0]
    px = float(
        np.linalg.norm(np.diff(camera.flat(np.array([[*middle, 0], [middle[0] + size * 0.6, middle[1], 0]])), axis=0))
    )
    cv2.circle(mask, (int(at[0]), int(at[1])), max(1, int(px)), float(strength), -1)
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.6, px * rng.uniform(0.15, 0.6)))
    picture[:] = (picture * (1 - mask[..., None])).astype(np.uint8)


def _cube_colours(rng: np.random.Generator) -> tuple[Rgb, Rgb]:
    if rng.random() < 0.2:
        return contrast(rng)
    pale, deep = near(rng, (0.93, 0.93, 0.9), 0.03), near(rng, (0.07, 0.07, 0.08), 0.03)
    if rng.random() < 0.2:
        deep = near(rng, any_tint(rng, 0.0))
        if sum(deep) > 1.4:
            deep = (0.1, 0.1, 0.3)
    return (pale, deep) if rng.random() < 0.6 else (deep, pale)
