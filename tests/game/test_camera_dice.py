"""Plain dice read by the eye (`dice = "camera"`), and its second opinion on dice that tell their own value (E1)."""

import pytest

from game.sitting import BLACK, WHITE, Sitting
from nardi.game.event import IllegalPlayNoticed, OpeningThrown, Played, Rolled, RollRejected
from nardi.game.match import Phase
from nardi_vision.reading import DieReading, DieState


def die(
    value: int | None, *, half: int | None = 1, y: float = 0.4, state: DieState = DieState.FLAT, sure: float = 0.95
):
    return DieReading(value, sure, state, half, 0.7, y)  # a DieReading


def opened() -> Sitting:
    table = Sitting(dice="camera")
    table.set_up()
    pair = (die(3, y=0.2), die(1, y=0.8))
    table.show_board(table.board(), dice=pair)
    table.show_board(table.board(), dice=pair)
    return table


def test_r1_the_opening_dice_by_whose_side_they_lie_on() -> None:
    table = opened()
    thrown = table.last(OpeningThrown)
    assert (thrown.white, thrown.black) == (3, 1)
    assert table.match.phase is Phase.TO_PLAY


def test_e1_two_readings_that_agree_are_a_roll_and_dice_gone_end_the_turn() -> None:
    table = opened()
    table.move("8/5 6/5", dice=(die(3), die(1)))
    table.move("8/5 6/5", dice=())
    assert table.last(Played).notation == "8/5 6/5"
    board = table.board()
    table.show_board(board, dice=(die(6), die(2)))
    assert len(table.all(Rolled)) == 1
    table.show_board(board, dice=(die(6), die(5)))  # still tumbling
    assert len(table.all(Rolled)) == 1
    table.show_board(board, dice=(die(6), die(5)))
    assert (table.last(Rolled).by, table.last(Rolled).dice) == (BLACK, (6, 5))


def test_a_hand_that_hides_the_dice_does_not_end_the_turn() -> None:
    table = opened()
    table.move("8/5 6/5", dice=(die(3), die(1)))
    table.move("8/5 6/5", dice=(), hand=True, hidden=(3, 4))
    assert not table.all(Played)


def test_e1_dice_in_two_halves_or_cocked_in_the_picture_do_not_count() -> None:
    for pair, reason in (
        ((die(3, half=0), die(1, half=1)), "other_half"),
        ((die(3), die(1, state=DieState.COCKED)), "cocked"),
        ((die(3), die(1, state=DieState.ON_CHECKER)), "on_checker"),
        ((die(3), die(1, half=None, state=DieState.OFF_BOARD)), "off_board"),
    ):
        table = opened()
        table.move("8/5 6/5", dice=())
        board = table.board()
        table.show_board(board, dice=())
        table.show_board(board, dice=pair)
        table.show_board(board, dice=pair)
        assert table.last(RollRejected).reason == reason
        assert table.last(RollRejected).by is BLACK
        table.show_board(board, dice=())
        good = (die(6), die(2))
        table.show_board(board, dice=good)
        table.show_board(board, dice=good)
        assert table.last(Rolled).dice == (6, 2)


def test_dice_read_with_doubt_are_no_roll() -> None:
    table = opened()
    table.move("8/5 6/5", dice=())
    for _ in range(3):
        table.show_board(table.board(), dice=(die(6), die(2, sure=0.5)))
        table.show_board(table.board(), dice=(die(6), die(None)))
    assert len(table.all(Rolled)) == 1


def waiting() -> Sitting:
    """Black is to roll, and no die lies there."""
    table = opened()
    table.move("8/5 6/5", dice=())
    table.show_board(table.board(), dice=())
    return table


@pytest.mark.parametrize(
    "dice", [(die(6),), (die(6), die(None)), (die(6), die(2, sure=0.5)), (die(6), die(2), die(5, half=0))]
)
def test_people_are_told_when_dice_lie_there_that_make_no_roll(dice: tuple[DieReading, ...]) -> None:
    table = waiting()
    table.show_board(table.board(), dice=dice)
    assert table.told == []
    table.t += 3000
    table.show_board(table.board(), dice=dice)
    table.show_board(table.board(), dice=dice)
    assert table.told == ["dice.unclear"]
    for _ in range(2):
        table.show_board(table.board(), dice=(die(6), die(2)))
    assert table.told == []
    assert table.last(Rolled).dice == (6, 2)


def test_dice_that_still_tumble_or_are_taken_up_again_are_no_trouble() -> None:
    table = waiting()
    for dice in ((die(6),), (), (die(6),)):
        table.show_board(table.board(), dice=dice)
        table.t += 2000
    table.show_board(table.board(), dice=(die(6), die(2)))
    assert table.told == []


def test_one_die_in_the_opening_waits_for_the_other() -> None:
    table = Sitting(dice="camera")
    table.set_up()
    for _ in range(3):
        table.show_board(table.board(), dice=(die(3, y=0.2),))
        table.t += 5000
    assert table.told == []


def test_e1_the_eye_sees_that_electronic_dice_lie_in_two_halves() -> None:
    table = Sitting()
    table.begin()
    table.throw(BLACK, 6, 2)
    table.show_board(table.board(), dice=(die(2, half=0), die(6, half=1)))
    assert table.last(RollRejected).reason == "other_half"
    assert table.match.phase is Phase.TO_ROLL
    table.throw(BLACK, 5, 1)
    table.show_board(table.board(), dice=(die(5, half=0), die(1, half=0)))
    assert table.match.phase is Phase.TO_PLAY


def test_the_eyes_opinion_needs_both_dice_of_this_roll() -> None:
    table = Sitting()
    table.begin()
    table.throw(BLACK, 6, 2)
    table.show_board(table.board(), dice=(die(2, half=0), die(5, half=1)))  # misread
    table.show_board(table.board(), dice=(die(2, half=0), die(6, half=1), die(1)))  # others lie there too
    assert not table.all(RollRejected)
    assert table.turn is BLACK
    assert table.game.roll is not None
    assert WHITE is not table.turn


def test_dice_overlooked_once_are_neither_picked_up_nor_thrown_anew() -> None:
    table = opened()
    pair = (die(3, y=0.2), die(1, y=0.8))
    board = table.board()
    for dice in ((), pair, pair, (), pair):
        table.show_board(board, dice=dice)
    assert table.match.phase is Phase.TO_PLAY
    assert not table.all(IllegalPlayNoticed)
    table.move("8/5 6/5", dice=pair)
    table.move("8/5 6/5", dice=())
    assert len(table.all(Played)) == 1
    board = table.board()
    for _ in range(3):
        table.show_board(board, dice=pair)  # they lie there still: not Black's throw
    assert len(table.all(Rolled)) == 1


def test_dice_missed_twice_are_gone_and_the_same_numbers_are_a_new_throw() -> None:
    table = opened()
    table.move("8/5 6/5", dice=())
    board = table.board()
    table.show_board(board, dice=())
    for _ in range(2):
        table.show_board(board, dice=(die(3, y=0.2), die(1, y=0.8)))
    assert (table.last(Rolled).by, table.last(Rolled).dice) == (BLACK, (3, 1))


def test_the_same_numbers_lying_elsewhere_are_a_new_throw_however_quick() -> None:
    table = opened()
    table.move("8/5 6/5", dice=(die(3), die(1)))
    table.move("8/5 6/5", dice=())
    board = table.board()
    for _ in range(2):
        table.show_board(board, dice=(die(3, y=0.6), die(1, y=0.7)))
    assert (table.last(Rolled).by, table.last(Rolled).dice) == (BLACK, (3, 1))


def test_e3_other_dice_in_their_place_end_a_turn_whose_end_was_seen_once() -> None:
    table = opened()
    table.move("!13/8 13/11", dice=(die(3), die(1)))
    table.move("!13/8 13/11", dice=())
    assert table.match.phase is Phase.ILLEGAL
    table.move("!13/8 13/11", dice=(die(6), die(5)))
    assert table.match.phase is Phase.CALLABLE
