"""The cube, what games are worth, and who begins: C1-C8, V3-V5, L5, L6, R1."""

import pytest

from nardi.rules import ByColor, Color, Position, find_ruleset
from nardi.rules import cube as cubes
from nardi.rules.cube import Cube
from nardi.rules.ruleset import Ruleset
from nardi.rules.score import (
    MONEY,
    Ending,
    MatchScore,
    Outcome,
    Win,
    draw_points,
    end_value,
    gained,
    may_draw,
    may_join,
    points,
    resign_warning,
    resign_worth,
    stake_needed,
    win_of,
)
from nardi.rules.series import next_game, opening
from nardi.text.message import Message
from rules.rulesets import changed
from rules.test_cases import board

WHITE, BLACK = Color.WHITE, Color.BLACK
BACKGAMMON = find_ruleset("backgammon")


def id_of(message: Message | None) -> str | None:
    return message.id if message else None


def test_c1_from_the_middle_either_later_its_owner() -> None:
    assert cubes.may_double(Cube(), WHITE, BACKGAMMON, MONEY, WHITE) is None
    assert id_of(cubes.may_double(Cube(), BLACK, BACKGAMMON, MONEY, WHITE)) == "cube.not_your_turn"
    owned = Cube(2, BLACK)
    assert id_of(cubes.may_double(owned, WHITE, BACKGAMMON, MONEY, WHITE)) == "cube.not_yours"
    assert cubes.may_double(owned, BLACK, BACKGAMMON, MONEY, BLACK) is None
    waiting = cubes.offered(owned, BLACK)
    assert id_of(cubes.may_double(waiting, BLACK, BACKGAMMON, MONEY, BLACK)) == "cube.answer_first"


def test_c2_c3_take_and_redouble_and_points() -> None:
    once = cubes.taken(cubes.offered(Cube(), WHITE), BACKGAMMON)
    twice = cubes.taken(cubes.offered(once, BLACK), BACKGAMMON)
    assert (once, twice) == (Cube(2, BLACK), Cube(4, WHITE))
    mars = Outcome(WHITE, Win.GAMMON, Ending.BORNE_OFF)
    assert points(mars, twice, BACKGAMMON) == 8
    assert points(mars, twice, find_ruleset("short-arena")) == 4
    assert points(mars, Cube(), changed("short-arena", cube=False)) == 2
    passed = Outcome(BLACK, Win.SINGLE, Ending.PASSED)
    assert points(passed, cubes.offered(twice, BLACK), BACKGAMMON) == 4


@pytest.mark.parametrize(("limit", "reached"), [(2, 1), (8, 3), (64, 6)])
def test_c4_no_offer_above_the_limit(limit: int, reached: int) -> None:
    ruleset = changed("short", cube_limit=limit)
    cube, by = Cube(), WHITE
    for _ in range(reached):
        assert cubes.may_double(cube, by, ruleset, MONEY, by) is None
        cube, by = cubes.taken(cubes.offered(cube, by), ruleset), by.other
    assert cube.value == limit
    refused = cubes.may_double(cube, by, ruleset, MONEY, by)
    assert refused == Message.of("cube.over_limit", value=2 * limit, limit=limit)
    assert id_of(cubes.may_double(Cube(), WHITE, changed("short", cube=False), MONEY, WHITE)) == "cube.off"


def test_c5_arithmetic_goes_one_two_three_four() -> None:
    ruleset = changed("short-arena", progression="arithmetic")
    cube, by, seen = Cube(), WHITE, [1]
    for _ in range(3):
        cube, by = cubes.taken(cubes.offered(cube, by), ruleset), by.other
        seen.append(cube.value)
    assert seen == [1, 2, 3, 4]


def test_c6_automatic_doubles_stay_in_the_middle() -> None:
    doubled = cubes.automatic_double(Cube(), 0, BACKGAMMON, MONEY)
    assert doubled == Cube(2)
    assert cubes.automatic_double(Cube(2), 1, BACKGAMMON, MONEY) is None
    assert cubes.automatic_double(Cube(), 0, BACKGAMMON, MatchScore(5)) is None
    assert cubes.automatic_double(Cube(), 0, find_ruleset("short"), MONEY) is None
    # Nobody turned it, so Jacoby still holds.
    assert points(Outcome(WHITE, Win.GAMMON, Ending.BORNE_OFF), Cube(2), BACKGAMMON) == 2


def test_c6_jacoby_only_for_money_and_an_unturned_cube() -> None:
    mars = Outcome(WHITE, Win.BACKGAMMON, Ending.BORNE_OFF)
    assert points(mars, Cube(), BACKGAMMON) == 1
    assert points(mars, Cube(), BACKGAMMON, in_match=True) == 3
    assert points(mars, Cube(2, WHITE), BACKGAMMON) == 6
    assert points(mars, Cube(), find_ruleset("short")) == 3


def test_c6_beaver_keeps_the_cube_and_costs_the_doubled_stake() -> None:
    arena = find_ruleset("short-arena")
    offered = cubes.offered(Cube(), WHITE)
    assert cubes.may_beaver(offered, BLACK, arena, MONEY) is None
    assert id_of(cubes.may_beaver(offered, WHITE, arena, MONEY)) == "cube.nothing_to_answer"
    assert id_of(cubes.may_beaver(offered, BLACK, arena, MatchScore(5))) == "cube.no_beaver"
    assert id_of(cubes.may_beaver(offered, BLACK, BACKGAMMON, MONEY)) == "cube.no_beaver"
    beaver = cubes.beavered(offered, arena)
    assert beaver.answered_by is WHITE
    assert cubes.taken(beaver, arena) == Cube(4, BLACK)
    assert cubes.passed(beaver) == (BLACK, 2)
    assert id_of(cubes.may_beaver(beaver, WHITE, arena, MONEY)) == "cube.nothing_to_answer"


def test_c7_crawford_is_one_game_and_then_the_cube_is_back() -> None:
    score = MatchScore(5, ByColor(3, 2))
    crawford = score.after(ByColor(1, 0), BACKGAMMON)
    assert crawford.crawford
    after = crawford.after(ByColor(0, 1), BACKGAMMON)
    assert not after.crawford
    assert cubes.may_double(Cube(), BLACK, BACKGAMMON, after, BLACK) is None
    assert not MatchScore(5, ByColor(3, 2)).after(ByColor(2, 0), BACKGAMMON).crawford
    assert not score.after(ByColor(1, 0), changed("backgammon", crawford=False)).crawford
    assert not MatchScore(1).crawford
    with pytest.raises(ValueError, match="1 point"):
        MatchScore(0)


def test_c7_dead_cube_is_judged_for_the_one_who_doubles() -> None:
    score = MatchScore(7, ByColor(5, 1))
    assert id_of(cubes.may_double(Cube(2, WHITE), WHITE, BACKGAMMON, score, WHITE)) == "cube.dead"
    assert cubes.may_double(Cube(2, BLACK), BLACK, BACKGAMMON, score, BLACK) is None


def test_c8_stakes_and_balances() -> None:
    ruleset = changed("short", cube_limit=8, end_values="mars")
    assert stake_needed(5, ruleset) == 5 * 8 * 2
    assert stake_needed(5, changed("short", cube=False)) == 15
    assert stake_needed(5, BACKGAMMON) is None
    assert may_join(80, 5, ruleset) is None
    assert may_join(79, 5, ruleset) == Message.of("score.balance_too_small", balance=79, needed=80)


@pytest.mark.parametrize(("values", "expected"), [("oin", (1, 1, 1)), ("mars", (1, 2, 2)), ("koks", (1, 2, 3))])
def test_v3_end_values(values: str, expected: tuple[int, ...]) -> None:
    ruleset = changed("short", end_values=values)
    assert tuple(end_value(win, ruleset) for win in (Win.SINGLE, Win.GAMMON, Win.BACKGAMMON)) == expected


def test_v3_oin_mars_koks_by_the_board() -> None:
    """R10: the winner has borne off all; a koks needs a checker on the bar or in the winner's home."""
    short = find_ruleset("short")
    assert win_of(board({}, {6: 14}), short) is Win.SINGLE
    assert win_of(board({}, {18: 15}), short) is Win.GAMMON
    assert win_of(board({}, {18: 14, 19: 1}), short) is Win.BACKGAMMON
    assert win_of(board({}, {18: 14, 25: 1}), short) is Win.BACKGAMMON
    assert board({}, {6: 14}).all_off


def test_v4_resigning() -> None:
    early = find_ruleset("short").start
    ran = board({6: 15}, {6: 15})
    late = board({6: 14}, {6: 14})
    assert [resign_worth(position, find_ruleset("short")) for position in (early, ran, late)] == [
        Win.BACKGAMMON,
        Win.GAMMON,
        Win.SINGLE,
    ]
    assert [resign_worth(position, find_ruleset("nardi")) for position in (early, ran, late)] == [
        Win.GAMMON,
        Win.GAMMON,
        Win.SINGLE,
    ]
    assert resign_worth(early, BACKGAMMON, Win.SINGLE) is Win.SINGLE
    assert id_of(resign_warning(early, find_ruleset("nardi"), Win.BACKGAMMON)) == "score.resigns_uncounted"


def test_v5_a_draw_by_the_last_roll() -> None:
    short = changed("short", last_roll_draw="nothing")
    assert may_draw(short, first=WHITE, finished=WHITE)
    assert not may_draw(short, first=WHITE, finished=BLACK)
    assert not may_draw(find_ruleset("short"), first=WHITE, finished=WHITE)
    drawn = Outcome(None, Win.DRAW, Ending.DRAWN)
    assert gained(drawn, Cube(4, WHITE), short) == ByColor(0, 0)
    assert gained(drawn, Cube(), changed("long-classic", last_roll_draw="half")) == ByColor(0.5, 0.5)
    assert draw_points(changed("long-classic", last_roll_draw="one")) == 1
    with pytest.raises(ValueError, match="no winner"):
        Outcome(WHITE, Win.DRAW, Ending.DRAWN)


@pytest.mark.parametrize(("triple", "all_home", "not_home"), [("off", 2, 2), ("house", 3, 2), ("outside", 2, 3)])
def test_l5_mars_and_the_triple(triple: str, all_home: int, not_home: int) -> None:
    ruleset = changed("long-classic", triple=triple)
    home, away = board({}, {6: 15}), board({}, {6: 14, 7: 1})
    assert end_value(win_of(home, ruleset), ruleset) == all_home
    assert end_value(win_of(away, ruleset), ruleset) == not_home
    assert end_value(win_of(board({}, {6: 14}), ruleset), ruleset) == 1


def test_t1_losing_on_time_is_worth_two() -> None:
    """T1: the claim wins mars, whatever stands on the board."""
    nardi = find_ruleset("nardi")
    assert (nardi.turn_ms, nardi.reserve_ms) == (11_000, 90_000)
    assert points(Outcome(WHITE, Win(nardi.time_loss), Ending.TIME), Cube(), nardi) == 2


def test_r1_the_opening_throw() -> None:
    assert opening(4, 4, BACKGAMMON) is None
    white = opening(6, 2, BACKGAMMON)
    black = opening(1, 5, BACKGAMMON)
    assert white is not None
    assert black is not None
    assert (white.starter, white.roll.a, white.roll.b) == (WHITE, 6, 2)
    assert (black.starter, black.roll.a, black.roll.b) == (BLACK, 5, 1)
    swapped = opening(1, 5, find_ruleset("long-classic"))
    assert swapped is not None
    assert (swapped.starter, swapped.colors_swapped) == (WHITE, True)
    with pytest.raises(ValueError, match="1 to 6"):
        opening(0, 0, BACKGAMMON)


def starter(ruleset: Ruleset, began: Color, won: Color | None) -> Color | None:
    return next_game(began, won, ruleset).starter


def test_r1_who_starts_the_next_game() -> None:
    assert starter(BACKGAMMON, WHITE, WHITE) is None
    assert starter(find_ruleset("short"), WHITE, WHITE) is BLACK
    assert starter(changed("short", series_start="winner"), BLACK, WHITE) is WHITE
    assert starter(changed("short", series_start="alternate"), BLACK, BLACK) is WHITE
    assert starter(find_ruleset("short"), WHITE, None) is BLACK


def test_l6_classic_swaps_and_black_starts_table_lets_the_winner() -> None:
    classic = next_game(WHITE, WHITE, find_ruleset("long-classic"))
    assert (classic.starter, classic.colors_swapped) == (WHITE, True)  # the one who had Black is White now
    table = next_game(WHITE, BLACK, find_ruleset("long-table"))
    assert (table.starter, table.colors_swapped) == (BLACK, False)


def test_shown_scores_and_away() -> None:
    score = MatchScore(3, ByColor(2, 9))
    assert (score.away(WHITE), score.away(BLACK)) == (1, 0)
    assert (score.shown(WHITE), score.shown(BLACK)) == (2, 3)
    assert MONEY.away(WHITE) is None
    assert MONEY.winner is None


def test_positions_flip() -> None:
    position = board({25: 1, 6: 14}, {20: 2})
    assert position.flipped.flipped == position
    assert isinstance(position.flipped, Position)
    assert (position.pips, position.their_pips) == (25 + 84, 40)
