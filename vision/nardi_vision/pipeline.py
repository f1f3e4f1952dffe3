"""Frame in, reading out: the eye as a whole, synchronous and without a clock of its own.

`see` looks at a frame (steady), finds or follows the board (locate, glance), reads it (classify) and says what may be
trusted. `confirm` tells it what the board is known to hold, from which it goes on learning.
"""

from collections import deque
from dataclasses import dataclass, replace
from typing import Any, Protocol

from nardi_vision.errors import EyeError
from nardi_vision.frame import Picture, encode_jpeg, frame_size_of
from nardi_vision.geometry import check_corners, corner_error, turned
from nardi_vision.glance import Glance, Watch, unusable
from nardi_vision.locate import find_corners
from nardi_vision.marks import Marks
from nardi_vision.reading import MOST, BoardReading, Corners, EyeFault, Pile, Shade, Slot
from nardi_vision.steady import Limits, Phase, Steady, Verdict
from nardi_vision.synth.contents import BoardContents

Points = tuple[tuple[Shade | None, int], ...]
SAME_PLACE = 0.015
"""Corners found again this near to the old ones (share of the board's width) are the old ones."""
DISAGREE = 2
"""Slots that a reading may see otherwise than confirmed, and still be of the moment that was confirmed."""
HEAP = 5
"""More checkers than this lie in layers, or in a row that is squeezed."""
LITTLE = 0.1
"""A content that weighs more than this may well be what a slot holds."""
BLANK = Slot(1 / 31, (1 / 31,) * MOST, (1 / 31,) * MOST, occluded=True)
"""A slot of which nothing is known."""
UNSEEN = Pile((1 / (MOST + 1),) * (MOST + 1), (1 / (MOST + 1),) * (MOST + 1), occluded=True)


class Reads(Protocol):
    """A reader of boards (`nardi_vision.classify.Reader`). `known` and what `learn` returns are its own affair."""

    def read(
        self, frame: Picture, corners: Corners, *, t_ms: int = 0, per_side: int = MOST, known: Any = None
    ) -> BoardReading: ...

    def learn(self, frame: Picture, corners: Corners, contents: BoardContents) -> Any:
        """What this board looks like, from a picture of known contents.

        It has `update` with the same parameters, `doubted` slots and dice, and says whether it is `coherent`.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A settled frame that the table may yet confirm."""

    image: Picture
    reading: BoardReading
    corners: Corners


class Pipeline:
    """One camera over one board.

    `corners` None: the board is found in the first frame that shows it. `start`: what the board holds at the beginning;
    believed only once a settled reading shows it in full, whichever way round that names the two kinds of checkers.
    `learned`: what the reader knew of this board last time.
    """

    def __init__(
        self,
        corners: Corners | None,
        start: BoardContents | None,
        reader: Reads,
        per_side: int = MOST,
        limits: Limits | None = None,
        learned: Any = None,
    ) -> None:
        self._corners = None if corners is None else check_corners(corners)
        self._reader = reader
        self._per_side = per_side
        self._watch = Watch()
        self._steady = Steady(limits)
        self._learned = learned
        self._confirmed: BoardContents | None = None
        self._expected = start
        self._pending: BoardContents | None = None
        self._seen: deque[_Seen] = deque(maxlen=2)
        self._marks = Marks()
        self._met: BoardContents | None = None
        self._image: Picture | None = None
        self._size: tuple[int, int] | None = None

    @property
    def corners(self) -> Corners | None:
        """Where the board is now; None while it is not known."""
        return self._corners

    @property
    def learned(self) -> Any:
        """What the reader knows of this board by now; None: nothing yet."""
        return self._learned

    def jpeg(self) -> bytes | None:
        """The last frame that was a picture."""
        return None if self._image is None else encode_jpeg(self._image)

    def confirm(self, points: Points, bar: tuple[int, int], off: tuple[int, int] = (0, 0)) -> None:
        """The table knows that the board holds this, since the settled reading it judged last.

        Learned from that very frame; if none of the last settled frames shows it, from the next one that does.
        """
        contents = BoardContents(points, *bar, *off)
        self._confirmed, self._pending, self._expected = contents, contents, None
        for seen in reversed(self._seen):
            if self._meets(seen, contents, DISAGREE):
                return

    def relocate(self, corners: Corners | None) -> None:
        """The board is here (None: it is to be found) in the frames to come."""
        self._corners = None if corners is None else check_corners(corners)
        self._watch = Watch()

    def see(self, image: Picture | None, t_ms: int) -> BoardReading:
        """Read a frame; None: the camera gave none. Never raises for what a camera may show."""
        if image is None:
            return self._blind(t_ms, EyeFault.NO_FRAME)
        self._image = image
        if self._size is not None and self._size != frame_size_of(image):
            # Another resolution: nothing that was known of the picture holds.
            self._corners, self._watch = None, Watch()
        self._size = frame_size_of(image)
        if not self._watch.anchored:
            fault = self._begin(image)
            if fault is not None:
                return self._blind(t_ms, fault)
        glance = self._watch.look(image, t_ms)
        verdict = self._steady.judge(glance)
        if verdict.phase is Phase.BLIND:
            return self._blind(t_ms, *verdict.faults)
        nudged = verdict.nudged
        if verdict.relocate:
            moved = self._relocate(image)
            if moved is None:
                return self._blind(t_ms, EyeFault.BOARD_LOST)
            nudged = nudged or moved
            glance = self._watch.look(image, t_ms)
        elif verdict.settled or verdict.nudged:
            self._watch.follow()
            self._corners = self._watch.corners
        assert self._corners is not None
        if not verdict.read:
            return self._blind(t_ms, *verdict.faults, hand=verdict.phase is Phase.HAND)
        return self._read(image, t_ms, glance, verdict, nudged)

    def _read(self, image: Picture, t_ms: int, glance: Glance, verdict: Verdict, nudged: bool) -> BoardReading:
        assert self._corners is not None
        known = None if verdict.relearn else self._learned
        raw = self._reader.read(image, self._corners, t_ms=t_ms, per_side=self._per_side, known=known)
        hand, absorbed = raw.hand, self._steady.absorbs(glance, raw.hand)
        settled = (verdict.settled and not hand) or absorbed
        faults = [fault for fault in verdict.faults if not (absorbed and fault is EyeFault.HAND)]
        if nudged and EyeFault.NUDGED not in faults:
            faults.append(EyeFault.NUDGED)
        if hand:
            # What a hand's shadow did to the light, or its skin to the board's edge, is not news.
            gone = (EyeFault.LIGHT_CHANGED, EyeFault.NUDGED)
            faults = [EyeFault.HAND, *(fault for fault in faults if fault not in gone and fault is not EyeFault.HAND)]
        faults += [fault for fault in raw.faults if fault not in faults]
        points = tuple(
            replace(slot, fault=EyeFault.GLARE) if index in glance.glare and slot.fault is None else slot
            for index, slot in enumerate(raw.points)
        )
        reading = replace(
            raw,
            points=points,
            settled=settled,
            hand=hand or (verdict.phase is Phase.HAND and not absorbed),
            faults=tuple(faults),
            corners=self._corners,
        )
        if settled:
            self._settle(_Seen(image, reading, self._corners), verdict.relearn)
        return replace(reading, dice=self._marks.without(reading.dice))

    def _settle(self, seen: _Seen, relearn: bool) -> None:
        self._watch.keep()
        self._seen.append(seen)
        if relearn:
            self._watch.learn_light()
            # What was learned under another lamp misleads.
            self._learned = None
            self._pending = self._pending or self._confirmed
        if self._pending is not None:
            self._meets(seen, self._pending, DISAGREE)
        elif self._expected is not None and self._learned is None:
            self._meets(seen, self._expected, 0)

    def _meets(self, seen: _Seen, contents: BoardContents, slack: int) -> bool:
        """Learns from a frame if it shows `contents`, up to `slack` slots that may look otherwise."""
        doubted = _otherwise(seen.reading, contents)
        agrees = len(doubted) <= slack
        if self._learned is not None:
            if agrees:
                self._learned.update(seen.image, seen.corners, contents, doubted, seen.reading.dice)
        elif agrees or len(_otherwise(seen.reading, contents, shades=False)) <= slack:
            learned = self._reader.learn(seen.image, seen.corners, contents)
            # A reader that knows neither kind may well take one for the other; known contents name them.
            agrees = agrees or learned.coherent
            if agrees:
                self._learned = learned
        if agrees:
            self._confirmed, self._pending, self._expected = contents, None, None
            if contents != self._met:
                self._marks.met(seen.reading.dice)
                self._met = contents
        return agrees

    def _begin(self, image: Picture) -> EyeFault | None:
        """Find the board for the first time. The reason it cannot be done, or None."""
        level, spread = unusable(image)
        limits = Limits()
        if spread < limits.flat:
            return EyeFault.COVERED
        if level < limits.dark:
            return EyeFault.DARK
        if self._corners is None:
            try:
                self._corners = check_corners(find_corners(image), frame_size_of(image))
            except EyeError:
                return EyeFault.BOARD_LOST
        self._watch.anchor(image, self._corners)
        return None

    def _relocate(self, image: Picture) -> bool | None:
        """Find the board again. True: it has moved; False: it lies where it was; None: it cannot be found."""
        assert self._corners is not None
        try:
            found = find_corners(image)
        except EyeError:
            return None
        # Nobody turns a board round in the middle of a game: the same end stays first.
        nearest = min((turned(found, quarters) for quarters in (0, 2)), key=self._distance)
        moved = self._distance(nearest) > SAME_PLACE
        if moved:
            self._corners = nearest
        self._watch.anchor(image, self._corners)
        return moved

    def _distance(self, corners: Corners) -> float:
        assert self._corners is not None
        return corner_error(corners, self._corners)

    def _blind(self, t_ms: int, *faults: EyeFault, hand: bool = False) -> BoardReading:
        """A reading of which only the faults are news."""
        return BoardReading(
            t_ms=t_ms,
            points=(BLANK,) * 24,
            bar=UNSEEN,
            off=None,
            dice=(),
            cube=None,
            settled=False,
            hand=hand,
            faults=faults,
            corners=self._corners,
        )


def _otherwise(reading: BoardReading, contents: BoardContents, *, shades: bool = True) -> frozenset[int]:
    """The slots that look as if they held something else; `shades` False: whichever kind it is.

    Checkers in several layers cannot be counted from above: a heap need only look like one.
    """
    found = []
    for index, (slot, (shade, count)) in enumerate(zip(reading.points, contents.points, strict=True)):
        if slot.occluded:
            continue
        seen_shade, seen = slot.best
        weight = slot.weight(shade, count)
        if not shades and count:
            seen_shade, weight = shade if seen else None, slot.light[count - 1] + slot.dark[count - 1]
        right = (seen_shade, seen) == (shade, count) or weight > LITTLE
        if not right and not (seen_shade == shade and count > HEAP and seen >= HEAP - 1):
            found.append(index)
    return frozenset(found)
