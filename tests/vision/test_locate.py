"""Finding the board: on drawn pictures that no network was trained on, and on labelled ones where they are at hand."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from nardi_vision.appraise import load_cases
from nardi_vision.errors import EyeError
from nardi_vision.frame import load_picture
from nardi_vision.geometry import as_corners, corner_error, in_order, turned
from nardi_vision.locate import (
    PLACER_MARGIN,
    PLACER_SIZE,
    VIEWS,
    Found,
    find_corners,
    laid_flat,
    letterbox,
    locate,
    rectified_corners,
    refine,
    shrunk,
)
from nardi_vision.synth import draw

SCENES = Path(__file__).parents[3] / "shared" / "scenes"


def drawn(seed: int) -> tuple[np.ndarray, tuple[tuple[float, float], ...]]:
    drawing = draw(seed=seed, size=(640, 480))
    return drawing.image, as_corners(drawing.labels.corners)


def test_boards_that_were_drawn_are_found() -> None:
    errors = []
    for seed in range(9_000_000, 9_000_014):
        image, true = drawn(seed)
        try:
            errors.append(corner_error(locate(image).corners, true))
        except EyeError:
            errors.append(1.0)
    assert np.median(errors) < 0.012, errors
    assert np.mean(np.array(errors) < 0.03) > 0.7, errors


def test_a_board_turned_upside_down_or_sideways_is_the_same_board() -> None:
    image, true = drawn(9_000_003)
    height, width = image.shape[:2]
    for rotation, back in (
        (cv2.ROTATE_180, lambda x, y: (width - 1 - x, height - 1 - y)),
        (cv2.ROTATE_90_CLOCKWISE, lambda x, y: (height - 1 - y, x)),
    ):
        moved = in_order([back(x, y) for x, y in true], 0)
        found = locate(np.ascontiguousarray(cv2.rotate(image, rotation)))
        assert corner_error(found.corners, moved) < 0.03


def test_what_is_no_board_is_not_found_or_not_sure() -> None:
    noise = np.random.default_rng(3).integers(0, 255, (480, 640, 3), np.uint8)
    for image in (np.full((480, 640, 3), 128, np.uint8), noise, cv2.GaussianBlur(noise, (0, 0), 9)):
        with pytest.raises(EyeError) as caught:
            find_corners(image, "a.jpg")
        assert caught.value.reason in ("board_not_found", "board_unsure")
        assert caught.value.details["file"] == "a.jpg"
        assert caught.value.details["remedy"] == "calibrate"


def test_nearly_right_corners_are_corrected_and_keep_their_order() -> None:
    image, true = drawn(9_000_003)
    other_end = turned(true, 2)
    rough = as_corners(np.add(other_end, np.random.default_rng(1).normal(0, 5, (4, 2))))
    found = refine(image, rough)
    assert corner_error(found.corners, other_end) < min(0.015, corner_error(rough, other_end))


def test_doubt_is_said() -> None:
    assert Found(((0, 0), (1, 0), (1, 1), (0, 1)), 0.004).sure
    assert not Found(((0, 0), (1, 0), (1, 1), (0, 1)), 0.08).sure


def test_a_letterbox_keeps_the_picture_whole() -> None:
    image = np.full((300, 1000, 3), 200, np.uint8)
    boxed, scale, (left, top) = letterbox(image, (256, 192))
    assert boxed.shape == (192, 256, 3)
    assert (scale, left) == (0.256, 0)
    assert boxed[: int(top)].max() == 0
    assert boxed[96].min() == 200


def test_a_board_laid_flat_has_its_corners_where_they_are_looked_for() -> None:
    image, true = drawn(9_000_003)
    _, matrix = laid_flat(image, np.array(true), PLACER_SIZE, PLACER_MARGIN)
    there = cv2.perspectiveTransform(np.array(true)[None], matrix)[0]
    assert there == pytest.approx(rectified_corners(PLACER_SIZE, PLACER_MARGIN), abs=0.01)


def test_each_view_shows_the_board_in_a_mirror_turned_round_or_both() -> None:
    image, true = drawn(9_000_003)
    plain, *others = (
        laid_flat(image, np.array(true)[view], PLACER_SIZE, PLACER_MARGIN)[0].astype(int) for view in VIEWS
    )
    for other, same in zip(others, (plain[:, ::-1], plain[::-1, ::-1], plain[::-1]), strict=True):
        assert np.abs(other - same).mean() < 0.5


def test_a_large_picture_is_shrunk_to_the_board_s_size() -> None:
    image = np.zeros((1440, 1920, 3), np.uint8)
    corners = np.array([[300, 300], [1500, 300], [1500, 1200], [300, 1200]], float)
    small, scale = shrunk(image, corners)
    assert scale == pytest.approx(0.25)
    assert small.shape == (360, 480, 3)
    assert shrunk(small, corners * scale)[1] == 1.0


@pytest.mark.slow
@pytest.mark.skipif(not SCENES.is_dir(), reason="the labelled scenes are not beside this checkout")
def test_labelled_scenes() -> None:
    errors = []
    for case in load_cases(SCENES / "rendered"):
        try:
            errors.append(corner_error(locate(load_picture(case.path)).corners, case.corners))
        except EyeError:
            errors.append(1.0)
    assert np.median(errors) < 0.008
    assert np.mean(np.array(errors) <= 0.02) > 0.85
