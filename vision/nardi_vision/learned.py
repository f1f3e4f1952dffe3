"""What is known of one board under its present light: the two checker colours, and how each slot looked when last
confirmed.

From above, a column of three layers cannot be counted; but that it looks as it did when its count was known can be
seen.
"""

import base64
import io
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.errors import EyeError
from nardi_vision.reading import MOST, DieReading, Shade, Slot
from nardi_vision.rectify import (
    COLUMN_PX,
    HEIGHT_PX,
    PANELS,
    SIDE_PX,
    SURFACE_PX,
    TOP_PX,
    WIDTH_PX,
    Layout,
    Rectifier,
    column_left,
)
from nardi_vision.shade import CELL_PX, log_odds
from nardi_vision.synth.contents import BoardContents

AHEAD = 4
"""Rows of a strip that lie before its slot begins."""
STRIP = (75, 6)
"""Rows and columns of a slot's strip, at half the canvas's scale: from the frame to past the middle, and only the
middle of the column, so that a neighbour's edge or shadow adds little."""
FIVE = AHEAD + 5 * COLUMN_PX // 2
"""The row at which the place of a slot's fifth checker ends."""
WINDOW = 8
"""Rows of a strip that are compared at a time: nearly a checker."""
LEVEL = 110.0
"""Mean brightness to which canvases are brought before they are compared."""
KEEP = 0.7
"""Share of what was known of a colour that one more picture leaves."""
VOTE = 4.0
"""How much (log odds) the network's word of light or dark may weigh against colours that are known."""
STRANGE = 20.0
"""A colour this far (squared deviations) from that of a known kind says nothing of it: something else is seen."""
EVEN = 20.0
"""Kinds whose lightness (0..255) differs by less than this are not told by it: which one is light is a mere name."""


def _level(canvas: NDArray[np.uint8]) -> np.float32:
    """What brings a canvas to one brightness, whatever the exposure."""
    return np.float32(LEVEL / max(sum(cv2.mean(canvas)[:3]) / 3, 4.0))


def strips(canvas: NDArray[np.uint8], around: int = 0) -> NDArray[np.float32]:
    """The 24 slots' strips (24, 75, 6, 3), each from its base inwards, and so many pixels more `around` them; at half
    the canvas's scale and at one brightness."""
    half = cv2.resize(canvas, (canvas.shape[1] // 2, canvas.shape[0] // 2), interpolation=cv2.INTER_AREA)
    rows, columns = (size + 2 * around for size in STRIP)
    top, pitch = TOP_PX // 2 - AHEAD - around, COLUMN_PX // 2
    out = np.empty((2, 2, 6, rows, columns, 3), np.uint8)
    for own, side in zip(out, (half, half[::-1]), strict=True):
        for mine, panel in zip(own, (0, 2), strict=True):
            left = (PANELS[panel][0] + SIDE_PX + pitch) // 2 - STRIP[1] // 2 - around
            near = side[top : top + rows, left : left + 6 * pitch].reshape(rows, 6, pitch, 3)
            mine[:] = near[:, :, :columns].swapaxes(0, 1)
    return np.asarray(out.reshape(24, rows, columns, 3) * _level(canvas), np.float32)


NEW = 1.2
"""A place that has changed less than this shows nothing new."""
_SUM = np.ones(3, np.float32)
_MEAN = np.full(3 * STRIP[1], 1 / (3 * STRIP[1]), np.float32)
_SHIFTS = ((1, 1), (0, 1), (2, 1), (1, 0), (1, 2))
"""Where in the strips with a pixel around them one is looked for: where it was, and a pixel to each side."""


Content = tuple[Shade | None, int]


@dataclass(frozen=True, slots=True)
class Changes:
    """How much a board looks otherwise than when it was known, in units of what slots that stayed the same differ by.

    `slots` (24,): where their checkers and the next free place are; `windows` (24, n): from each of their strips' first
    n rows on.
    """

    slots: NDArray[np.float64]
    windows: NDArray[np.float32]

    def at(self, slot: int, columns: float) -> bool:
        """Whether there is something new so many columns from where the slot begins."""
        row = round(AHEAD + columns * COLUMN_PX / 2 - WINDOW / 2)
        return bool(self.windows[slot, min(max(row, 0), self.windows.shape[1] - 1)] > NEW)

    def alike(self) -> NDArray[np.bool_]:
        """Which cells (72, 88) of the maps show nothing new."""
        out = np.zeros((HEIGHT_PX // CELL_PX, WIDTH_PX // CELL_PX), bool)
        middle = np.arange(STRIP[0] // 2 * 2) - WINDOW // 2
        change = self.windows[:, middle.clip(0, self.windows.shape[1] - 1)].reshape(24, -1, 2)
        same = change.max(axis=2) <= NEW
        first, wide = (TOP_PX - 2 * AHEAD) // CELL_PX, COLUMN_PX // CELL_PX
        for slot, own in enumerate(same):
            left = column_left(slot) // CELL_PX
            rows = out if slot < 12 else out[::-1]
            rows[first : first + len(own), left : left + wide] |= own[:, None]
        return out


class LearnedBoard:
    """One board's look. Mutable: it goes on learning with every picture whose contents are known."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._looks: NDArray[np.float32] | None = None
        self._contents: tuple[Content | None, ...] = ((None, 0),) * 24
        self._told: tuple[Content | None, ...] = self._contents
        self._means = np.zeros((2, 3))
        self._scatter = np.eye(3) * 60
        self._weights = np.zeros(2)
        self._ends = np.full(24, STRIP[0])
        self._hidden: set[int] = set()

    @property
    def contents(self) -> tuple[Content | None, ...]:
        """What the slots held when last confirmed; None: their look is not known."""
        return self._contents

    @property
    def coherent(self) -> bool:
        """Whether the colours bear out which slots were said to hold light and which dark checkers: two kinds far
        apart, of which the light one is not the darker."""
        if not (self._weights > 0).all():
            return False
        gap = self._means[1] - self._means[0]
        return float(gap @ np.linalg.solve(self._scatter, gap)) > STRANGE and float(gap[0]) < EVEN

    def update(
        self,
        frame: NDArray[np.uint8],
        corners: Sequence[Sequence[float]],
        contents: BoardContents,
        doubted: Collection[int] = (),
        dice: Sequence[DieReading] = (),
    ) -> None:
        """Learns from one more picture, in which `dice` lie.

        `doubted`: slots that seem to show something else than `contents`: where that is news, the picture may be older
        than the news, and is none of what they hold now. What is told a second time is no news: then it is the eye that
        is wrong of them.
        """
        canvas = Rectifier(corners, (frame.shape[1], frame.shape[0]), self.layout).canvas(frame)
        self._looks = strips(canvas)
        told = enumerate(zip(self._told, contents.points, strict=True))
        self._contents = tuple(None if slot in doubted and old != new else new for slot, (old, new) in told)
        self._told = contents.points
        self._ends = np.full(24, STRIP[0])
        self._hidden = set()
        for slot, row in self._under(dice):
            count = 0 if (content := self._contents[slot]) is None else content[1]
            # A die is gone again in a moment. At the end of a heap, which lies before it, it hides nothing.
            if count > 5 and row >= FIVE:
                self._ends[slot] = min(self._ends[slot], math.floor(row))
            elif row < _last_row(count):
                self._hidden.add(slot)
        colours = base_colours(canvas)
        spread = []
        for side, shade in enumerate(("light", "dark")):
            mine = np.array([content is not None and content[0] == shade for content in self._contents], bool)
            if not mine.any():
                continue
            mean = colours[mine].mean(axis=0)
            keep = KEEP if self._weights[side] else 0.0
            self._means[side] = keep * self._means[side] + (1 - keep) * mean
            self._weights[side] += mine.sum()
            spread.append(colours[mine] - mean)
        if spread:
            joined = np.concatenate(spread)
            self._scatter = 0.7 * self._scatter + 0.3 * (joined.T @ joined / len(joined) + 16 * np.eye(3))

    def _under(self, dice: Sequence[DieReading]) -> Iterator[tuple[int, float]]:
        """The slots whose strips dice lie in, and from which row on."""
        width = self.layout.width
        for die in dice:
            for column in range(12):
                begin = self.layout.edge if column < 6 else 1 - self.layout.edge - 12 * width
                if abs(begin + (column + 0.5) * width - die.x) < 0.95 * width:
                    for slot, down in ((column, die.y), (12 + column, 1 - die.y)):
                        yield slot, AHEAD + down * SURFACE_PX / 2 - 0.6 * COLUMN_PX

    def shades(self, canvas: NDArray[np.uint8], dark: NDArray[np.float64]) -> NDArray[np.float64]:
        """The weight (24,) of dark against light, from what the network says and this board's own two colours.

        What has been learned outweighs the network: that has never seen these checkers.
        """
        if not (self._weights > 0).all():
            return dark
        gaps = base_colours(canvas)[None] - self._means[:, None]
        far = np.einsum("kni,ij,knj->kn", gaps, np.linalg.inv(self._scatter), gaps)
        likely = np.exp(-0.5 * far) + math.exp(-0.5 * STRANGE)
        return np.asarray(1 / (1 + np.exp(-log_odds(dark, VOTE)) * likely[0] / likely[1]))

    def changes(self, canvas: NDArray[np.uint8]) -> Changes:
        """How much each slot has changed since it was confirmed."""
        if self._looks is None:
            return Changes(np.full(24, np.inf), np.full((24, 1), np.inf, np.float32))
        around = strips(canvas, 1)
        ratio = self._lit(around)
        # As one picture, a strip below the other: moved by a pixel they are another part of it. The rows between two
        # strips, of which there is nothing to compare with, are left out in the end.
        rows, columns = STRIP
        deep = rows + 2
        now = around.reshape(24 * deep, -1)
        looks = np.zeros((24, deep, 3 * columns), np.float32)
        np.multiply(self._looks.reshape(24, rows, -1), ratio[:, None, None], out=looks[:, :rows])
        held = looks.reshape(24 * deep, -1)[:-2]
        gaps = np.zeros((len(_SHIFTS), 24 * deep), np.float32)
        for gap, (x, y) in zip(gaps, _SHIFTS, strict=True):
            moved = now[y : y + len(held), 3 * x : 3 * (x + columns)]
            gap[:-2] = cv2.absdiff(moved, held) @ _MEAN
        runs = cv2.blur(gaps.reshape(-1, deep), (WINDOW, 1), anchor=(0, 0)).reshape(-1, 24, deep)
        runs = runs[:, :, : rows - WINDOW + 1]
        best = (runs * self._own_rows()).max(axis=2).min(axis=0)
        usual = 1.2 * float(np.median(best)) + 2.0
        return Changes(best / usual, runs.min(axis=0) / np.float32(usual))

    def _own_rows(self) -> NDArray[np.float32]:
        """Which windows (24, n) of the strips count: those over a slot's checkers and the next free place, not the slot
        opposite's."""
        last = np.array([_last_row(0 if content is None else content[1]) for content in self._contents])
        ends = np.arange(STRIP[0] - WINDOW + 1) + WINDOW
        return np.asarray(ends <= np.maximum(np.minimum(last, self._ends), WINDOW + 1)[:, None], np.float32)

    def _lit(self, around: NDArray[np.float32]) -> NDArray[np.float32]:
        """How much brighter (24,) than when learned each slot is: light that has grown or faded over a whole slot is no
        change of what stands there."""
        assert self._looks is not None
        # (numpy reduces a short last axis many times slower than it multiplies.)
        grey, held = ((look.reshape(-1, 3) @ _SUM + 24).reshape(look.shape[:3]) for look in (around, self._looks))
        ratios = (grey[:, 1:-1, 1:-1] / held).reshape(24, -1)
        middle = ratios.shape[1] // 2
        return np.asarray(np.partition(ratios, middle, axis=1)[:, middle])

    def steadied(self, changes: Changes, slots: list[Slot]) -> list[Slot]:
        """The slots' weights, given how much each has changed: one that looks as it did most likely holds what it
        held."""
        weights = [[slot.empty, *slot.light, *slot.dark] for slot in slots]
        for index, (own, content, change) in enumerate(
            zip(weights, self._contents, changes.slots.tolist(), strict=True)
        ):
            if content is not None:
                # Where a die lay, that it has gone is no change.
                _weigh(own, *content, change, 1.0 if index in self._hidden else 0.35)
            total = sum(own)
            own[:] = [weight / total for weight in own]
        return [
            slot
            if slot.occluded
            else Slot(own[0], tuple(own[1 : MOST + 1]), tuple(own[MOST + 1 :]), slot.occluded, slot.fault)
            for slot, own in zip(slots, weights, strict=True)
        ]

    def to_json(self) -> dict[str, Any]:
        """As plain data; the looks as base64 of half-precision numbers."""
        packed = io.BytesIO()
        looks = self._looks if self._looks is not None else np.zeros((0,), np.float32)
        np.savez_compressed(packed, looks=np.clip(looks / 2, 0, 255).astype(np.uint8))
        return {
            "layout": [self.layout.edge, self.layout.width],
            "contents": [None if content is None else list(content) for content in self._contents],
            "means": self._means.tolist(),
            "scatter": self._scatter.tolist(),
            "weights": self._weights.tolist(),
            "looks": base64.b64encode(packed.getvalue()).decode(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "LearnedBoard":
        """EyeError `learned_unreadable` if it is not what `to_json` gives."""
        try:
            board = cls(Layout(*(float(v) for v in data["layout"])))
            board._contents = tuple(None if held is None else (held[0], int(held[1])) for held in data["contents"])
            board._told = board._contents
            board._means, board._scatter = np.array(data["means"], float), np.array(data["scatter"], float)
            board._weights = np.array(data["weights"], float)
            looks = np.load(io.BytesIO(base64.b64decode(data["looks"])))["looks"].astype(np.float32) * 2
            board._looks = looks if looks.shape == (24, *STRIP, 3) else None
            if len(board._contents) != 24 or board._means.shape != (2, 3):
                raise ValueError("shape")
        except (KeyError, IndexError, TypeError, ValueError, OSError) as error:
            raise EyeError("learned_unreadable", detail=str(error)) from error
        return board


def _bases() -> NDArray[np.intp]:
    """The pixels (24, 49) of the canvas, as a flat index, in the middle of each slot's first checker."""
    slots, near = np.arange(24), np.arange(-3, 4)
    x = np.array([column_left(slot) for slot in range(24)]) + COLUMN_PX // 2
    y = np.where(slots < 12, TOP_PX + 9, HEIGHT_PX - TOP_PX - 10)
    return ((y[:, None] + near)[:, :, None] * WIDTH_PX + (x[:, None] + near)[:, None, :]).reshape(24, -1)


_BASES = _bases()


def base_colours(canvas: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The colour (24, 3; Lab at one brightness) where each slot's first checker lies."""
    pixels = canvas.reshape(-1, 3).take(_BASES, axis=0)
    soft = cv2.reduce(pixels.swapaxes(0, 1).reshape(_BASES.shape[1], -1), 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
    colours = np.minimum(soft * _level(canvas), 255).astype(np.uint8).reshape(1, 24, 3)
    return np.asarray(cv2.cvtColor(colours, cv2.COLOR_BGR2LAB)[0], np.float64)


def _last_row(count: int) -> float:
    """Where in a strip a slot's checkers and the next free place end, and the slot's opposite may begin."""
    return min(AHEAD + (min(count, 7) + 1.3) * COLUMN_PX / 2, FIVE + 8 if count <= 5 else STRIP[0])


def _weigh(weights: list[float], shade: Shade | None, count: int, change: float, least: float) -> None:
    """Multiplies a slot's weights (31: empty, light, dark) by how likely its degree of change is if it still holds
    what it held, against if it does not, and by `least` at least; they need not sum to 1 then."""
    # A bump or a new shadow changes a look, too: change speaks less against what was known than sameness for it. Of a
    # heap, one checker more or less changes little.
    same = min(5.0 - 4.0 * change, 4.5) if count > 5 else min(8.0 - 4.0 * change, 6.5)
    ratio = max(math.exp(same), least)
    known = 0 if shade is None or count == 0 else count if shade == "light" else MOST + count
    if count > 5:
        if change > 1.2:
            # Changed, and of more than one layer: what the network makes of the sum is hardly more than a guess. What
            # changes in a turn is a few checkers at the most.
            side = slice(1, MOST + 1) if shade == "light" else slice(MOST + 1, 2 * MOST + 1)
            near = [math.exp(-abs(number - count) / 2.0) + 0.003 for number in range(1, MOST + 1)]
            share = 0.8 * sum(weights[side]) / sum(near)
            weights[side] = [0.2 * own + share * other for own, other in zip(weights[side], near, strict=True)]
        else:
            weights[known] = max(weights[known], 0.25)
    weights[known] = max(weights[known], 1e-3) * ratio
