"""The seven rulesets say what their source texts say."""

from dataclasses import replace

import pytest

from nardi.rules import RULESETS, find_ruleset
from rules.rulesets import changed

BACKGAMMON, SHORT, CAUCASIAN, NARDI, ARENA, CLASSIC, TABLE = (
    find_ruleset(name)
    for name in ("backgammon", "short", "caucasian", "nardi", "short-arena", "long-classic", "long-table")
)
CROSSING = "00000050300005000000000020/00000050300005000000000020"
HEADS = "000000000000000000000000f0/000000000000000000000000f0"


def test_where_the_checkers_start() -> None:
    assert {ruleset.start.text for ruleset in (BACKGAMMON, SHORT, CAUCASIAN, NARDI, ARENA)} == {CROSSING}
    assert {ruleset.start.text for ruleset in (CLASSIC, TABLE)} == {HEADS}


def test_which_spot_is_the_same_for_both() -> None:
    assert [SHORT.facing(point) for point in (1, 6, 24)] == [24, 19, 1]
    assert [CLASSIC.facing(point) for point in (1, 12, 13, 24)] == [13, 24, 1, 12]
    for ruleset in (SHORT, CLASSIC):
        assert all(ruleset.facing(ruleset.facing(point)) == point for point in range(1, 25))


def test_v1_v2_hiding_and_waste() -> None:
    """V1: S2's Caucasian at home, S4's arena everywhere. V2: S3 alone."""
    assert [RULESETS[name].hit_and_hide for name in RULESETS] == [
        "free", "free", "home", "free", "everywhere", "free", "free",
    ]  # fmt: skip
    assert all(ruleset.hitter_may_bear_off for ruleset in RULESETS.values())
    assert [name for name, ruleset in RULESETS.items() if ruleset.least_waste] == ["nardi"]


def test_caucasian_differs_from_short_in_one_rule_only() -> None:
    assert replace(CAUCASIAN, name="short", hit_and_hide=SHORT.hit_and_hide) == SHORT


def test_l2_l3_heads_and_blocks() -> None:
    """L2, L3: classic as the federation plays, table as at home."""
    assert (CLASSIC.head_exception, CLASSIC.block, CLASSIC.block_in_passing) == ("opposing-head", "ahead", False)
    assert (TABLE.head_exception, TABLE.block, TABLE.block_in_passing) == ("always", "home", True)


def test_c4_c6_cubes() -> None:
    """C4, C6: which cube each text has."""
    assert (BACKGAMMON.cube_limit, BACKGAMMON.automatic_doubles, BACKGAMMON.jacoby) == (None, 1, True)
    assert SHORT.cube_limit == 64
    assert (ARENA.beaver, ARENA.cube_with_mars) == (True, False)
    assert not NARDI.cube
    assert not CLASSIC.cube


def test_v6_e1_e2_e3_e5_conduct_at_the_table() -> None:
    """V6: what a dropped die or move leads to is the conduct of E: its settings are the ruleset's."""
    assert BACKGAMMON.dice_half == "right"
    assert {ruleset.dice_half for ruleset in RULESETS.values() if ruleset is not BACKGAMMON} == {"either"}
    assert BACKGAMMON.cup
    assert not changed("short-arena", cup=False).cup  # by hand, if agreed
    assert BACKGAMMON.illegal_play == "corrected"
    assert CLASSIC.illegal_play == ARENA.illegal_play == "opponent-chooses"
    assert ARENA.opponent_ends_turn
    assert not BACKGAMMON.opponent_ends_turn
    assert {ruleset.moves_policy for ruleset in RULESETS.values()} == {"legal"}


def test_t1_t2_clocks() -> None:
    """T1: S3's turn and reserve. T2: delay and bank elsewhere."""
    assert (NARDI.turn_ms, NARDI.reserve_ms, NARDI.time_loss, NARDI.delay_ms) == (11_000, 90_000, 2, 0)
    assert (BACKGAMMON.delay_ms, BACKGAMMON.bank_ms_per_point) == (12_000, 120_000)


@pytest.mark.parametrize("name", list(RULESETS))
def test_a_ruleset_is_a_value(name: str) -> None:
    ruleset = RULESETS[name]
    assert replace(ruleset) == ruleset
    assert hash(replace(ruleset)) == hash(ruleset)
    assert changed(name) == replace(ruleset, name="club")
