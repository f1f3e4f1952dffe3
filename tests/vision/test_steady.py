"""The state machine over quick looks, and the looks themselves on pictures made here."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from nardi_vision.errors import EyeError
from nardi_vision.geometry import Matrix, project
from nardi_vision.glance import Glance, Watch
from nardi_vision.reading import EyeFault
from nardi_vision.start import orientations
from nardi_vision.steady import Phase, Steady
from nardi_vision.synth import BoardContents, SimulatedCamera
from vision.drawn_scene import CORNERS, SIZE, arm, scene

QUIET = Glance(
    t_ms=0, level=120, spread=40, sharpness=1, moved=0, intruder=0, motion=np.eye(3), shift_px=0, light=0, glare=()
)  # fmt: skip


def at(t_ms: int, **changes: object) -> Glance:
    return replace(QUIET, t_ms=t_ms, **changes)


def test_a_lone_frame_of_a_time_lapse_is_settled() -> None:
    steady = Steady()
    assert steady.judge(at(0)).settled
    assert steady.judge(at(700, moved=0.2)).settled


def test_a_live_picture_must_hold_still_for_a_while() -> None:
    steady = Steady()
    steady.judge(at(0))
    phases = [steady.judge(at(100 * i, moved=0.05)).phase for i in range(1, 4)]
    assert set(phases) == {Phase.MOVING}
    verdicts = [steady.judge(at(400 + 100 * i)) for i in range(4)]
    assert [verdict.settled for verdict in verdicts] == [False, True, True, True]
    assert verdicts[0].faults == (EyeFault.MOVING,)
    assert verdicts[1].faults == ()


def test_what_reaches_over_the_frame_is_a_hand() -> None:
    steady = Steady()
    verdict = steady.judge(at(1000, intruder=0.06))
    assert verdict.phase is Phase.HAND
    assert not verdict.settled
    assert EyeFault.HAND in verdict.faults
    assert steady.judge(at(2000)).settled


def test_what_lies_still_over_the_frame_and_is_no_hand_is_absorbed_in_time() -> None:
    steady = Steady()
    absorbed = []
    for t_ms in range(0, 12000, 1000):
        glance = at(t_ms, intruder=0.05)
        assert not steady.judge(glance).settled
        absorbed.append(steady.absorbs(glance, False))
    assert absorbed.index(True) == 8


def test_a_hand_left_lying_is_never_absorbed() -> None:
    steady = Steady()
    for t_ms in range(0, 30000, 1000):
        glance = at(t_ms, intruder=0.05)
        steady.judge(glance)
        assert not steady.absorbs(glance, True)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"level": 4.0, "spread": 1.0}, EyeFault.COVERED),
        ({"level": 150.0, "spread": 1.0}, EyeFault.COVERED),
        ({"level": 8.0, "spread": 7.0}, EyeFault.DARK),
        ({"sharpness": 0.2}, EyeFault.BLURRED),
    ],
)
def test_blindness_has_a_name(changes: dict[str, float], fault: EyeFault) -> None:
    verdict = Steady().judge(at(1000, **changes))
    assert verdict.phase is Phase.BLIND
    assert verdict.faults == (fault,)
    assert not verdict.read


def test_nudge_and_light_are_noticed_but_not_under_a_hand() -> None:
    moved = np.array([[1, 0, 5.0], [0, 1, 0], [0, 0, 1]])
    verdict = Steady().judge(at(1000, motion=moved, shift_px=5.0, light=0.03))
    assert verdict.nudged
    assert verdict.relearn
    assert set(verdict.faults) == {EyeFault.NUDGED, EyeFault.LIGHT_CHANGED}
    verdict = Steady().judge(at(1000, motion=moved, shift_px=5.0, light=0.03, intruder=0.1))
    assert not verdict.nudged
    assert not verdict.relearn
    assert verdict.faults == (EyeFault.HAND,)


def test_a_board_that_cannot_be_followed_is_looked_for() -> None:
    assert Steady().judge(at(1000, motion=None)).relocate
    steady = Steady()
    under_hand = [steady.judge(at(1000 * i, motion=None, intruder=0.3)).relocate for i in range(4)]
    assert under_hand == [False, False, True, True]


# The looks.


@pytest.fixture
def watch() -> Watch:
    made = Watch()
    made.anchor(scene(), CORNERS)
    made.look(scene(), 0)
    made.keep()
    return made


def test_an_unchanged_scene_shows_nothing(watch: Watch) -> None:
    glance = watch.look(scene(((230, 150), (500, 570))), 100)
    assert glance.moved == 0
    assert glance.intruder == 0
    assert glance.light < 0.005
    assert glance.shift_px < 0.35
    assert glance.sharpness == pytest.approx(1, abs=0.05)


def test_a_moved_checker_is_movement_but_no_intruder(watch: Watch) -> None:
    glance = watch.look(scene(((230, 150), (640, 570))), 100)
    assert glance.moved > 0.006
    assert glance.intruder == 0
    assert Steady().judge(glance).settled


def test_an_arm_is_an_intruder(watch: Watch) -> None:
    assert watch.look(arm(scene()), 100).intruder > 0.02


def test_a_hand_that_was_overlooked_does_not_haunt_the_frames_after_it(watch: Watch) -> None:
    watch.look(arm(scene()), 100)
    watch.keep()
    assert watch.look(scene(), 200).intruder == 0
    watch.keep()
    other = cv2.flip(arm(cv2.flip(scene(), 1)), 1)
    assert watch.look(other, 300).intruder > 0.02


def test_a_nudge_is_measured_to_a_fraction_of_a_pixel_and_followed(watch: Watch) -> None:
    turn = cv2.getRotationMatrix2D((480, 360), 1.2, 1.01)
    turn[:, 2] += (7.5, -4.0)
    moved = cv2.warpAffine(scene(((230, 150), (640, 570))), turn, SIZE, borderMode=cv2.BORDER_REPLICATE)
    glance = watch.look(moved, 1000)
    assert glance.shift_px > 5
    assert glance.intruder == 0
    watch.follow()
    true = np.asarray(CORNERS) @ turn[:, :2].T + turn[:, 2]
    assert np.abs(np.asarray(watch.corners) - true).max() < 0.6
    watch.keep()
    assert watch.look(moved, 2000).shift_px < 0.35


def crowd(seed: int) -> tuple[tuple[int, int], ...]:
    """One to four checkers on each of ten points."""
    rng = np.random.default_rng(seed)
    return tuple(
        (223 + 560 * int(point % 12) // 12, 142 + 43 * row if point < 12 else 578 - 43 * row)
        for point in rng.permutation(24)[:10]
        for row in range(rng.integers(1, 5))
    )


def test_a_board_on_which_everything_moved_is_not_lost() -> None:
    for seed in range(0, 24, 2):
        watch = Watch()
        watch.anchor(scene(crowd(seed)), CORNERS)
        assert watch.look(scene(crowd(seed + 1)), 1000).motion is not None, seed


def played(rng: np.random.Generator, start: BoardContents) -> BoardContents:
    """`start` after forty checkers were moved, wherever there is room."""
    points = list(start.points)
    for _ in range(40):
        source = int(rng.choice([slot for slot, (_, count) in enumerate(points) if count]))
        shade, count = points[source]
        room = [slot for slot, (other, held) in enumerate(points) if other in (None, shade) and held < 6]
        target = int(rng.choice([slot for slot in room if slot != source]))
        points[source] = (shade, count - 1) if count > 1 else (None, 0)
        points[target] = (shade, points[target][1] + 1)
    return BoardContents(tuple(points))


TILT = np.array([[1.00396, 0.00876, -2.05], [-0.00876, 1.00396, 0.78], [4e-6, -3e-6, 1]])


def gaps_after_play(style: int, start: int, motion: Matrix) -> list[float]:
    """How far, px, the worst corner is held from its true place after forty checkers were moved; six times."""
    camera = SimulatedCamera(style)
    contents = list(orientations())[start]
    first = camera.frame(contents, seed=1)
    true = project(motion, camera.corners)
    watch = Watch()
    gaps = []
    for seed in range(6):
        watch.anchor(first, camera.corners)
        image = camera.frame(played(np.random.default_rng(seed), contents), seed=seed + 2)
        glance = watch.look(cv2.warpPerspective(image, motion, SIZE, borderMode=cv2.BORDER_REPLICATE), 1000)
        assert Steady().judge(glance).nudged is (motion is TILT)
        watch.follow()
        gaps.append(float(np.abs(np.asarray(watch.corners) - true).max()))
    return gaps


BOARDS = [(3, 0), (206, 0), (204, -1), (207, -1)]


@pytest.mark.parametrize(("style", "start"), BOARDS)
def test_no_corner_creeps_while_the_camera_stands_still(style: int, start: int) -> None:
    assert max(gaps_after_play(style, start, np.eye(3))) < 1e-6


def test_a_nudge_is_measured_by_what_lies_around_the_board_though_every_checker_moved() -> None:
    gaps = [gap for style, start in BOARDS for gap in gaps_after_play(style, start, TILT)]
    assert np.median(gaps) < 0.15


def test_a_change_of_lamp_is_light_and_nothing_else(watch: Watch) -> None:
    warm = np.clip(scene() * np.array([0.93, 1.0, 1.05]), 0, 255).astype(np.uint8)
    glance = watch.look(warm, 1000)
    assert glance.light > 0.03
    assert glance.intruder == 0
    assert glance.shift_px < 0.35
    watch.learn_light()
    assert watch.look(warm, 2000).light < 0.005


def test_a_slow_change_of_daylight_is_followed_without_alarm(watch: Watch) -> None:
    alarms = 0
    for step in range(30):
        glance = watch.look(np.clip(scene() * (1 - 0.0008 * step), 0, 255).astype(np.uint8), 60_000 * step)
        alarms += Steady().judge(glance).relearn
        watch.keep()
    assert alarms == 0


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda image: np.full_like(image, 3), EyeFault.COVERED),
        (lambda image: np.full_like(image, 90), EyeFault.COVERED),
        (lambda image: (image * 0.06).astype(np.uint8), EyeFault.DARK),
        (lambda image: cv2.GaussianBlur(image, (0, 0), 6), EyeFault.BLURRED),
    ],
)
def test_spoilt_frames_are_named(watch: Watch, spoil, fault: EyeFault) -> None:
    verdict = Steady().judge(watch.look(spoil(scene()), 1000))
    assert verdict.faults == (fault,)


def test_glare_is_named_by_slot_and_white_checkers_are_no_glare(watch: Watch) -> None:
    image = scene()
    cv2.ellipse(image, (330, 200), (90, 70), 0, 0, 360, (255, 255, 255), -1)
    slots = watch.look(image, 1000).glare
    assert set(slots) <= {0, 1, 2, 3, 4}
    assert {2, 3} <= set(slots)
    rows = scene()
    for x in (223, 270):
        for y in range(141, 320, 43):
            cv2.circle(rows, (x, y), 20, (255, 255, 255), -1)
    assert watch.look(rows, 2000).glare == ()


def test_another_resolution_is_refused(watch: Watch) -> None:
    with pytest.raises(EyeError, match="picture_size"):
        watch.look(scene()[:480], 1000)
