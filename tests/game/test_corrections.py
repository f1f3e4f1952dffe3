"""What is set right flows into the score, the match and every export (CASES 21, 40); what ends a turn by a word."""

import pytest

from game.sitting import BLACK, WHITE, Sitting
from nardi.game.board import Board
from nardi.game.event import (
    CommandRefused,
    Doubled,
    GameEnded,
    GameStarted,
    IllegalPlayStood,
    MatchEnded,
    Played,
)
from nardi.game.match import Phase
from nardi.game.record import BOARD_SET, match_record
from nardi.rules import Position, Roll
from nardi.rules.color import ByColor
from nardi.rules.notation.mat import read_mat, write_mat
from nardi.rules.notation.record import MatchRecord, PlayDone
from nardi.rules.notation.sgf import read_sgf, write_sgf
from nardi.rules.notation.words import read_play
from nardi.views.match_page import match_page

ANOTHER = "00000500300005000000000020/00000050300005000000000020"
"""A board that no play of the games here leads to."""


def by_hand(ruleset: str = "backgammon", length: int = 5) -> Sitting:
    table = Sitting(ruleset, length, eye=False, dice="hand")
    table.say("referee", "start")
    table.say("referee", "dice", "31")
    table.say("white", "play", "8/5 6/5")
    return table


def plays(record: MatchRecord) -> list[PlayDone]:
    return [action for action in record.games[-1].actions if isinstance(action, PlayDone)]


def first_legal(table: Sitting, dice: str) -> None:
    table.say("referee", "dice", dice)
    table.say("referee", "play", next(iter(table.legal())).notation)


def test_cases_40_a_board_set_between_two_turns_is_in_every_export_and_later_plays_fit_it() -> None:
    table = by_hand()
    first_legal(table, "52")
    table.say("referee", "set_position", ANOTHER)
    first_legal(table, "61")
    first_legal(table, "42")
    record = match_record(table.match)
    for once, then in zip(plays(record), plays(record)[1:], strict=False):
        assert once.after == then.before.flipped
    assert [play.comment for play in plays(record)] == ["", BOARD_SET, "", ""]
    for again in (read_mat(write_mat(record)), read_sgf(write_sgf(record))):
        assert [play.after for play in plays(again)] == [play.after for play in plays(record)]
    page = match_page(record, "en")
    assert "the board was set" in page
    assert "not legal" not in page


def test_cases_40_a_board_set_to_another_legal_result_is_that_legal_play() -> None:
    table = by_hand()
    start = table.match.ruleset.start
    other = read_play("24/20", start, Roll(3, 1), table.match.ruleset)
    table.say("referee", "set_position", other.after.flipped.text)
    (play,) = plays(match_record(table.match))
    assert (play.legal, play.after, play.comment) == (True, other.after, "")
    assert plays(read_mat(write_mat(match_record(table.match))))[0].after == other.after


def test_cases_40_a_board_set_before_the_first_play_is_where_the_game_starts() -> None:
    table = Sitting(eye=False, dice="hand")
    table.say("referee", "dice", "31")
    table.say("referee", "set_position", ANOTHER)
    table.say("white", "play", next(iter(table.legal())).notation)
    record = match_record(table.match)
    assert record.games[0].start == Position.from_text(ANOTHER, table.match.ruleset)
    assert read_mat(write_mat(record)).games[0].start == record.games[0].start


def test_cases_40_a_board_set_to_its_end_ends_the_game() -> None:
    """V3: with none borne off and a checker in the winner's home it counts three."""
    table = by_hand(length=7)
    table.say("referee", "set_position", "00000050300005000000000020/f0000000000000000000000000")
    ended = table.last(GameEnded)
    assert (ended.winner, ended.win) == (WHITE, 3)
    assert tuple(table.match.score) == (3, 0)


def test_a_corrected_score_makes_the_present_game_the_crawford_game() -> None:
    """C7."""
    table = Sitting("backgammon", 3, eye=False, dice="hand")
    table.say("referee", "start")
    table.say("referee", "set_score", "2:0")
    assert table.game.crawford
    assert match_record(table.match).games[0].score == ByColor(2, 0)
    table.say("referee", "set_score", "1:0")
    assert not table.game.crawford


def test_a_score_that_ends_the_match_is_refused_during_a_game_and_ends_it_after_one() -> None:
    table = by_hand(length=3)
    table.say("referee", "set_score", "3:0")
    assert table.last(CommandRefused).message.id == "umpire.refused.score_ends_match"
    table.say("black", "double")
    table.say("white", "pass")
    table.say("referee", "set_score", "0:3")
    assert table.last(MatchEnded).winner is BLACK
    assert table.match.phase is Phase.MATCH_OVER
    table.say("referee", "set_score", "0:2")  # it was a slip
    assert (table.match.phase, table.match.winner) == (Phase.GAME_OVER, None)
    table.say("referee", "next_game")
    assert table.game.crawford


def test_cases_21_undo_of_a_pass_gives_back_the_cube_the_score_and_the_turn() -> None:
    table = by_hand(length=3)
    table.say("black", "double")
    table.say("white", "pass")
    table.say("referee", "next_game")
    table.say("referee", "undo")
    assert tuple(table.match.score) == (0, 0)
    assert (table.game.number, table.match.games, table.game.cube_turns) == (1, (), ())
    assert (table.turn, table.match.phase) == (WHITE, Phase.TO_PLAY)
    assert table.game.cube.owner is None


@pytest.mark.parametrize(("ruleset", "accepted"), [("short-arena", True), ("backgammon", False)])
def test_e3_saying_dave_accepts_the_play_that_stands_where_s4_has_it_so(ruleset: str, accepted: bool) -> None:
    table = Sitting(ruleset, 0)
    table.set_up()
    table.opening(3, 1)
    table.move("8/5 6/5")
    table.say("black", "double")
    assert bool(table.all(Doubled)) is bool(table.all(Played)) is accepted
    assert bool(table.all(CommandRefused)) is not accepted


def test_e5_who_doubles_lets_the_illegal_play_stand_and_who_may_not_double_does_not() -> None:
    table = Sitting()
    table.set_up()
    table.opening(3, 1)
    wrong = table.after("!13/8 13/11")
    table.show(wrong)
    table.lift()
    table.say("black", "double")
    assert table.last(IllegalPlayStood).by is BLACK
    assert (table.last(Played).legal, table.last(Played).position) == (False, wrong)
    assert table.match.phase is Phase.OFFERED

    dead = Sitting("backgammon", 1)
    dead.set_up()
    dead.opening(3, 1)
    dead.move("!13/8 13/11")
    dead.lift()
    dead.say("black", "double")
    assert not dead.all(IllegalPlayStood)
    assert dead.match.phase is Phase.CALLABLE


LAST = "e1000000000000000000000000/23330400000000000000000000"
"""The mover's last checker is on the ace."""


def test_cases_27_set_up_again_before_the_dice_are_up_the_game_was_won() -> None:
    table = Sitting("backgammon", 3, start=LAST, turn=WHITE)
    table.set_up()
    table.throw(WHITE, 2, 1)
    table.move("1/off")
    assert table.match.phase is Phase.PLAYED
    table.show_board(Board.of(table.match.ruleset.start, WHITE, table.match.ruleset))
    assert table.last(GameEnded).winner is WHITE
    assert table.last(GameStarted).number == 2
    assert table.match.phase is Phase.OPENING
    assert not table.match.lost


def test_cases_27_hands_that_lift_the_dice_and_set_up_at_once_lose_no_game() -> None:
    table = Sitting("backgammon", 3, start=LAST, turn=WHITE)
    table.set_up()
    table.throw(WHITE, 2, 1)
    table.move("1/off")
    table.show(table.after("1/off"), hand=True, hidden=(2, 3))
    table.lift()
    assert table.last(GameEnded).winner is WHITE


def test_cases_27_an_illegal_last_play_that_nobody_called_stands_when_the_board_is_set_up_again() -> None:
    table = Sitting("backgammon", 3, start="d2000000000000000000000000/23330400000000000000000000", turn=WHITE)
    table.set_up()
    table.throw(WHITE, 2, 1)
    table.show(Position.from_text("f0000000000000000000000000/23330400000000000000000000", table.match.ruleset))
    table.lift()
    table.show_board(Board.of(table.match.ruleset.start, WHITE, table.match.ruleset))
    assert table.last(GameEnded).winner is WHITE
