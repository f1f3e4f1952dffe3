"""Why a play is not legal: every reason by its rule, and what would mend it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nardi.rules import LegalPlays, Position, Roll, Ruleset, find_ruleset
from nardi.rules.notation.words import laid, words_of
from nardi.rules.whynot import Illegality, why_not
from rules.boards import STRANGE, walk
from rules.test_cases import board

BACKGAMMON = find_ruleset("backgammon")
START = BACKGAMMON.start


def attempt(
    words: str,
    roll: tuple[int, int],
    position: Position = START,
    ruleset: str = "backgammon",
    first_turn: bool = False,
) -> Illegality:
    """What is said about making the moves of `words`."""
    rules = find_ruleset(ruleset)
    said = why_not(position, laid(position, words_of(words), rules), Roll(*roll), rules, first_turn)
    assert said is not None, "the play is legal"
    assert said.nearest in LegalPlays(position, Roll(*roll), rules, first_turn)
    return said


def case(said: Illegality) -> tuple[str, dict[str, object]]:
    assert said.message.id.startswith(f"rules.{said.rule}.")
    return said.message.id.removeprefix("rules."), dict(said.message.parameters)


def test_a_legal_play_has_nothing_wrong() -> None:
    for play in LegalPlays(START, Roll(3, 1), BACKGAMMON):
        assert why_not(START, play.after, Roll(1, 3), BACKGAMMON) is None


def test_r2_wrong_number_as_at_the_recorded_table() -> None:
    """R2: 24/21 13/8 with 2-3, and bar/20 6/2 with 1-5."""
    id, parameters = case(attempt("24/21 13/8", (2, 3)))
    assert id == "R2.number_left"  # 2+3 is 5, but the 3 is gone
    assert parameters == {"source": "13", "target": "8", "pips": 5, "by": "24/21", "used": "3", "left": "2"}
    on_bar = board({25: 1, 6: 7, 13: 4, 8: 3}, {6: 5, 13: 5, 8: 3, 24: 2})
    said = attempt("bar/20 6/2", (1, 5), on_bar)
    assert said.rule == "R2"
    assert [(step.source, step.target) for step in said.steps] == [(6, 2)]


@pytest.mark.parametrize(
    ("words", "roll", "id"),
    [
        ("13/9", (3, 2), "R2.wrong_number"),
        ("13/10 8/5", (3, 2), "R2.number_left"),
        ("13/10(2)", (3, 1), "R2.number_left"),
        ("13/8 6/5", (4, 1), "R2.number_left"),
        ("24/16 6/5", (6, 2), "R2.number_used"),
        ("13/7 6/3", (2, 2), "R2.number_left"),
        ("13/10 8/5 6/5", (3, 1), "R2.too_many_moved"),
        ("13/7", (6, 1), "R6.both_numbers"),
        ("", (6, 1), "R6.nothing_played"),
        ("13/7(2)", (6, 6), "R6.more_of_double"),
    ],
)
def test_r2_and_r6_from_the_start(words: str, roll: tuple[int, int], id: str) -> None:
    assert case(attempt(words, roll))[0] == id


def test_r2_backwards_and_vanished_and_the_opponents() -> None:
    mine, theirs = list(START.mine), list(START.theirs)
    mine[6], mine[7] = 4, 1
    back = why_not(START, Position(tuple(mine), tuple(theirs)), Roll(2, 1), BACKGAMMON)
    assert back is not None
    assert back.message.id == "rules.R2.backwards"
    mine[7] = 0
    gone = why_not(START, Position(tuple(mine), tuple(theirs)), Roll(2, 1), BACKGAMMON)
    assert gone is not None
    assert (gone.message.id, dict(gone.message.parameters)) == ("rules.R2.my_count", {"count": 14})
    theirs[6], theirs[5] = 4, 1
    moved = why_not(START, Position(START.mine, tuple(theirs)), Roll(2, 1), BACKGAMMON)
    assert moved is not None
    assert moved.rule == "R2"
    played = next(iter(LegalPlays(START, Roll(2, 1), BACKGAMMON))).after
    also = why_not(START, Position(played.mine, tuple(theirs)), Roll(2, 1), BACKGAMMON)
    assert also is not None
    assert also.message.id == "rules.R2.their_checkers"


def test_r3_closed_point() -> None:
    id, parameters = case(attempt("24/19 13/12", (5, 1)))
    assert id == "R3.closed"
    assert parameters == {"point": 19, "number": 5, "source": 24}


def test_r3_a_hit_checker_left_standing() -> None:
    position = board({24: 2, 13: 5, 8: 3, 6: 5}, {24: 1, 21: 1, 13: 5, 8: 3, 6: 5})  # their 21 is my 4
    row = list(position.mine)
    row[6], row[4] = 4, 1
    row[8], row[7] = 2, 1
    said = why_not(position, Position(tuple(row), position.theirs), Roll(2, 1), BACKGAMMON)
    assert said is not None
    assert said.message.id == "rules.R3.hit_not_taken_up"


def test_r4_between_is_closed() -> None:
    position = board({24: 2, 13: 2, 6: 11}, {7: 2, 3: 2, 14: 11})  # 18, 22 and 11 are theirs
    id, parameters = case(attempt("24/16", (6, 2), position))
    assert id == "R4.between_closed"
    assert parameters["target"] == 16
    assert case(attempt("24/18 13/11", (6, 2), position))[0] == "R3.closed"


def test_r5_enter_first() -> None:
    on_bar = board({25: 1, 13: 5, 8: 3, 6: 6}, {6: 5, 13: 5, 8: 3, 24: 2})
    id, parameters = case(attempt("13/10 6/5", (3, 1), on_bar))
    assert (id, parameters) == ("R5.bar_first", {"source": 13})


def test_r7_the_larger_must_be_played() -> None:
    """R7: either number can be played but not both, so the 6 must be."""
    # 20/14 or 20/15; then nothing, as 9 is closed and 14-5, 15-6 are 9.
    position = board({20: 1, 1: 14}, {16: 2, 12: 13})
    assert {play.notation for play in LegalPlays(position, Roll(6, 5), BACKGAMMON)} == {"20/14"}
    said = attempt("20/15", (6, 5), position)
    assert case(said) == ("R7.larger", {"larger": 6, "smaller": 5})
    assert said.remedy is not None
    assert dict(said.remedy.parameters) == {"source": "15", "target": "14"}


def test_r9_not_all_home_and_a_higher_checker() -> None:
    away = board({8: 1, 6: 7, 2: 7}, {12: 15})
    assert case(attempt("6/off 2/1", (6, 1), away))[0] == "R9.not_all_home"
    home = board({6: 1, 4: 7, 2: 7}, {12: 15})
    id, parameters = case(attempt("4/off 2/1", (5, 1), home))
    assert id == "R9.higher_must_move"
    assert parameters["higher"] == 6


def test_v1_hit_and_hid() -> None:
    """V1: 6/4* then 4/3 onto an own checker, at home; the same outside is hidden only for the arena."""
    position = board({24: 2, 6: 5, 3: 2, 13: 6}, {21: 1, 13: 7, 8: 7})
    id, parameters = case(attempt("6/4*/3", (2, 1), position, "caucasian"))
    assert id == "V1.hit_and_hid"
    assert parameters == {"hit": 4, "point": 3}
    outside = board({24: 2, 13: 6, 8: 3, 6: 4}, {14: 1, 13: 7, 8: 7})  # a blot on my 11
    hidden = laid(outside, words_of("13/11/8"), BACKGAMMON)
    assert why_not(outside, hidden, Roll(2, 3), find_ruleset("caucasian")) is None
    assert attempt("13/11/8", (2, 3), outside, "short-arena").rule == "V1"
    assert why_not(position, laid(position, words_of("6/4/3"), BACKGAMMON), Roll(2, 1), BACKGAMMON) is None


def test_v2_wasted_pips() -> None:
    """V2: with 6-1 from 5, 4, 2: 5/off wastes one; 4/off after 5/4... wastes two."""
    position = board({5: 1, 4: 1, 2: 1}, {12: 15})
    legal = {play.notation for play in LegalPlays(position, Roll(6, 1), find_ruleset("nardi"))}
    free = {play.notation for play in LegalPlays(position, Roll(6, 1), BACKGAMMON)}
    assert legal < free
    wasteful = next(iter(free - legal))
    id, parameters = case(attempt(wasteful, (6, 1), position, "nardi"))
    assert id == "V2.wasted"
    assert parameters == {"wasted": 2, "least": 1}


def test_l2_second_off_the_head() -> None:
    start = find_ruleset("long-classic").start
    id, parameters = case(attempt("24/19 24/20", (5, 4), start, "long-classic", first_turn=True))
    assert (id, parameters) == ("L2.second_off_head", {"count": 2, "allowed": 1})
    for name, legal in (("long-classic", False), ("long-table", True)):
        ruleset = find_ruleset(name)
        # White opened 5-5 to Black's 16: not the opposing head stops Black's four.
        position = board({24: 15}, {24: 14, 4: 1})
        two_off = laid(position, words_of("24/20(2)"), ruleset)
        assert (why_not(position, two_off, Roll(4, 4), ruleset, True) is None) is legal


def test_l3_block_with_nobody_ahead() -> None:
    position = board({24: 6, 11: 1, 10: 1, 9: 1, 8: 1, 7: 2, 5: 3}, {24: 15})
    id, parameters = case(attempt("24/18 7/6", (6, 1), position, "long-classic"))
    assert id == "L3.nobody_ahead"
    assert parameters == {"first": 11, "last": 5, "length": 7}
    assert attempt("24/18 7/6", (6, 1), position, "long-table").message.id == "rules.L3.nobody_home"


def test_l3_a_block_in_passing_is_told_from_one_that_stays() -> None:
    behind = {24: 15}  # on my 12, with all of my run before them
    stays = board({24: 7, 9: 1, 7: 2, 6: 1, 5: 1, 4: 1, 3: 1, 1: 1}, behind)
    id, parameters = case(attempt("9/8 24/23", (1, 1), stays, "long-classic"))
    assert (id, parameters) == ("L3.nobody_ahead", {"first": 8, "last": 3, "length": 6})
    assert attempt("9/8 24/23", (1, 1), stays, "long-table").message.id == "rules.L3.nobody_home"
    passing = board({24: 9, 9: 1, 7: 1, 6: 1, 5: 1, 4: 1, 3: 1}, behind)
    assert case(attempt("9/7 24/22", (1, 1), passing, "long-classic"))[0] == "L3.nobody_ahead_in_passing"
    table = find_ruleset("long-table")
    end = laid(passing, words_of("9/7 24/22"), table)
    assert why_not(passing, end, Roll(1, 1), table) is None
    one_ahead = board({24: 9, 9: 1, 7: 1, 6: 1, 5: 1, 4: 1, 3: 1}, {24: 14, 14: 1})  # their 14 is before their 20 to 15
    assert why_not(one_ahead, end_of(one_ahead, "9/8 24/21"), Roll(1, 1), find_ruleset("long-classic")) is None


def end_of(position: Position, words: str) -> Position:
    return laid(position, words_of(words), find_ruleset("long-classic"))


def test_near_misses_name_one_checker_to_move() -> None:
    said = attempt("13/7 8/6", (6, 1))
    assert said.remedy is not None
    assert said.remedy.id == "rules.remedy.move"
    assert dict(said.remedy.parameters) == {"source": "6", "target": "7"}
    assert said.nearest is not None
    assert said.nearest.notation == "13/7 8/7"


@settings(max_examples=150, deadline=None, derandomize=True)
@given(STRANGE, st.integers(0, 5), st.integers(0, 5))
def test_nonsense_is_named_not_feared(case: tuple[Ruleset, Position, Roll], lift: int, drop: int) -> None:
    """Any board at all: legal exactly when it is among the ends, else one rule and a nearest play."""
    ruleset, position, roll = case
    row = list(position.mine)
    places = [place for place in range(26) if row[place]]
    row[places[lift % len(places)]] -= 1
    row[drop * 4] += 1
    other = Position(tuple(row), position.theirs)
    said = why_not(position, other, roll, ruleset)
    assert (said is None) == (other in LegalPlays(position, roll, ruleset))
    if said is not None:
        assert said.message.id.startswith(f"rules.{said.rule}.")
        assert said.nearest in LegalPlays(position, roll, ruleset)


@pytest.mark.parametrize("name", ["backgammon", "caucasian", "nardi", "short-arena", "long-classic", "long-table"])
def test_plays_for_another_roll_are_always_explained(name: str) -> None:
    ruleset = find_ruleset(name)
    for position, roll, first_turn in walk(ruleset, seed=9, count=60):
        for other in (Roll(6, 5), Roll(2, 2)):
            for end in LegalPlays(position, other, ruleset, first_turn).ends[:3]:
                said = why_not(position, end, roll, ruleset, first_turn)
                assert (said is None) == (end in LegalPlays(position, roll, ruleset, first_turn))
