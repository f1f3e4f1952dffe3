"""Whether a board lies as its own pattern says: the points at its left are those at its right, seen in a mirror.

Corners that are right put that mirror in the middle. A side taken for another line beyond it, or guessed wrongly
behind a wall or a hand, moves it or leaves halves that match nowhere. This asks nothing of colours, margins or the
bar's width.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.frame import Picture

SIZE = (288, 240)
"""(width, height) of the board laid flat, px."""
MOST = 12
"""The furthest a mirror is looked for from the middle, in half pixels: beyond half a column (11 px) it would be taken
for the next."""
BANDS = ((0.03, 0.2), (0.2, 0.36), (0.64, 0.8), (0.8, 0.97))
"""Where points lie across the board, in shares of its height: from the base outwards, from both sides."""

Profile = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Mirror:
    """Where the mirror stands: `off` its distance from the middle towards corner 1, as a share of the board's width;
    how well the halves match there (`match`, a correlation, at most 1) and about the very middle (`middling`)."""

    off: float
    match: float
    middling: float


def mirror(image: Picture, corners: NDArray[np.float64]) -> Mirror:
    """The mirror between the left and right halves of a board with `corners` (4, 2) px, the points along 0 to 1."""
    width, height = SIZE
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    board = cv2.cvtColor(cv2.warpPerspective(image, matrix, SIZE), cv2.COLOR_BGR2GRAY).astype(np.float32)
    # Without the picture's own border, at which every gradient ends alike.
    edges = np.log1p(np.abs(cv2.Sobel(board, cv2.CV_32F, 1, 0)))[:, 2:-2]
    bands = [_sharp(edges[int(start * height) : int(end * height)].mean(axis=0)) for start, end in BANDS]
    # Each band mirrors itself, and the one opposite it.
    return _mirror([(band, band) for band in bands] + [(bands[0], bands[3]), (bands[1], bands[2])])


def _sharp(band: NDArray[np.float32]) -> Profile:
    """A profile without what changes slowly along it."""
    row = band.astype(np.float32)[None]
    return np.asarray((cv2.GaussianBlur(row, (0, 0), 1.0) - cv2.GaussianBlur(row, (0, 0), 9.0))[0], np.float32)


def _mirror(pairs: list[tuple[Profile, Profile]]) -> Mirror:
    gap = np.zeros(MOST * 2, np.float32)
    one = np.concatenate([np.concatenate([first, gap]) for first, _ in pairs])
    two = np.concatenate([np.concatenate([second[::-1], gap]) for _, second in pairs])
    norm = float(np.sqrt((one @ one) * (two @ two))) + 1e-6
    match = np.array([float(one @ np.roll(two, lag)) / norm for lag in range(-MOST, MOST + 1)])
    best = int(match.argmax())
    part = 0.0
    if 0 < best < 2 * MOST:
        low, high = match[best - 1], match[best + 1]
        part = 0.5 * (low - high) / min(low - 2 * match[best] + high, -1e-6)
    return Mirror(float(best - MOST + part) / 2 / SIZE[0], float(match[best]), float(match[MOST]))
