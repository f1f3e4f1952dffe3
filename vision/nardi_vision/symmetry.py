"""Whether a board lies as its own pattern says: the points at its left are those at its right, seen in a mirror.

A side taken for another line beyond it, or guessed wrongly behind a wall or a hand, leaves halves that match nowhere
near the middle. This asks nothing of colours, margins or the bar's width.
"""

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


def symmetry(image: Picture, corners: NDArray[np.float64]) -> float:
    """How well the left and right halves of a board with `corners` (4, 2) px, the points along 0 to 1, mirror each
    other: a correlation, at most 1, with the mirror where it fits best near the middle."""
    width, height = SIZE
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    board = cv2.cvtColor(cv2.warpPerspective(image, matrix, SIZE), cv2.COLOR_BGR2GRAY).astype(np.float32)
    # Without the picture's own border, at which every gradient ends alike.
    edges = np.log1p(np.abs(cv2.Sobel(board, cv2.CV_32F, 1, 0)))[:, 2:-2]
    bands = [_sharp(edges[int(start * height) : int(end * height)].mean(axis=0)) for start, end in BANDS]
    # Each band mirrors itself, and the one opposite it.
    return _matched([(band, band) for band in bands] + [(bands[0], bands[3]), (bands[1], bands[2])])


def _sharp(band: NDArray[np.float32]) -> Profile:
    """A profile without what changes slowly along it."""
    row = band.astype(np.float32)[None]
    return np.asarray((cv2.GaussianBlur(row, (0, 0), 1.0) - cv2.GaussianBlur(row, (0, 0), 9.0))[0], np.float32)


def _matched(pairs: list[tuple[Profile, Profile]]) -> float:
    gap = np.zeros(MOST * 2, np.float32)
    one = np.concatenate([np.concatenate([first, gap]) for first, _ in pairs])
    two = np.concatenate([np.concatenate([second[::-1], gap]) for _, second in pairs])
    norm = float(np.sqrt((one @ one) * (two @ two))) + 1e-6
    return max(float(one @ np.roll(two, lag)) for lag in range(-MOST, MOST + 1)) / norm
