"""Which camera sees which board: the geometry against an independent projection, and a mast for every camera."""

import dataclasses
import math
import random

import field_of_view
import mast_strength
import measures
import pytest
from field_of_view import Pinhole

M = measures.load()


def test_straight_down_the_picture_is_to_scale() -> None:
    pinhole = Pinhole((300, 200, 500), 0)
    assert pinhole.project((300, 200, 0)) == pytest.approx((0, 0))
    assert pinhole.project((350, 300, 0)) == pytest.approx((100 / 500, 50 / 500))
    assert pinhole.project((350, 300, 100)) == pytest.approx((100 / 400, 50 / 400))


def test_tilted_the_axis_meets_the_board_where_the_angle_says() -> None:
    pinhole = Pinhole((0, 0, 500), 30)
    assert pinhole.project((500 * math.tan(math.radians(30)), 0, 0)) == pytest.approx((0, 0))
    assert pinhole.project((-2000, 0, 0)) == (math.inf, math.inf)  # behind the lens


def test_projection_agrees_with_opencv() -> None:
    cv2, np = pytest.importorskip("cv2"), pytest.importorskip("numpy")
    randomly = random.Random(5)
    for _ in range(50):
        tilt = randomly.uniform(-40, 40)
        at = tuple(randomly.uniform(100, 900) for _ in range(3))
        point = tuple(randomly.uniform(0, 90) for _ in range(3))
        sine, cosine = math.sin(math.radians(tilt)), math.cos(math.radians(tilt))
        # Rows: along y, along the arm in the picture, along the axis.
        rotation = np.array([[0, 1, 0], [cosine, 0, sine], [sine, 0, -cosine]])
        moved = -rotation @ np.array(at)
        # OpenCV wants a right-handed frame: mirror the first axis, and back.
        mirror = np.diag([-1.0, 1, 1]) if np.linalg.det(rotation) < 0 else np.eye(3)
        vector, _ = cv2.Rodrigues(mirror @ rotation)
        seen, _ = cv2.projectPoints(np.array([point]), vector, mirror @ moved, np.eye(3), None)
        expected = seen[0, 0] * [mirror[0, 0], 1]
        ours = Pinhole(at, tilt).project(point)  # type: ignore[arg-type]
        if math.isfinite(ours[0]):
            assert ours == pytest.approx(tuple(expected), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("board", M.boards)
@pytest.mark.parametrize("camera", M.cameras)
def test_every_camera_sees_every_board_well_from_some_mast(board: str, camera: str) -> None:
    assert any(one.good for one in field_of_view.views(M, M.boards[board]) if one.camera == camera)


def test_a_mast_too_low_cuts_the_board_off_and_one_too_high_makes_checkers_too_small() -> None:
    low = field_of_view.view(M, M.board, "picamera-3", 3, 1)
    assert not low.whole
    assert low.checker_px > M.eye.min_checker_px
    high = field_of_view.view(M, M.board, "picamera-3-wide", 5, 1)
    assert high.whole
    assert not high.legible


def test_a_whole_board_really_lies_inside_the_frame() -> None:
    # By hand for one view: every corner's pixel, from the angles alone.
    one = field_of_view.view(M, M.board, "uvc-90", 5, 1)
    assert one.whole
    camera, mast = M.cameras["uvc-90"], M.mast
    x = mast.reach_mm(1) - mast.column_from_board_mm
    halves = [math.radians(angle / 2) for angle in camera.fov_deg]
    if one.turned:
        halves.reverse()
    for corner_x in (0, M.board.outer_mm[0]):
        for corner_y in (0, M.board.outer_mm[1]):
            down = one.height_mm - M.board.frame_height_mm
            arm = math.atan2(corner_x - x, down) - math.radians(one.tilt_deg)
            assert abs(arm) < halves[1]
            slant = math.hypot(corner_x - x, down) * math.cos(arm)
            assert abs(math.atan2(corner_y - M.board.outer_mm[1] / 2, slant)) < halves[0]


def test_the_checker_is_as_wide_as_a_thin_lens_says() -> None:
    one = field_of_view.view(M, M.boards["case-46"], "picamera-3", 4, 1)
    assert one.tilt_deg == 0
    board = M.boards["case-46"]
    focal_px = M.eye.working_width_px / 2 / math.tan(math.radians(33))
    expected = focal_px * board.checker_mm / (one.height_mm - board.checker_height_mm)
    assert one.checker_px == pytest.approx(expected, rel=0.01)


def test_the_command_says_so_where_no_mast_serves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert field_of_view.main(["--board", "case-46"]) == 0
    short = dataclasses.replace(M, mast=dataclasses.replace(M.mast, column_segments=(1,)))
    monkeypatch.setattr(field_of_view, "load", lambda: short)
    assert field_of_view.main([]) == 1
    assert "picamera-3: sees this board well from no mast" in capsys.readouterr().out


def test_every_mast_is_stiff_enough_and_a_thin_one_is_not() -> None:
    for one in mast_strength.strengths(M.mast):
        assert one.sag_mm <= M.mast.max_sag_mm
        assert one.resonance_hz >= M.mast.min_resonance_hz
    thin = dataclasses.replace(M.mast, tube_mm=20)
    assert any(one.sag_mm > M.mast.max_sag_mm for one in mast_strength.strengths(thin))


def test_sag_of_a_bare_arm_is_the_textbooks() -> None:
    # No column to speak of, no weight of its own: F l^3 / 3 E I.
    mast = dataclasses.replace(M.mast, density_g_cm3=0.0, segment_mm=1e-9, clamp_jaw_mm=0.0)
    one = mast_strength.strength(mast, 0, 0)
    inertia = (32**4 - 26**4) / 12
    reach, height = mast.reach_mm(0), mast.arm_axis_mm(0)
    force = 9.81 * mast.camera_g / 1000
    arm = force * reach**3 / (3 * 2000 * inertia)
    assert one.sag_mm == pytest.approx(arm + force * reach * height / (2000 * inertia) * reach)
