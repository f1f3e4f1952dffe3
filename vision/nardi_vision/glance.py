"""A quick look at a frame before anyone reads it: is it usable, did the camera move, the light change, a hand come in?

Everything here works on a small copy of the frame and on what was there before; nothing knows what a checker is.
"""

import math
from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.errors import EyeError
from nardi_vision.frame import Picture
from nardi_vision.geometry import Matrix, board_to_picture, board_width_px, move_corners, project
from nardi_vision.reading import Corners

SMALL_PX = 480
"""Width of the copy on which motion is measured: a shift is found to a tenth of its pixels."""
COARSE = 3
"""The copy on which things are compared is smaller still by this factor."""
KEPT = 3
"""Frames at rest that are remembered."""
CHANGED = 20.0
"""Change of a colour channel (0..255, light compensated) that counts as another thing being there."""
DETAILS = 150
"""How many details are followed."""
WINDOW = 17
"""The side of the window by which a detail is followed (px of the small copy)."""
AGREE_PX = 0.5
"""A detail that is this near to where a motion takes it agrees with the motion (px of the small copy)."""
Grey = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Glance:
    """What a quick look tells. Shares are of the playing surface's area unless said otherwise.

    - `level`: mean grey 0..255; `spread`: the grey's deviation within the board
    - `sharpness`: fine detail relative to the anchor's (1: the same)
    - `moved`: share that differs from the frame just before
    - `intruder`: share under something that reaches over the frame from outside, compared with the last settled frame
    - `motion`: anchor → this frame (3 × 3, px), None where it could not be found
    - `shift_px`: how far the farthest corner is from where the last motion that was followed had put it
    - `light`: largest change of a colour channel since the light was learned (log scale: 0.02 is 2 %)
    - `glare`: slots hidden by a reflection
    """

    t_ms: int
    level: float
    spread: float
    sharpness: float
    moved: float
    intruder: float
    motion: Matrix | None
    shift_px: float
    light: float
    glare: tuple[int, ...]


@dataclass(slots=True)
class _Anchor:
    """The frame to which later ones are compared: where its details lie."""

    grey: Grey
    points: Floats
    corners: Corners
    sharpness: float


@dataclass(frozen=True, slots=True)
class _Coarse:
    """A frame's coarse copy, and the motion anchor → frame at which it was taken."""

    picture: Floats
    motion: Matrix

    def seen_after(self, motion: Matrix, scale: float) -> Floats:
        """As it would look to the camera after `motion`."""
        small = np.diag([scale, scale, 1.0])
        change = small @ motion @ np.linalg.inv(small @ self.motion)
        height, width = self.picture.shape[:2]
        edge = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        if np.abs(project(change, edge) - edge).max() < 0.2:
            return self.picture
        moved = cv2.warpPerspective(self.picture, change, (width, height), borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(moved, np.float32)


class Watch:
    """Looks at frame after frame of one camera over one board.

    `anchor` begins (and begins again after the board was located anew); `look` judges a frame; `keep` makes the frame
    just looked at the one that hands are told by; `learn_light` the one that light is told by.
    """

    def __init__(self) -> None:
        self._anchor: _Anchor | None = None
        self._corners: Corners | None = None
        self._before: _Coarse | None = None
        self._kept: deque[_Coarse] = deque(maxlen=KEPT)
        self._lit: _Coarse | None = None
        self._now: _Coarse | None = None
        self._motion_kept: Matrix = np.eye(3)
        self._motion_now: Matrix = np.eye(3)
        self._coarse_scale = 1.0

    @property
    def anchored(self) -> bool:
        return self._anchor is not None

    def anchor(self, image: Picture, corners: Corners) -> None:
        """Take this frame, whose corners are known, as the one later frames are compared with."""
        scale = _scale(image)
        grey = _grey(image, scale)
        self._anchor = _Anchor(grey, _details(grey, corners, scale), corners, _sharpness(grey, corners, scale))
        self._corners = corners
        self._motion_kept = self._motion_now = np.eye(3)
        self._now = _Coarse(_coarse(image, scale), np.eye(3))
        self._before = None
        self._kept.clear()
        self._lit = None

    def look(self, image: Picture, t_ms: int) -> Glance:
        """Judge a frame. `anchor` must have been called."""
        anchor = self._anchor
        if anchor is None or self._corners is None:
            raise RuntimeError("look before anchor")
        scale = _scale(image)
        grey = _grey(image, scale)
        if grey.shape != anchor.grey.shape:
            raise EyeError("picture_size", width=image.shape[1], height=image.shape[0], remedy="calibrate")
        motion = self._motion(anchor, grey, scale)
        shift_px, seen_motion = 0.0, self._motion_kept
        if motion is not None:
            corners = move_corners(anchor.corners, motion)
            shift_px = max(math.dist(a, b) for a, b in zip(corners, self._corners, strict=True))
            seen_motion = motion
        self._motion_now = seen_motion
        now = _coarse(image, scale)
        coarse_scale = self._coarse_scale = scale / COARSE
        inside = _hull(self._corners, now.shape[:2], coarse_scale, 1.0)
        moved = light = intruder = 0.0
        if self._before is not None:
            # Not moved back into register: a camera that shakes is a picture that moves.
            moved = _share(_difference(self._before.picture, now, inside), inside)
        if self._lit is not None:
            light = float(np.abs(_gain(self._lit.seen_after(seen_motion, coarse_scale), now, inside)).max())
        for kept in reversed(self._kept):
            # A hand that was overlooked once, and so kept, is not found again wherever it has gone from: what the frame
            # before it shows as well is no intruder.
            there = self._intruder(kept.seen_after(seen_motion, coarse_scale), now, inside, coarse_scale)
            intruder = there if kept is self._kept[-1] else min(intruder, there)
            if intruder == 0:
                break
        self._before = self._now = _Coarse(now, seen_motion)
        patch = grey[inside_box(self._corners, grey.shape[:2], scale)]
        spread = float(patch.std()) if patch.size else 0.0
        sharp = _sharpness(grey, self._corners, scale) / max(anchor.sharpness, 1e-6)
        return Glance(
            t_ms=t_ms,
            level=float(grey.mean()),
            spread=spread,
            sharpness=sharp,
            moved=moved,
            intruder=intruder,
            motion=motion,
            shift_px=shift_px,
            light=light,
            glare=_glare(image, self._corners),
        )

    @property
    def corners(self) -> Corners | None:
        """Where the corners are: the anchor's, moved by every motion that was followed."""
        return self._corners

    def follow(self) -> None:
        """The motion just found is the camera's: the corners go with it."""
        if self._anchor is not None:
            self._motion_kept = self._motion_now
            self._corners = move_corners(self._anchor.corners, self._motion_kept)

    def keep(self) -> None:
        """The frame just looked at shows the board at rest, with nobody over it."""
        if self._now is not None:
            self._kept.append(self._now)
        if self._lit is None:
            self._lit = self._now
        elif self._now is not None:
            # The day's own slow change is followed, so that only a sudden one is called a change.
            lit = self._lit.seen_after(self._now.motion, self._coarse_scale)
            self._lit = _Coarse(np.asarray(0.7 * lit + 0.3 * self._now.picture, np.float32), self._now.motion)

    def learn_light(self) -> None:
        """The light of the frame just looked at is the one that counts from now on."""
        self._lit = self._now

    def _motion(self, anchor: _Anchor, grey: Grey, scale: float) -> Matrix | None:
        """Anchor px → frame px, from details followed from one to the other; None where too few agree."""
        if len(anchor.points) < 12:
            return None
        small = np.diag([scale, scale, 1.0])
        guess = small @ self._motion_kept @ np.linalg.inv(small)
        start = project(guess, anchor.points[:, 0].astype(np.float64)).astype(np.float32)[:, None]
        ends, found, _ = cv2.calcOpticalFlowPyrLK(
            anchor.grey,
            grey,
            anchor.points,
            start.copy(),
            winSize=(WINDOW, WINDOW),
            maxLevel=3,
            criteria=(cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 15, 0.02),
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )
        good = found[:, 0].astype(bool)
        if good.sum() < 12:
            return None
        before, after = anchor.points[good, 0], ends[good, 0]
        matrix, _ = cv2.findHomography(before, after, cv2.RANSAC, AGREE_PX, maxIters=500)
        if matrix is None:
            return None
        agree, still = _agree(matrix, before, after), _agree(guess, before, after)
        if still.sum() >= 0.8 * agree.sum():
            # Few more details tell of this motion than of none: they are checkers that were moved, or the noise of all.
            matrix, agree = guess, still
        if agree.sum() < max(12, 0.2 * len(anchor.points)) or not _spread_out(after[agree], anchor.corners, scale):
            return None
        motion = np.asarray(np.linalg.inv(small) @ matrix @ small, np.float64)
        return motion if np.isfinite(motion).all() else None

    def _intruder(self, kept: Floats, now: Floats, inside: Mask, scale: float) -> float:
        """The share of the surface under connected changes that reach well beyond its edges: arms come from outside."""
        assert self._corners is not None
        # The board's own lines, at which a change counts for less, must not cut an arm in pieces.
        changed = cv2.morphologyEx(_difference(kept, now, inside), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        changed = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        reach = 0.8 * board_width_px(self._corners) / 12 * scale
        size = 2 * max(1, round(reach)) + 1
        around = cv2.dilate(inside, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
        area = max(1, int((inside > 0).sum()))
        covered = 0
        for label in range(1, count):
            if stats[label, cv2.CC_STAT_AREA] < 0.004 * area:
                continue
            part = labels == label
            within = int((part & (inside > 0)).sum())
            if within and bool((part & (around == 0)).any()):
                covered += within
        return covered / area


def inside_box(corners: Corners, shape: tuple[int, ...], scale: float) -> tuple[slice, slice]:
    """The rows and columns of the small copy that the corners span."""
    points = np.asarray(corners) * scale
    low = np.maximum(np.floor(points.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(points.max(axis=0)).astype(int) + 1, [shape[1], shape[0]])
    return slice(low[1], high[1]), slice(low[0], high[0])


def unusable(image: Picture) -> tuple[float, float]:
    """(mean grey, deviation of the grey) of a whole frame, for frames before any board is known."""
    grey = _grey(image, _scale(image))
    return float(grey.mean()), float(grey.std())


def _scale(image: Picture) -> float:
    return float(min(1.0, SMALL_PX / max(image.shape[:2])))


def _grey(image: Picture, scale: float) -> Grey:
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def _coarse(image: Picture, scale: float) -> Floats:
    size = (round(image.shape[1] * scale / COARSE), round(image.shape[0] * scale / COARSE))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)


def _hull(corners: Corners, shape: tuple[int, ...], scale: float, grow: float) -> Mask:
    """A mask of the quadrangle, grown about its middle."""
    points = np.asarray(corners, np.float64) * scale
    middle = points.mean(axis=0)
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(middle + (points - middle) * grow).astype(np.int32), 255)
    return mask


def _sharpness(grey: Grey, corners: Corners, scale: float) -> float:
    """Energy of the finest detail relative to that of coarser detail: independent of light and contrast."""
    patch = grey[inside_box(corners, grey.shape, scale)]
    if min(patch.shape, default=0) < 16:
        return 0.0
    fine = cv2.Laplacian(patch, cv2.CV_32F)
    coarse = cv2.Laplacian(cv2.resize(patch, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA), cv2.CV_32F)
    return math.sqrt(float((fine**2).mean())) / (math.sqrt(float((coarse**2).mean())) + 1.0)


def _gain(before: Floats, now: Floats, mask: Mask) -> NDArray[np.float64]:
    """Median log ratio of each colour channel between two coarse pictures, over what is neither black nor burnt out."""
    a, b = before[mask > 0], now[mask > 0]
    # Column by column: numpy reduces a short last axis thirty times slower.
    low, high = np.minimum(a, b), np.maximum(a, b)
    usable = np.minimum(np.minimum(low[:, 0], low[:, 1]), low[:, 2]) > 12
    usable &= np.maximum(np.maximum(high[:, 0], high[:, 1]), high[:, 2]) < 245
    if usable.sum() < 50:
        # Too little is left to compare channel by channel; the overall level still tells lamp from no lamp.
        ratio = math.log((float(b.mean()) + 2.0) / (float(a.mean()) + 2.0)) if len(a) else 0.0
        return np.full(3, ratio)
    return np.asarray(np.median(np.log(b[usable] / a[usable]), axis=0), np.float64)


def _difference(before: Floats, now: Floats, mask: Mask) -> Mask:
    """Where two coarse pictures show different things, a change of the light's level or colour set aside."""
    gain = np.exp(np.clip(_gain(before, now, mask), -1.5, 1.5)).astype(np.float32)
    gaps = np.abs(now - np.minimum(before * gain, 255.0))
    gap = np.maximum(np.maximum(gaps[:, :, 0], gaps[:, :, 1]), gaps[:, :, 2])
    # An edge that moved by a fraction of a pixel is not another thing.
    grey = cv2.transform(before, np.full((1, 3), 1 / 3, np.float32))
    slack = cv2.dilate(grey, np.ones((3, 3), np.uint8)) - cv2.erode(grey, np.ones((3, 3), np.uint8))
    return np.asarray((gap > CHANGED + 0.35 * slack).astype(np.uint8) * 255, np.uint8)


def _share(changed: Mask, inside: Mask) -> float:
    area = cv2.countNonZero(inside)
    return cv2.countNonZero(changed & inside) / area if area else 0.0


def _details(grey: Grey, corners: Corners, scale: float) -> Floats:
    """Details to follow, (n, 1, 2) px: as many around the playing surface as on it.

    Checkers have the strongest, and move; with few others, nothing near a corner may be left to tell where it is.
    """
    surface = _hull(corners, grey.shape[:2], scale, 1.0)
    # So far out that no checker is in the window by which a detail is followed.
    near = cv2.dilate(surface, np.ones((WINDOW, WINDOW), np.uint8))
    around = cv2.subtract(_hull(corners, grey.shape[:2], scale, 1.22), near)
    found = (cv2.goodFeaturesToTrack(grey, DETAILS // 2, 0.01, 7, mask=mask) for mask in (surface, around))
    points = [np.asarray(some, np.float32) for some in found if some is not None]
    return np.concatenate(points) if points else np.zeros((0, 1, 2), np.float32)


def _agree(motion: Matrix, before: Floats, after: Floats) -> NDArray[np.bool_]:
    """Which details went where the motion takes them; all in px of the small copy."""
    gaps = project(motion, before.astype(np.float64)) - after
    return np.asarray(np.hypot(gaps[:, 0], gaps[:, 1]) < AGREE_PX, np.bool_)


def _spread_out(points: Floats, corners: Corners, scale: float) -> bool:
    """Whether points span enough of the board to say where its corners went."""
    hull = cv2.contourArea(cv2.convexHull(points.astype(np.float32)))
    board = cv2.contourArea((np.asarray(corners) * scale).astype(np.float32))
    return bool(hull > 0.3 * board)


COLUMNS, ROWS = 48, 40
"""The rectified picture in which reflections are looked for: four pixels a column."""


def _glare(image: Picture, corners: Corners) -> tuple[int, ...]:
    """Slots of which a burnt-out patch, wider than a checker, hides a third or more."""
    matrix = np.diag([COLUMNS, ROWS, 1.0]) @ np.linalg.inv(board_to_picture(corners))
    # Nearest pixels do: a burnt-out patch is large, and a point's own white stripe is not burnt out.
    flat = cv2.warpPerspective(image, matrix, (COLUMNS, ROWS), flags=cv2.INTER_NEAREST)
    burnt = (flat.min(axis=2) >= 250).astype(np.uint8)
    # Wider than a checker both ways: white checkers under a lamp burn out too, but only one column wide.
    wide = cv2.morphologyEx(burnt, cv2.MORPH_OPEN, np.ones((6, 6), np.uint8))
    if not wide.any():
        return ()
    slots = []
    for slot in range(24):
        column = slot % 12 * 4
        rows = slice(0, ROWS * 4 // 10) if slot < 12 else slice(ROWS - ROWS * 4 // 10, ROWS)
        if wide[rows, column : column + 4].mean() >= 1 / 3:
            slots.append(slot)
    return tuple(slots)
