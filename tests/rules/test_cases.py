"""Faults that users of other programs reported, each by its number among the cases: rules, match and cube."""

import pytest

from nardi.errors import InputError
from nardi.rules import RULESETS, ByColor, Color, LegalPlays, Position, Roll, find_ruleset
from nardi.rules import cube as cubes
from nardi.rules.cube import Cube
from nardi.rules.notation.words import read_play, sources_to
from nardi.rules.notation.xgid import situation_of_xgid, xgid
from nardi.rules.score import Ending, MatchScore, Outcome, Win, points, resign_warning, win_of
from nardi.rules.whynot import why_not

BACKGAMMON = find_ruleset("backgammon")


def board(mine: dict[int, int], theirs: dict[int, int]) -> Position:
    """A position of counts by place; the checkers not named are off."""
    sides = []
    for counts in (mine, theirs):
        row = [counts.get(place, 0) for place in range(26)]
        row[0] = 15 - sum(row[1:])
        sides.append(tuple(row))
    return Position(sides[0], sides[1])


def notations(position: Position, a: int, b: int, name: str = "backgammon") -> set[str]:
    return {play.notation for play in LegalPlays(position, Roll(a, b), find_ruleset(name))}


def test_case_1_both_numbers_are_found_where_only_one_six_plays() -> None:
    moment = situation_of_xgid("XGID=----b-M-A-------b-cdd---A-:0:0:1:62:0:0:0:0:10")
    assert notations(moment.position, 6, 2) == {"24/22 8/2"}


def test_case_2_entering_with_the_other_number_first() -> None:
    moment = situation_of_xgid("XGID=-bCB-BCa----c----c-f--A-CA:1:-1:1:35:0:0:0:0:10")
    assert notations(moment.position, 3, 5) == {"bar/20 24/21", "bar/20 6/3", "bar/20 5/2"}


def test_case_3_two_checkers_left() -> None:
    position = board({5: 1, 2: 1}, {12: 2})
    ends = {end.mine[1:7] for end in LegalPlays(position, Roll(4, 2), BACKGAMMON).ends}
    assert ends == {(0, 1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)}
    assert notations(position, 4, 2) == {"5/off", "5/1 2/off"}
    assert read_play("5/3/off", position, Roll(4, 2), BACKGAMMON).after.mine[2] == 1


def test_case_4_a_double_is_one_turn() -> None:
    position = board({1: 2}, {12: 2})
    legal = LegalPlays(position, Roll(1, 1), BACKGAMMON)
    assert [play.notation for play in legal] == ["1/off(2)"]
    assert legal.ends[0].all_off


def test_case_5_the_bar_is_counted_not_remembered() -> None:
    """R5: while a checker is on the bar nothing else moves; once it has entered, anything does."""
    on_bar = board({25: 1, 13: 4, 6: 5, 8: 5}, {6: 5, 1: 2, 13: 5, 8: 3})
    for play in LegalPlays(on_bar, Roll(2, 1), BACKGAMMON):
        assert play.steps[0].source == 25
    entered = next(iter(LegalPlays(on_bar, Roll(2, 1), BACKGAMMON))).after
    assert any(play.steps[0].source != 25 for play in LegalPlays(entered, Roll(2, 1), BACKGAMMON))
    two_on_bar = board({25: 2, 13: 3, 6: 5, 8: 5}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 8: 5})
    assert notations(two_on_bar, 1, 6) == {"bar/24"}


def test_case_6_all_home_is_tested_again_after_each_step() -> None:
    """R9: the last checker comes home and another goes off in one turn; a number is used once."""
    position = board({7: 1, 6: 2, 1: 2}, {12: 2})
    assert "7/6 6/off" in notations(position, 6, 1) or "7/off" in notations(position, 6, 1)
    assert all(end.mine[0] - position.mine[0] <= 1 for end in LegalPlays(position, Roll(6, 1), BACKGAMMON).ends)


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_case_7_gammon_and_backgammon_count_where_they_are_known(name: str) -> None:
    """V3, L5."""
    ruleset = find_ruleset(name)
    loser = {24: 1, 6: 14} if ruleset.hits else {13: 1, 6: 14}
    win = win_of(board({}, loser), ruleset)
    assert win is (Win.BACKGAMMON if ruleset.hits else Win.GAMMON)
    outcome = Outcome(Color.WHITE, win, Ending.BORNE_OFF)
    turned = Cube(2, Color.WHITE) if ruleset.cube else Cube()
    expected = {"backgammon": 6, "short": 6, "caucasian": 6, "nardi": 2, "short-arena": 2}.get(name, 2)
    assert points(outcome, turned, ruleset) == expected
    assert win_of(board({}, {6: 14}), ruleset) is Win.SINGLE


@pytest.mark.parametrize(
    ("text", "roll", "strict"),
    [
        ("bar/24 6/5", (1, 1), None),
        ("8/5 6/5", (3, 1), "8/5 6/5"),
        ("6/5 8/5", (3, 1), "8/5 6/5"),
        ("13/7(2) 8/2(2)", (6, 6), "13/7(2) 8/2(2)"),
        ("24/18/16", (6, 2), "24/16"),
        ("24/16", (2, 6), "24/16"),
        ("13/7 8/7", (6, 1), "13/7 8/7"),
        ("8/4 6/5", (3, 2), None),
        ("13/7 13/8", (6, 1), None),
        ("13/7", (6, 1), None),
        ("12/6 8/7", (6, 1), None),
        ("thirteen", (6, 1), None),
    ],
)
def test_case_8_notation_is_read_leniently_and_written_strictly(
    text: str, roll: tuple[int, int], strict: str | None
) -> None:
    """A wrong play is refused, never replaced by another legal one."""
    if strict is None:
        with pytest.raises(InputError):
            read_play(text, BACKGAMMON.start, Roll(*roll), BACKGAMMON)
    else:
        assert read_play(text, BACKGAMMON.start, Roll(*roll), BACKGAMMON).notation == strict


@pytest.mark.parametrize("text", ["bar/24*", "Bar/24", "BAR/24", "25/24", "b/24"])
def test_case_8_a_bar_by_any_name_and_a_star_that_may_be_missing(text: str) -> None:
    position = board({25: 1, 13: 5, 6: 9}, {1: 1, 2: 2, 3: 2, 4: 2, 5: 2, 6: 6})
    assert read_play(f"{text} 13/10", position, Roll(1, 3), BACKGAMMON).notation == "bar/24* 13/10"


@pytest.mark.parametrize("checkers", ["P", "O" + "A"])
def test_case_9_sixteen_checkers_are_refused_with_their_number(checkers: str) -> None:
    places = f"-{checkers}".ljust(26, "-")
    with pytest.raises(InputError) as caught:
        situation_of_xgid(f"XGID={places}:0:0:1:00:0:0:0:0:10")
    assert ("count", 16) in caught.value.message.parameters


def test_case_9_in_position_text_every_fault_is_named() -> None:
    with pytest.raises(InputError) as caught:
        Position.from_text("000000f0000000000000000010/000000000000000000000000e0", BACKGAMMON)
    assert [message.id for message in caught.value.messages] == ["position.too_many", "position.too_few"]


def test_case_10_points_are_the_movers_in_everything_said() -> None:
    flipped = BACKGAMMON.start.flipped
    for play in LegalPlays(flipped, Roll(6, 5), BACKGAMMON):
        assert all(step.source > step.target for step in play.steps)
    wrong = why_not(flipped, flipped, Roll(6, 5), BACKGAMMON)
    assert wrong is not None
    assert wrong.nearest is not None
    assert wrong.nearest.steps[0].source in (24, 13, 8)


def test_case_11_a_checker_to_10_is_clear_when_all_but_one_is_blocked() -> None:
    position = board({13: 2, 11: 2, 6: 11}, {13: 2, 1: 13})  # their 13 is my 12
    assert sources_to(10, position, Roll(1, 1), BACKGAMMON) == (11,)
    assert read_play("10(2) 5(2)", position, Roll(1, 1), BACKGAMMON).notation == "11/10(2) 6/5(2)"
    open_board = board({12: 2, 11: 2, 6: 11}, {1: 15})
    with pytest.raises(InputError) as caught:
        read_play("10 6/4", open_board, Roll(2, 1), BACKGAMMON)
    assert caught.value.message.id == "notation.unclear_source"


def test_case_12_a_pass_pays_the_doubler_the_cube_before_the_offer() -> None:
    """C2: 3-1, cube 2 passed by the second player: 5-1."""
    score = MatchScore(7, ByColor(3, 1))
    cube = cubes.offered(Cube(2, Color.WHITE), Color.WHITE)
    winner, stake = cubes.passed(cube)
    assert (winner, stake) == (Color.WHITE, 2)
    outcome = Outcome(winner, Win.SINGLE, Ending.PASSED)
    gained = points(outcome, cube, BACKGAMMON, in_match=True)
    assert score.after(ByColor(gained, 0), BACKGAMMON).points == ByColor(5, 1)


def test_case_13_a_backgammon_on_the_64_cube_is_192() -> None:
    """C3: nothing overflows; the score shown stops at the match length."""
    outcome = Outcome(Color.BLACK, Win.BACKGAMMON, Ending.BORNE_OFF)
    assert points(outcome, Cube(64, Color.WHITE), BACKGAMMON) == 192
    score = MatchScore(7).after(ByColor(0, 192), BACKGAMMON)
    assert score.points.black == 192
    assert score.shown(Color.BLACK) == 7
    assert score.winner is Color.BLACK


def test_case_14_no_match_is_won_short_of_its_points() -> None:
    score = MatchScore(5, ByColor(3, 3)).after(ByColor(1, 0), BACKGAMMON)
    assert score.points == ByColor(4, 3)
    assert score.winner is None


def test_case_15_no_double_in_crawford_nor_dead_nor_after_the_roll() -> None:
    """C1, C7."""
    white = Color.WHITE
    crawford = MatchScore(5, ByColor(4, 2), crawford=True)
    dead = MatchScore(5, ByColor(4, 2))
    live = MatchScore(5, ByColor(2, 4))
    assert said(cubes.may_double(Cube(), white, BACKGAMMON, crawford, white)) == "cube.crawford"
    assert said(cubes.may_double(Cube(), Color.BLACK, BACKGAMMON, crawford, Color.BLACK)) == "cube.crawford"
    assert said(cubes.may_double(Cube(), white, BACKGAMMON, dead, white)) == "cube.dead"
    assert cubes.may_double(Cube(), Color.BLACK, BACKGAMMON, dead, Color.BLACK) is None
    assert cubes.may_double(Cube(), white, BACKGAMMON, live, white) is None
    assert said(cubes.may_double(Cube(), white, BACKGAMMON, live, white, rolled=True)) == "cube.already_rolled"


def said(message: object) -> str:
    return getattr(message, "id", "")


def test_case_16_take_and_pass_are_different_and_only_the_doubled_answers() -> None:
    cube = cubes.offered(Cube(), Color.WHITE)
    assert cubes.may_answer(cube, Color.BLACK) is None
    assert said(cubes.may_answer(cube, Color.WHITE)) == "cube.nothing_to_answer"
    assert cubes.taken(cube, BACKGAMMON) == Cube(2, Color.BLACK)
    assert cubes.passed(cube) == (Color.WHITE, 1)
    with pytest.raises(ValueError, match="no double"):
        cubes.taken(Cube(), BACKGAMMON)


def test_case_17_a_gammon_resigned_with_a_checker_off_warns_first() -> None:
    """V4."""
    some_off = board({6: 14}, {6: 10})
    assert said(resign_warning(some_off, BACKGAMMON, Win.GAMMON)) == "score.resigns_too_much"
    assert resign_warning(some_off, BACKGAMMON, Win.SINGLE) is None
    assert resign_warning(BACKGAMMON.start, BACKGAMMON, Win.GAMMON) is None


def test_case_18_an_owned_cube_is_not_a_centred_one() -> None:
    text = "XGID=--CBCBC------B--b--cabbcb-:1:1:1:21:0:0:0:0:8"
    moment = situation_of_xgid(text)
    assert (moment.cube, moment.cube_owner) == (2, Color.WHITE)
    assert xgid(moment).split(":")[1:3] == ["1", "1"]
    other = situation_of_xgid(text.replace(":1:1:1:21", ":1:-1:1:21"))
    centred = situation_of_xgid(text.replace(":1:1:1:21", ":0:0:1:21"))
    assert other.cube_owner is Color.BLACK
    assert centred.cube_owner is None
    assert said(cubes.may_double(Cube(2, Color.BLACK), Color.WHITE, BACKGAMMON, MatchScore(), Color.WHITE)) == (
        "cube.not_yours"
    )
