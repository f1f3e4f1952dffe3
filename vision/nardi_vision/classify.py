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
from nardi_vision.dice import FaceReader, Spot, softmax
from nardi_vision.layout import LayoutFinder
from nardi_vision.learned import LearnedBoard
from nardi_vision.network import DATA, Network, folded_blob
from nardi_vision.reading import MOST, BoardReading, CubeReading, DieReading, EyeFault, Pile, Slot
from nardi_vision.rectify import PANELS, Layout, Rectifier, checked
from nardi_vision.shade import Map, Peak, marked, peaks, shades
from nardi_vision.synth.contents import BoardContents

__all__ = ["LearnedBoard", "Reader"]

BOTTOM, TOTAL, BAR = 10, 16, 6
SUMS = 400
"""More than the most that twenty-four points and the bar could hold, each fifteen."""
SURE = 0.75
"""A picture of which anything is told with less weight than this is looked at twice."""
TOP = 0.3
"""A top that the map shows more faintly than this bears no die."""
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


def together(glances: Sequence[Glance]) -> Glance:
    """What several looks at the same board say on average."""

    def mean(name: str) -> NDArray[Any]:
        return np.asarray(np.mean([getattr(glance, name) for glance in glances], axis=0))

    return Glance(mean("bottom"), mean("total"), mean("dark"), mean("covered"), mean("bar"), mean("maps"))


@dataclass(frozen=True, slots=True)
class Look:
    """A glance, the middles of the tops in its maps, and the weight (24,) of dark against light by the picture's own
    colours."""

    seen: Glance
    middles: list[Peak]
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
    """The share of the canvas that the network's maps say a hand covers."""
    return float((maps[4] > 0.5).mean())


def looked(canvas: NDArray[np.uint8], seen: Glance) -> Look:
    """What follows from a glance at a canvas."""
    middles = marked(seen.maps)
    return Look(seen, middles, shades(canvas, seen.maps, middles, seen.dark))


def sigmoid(logits: NDArray[Any]) -> NDArray[Any]:
    """Of the same type as `logits`."""
    out = np.clip(logits, -30, 30)
    np.exp(np.negative(out, out=out), out=out)
    out += 1
    return np.asarray(np.reciprocal(out, out=out))


class Reader:
    """Reads single pictures; with a `LearnedBoard`, better."""

    def __init__(self, weights: Path | None = None) -> None:
        """`weights`: a folder with the networks' files (default: those that ship with the package)."""
        folder = weights or DATA
        self._board = Network(folder / "board.onnx.xz")
        self._layouts = LayoutFinder(Network(folder / "plan.onnx.xz", winograd=True))
        self._faces = FaceReader(*(Network(folder / f"{name}.onnx.xz", winograd=True) for name in ("die", "cube")))

    def layout(self, frame: NDArray[np.uint8], corners: Sequence[Sequence[float]]) -> Layout:
        """Where the columns are; EyeError if the corners are no quadrangle."""
        return self._layouts.find(frame, checked(corners))

    def glance(self, canvas: NDArray[np.uint8]) -> Glance:
        """Runs the board's network on a canvas."""
        slots, bar, maps = self._board.run(folded_blob(canvas), ("slots", "bar", "maps"))
        return arranged(slots[0], bar[0], maps[0])

    def _look(
        self, frame: NDArray[np.uint8], rectifier: Rectifier, canvas: NDArray[np.uint8], again: bool
    ) -> tuple[Look, tuple[DieReading, ...]]:
        """Looks at a canvas; `again`: where that leaves doubt, from the other side of the table too."""
        first = looked(canvas, self.glance(canvas))
        if first.sure or not again:
            dice = self._dice(frame, rectifier, first)
            # What is found and cannot be read is no die, as often as not.
            if not again or all(die.value is not None for die in dice):
                return first, dice
        across = self.glance(np.ascontiguousarray(canvas[::-1, ::-1])).turned()
        both = looked(canvas, together((first.seen, across)))
        return both, self._dice(frame, rectifier, both)

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
        look, dice = self._look(frame, rectifier, canvas, again=known is None)
        seen = look.seen
        dark = look.dark if known is None else known.shades(canvas, look.dark)
        slots = slots_of(seen, dark, per_side)
        crooked: frozenset[int] = frozenset()
        if known is not None:
            slots = known.steadied(canvas, slots)
            crooked = astride(seen.maps, look.middles, layered(seen))
            slots = [
                replace(slot, fault=EyeFault.ASTRIDE) if n in crooked and not slot.occluded else slot
                for n, slot in enumerate(slots)
            ]
        hand = hand_cells(seen.maps) > HAND_CELLS
        cube = self._cube(frame, rectifier, seen.maps[3])
        faults = [EyeFault.HAND] if hand or any(s.occluded for s in slots) else []
        if any(s.confidence < 0.6 and not s.occluded for s in slots):
            faults.append(EyeFault.DOUBT)
        if crooked and not hand:
            faults.append(EyeFault.ASTRIDE)
        bar = Pile(_spread(seen.bar[0], MOST + 1), _spread(seen.bar[1], MOST + 1), _bar_covered(seen.maps[4]))
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
        tops = _places(rectifier, [middle for middle in look.middles if middle[2] > TOP])
        return self._faces.dice(frame, rectifier, spots(rectifier, look.seen.maps[2], 0.2, 0.3), tops)

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
    """The network's outputs by slot: it gives (28, 4, 6), rows by halves, columns within a half."""
    grid = slots.astype(float).reshape(-1, 2, 2, 6).transpose(2, 1, 3, 0).reshape(24, -1)
    return Glance(
        bottom=softmax(grid[:, :BOTTOM]),
        total=softmax(grid[:, BOTTOM : BOTTOM + TOTAL]),
        dark=sigmoid(grid[:, -2]),
        covered=sigmoid(grid[:, -1]),
        bar=softmax(bar.astype(float).reshape(2, BAR)),
        maps=sigmoid(maps),
    )


def slots_of(seen: Glance, dark: NDArray[np.float64], per_side: int) -> list[Slot]:
    """The weights of every content of each slot."""
    # The two heads are two opinions on slots of one layer, which is nearly all of them.
    likely = seen.bottom > 0.02
    share = 0.5 * np.minimum(1.0, (seen.total[:, :BOTTOM] * likely).sum(axis=1, keepdims=True))
    weights = (1 - share) * seen.total
    weights[:, :BOTTOM] += share * seen.bottom
    weights[:, per_side + 1 :] = 0
    weights = np.maximum(weights, 1e-6)
    weights /= weights.sum(axis=1, keepdims=True)
    row = seen.bottom.argmax(axis=1)
    for index in np.nonzero(layered(seen) & (weights.max(axis=1) < 0.6))[0]:
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
    for (x, y), (_, _, weight) in zip(_places(rectifier, middles).tolist(), middles, strict=True):
        if all(math.hypot(x - spot.pixel[0], y - spot.pixel[1]) > near for spot in found):
            found.append(Spot((x, y), weight))
    return found


def _places(rectifier: Rectifier, middles: Sequence[Peak]) -> NDArray[np.float64]:
    """Where (N, 2) in the frame peaks are."""
    return rectifier.places(np.array(middles, float).reshape(-1, 3)[:, :2])


def _spread(weights: NDArray[np.float64], length: int) -> tuple[float, ...]:
    """Weights 0..5 as weights 0..length - 1, the last of them standing for itself and more."""
    out = np.full(length, 1e-6)
    out[: len(weights) - 1] += weights[:-1]
    tail = weights[-1] * 0.5 ** np.arange(1, length - len(weights) + 2)
    out[len(weights) - 1 :] += tail
    out /= out.sum()
    return tuple(float(w) for w in out)


def bases(mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The share (24,) of each slot's first two and a half places that a map (72, 88) marks."""
    rows = np.stack([mask[6:19], mask[53:66]])
    halves = np.stack([rows[:, :, 4:34], rows[:, :, 54:84]], axis=1)
    return np.asarray(halves.reshape(2, 2, 13, 6, 5).mean(axis=(2, 4)).ravel())


def borne_off(slots: Sequence[Slot], bar: Pile, per_side: int) -> Pile | None:
    """What must be off the board if `per_side` of each colour are in play: the weights of all that is on it, added up.

    None where a hand covers slots: what it hides is on the board or off it. Doubt on the board is doubt here.
    """
    if bar.occluded or any(slot.occluded for slot in slots):
        return None
    counts = np.zeros((2, len(slots) + 1, SUMS))
    counts[0, :-1, 1 : MOST + 1] = [slot.light for slot in slots]
    counts[1, :-1, 1 : MOST + 1] = [slot.dark for slot in slots]
    counts[:, :-1, 0] = 1 - counts[:, :-1].sum(axis=2)
    counts[:, -1, : MOST + 1] = bar.light, bar.dark
    # The sum of independent counts is their weights convolved; no sum is as long as SUMS.
    totals = np.fft.irfft(np.fft.rfft(counts).prod(axis=1), SUMS)[:, : per_side + 1]
    off = np.full((2, MOST + 1), 1e-6)
    off[:, : per_side + 1] += np.maximum(totals, 0.0)[:, ::-1]
    light, dark = (off / off.sum(axis=1, keepdims=True)).tolist()
    return Pile(tuple(light), tuple(dark))


def _bar_covered(heat: NDArray[np.float64]) -> bool:
    begin, end = PANELS[1]
    return bool((heat[6:66, begin // 4 : end // 4] > 0.5).mean() > 0.1)


def doubtful(reading: BoardReading) -> BoardReading:
    """The reading with its DOUBT fault set as its slots have it."""
    doubt = any(s.confidence < 0.6 and not s.occluded for s in reading.points)
    faults = tuple(f for f in reading.faults if f is not EyeFault.DOUBT)
    return replace(reading, faults=(*faults, EyeFault.DOUBT) if doubt else faults)
