"""The board's pattern against its corners: right ones centre the mirror, wrong ones move it or leave no match."""

from functools import cache

import cv2
import numpy as np
import pytest

from nardi_vision.geometry import as_corners, board_to_picture, project
from nardi_vision.locate import FLAT, MATCH
from nardi_vision.symmetry import mirror
from nardi_vision.synth import Drawing, draw

SEEDS = range(9_100_000, 9_100_012)


@cache
def drawings() -> list[Drawing]:
    return [draw(seed=seed, size=(640, 480)) for seed in SEEDS]


def test_right_corners_put_the_mirror_in_the_middle() -> None:
    found = [mirror(drawing.image, drawing.labels.corners) for drawing in drawings()]
    assert np.median([abs(one.off) for one in found]) < 0.002
    assert np.median([one.match for one in found]) > MATCH
    assert all(one.match >= one.middling for one in found)


@pytest.mark.parametrize("shift", [-0.008, 0.008])
def test_corners_shifted_along_the_board_move_the_mirror_back(shift: float) -> None:
    back = []
    for drawing in drawings():
        true = drawing.labels.corners
        shifted = project(board_to_picture(as_corners(true)), FLAT + np.array([shift, 0.0]))
        back.append(mirror(drawing.image, shifted).off - mirror(drawing.image, true).off)
    assert np.median(back) == pytest.approx(-shift, abs=0.001)


def test_a_side_taken_for_a_line_far_beyond_leaves_halves_that_match_less() -> None:
    worse = []
    for drawing in drawings():
        matrix = board_to_picture(as_corners(drawing.labels.corners))
        beyond = project(matrix, FLAT + np.array([[0, 0], [0.07, 0], [0.07, 0], [0, 0]]))
        worse.append(mirror(drawing.image, beyond).match < mirror(drawing.image, drawing.labels.corners).match)
    assert np.mean(worse) >= 0.75


def test_what_has_no_pattern_has_no_halves() -> None:
    noise = np.random.default_rng(5).integers(0, 255, (300, 400, 3), np.uint8)
    blots = cv2.normalize(cv2.GaussianBlur(noise, (0, 0), 4), None, 0, 255, cv2.NORM_MINMAX)
    corners = np.array([[50, 50], [350, 50], [350, 250], [50, 250]], float)
    assert mirror(np.asarray(blots, np.uint8), corners).match < MATCH
