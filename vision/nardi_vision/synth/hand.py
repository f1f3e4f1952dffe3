"""A hand with its arm reaching over the board, of any skin, glove or sleeve."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.synth.board import any_tint, near
from nardi_vision.synth.camera import Camera
from nardi_vision.synth.stroke import SHIFT, circle, fixed
from nardi_vision.synth.texture import Rgb, colour, grain

SKINS: tuple[Rgb, ...] = (
    (0.93, 0.78, 0.68),
    (0.85, 0.66, 0.53),
    (0.75, 0.55, 0.42),
    (0.55, 0.38, 0.28),
    (0.36, 0.24, 0.18),
    (0.27, 0.17, 0.13),
)


@dataclass(frozen=True, slots=True)
class HandSpec:
    """Where the fingers are (board columns), from which side the arm comes (radians, board plane) and what it wears."""

    x: float
    y: float
    angle: float
    size: float  # width of the fist in columns
    skin: Rgb
    sleeve: Rgb
    cuff: float  # where the sleeve begins, in columns from the fingers
    reach: float  # length of the arm in columns
    height: float  # over the board


def random_hand(rng: np.random.Generator, x: float, y: float, middle: tuple[float, float]) -> HandSpec:
    """A hand at board (x, y), its arm coming from outside the board."""
    out = np.arctan2(y - middle[1], x - middle[0])
    return HandSpec(
        x=x, y=y, angle=float(out + rng.normal(0, 0.7)), size=float(rng.uniform(1.5, 2.4)),
        skin=near(rng, SKINS[rng.integers(len(SKINS))], 0.04) if rng.random() < 0.9 else any_tint(rng),
        sleeve=any_tint(rng, 0.1) if rng.random() < 0.85 else near(rng, SKINS[2]),
        cuff=float(rng.uniform(2.0, 7.0)), reach=float(rng.uniform(6, 16)), height=float(rng.uniform(0.5, 2.0)),
    )  # fmt: skip


def _blob(mask: NDArray[np.uint8], spine: NDArray[np.float64], widths: NDArray[np.float64]) -> None:
    """A tapering limb: its outline along `spine` (N, 2) with half-widths (N,) in pixels."""
    along = np.gradient(spine, axis=0)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) / (np.linalg.norm(along, axis=1, keepdims=True) + 1e-6)
    outline = np.concatenate([spine + across * widths[:, None], (spine - across * widths[:, None])[::-1]])
    cv2.fillPoly(mask, [fixed(outline)], 255, cv2.LINE_AA, SHIFT)
    for end, width in ((spine[0], widths[0]), (spine[-1], widths[-1])):
        circle(mask, end, max(width, 1 / 16))


def draw_hand(
    picture: NDArray[np.uint8],
    gloss: NDArray[np.float32],
    camera: Camera,
    hand: HandSpec,
    rng: np.random.Generator,
    shadow: tuple[float, float, float],
) -> NDArray[np.uint8]:
    """Draws the hand and its shadow (board direction x, y and strength); returns its mask."""
    shape = picture.shape[:2]
    at = np.array([hand.x, hand.y])
    to = np.array([np.cos(hand.angle), np.sin(hand.angle)])
    side = np.array([-to[1], to[0]])
    px = float(
        np.linalg.norm(np.diff(camera.flat(np.array([[hand.x, hand.y, 1], [hand.x + 0.1, hand.y, 1]])), axis=0)) * 10
    )
    bend = rng.normal(0, 0.06)

    def seen(distances: NDArray[np.float64], aside: float, lift: float) -> NDArray[np.float64]:
        points = at + distances[:, None] * to + (aside + bend * distances**2 * 0.15)[:, None] * side
        heights = hand.height * (0.25 + np.clip(distances / 2.5, 0, 1)) + lift
        return camera.flat(np.column_stack([points, heights]))

    skin, sleeve = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    s = hand.size
    along = np.linspace(0.25 * s, hand.reach, 18)
    arm = np.interp(
        along, [0.25 * s, 0.6 * s, 1.1 * s, 1.6 * s, 8, 16], [0.36 * s, 0.5 * s, 0.45 * s, 0.3 * s, 0.48 * s, 0.6 * s]
    )
    _blob(skin, seen(along, 0.0, 0.0), arm * px)
    for finger in np.linspace(-0.32, 0.32, 4):  # curled fingers and a thumb
        reach = np.linspace(-0.15 * s * (1 - abs(finger)), 0.6 * s, 5)
        _blob(skin, seen(reach, finger * s * 0.9, 0.1), np.full(5, 0.13 * s * px))
    if hand.cuff < hand.reach:
        cloth = np.linspace(hand.cuff, hand.reach, 12)
        _blob(sleeve, seen(cloth, 0.0, 0.05), np.interp(cloth, along, arm) * px * rng.uniform(1.1, 1.5))
    both = np.maximum(skin, sleeve)
    shift = camera.flat(np.array([[*at, 0.0], [*(at + np.array(shadow[:2]) * hand.height), 0.0]]))
    move = np.array([[1, 0, shift[1, 0] - shift[0, 0]], [0, 1, shift[1, 1] - shift[0, 1]]], np.float32)
    small = cv2.resize(both, (shape[1] // 4, shape[0] // 4), interpolation=cv2.INTER_AREA)
    move[:, 2] /= 4
    dark = cv2.GaussianBlur(
        cv2.warpAffine(small, move, (small.shape[1], small.shape[0])), (0, 0), max(1.0, px * 0.3 / 4)
    )
    dark = cv2.resize(dark, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    picture[:] = (picture * (1 - np.float32(shadow[2] / 255) * dark[..., None].astype(np.float32))).astype(np.uint8)
    for mask, tint, rough in ((skin, hand.skin, 0.03), (sleeve, hand.sleeve, 0.07)):
        if not mask.any():
            continue
        inside = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
        round_off = np.clip(inside / (0.4 * s * px), 0, 1)
        shading = 0.55 + 0.45 * np.sqrt(round_off)
        shading *= 1 + rough * cv2.resize(grain(rng, (shape[0] // 3, shape[1] // 3), 1.0), (shape[1], shape[0]))
        sheet = np.clip(shading[..., None] * colour(tint) * 255, 0, 255)
        alpha = mask.astype(np.float32)[..., None] / 255
        picture[:] = (picture + (sheet - picture) * alpha).astype(np.uint8)
    gloss *= 1 - both.astype(np.float32) / 255
    return both
