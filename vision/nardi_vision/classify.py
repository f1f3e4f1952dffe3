"""One picture of a board whose corners are known, read: what stands on every point, on the bar, the dice, the cube, a
hand."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardi_vision.astride import astride
from nardi_vision.dice import FaceReader, Spot
from nardi_vision.layout import LayoutFinder
from nardi_vision.learned import LearnedBoard
from nardi_vision.network import DATA, Network, folded_blob
from nardi_vision.reading import MOST, BoardReading, CubeReading, DieReading, EyeFault, Pile, Slot
from nardi_vision.rectify import COLUMN_PX, HEIGHT_PX, PANELS, TOP_PX, Layout, Rectifier, checked, column_left
from nardi_vision.shade import CELL_PX, SLOTS, Map, Peaks, marked, peaks, shades
from nardi_vision.synth.contents import BoardContents

__all__ = ["LearnedBoard", "Reader"]

BOTTOM, TOTAL, BAR = 10, 16, 6
FOLD = 4
"""The board's network sees each square of so many pixels a side as one, its pixels as channels."""
SURE = 0.75
"""A picture of which anything is told with less weight than this is looked at from four sides."""
TOLD = 0.98
"""Kinds told apart with this weight by what is known of a board need no comparing within the picture."""
TOP = 0.3
"""A top that the map shows more faintly than this bears no die."""
DIAMETER = 0.93
"""Columns across a usual checker."""
_OVER = slice(TOP_PX // CELL_PX, (HEIGHT_PX - TOP_PX) // CELL_PX)
"""The rows of the maps that lie over the playing surface."""
HAND_CELLS = 0.005
"""A hand is in view when it covers more than this share of the canvas."""


@dataclass(frozen=True, slots=True)
class Glance:
    """What the board's network says of one canvas.

    `bottom` (24, 10) and `total` (24, 16): weights of the bottom row's and of all layers' counts; `dark` (24,): of
    dark against light;
    `covered` (24,); `bar` (2, 6): light and dark counts; `maps` (5, 72, 88): tops light and dark, dice, cube, covered.
    """

    bottom: NDArray[np.float64]
    total: NDArray[np.float64]
    dark: NDArray[np.float64]
    covered: NDArray[np.float64]
    bar: NDArray[np.float64]
    maps: Map

    def turned(self) -> "Glance":
        """As if the canvas had been turned by half a turn."""
        maps = np.ascontiguousarray(self.maps[:, ::-1, ::-1])
        return Glance(self.bottom[::-1], self.total[::-1], self.dark[::-1], self.covered[::-1], self.bar, maps)

    def mirrored(self) -> "Glance":
        """As if the canvas had been seen in a mirror, left and right exchanged."""
        own = np.arange(24).reshape(2, 12)[:, ::-1].ravel()
        maps = np.ascontiguousarray(self.maps[:, :, ::-1])
        return Glance(self.bottom[own], self.total[own], self.dark[own], self.covered[own], self.bar, maps)

    def bare(self, alike: NDArray[np.bool_]) -> "Glance":
        """Without hands where the canvas's cells (72, 88) look as they did with none over them."""
        maps = self.maps.copy()
        maps[4, alike] = 0
        return replace(self, maps=maps)


def together(glances: Sequence[Glance]) -> Glance:
    """What several looks at the same board say on average."""

    def mean(name: str) -> NDArray[Any]:
        return np.asarray(np.mean([getattr(glance, name) for glance in glances], axis=0))

    return Glance(mean("bottom"), mean("total"), mean("dark"), mean("covered"), mean("bar"), mean("maps"))


@dataclass(frozen=True, slots=True)
class Look:
    """A glance, the middles of the tops in its maps, and the weight (24,) of dark against light by the board's colours,
    as known or as the picture has them."""

    seen: Glance
    middles: Peaks
    dark: NDArray[np.float64]

    @property
    def sure(self) -> bool:
        """Whether the bar, every slot that is not covered and whether there is a hand are told with little doubt."""
        seen = self.seen
        shade = np.where(seen.bottom[:, 0] > 0.5, 1, np.maximum(self.dark, 1 - self.dark))
        slots = (np.minimum(seen.bottom.max(axis=1), shade) > SURE) | (seen.covered > 0.35)
        hand = 0.4 < hand_cells(seen.maps) / HAND_CELLS < 2.5
        return bool(slots.all() and (seen.bar.max(axis=1) > SURE).all() and not hand)


def hand_cells(maps: Map) -> float:
    """The share of the canvas that the network's maps say a hand covers: over the surface, not over what may lie
    beside the board, of which nothing is ever known."""
    return float(np.count_nonzero(maps[4, _OVER] > 0.5) / maps[4].size)


def looked(canvas: NDArray[np.uint8], seen: Glance, known: LearnedBoard | None) -> Look:
    """What follows from a glance at a canvas."""
    middles, empty = marked(seen.maps), seen.bottom[:, 0]
    if known is not None:
        dark = known.shades(canvas, seen.dark)
        if (np.maximum(dark, 1 - dark)[empty < 0.5] > TOLD).all():
            return Look(seen, middles, dark)
    dark = shades(canvas, seen.maps, middles, seen.dark, empty)
    return Look(seen, middles, dark if known is None else known.shades(canvas, dark))


def sigmoid(logits: NDArray[Any]) -> NDArray[Any]:
    """Of the same type as `logits`."""
    out = np.tanh(logits * 0.5)
    out *= 0.5
    out += 0.5
    return np.asarray(out)


class Reader:
    """Reads single pictures; with a `LearnedBoard`, better."""

    def __init__(self, weights: Path | None = None) -> None:
        """`weights`: a folder with the networks' files (default: those that ship with the package)."""
        folder = weights or DATA
        self._board = Network(folder / "board.onnx.xz", winograd=True)
        self._layouts = LayoutFinder(Network(folder / "plan.onnx.xz", winograd=True))
        self._faces = FaceReader(*(Network(folder / f"{name}.onnx.xz", winograd=True) for name in ("die", "cube")))

    def layout(self, frame: NDArray[np.uint8], corners: Sequence[Sequence[float]]) -> Layout:
        """Where the columns are; EyeError if the corners are no quadrangle."""
        return self._layouts.find(frame, checked(corners))

    def glance(self, canvas: NDArray[np.uint8]) -> Glance:
        """Runs the board's network on a canvas."""
        slots, bar, maps = self._board.run(folded_blob(canvas, FOLD), ("slots", "bar", "maps"))
        return arranged(slots[0], bar[0], maps[0])

    def _look(
        self, frame: NDArray[np.uint8], rectifier: Rectifier, canvas: NDArray[np.uint8], known: LearnedBoard | None
    ) -> tuple[Look, tuple[DieReading, ...]]:
        """Looks at a canvas; at one that is not `known`, where that leaves doubt, from the other side of the table and
        in a mirror too."""
        first = looked(canvas, self.glance(canvas), known)
        if known is not None or first.sure:
            dice = self._dice(frame, rectifier, first)
            # What is found and cannot be read is no die, as often as not.
            if known is not None or all(die.value is not None for die in dice):
                return first, dice
        across, mirror, both = (
            self.glance(np.ascontiguousarray(view)) for view in (canvas[::-1, ::-1], canvas[:, ::-1], canvas[::-1])
        )
        views = first.seen, across.turned(), mirror.mirrored(), both.turned().mirrored()
        every = looked(canvas, together(views), None)
        return every, self._dice(frame, rectifier, every)

    def read(
        self,
        frame: NDArray[np.uint8],
        corners: Sequence[Sequence[float]],
        *,
        t_ms: int = 0,
        per_side: int = MOST,
        known: LearnedBoard | None = None,
    ) -> BoardReading:
        """Reads a frame (rows, columns, 3) BGR whose `corners` are in the order of `nardi_vision.reading`."""
        size = (frame.shape[1], frame.shape[0])
        layout = known.layout if known is not None else self.layout(frame, corners)
        rectifier = Rectifier(corners, size, layout)
        canvas = rectifier.canvas(frame)
        look, dice = self._look(frame, rectifier, canvas, known)
        seen, upper = look.seen, layered(look.seen)
        crooked: frozenset[int] = frozenset()
        if known is None:
            slots = slots_of(seen, look.dark, upper, per_side)
        else:
            changes = known.changes(canvas)
            if seen.maps[4].max() > 0.5:
                seen = seen.bare(changes.alike())
            slots = known.steadied(changes, slots_of(seen, look.dark, upper, per_side))
            crooked = astride(seen.maps, look.middles, upper, changes)
            for n in crooked:
                if not slots[n].occluded:
                    slots[n] = replace(slots[n], fault=EyeFault.ASTRIDE)
        hand = hand_cells(seen.maps) > HAND_CELLS
        cube = self._cube(frame, rectifier, seen.maps[3])
        faults = [EyeFault.HAND] if hand or any(s.occluded for s in slots) else []
        if any(s.confidence < 0.6 and not s.occluded for s in slots):
            faults.append(EyeFault.DOUBT)
        if crooked and not hand:
            faults.append(EyeFault.ASTRIDE)
        light, dark_bar = (_spread(weights, MOST + 1) for weights in seen.bar.tolist())
        bar = Pile(light, dark_bar, _bar_covered(seen.maps[4]))
        return BoardReading(
            t_ms=t_ms,
            points=tuple(slots),
            bar=bar,
            off=borne_off(slots, bar, per_side),
            dice=dice,
            cube=cube,
            settled=not hand,
            hand=hand,
            faults=tuple(faults),
            corners=tuple((float(x), float(y)) for x, y in rectifier.corners),  # type: ignore[arg-type]
        )

    def _dice(self, frame: NDArray[np.uint8], rectifier: Rectifier, look: Look) -> tuple[DieReading, ...]:
        found = spots(rectifier, look.seen.maps[2], 0.2, 0.3)
        if not found:
            return ()
        return self._faces.dice(frame, rectifier, found, rectifier.places(bearing(look)))

    def _cube(self, frame: NDArray[np.uint8], rectifier: Rectifier, heat: Map) -> CubeReading | None:
        read = (self._faces.cube(frame, rectifier, spot) for spot in spots(rectifier, heat, 0.2, 0.6)[:2])
        return next((cube for cube in read if cube is not None), None)

    def learn(
        self, frame: NDArray[np.uint8], corners: Sequence[Sequence[float]], contents: BoardContents
    ) -> LearnedBoard:
        """This board's look, from a picture whose contents (in image order) are known."""
        board = LearnedBoard(self.layout(frame, corners))
        board.update(frame, corners, contents)
        return board


def arranged(slots: NDArray[np.float32], bar: NDArray[np.float32], maps: NDArray[np.float32]) -> Glance:
    """The network's outputs by slot: it gives (28, 2, 12), columns by rows."""
    grid = slots.astype(float).reshape(-1, 24).T
    odds, bar_odds = np.exp(grid.clip(-300, 300)), np.exp(bar.astype(float).clip(-300, 300)).reshape(2, BAR)
    return Glance(
        bottom=_shares(odds[:, :BOTTOM]),
        total=_shares(odds[:, BOTTOM : BOTTOM + TOTAL]),
        dark=odds[:, -2] / (1 + odds[:, -2]),
        covered=odds[:, -1] / (1 + odds[:, -1]),
        bar=_shares(bar_odds),
        maps=sigmoid(maps),
    )


def _shares(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each row's sum."""
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def slots_of(seen: Glance, dark: NDArray[np.float64], upper: NDArray[np.bool_], per_side: int) -> list[Slot]:
    """The weights of every content of each slot. `upper` (24,): what `layered` says."""
    # The two heads are two opinions on slots of one layer, which is nearly all of them.
    likely = seen.bottom > 0.02
    share = 0.5 * np.minimum(1.0, (seen.total[:, :BOTTOM] * likely).sum(axis=1, keepdims=True))
    weights = (1 - share) * seen.total
    weights[:, :BOTTOM] += share * seen.bottom
    weights[:, per_side + 1 :] = 0
    weights = np.maximum(weights, 1e-6)
    weights /= weights.sum(axis=1, keepdims=True)
    row = seen.bottom.argmax(axis=1)
    for index in np.nonzero(upper & (weights.max(axis=1) < 0.6))[0]:
        # Where upper layers make the sum doubtful, the bottom row, which is seen, is no worse a reading.
        own = weights[index]
        own[row[index]] = max(own[row[index]], own.max() * 1.05)
        own /= own.sum()
    light = weights[:, 1:] * (1 - dark)[:, None]
    deep = weights[:, 1:] * dark[:, None]
    covered = (seen.covered > 0.35) | (bases(seen.maps[4] > 0.5) > 0.3)
    return [
        Slot(empty, tuple(pale), tuple(black), over, EyeFault.HAND if over else None)
        for empty, pale, black, over in zip(
            weights[:, 0].tolist(), light.tolist(), deep.tolist(), covered.tolist(), strict=True
        )
    ]


def bearing(look: Look) -> NDArray[np.float64]:
    """Where on the canvas (n, 2) the middles of tops are that may bear a die.

    A die is taken for a top itself now and then: where no checkers are counted there are none. And it hides the top
    that it lies on; the count tells of that all the same.
    """
    tops, seen = look.middles[look.middles[:, 2] > TOP, :2], look.seen
    column, row = np.rint(tops).astype(int).T
    slots = SLOTS[row, column]
    into = np.where(slots < 12, tops[:, 1], HEIGHT_PX - tops[:, 1]) - TOP_PX
    beyond = into > (seen.bottom.argmax(axis=1)[slots] + 0.6) * COLUMN_PX
    on_bar = bool(seen.bar[:, 0].min() < 0.5)
    return np.concatenate([tops[np.where(slots < 0, on_bar, ~beyond)], counted(seen.bottom)])


def counted(bottom: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where on the canvas (n, 2) the tops of bottom rows whose counts `bottom` (24, 10) are told for sure should be."""
    rows = np.where(bottom.max(axis=1) > SURE, bottom.argmax(axis=1), 0)
    slots = np.repeat(np.arange(24), rows)
    nth = np.arange(len(slots)) - np.repeat(rows.cumsum() - rows, rows)
    along = TOP_PX + DIAMETER * COLUMN_PX * (nth + 0.5)
    return np.column_stack([_MIDDLES[slots], np.where(slots < 12, along, HEIGHT_PX - along)])


_MIDDLES = np.array([column_left(slot) + COLUMN_PX / 2 for slot in range(24)])
"""The canvas x (24,) of the middle of each slot's column."""


def layered(seen: Glance) -> NDArray[np.bool_]:
    """Where (24,) more checkers are likely than lie in the bottom row."""
    row = seen.bottom.argmax(axis=1)
    return np.asarray((seen.total * (np.arange(TOTAL) > row[:, None])).sum(axis=1) > 0.5)


def spots(rectifier: Rectifier, heat: Map, least: float, apart: float) -> list[Spot]:
    """Peaks of a map as places in the frame; one seen in two panels counts once (`apart` columns)."""
    side = rectifier.corners[1] - rectifier.corners[0]
    near = apart * rectifier.layout.width * math.hypot(side[0], side[1])
    found: list[Spot] = []
    middles = peaks(heat, least)
    if not len(middles):
        return []
    for (x, y), weight in zip(rectifier.places(middles[:, :2]).tolist(), middles[:, 2].tolist(), strict=True):
        if all(math.hypot(x - spot.pixel[0], y - spot.pixel[1]) > near for spot in found):
            found.append(Spot((x, y), weight))
    return found


def _spread(weights: Sequence[float], length: int) -> tuple[float, ...]:
    """Weights 0..5 as weights 0..length - 1, the last of them standing for itself and more."""
    out = [weight + 1e-6 for weight in weights[:-1]]
    out += [weights[-1] * 0.5**more + 1e-6 for more in range(1, length - len(out) + 1)]
    total = sum(out)
    return tuple(weight / total for weight in out)


_BASE_ROWS = np.zeros((2, 72), np.float32)
_BASE_ROWS[0, 6:19] = _BASE_ROWS[1, 53:66] = 1 / 13
_BASE_COLUMNS = np.zeros((88, 12), np.float32)
for _column in range(12):
    _BASE_COLUMNS[4 + 5 * _column + 20 * (_column // 6) :][:5, _column] = 1 / 5


def bases(mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The share (24,) of each slot's first two and a half places that a map (72, 88) marks."""
    return np.asarray(_BASE_ROWS @ mask.astype(np.float32) @ _BASE_COLUMNS).ravel()


RADIUS = 0.5
_ROUND = (RADIUS * np.exp(-2j * np.pi / 32 * np.arange(17))) ** np.arange(MOST + 1)[:, None]
_BACK = np.exp(2j * np.pi / 32 * np.arange(17)[:, None] * np.arange(MOST + 1)) / (32 * RADIUS ** np.arange(MOST + 1))
_BACK[1:-1] *= 2
"""From weights of 0..15 to what a polynomial with such coefficients comes to at 17 points of a half circle of that
radius, and back again for sums: these are longer than 32, but on so small a circle what is beyond weighs 2^-32."""


def borne_off(slots: Sequence[Slot], bar: Pile, per_side: int) -> Pile | None:
    """What must be off the board if `per_side` of each colour are in play: the weights of all that is on it, added up.

    None where a hand covers slots: what it hides is on the board or off it. Doubt on the board is doubt here.
    """
    if bar.occluded or any(slot.occluded for slot in slots):
        return None
    counts = np.empty((2, len(slots) + 1, MOST + 1))
    counts[:, :-1, 1:] = np.array([(slot.light, slot.dark) for slot in slots]).swapaxes(0, 1)
    counts[:, :-1, 0] = 1 - counts[:, :-1, 1:].sum(axis=2)
    counts[:, -1] = bar.light, bar.dark
    # The sum of independent counts is their weights convolved: the product of their polynomials.
    totals = ((counts @ _ROUND).prod(axis=1) @ _BACK).real[:, : per_side + 1]
    off = np.full((2, MOST + 1), 1e-6)
    off[:, : per_side + 1] += np.maximum(totals, 0.0)[:, ::-1]
    light, dark = (off / off.sum(axis=1, keepdims=True)).tolist()
    return Pile(tuple(light), tuple(dark))


def _bar_covered(heat: NDArray[np.float64]) -> bool:
    begin, end = PANELS[1]
    cells = heat[_OVER, begin // CELL_PX : end // CELL_PX] > 0.5
    return bool(np.count_nonzero(cells) > 0.1 * cells.size)


def doubtful(reading: BoardReading) -> BoardReading:
    """The reading with its DOUBT fault set as its slots have it."""
    doubt = any(s.confidence < 0.6 and not s.occluded for s in reading.points)
    faults = tuple(f for f in reading.faults if f is not EyeFault.DOUBT)
    return replace(reading, faults=(*faults, EyeFault.DOUBT) if doubt else faults)
