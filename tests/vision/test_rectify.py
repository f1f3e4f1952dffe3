"""Boards laid flat: places go there and back, tops land in their own columns at any tilt."""

import numpy as np
import pytest

from nardi_vision.errors import EyeError
from nardi_vision.rectify import COLUMN_PX, HEIGHT_PX, PANELS, SIDE_PX, WIDTH_PX, Layout, Rectifier, pose
from nardi_vision.synth import Camera, CameraSpec, draw

SQUARE = [[100, 80], [860, 80], [860, 640], [100, 640]]


def test_canvas_has_its_size_and_panels_meet():
    canvas = Rectifier(SQUARE, (960, 720), Layout()).canvas(np.zeros((720, 960, 3), np.uint8))
    assert canvas.shape == (HEIGHT_PX, WIDTH_PX, 3)
    assert PANELS[0][1] == PANELS[1][0]
    assert PANELS[2] == (PANELS[1][1], WIDTH_PX)


@pytest.mark.parametrize("panel", [0, 1, 2])
def test_canvas_and_frame_places_are_inverse(panel):
    rectifier = Rectifier([[210, 95], [770, 140], [900, 650], [60, 560]], (960, 720), Layout(0.01, 0.075))
    begin, end = PANELS[panel]
    points = np.array([[begin + 3.0, 5.0], [end - 4.0, 200.0]])
    there = rectifier.to_frame(points, panel)
    assert np.allclose(rectifier.to_canvas(there, panel), points, atol=1e-6)


@pytest.mark.parametrize(
    "corners",
    [
        [[0, 0], [10, 0], [10, 10]],
        [[0, 0], [0, 10], [10, 10], [10, 0]],  # anticlockwise
        [[0, 0], [10, 10], [10, 0], [0, 10]],  # crossed
        [[0, 0], [10, 0], [20, 0], [0, 10]],  # three in a line
        [[0, 0], [10, 0], [float("nan"), 10], [0, 10]],
    ],
)
def test_corners_that_are_no_quadrangle_are_refused(corners):
    with pytest.raises(EyeError, match="corners_not_quadrangle"):
        Rectifier(corners, (960, 720), Layout())


def test_a_frame_of_another_size_is_refused():
    with pytest.raises(EyeError, match="frame_size"):
        Rectifier(SQUARE, (960, 720), Layout()).canvas(np.zeros((480, 640, 3), np.uint8))


@pytest.mark.parametrize("tilt", [5.0, 25.0, 45.0])
@pytest.mark.parametrize("azimuth", [20.0, 90.0, 200.0])
def test_the_pose_tells_where_tops_lean(tilt, azimuth):
    camera = Camera(CameraSpec(tilt_deg=tilt, azimuth_deg=azimuth, focal=1.2), 13.0, 11.2)
    corners = camera.project(np.array([[0, 0, 0], [13, 0, 0], [13, 11.2, 0], [0, 11.2, 0]], float))
    rectifier = Rectifier(corners, (960, 720), Layout(0.0, 1 / 13))
    stand = pose(corners, (960, 720))
    foot = np.array([[4.0, 3.0, 0.0], [9.0, 8.0, 0.0]])
    head = foot + np.array([0, 0, 0.3])
    truth = camera.project(head) - camera.project(foot)
    homogeneous = np.column_stack([foot[:, 0] / 13, foot[:, 1] / 11.2, np.ones(2)]) @ rectifier.surface.T
    lifted = homogeneous + stand.rise * 0.3 / 13
    guess = lifted[:, :2] / lifted[:, 2:] - homogeneous[:, :2] / homogeneous[:, 2:]
    column_px = np.linalg.norm(corners[1] - corners[0]) / 13
    assert np.abs(guess - truth).max() < 0.12 * column_px


def test_tops_land_in_their_columns_whatever_bar_and_tilt():
    checked = 0
    for seed in range(14):
        drawing = draw(seed=seed, size=(320, 240))
        labels = drawing.labels
        rectifier = Rectifier(labels.corners, (320, 240), Layout(*labels.layout))
        for top in labels.tops:
            if top.slot >= 24 or top.layer > 0:
                continue
            panel = 0 if top.slot % 12 < 6 else 2
            x = rectifier.to_canvas(np.array([top.at]), panel)[0, 0]
            column = (x - PANELS[panel][0] - SIDE_PX) / COLUMN_PX
            assert abs(column - (top.slot % 6 + 0.5)) < 0.62
            checked += 1
    assert checked > 150
