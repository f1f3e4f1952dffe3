"""Dice and the cube: what the readings say about where they lie, with networks that answer as told."""

import numpy as np
import pytest

from nardi_vision.dice import CUBE, DIE, FaceReader, Spot, softmax
from nardi_vision.reading import DieState
from nardi_vision.rectify import Layout, Rectifier

FRAME = np.full((720, 960, 3), 90, np.uint8)
RECTIFIER = Rectifier([[100, 80], [860, 80], [860, 640], [100, 640]], (960, 720), Layout(0.0, 1 / 13))
NO_TOPS = np.zeros((0, 2))


class Told:
    """A network that gives the same answer whatever it is shown, and keeps what it was shown."""

    def __init__(self, answer, sure=9.0):
        self.answer, self.sure, self.shown = answer, sure, []

    def run(self, blob, outputs):
        self.shown.append(blob)
        logits = np.zeros((1, 7), np.float32)
        logits[0, self.answer] = self.sure
        return (logits,)


def dice(answer, pixel, tops=NO_TOPS, sure=9.0):
    reader = FaceReader(Told(answer, sure), Told(1))
    (die,) = reader.dice(FRAME, RECTIFIER, [Spot(pixel, 1.0)], tops)
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


def test_a_die_that_cannot_be_read_has_no_value():
    assert dice(3, (300.0, 360.0), sure=0.1).value is None


def test_no_more_than_four_dice_are_read():
    reader = FaceReader(Told(6), Told(1))
    spots = [Spot((200.0 + 60 * i, 360.0), 0.9) for i in range(6)]
    assert len(reader.dice(FRAME, RECTIFIER, spots, NO_TOPS)) == 4


def test_squares_are_cut_to_the_networks_size():
    die, cube = Told(1), Told(2)
    reader = FaceReader(die, cube)
    reader.dice(FRAME, RECTIFIER, [Spot((300.0, 360.0), 1.0)], NO_TOPS)
    reader.cube(FRAME, RECTIFIER, Spot((480.0, 360.0), 1.0))
    assert die.shown[0].shape == (1, 3, DIE.pixels, DIE.pixels)
    assert cube.shown[0].shape == (1, 3, CUBE.pixels, CUBE.pixels)


@pytest.mark.parametrize(("y", "side"), [(360.0, None), (90.0, 0), (630.0, 1)])
def test_the_cube_lies_in_the_middle_or_on_a_side(y, side):
    cube = FaceReader(Told(1), Told(6)).cube(FRAME, RECTIFIER, Spot((480.0, y), 1.0))
    assert (cube.value, cube.side) == (64, side)


def test_softmax_sums_to_one_even_for_large_logits():
    weights = softmax(np.array([[1000.0, 1000.0], [-1000.0, 0.0]]))
    assert np.allclose(weights, [[0.5, 0.5], [0.0, 1.0]])
