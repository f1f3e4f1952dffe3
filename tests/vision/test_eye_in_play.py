"""The whole eye over a simulated board: hands, a nudge, another lamp, all read by the real networks."""

import cv2
import numpy as np
import pytest

from nardi_vision.classify import Reader
from nardi_vision.pipeline import Pipeline
from nardi_vision.reading import BoardReading, EyeFault
from nardi_vision.start import orientations
from nardi_vision.synth import BoardContents, SimulatedCamera

START = next(iter(orientations()))


def moved(contents: BoardContents, source: int, target: int) -> BoardContents:
    points = list(contents.points)
    shade, count = points[source]
    points[source] = (shade, count - 1) if count > 1 else (None, 0)
    points[target] = (shade, points[target][1] + 1)
    return BoardContents(tuple(points))


def right(reading: BoardReading, contents: BoardContents) -> int:
    return sum(slot.best == content for slot, content in zip(reading.points, contents.points, strict=True))


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.mark.slow
@pytest.mark.parametrize("style", [3, 8])
def test_a_game_is_followed_through_hands_a_nudge_and_another_lamp(style: int, reader: Reader) -> None:
    camera = SimulatedCamera(style, tilt_deg=18)
    eye = Pipeline(camera.corners, START, reader)
    first = eye.see(camera.frame(START, seed=1), 0)
    assert first.settled
    assert eye.learned is not None
    contents = START
    (full, _), (far, _) = [(s, c) for s, (shade, c) in enumerate(START.points) if shade == "light" and c >= 3][:2]
    free = [slot for slot, (shade, _) in enumerate(START.points) if shade is None]
    told: list[EyeFault] = []
    hands = 0
    for turn, (source, target) in enumerate(((full, free[0]), (far, free[1]), (full, free[2]), (far, free[3]))):
        t_ms = 10_000 * (turn + 1)
        light = {"warmth": 0.35 if turn >= 2 else 0.0, "shift_px": (9, -6) if turn >= 1 else (0, 0)}
        hand = eye.see(camera.frame(contents, hand=(0.3, 0.5), seed=50 + turn, **light), t_ms)
        hands += not hand.settled
        contents = moved(contents, source, target)
        reading = eye.see(camera.frame(contents, seed=10 + turn, **light), t_ms + 2000)
        told += [fault for fault in reading.faults if fault in (EyeFault.NUDGED, EyeFault.LIGHT_CHANGED)]
        assert reading.settled, (turn, reading.faults)
        assert right(reading, contents) >= 23, turn
        shift = np.asarray(reading.corners) - np.asarray(camera.corners)
        assert shift == pytest.approx(np.tile(light["shift_px"], (4, 1)), abs=0.6)
        eye.confirm(contents.points, (0, 0))
    assert told == [EyeFault.NUDGED, EyeFault.LIGHT_CHANGED]
    assert hands >= 3


@pytest.mark.slow
def test_a_live_camera_is_settled_again_a_moment_after_the_hand_has_gone(reader: Reader) -> None:
    camera = SimulatedCamera(3, tilt_deg=18)
    eye = Pipeline(camera.corners, START, reader)
    settled = []
    for frame in range(16):
        hand = (0.3 + 0.02 * frame, 0.5) if 4 <= frame < 9 else None
        settled.append(eye.see(camera.frame(START, hand=hand, seed=frame if hand else 1), 100 * frame).settled)
    assert not any(settled[4:9])
    assert settled[-1]
    assert settled.index(True, 9) <= 13


@pytest.mark.slow
def test_shadow_over_three_points_and_lamps_from_warm_to_cold(reader: Reader) -> None:
    camera = SimulatedCamera(8, tilt_deg=10)
    eye = Pipeline(camera.corners, START, reader)
    eye.see(camera.frame(START, seed=1), 0)
    for step, warmth in enumerate((0.6, 0.3, 0.0, -0.3, -0.6)):
        image = camera.frame(START, warmth=warmth, seed=2 + step)
        if step % 2:
            (x0, y0), (x1, _) = camera.corners[:2]
            shadow = np.zeros(image.shape[:2], np.uint8)
            side = np.array([[x0, y0], [x0 + (x1 - x0) / 4, y0], [x0 + (x1 - x0) / 4, y0 + 250], [x0, y0 + 250]])
            cv2.fillConvexPoly(shadow, side.astype(np.int32), 255)
            image[shadow > 0] = (image[shadow > 0] * 0.6).astype(np.uint8)
        reading = eye.see(image, 5000 * (step + 1))
        wrong = [s for s in range(24) if reading.points[s].best != START.points[s]]
        # Right, or said to be doubtful.
        assert len([s for s in wrong if reading.points[s].confidence > 0.95]) == 0, (warmth, wrong)
        eye.confirm(START.points, (0, 0))
