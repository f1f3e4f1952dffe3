"""Light or dark: the two kinds of checkers told apart by this picture's own colours.

The network judges each slot by itself and may waver where a dark kind mirrors the room or both are of wood. But a
picture holds two kinds only. The slots are parted in two so that colours follow from the kind and a slow change of
light over the board; then the network's votes, all together, and the kinds' brightness say which is the dark one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.rectify import COLUMN_PX, HEIGHT_PX, PANELS, SIDE_PX, WIDTH_PX, Panel

Floats = NDArray[np.float64]
Map = NDArray[np.floating[Any]]
Peak = tuple[float, float, float]
"""A local maximum of a map: x, y in canvas pixels and its height."""
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
STEADY = np.array([3.0, 12.0, 12.0])
"""How strongly a change over the board is doubted, in tops: lightness changes, colour hardly does."""
DOUBT = np.stack([np.diag([1e-3, 0.2, steady, steady]) for steady in STEADY])
"""Doubt (3, 4, 4) of each channel's level, difference between the kinds and change over the board."""


@dataclass(frozen=True, slots=True)
class Tops:
    """The tops that the maps show: colours (n, 3; Lab, lightness first and scaled), slots (n,; -1 elsewhere than on a
    point), places (n, 2; -1..1 over the canvas) and votes for dark (n,; log odds)."""

    colours: Floats
    places: Floats
    slots: NDArray[np.int64]
    votes: Floats


_NEAR = np.arange(-1, 2)
_NINE = np.ones((3, 3), np.uint8)


def peaks(heat: Map, least: float) -> list[Peak]:
    """Local maxima of a map over `least`, highest first."""
    height, width = heat.shape
    at = np.flatnonzero((heat >= cv2.dilate(heat, _NINE)) & (heat > least))
    if not len(at):
        return []
    ys, xs = np.divmod(at, width)
    edged = np.zeros((height + 2, width + 2))
    edged[1:-1, 1:-1] = heat
    around = edged[(ys[:, None] + _NEAR + 1)[:, :, None], (xs[:, None] + _NEAR + 1)[:, None, :]] ** 2
    total = around.sum(axis=(1, 2))
    down, right = ys + around.sum(axis=2) @ _NEAR / total, xs + around.sum(axis=1) @ _NEAR / total
    found = zip((4 * right + 1.5).tolist(), (4 * down + 1.5).tolist(), heat[ys, xs].tolist(), strict=True)
    return sorted(found, key=lambda p: -p[2])


def marked(maps: Map) -> list[Peak]:
    """The middles of the tops that the network's maps (5, 72, 88) show, clearest first."""
    return peaks(np.maximum(maps[0], maps[1]), FAINT)


def panel_of(x: float) -> Panel:
    """The canvas panel that x lies in."""
    return 0 if x < PANELS[0][1] else 1 if x < PANELS[1][1] else 2


def slot_at(x: float, y: float) -> int | None:
    """The slot whose column and row hold a canvas pixel, None outside all columns."""
    panel = panel_of(x)
    if panel == 1:
        return None
    column = int((x - PANELS[panel][0] - SIDE_PX) // COLUMN_PX)
    if not 0 <= column < 6:
        return None
    column += 6 if panel == 2 else 0
    return column if y < HEIGHT_PX / 2 else 12 + column


def tops_in(canvas: NDArray[np.uint8], maps: Map, middles: Sequence[Peak]) -> Tops:
    """Those of the tops at `middles` that lie on points."""
    found = []
    for x, y, _ in middles:
        slot = slot_at(x, y)
        if slot is not None and REACH <= round(x) < WIDTH_PX - REACH and REACH <= round(y) < HEIGHT_PX - REACH:
            found.append((x, y, slot))
    if not found:
        return Tops(np.zeros((0, 3)), np.zeros((0, 2)), np.zeros(0, np.int64), np.zeros(0))
    xs, ys, slots = (np.array(column) for column in zip(*found, strict=True))
    near = np.arange(-REACH, REACH + 1)
    rows, columns = np.round(ys).astype(int), np.round(xs).astype(int)
    patches = canvas[(rows[:, None] + near)[:, :, None], (columns[:, None] + near)[:, None, :]]
    lab = cv2.cvtColor(patches.reshape(len(found), -1, 3), cv2.COLOR_BGR2LAB)
    # The median passes over logos, rims and highlights.
    middle = lab.shape[1] // 2
    colours = np.partition(lab, middle, axis=1)[:, middle] * [LIGHTNESS, 1.0, 1.0]
    cells = np.clip((ys / 4).astype(int), 0, 71), np.clip((xs / 4).astype(int), 0, 87)
    votes = np.log(maps[1][cells] + 0.02) - np.log(maps[0][cells] + 0.02)
    return Tops(colours, np.column_stack([2 * xs / WIDTH_PX - 1, 2 * ys / HEIGHT_PX - 1]), slots, votes)


def shades(canvas: NDArray[np.uint8], maps: Map, middles: Sequence[Peak], dark: Floats) -> Floats:
    """The weight (24,) of dark against light in each slot; `dark` is what the network says of each by itself, `middles`
    what `marked` finds in its maps."""
    tops = tops_in(canvas, maps, middles)
    network = np.clip(np.log(dark + 1e-6) - np.log(1 - dark + 1e-6), -6, 6)
    colour = _parted(tops, network)
    if colour is None:
        return dark
    out = network.copy()
    seen = np.unique(tops.slots)
    out[seen] = 0.8 * network[seen] + colour[seen]
    return np.asarray(1 / (1 + np.exp(-out)))


def _parted(tops: Tops, network: Floats) -> Floats | None:
    """Log odds (24,) of each slot being dark, from colour; None where colours do not part the slots in two."""
    slots, owner, counts = np.unique(tops.slots, return_inverse=True, return_counts=True)
    if len(slots) < 3 or len(tops.slots) < 4:
        return None
    votes = np.bincount(owner, np.clip(tops.votes, -3, 3)) / counts + np.clip(network[slots], -4, 4)
    means = _medians(tops.colours, owner, counts)
    middle = means - means.mean(axis=0)
    _, _, axes = np.linalg.svd(middle, full_matrices=False)
    starts = [votes > 0, votes > np.median(votes), *(middle @ axis > 0 for axis in axes[:2]), middle[:, 0] < 0]
    tried: set[bytes] = set()
    fits = [fit for start in starts if (fit := _fitted(tops, owner, counts, start, tried)) is not None]
    if not fits:
        return None
    best = min(fits, key=lambda fit: fit.cost)
    if float(np.linalg.norm(best.offset)) < APART:
        return None
    side = best.side
    # Each kind has one voice, however many checkers of it there are; a brighter kind is not likely the dark one.
    lean = float(votes[side].mean() - votes[~side].mean()) - 0.1 * float(best.offset[0]) / LIGHTNESS
    out = np.zeros(24)
    out[slots] = np.sign(lean) * min(1.0, abs(lean) / 1.5) * np.clip(best.odds, -4, 4)
    return out


def _medians(values: Floats, owner: NDArray[np.intp], counts: NDArray[np.intp]) -> Floats:
    """The medians (owners, columns) of each owner's rows of `values`."""
    first = np.cumsum(counts) - counts
    low, high = first + (counts - 1) // 2, first + counts // 2
    columns = [column[np.lexsort((column, owner))] for column in values.T]
    return np.column_stack([(column[low] + column[high]) / 2 for column in columns])


@dataclass(frozen=True, slots=True)
class _Fit:
    """Slots parted in two: which are of the second kind, how much that kind's colour differs, log odds for it and what
    is left unexplained."""

    side: NDArray[np.bool_]
    offset: Floats
    odds: Floats
    cost: float


def _fitted(
    tops: Tops, owner: NDArray[np.intp], counts: NDArray[np.intp], start: NDArray[np.bool_], tried: set[bytes]
) -> _Fit | None:
    """Parts the slots from a first guess on; None if one of the two kinds dies out, or where it comes to a parting that
    has been `tried` and leads where that has led."""
    side = start
    # The level, the kind's difference and the change over the board.
    design = np.column_stack([np.ones(len(owner)), np.zeros(len(owner)), tops.places])
    plain = design.copy()
    trust = np.ones(len(owner))
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
        kind = side[owner]
        design[:, 1] = kind
        weighted = design * trust[:, None]
        sums = (weighted.T @ tops.colours).T[:, :, None]
        change = np.linalg.solve(weighted.T @ design + DOUBT, sums)[:, :, 0].T
        rest = tops.colours - plain @ change
        # A highlight on one top says little: beyond some distance all are as bad.
        first = np.minimum((rest**2).sum(axis=1) / NOISE**2, 16)
        second = np.minimum(((rest - change[1]) ** 2).sum(axis=1) / NOISE**2, 16)
        gain = np.bincount(owner, first - second) / np.sqrt(counts)
        trust = 1 / (1 + np.where(kind, second, first) / 4)
        again = gain > 0
        if (again == side).all():
            break
        side = again
    if side.all() or not side.any():
        return None
    own = np.where(side[owner], second, first)
    return _Fit(side, change[1], 0.5 * gain, float(own.sum() + 0.02 * (change[2:] ** 2).sum()))
