"""Illegal plays: noticed at once, mended, called, left to stand (E5, CASES 25, 38), and nothing that is none."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from game.sight import HERE, shown, slot, with_slot
from game.sitting import BLACK, WHITE, Sitting
from nardi.game.board import Board
from nardi.game.event import (
    CommandRefused,
    IllegalPlayCalled,
    IllegalPlayChanged,
    IllegalPlayMended,
    IllegalPlayNoticed,
    IllegalPlayStood,
    Played,
    Rolled,
    RollRejected,
    TrackLost,
)
from nardi.game.match import Phase
from nardi.game.observation import BoardSeen
from nardi.game.picture import UNDER_WAY_MS
from nardi.game.record import match_record
from nardi.rules import Position
from nardi_vision.reading import BoardReading, EyeFault, Slot


def mixed(one: BoardReading, other: BoardReading, share: float) -> BoardReading:
    """What is read of each point by `share` as in the first reading, else as in the second."""

    def mean(a: Iterable[float], b: Iterable[float]) -> tuple[float, ...]:
        return tuple(share * x + (1 - share) * y for x, y in zip(a, b, strict=True))

    points = tuple(
        Slot(*mean((a.empty,), (b.empty,)), mean(a.light, b.light), mean(a.dark, b.dark))
        for a, b in zip(one.points, other.points, strict=True)
    )
    return replace(one, points=points)


def bumped(position: Position) -> Position:
    """Two of the waiting player's checkers have slid to another point."""
    theirs = list(position.theirs)
    theirs[24] -= 2
    theirs[20] += 2
    return Position(position.mine, tuple(theirs))


def in_play(ruleset: str = "backgammon") -> Sitting:
    """White's opening 3-1 stands before its dice are lifted."""
    table = Sitting(ruleset)
    table.set_up()
    table.opening(3, 1)
    return table


def test_e5_an_illegal_play_is_noticed_at_once_with_its_rule() -> None:
    table = in_play()
    table.move("!13/7 8/7")
    noticed = table.last(IllegalPlayNoticed)
    assert noticed.by is WHITE
    assert not noticed.final
    assert noticed.rule in ("R2", "R3", "R4")
    assert table.match.phase is Phase.ILLEGAL
    assert table.game.illegality is not None
    assert table.game.illegality.nearest is not None
    table.show(table.game.position)
    assert table.all(IllegalPlayMended)
    assert table.match.phase is Phase.TO_PLAY
    table.move("8/5 6/5")
    table.lift()
    assert table.last(Played).legal
    assert len(table.all(IllegalPlayNoticed)) == 1


def test_e5_half_taken_back_is_still_the_same_illegal_play() -> None:
    table = in_play()
    table.move("!13/8 13/11")
    table.move("!13/8")
    assert len(table.all(IllegalPlayNoticed)) == 1
    assert len(table.all(IllegalPlayChanged)) == 1
    table.show(table.game.position)
    assert len(table.all(IllegalPlayMended)) == 1


def test_e5_lifted_it_may_be_called_and_is_then_corrected() -> None:
    table = in_play()
    table.move("!13/8 13/11")
    table.lift()
    assert table.match.phase is Phase.CALLABLE
    assert not table.all(Played)
    table.say("black", "call")
    assert table.last(IllegalPlayCalled).must_correct
    table.throw(BLACK, 6, 2)
    assert table.last(RollRejected).reason == "correct_first"
    table.say("black", "let_stand")
    assert table.last(CommandRefused).message.id == "umpire.refused.must_correct"
    table.show(table.game.position)
    assert not table.all(Played)  # taken back, but nothing legal played yet
    table.move("13/9")
    assert table.last(Played).legal
    assert table.turn is BLACK


def test_e5_what_nobody_called_stands_with_the_next_roll() -> None:
    table = in_play()
    wrong = table.after("!13/8 13/11")
    table.show(wrong)
    table.lift()
    table.throw(BLACK, 6, 2)
    played = table.last(Played)
    assert (played.by, played.legal, played.position) == (WHITE, False, wrong)
    assert played.rule is not None
    assert table.all(IllegalPlayStood)[0].by is None
    assert table.last(Rolled).by is BLACK
    assert table.game.position == wrong.flipped


def test_e5_in_arena_the_opponent_chooses() -> None:
    table = in_play("short-arena")
    table.move("!13/8 13/11")
    table.lift()
    table.say("white", "let_stand")
    assert table.last(CommandRefused).message.id == "umpire.refused.not_yours"
    table.say("black", "let_stand")
    assert table.last(IllegalPlayStood).by is BLACK
    assert not table.last(Played).legal
    assert table.turn is BLACK


def test_e5_in_arena_the_opponent_may_call_and_still_let_it_stand() -> None:
    table = in_play("short-arena")
    table.move("!13/8 13/11")
    table.lift()
    table.say("black", "call")
    assert not table.last(IllegalPlayCalled).must_correct
    table.say("black", "let_stand")
    assert not table.last(Played).legal


def test_e5_under_responsible_moves_only_the_opponent_calls() -> None:
    from dataclasses import replace

    from nardi.rules import find_ruleset
    from nardi.rules.ruleset import MovesPolicy

    table = Sitting(replace(find_ruleset("backgammon"), name="house", moves_policy=MovesPolicy.RESPONSIBLE))
    table.set_up()
    table.opening(3, 1)
    table.move("!13/8 13/11")
    table.say("white", "call")
    assert table.last(CommandRefused).message.id == "umpire.refused.opponent_calls"
    table.say("black", "call")
    assert table.all(IllegalPlayCalled)


def test_e5_an_unfinished_play_is_noticed_when_the_dice_are_lifted_and_not_before() -> None:
    table = in_play()
    table.move("!8/5")
    assert not table.all(IllegalPlayNoticed)
    table.lift()
    table.move("!8/5")
    noticed = table.last(IllegalPlayNoticed)
    assert (noticed.rule, noticed.final) == ("R6", True)
    table.move("8/5 6/5")
    assert table.all(IllegalPlayMended)
    assert table.last(Played).legal


def test_e5_nothing_played_is_noticed_when_the_dice_are_lifted() -> None:
    table = in_play()
    table.lift()
    table.show(table.game.position)
    assert table.last(IllegalPlayNoticed).rule == "R6"
    table.throw(BLACK, 6, 4)
    assert table.last(Played).notation == ""
    assert not table.last(Played).legal


def test_e5_a_play_is_not_judged_unfinished_while_the_hand_that_makes_it_has_only_just_gone() -> None:
    table = in_play()
    table.lift()
    table.show(table.game.position, hand=True, hidden=(3, 4))
    table.move("!8/5")
    assert not table.all(IllegalPlayNoticed)
    table.wait(UNDER_WAY_MS)
    table.move("!8/5")
    assert table.last(IllegalPlayNoticed).rule == "R6"


def test_e5_dice_are_picked_up_after_a_play_unless_the_eye_is_sure_that_there_was_none() -> None:
    table = in_play()
    played = table.after("8/5 6/5")
    table.lift()
    before, after = (
        shown(Board.of(end, WHITE, table.match.ruleset), t_ms=table.t + 1) for end in (table.game.position, played)
    )
    table.do(BoardSeen(table.t + 1, mixed(before, after, 0.6)))
    assert table.last(Played).position == played
    assert not table.all(IllegalPlayNoticed)


def test_e5_a_board_put_right_after_its_track_was_lost_is_still_to_be_played() -> None:
    table = in_play()
    table.lift()
    table.show(bumped(table.game.position))
    assert table.match.lost
    table.show(table.game.position)
    assert not table.match.lost
    table.show(table.game.position)
    assert not table.all(IllegalPlayNoticed)
    table.move("8/5 6/5")
    assert table.last(Played).legal


def test_e5_track_lost_beside_a_final_illegal_play_is_found_again_and_a_doubtful_play_mends_it() -> None:
    table = in_play()
    table.move("!13/7 8/7")
    table.lift()
    table.show(bumped(table.game.position))
    assert table.match.lost
    table.show(table.game.position)
    assert not table.match.lost
    assert table.match.phase is Phase.CALLABLE
    one, other = (
        shown(Board.of(table.after(play), WHITE, table.match.ruleset), t_ms=table.t + 1) for play in ("8/5 6/5", "6/2")
    )
    table.do(BoardSeen(table.t + 1, mixed(one, other, 0.55)))
    assert table.all(IllegalPlayMended)
    assert table.last(Played).notation == "8/5 6/5"


def test_cases_25_lifting_dice_with_a_hand_in_view_is_no_play_and_no_pass() -> None:
    table = in_play()
    table.lift()
    table.show(table.game.position, hand=True, hidden=(3, 4))
    assert not table.all(Played)
    assert not table.all(IllegalPlayNoticed)


def test_cases_25_tidying_between_turns_is_no_play() -> None:
    table = Sitting()
    table.begin()
    board = table.board()
    table.show_board(board, hand=True, hidden=(5, 6, 7))
    table.show_board(board, weight=0.7)
    table.show_board(board, hand=True, hidden=range(24))
    table.show_board(board)
    assert len(table.all(Played)) == 1
    assert not table.all(TrackLost)


def test_a_doubtful_slot_is_settled_by_the_rules_and_no_alarm() -> None:
    table = in_play()
    exact = table.after("8/5 6/5")
    board = Board.of(exact, WHITE, table.match.ruleset)
    seen = shown(board, t_ms=table.t + 100, weight=0.9)
    seen = with_slot(seen, 5, slot("light", 5, weight=0.6))  # White's 6 point: four there, five more likely
    table.t += 100
    table.do(BoardSeen(table.t, seen))
    assert table.game.provisional is not None
    assert table.game.provisional.after == exact
    assert not table.all(IllegalPlayNoticed)


@pytest.mark.parametrize("change", [-1, 1])
@pytest.mark.parametrize("number", range(24))
def test_one_slot_misread_for_certain_is_no_alarm(number: int, change: int) -> None:
    """A wrong count breaks conservation, so no arrangement of thirty checkers explains it clearly better."""
    table = in_play()
    exact = table.after("8/5 6/5")
    board = Board.of(exact, WHITE, table.match.ruleset)
    shade, count = board.contents(HERE)[number]
    wrong = slot(shade or "dark", abs(count + change))
    table.t += 100
    table.do(BoardSeen(table.t, with_slot(shown(board, t_ms=table.t), number, wrong)))
    assert not table.all(IllegalPlayNoticed)
    assert table.game.provisional is not None
    table.lift()
    table.t += 100
    table.do(BoardSeen(table.t, with_slot(shown(board, t_ms=table.t), number, wrong)))
    assert table.last(Played).position == exact
    assert not table.all(TrackLost)


def test_cases_38_an_illegal_play_that_stood_is_in_the_record_and_later_plays_intact() -> None:
    table = in_play()
    table.move("!13/8 13/11")
    table.lift()
    table.throw(BLACK, 6, 2)
    table.move("24/16")
    table.lift()
    record = match_record(table.match)
    plays = record.games[0].actions
    assert [play.legal for play in plays if hasattr(play, "legal")] == [False, True]
    assert len(list(record.illegal_plays)) == 1
    from nardi.rules.notation.mat import read_mat, write_mat

    again = read_mat(write_mat(record))
    assert again.games[0].actions[-1].after == table.game.position.flipped  # type: ignore[union-attr]  # the last is a play


def test_nonsense_on_the_board_is_a_lost_track_and_no_illegal_play() -> None:
    table = in_play()
    start = table.match.ruleset.start
    from nardi.rules import Position

    mine = list(start.mine)
    mine[6], mine[13], mine[1] = 0, 0, 10
    table.show(Position(tuple(mine), start.theirs))
    assert not table.all(IllegalPlayNoticed)
    assert table.match.lost


def test_a_checker_in_a_hand_that_was_not_seen_is_no_bearing_off() -> None:
    """Nobody bears off with so many checkers outside home."""
    table = in_play()
    start = table.game.position
    mine = list(start.mine)
    mine[6] -= 1
    mine[0] += 1
    from nardi.rules import Position

    table.show(Position(tuple(mine), start.theirs))
    assert not table.all(IllegalPlayNoticed)
    assert not table.all(TrackLost)
    table.move("8/5 6/5")
    table.lift()
    assert table.last(Played).legal


def test_r9_bearing_off_with_one_checker_still_outside_is_noticed() -> None:
    start = "40055000000010000000000000/50055000000000000000000000"
    table = Sitting(start=start, turn=WHITE)
    table.set_up()
    table.throw(WHITE, 4, 3)
    table.move("!4/off 3/off")
    assert table.last(IllegalPlayNoticed).rule == "R9"


def test_no_alarm_is_raised_by_what_is_seen_through_a_fault_of_the_eye() -> None:
    table = in_play()
    table.move("!13/7 8/7", faults=(EyeFault.LIGHT_CHANGED,))
    assert not table.all(IllegalPlayNoticed)
    table.move("!13/7 8/7")
    assert table.all(IllegalPlayNoticed)
    mended = in_play()
    mended.move("8/5 6/5", faults=(EyeFault.GLARE,))
    assert mended.match.phase is Phase.PLAYED  # a legal play explains itself


def test_e5_called_before_the_dice_are_lifted_it_is_mended_and_ends_as_any_turn() -> None:
    table = in_play()
    table.move("!13/7 8/7")
    table.say("black", "call")
    assert table.last(IllegalPlayCalled).must_correct
    table.move("8/5 6/5")
    assert table.match.phase is Phase.PLAYED
    assert not table.all(Played)  # the dice still lie there
    table.lift()
    assert table.last(Played).legal
