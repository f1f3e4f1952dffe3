"""Dice and the doubling cube: boxes of any attitude with pips or numbers, drawn large and shrunk for smooth edges."""

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.synth.board import BoardSpec, any_tint, near
from nardi_vision.synth.camera import Camera
from nardi_vision.synth.contents import BAR, Placed
from nardi_vision.synth.emblem import middles
from nardi_vision.synth.texture import Rgb, colour

FACE = 64
"""Pixels across a face's picture."""
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class SimDie:
    """A die lying on the board. `x`, `y` in board shares (0..1 from corner 0 to 1 and 0 to 3); `lean_deg` over 0:
    cocked."""

    value: int
    x: float
    y: float
    angle_deg: float = 0.0
    size: float = 0.4  # columns
    tint: Rgb = (0.93, 0.93, 0.9)
    pip: Rgb = (0.08, 0.08, 0.08)
    lean_deg: float = 0.0
    z: float = 0.0  # columns over the surface
    pip_radius: float = 0.105
    rounding: float = 0.14
    spread: float = 0.27  # pips from the middle, in faces


@dataclass(frozen=True, slots=True)
class SimCube:
    """The doubling cube; `x`, `y` in board shares."""

    value: int
    x: float
    y: float
    angle_deg: float = 0.0
    size: float = 0.75
    tint: Rgb = (0.93, 0.93, 0.9)
    ink: Rgb = (0.05, 0.05, 0.05)
    z: float = 0.0


def pip_face(value: int, tint: Rgb, pip: Rgb, pip_radius: float = 0.105, spread: float = 0.27) -> NDArray[np.uint8]:
    """A die's face (FACE, FACE, 3)."""
    face = np.empty((FACE, FACE, 3), np.uint8)
    face[:] = np.clip(colour(tint) * 255, 0, 255).astype(np.uint8)
    shade = tuple(float(v) for v in colour(pip) * 255)
    bigger = 1.25 if value == 1 else 1.0
    for px, py in PIPS[value]:
        centre = (int((0.5 + px * spread) * FACE * 16), int((0.5 + py * spread) * FACE * 16))
        cv2.circle(face, centre, int(pip_radius * bigger * FACE * 16), shade, -1, cv2.LINE_AA, 4)
    return face


def number_face(value: int, tint: Rgb, ink: Rgb, bold: int = 5) -> NDArray[np.uint8]:
    """A cube's face (FACE, FACE, 3)."""
    face = np.empty((FACE, FACE, 3), np.uint8)
    face[:] = np.clip(colour(tint) * 255, 0, 255).astype(np.uint8)
    text = str(value)
    scale = 1.5 if len(text) == 1 else 1.1
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, bold)
    shade = tuple(float(v) for v in colour(ink) * 255)
    cv2.putText(
        face, text, ((FACE - w) // 2, (FACE + h) // 2), cv2.FONT_HERSHEY_SIMPLEX, scale, shade, bold, cv2.LINE_AA
    )
    return face


def _alpha(rounding: float) -> NDArray[np.uint8]:
    mask = np.zeros((FACE, FACE), np.uint8)
    r = max(1, int(rounding * FACE))
    cv2.rectangle(mask, (r, 0), (FACE - 1 - r, FACE - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (FACE - 1, FACE - 1 - r), 255, -1)
    for cx in (r, FACE - 1 - r):
        for cy in (r, FACE - 1 - r):
            cv2.circle(mask, (cx, cy), r, 255, -1, cv2.LINE_AA)
    return mask


def attitude(angle_deg: float, lean_deg: float, lean_to_deg: float = 0.0) -> NDArray[np.float64]:
    """A rotation (3, 3) in board space (z up, y towards the viewer): turned by `angle_deg`, then leaning."""
    a, lean, to = np.deg2rad([angle_deg, lean_deg, lean_to_deg])
    spin = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    tip = np.array([[np.cos(lean), 0, np.sin(lean)], [0, 1, 0], [-np.sin(lean), 0, np.cos(lean)]])
    turn = np.array([[np.cos(to), -np.sin(to), 0], [np.sin(to), np.cos(to), 0], [0, 0, 1]])
    return np.asarray(turn @ tip @ turn.T @ spin)


def box(
    picture: NDArray[np.uint8], gloss: Any, camera: Camera, centre: tuple[float, float, float], size: float,
    rotation: NDArray[np.float64], faces: tuple[NDArray[np.uint8], ...], rounding: float, light: tuple[float, float],
) -> NDArray[np.float64]:  # fmt: skip
    """Draws a box with `faces` (top +z, then +x, +y, -x, -y); returns the pixel of its top face's middle.

    `centre` is the box's middle in columns. Rounded edges come from a body of the mean side colour drawn beneath.
    """
    normals = rotation @ np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], float).T
    ends = rotation @ np.array([[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, -1, 0], [1, 0, 0], [0, 0, 1]], float).T
    del ends
    half = size / 2
    middle = np.array(centre)
    spans = [
        ((1, 0, 0), (0, 1, 0)),
        ((0, 1, 0), (0, 0, -1)),
        ((-1, 0, 0), (0, 0, -1)),
        ((0, -1, 0), (0, 0, -1)),
        ((1, 0, 0), (0, 0, -1)),
    ]
    vertices = (
        middle + half * (rotation @ np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float).T).T
    )
    seen = camera.flat(vertices)
    low = np.floor(seen.min(axis=0)).astype(int) - 2
    high = np.ceil(seen.max(axis=0)).astype(int) + 3
    x0, y0 = max(int(low[0]), 0), max(int(low[1]), 0)
    x1, y1 = min(int(high[0]), picture.shape[1]), min(int(high[1]), picture.shape[0])
    top_pixel: NDArray[np.float64] = camera.flat((middle + half * normals[:, 0])[None])[0]
    if x1 - x0 < 3 or y1 - y0 < 3:
        return top_pixel
    up = 3
    part = cv2.resize(picture[y0:y1, x0:x1], None, fx=up, fy=up, interpolation=cv2.INTER_LINEAR)
    cover = np.zeros(part.shape[:2], np.uint8)
    alpha = _alpha(rounding)
    towards = camera.eye - middle
    order = [f for f in range(5) if normals[:, f] @ towards > 0]
    order.sort(key=lambda f: float(normals[:, f] @ towards))
    if 0 in order:  # the top last: it is the nearest
        order.remove(0)
        order.append(0)
    sun = np.array([light[0], light[1], 1.6]) / np.linalg.norm([light[0], light[1], 1.6])
    for f in order:
        u, v = (rotation @ np.array(axis, float) for axis in spans[f])
        origin = middle + half * normals[:, f]
        quad = np.array(
            [
                origin - half * u - half * v,
                origin + half * u - half * v,
                origin + half * u + half * v,
                origin - half * u + half * v,
            ]
        )
        target = ((camera.flat(quad) - [x0, y0]) * up + (up - 1) / 2).astype(np.float32)
        source = np.array([[0, 0], [FACE, 0], [FACE, FACE], [0, FACE]], np.float32) - np.float32(0.5)
        matrix = cv2.getPerspectiveTransform(source, target)
        lit = float(np.clip(0.55 + 0.5 * normals[:, f] @ sun, 0.35, 1.05))
        size_px = (part.shape[1], part.shape[0])
        face = cv2.warpPerspective(faces[f], matrix, size_px, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        mask = cv2.warpPerspective(alpha, matrix, size_px, flags=cv2.INTER_LINEAR)
        share = mask.astype(np.float32)[..., None] / 255
        part = (part + (face * np.float32(lit) - part) * share).astype(np.uint8)
        cover = np.maximum(cover, mask)
    small = cv2.resize(part, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    share = cv2.resize(cover, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255
    region = picture[y0:y1, x0:x1]
    region[:] = (region + (small - region.astype(np.float32)) * np.minimum(1, share * 1.5)).astype(np.uint8)
    if gloss is not None:
        gloss[y0:y1, x0:x1] *= 1 - share[..., 0]
    return top_pixel


def die_faces(die: SimDie, rng: np.random.Generator) -> tuple[NDArray[np.uint8], ...]:
    """The five faces that can be seen: the value on top and four neighbours round it, opposite ones adding to seven."""
    around = [v for v in range(1, 7) if v not in (die.value, 7 - die.value)]
    first = int(rng.choice(around))
    second = int(rng.choice([v for v in around if v not in (first, 7 - first)]))
    values = (die.value, first, second, 7 - first, 7 - second)
    faces = [pip_face(v, die.tint, die.pip, die.pip_radius, die.spread) for v in values]
    if die.value in (2, 3, 6) and rng.random() < 0.5:  # the other of the two ways these can lie
        faces[0] = np.ascontiguousarray(np.rot90(faces[0]))
    return tuple(faces)


def cube_faces(cube: SimCube, rng: np.random.Generator) -> tuple[NDArray[np.uint8], ...]:
    """The five faces that can be seen of a doubling cube."""
    others = [v for v in (2, 4, 8, 16, 32, 64) if v != cube.value]
    values = [cube.value, *(int(v) for v in rng.choice(others, 4, replace=False))]
    bold = int(rng.integers(3, 9))
    return tuple(
        np.ascontiguousarray(np.rot90(number_face(v, cube.tint, cube.ink, bold), int(rng.integers(4)))) for v in values
    )


PALE, BLACK = (0.93, 0.93, 0.9), (0.08, 0.08, 0.09)
DICE: tuple[tuple[Rgb, Rgb], ...] = (
    (PALE, BLACK), (BLACK, PALE), ((0.75, 0.08, 0.1), PALE), ((0.92, 0.88, 0.74), (0.2, 0.12, 0.08)),
    ((0.85, 0.68, 0.2), (0.1, 0.08, 0.05)), ((0.85, 0.68, 0.2), (0.1, 0.08, 0.3)), ((0.1, 0.15, 0.45), PALE),
    (PALE, (0.75, 0.1, 0.1)),
)  # fmt: skip
"""Colours that dice and their pips come in."""


def die_colours(rng: np.random.Generator) -> tuple[Rgb, Rgb]:
    """The colours of a die and its pips: usual ones, or any two that can be told apart."""
    if rng.random() < 0.5:
        return DICE[rng.integers(3)]
    return DICE[rng.integers(len(DICE))] if rng.random() < 0.5 else contrast(rng)


def random_dice(rng: np.random.Generator, free: list[tuple[float, float]]) -> tuple[SimDie, ...]:
    """Up to four dice in the middle of the board, of one or two makes."""
    made: list[SimDie] = []
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.2, 0.08, 0.6, 0.12]))):
        if len(made) % 2 == 0:
            tint, pip = die_colours(rng)
            size, radius, rounding = (
                float(rng.uniform(0.28, 0.58)),
                float(rng.uniform(0.075, 0.125)),
                float(rng.uniform(0.06, 0.28)),
            )
        for _ in range(8):
            x, y = float(rng.uniform(0.04, 0.96)), float(np.clip(rng.normal(0.5, 0.13), 0.05, 0.95))
            if all(abs(x - fx) > 0.055 or abs(y - fy) > 0.06 for fx, fy in free) and all(
                abs(x - d.x) > 0.05 or abs(y - d.y) > 0.05 for d in made
            ):
                lean = float(rng.uniform(18, 42)) if rng.random() < 0.06 else 0.0
                made.append(
                    SimDie(int(rng.integers(1, 7)), x, y, float(rng.uniform(0, 360)), size, near(rng, tint, 0.03),
                    near(rng, pip, 0.03), lean,
                           0.1 if lean else 0.0, radius, rounding)
                )  # fmt: skip
                break
    return tuple(made)


GATHERS = 0.35
"""The share of throws on a board with an emblem that land on it."""


def gathered(dice: tuple[SimDie, ...], spec: BoardSpec, placed: list[Placed]) -> tuple[SimDie, ...]:
    """The dice, now and then on the emblem of a half, where that is free."""
    if not dice or not spec.emblem:
        return dice
    own = np.random.default_rng(int(dice[0].x * 1e9) + 1)  # so that nothing else of a picture depends on it
    if own.random() > GATHERS:
        return dice
    middle = middles(spec)[int(own.integers(2))]
    made = list(dice)
    for n, die in enumerate(dice):
        place = middle + own.normal(0, 0.6, 2)
        rest = [(d.x * spec.length, d.y * spec.height, 0.7 * (d.size + die.size)) for d in made if d is not made[n]]
        rest += [(p.x, p.y, spec.light.radius + 0.7 * die.size) for p in placed]
        if all(np.hypot(place[0] - x, place[1] - y) > gap for x, y, gap in rest):
            made[n] = replace(die, x=float(place[0] / spec.length), y=float(place[1] / spec.height))
    return tuple(made)


CLIMBS = 0.15
"""The share of throws of which a die comes to lie on a checker."""


def climbed(dice: tuple[SimDie, ...], spec: BoardSpec, placed: list[Placed]) -> tuple[SimDie, ...]:
    """The dice, now and then the last of them on a checker."""
    if not dice or not placed:
        return dice
    *others, last = dice
    own = np.random.default_rng(int(last.x * 1e9))  # so that nothing else of a picture depends on it
    below = placed[int(own.integers(len(placed)))]
    if below.slot > BAR or own.random() > CLIMBS:
        return dice
    x, y = ((at + float(own.normal(0, 0.1))) for at in (below.x, below.y))
    if any(np.hypot(d.x * spec.length - x, d.y * spec.height - y) < d.size + last.size for d in others):
        return dice
    highest = max(p.z for p in placed if np.hypot(p.x - below.x, p.y - below.y) < spec.light.radius)
    z = highest + (spec.light if below.shade == "light" else spec.dark).thickness + (0.1 if last.lean_deg else 0.0)
    return (*others, replace(last, x=x / spec.length, y=y / spec.height, z=float(z)))


def contrast(rng: np.random.Generator) -> tuple[Rgb, Rgb]:
    """Any colour, and one that can be told from it: white or black, now and then another colour."""
    tint = any_tint(rng, 0.2)
    dark = sum(tint) < 1.4
    if rng.random() < 0.35:
        ink = any_tint(rng)
        if abs(_lightness(ink) - _lightness(tint)) > 0.3:
            return tint, ink
    return tint, ((0.95, 0.95, 0.92) if dark else (0.07, 0.07, 0.08))


def _lightness(tint: Rgb) -> float:
    return float(np.dot(tint, (0.3, 0.59, 0.11)))


def random_cube(rng: np.random.Generator, spec: BoardSpec) -> SimCube | None:
    """The cube on the bar, on the frame or beside the board; or none."""
    if rng.random() < 0.45:
        return None
    place = rng.random()
    y = (
        0.5
        if place < 0.5
        else float(rng.choice([-0.045, 1.045, 0.06, 0.94]))
        if place < 0.8
        else float(rng.choice([0.3, 0.7]))
    )
    x, z = 0.5 + float(rng.normal(0, 0.01)), spec.wall if spec.bar in ("raised", "hinge") or not 0 < y < 1 else 0.0
    if place > 0.85:
        x, y, z = float(rng.choice([-0.16, 1.16])), float(rng.uniform(0.1, 0.9)), -spec.box
    tint, ink = (((0.94, 0.94, 0.92), (0.06, 0.06, 0.06)), ((0.07, 0.07, 0.08), (0.95, 0.95, 0.95)))[rng.integers(2)]
    if rng.random() < 0.15:
        tint, ink = contrast(rng)
    value = int(rng.choice([2, 4, 8, 16, 32, 64]))
    angle = float(rng.integers(4) * 90 + rng.normal(0, 8))
    return SimCube(
        value, x, y + float(rng.normal(0, 0.01)), angle, float(rng.uniform(0.6, 1.0)), near(rng, tint, 0.03), ink, z
    )
