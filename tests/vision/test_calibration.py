"""Calibration files, AprilTags, and corners moved by hand."""

import datetime
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from nardi_vision.apriltag import find_tags, tag_sheet
from nardi_vision.calibration import Calibration, CalibrationFault, Method, residual_px
from nardi_vision.editor import CornerEditor
from nardi_vision.errors import EyeError
from nardi_vision.geometry import Lens, move_corners, turned
from nardi_vision.reading import Corners

CORNERS: Corners = ((200.0, 120.0), (760.0, 130.0), (780.0, 610.0), (190.0, 600.0))
SIZE = (960, 720)
DAY = datetime.date(2026, 11, 30)
MADE = Calibration(CORNERS, SIZE, DAY, Method.FOUND, Lens(-0.05), 0.004, "v4l2:/dev/video0", {"layout": [1, 2]})


def test_file_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "calibration.json"
    MADE.save(path)
    assert Calibration.load(path) == MADE
    assert [file.name for file in path.parent.iterdir()] == ["calibration.json"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"version": 9}, "version"),
        ({"corners": [[0, 0], [1, 1]]}, "corners"),
        ({"corners": [[200, 120], [780, 610], [760, 130], [190, 600]]}, "corners"),
        ({"frame_size": [960]}, "frame_size"),
        ({"made": "yesterday"}, "made"),
        ({"method": "guessed"}, "method"),
        ({"lens_k": "wide"}, "lens_k"),
        ({"learned": [1]}, "learned"),
    ],
)
def test_each_broken_field_is_named(tmp_path: Path, change: dict[str, object], field: str) -> None:
    path = tmp_path / "calibration.json"
    MADE.save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(EyeError) as caught:
        Calibration.load(path)
    assert caught.value.reason == "calibration_broken"
    assert caught.value.details["field"] == field
    assert caught.value.details["file"] == str(path)


def test_missing_torn_and_unwritable_files(tmp_path: Path) -> None:
    with pytest.raises(EyeError, match="calibration_missing"):
        Calibration.load(tmp_path / "none.json")
    path = tmp_path / "calibration.json"
    MADE.save(path)
    path.write_text(path.read_text()[:60])
    with pytest.raises(EyeError, match="calibration_broken") as caught:
        Calibration.load(path)
    assert int(caught.value.details["line"]) > 1
    (tmp_path / "file").write_text("")
    with pytest.raises(EyeError, match="calibration_unwritable"):
        MADE.save(tmp_path / "file" / "calibration.json")


def test_age_size_and_place_are_checked() -> None:
    assert MADE.check(SIZE, DAY, CORNERS) == ()
    assert MADE.check(SIZE, DAY + datetime.timedelta(days=200)) == (CalibrationFault.OLD,)
    assert MADE.check((1280, 720), DAY, CORNERS) == (CalibrationFault.FRAME_SIZE,)
    nudged = move_corners(CORNERS, np.array([[1, 0, 12.0], [0, 1, 5.0], [0, 0, 1]]))
    assert MADE.check(SIZE, DAY, nudged) == (CalibrationFault.MOVED,)
    # The same board found from its other end is the same place.
    assert MADE.check(SIZE, DAY, turned(CORNERS, 2)) == ()
    assert residual_px(MADE) == pytest.approx(0.004 * 575, rel=0.05)


def test_scaling_to_another_resolution_of_the_same_view() -> None:
    half = MADE.scaled((480, 360))
    assert half.corners[2] == (390.0, 305.0)
    with pytest.raises(EyeError, match="calibration_frame_size"):
        MADE.scaled((1280, 720))


# AprilTags.


def tagged(order: tuple[int, ...] = (0, 1, 2, 3), warp: np.ndarray | None = None) -> np.ndarray:
    """A board seen from above with a tag's paper at each corner; the paper's inner corner on the surface's."""
    sheet = cv2.cvtColor(tag_sheet(8), cv2.COLOR_BGR2GRAY)
    image = np.full((900, 1200), 120, np.uint8)
    side = 80
    places = ((300, 200), (900, 200), (900, 700), (300, 700))
    for (x, y), tag in zip(places, order, strict=True):
        left, top = 8 + tag % 2 * 88, 8 + tag // 2 * 88
        paper = sheet[top : top + side, left : left + side]
        px, py = (x - side if x < 600 else x), (y - side if y < 450 else y)
        image[py : py + side, px : px + side] = paper
    colour = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 0.8), cv2.COLOR_GRAY2BGR)
    return colour if warp is None else cv2.warpPerspective(colour, warp, (1200, 900), borderValue=(120, 120, 120))


def test_tags_give_the_corners() -> None:
    found = np.asarray(find_tags(tagged()))
    assert found == pytest.approx(np.array([[300, 200], [900, 200], [900, 700], [300, 700]]), abs=2.0)


def test_tags_tell_which_side_carries_points_and_stand_a_tilt() -> None:
    corners = np.array([[300, 200], [900, 200], [900, 700], [300, 700]], np.float32)
    seen = np.array([[400, 260], [830, 270], [980, 720], [280, 700]], np.float32)
    warp = cv2.getPerspectiveTransform(corners, seen)
    # Tag 0 at the top right: points run down the right side.
    found = np.asarray(find_tags(tagged((3, 0, 1, 2), warp)))
    assert found == pytest.approx(seen[[1, 2, 3, 0]], abs=4.0)


def test_tags_missing_or_doubled_are_named() -> None:
    image = tagged()
    image[100:220, 200:320] = 120
    with pytest.raises(EyeError) as caught:
        find_tags(image)
    assert (caught.value.reason, caught.value.details["tags"]) == ("tags_missing", "0")
    image = tagged()
    image[420:500, 20:100] = image[120:200, 220:300]
    with pytest.raises(EyeError) as caught:
        find_tags(image)
    assert (caught.value.reason, caught.value.details["tags"]) == ("tags_doubled", "0")


# By hand.


def test_arrow_keys_move_the_selected_corner() -> None:
    editor = CornerEditor(SIZE, CORNERS)
    for key in ("minus", "left", "up", "tab", "plus", "plus", "right"):
        assert editor.key(key)
    assert editor.corners[0] == (199.0, 119.0)
    assert editor.corners[1] == (785.0, 130.0)
    assert not editor.key("x")


def test_corners_stay_in_the_picture_and_turn() -> None:
    editor = CornerEditor(SIZE, CORNERS)
    editor.move(2, 5000, -20)
    assert editor.corners[2] == (959.0, 0.0)
    editor = CornerEditor(SIZE, CORNERS)
    editor.key("turn")
    assert editor.done() == turned(CORNERS, 1)
    with pytest.raises(EyeError, match="corner_number"):
        editor.move(4, 1, 1)


def test_the_page_s_changes_and_faults() -> None:
    editor = CornerEditor(SIZE)
    assert editor.state()["fault"] is None
    state = editor.apply({"corner": 0, "x": 900, "y": 700})
    assert state["corners"][0] == [900, 700]
    assert state["fault"]["reason"] == "corners_not_quadrangle"
    with pytest.raises(EyeError):
        editor.done()
    assert editor.apply({"key": "tab"})["frame_size"] == [960, 720]
    for wrong in ({}, {"corner": "0", "x": 1, "y": 2}, {"key": "jump"}):
        with pytest.raises(EyeError, match="editor_change"):
            editor.apply(wrong)
