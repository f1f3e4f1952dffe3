"""Dice and the cube: what the readings say about where they lie, with networks that answer as told."""

import numpy as np
import pytest

from nardi_vision.dice import (
    CLIMBED,
    CUBE,
    DIE,
    NO_CUBE,
    NO_DIE,
    FaceReader,
    Spot,
    agreed,
    aimed,
    flattened,
    softmax,
    square,
)
from nardi_vision.reading import DieState
from nardi_vision.rectify import LIFT, Layout, Rectifier, mapped

FRAME = np.full((720, 960, 3), 90, np.uint8)
RECTIFIER = Rectifier([[100, 80], [860, 80], [860, 640], [100, 640]], (960, 720), Layout(0.0, 1 / 13))
NO_TOPS = np.zeros((0, 2))


class Told:
    """A network that gives the same answer whatever it is shown, and keeps what it was shown."""

    def __init__(self, sight, answer, sure=9.0, middle=(0.0, 0.0)):
        self.kinds, self.answer, self.sure, self.middle, self.shown = sight.kinds, answer, sure, middle, []

    def run(self, blob, outputs):
        self.shown.append(blob)
        said = np.zeros((1, self.kinds + 2), np.float32)
        said[0, self.answer] = self.sure
        said[0, self.kinds :] = self.middle
        return (said,)


def all_dice(answer, spots, tops=NO_TOPS, sure=9.0):
    return FaceReader(Told(DIE, answer, sure), Told(CUBE, 1)).dice(FRAME, RECTIFIER, spots, tops)


def dice(answer, pixel, tops=NO_TOPS, sure=9.0):
    (die,) = all_dice(answer, [Spot(pixel, 0.9)], tops, sure)
    return die


def test_a_flat_die_has_its_value_half_and_place():
    die = dice(5, (300.0, 360.0))
    assert (die.value, die.state, die.half) == (5, DieState.FLAT, 0)
    assert die.x == pytest.approx((300 - 100) / 760, abs=0.03)
    assert die.y == pytest.approx(0.5, abs=0.03)
    assert dice(5, (700.0, 360.0)).half == 1


def test_a_die_beside_the_board_is_off_it():
    die = dice(2, (40.0, 360.0))
    assert (die.state, die.half) == (DieState.OFF_BOARD, None)


def test_a_die_that_shows_no_face_is_cocked():
    assert dice(0, (300.0, 360.0)).state is DieState.COCKED


def test_a_die_on_a_checker_is_told():
    assert dice(4, (300.0, 360.0), np.array([[304.0, 357.0]])).state is DieState.ON_CHECKER
    assert dice(4, (300.0, 360.0), np.array([[360.0, 357.0]])).state is DieState.FLAT


def test_a_die_on_a_checker_is_told_in_a_leaning_picture_and_one_beside_it_is_not():
    place, column = np.array([[0.3, 0.2]]), np.array([LEANING.layout.width, 0.0])
    tops = mapped(LEANING._plane(LIFT), place)

    def state(pixels):
        ((x, y),) = pixels.tolist()
        (die,) = FaceReader(Told(DIE, 4), Told(CUBE, 1)).dice(FRAME, LEANING, [Spot((x, y), 0.9)], tops)
        return die.state

    assert state(mapped(LEANING._plane(CLIMBED), place + 0.25 * column)) is DieState.ON_CHECKER
    assert state(mapped(LEANING._plane(DIE.lift), place + 0.75 * column)) is DieState.FLAT


def test_a_die_that_cannot_be_read_has_no_value():
    assert dice(3, (300.0, 360.0), sure=0.1).value is None


def test_no_more_than_four_dice_are_read():
    spots = [Spot((200.0 + 60 * i, 360.0), 0.9) for i in range(6)]
    assert len(all_dice(6, spots)) == 4


def test_what_the_reader_knows_for_no_die_is_none_however_sure_the_finder_was():
    assert all_dice(NO_DIE, [Spot((300.0, 360.0), 0.95)]) == ()


def test_a_face_makes_a_die_of_a_faint_spot():
    (die,) = all_dice(3, [Spot((300.0, 360.0), 0.1)])
    assert die.value == 3
    assert all_dice(3, [Spot((300.0, 360.0), 0.1)], sure=0.5) == ()


def test_two_weights_agree_or_cancel():
    assert agreed(0.9, 0.9) > 0.98
    assert agreed(0.9, 0.1) == pytest.approx(0.5)
    assert agreed(1.0, 0.0) == agreed(0.0, 0.0) == 0.0


def test_squares_are_cut_to_the_networks_size():
    die, cube = Told(DIE, 1), Told(CUBE, 2)
    reader = FaceReader(die, cube)
    reader.dice(FRAME, RECTIFIER, [Spot((300.0, 360.0), 1.0)], NO_TOPS)
    reader.cube(FRAME, RECTIFIER, Spot((480.0, 360.0), 1.0))
    assert die.shown[0].shape == (1, 12, DIE.pixels // 2, DIE.pixels // 2)
    assert cube.shown[0].shape == (1, 12, CUBE.pixels // 2, CUBE.pixels // 2)


@pytest.mark.parametrize(("y", "side"), [(360.0, None), (90.0, 0), (630.0, 1)])
def test_the_cube_lies_in_the_middle_or_on_a_side(y, side):
    cube = FaceReader(Told(DIE, 1), Told(CUBE, 6)).cube(FRAME, RECTIFIER, Spot((480.0, y), 1.0))
    assert (cube.value, cube.side) == (64, side)


def test_softmax_sums_to_one_even_for_large_logits():
    weights = softmax(np.array([[1000.0, 1000.0], [-1000.0, 0.0]]))
    assert np.allclose(weights, [[0.5, 0.5], [0.0, 1.0]])


def test_what_the_reader_knows_for_no_cube_is_none():
    reader = FaceReader(Told(DIE, 1), Told(CUBE, NO_CUBE))
    assert reader.cube(FRAME, RECTIFIER, Spot((480.0, 360.0), 0.9)) is None


def test_a_clear_face_costs_one_look_and_a_doubtful_one_more():
    clear, doubtful = Told(DIE, 5), Told(DIE, 5, sure=2.5)
    for network in (clear, doubtful):
        FaceReader(network, Told(CUBE, 1)).dice(FRAME, RECTIFIER, [Spot((300.0, 360.0), 0.9)], NO_TOPS)
    assert (len(clear.shown), len(doubtful.shown)) == (1, 2)


LEANING = Rectifier([[300, 60], [820, 130], [820, 590], [300, 660]], (960, 720), Layout(0.0, 1 / 13))


def seen_at(frame_xy, rectifier, top, size=3):
    """Where (right, down) in the square of a die at `top` a patch of the frame is seen."""
    frame = np.zeros((720, 960, 3), np.uint8)
    x, y = round(frame_xy[0]), round(frame_xy[1])
    frame[y - size : y + size + 1, x - size : x + size + 1] = 255
    seen = square(frame, top, aimed(flattened(rectifier), top, DIE), DIE)[..., 0]
    rows, columns = np.nonzero(seen > 128)
    return columns.mean() - (DIE.pixels - 1) / 2, rows.mean() - (DIE.pixels - 1) / 2


def raised(rectifier, pixel, columns):
    """Where a thing seen at `pixel` would be seen `columns` higher."""
    at = rectifier.to_board(np.array([pixel]), 0.2)
    return mapped(rectifier._plane(0.2 + columns), at)[0].tolist()


def test_a_things_sides_are_seen_straight_below_its_top():
    top = (560.0, 360.0)
    across, down = seen_at(raised(LEANING, top, -0.35), LEANING, top)
    assert down > 3
    assert abs(across) < 1


def test_a_square_shows_its_columns_alike_in_both_directions():
    unit = DIE.pixels / 2 / DIE.reach  # pixels of a square to a column
    top = (560.0, 360.0)
    here = LEANING.to_board(np.array([top]), DIE.lift)
    beside = mapped(LEANING.surface, here + np.array([[0.25, 0], [0, 0.25 / LEANING.aspect]]) / 13)
    lifted = [raised(LEANING, (x, y), DIE.lift) for x, y in beside]
    far = [np.hypot(*seen_at(at, LEANING, top, 1)) for at in lifted]
    assert far == pytest.approx([0.25 * unit] * 2, abs=1.2)


def test_a_thing_seen_from_right_above_is_not_turned():
    steps = aimed(lambda pixels, lift: pixels / 40, (100.0, 100.0), DIE)
    assert np.allclose(steps, np.eye(2) * 40 * 2 * DIE.reach / DIE.pixels)


def test_a_large_frame_is_shrunk_before_it_is_cut():
    stripes = np.zeros((600, 600, 3), np.uint8)
    stripes[:, ::2] = 255
    coarse = square(stripes, (300.0, 300.0), np.eye(2) * 4, DIE)
    assert (coarse > 120).all()
    assert (coarse < 135).all()
    assert np.ptp(square(stripes, (300.5, 300.5), np.eye(2), DIE)) == 255


@pytest.mark.parametrize("pixel", [(0.0, 0.0), (959.0, 719.0), (-30.0, 400.0), (400.0, 800.0)])
def test_a_thing_at_the_frames_edge_can_be_looked_at(pixel):
    assert square(FRAME, pixel, np.eye(2) * 3, DIE).shape == (DIE.pixels, DIE.pixels, 3)


def test_a_die_is_where_its_face_is_seen_and_a_second_look_is_taken_there():
    beside = Told(DIE, 5, sure=2.5, middle=(0.5, 0.0))
    spot = (300.0, 360.0)
    (die,) = FaceReader(beside, Told(CUBE, 1)).dice(FRAME, RECTIFIER, [Spot(spot, 0.9)], NO_TOPS)
    x, y = RECTIFIER.to_board(np.array([spot]), DIE.lift)[0]
    far = np.hypot(die.x - x, (die.y - y) * RECTIFIER.aspect) * 13
    assert far == pytest.approx(2 * 0.5 * DIE.reach, abs=0.02)
    # Two looks, each half a reach further on.
    assert len(beside.shown) == 2


def test_a_die_that_two_spots_show_counts_once():
    beside = [Spot((300.0, 360.0), 0.9), Spot((306.0, 360.0), 0.9)]
    assert len(all_dice(5, beside)) == 1
    assert len(all_dice(5, [beside[0], Spot((330.0, 360.0), 0.9)])) == 2


def test_a_square_is_cut_where_a_column_is_wider_than_the_frame() -> None:
    steps = np.array([[90.0, 4.0], [-3.0, 80.0]])
    cut = square(np.full((70, 64, 3), 9, np.uint8), (30.0, 40.0), steps, DIE)
    assert cut.shape == (DIE.pixels, DIE.pixels, 3)
    assert (cut == 9).all()
