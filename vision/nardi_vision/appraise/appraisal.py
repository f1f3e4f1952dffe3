"""Readings held against labels: counted by split, with every miss kept."""

import itertools
import math
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from nardi_vision.appraise.case import Case, Content, Known
from nardi_vision.errors import EyeError
from nardi_vision.frame import load_picture
from nardi_vision.geometry import board_to_picture, board_width_px, corner_error, project
from nardi_vision.locate import Found, locate
from nardi_vision.pipeline import Reads
from nardi_vision.reading import BoardReading, Corners, CubeReading, DieReading

GOOD_CORNERS = 0.01
BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0001)
NEAR = 0.06
"""A die or cube read this near to where one lies (share of the board's width) is that one."""


class Tally(NamedTuple):
    """Dice or cubes on the board, those read right, those read wrong, and those seen where none is. One that is not
    seen at all is neither."""

    known: int = 0
    right: int = 0
    wrong: int = 0
    false: int = 0


@dataclass(frozen=True, slots=True)
class Miss:
    """A slot read wrong."""

    case: Case
    slot: int
    true: Content
    seen: Content
    confidence: float


@dataclass(frozen=True, slots=True)
class Judged:
    """One picture, judged. `error`: the corners', as a share of the board's width (None: they were given)."""

    case: Case
    reading: BoardReading | None
    ms: float
    error: float | None
    sure: bool
    slots: int
    misses: tuple[Miss, ...]
    bar_right: bool | None
    dice: Tally
    cube: Tally
    hand_right: bool | None
    fault: str | None = None

    @property
    def exact(self) -> bool:
        """Every slot that can be seen is read right."""
        return self.reading is not None and not self.misses


@dataclass(slots=True)
class Appraisal:
    """All pictures of one way of reading.

    `given`: with the labelled corners; `found`: nothing known; `play`: as frames of a game, learning as it goes.
    """

    way: str
    judged: list[Judged] = field(default_factory=list)

    def splits(self) -> list[str]:
        return list(dict.fromkeys(one.case.split for one in self.judged))

    def of(self, split: str | None) -> list[Judged]:
        return [one for one in self.judged if split is None or one.case.split == split]

    def row(self, split: str | None) -> dict[str, float | int | str | None]:
        """The numbers of one split (None: of all)."""
        part = self.of(split)
        slots, wrong = sum(one.slots for one in part), sum(len(one.misses) for one in part)
        errors = sorted(one.error for one in part if one.error is not None)
        bars = [one.bar_right for one in part if one.bar_right is not None]
        hands = [one.hand_right for one in part if one.hand_right is not None]
        dice, cube = (
            Tally(*(sum(one[index] for one in counts) for index in range(4)))
            for counts in ([one.dice for one in part], [one.cube for one in part])
        )
        read = [one.ms for one in part if one.reading is not None]
        return {
            "split": split or "all",
            "pictures": len(part),
            "exact": sum(one.exact for one in part),
            "exact_share": _share(sum(one.exact for one in part), len(part)),
            "slots": slots,
            "slots_wrong": wrong,
            "slot_share": _share(slots - wrong, slots),
            "corner_error_median": round(statistics.median(errors), 5) if errors else None,
            "corner_error_p95": round(errors[min(len(errors) - 1, math.ceil(0.95 * len(errors)) - 1)], 5)
            if errors
            else None,
            "corners_good": _share(sum(error <= GOOD_CORNERS for error in errors), len(errors)) if errors else None,
            "unsure": sum(not one.sure for one in part),
            "bar_share": _share(sum(bars), len(bars)) if bars else None,
            "dice": dice.known,
            "dice_right": dice.right,
            "dice_wrong": dice.wrong,
            "dice_false": dice.false,
            "cube": cube.known,
            "cube_right": cube.right,
            "cube_wrong": cube.wrong,
            "cube_false": cube.false,
            "hand_share": _share(sum(hands), len(hands)) if hands else None,
            "ms_median": round(statistics.median(read), 1) if read else None,
        }

    def misses(self) -> list[Miss]:
        """Those the eye was surest of first."""
        return sorted((miss for one in self.judged for miss in one.misses), key=lambda miss: -miss.confidence)

    def calibration(self) -> list[tuple[float, float, int, float]]:
        """(from, to, slots, share right) of each band of confidence that holds any slot."""
        wrong = {(id(miss.case), miss.slot) for miss in self.misses()}
        seen: list[tuple[float, bool]] = []
        for one in self.judged:
            if one.reading is None:
                continue
            for slot, read in enumerate(one.reading.points):
                if slot not in one.case.hidden:
                    seen.append((read.confidence, (id(one.case), slot) not in wrong))
        rows = []
        for low, high in itertools.pairwise(BINS):
            band = [right for confidence, right in seen if low <= confidence < high]
            if band:
                rows.append((low, min(high, 1.0), len(band), sum(band) / len(band)))
        return rows


def appraise(
    cases: Iterable[Case], reader: Reads, find: bool, tell: Callable[[Judged], None] | None = None
) -> Appraisal:
    """Read each picture by itself; `find`: also find the board (else the labelled corners are given)."""
    result = Appraisal("found" if find else "given")
    for case in cases:
        one = _judge(case, reader, find)
        result.judged.append(one)
        if tell is not None:
            tell(one)
    return result


def _judge(case: Case, reader: Reads, find: bool) -> Judged:
    found: Found | None = None
    began = time.perf_counter()
    try:
        image = load_picture(case.path)
        began = time.perf_counter()
        found = locate(image) if find else None
        corners = case.corners if found is None else found.corners
        reading = reader.read(image, corners, per_side=case.per_side)
    except EyeError as fault:
        return unread(case, fault.reason, find)
    ms = (time.perf_counter() - began) * 1000
    error = None if found is None else corner_error(found.corners, case.corners)
    return judged(case, reading, corners, ms, error, found is None or found.sure)


def judged(case: Case, reading: BoardReading, corners: Corners, ms: float, error: float | None, sure: bool) -> Judged:
    """A reading held against the case's labels."""
    misses = tuple(
        _miss(case, slot, reading) for slot in _visible(case) if not case.right(slot, reading.points[slot].best)
    )
    bar = None
    if case.bar is not None and not reading.bar.occluded:
        bar = (reading.bar.count("light"), reading.bar.count("dark")) == case.bar
    return Judged(
        case=case,
        reading=reading,
        ms=ms,
        error=error,
        sure=sure,
        slots=len(_visible(case)),
        misses=misses,
        bar_right=bar,
        dice=_tally(case.dice, reading.dice, corners),
        cube=_tally(case.cube, () if reading.cube is None else (reading.cube,), corners),
        hand_right=reading.hand == case.hand,
    )


def unread(case: Case, reason: str, find: bool) -> Judged:
    """A picture that could not be read at all: every slot of it is missed."""
    lost = tuple(_miss(case, slot, None) for slot in _visible(case))
    error = 1.0 if find else None
    return Judged(case, None, 0.0, error, False, len(lost), lost, None, Tally(), Tally(), None, reason)


def _visible(case: Case) -> list[int]:
    return [slot for slot in range(24) if slot not in case.hidden]


def _miss(case: Case, slot: int, reading: BoardReading | None) -> Miss:
    seen: Content = (None, 0) if reading is None else reading.points[slot].best
    return Miss(case, slot, case.points[slot], seen, 0.0 if reading is None else reading.points[slot].confidence)


def _tally(known: Sequence[Known] | None, seen: Sequence[DieReading | CubeReading], corners: Corners) -> Tally:
    """What was seen held against what lies there; what lies beside the board need not be seen, but may."""
    if known is None:
        return Tally()
    matrix, reach = board_to_picture(corners), NEAR * board_width_px(corners)
    free = [(one, project(matrix, [(one.x, one.y)])[0]) for one in seen]
    right = wrong = 0
    for thing in known:
        if thing.centre is None:
            # Where a label has no place, anything of its value is it.
            near = [(0.0, pair) for pair in free if pair[0].value == thing.value]
        else:
            near = [(math.dist(pair[1], thing.centre), pair) for pair in free]
        near = [(gap, pair) for gap, pair in near if gap <= reach]
        if near:
            _, best = min(near, key=lambda one: one[0])
            free.remove(best)
            same = best[0].value == thing.value
            right += thing.counted and same
            wrong += thing.counted and not same
    return Tally(sum(thing.counted for thing in known), right, wrong, len(free))


def _share(part: int, whole: int) -> float:
    return round(part / whole, 5) if whole else 0.0
