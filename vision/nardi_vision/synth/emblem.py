"""What is printed or inlaid in the middle of each half: stars, rosettes, words. Dice land on it, and it looks like dice
and checkers itself."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.synth.board import BoardSpec
from nardi_vision.synth.stroke import blend, circle, fill
from nardi_vision.synth.texture import Picture, Rgb, colour

Floats = NDArray[np.float64]
Place = Callable[[Floats], Floats]
"""From columns on the surface to pixels of its sheet."""
WORDS, ROSETTE = 4, 5


def middles(spec: BoardSpec) -> tuple[Floats, Floats]:
    """The middles (2,) of the halves, in columns."""
    across, down = spec.margin + 3.0, spec.height / 2
    return np.array([across, down]), np.array([spec.length - across, down])


def printed(spec: BoardSpec, rng: np.random.Generator, sheet: Picture, at: Place, px: float) -> None:
    """Prints the board's emblem on its surface's sheet, at `px` pixels a column."""
    tint = spec.point_tints[rng.integers(2)] if rng.random() < 0.7 else spec.frame_tint
    reach = float(rng.uniform(0.5, 1.0))
    if spec.emblem == ROSETTE:
        _rosettes(spec, sheet, tint, at, px)
        return
    mask = np.zeros(sheet.shape[:2], np.uint8)
    for middle in middles(spec):
        if spec.emblem == WORDS:
            words = str(rng.choice(["NARDI", "BG", "fm", "club", "1908"]))
            spot = at(middle + np.array([-1.2, 0.2]))
            cv2.putText(
                mask,
                words,
                (int(spot[0]), int(spot[1])),
                cv2.FONT_HERSHEY_DUPLEX,
                px / 32,
                255,
                max(1, int(px / 16)),
                cv2.LINE_AA,
            )
            continue
        fill(mask, at(_star(middle, reach, int(rng.integers(5, 10)), float(rng.uniform(0.3, 0.6)))), 255)
        if spec.emblem >= 2:
            circle(mask, at(middle), reach * px, thick=max(1, int(px / 20)))
        if spec.emblem == 3:
            circle(mask, at(middle), 0.3 * reach * px, 0)
    blend(sheet, np.broadcast_to(colour(tint), sheet.shape), mask)


def _rosettes(spec: BoardSpec, sheet: Picture, tint: Rgb, at: Place, px: float) -> None:
    """Petals round a disc, perhaps shorter ones of another tint between them, and rings."""
    rng = np.random.default_rng([spec.seed, 37])
    room = max(spec.height / 2 - spec.point_offset - spec.point_length, 0.6)
    reach = float(rng.uniform(0.55, min(max(1.2 * room, 0.8), 1.9)))
    petals, wide = int(rng.choice([4, 6, 8, 8, 10, 12])), float(rng.uniform(0.5, 1.0))
    begin, waist = float(rng.uniform(0.05, 0.4)), float(rng.uniform(0.3, 0.7))
    turn = float(rng.choice([0.0, 0.5])) * 2 * np.pi / petals
    other = spec.point_tints[rng.integers(2)]
    layers: list[tuple[Rgb, NDArray[np.uint8]]] = []

    def layer(own: Rgb) -> NDArray[np.uint8]:
        layers.append((own, np.zeros(sheet.shape[:2], np.uint8)))
        return layers[-1][1]

    second = rng.random() < 0.5
    under, over = layer(other), layer(tint)
    ringed, cored = rng.random() < 0.6, rng.random() < 0.7
    core = layer(other if rng.random() < 0.5 else tint)
    for middle in middles(spec):
        for n in range(petals):
            angle = turn + 2 * np.pi * n / petals
            if second:
                fill(under, at(middle + _petal(angle + np.pi / petals, 0.75 * reach, begin, waist, wide, petals)), 255)
            fill(over, at(middle + _petal(angle, reach, begin, waist, wide, petals)), 255)
        if ringed:
            circle(over, at(middle), reach * 1.05 * px, thick=max(1, int(0.06 * px)))
            if petals > 6:
                circle(over, at(middle), reach * 1.2 * px, thick=max(1, int(0.03 * px)))
        if cored:
            circle(core, at(middle), reach * max(begin * 0.9, 0.12) * px)
    for own, mask in layers:
        blend(sheet, np.broadcast_to(colour(own), sheet.shape), mask)


def _petal(angle: float, reach: float, begin: float, waist: float, wide: float, petals: int) -> Floats:
    """A kite (4, 2) that points away from the middle: from `begin` to 1 of `reach`, widest at `waist`."""
    half = wide * np.pi / petals
    widest = begin + (1 - begin) * waist
    spokes = ((begin, 0.0), (widest, half), (1.0, 0.0), (widest, -half))
    return np.array([[r * np.cos(angle + a), r * np.sin(angle + a)] for r, a in spokes]) * reach


def _star(middle: Floats, reach: float, tips: int, sharp: float) -> Floats:
    angles = np.arange(2 * tips) * np.pi / tips
    radii = np.where(np.arange(2 * tips) % 2 == 0, reach, reach * sharp)
    return np.stack([middle[0] + radii * np.cos(angles), middle[1] + radii * np.sin(angles)], axis=1)
