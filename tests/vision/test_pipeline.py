"""The pipeline over a scripted reader: what counts as settled, what is learned and when."""

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import pytest

from nardi_vision.errors import EyeError
from nardi_vision.pipeline import UNSEEN, Pipeline
from nardi_vision.reading import BoardReading, Corners, DieReading, DieState, EyeFault, Shade
from nardi_vision.synth.contents import BoardContents
from vision.drawn_scene import CORNERS, SIZE, arm, scene, sure

Points = tuple[tuple[Shade | None, int], ...]
EMPTY: Points = ((None, 0),) * 24


def holding(**slots: tuple[Shade, int]) -> Points:
    points: list[tuple[Shade | None, int]] = list(EMPTY)
    for name, content in slots.items():
        points[int(name[1:])] = content
    return tuple(points)


@dataclass
class Book:
    """What a reader has learned: the contents it was shown, and of which slots it was told to doubt them."""

    pages: list[Points] = field(default_factory=list)
    doubts: list[frozenset[int]] = field(default_factory=list, compare=False)
    coherent: bool = field(default=True, compare=False)

    def update(
        self,
        frame: np.ndarray,
        corners: Corners,
        contents: BoardContents,
        doubted: frozenset[int],
        dice: tuple[DieReading, ...],
    ) -> None:
        self.pages.append(contents.points)
        self.doubts.append(doubted)


@dataclass
class Script:
    """A reader that says what it is told to say."""

    points: Points = EMPTY
    hand: bool = False
    coherent: bool = True
    known: list[Any] = field(default_factory=list)
    corners: list[Corners] = field(default_factory=list)
    dice: tuple[DieReading, ...] = ()

    def read(
        self, frame: np.ndarray, corners: Corners, *, t_ms: int = 0, per_side: int = 15, known: Any = None
    ) -> BoardReading:
        self.known.append(known)
        self.corners.append(corners)
        slots = tuple(sure(*point) for point in self.points)
        return BoardReading(t_ms, slots, UNSEEN, None, self.dice, None, not self.hand, self.hand, (), corners)

    def learn(self, frame: np.ndarray, corners: Corners, contents: BoardContents) -> Book:
        return Book([contents.points], coherent=self.coherent)


def pipeline(script: Script, start: Points | None = None) -> Pipeline:
    return Pipeline(CORNERS, None if start is None else BoardContents(start), script)


def test_a_quiet_frame_is_settled_and_carries_the_corners() -> None:
    reading = pipeline(Script()).see(scene(), 1000)
    assert reading.settled
    assert reading.faults == ()
    assert reading.corners == CORNERS


def test_no_frame_and_a_covered_lens_are_said() -> None:
    eye = pipeline(Script())
    assert eye.see(None, 0).faults == (EyeFault.NO_FRAME,)
    assert eye.see(np.full((720, 960, 3), 2, np.uint8), 1000).faults == (EyeFault.COVERED,)
    assert eye.see(scene(), 2000).settled
    covered = eye.see(np.full((720, 960, 3), 2, np.uint8), 3000)
    assert covered.faults == (EyeFault.COVERED,)
    assert not covered.settled
    assert all(slot.occluded for slot in covered.points)
    assert eye.see(scene(), 4000).settled


def test_a_hand_seen_by_either_unsettles() -> None:
    script = Script()
    eye = pipeline(script)
    eye.see(scene(), 0)
    reading = eye.see(arm(scene()), 1000)
    assert (reading.settled, reading.hand) == (False, True)
    assert EyeFault.HAND in reading.faults
    script.hand = True
    reading = eye.see(scene(), 2000)
    assert (reading.settled, reading.hand) == (False, True)
    assert reading.faults == (EyeFault.HAND,)
    script.hand = False
    assert eye.see(scene(), 3000).settled


def test_the_start_is_learned_once_the_board_shows_it() -> None:
    start = holding(s0=("light", 5), s11=("dark", 2), s20=("dark", 3))
    script = Script(holding(s5=("light", 5), s6=("dark", 2), s7=("dark", 1)))
    eye = pipeline(script, start)
    eye.see(scene(), 0)
    assert eye.learned is None
    script.points = start
    eye.see(scene(), 1000)
    assert eye.learned == Book([start])
    eye.see(scene(), 2000)
    assert script.known == [None, None, eye.learned]


@pytest.mark.parametrize("coherent", [True, False])
def test_the_start_names_the_kinds_of_checkers_where_their_colours_bear_it_out(coherent: bool) -> None:
    start = holding(s0=("light", 5), s11=("dark", 2), s20=("dark", 3))
    script = Script(holding(s0=("dark", 5), s11=("light", 2), s20=("dark", 3)), coherent=coherent)
    eye = pipeline(script, start)
    eye.see(scene(), 0)
    assert eye.learned == (Book([start]) if coherent else None)


def test_a_start_that_one_slot_contradicts_is_not_learned() -> None:
    start = holding(s0=("light", 5), s11=("dark", 2), s20=("dark", 3))
    eye = pipeline(Script(holding(s0=("light", 4), s11=("dark", 2), s20=("dark", 3))), start)
    eye.see(scene(), 0)
    assert eye.learned is None


def test_slots_that_show_something_else_than_is_confirmed_are_doubted() -> None:
    before, after = holding(s0=("light", 5), s1=("dark", 4)), holding(s0=("light", 4), s1=("dark", 4), s2=("light", 1))
    eye = pipeline(Script(before), before)
    eye.see(scene(), 0)
    eye.confirm(after, (0, 0))
    assert eye.learned.doubts == [frozenset({0, 2})]


def test_what_is_confirmed_is_learned_from_the_frame_that_shows_it() -> None:
    before, after = holding(s0=("light", 5), s1=("dark", 4)), holding(s3=("light", 5), s4=("dark", 4))
    script = Script(before)
    eye = pipeline(script, before)
    eye.see(scene(), 0)
    script.points = after
    eye.see(scene(), 1000)
    eye.confirm(after, (0, 0))
    assert eye.learned.pages == [before, after]
    # Confirmed before a settled frame shows it: learned when one does.
    later = holding(s8=("light", 5), s9=("dark", 4))
    eye.confirm(later, (0, 0))
    assert eye.learned.pages == [before, after]
    script.points = later
    eye.see(scene(), 2000)
    assert eye.learned.pages == [before, after, later]


def test_a_confirmation_judged_on_an_earlier_frame_is_not_learned_from_a_later_one() -> None:
    first, second = holding(s0=("light", 5), s1=("dark", 4)), holding(s3=("light", 5), s4=("dark", 4))
    script = Script(first)
    eye = pipeline(script)
    eye.see(scene(), 0)
    script.points = second
    eye.see(scene(((300, 150), (640, 570))), 1000)
    eye.confirm(first, (0, 0))
    assert eye.learned == Book([first])


def test_after_a_nudge_the_corners_follow_and_it_is_said_once() -> None:
    script = Script()
    eye = pipeline(script)
    eye.see(scene(), 0)
    shift = np.array([[1, 0, 9.0], [0, 1, -6.0]])
    moved = cv2.warpAffine(scene(), shift, SIZE, borderMode=cv2.BORDER_REPLICATE)
    reading = eye.see(moved, 1000)
    assert reading.faults == (EyeFault.NUDGED,)
    assert reading.settled
    assert np.asarray(reading.corners) == pytest.approx(np.add(CORNERS, (9, -6)), abs=0.5)
    assert script.corners[-1] == reading.corners
    assert eye.see(moved, 2000).faults == ()


def test_under_a_new_lamp_what_was_learned_is_set_aside_and_learned_again() -> None:
    points = holding(s0=("light", 5), s1=("dark", 4))
    script = Script(points)
    eye = pipeline(script, points)
    eye.see(scene(), 0)
    old = eye.learned
    warm = np.clip(scene() * np.array([0.9, 1.0, 1.06]), 0, 255).astype(np.uint8)
    reading = eye.see(warm, 1000)
    assert reading.faults == (EyeFault.LIGHT_CHANGED,)
    assert reading.settled
    assert script.known[-1] is None
    assert eye.learned is not old
    assert eye.learned == Book([points])
    assert eye.see(warm, 2000).faults == ()


def test_an_ornament_that_is_taken_for_a_die_keeps_no_roll_from_being_seen() -> None:
    ornament, *thrown = (DieReading(v, 0.9, DieState.FLAT, 0, x, 0.5) for v, x in ((5, 0.25), (3, 0.1), (4, 0.4)))
    script = Script(holding(p3=("dark", 3)), dice=(ornament,))
    eye = pipeline(script, script.points)
    assert eye.see(scene(), 0).dice == ()
    script.dice = (ornament, *thrown)
    assert eye.see(scene(), 1000).dice == tuple(thrown)


def test_glare_is_named_on_its_slots() -> None:
    image = scene()
    cv2.ellipse(image, (330, 200), (90, 70), 0, 0, 360, (255, 255, 255), -1)
    eye = pipeline(Script())
    reading = eye.see(image, 0)
    assert EyeFault.GLARE in reading.faults
    assert reading.points[2].fault is EyeFault.GLARE
    assert reading.points[20].fault is None


def test_another_resolution_starts_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    eye = pipeline(Script())
    eye.see(scene(), 0)
    half = cv2.resize(scene(), (480, 360), interpolation=cv2.INTER_AREA)
    small: Corners = tuple((x / 2, y / 2) for x, y in CORNERS)  # type: ignore[assignment]
    monkeypatch.setattr("nardi_vision.pipeline.find_corners", lambda image: small)
    assert eye.see(half, 1000).corners == small


def test_a_board_that_cannot_be_found_is_lost_not_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(image: np.ndarray) -> Corners:
        raise EyeError("board_not_found")

    monkeypatch.setattr("nardi_vision.pipeline.find_corners", nowhere)
    eye = Pipeline(None, None, Script())
    assert eye.see(scene(), 0).faults == (EyeFault.BOARD_LOST,)
    assert eye.corners is None


def test_jpeg_of_the_last_picture() -> None:
    eye = pipeline(Script())
    assert eye.jpeg() is None
    eye.see(scene(), 0)
    data = eye.jpeg()
    assert data is not None
    assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).shape == (720, 960, 3)
