"""Light on the scene and what a camera makes of it."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.synth.texture import Picture, grain, noise


@dataclass(frozen=True, slots=True)
class LightSpec:
    """How a scene is lit and taken.

    `direction` board (x, y) towards which shadows fall, length = shadow per height; `soft` their blur in columns;
    `shadow`, `contact` their strengths; `gradient` brightness change across the picture; `pools` bright spots (x, y,
    reach, gain) in frame shares; `edge` a hard shadow's line (angle, offset, gain) or None; `mirror` strength of
    reflections,
    `lamps` their places (x, y, reach, stretch) in frame shares; `gains` per BGR channel; `exposure`, `contrast`;
    `vignette`; `blur`,
    `noise` in grey levels; `jpeg` quality.
    """

    direction: tuple[float, float] = (0.5, 0.4)
    soft: float = 0.15
    shadow: float = 0.4
    contact: float = 0.35
    gradient: tuple[float, float] = (0.0, 0.0)
    pools: tuple[tuple[float, float, float, float], ...] = ()
    edge: tuple[float, float, float] | None = None
    mirror: float = 0.3
    veil: tuple[float, float, float] = (0.04, 0.04, 0.04)
    lamps: tuple[tuple[float, float, float, float], ...] = ()
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)
    exposure: float = 0.85
    contrast: float = 1.0
    vignette: float = 0.1
    blur: float = 0.4
    noise: float = 2.0
    jpeg: int = 90


def random_light(rng: np.random.Generator) -> LightSpec:
    """Light by lot, from a soft daylit room to a lamp at night."""
    hard = rng.random() < 0.35
    angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 1.6 if hard else 0.9)
    warm = rng.normal(0, 0.13)
    tint = rng.normal(0, 0.05)
    if rng.random() < 0.12:
        warm *= 2.2
    pools = tuple(
        (
            float(rng.uniform(-0.1, 1.1)),
            float(rng.uniform(-0.1, 1.1)),
            float(rng.uniform(0.15, 0.6)),
            float(rng.uniform(0.1, 0.9)),
        )
        for _ in range(int(rng.integers(0, 3)))
    )
    lamps = tuple(
        (
            float(rng.uniform(0, 1)),
            float(rng.uniform(0, 1)),
            float(rng.uniform(0.02, 0.16)),
            float(rng.uniform(0.5, 2.5)),
        )
        for _ in range(int(rng.integers(0, 5)))
    )
    exposure = float(np.exp(rng.normal(-0.15, 0.25)))
    if rng.random() < 0.15:
        exposure *= float(rng.uniform(0.35, 0.75))
    haze = float(rng.uniform(0.0, 0.1) if rng.random() < 0.6 else rng.uniform(0.1, 0.55))
    b, g, r = (float(haze * np.exp(rng.normal(0, 0.2))) for _ in range(3))
    return LightSpec(
        veil=(b, g, r),
        direction=(float(reach * np.cos(angle)), float(reach * np.sin(angle))),
        soft=float(rng.uniform(0.02, 0.12)) if hard else float(rng.uniform(0.1, 0.5)),
        shadow=float(rng.uniform(0.3, 0.75)) if hard else float(rng.uniform(0.05, 0.5)),
        contact=float(rng.uniform(0.1, 0.6)),
        gradient=(float(rng.normal(0, 0.2)), float(rng.normal(0, 0.2))),
        pools=pools,
        edge=(float(rng.uniform(0, 6.28)), float(rng.normal(0, 0.25)), float(rng.uniform(0.45, 0.85)))
        if rng.random() < 0.15
        else None,
        mirror=float(rng.choice([0.1, 0.4, 1.0])) * float(rng.uniform(0.4, 1.3)),
        lamps=lamps,
        gains=(float(np.exp(-warm + tint)), float(np.exp(-tint)), float(np.exp(warm + tint))),
        exposure=exposure,
        contrast=float(rng.uniform(0.75, 1.25)),
        vignette=float(rng.uniform(0, 0.4)),
        blur=float(rng.choice([0.3, 0.6, 1.0, 1.5], p=[0.4, 0.35, 0.2, 0.05])),
        noise=float(rng.choice([1.0, 3.0, 7.0], p=[0.5, 0.35, 0.15])) * float(rng.uniform(0.5, 1.5)),
        jpeg=int(rng.integers(40, 96)),
    )


def illumination(spec: LightSpec, size: tuple[int, int], rng: np.random.Generator) -> Picture:
    """Light over the frame at a sixth of its size: grey (rows, columns), about 1."""
    width, height = max(8, size[0] // 6), max(8, size[1] // 6)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    xs, ys = xs / width, ys / height
    light = 1 + spec.gradient[0] * 2 * (xs - 0.5) + spec.gradient[1] * 2 * (ys - 0.5)
    light += 0.04 * noise(rng, (height, width), (3, 3))
    for x, y, reach, gain in spec.pools:
        light += gain * np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * reach**2))
    if spec.edge is not None:
        angle, offset, gain = spec.edge
        side = (xs - 0.5) * np.cos(angle) + (ys - 0.5) * np.sin(angle) - offset
        light *= gain + (1 - gain) / (1 + np.exp(-side * 60))
    light *= 1 - spec.vignette * ((xs - 0.5) ** 2 + (ys - 0.5) ** 2) * 2
    return np.asarray(np.clip(light, 0.12, 3.0), np.float32)


def reflections(spec: LightSpec, size: tuple[int, int]) -> Picture:
    """Where lamps and windows mirror, at a sixth of the frame's size."""
    width, height = max(8, size[0] // 6), max(8, size[1] // 6)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    xs, ys = xs / width, ys / height
    out = np.zeros((height, width), np.float32)
    for x, y, reach, stretch in spec.lamps:
        out += np.exp(-(((xs - x) / (reach * stretch)) ** 2 + ((ys - y) / reach) ** 2))
    return out * np.float32(spec.mirror)


def develop(picture: NDArray[np.uint8], gloss: Picture, spec: LightSpec, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Lights an evenly lit picture and takes it: exposure, colour, lens blur, sensor noise, JPEG."""
    size = (picture.shape[1], picture.shape[0])
    light = cv2.resize(illumination(spec, size, rng), size, interpolation=cv2.INTER_LINEAR)
    mirror = cv2.resize(reflections(spec, size), size, interpolation=cv2.INTER_LINEAR)
    shine = np.asarray(mirror, np.float32) * gloss * np.float32(255)
    out = picture.astype(np.float32)
    gains = np.array(spec.gains, np.float32) * np.float32(spec.exposure)
    out *= light[..., None]
    out += shine[..., None]
    out += (gloss * np.float32(255))[..., None] * np.array(spec.veil, np.float32)
    out *= gains
    return taken(out, spec, rng)


def taken(out: Picture, spec: LightSpec, rng: np.random.Generator) -> NDArray[np.uint8]:
    """What the camera makes of light (rows, columns, 3) in grey levels, 255 and more: white. Changes `out`."""
    size = (out.shape[1], out.shape[0])
    if spec.contrast != 1.0:
        np.power(out * (1 / 255), np.float32(spec.contrast), out=out, where=out > 0)
        out *= 255
    # A soft shoulder instead of a hard clip, as sensors' curves have.
    np.minimum(out, 200 + (out - 200) * 0.45, out=out)
    if spec.blur > 0:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), max(0.3, spec.blur)), np.float32)
    if spec.noise > 0:
        out += grain(rng, (size[1], size[0]))[..., None] * np.float32(spec.noise)
        speckle = cv2.resize(
            grain(rng, (size[1] // 2, size[0] // 2))[..., None] * rng.normal(0, 0.6, 3).astype(np.float32), size
        )
        out += speckle * np.float32(spec.noise)
    shot = np.asarray(np.clip(out, 0, 255), np.uint8)
    if spec.jpeg < 100:
        _, data = cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, spec.jpeg])
        shot = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return shot
