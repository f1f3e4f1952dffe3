"""A turn from throw to lifted dice: openings, cocked dice, early rolls, final plays (R1, E1-E4)."""

from game.sitting import BLACK, WHITE, Sitting
from nardi.game.event import (
    AutomaticallyDoubled,
    DiceLifted,
    IllegalPlayNoticed,
    OpeningThrown,
    OpeningTied,
    Played,
    PlaySighted,
    PlayWithdrawn,
    Rolled,
    RollRejected,
    SetUpVerified,
)
from nardi.game.match import Phase
from nardi.game.observation import DieLost
from nardi.rules import ByColor, Roll

BOTH_HOME = "50550000000000000000000000/50550000000000000000000000"


def test_r1_the_higher_opening_die_starts_and_plays_both() -> None:
    table = Sitting()
    table.set_up()
    table.opening(2, 5)
    thrown = table.last(OpeningThrown)
    assert (thrown.white, thrown.black, thrown.starter) == (2, 5, BLACK)
    assert table.last(Rolled).dice == (5, 2)
    assert table.last(Rolled).sources == ("w1", "b1")
    assert table.match.phase is Phase.TO_PLAY
    assert table.turn is BLACK


def test_r1_ties_are_thrown_again() -> None:
    table = Sitting()
    table.set_up()
    table.opening(4, 4)
    assert table.last(OpeningTied).value == 4
    assert table.match.phase is Phase.OPENING
    table.settle("w1", 6)
    assert table.match.phase is Phase.OPENING  # Black's four does not count any more
    table.settle("b1", 1)
    assert table.turn is WHITE


def test_c6_a_tie_doubles_the_cube_once_in_money_play_and_never_in_a_match() -> None:
    money = Sitting(length=0)
    money.set_up()
    money.opening(4, 4)
    money.opening(2, 2)
    assert [event.value for event in money.all(AutomaticallyDoubled)] == [2]
    assert money.game.cube.value == 2
    assert money.game.cube.owner is None
    match = Sitting(length=5)
    match.set_up()
    match.opening(4, 4)
    assert not match.all(AutomaticallyDoubled)


def test_r1_white_starts_the_winner_of_the_throw_takes_white() -> None:
    table = Sitting("long-classic", 3)
    table.set_up()
    table.opening(1, 6)
    assert table.turn is WHITE
    assert table.match.players.white == "Boris"
    assert table.last(Rolled).dice == (6, 1)


def test_a_stray_third_die_of_the_opening_is_no_part_of_a_later_roll() -> None:
    table = Sitting()
    table.set_up()
    table.settle("w2", 3)
    table.opening(5, 3)
    assert table.last(Rolled).dice == (5, 3)
    table.move("8/3 6/3")
    table.lift("w1", "b1")
    table.take_turn(6, 4, "24/14")
    table.settle("w1", 2)
    assert len(table.all(Rolled)) == 2


def test_e1_a_cocked_die_does_not_count_and_both_are_thrown_again() -> None:
    table = Sitting()
    table.begin()
    table.throw(BLACK, 6, 2, tilts=(24, 2))
    rejected = table.last(RollRejected)
    assert (rejected.by, rejected.reason) == (BLACK, "cocked")
    assert table.match.phase is Phase.TO_ROLL
    table.lift("b1", "b2")
    table.throw(BLACK, 5, 2)
    assert table.last(Rolled).dice == (5, 2)
    assert len(table.all(RollRejected)) == 1


def test_e1_ten_degrees_is_still_flat() -> None:
    table = Sitting()
    table.begin()
    table.throw(BLACK, 6, 2, tilts=(10, 0))
    assert table.last(Rolled).dice == (6, 2)


def test_e1_a_cocked_opening_die_is_thrown_again_alone() -> None:
    table = Sitting()
    table.set_up()
    table.settle("b1", 5)
    table.settle("w1", 6, 40)
    assert table.last(RollRejected).by is WHITE
    table.settle("w1", 2)
    assert table.turn is BLACK


def test_cases_32_a_die_whose_link_dropped_is_unknown_until_thrown_again() -> None:
    table = Sitting()
    table.begin()
    table.settle("b1", 5)
    table.do(DieLost(table.t, "b1"))
    table.settle("b2", 3)
    assert len(table.all(Rolled)) == 1
    table.settle("b1", 1)
    assert table.last(Rolled).dice == (1, 3)


def test_e3_a_play_is_final_when_the_dice_are_lifted_and_not_before() -> None:
    table = Sitting()
    table.set_up()
    table.opening(3, 1)
    table.move("8/5 6/5")
    assert table.match.phase is Phase.PLAYED
    table.move("24/20")
    assert table.game.provisional is not None
    assert table.game.provisional.notation == "24/20"
    table.lift_die("w1")
    assert not table.all(Played)
    table.lift_die("b1")
    assert table.last(Played).notation == "24/20"
    assert table.turn is BLACK


def test_e3_a_play_taken_back_is_no_play() -> None:
    table = Sitting()
    table.set_up()
    table.opening(3, 1)
    start = table.game.position
    table.move("8/5 6/5")
    table.show(start)
    assert table.all(PlayWithdrawn)
    assert table.match.phase is Phase.TO_PLAY


def test_e3_a_picture_after_the_lifting_decides_when_a_hand_was_over_the_board() -> None:
    table = Sitting()
    table.set_up()
    table.opening(3, 1)
    table.move("8/5 6/5")
    table.move("8/5 6/5", hand=True, hidden=(0, 1))
    table.lift()
    assert table.all(DiceLifted)
    assert not table.all(Played)
    table.move("24/20")
    assert table.last(Played).notation == "24/20"


def test_e3_a_picture_from_before_the_lifting_is_not_the_first_look_after_it() -> None:
    table = Sitting()
    table.set_up()
    table.opening(3, 1)
    table.move("!24/23", hand=True, hidden=(0,))
    table.lift()
    lifted_at = table.t
    table.t = lifted_at - 250  # delivered late, taken earlier
    table.show(table.game.position)
    assert not table.all(IllegalPlayNoticed)
    table.t = lifted_at
    table.move("24/20")
    assert table.last(Played).notation == "24/20"


def test_e3_opponent_ends_turn_where_the_ruleset_says_so() -> None:
    table = Sitting("short-arena")
    table.begin()
    table.throw(BLACK, 6, 2)
    table.move("24/16")
    table.throw(WHITE, 4, 2)
    assert table.last(Played).by is BLACK
    assert table.last(Rolled).dice == (4, 2)
    assert not table.all(RollRejected)


def test_e4_an_early_roll_does_not_count() -> None:
    table = Sitting()
    table.begin()
    table.throw(BLACK, 6, 2)
    table.move("24/16")
    table.throw(WHITE, 4, 2)
    assert (table.last(RollRejected).by, table.last(RollRejected).reason) == (WHITE, "early")
    assert table.match.phase is Phase.PLAYED
    table.lift("b1", "b2")
    assert table.match.phase is Phase.TO_ROLL  # the early dice do not count even now
    table.throw(WHITE, 1, 1)
    assert table.last(Rolled).dice == (1, 1)


def test_e4_exception_both_bearing_off() -> None:
    table = Sitting(start=BOTH_HOME, turn=WHITE)
    table.set_up()
    table.throw(WHITE, 2, 1)
    table.move("2/off 3/2")
    table.throw(BLACK, 6, 5)
    assert not table.all(RollRejected)
    assert table.last(Played).notation == "3/off"
    assert table.last(Rolled).dice == (6, 5)
    assert table.turn is BLACK


def test_e4_exception_bearing_off_with_the_play_still_unseen() -> None:
    table = Sitting(start=BOTH_HOME, turn=WHITE)
    table.set_up()
    table.throw(WHITE, 2, 1)
    after = table.after("2/off 3/2")
    table.throw(BLACK, 6, 5)
    assert len(table.all(Rolled)) == 1
    table.show(after)
    assert table.last(Played).position == after
    assert table.last(Rolled).by is BLACK


def test_e4_exception_the_play_is_wholly_forced() -> None:
    dancing = Sitting(start="e0000000000000000000000001/03222222000000000000000000", turn=WHITE)
    dancing.set_up()
    dancing.throw(WHITE, 4, 4)
    assert dancing.legal().is_forced
    dancing.throw(BLACK, 6, 5)
    assert not dancing.all(RollRejected)
    assert dancing.last(Played).by is WHITE
    assert dancing.last(Rolled).by is BLACK


def test_r8_a_turn_without_a_legal_play_is_final_when_the_dice_are_lifted() -> None:
    table = Sitting(start="e0000000000000000000000001/03222222000000000000000000", turn=WHITE)
    table.set_up()
    table.throw(WHITE, 4, 3)
    table.show(table.game.position)
    assert not table.all(Played)
    table.lift()
    played = table.last(Played)
    assert (played.notation, played.legal) == ("", True)
    assert played.position.text == "e0000000000000000000000001/03222222000000000000000000"


def test_throws_out_of_turn_do_not_count() -> None:
    table = Sitting()
    table.begin()
    table.throw(WHITE, 6, 2)
    assert (table.last(RollRejected).by, table.last(RollRejected).reason) == (WHITE, "not_your_turn")
    assert table.match.phase is Phase.TO_ROLL


def test_own_dice_lifted_with_nothing_played_and_thrown_again_are_a_new_roll() -> None:
    table = Sitting()
    table.begin()
    table.throw(BLACK, 6, 2)
    table.lift()
    table.throw(BLACK, 5, 1)
    assert table.last(RollRejected).reason == "again"
    assert table.game.roll == Roll(5, 1)
    table.move("13/8 24/23")
    table.lift()
    assert table.last(Played).dice == (5, 1)


def test_one_shared_pair_of_dice() -> None:
    table = Sitting()
    table.set_up()
    table.settle("s1", 3)
    table.settle("s2", 1)
    table.move("8/5 6/5")
    table.lift()
    assert table.last(Played).by is WHITE
    table.settle("s1", 6)
    table.settle("s2", 2)
    assert (table.last(Rolled).by, table.last(Rolled).dice) == (BLACK, (6, 2))


def test_cases_23_the_first_position_is_verified_checker_by_checker() -> None:
    table = Sitting()
    wrong = table.board()
    points = list(wrong.points)
    points[5], points[4] = (WHITE, 4), (WHITE, 1)
    table.show_board(type(wrong)(tuple(points), wrong.bar, wrong.off))
    assert table.match.phase is Phase.SET_UP
    assert {(d.point, d.expected, d.seen) for d in table.match.lost} == {
        (6, (WHITE, 5), (WHITE, 4)),
        (5, (None, 0), (WHITE, 1)),
    }
    table.opening(3, 1)
    assert table.last(RollRejected).reason == "set_up"
    table.set_up()
    assert table.match.phase is Phase.OPENING
    assert not table.match.lost
    assert not table.last(SetUpVerified).unseen


def test_cases_23_a_point_left_empty_is_told_and_whoever_throws_all_the_same_answers_for_it() -> None:
    table = Sitting()
    board = table.board()
    points = list(board.points)
    points[0] = (None, 0)
    table.show_board(type(board)(tuple(points), board.bar, board.off))
    assert table.match.phase is Phase.SET_UP
    assert [(d.point, d.expected, d.seen) for d in table.match.lost] == [(1, (BLACK, 2), (None, 0))]
    table.opening(3, 1)
    assert table.last(SetUpVerified).unseen
    assert table.last(Rolled).dice == (3, 1)


def test_cases_23_a_board_being_laid_out_is_told_point_by_point() -> None:
    table = Sitting()
    board = table.board()
    empty = type(board)(((None, 0),) * 24, ByColor(0, 0), ByColor(15, 15))
    table.show_board(empty)
    assert {d.point for d in table.match.lost} == {1, 6, 8, 12, 13, 17, 19, 24}
    assert {d.seen for d in table.match.lost} == {(None, 0)}


def test_without_an_eye_everything_is_told_by_hand() -> None:
    table = Sitting(eye=False, dice="hand")
    assert table.match.phase is Phase.OPENING
    table.say("referee", "dice", "31")
    table.say("white", "play", "8/5 6/5")
    assert table.last(Played).notation == "8/5 6/5"
    table.say("black", "dice", "64")
    table.say("black", "play", "24/14")
    assert table.turn is WHITE
    assert len(table.all(PlaySighted)) == 0
