"""What goes wrong around the match is named, told and cleared by itself; the match goes on by hand (CASES 28, 32)."""

import pytest

from game.sitting import BLACK, WHITE, Sitting
from nardi.game.event import CommandRefused, FaultCleared, FaultNoted, Played
from nardi.game.match import Phase
from nardi.game.observation import DeviceFound, DeviceLost, DieLost, DieRolling, DieSettled, LineFaulty
from nardi_vision.reading import EyeFault


@pytest.mark.parametrize(
    "fault",
    ["nudged", "board_lost", "light_changed", "covered", "dark", "blurred", "glare", "astride", "no_frame"],
)
def test_cases_28_a_fault_of_the_eye_is_named_once_and_cleared_by_itself(fault: str) -> None:
    table = Sitting()
    table.begin()
    for _ in range(3):
        table.show_board(table.board(), faults=(EyeFault(fault),), settled=False)
    assert table.told == [f"eye.{fault}"]
    assert len(table.all(FaultNoted)) == 1
    table.set_up()
    assert table.told == []
    assert table.all(FaultCleared)


def test_hands_movement_and_doubt_are_everyday_things() -> None:
    table = Sitting()
    table.begin()
    faults = (EyeFault.HAND, EyeFault.MOVING, EyeFault.DOUBT)
    table.show_board(table.board(), faults=faults, hand=True, hidden=(1, 2))
    assert table.match.hand
    assert table.told == []


def test_without_its_eye_the_table_goes_on_by_hand_and_with_it_again() -> None:
    table = Sitting()
    table.begin()
    table.do(DeviceLost(table.t, "eye"))
    assert not table.match.sees
    assert table.told == ["device.lost"]
    table.throw(BLACK, 6, 4)
    table.say("black", "confirm")
    assert table.last(CommandRefused).message.id == "umpire.refused.nothing_seen"
    table.say("black", "play", "24/14")
    assert table.last(Played).notation == "24/14"
    table.do(DeviceFound(table.t, "eye"))
    assert table.match.sees
    assert table.told == []
    table.take_turn(5, 2, "24/22 13/8")
    assert table.last(Played).by is WHITE


def test_a_dice_line_that_makes_no_sense_is_told_until_a_good_one_comes() -> None:
    table = Sitting()
    table.begin()
    table.do(LineFaulty(table.t, "checksum", "$DIE,w1,7,SETT"))
    assert table.told == ["dice.line"]
    table.settle("b1", 3)
    assert table.told == []


def test_cases_32_a_lost_die_is_told_until_it_is_heard_again() -> None:
    table = Sitting()
    table.begin()
    table.do(DieLost(table.t, "b2"))
    assert table.told == ["dice.lost"]
    table.settle("b2", 3)
    assert table.told == []


def test_dice_of_another_table_are_nobodys() -> None:
    table = Sitting()
    table.begin()
    assert table.do(DieRolling(table.t, "q7")) == []
    assert table.do(DieSettled(table.t, "q7", 3, 0)) == []


def test_a_checker_in_the_hand_shows_where_it_came_from() -> None:
    table = Sitting()
    table.set_up()
    table.opening(3, 1)
    from nardi.game.board import Board

    board = table.board()
    points = list(board.points)
    points[7] = (WHITE, 2)
    table.show_board(Board(tuple(points), board.bar, board.off), hand=True, hidden=(20,))
    assert (table.match.lifted, table.match.lifted_from) == (WHITE, 8)
    table.move("8/5 6/5")
    assert table.match.lifted_from is None
    assert table.match.phase is Phase.PLAYED
