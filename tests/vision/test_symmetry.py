"""The board's pattern against its corners: right ones leave halves that match, wrong ones do not."""

from functools import cache

import cv2
import numpy as np

from nardi_vision.geometry import as_corners, board_to_picture, project
from nardi_vision.locate import FLAT, MATCH
from nardi_vision.symmetry import symmetry
from nardi_vision.synth import Drawing, draw

SEEDS = range(9_100_000, 9_100_012)


@cache
def drawings() -> list[Drawing]:
    return [draw(seed=seed, size=(640, 480)) for seed in SEEDS]


def test_right_corners_leave_halves_that_match() -> None:
    assert np.median([symmetry(drawing.image, drawing.labels.corners) for drawing in drawings()]) > MATCH


def test_a_side_taken_for_a_line_far_beyond_leaves_halves_that_match_less() -> None:
    worse = []
    for drawing in drawings():
        matrix = board_to_picture(as_corners(drawing.labels.corners))
        beyond = project(matrix, FLAT + np.array([[0, 0], [0.07, 0], [0.07, 0], [0, 0]]))
        worse.append(symmetry(drawing.image, beyond) < symmetry(drawing.image, drawing.labels.corners))
    assert np.mean(worse) >= 0.75


def test_what_has_no_pattern_has_no_halves() -> None:
    noise = np.random.default_rng(5).integers(0, 255, (300, 400, 3), np.uint8)
    blots = cv2.normalize(cv2.GaussianBlur(noise, (0, 0), 4), None, 0, 255, cv2.NORM_MINMAX)
    corners = np.array([[50, 50], [350, 50], [350, 250], [50, 250]], float)
    assert symmetry(np.asarray(blots, np.uint8), corners) < MATCH
