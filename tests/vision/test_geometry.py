"""Corners, homographies, lens."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardi_vision.errors import EyeError
from nardi_vision.geometry import (
    Lens,
    board_to_picture,
    board_width_px,
    check_corners,
    clockwise,
    corner_error,
    in_order,
    move_corners,
    parse_corners,
    picture_to_board,
    project,
    text_of,
    turned,
)
from nardi_vision.reading import Corners

UPRIGHT: Corners = ((200.0, 100.0), (800.0, 110.0), (860.0, 600.0), (150.0, 590.0))


def test_corners_round_trip_through_text() -> None:
    assert parse_corners(text_of(UPRIGHT)) == UPRIGHT


@pytest.mark.parametrize("text", ["", "1,2 3,4 5,6", "1,2 3,4 5,6 7", "1,2 3,4 5,6 a,b", "1,2 3,4 5,6 nan,8"])
def test_text_that_is_no_corners_is_refused(text: str) -> None:
    with pytest.raises(EyeError) as caught:
        parse_corners(text)
    assert caught.value.reason == "corners_unreadable"


@pytest.mark.parametrize(
    ("corners", "why"),
    [
        (((200, 100), (860, 600), (800, 110), (150, 590)), "crossed"),
        (((200, 100), (150, 590), (860, 600), (800, 110)), "counterclockwise"),
        (((200, 100), (800, 100), (300, 200), (200, 590)), "concave"),
        (((200, 100), (210, 100), (210, 110), (200, 110)), "small"),
        (((100, 100), (500, 100), (900, 101), (500, 120)), "flat"),
    ],
)
def test_what_is_no_quadrangle_is_refused_by_name(corners: Corners, why: str) -> None:
    with pytest.raises(EyeError) as caught:
        check_corners(corners)
    assert caught.value.reason == "corners_not_quadrangle"
    assert caught.value.details["why"] == why
    assert caught.value.details["remedy"] == "calibrate"


def test_corners_outside_the_picture_are_refused() -> None:
    assert check_corners(UPRIGHT, (960, 720)) == UPRIGHT
    with pytest.raises(EyeError) as caught:
        check_corners(UPRIGHT, (640, 480))
    assert caught.value.reason == "corners_outside"


def test_order_of_an_upright_board_begins_top_left() -> None:
    for quarters in range(4):
        shifted = turned(UPRIGHT, quarters)
        assert in_order(shifted, point_side=(4 - quarters) % 4) == UPRIGHT
        assert in_order(shifted, point_side=(6 - quarters) % 4) == UPRIGHT


def test_order_of_a_board_seen_from_its_side_begins_at_the_higher_point_side() -> None:
    # Its points run along the right side, which begins at the top right corner, and the left, from the bottom left one.
    assert in_order(UPRIGHT, point_side=1)[0] == UPRIGHT[1]
    assert in_order(UPRIGHT, point_side=3)[0] == UPRIGHT[1]


def test_clockwise_orders_any_permutation() -> None:
    points = np.array([UPRIGHT[2], UPRIGHT[0], UPRIGHT[3], UPRIGHT[1]])
    assert clockwise(points).tolist() == [list(corner) for corner in UPRIGHT]


def test_board_and_picture_are_inverse() -> None:
    there = board_to_picture(UPRIGHT)
    assert project(there, [(0, 0), (1, 0), (1, 1), (0, 1)]) == pytest.approx(np.array(UPRIGHT))
    places = np.array([[0.3, 0.7], [0.9, 0.1]])
    assert project(picture_to_board(UPRIGHT), project(there, places)) == pytest.approx(places)


def test_corner_error_is_a_share_of_the_width() -> None:
    moved = move_corners(UPRIGHT, np.array([[1, 0, 3.0], [0, 1, 4.0], [0, 0, 1]]))
    assert corner_error(moved, UPRIGHT) == pytest.approx(5 / board_width_px(UPRIGHT))
    assert corner_error(turned(UPRIGHT, 1), UPRIGHT) > 0.5


@given(
    st.floats(-0.3, 0.2),
    st.lists(st.tuples(st.floats(0, 959), st.floats(0, 719)), min_size=1, max_size=5),
)
def test_lens_straightens_what_it_bends(k: float, places: list[tuple[float, float]]) -> None:
    lens, points = Lens(k), np.array(places)
    assert lens.straightened(lens.bent(points, (960, 720)), (960, 720)) == pytest.approx(points, abs=0.01)


def test_a_barrel_lens_pulls_the_corners_in() -> None:
    bent = Lens(-0.1).bent(np.array([[0.0, 0.0]]), (960, 720))
    assert (bent > 0).all()
