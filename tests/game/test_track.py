"""Lost track and the way back; undo; corrections; pictures of two turns at once (CASES 24, 26, 27, 30, 40)."""

from dataclasses import replace

from game.sight import HERE, pile, shown, slot, with_slot
from game.sitting import BLACK, WHITE, Sitting
from nardi.game.board import Board
from nardi.game.event import (
    CommandRefused,
    Corrected,
    GameEnded,
    GameStarted,
    IllegalPlayNoticed,
    Played,
    Rolled,
    TrackFound,
    TrackLost,
    Undone,
)
from nardi.game.match import Match, Phase
from nardi.game.observation import BoardSeen
from nardi.game.recognise import Ambiguous, in_order, recognise
from nardi.game.record import match_record
from nardi.game.seating import Seating
from nardi.rules import LegalPlays, Position, Roll, find_ruleset
from nardi_vision.reading import MOST, Slot


def four_plies() -> Sitting:
    table = Sitting()
    table.begin()
    table.take_turn(6, 4, "24/14")
    table.take_turn(5, 2, "24/22 13/8")
    table.take_turn(3, 3, "13/10(2) 6/3(2)")
    return table


def comparable(match: Match) -> Match:
    """A match without what belongs to the moment: stamps, what was undone."""
    game = match.game
    assert game is not None
    plies = tuple(replace(ply, at_ms=0) for ply in game.plies)
    bare = replace(game, rolled_ms=0, plies=plies, sources=())
    clocks = replace(match.clocks, since_ms=0)
    return replace(match, game=bare, clocks=clocks, undone=(), dice=(), lost=(), notice=None, dice_gone=True)


def test_cases_24_lost_track_shows_the_difference_and_ends_when_the_board_is_right_again() -> None:
    table = four_plies()
    expected = table.board()
    points = list(expected.points)
    points[7], points[0] = (WHITE, points[7][1] - 1), (BLACK, points[0][1])
    points[1] = (WHITE, 1)
    table.wait(5000)
    table.show_board(Board(tuple(points), expected.bar, expected.off))
    lost = table.last(TrackLost)
    assert {difference.point for difference in lost.differences} == {8, 2}
    assert table.match.lost == lost.differences
    table.show_board(expected)
    assert table.last(TrackFound).plies_back == 0
    assert not table.match.lost


def test_cases_24_two_points_misread_between_turns_are_no_lost_track() -> None:
    table = four_plies()
    table.wait(5000)
    reading = shown(table.board(), t_ms=table.t + 1)
    fewer, more = [point for point, (_, count) in enumerate(table.board().points, start=1) if count > 2][:2]
    for point, change in ((fewer, -1), (more, 1)):
        color, count = table.board().points[point - 1]
        assert color is not None
        rows = {"light": [0.0] * MOST, "dark": [0.0] * MOST}
        rows[HERE.shade(color)][count - 1] = 0.02
        rows[HERE.shade(color)][count - 1 + change] = 0.98
        reading = with_slot(reading, HERE.slot(point), Slot(0.0, tuple(rows["light"]), tuple(rows["dark"])))
    table.do(BoardSeen(table.t + 1, reading))
    assert not table.all(TrackLost)


def test_cases_24_lost_track_ends_at_any_of_the_last_four_positions() -> None:
    table = four_plies()
    table.wait(5000)
    back_two = table.match.earlier[-2]
    assert back_two.game is not None
    board = Board.of(back_two.game.position, WHITE, table.match.ruleset)
    table.show_board(board)
    assert table.match.lost
    table.show_board(board)
    assert table.last(TrackFound).plies_back == 2
    assert (table.turn, table.game.roll) == (WHITE, Roll(5, 2))
    assert len(table.game.plies) == 2
    assert not table.match.lost


def test_cases_26_a_second_turn_in_the_picture_of_the_first_is_not_lost() -> None:
    table = Sitting()
    table.set_up()
    table.opening(3, 1)
    first = table.after("8/5 6/5")
    table.lift()
    table.throw(BLACK, 6, 4)
    assert len(table.all(Rolled)) == 1
    replies = LegalPlays(first.flipped, Roll(6, 4), table.match.ruleset)
    second = next(play for play in replies if play.notation == "24/14")
    table.show(second.after, BLACK)
    assert [play.notation for play in table.all(Played)] == ["8/5 6/5"]
    assert table.game.provisional is not None
    assert table.game.provisional.notation == "24/14"
    table.lift()
    assert [play.notation for play in table.all(Played)] == ["8/5 6/5", "24/14"]
    assert not table.all(IllegalPlayNoticed)


def test_cases_26_two_turns_in_one_picture_are_told_though_the_bar_is_overlooked_and_a_heap_misread() -> None:
    table = Sitting()
    table.begin(notation="24/23 13/10")
    table.take_turn(6, 5, "24/18 13/8")
    table.throw(WHITE, 4, 1)
    first = table.after("24/20 10/9")
    table.lift()
    table.throw(BLACK, 5, 4)
    replies = LegalPlays(first.flipped, Roll(5, 4), table.match.ruleset)
    second = next(play for play in replies if play.steps and any(step.hits for step in play.steps))
    board = Board.of(second.after, BLACK, table.match.ruleset)
    reading = replace(shown(board, t_ms=table.t + 1), bar=pile(0, 0))
    heap = next(point for point, content in enumerate(board.points, start=1) if content == (WHITE, 5))
    reading = with_slot(reading, HERE.slot(heap), Slot(0.0, (0, 0, 0, 0.2, 0.07, 0.5, *[0] * 9), (0.0,) * 15))
    table.do(BoardSeen(table.t + 1, reading))
    assert table.all(Played)[-1].position == first
    assert not table.all(TrackLost)


def test_cases_26_snapshots_are_judged_in_order() -> None:
    table = Sitting()
    table.begin()
    table.pace = 20  # a whole turn in 0.2 s
    table.take_turn(6, 4, "24/14")
    table.take_turn(5, 2, "24/22 13/8")
    assert [play.notation for play in table.all(Played)] == ["8/5 6/5", "24/14", "24/22 13/8"]


def test_cases_27_setting_up_for_the_next_game_is_no_play() -> None:
    table = Sitting()
    table.begin()
    table.say("black", "double")
    assert table.say("white", "pass")
    assert table.match.phase is Phase.GAME_OVER
    board = table.board()
    points = list(board.points)
    for number in range(12, 24):
        points[number] = (None, 0)
    table.show_board(Board(tuple(points), board.bar, board.off))
    assert not table.all(TrackLost)
    assert len(table.all(Played)) == 1
    table.show(table.match.ruleset.start, WHITE)
    assert table.last(GameStarted).number == 2
    assert table.match.phase is Phase.OPENING
    assert len(table.all(GameEnded)) == 1


def test_cases_21_undo_gives_back_position_cube_score_clocks_and_whose_turn() -> None:
    ruleset = find_ruleset("nardi")
    table = Sitting(ruleset, 3)
    table.set_up()
    table.opening(3, 1)
    states = [table.match]
    for notation, a, b in (("8/5 6/5", 6, 4), ("24/14", 5, 2)):
        table.wait(14_000)
        table.move(notation)
        table.lift()
        table.throw(table.turn, a, b)
        states.append(table.match)
    for plies in (1, 2):
        again = Sitting(ruleset, 3)
        again.match, again.t = table.match, table.t
        again.say("referee", "undo", str(plies))
        assert again.last(Undone).plies == plies
        assert comparable(again.match) == comparable(states[-1 - plies])
        assert again.match.clocks.since_ms == again.t
        assert again.match.clocks.running is states[-1 - plies].clocks.running


def test_undo_brings_back_a_finished_game_and_its_score() -> None:
    table = Sitting(start="e1000000000000000000000000/23330400000000000000000000", turn=WHITE)
    table.set_up()
    table.throw(WHITE, 2, 1)
    table.move("1/off")
    table.lift()
    assert table.match.phase is Phase.GAME_OVER
    assert table.match.score.white == 1
    table.say("referee", "undo")
    assert table.match.score.white == 0
    assert (table.match.phase, table.game.outcome) == (Phase.TO_PLAY, None)


def test_undo_of_more_than_was_played_is_refused() -> None:
    table = four_plies()
    table.say("referee", "undo", "5")
    assert table.last(CommandRefused).message.id == "umpire.refused.undo"
    table.say("referee", "undo", "x")
    assert table.last(CommandRefused).message.id == "umpire.refused.no_number"
    assert len(table.game.plies) == 4


def test_after_an_undo_the_board_is_lost_until_put_back_and_the_play_ends_with_the_next_roll() -> None:
    table = four_plies()
    standing = table.board()
    table.say("referee", "undo", "2")
    assert table.match.lost
    table.show_board(standing)
    assert not table.all(IllegalPlayNoticed)
    table.show_board(table.board())
    assert not table.match.lost
    table.move("13/6")
    table.throw(BLACK, 6, 1)
    assert table.last(Played).notation == "13/6"
    assert table.last(Rolled).dice == (6, 1)


def test_cases_30_the_true_play_is_among_the_first_three_offered() -> None:
    ruleset = find_ruleset("backgammon")
    legal = LegalPlays(ruleset.start, Roll(6, 4), ruleset)
    for play in legal:
        seen = shown(Board.of(play.after, WHITE, ruleset), t_ms=0, weight=0.5)
        for number in (5, 12):  # two slots hidden
            seen = with_slot(seen, number, slot(None, 0, occluded=True))
        offered = in_order(seen, WHITE, legal, HERE, ruleset)[:3]
        assert play in offered


def test_doubt_between_two_plays_is_said_and_the_likelier_taken() -> None:
    ruleset = find_ruleset("backgammon")
    legal = LegalPlays(ruleset.start, Roll(2, 1), ruleset)
    play = next(play for play in legal if play.notation == "13/11 6/5")
    seen = shown(Board.of(play.after, WHITE, ruleset), t_ms=0, weight=0.9)
    for number in (4, 5):  # the 5 and 6 points under a book
        seen = with_slot(seen, number, slot(None, 0, occluded=True))
    found = recognise(seen, ruleset.start, WHITE, legal, HERE, ruleset)
    assert isinstance(found, Ambiguous) or found.play == play  # type: ignore[union-attr]


def test_cases_40_a_correction_changes_the_main_line_and_what_follows_from_it() -> None:
    table = Sitting(eye=False, dice="hand")
    table.say("referee", "dice", "31")
    table.say("white", "play", "8/5 6/5")
    table.say("referee", "play", "24/20")
    corrected = table.last(Corrected)
    assert (corrected.what, corrected.value.partition("=")[0]) == ("play", "24/20")
    assert [ply.notation for ply in table.game.plies] == ["24/20"]
    table.say("black", "dice", "64")
    table.say("black", "play", "24/14")
    plays = match_record(table.match).games[0].actions
    assert plays[0].after == plays[1].before.flipped  # type: ignore[union-attr]  # both are plays


def test_corrections_of_dice_position_turn_cube_and_score() -> None:
    table = Sitting(eye=False, dice="hand")
    table.say("referee", "dice", "31")
    table.say("referee", "dice", "61")
    assert table.game.roll == Roll(6, 1)
    table.say("white", "play", "13/7 8/7")
    table.say("referee", "set_cube", "4:black")
    assert (table.game.cube.value, table.game.cube.owner) == (4, BLACK)
    table.say("referee", "set_score", "3:2")
    assert tuple(table.match.score) == (3, 2)
    table.say("referee", "set_position", table.match.ruleset.start.text)
    assert table.game.position == table.match.ruleset.start
    table.say("referee", "set_turn", "white")
    assert table.turn is WHITE
    for verb, argument in (
        ("set_cube", "x:black"),
        ("set_cube", "2:green"),
        ("set_score", "-1:2"),
        ("set_position", "00/00"),
        ("set_turn", "green"),
        ("dice", "77"),
        ("dice", ""),
    ):
        before = table.match
        table.say("referee", verb, argument)  # type: ignore[arg-type]
        assert isinstance(table.events[-1], CommandRefused), verb
        assert replace(table.match, notice=None) == replace(before, notice=None)


def test_a_late_picture_of_the_finished_play_sets_the_record_right() -> None:
    table = Sitting()
    table.set_up()
    table.opening(3, 1)
    table.move("8/5 6/5")
    table.lift()
    assert table.last(Played).notation == "8/5 6/5"
    legal = LegalPlays(table.match.ruleset.start, Roll(3, 1), table.match.ruleset)
    truth = next(play for play in legal if play.notation == "24/20")
    table.show(truth.after, WHITE)
    assert table.last(Corrected).by == "eye"
    assert table.game.plies[-1].after == truth.after
    assert not table.match.lost


def test_the_board_of_a_later_game_may_lie_the_other_way_round() -> None:
    table = Sitting("backgammon", 3)
    table.begin()
    table.say("black", "double")
    table.say("white", "pass")
    start = Board.of(table.match.ruleset.start, WHITE, table.match.ruleset)
    at = table.t + 500
    table.t = at
    table.do(BoardSeen(at, shown(start, t_ms=at, seating=Seating("light", 2))))
    assert table.match.phase is Phase.OPENING
    assert table.match.seating == Seating("light", 2)


def test_cases_26_two_whole_turns_unseen_and_a_third_throw_are_sorted_out_by_one_picture() -> None:
    table = Sitting()
    table.set_up()
    table.opening(3, 1)
    first = table.after("8/5 6/5")
    table.lift()
    table.throw(BLACK, 6, 4)
    table.lift("b1", "b2")
    table.throw(WHITE, 5, 2)
    assert len(table.all(Rolled)) == 1
    replies = LegalPlays(first.flipped, Roll(6, 4), table.match.ruleset)
    second = next(play for play in replies if play.notation == "24/14")
    table.show(second.after, BLACK)
    assert [(play.by, play.notation) for play in table.all(Played)] == [(WHITE, "8/5 6/5"), (BLACK, "24/14")]
    assert table.last(Rolled).dice == (5, 2)
    table.move("13/8 24/22")
    table.lift()
    assert table.last(Played).by is WHITE
    assert not table.all(IllegalPlayNoticed)


def test_cases_26_the_next_player_half_way_through_is_no_illegal_play_of_the_last() -> None:
    table = Sitting()
    table.set_up()
    table.opening(3, 1)
    first = table.after("8/5 6/5")
    table.lift()
    table.throw(BLACK, 6, 4)
    mine = list(first.flipped.mine)
    mine[24] -= 1
    mine[18] += 1
    table.show(Position(tuple(mine), first.flipped.theirs), BLACK)
    assert [play.notation for play in table.all(Played)] == ["8/5 6/5"]
    assert table.turn is BLACK
    assert table.match.phase is Phase.TO_PLAY
    assert not table.all(IllegalPlayNoticed)
