"""Where the board is in a picture, with nothing known.

Three small networks, trained on drawn and rendered pictures only: the first finds the playing surface in the whole
picture, the second looks at the board as the first one saw it, laid flat, and corrects its corners, the third sees it
larger and nearly right and places them exactly; it also says how far off they may be. The board's own pattern has the
last word (`symmetry`): where its halves do not mirror each other, doubt is said.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.errors import EyeError
from nardi_vision.frame import Picture
from nardi_vision.geometry import as_corners, board_to_picture, board_width_px, check_corners, in_order, project
from nardi_vision.network import DATA, Network
from nardi_vision.quadrangle import quadrangles
from nardi_vision.reading import Corners
from nardi_vision.symmetry import symmetry

FINDER_SIZE = (256, 192)
REFINER_SIZE = (192, 160)
STRIDE = 4
MARGIN = 0.13
"""Of the rectified picture, on each side: what lies around the surface, in which a corner may turn out to be."""
PLACER_SIZE = (288, 256)
PLACER_MARGIN = 0.08
"""As MARGIN, where the corners are nearly right."""
BOARD_PX = 300.0
"""The board's width to which a picture is shrunk before it is laid flat: sharper would only alias."""
UNSURE = 0.012
"""Expected corner error, as a share of the board's width, from which on the corners are not to be trusted."""

LOOKS = 3
"""Corrections by each network; each sees the board better than the one before."""
GUESSES = 4
INSET = 0.0025
"""In other people's renderings the placer puts the surface's edge about 0.0035 of each side too far out, in photographs
0.0045, between the foot of the walls and their upper edge; in pictures of `synth`, drawn or rendered, it does not. What
is taken back lies between. See `vision/training/locate/README.md`."""
MATCH = 0.3
"""Halves that match less (a correlation) are not the two halves of a board, or a hand lies on them. Of 140 drawn
pictures that no network saw, this finds 21 of the 30 whose corners are off by more than 2 %, and doubts 6 of the 70
whose corners are within 1 %; the limit was chosen on these same pictures."""
MISMATCH = 0.025
"""The error to expect where the halves do not match: about the middle of what was measured on the same pictures."""
ENOUGH = 0.001
"""A correction smaller than this (share of the board's width) is the last."""

FLAT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
"""A board's corners in its own plane."""

ROUND = np.pi / 4
"""A mean distance over the mean of its parts along both axes, which is what the networks judge."""
VIEWS = ([0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0])
"""The corners' orders in which the board is shown to the placer: as it lies, in a mirror, turned round, both."""

Floats = NDArray[np.float32]
Places = NDArray[np.float64]
"""Points as rows (x, y)."""


@dataclass(frozen=True, slots=True)
class Found:
    """Corners in the contract's order, and how far they are expected to be off, as a share of the board's width;
    `match`: how well the halves of what lies between them mirror each other (a correlation)."""

    corners: Corners
    error: float
    match: float = 1.0

    @property
    def sure(self) -> bool:
        return self.error < UNSURE


def letterbox(image: Picture, size: tuple[int, int]) -> tuple[Picture, float, tuple[float, float]]:
    """The whole picture in the middle of one of `size` (width, height), the scale, and (left, top) of its edge, px."""
    height, width = image.shape[:2]
    scale = min(size[0] / width, size[1] / height)
    wide, high = round(width * scale), round(height * scale)
    left, top = (size[0] - wide) // 2, (size[1] - high) // 2
    out = np.zeros((size[1], size[0], 3), np.uint8)
    out[top : top + high, left : left + wide] = cv2.resize(image, (wide, high), interpolation=cv2.INTER_AREA)
    return out, scale, (left, top)


def rectified_corners(size: tuple[int, int], margin: float) -> NDArray[np.float64]:
    """Where the corners (4, 2) of a board laid flat lie in a picture of `size` (width, height), px."""
    width, height = size
    x0, x1 = margin * width - 0.5, (1 - margin) * width - 0.5
    y0, y1 = margin * height - 0.5, (1 - margin) * height - 0.5
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def laid_flat(
    image: Picture, corners: NDArray[np.float64], size: tuple[int, int], margin: float
) -> tuple[Picture, NDArray[np.float64]]:
    """The board with `corners` (4, 2) px as seen from above in a picture of `size`, and what maps it there (3 × 3)."""
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), rectified_corners(size, margin).astype(np.float32))
    return np.asarray(cv2.warpPerspective(image, matrix, size), np.uint8), np.asarray(matrix, np.float64)


def locate(image: Picture) -> Found:
    """The board in a picture, as well as it can be told.

    Raises EyeError `board_not_found` where there is nothing like a board.
    """
    return _locator().locate(image)


def find_corners(image: Picture, name: str = "") -> Corners:
    """The corners, when they are sure. Raises EyeError `board_not_found` or `board_unsure`, naming the picture."""
    try:
        found = locate(image)
    except EyeError as error:
        raise EyeError(error.reason, **{**error.details, "file": name}) from None
    if not found.sure:
        raise EyeError("board_unsure", file=name, error=round(found.error, 4), remedy="calibrate")
    return found.corners


def refine(image: Picture, corners: Corners) -> Found:
    """Corners that are nearly right (after a nudge, from an old calibration), corrected; their order is kept."""
    return _locator().refine(image, np.asarray(corners, np.float64))


@cache
def _locator() -> "_Locator":
    return _Locator(DATA)


class _Locator:
    """Holds the networks of a folder."""

    def __init__(self, folder: Path) -> None:
        self._finder = Network(folder / "board_finder.onnx.xz")
        self._refiner = Network(folder / "corner_refiner.onnx.xz")
        self._placer = Network(folder / "corner_placer.onnx.xz")

    def locate(self, image: Picture) -> Found:
        best: Found | None = None
        for guess in self.guesses(image)[:GUESSES]:
            try:
                found = self._refine(image, guess, keep_order=False)
            except EyeError:
                continue
            # All are looked at: a board with its trays is a good one too, until the board alone is seen.
            if best is None or found.error < best.error:
                best = found
        if best is None:
            raise EyeError("board_not_found", remedy="calibrate")
        best = _doubted(best)
        return replace(best, corners=in_order(best.corners, 0))

    def guesses(self, image: Picture) -> list[Places]:
        """Quadrangles (4, 2), clockwise, begun along a side with points; the likeliest first, good to a few percent."""
        boxed, scale, (left, top) = letterbox(image, FINDER_SIZE)
        (logits,) = self._finder.run(_blob([boxed]), ["maps"])
        maps = 1 / (1 + np.exp(-np.clip(logits[0], -30, 30)))
        # Back at the boxed picture's own size; the middle of cell c is at (c + 0.5) * STRIDE - 0.5 there.
        grown = [np.asarray(cv2.resize(part, FINDER_SIZE, interpolation=cv2.INTER_LINEAR), np.float32) for part in maps]
        found = quadrangles(grown[0], grown[1], grown[2], grown[3])
        return [np.asarray((corners + 0.5 - [left, top]) / scale - 0.5, np.float64) for corners in found]

    def refine(self, image: Picture, guess: NDArray[np.float64]) -> Found:
        return _doubted(self._refine(image, guess, keep_order=True))

    def _refine(self, image: Picture, guess: NDArray[np.float64], keep_order: bool) -> Found:
        small, scale = shrunk(image, guess)
        corners = (guess + 0.5) * scale - 0.5
        turned = keep_order
        for _ in range(LOOKS + 1):
            moved, right = self._look(small, _proven(corners))
            if not right and not turned:
                # The points run along the other two sides.
                corners, turned = np.roll(corners, -1, axis=0), True
                continue
            corners, step = moved, _step(corners, moved)
            if step < ENOUGH:
                break
        return self._close(small, scale, corners)

    def _close(self, small: Picture, scale: float, corners: Places) -> Found:
        """Corners in the shrunk picture, placed exactly and held against the board's pattern."""
        for look in range(LOOKS):
            moved, error = self._place(small, _proven(corners), VIEWS[:1] if look < LOOKS - 1 else VIEWS)
            corners, step = moved, _step(corners, moved)
        corners = _inset(_proven(corners))
        match = symmetry(small, corners)
        return Found(as_corners((_proven(corners) + 0.5) / scale - 0.5), max(error, step), match)

    def _look(self, small: Picture, corners: Places) -> tuple[Places, bool]:
        """One correction: better corners (4, 2), and whether points run along 0 → 1."""
        patch, matrix = laid_flat(small, corners, REFINER_SIZE, MARGIN)
        heat, judged = self._refiner.run(_blob([patch]), ["heat", "judged"])
        return _back(heat[0], matrix), bool(judged[0, 4] > 0)

    def _place(self, small: Picture, corners: Places, views: Sequence[list[int]]) -> tuple[Places, float]:
        """Better corners (4, 2), the mean of what is seen in some of VIEWS, and the error to expect of them (share of
        the board's width)."""
        shown = [laid_flat(small, corners[view], PLACER_SIZE, PLACER_MARGIN) for view in views]
        heat, judged = self._placer.run(_blob([patch for patch, _ in shown]), ["heat", "judged"])
        errors = np.exp(np.clip(judged, -4, 4)) * ROUND * STRIDE / (PLACER_SIZE[0] * (1 - 2 * PLACER_MARGIN))
        seen, trust = np.zeros((len(views), 4, 2)), np.zeros((len(views), 4, 1))
        for index, (view, (_, matrix)) in enumerate(zip(views, shown, strict=True)):
            seen[index, view] = _back(heat[index], matrix)
            trust[index, view] = 1 / errors[index, :, None]
        return np.asarray((seen * trust).sum(axis=0) / trust.sum(axis=0)), float(errors.mean())


def _blob(pictures: Sequence[NDArray[Any]]) -> Floats:
    return np.asarray(cv2.dnn.blobFromImages(list(pictures), 1 / 255), np.float32)


def _places(heat: NDArray[np.float32]) -> Places:
    """Where each map (n, rows, columns) has its weight, softmaxed: (n, 2) px of the network's input."""
    count, rows, columns = heat.shape
    flat = heat.reshape(count, -1).astype(np.float64)
    share = np.exp(flat - flat.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    grid = share.reshape(count, rows, columns)
    cells = np.stack([grid.sum(axis=1) @ np.arange(columns), grid.sum(axis=2) @ np.arange(rows)], axis=1)
    return np.asarray((cells + 0.5) * STRIDE - 0.5, np.float64)


def _back(heat: NDArray[np.float32], matrix: NDArray[np.float64]) -> Places:
    """Where maps (4, rows, columns) of a board laid flat have their weight, in the picture from which `matrix` led."""
    return np.asarray(cv2.perspectiveTransform(_places(heat)[None], np.linalg.inv(matrix))[0], np.float64)


def _proven(corners: Places) -> Places:
    """The corners, if they are still a board's. Raises EyeError `board_not_found`."""
    try:
        check_corners(as_corners(corners))
    except EyeError:
        raise EyeError("board_not_found", remedy="calibrate") from None
    return corners


def _doubted(found: Found) -> Found:
    """What was found, with the error to expect where the halves do not match."""
    return found if found.match >= MATCH else replace(found, error=max(found.error, MISMATCH))


def _inset(corners: Places) -> Places:
    """The corners of the quadrangle that lies INSET within."""
    within = FLAT + INSET * (1 - 2 * FLAT)
    return project(board_to_picture(as_corners(corners)), within)


def _step(before: Places, after: Places) -> float:
    """How far a correction went, as a share of the board's width."""
    return float(np.hypot(*(after - before).T).mean()) / max(board_width_px(as_corners(after)), 1.0)


def shrunk(image: Picture, corners: NDArray[np.float64]) -> tuple[Picture, float]:
    """The picture at a size at which the board is about BOARD_PX wide, and the scale."""
    scale = min(1.0, BOARD_PX / max(board_width_px(as_corners(corners)), 1.0))
    if scale > 0.95:
        return image, 1.0
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), size[0] / image.shape[1]
