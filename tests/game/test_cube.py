"""Cube, resigning, score, series, last roll (C, V4, V5, R10, L6; CASES 12-17, 43)."""

from dataclasses import replace

import pytest

from game.sitting import BLACK, WHITE, Sitting
from nardi.game.event import (
    CommandRefused,
    Doubled,
    GameEnded,
    GameStarted,
    LastRollGranted,
    MatchEnded,
    Passed,
    Played,
    Resigned,
    RollRejected,
    Taken,
    Warned,
)
from nardi.game.match import Phase
from nardi.game.record import match_record
from nardi.game.seating import Seating
from nardi.rules import find_ruleset
from nardi.rules.notation.record import CubeDone, PlayDone
from nardi.rules.ruleset import LastRollDraw

ALMOST_OFF = "e1000000000000000000000000"
"""One checker left on the ace."""


def to_roll(ruleset: str = "backgammon", length: int = 5, score: str = "0:0") -> Sitting:
    """Black is to roll after White's first play."""
    table = Sitting(ruleset, length)
    if score != "0:0":
        table.say("referee", "set_score", score)
    table.begin()
    return table


def test_c1_c2_double_take_and_pass_are_separate_deliberate_acts() -> None:
    """CASES 16."""
    table = to_roll()
    table.say("black", "double")
    assert (table.last(Doubled).by, table.last(Doubled).value) == (BLACK, 2)
    assert table.match.phase is Phase.OFFERED
    table.say("white", "confirm")
    table.say("white", "accept")
    table.say("black", "take")
    assert table.match.phase is Phase.OFFERED  # nothing is the default, and only the one asked answers
    table.throw(BLACK, 6, 4)
    assert table.last(RollRejected).reason == "answer_first"
    table.say("white", "take")
    assert (table.game.cube.value, table.game.cube.owner) == (2, WHITE)
    assert table.match.phase is Phase.TO_ROLL
    table.say("black", "double")
    assert table.last(CommandRefused).message.id == "cube.not_yours"


def test_c1_no_doubling_after_the_roll() -> None:
    """CASES 15."""
    table = to_roll()
    table.throw(BLACK, 6, 4)
    table.say("black", "double")
    assert table.last(CommandRefused).message.id == "cube.already_rolled"
    assert not table.all(Doubled)


def test_cases_12_on_a_pass_the_winner_gets_the_cube_before_the_offer() -> None:
    """C2: 3-1, a cube of 2 redoubled and passed by the second player: 5-1."""
    table = to_roll(length=7, score="3:1")
    table.take_turn(6, 4, "24/14")
    table.say("referee", "set_cube", "2:white")
    table.say("white", "double")
    table.say("black", "pass")
    assert tuple(table.match.score) == (5, 1)
    assert table.last(Passed).by is BLACK
    assert table.last(GameEnded).ending == "passed"


def test_cases_13_a_64_cube_and_a_backgammon_is_192() -> None:
    table = Sitting("backgammon", 5, start=f"{ALMOST_OFF}/00000000000000000000000f00", turn=WHITE)
    table.set_up()
    table.say("referee", "set_cube", "64:white")
    table.throw(WHITE, 2, 1)
    table.move("1/off")
    table.lift()
    ended = table.last(GameEnded)
    assert (ended.win, tuple(ended.gained)) == (3, (192, 0))
    assert table.match.score.white == 192
    assert table.match.match_score.shown(WHITE) == 5
    assert table.last(MatchEnded).winner is WHITE
    assert match_record(table.match).games[0].points == 192


def test_cases_14_no_match_is_won_short_of_its_points() -> None:
    table = Sitting("backgammon", 5, start=f"{ALMOST_OFF}/e0000010000000000000000000", turn=WHITE)
    table.say("referee", "set_score", "3:3")
    table.set_up()
    table.throw(WHITE, 2, 1)
    table.move("1/off")
    table.lift()
    assert tuple(table.match.score) == (4, 3)
    assert table.match.phase is Phase.GAME_OVER
    table.say("referee", "next_game")
    assert table.match.phase is Phase.SET_UP
    assert table.game.crawford


def test_c7_no_doubling_in_crawford_and_the_cube_is_back_afterwards() -> None:
    """CASES 15."""
    table = to_roll(length=3, score="1:0")
    table.say("black", "resign", "single")
    table.say("white", "accept")
    assert tuple(table.match.score) == (2, 0)
    table.say("referee", "next_game")
    assert table.game.crawford
    table.begin(1, 3)
    table.say("white", "double")
    assert table.last(CommandRefused).message.id == "cube.crawford"
    table.say("white", "resign", "single")
    table.say("black", "accept")
    table.say("referee", "next_game")
    assert not table.game.crawford
    table.begin(3, 1)
    table.say("black", "double")
    assert table.last(Doubled).by is BLACK


def test_c7_a_dead_cube_is_refused_with_the_reason() -> None:
    table = to_roll(length=2, score="0:1")
    table.say("referee", "set_score", "0:1")
    table.say("black", "double")
    assert table.last(CommandRefused).message.id in ("cube.dead", "cube.crawford")


def test_c4_the_limit_of_the_davo() -> None:
    table = to_roll("short", 0)
    table.say("referee", "set_cube", "64:black")
    table.say("black", "double")
    assert table.last(CommandRefused).message.id == "cube.over_limit"


def test_c5_arithmetic_davo() -> None:
    from nardi.rules.ruleset import Progression

    table = Sitting(replace(find_ruleset("short-arena"), name="a", progression=Progression.ARITHMETIC), 0)
    table.begin()
    table.say("black", "double")
    table.say("white", "take")
    table.take_turn(6, 4, "24/14")
    table.say("white", "double")
    table.say("black", "take")
    assert [event.value for event in table.all(Taken)] == [2, 3]


def test_c6_beaver_and_its_refusal() -> None:
    for answer in ("accept", "refuse_beaver"):
        table = to_roll("short-arena", 0)
        table.say("black", "double")
        table.say("white", "beaver")
        assert table.match.phase is Phase.BEAVERED
        table.say("white", "take")
        assert table.match.phase is Phase.BEAVERED
        table.say("black", answer)  # type: ignore[arg-type]  # both are verbs
        if answer == "accept":
            assert (table.game.cube.value, table.game.cube.owner) == (4, WHITE)
            assert table.match.phase is Phase.TO_ROLL
        else:
            assert tuple(table.match.score) == (2, 0)


def test_c6_jacoby_counts_in_money_play_only() -> None:
    start = f"{ALMOST_OFF}/00000050000000000000000a00"
    for length, points in ((0, 1), (5, 3)):
        table = Sitting("backgammon", length, start=start, turn=WHITE)
        table.set_up()
        table.throw(WHITE, 2, 1)
        table.move("1/off")
        table.lift()
        assert table.match.score.white == points


def test_v4_cases_17_a_gammon_resignation_with_a_checker_off_warns_first() -> None:
    table = Sitting("backgammon", 5, start=f"{ALMOST_OFF}/10500050400000000000000000", turn=BLACK)
    table.set_up()
    table.say("black", "resign", "gammon")
    assert table.last(Warned)
    assert not table.all(Resigned)
    table.say("black", "resign", "gammon")
    assert table.last(Resigned).win == 2
    table.say("black", "accept")
    assert not table.all(GameEnded)
    table.say("white", "refuse")
    assert table.match.phase is Phase.TO_ROLL
    table.say("black", "resign", "single")
    table.say("white", "accept")
    assert table.last(GameEnded).ending == "resigned"
    assert tuple(table.match.score) == (1, 0)


def test_cases_17_only_a_player_or_the_referee_ends_a_game() -> None:
    table = Sitting("backgammon", 5, club=True)
    table.begin()
    table.say("white", "end_game", "white:gammon")
    assert table.last(CommandRefused).message.id == "umpire.refused.referee_only"
    table.say("referee", "end_game", "white:gammon")
    assert tuple(table.match.score) == (2, 0)


def test_v4_the_position_is_what_resigning_costs_in_short() -> None:
    table = Sitting("short", 0, start="00000050000000000000000a00/e1000000000000000000000000", turn=WHITE)
    table.set_up()
    table.say("white", "resign", "single")
    assert table.last(Resigned).win == 3


def test_v4_none_off_costs_two_in_nardi() -> None:
    table = to_roll("nardi")
    table.say("black", "resign")
    assert table.last(Resigned).win == 2


def one_left(ruleset: str, draw: LastRollDraw) -> Sitting:
    """White began and has one checker left; Black has two on the ace point."""
    rules = replace(find_ruleset(ruleset), name="house", last_roll_draw=draw)
    return Sitting(rules, 0, start=f"{ALMOST_OFF}/d2000000000000000000000000", turn=WHITE)


@pytest.mark.parametrize(
    ("draw", "points"), [(LastRollDraw.NOTHING, 0), (LastRollDraw.HALF, 0.5), (LastRollDraw.ONE, 1)]
)
def test_v5_the_last_roll_may_draw(draw: LastRollDraw, points: float) -> None:
    table = one_left("short", draw)
    table.set_up()
    table.throw(WHITE, 2, 1)
    table.move("1/off")
    table.lift()
    assert table.last(LastRollGranted).by is BLACK
    assert table.match.phase is Phase.LAST_ROLL
    table.throw(BLACK, 5, 3)
    table.move("1/off(2)")
    table.lift()
    ended = table.last(GameEnded)
    assert (ended.winner, ended.ending) == (None, "drawn")
    assert tuple(table.match.score) == (points, points)


def test_v5_the_last_roll_that_does_not_clear_the_board_loses() -> None:
    rules = replace(find_ruleset("short"), name="house", last_roll_draw=LastRollDraw.NOTHING)
    table = Sitting(rules, 0, start=f"{ALMOST_OFF}/c3000000000000000000000000", turn=WHITE)
    table.set_up()
    table.throw(WHITE, 2, 1)
    table.move("1/off")
    table.lift()
    table.throw(BLACK, 5, 3)
    table.move("1/off(2)")
    table.lift()
    assert table.last(GameEnded).winner is WHITE


def test_v5_no_last_roll_when_off_or_out_of_reach() -> None:
    for draw, theirs in ((LastRollDraw.OFF, "d2"), (LastRollDraw.NOTHING, "a5")):
        rules = replace(find_ruleset("short"), name="house", last_roll_draw=draw)
        table = Sitting(rules, 0, start=f"{ALMOST_OFF}/{theirs}000000000000000000000000", turn=WHITE)
        table.set_up()
        table.throw(WHITE, 2, 1)
        table.move("1/off")
        table.lift()
        assert table.last(GameEnded).winner is WHITE


def test_r10_the_first_to_bear_off_all_fifteen_wins_with_no_dice_lifted_yet_nothing_is_won() -> None:
    table = Sitting("backgammon", 5, start=f"{ALMOST_OFF}/10500050400000000000000000", turn=WHITE)
    table.set_up()
    table.throw(WHITE, 2, 1)
    table.move("1/off")
    assert not table.all(GameEnded)
    table.lift()
    assert table.last(GameEnded).winner is WHITE
    assert table.last(Played).notation == "1/off"


def test_l6_colours_swap_and_the_one_who_had_black_starts() -> None:
    table = Sitting("long-classic", 5)
    table.set_up()
    table.opening(5, 4)
    table.say("white", "resign")
    table.say("black", "accept")
    assert tuple(table.match.score) == (0, 2)
    table.say("referee", "next_game")
    started = table.last(GameStarted)
    assert started.colors_swapped
    assert (table.match.players.white, table.match.players.black) == ("Boris", "Anna")
    assert tuple(table.match.score) == (2, 0)
    assert table.turn is WHITE
    assert table.match.seating == Seating("light", 2)
    record = match_record(table.match)
    assert (record.players.white, record.players.black) == ("Anna", "Boris")
    assert [tuple(game.score) for game in record.games] == [(0, 0), (0, 2)]
    assert record.games[0].winner is BLACK


def test_r1_the_winner_starts_the_next_game_in_table_play() -> None:
    table = Sitting("long-table", 5)
    table.set_up()
    table.opening(5, 4)
    table.say("white", "resign")
    table.say("black", "accept")
    table.say("referee", "next_game")
    assert table.turn is BLACK
    table.set_up()
    assert table.match.phase is Phase.TO_ROLL
    table.throw(BLACK, 6, 5)
    assert table.match.phase is Phase.TO_PLAY


def test_what_was_done_with_the_cube_is_in_the_record_in_its_place() -> None:
    table = to_roll()
    table.say("black", "double")
    table.say("white", "take")
    table.take_turn(6, 4, "24/14")
    deeds = [(action.deed.value, action.by, action.value) if isinstance(action, CubeDone) else "play"
             for action in match_record(table.match).games[0].actions]  # fmt: skip
    assert deeds == ["play", ("double", BLACK, 2), ("take", WHITE, 2), "play"]
    assert all(isinstance(action, CubeDone | PlayDone) for action in match_record(table.match).games[0].actions)


def test_cases_43_help_cannot_be_turned_on_in_club_play_and_the_try_is_on_record() -> None:
    table = Sitting("backgammon", 5, club=True)
    table.say("white", "teach", "legal")
    refused = table.last(CommandRefused)
    assert (refused.by, refused.verb, refused.message.id) == ("white", "teach", "umpire.refused.club")
    assert table.match.teach == "off"
    home = Sitting("backgammon", 5)
    home.say("white", "teach", "legal")
    assert home.match.teach == "legal"
    home.say("white", "teach", "everything")
    assert home.last(CommandRefused).message.id == "umpire.refused.no_teach"
