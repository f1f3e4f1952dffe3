"""Checkers: their tops as small pictures, and how one is set down in a frame."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.synth.board import CheckerSpec
from nardi_vision.synth.camera import Camera
from nardi_vision.synth.stroke import SHIFT, fixed
from nardi_vision.synth.texture import Picture, colour, grain, noise

SIZE = 64
"""Pixels across a top's picture."""
VARIANTS = 6
_RING = np.stack(
    [np.cos(np.linspace(0, 2 * np.pi, 28, endpoint=False)), np.sin(np.linspace(0, 2 * np.pi, 28, endpoint=False))],
    axis=1,
)


@dataclass(frozen=True, slots=True)
class Sprites:
    """One kind of checker, ready to set down: tops (BGR bytes) and alphas turned several ways, and the side's
    shades."""

    spec: CheckerSpec
    tops: tuple[NDArray[np.uint8], ...]
    alpha: NDArray[np.uint8]
    sides: tuple[tuple[float, float, float], ...]
    profile: tuple[float, ...]  # radius at each level of the side, bottom to top
    lip: float  # radius of the flat top


def sprites(spec: CheckerSpec, rng: np.random.Generator, light: tuple[float, float]) -> Sprites:
    """Draws the tops of one kind, lit from the direction `light` (board x, y)."""
    lip = float(rng.uniform(0.86, 1.0))
    tops = tuple(_top(spec, rng, light, 2 * np.pi * i / VARIANTS + rng.uniform(0, 1)) for i in range(VARIANTS))
    axis = (np.arange(SIZE) + 0.5) / SIZE * 2 - 1
    radius = np.hypot(axis[None, :], axis[:, None])
    alpha = (np.clip((0.985 - radius) * SIZE / 2 + 0.5, 0, 1) * 255).astype(np.uint8)
    base = colour(spec.tint) * 255 * spec.side
    levels = 5
    bands = np.linspace(0.62, 1.0, levels)
    if rng.random() < 0.3:
        bands[levels // 2] *= 0.7  # a groove
    if rng.random() < 0.3:
        bands[-2] *= 1.3
    sides = tuple((float(s[0]), float(s[1]), float(s[2])) for s in (np.clip(base * band, 0, 255) for band in bands))
    # Rounded below and above.
    profile = tuple(
        float(v)
        for v in np.interp(np.linspace(0, 1, levels), [0, 0.3, 0.7, 1], [rng.uniform(0.9, 1.0), 1, 1, (1 + lip) / 2])
    )
    return Sprites(spec, tops, alpha, sides, profile, lip)


def _relief(spec: CheckerSpec, radius: Picture, rng: np.random.Generator) -> Picture:
    """Height over the radius 0..1."""

    def ring(at: float, width: float) -> Picture:
        return np.asarray(np.exp(-(((radius - at) / width) ** 2)), np.float32)

    edge = -(np.clip((radius - rng.uniform(0.82, 0.93)) / 0.12, 0, 1) ** 2) * rng.uniform(0.5, 1.5)
    kinds: dict[str, Any] = {
        "rim": lambda: ring(rng.uniform(0.72, 0.86), rng.uniform(0.04, 0.08)) * rng.choice([-1.2, 1.2]),
        "double_rim": lambda: (
            ring(0.82, 0.05) * rng.choice([-1, 1]) + ring(rng.uniform(0.45, 0.65), 0.05) * rng.choice([-1, 1])
        ),
        "ridges": lambda: 0.6 * np.sin(radius * rng.uniform(18, 34)),
        "dish": lambda: 1.5 * np.clip(radius / 0.85, 0, 1) ** 2,
        "dome": lambda: -2.5 * radius**2,
        "button": lambda: ring(0.8, 0.06) - 1.0 * ring(0.0, 0.5),
    }
    height = (
        kinds[spec.top]()
        if spec.top in kinds
        else (ring(0.82, 0.06) * rng.uniform(-1, 1) if rng.random() < 0.5 else 0.0)
    )
    return np.asarray(edge + height, np.float32)


def _ink(spec: CheckerSpec, rng: np.random.Generator) -> NDArray[np.uint8]:
    """What is printed or cut into the top, as a mask."""
    mask = np.zeros((SIZE, SIZE), np.uint8)
    middle, half = SIZE / 2, SIZE / 2
    if spec.top in ("star", "cross", "button"):
        tips = {"star": 8, "cross": 4, "button": 4}[spec.top]
        far, near = (0.5, 0.16) if spec.top != "button" else (0.42, 0.2)
        for angle in np.arange(tips) * 2 * np.pi / tips:
            along = np.array([np.cos(angle), np.sin(angle)])
            across = np.array([-along[1], along[0]])
            waist = along * (near + far) / 2
            petal = middle + half * np.array([along * near, waist + across * 0.1, along * far, waist - across * 0.1])
            cv2.fillPoly(mask, [fixed(petal)], 255, cv2.LINE_AA, SHIFT)
        cv2.circle(mask, (int(middle), int(middle)), max(1, int(0.07 * half)), 255, -1, cv2.LINE_AA)
        if rng.random() < 0.7:
            cv2.circle(mask, (int(middle), int(middle)), int(0.66 * half), 200, 1, cv2.LINE_AA)
    if spec.top == "letter":
        text = str(rng.choice(["N", "fm", "B", "G", "A", "K"]))
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 0.9, 2)
        cv2.putText(
            mask, text, (int(middle - w / 2), int(middle + h / 2)), cv2.FONT_HERSHEY_DUPLEX, 0.9, 255, 2, cv2.LINE_AA
        )
    if spec.top in ("rim", "double_rim") and rng.random() < 0.35:
        cv2.circle(
            mask,
            (int(middle), int(middle)),
            int(rng.uniform(0.6, 0.9) * half),
            255,
            int(rng.integers(1, 4)),
            cv2.LINE_AA,
        )
    return mask


def albedo_of(spec: CheckerSpec, rng: np.random.Generator, angle: float) -> Picture:
    """A top's colours (SIZE, SIZE, 3) before light, turned by `angle` radians."""
    axis = ((np.arange(SIZE) + 0.5) / SIZE * 2 - 1).astype(np.float32)
    ys = np.meshgrid(axis, axis)[1]
    value = 1 + 0.015 * grain(rng, (SIZE, SIZE), 0.8)
    if spec.top == "wood":
        wave = 0.7 * noise(rng, (SIZE, SIZE), (2, 2)) + ys * rng.uniform(4, 14)
        value = value + rng.uniform(0.03, 0.1) * np.sin(wave * 3) + 0.04 * noise(rng, (SIZE, SIZE), (2, 24))
    if spec.top == "pearl":
        clouds = noise(rng, (SIZE, SIZE), (5, 5)) + 0.5 * noise(rng, (SIZE, SIZE), (10, 10))
        value = value + rng.uniform(0.05, 0.25) * np.clip(np.abs(clouds) - 0.5, -0.6, 0.6)
    albedo = value[..., None].astype(np.float32) * colour(spec.tint)
    mask = _ink(spec, np.random.default_rng(int(spec.tint[1] * 1e6))).astype(np.float32)[..., None] / 255
    albedo += (colour(spec.ink) - albedo) * mask * 0.9
    turn = cv2.getRotationMatrix2D((SIZE / 2 - 0.5, SIZE / 2 - 0.5), float(np.rad2deg(angle)), 1.0)
    return np.asarray(
        cv2.warpAffine(albedo, turn, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def relief_of(spec: CheckerSpec, radius: Picture) -> Picture:
    """A top's height over the radius 0..1, always the same for one kind."""
    return _relief(spec, radius, np.random.default_rng(int(spec.tint[0] * 1e6)))


def _top(spec: CheckerSpec, rng: np.random.Generator, light: tuple[float, float], angle: float) -> NDArray[np.uint8]:
    axis = ((np.arange(SIZE) + 0.5) / SIZE * 2 - 1).astype(np.float32)
    xs, ys = np.meshgrid(axis, axis)
    height = relief_of(spec, np.hypot(xs, ys))
    albedo = albedo_of(spec, rng, angle)
    slope_y, slope_x = np.gradient(cv2.GaussianBlur(height, (0, 0), 0.8) * 8)
    relief = -(slope_x * light[0] + slope_y * light[1])
    albedo *= np.clip(1 + 0.35 * relief, 0.4, 1.8)[..., None]
    if spec.top in ("dome", "dish") and spec.gloss > 0:
        away = 0.45 if spec.top == "dome" else -0.4
        spot = np.exp(-(((xs - away * light[0]) ** 2 + (ys - away * light[1]) ** 2) / 0.05))
        albedo += spec.gloss * spot[..., None]
    albedo += spec.gloss * 0.12 * np.clip(relief, 0, 1.5)[..., None]
    return np.asarray(np.clip(albedo * 255, 0, 255), np.uint8)


def set_down(
    picture: NDArray[np.uint8],
    gloss: Picture | None,
    camera: Camera,
    kind: Sprites,
    at: tuple[float, float, float],
    variant: int,
    shade: float = 1.0,
) -> None:
    """Draws one checker lying with its underside's middle at `at` (columns)."""
    x, y, z = at
    spec = kind.spec
    levels = len(kind.sides)
    rings = np.empty((levels, len(_RING), 3))
    for level, share in enumerate(kind.profile):
        rings[level, :, :2] = _RING * (spec.radius * share) + (x, y)
        rings[level, :, 2] = z + spec.thickness * level / (levels - 1)
    seen = camera.flat(rings.reshape(-1, 3)).reshape(levels, -1, 2)
    low = np.floor(seen.min(axis=(0, 1))).astype(int) - 1
    high = np.ceil(seen.max(axis=(0, 1))).astype(int) + 2
    x0, y0 = max(int(low[0]), 0), max(int(low[1]), 0)
    x1, y1 = min(int(high[0]), picture.shape[1]), min(int(high[1]), picture.shape[0])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    part = picture[y0:y1, x0:x1]
    origin = np.array([x0, y0])
    for level in range(levels - 1):
        # The band between two rings is the hull of both, as seen.
        hull = cv2.convexHull(np.concatenate([seen[level], seen[level + 1]]).astype(np.float32))[:, 0]
        b, g, r = kind.sides[level]
        cv2.fillConvexPoly(part, fixed(hull - origin), (b * shade, g * shade, r * shade), cv2.LINE_AA, SHIFT)
    reach = spec.radius * kind.lip / (SIZE / 2)
    place = np.array(
        [
            [reach, 0, x - spec.radius * kind.lip + reach / 2],
            [0, reach, y - spec.radius * kind.lip + reach / 2],
            [0, 0, 1],
        ]
    )
    matrix = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]]) @ camera.plane(z + spec.thickness) @ place
    size = (x1 - x0, y1 - y0)
    top = cv2.warpPerspective(
        kind.tops[variant % VARIANTS], matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    alpha = cv2.warpPerspective(kind.alpha, matrix, size, flags=cv2.INTER_LINEAR).astype(np.float32)[..., None] * (
        1 / 255
    )
    lit = np.minimum(top * np.float32(shade), 255)
    part[:] = (part + (lit - part) * alpha).astype(np.uint8)
    if gloss is not None:
        mirror = gloss[y0:y1, x0:x1]
        mirror += (spec.gloss - mirror) * alpha[..., 0]
