"""Light or dark: the two kinds of checkers told apart by this picture's own colours.

The network judges each slot by itself and may waver where a dark kind mirrors the room or both are of wood. But a
picture holds two kinds only. The slots are parted in two so that colours follow from the kind and a slow change of
light over the board; then the network's votes, all together, and the kinds' brightness say which is the dark one.
"""

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.rectify import COLUMN_PX, HEIGHT_PX, WIDTH_PX, column_left

Floats = NDArray[np.float64]
Map = NDArray[np.floating[Any]]
Peaks = Floats
"""Local maxima (n, 3) of a map: x, y in canvas pixels and their height; the highest first."""
FILLED = 0.8
"""Tops on a slot that is told to hold checkers with less weight than this are left aside: rings and points of a
checker's size look like tops, and would be taken for a kind of their own."""
OWN = 0.8
"""How much the network's word of a slot counts beside the picture's colours."""
FAINT = 0.25
"""A top that the map shows more faintly than this is none."""
REACH = 4
"""Canvas pixels round a top's middle whose colours are taken."""
LIGHTNESS = 0.3
"""How much a difference in lightness counts beside one in colour: light varies over the board, colour hardly."""
NOISE = 4.0
"""How far, in those units, two tops of one kind under one light usually are from each other."""
APART = 5.0
"""How far the two kinds must be from each other for colours to be believed."""
_PER_NOISE = np.full(3, NOISE**-2)
DOUBTS = ((slice(0, 1), np.diag([1e-3, 3.0, 3.0, 0.2])), (slice(1, 3), np.diag([1e-3, 12.0, 12.0, 0.2])))
"""How strongly, in tops, the channels' (lightness; colour) level, change over the board in x and y, and difference
between the kinds are doubted: lightness changes, colour hardly does."""


CELL_PX = 4
"""The canvas's pixels along a side of one cell of the network's maps."""
_NEAR = np.arange(-1, 2)
_PATCH = np.arange(-REACH, REACH + 1)
_AROUND = (_NEAR[:, None] * (WIDTH_PX // CELL_PX + 2) + _NEAR).ravel()
"""Where in a map with a cell more on every side, as a flat index, a cell and its eight neighbours lie."""
_MOMENTS = np.stack([np.ones(9), np.tile(_NEAR, 3), np.repeat(_NEAR, 3)], axis=1)
"""What weighs nine cells to their sum and its moments across and down."""
_TOP = (_PATCH[:, None] * WIDTH_PX + _PATCH).ravel()
"""Likewise in the canvas, a top's pixels round its middle."""


def _columns() -> NDArray[np.int64]:
    out = np.full((HEIGHT_PX, WIDTH_PX), -1)
    for slot in range(24):
        left = column_left(slot)
        rows = slice(REACH, HEIGHT_PX // 2) if slot < 12 else slice(HEIGHT_PX // 2, -REACH)
        out[rows, left : left + COLUMN_PX] = slot
    return out


SLOTS = _columns()
"""The slot (288, 352) whose column and row hold a canvas pixel; -1 outside all columns and at the canvas's edge."""


def peaks(heat: Map, least: float) -> Peaks:
    """Local maxima of a map (72, 88) over `least` > 0."""
    edged = cv2.copyMakeBorder(heat, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    width, flat = edged.shape[1], edged.ravel()
    at = np.flatnonzero(flat > least)
    if not len(at):
        return np.zeros((0, 3))
    around = flat[at[:, None] + _AROUND].astype(float)
    highest = around[:, 4] >= around.max(axis=1)
    at, around = at[highest], around[highest]
    total, right, down = (around**2 @ _MOMENTS).T
    found = np.empty((len(at), 3))
    found[:, 0] = CELL_PX * (at % width - 1 + right / total) + 1.5
    found[:, 1] = CELL_PX * (at // width - 1 + down / total) + 1.5
    found[:, 2] = around[:, 4]
    return found[np.argsort(-found[:, 2], kind="stable")]


def marked(maps: Map) -> Peaks:
    """The middles of the tops that the network's maps (5, 72, 88) show."""
    return peaks(np.maximum(maps[0], maps[1]), FAINT)


def log_odds(weights: Floats, most: float) -> Floats:
    """Of weights 0..1, within `most` either way."""
    return np.log((weights + 1e-6) / (1 - weights + 1e-6)).clip(-most, most)


@dataclass(frozen=True, slots=True)
class _Tops:
    """The tops that the maps show on points: colours (n, 3; Lab, lightness first and scaled), places (n, 2; -1..1 over
    the canvas) and votes for dark (n,; log odds).

    `slots` (k,): those that they lie on; `owner` (n,): which of them each lies on; `counts` (k,): how many on each.
    """

    colours: Floats
    places: Floats
    votes: Floats
    slots: NDArray[np.intp]
    owner: NDArray[np.intp]
    counts: NDArray[np.intp]


def _tops(canvas: NDArray[np.uint8], maps: Map, middles: Peaks, filled: NDArray[np.bool_]) -> _Tops | None:
    """Those of the tops at `middles` that lie on points that are `filled` (24,); None if there are too few to part them
    in two."""
    column, row = np.rint(middles[:, :2]).astype(int).T
    held = SLOTS[row, column]
    on = (held >= 0) & filled[held]
    held = held[on]
    each = np.bincount(held, minlength=24)
    slots = each.nonzero()[0]
    if len(slots) < 3 or len(held) < 4:
        return None
    places, column, row = middles[on, :2], column[on], row[on]
    patches = canvas.reshape(-1, 3).take((row * WIDTH_PX + column)[:, None] + _TOP, axis=0)
    lab = cv2.cvtColor(patches, cv2.COLOR_BGR2LAB)
    # The median passes over logos, rims and highlights.
    middle = lab.shape[1] // 2
    colours = np.partition(lab, middle, axis=1)[:, middle] * [LIGHTNESS, 1.0, 1.0]
    light, dark = maps[:2, row // CELL_PX, column // CELL_PX].astype(float) + 0.02
    over = places * [2 / WIDTH_PX, 2 / HEIGHT_PX] - 1
    rank = (each > 0).cumsum() - 1
    return _Tops(colours, over, np.log(dark / light), slots, rank[held], each[slots])


def shades(canvas: NDArray[np.uint8], maps: Map, middles: Peaks, dark: Floats, empty: Floats) -> Floats:
    """The weight (24,) of dark against light in each slot; `dark` is what the network says of each by itself, `empty`
    (24,) the weight it gives to there being nothing, `middles` what `marked` finds in its maps."""
    tops = _tops(canvas, maps, middles, empty < 1 - FILLED)
    if tops is None:
        return dark
    odds = log_odds(dark, 6)
    colour = _parted(tops, odds[tops.slots])
    if colour is None:
        return dark
    odds[tops.slots] = OWN * odds[tops.slots] + colour
    return np.asarray(1 / (1 + np.exp(-odds)))


def _parted(tops: _Tops, network: Floats) -> Floats | None:
    """Log odds (k,) of each of the tops' slots being dark, from colour; None where colours do not part them in two.
    `network` (k,): what the network says."""
    votes = np.bincount(tops.owner, tops.votes.clip(-3, 3)) / tops.counts + network.clip(-4, 4)
    means = _medians(tops)
    middle = means - means.mean(axis=0)
    _, _, axes = cv2.eigen(middle.T @ middle)
    starts = votes > 0, votes > _median(votes), *(axes[:2] @ middle.T > 0), middle[:, 0] < 0
    design = np.ones((len(tops.owner), 4))
    design[:, 1:3] = tops.places
    tried: set[bytes] = set()
    fits = [fit for start in starts if (fit := _fitted(tops, design, start, tried)) is not None]
    if not fits:
        return None
    best = min(fits, key=lambda fit: fit.cost)
    if math.hypot(*best.offset) < APART:
        return None
    side = best.side
    # Each kind has one voice, however many checkers of it there are; a brighter kind is not likely the dark one.
    lean = float(votes[side].mean() - votes[~side].mean()) - 0.1 * float(best.offset[0]) / LIGHTNESS
    return np.asarray(min(max(lean / 1.5, -1.0), 1.0) * best.odds.clip(-4, 4))


def _median(values: Floats) -> float:
    ordered = np.sort(values)
    return float(ordered[(len(values) - 1) // 2] + ordered[len(values) // 2]) / 2


def _medians(tops: _Tops) -> Floats:
    """The median colours (k, 3) of each slot's tops."""
    # Sorted all at once: what keeps slots apart is more than any colour.
    apart = 1000.0 * tops.owner[:, None]
    ordered = np.sort(tops.colours + apart, axis=0) - apart[np.argsort(tops.owner, kind="stable")]
    first = tops.counts.cumsum() - tops.counts
    return np.asarray(ordered[first + (tops.counts - 1) // 2] + ordered[first + tops.counts // 2]) / 2


@dataclass(frozen=True, slots=True)
class _Fit:
    """Slots parted in two: which are of the second kind, how much that kind's colour differs, log odds for it and what
    is left unexplained."""

    side: NDArray[np.bool_]
    offset: Floats
    odds: Floats
    cost: float


def _fitted(tops: _Tops, design: Floats, start: NDArray[np.bool_], tried: set[bytes]) -> _Fit | None:
    """Parts the slots from a first guess on; None if one of the two kinds dies out, or where it comes to a parting that
    has been `tried` and leads where that has led. `design` (n, 4): what colours follow from: the level, the change over
    the board (x, y) and the kind, which is filled in here."""
    side = start
    trust = np.ones((len(design), 1))
    change = np.empty((4, 3))
    path: set[bytes] = set()
    for _ in range(8):
        # Whichever of the two kinds is called the second.
        parting = (side ^ side[0]).tobytes()
        if parting in path:
            break
        if parting in tried or not any(parting):
            return None
        path.add(parting)
        tried.add(parting)
        kind = side[tops.owner]
        design[:, 3] = kind
        weighted = (design * trust).T
        grams, sums = weighted @ design, weighted @ tops.colours
        for channels, doubt in DOUBTS:
            # (For systems this small numpy takes several times as long.)
            change[:, channels] = cv2.solve(grams + doubt, sums[:, channels], flags=cv2.DECOMP_CHOLESKY)[1]
        rest = tops.colours - design[:, :3] @ change[:3]
        # A highlight on one top says little: beyond some distance all are as bad.
        first = np.minimum(rest**2 @ _PER_NOISE, 16)
        second = np.minimum((rest - change[3]) ** 2 @ _PER_NOISE, 16)
        gain = np.bincount(tops.owner, first - second) / np.sqrt(tops.counts)
        trust = 4 / (4 + np.where(kind, second, first)[:, None])
        again = gain > 0
        if (again == side).all():
            break
        side = again
    if side.all() or not side.any():
        return None
    own = np.where(side[tops.owner], second, first)
    return _Fit(side, change[3], 0.5 * gain, float(own.sum() + 0.02 * (change[1:3] ** 2).sum()))
