"""The legal plays: fixtures, an independent oracle, other engines, and the laws that hold everywhere."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from nardi.rules import RULESETS, LegalPlays, Play, Position, Roll, Ruleset, Step, find_ruleset
from nardi.rules.plain import plain_ends
from nardi.rules.ruleset import HitAndHide
from nardi.rules.search import search
from rules.boards import NAMES, STRANGE, walk
from rules.oracle import ends as oracle_ends

SHARED = Path(__file__).parents[3] / "shared" / "fixtures" / "plays"
OWN = Path(__file__).parents[1] / "fixtures" / "rules" / "plays.jsonl"
BACKGAMMON = find_ruleset("backgammon")


def rows(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def question(row: dict[str, Any]) -> LegalPlays:
    ruleset = find_ruleset(row["ruleset"])
    return LegalPlays(Position.from_text(row["position"], ruleset), Roll(*row["dice"]), ruleset, row["first_turn"])


def answers(file: Path) -> None:
    wrong = [row for row in rows(file) if sorted(end.text for end in question(row).ends) != row["ends"]]
    assert not wrong, f"{len(wrong)} wrong, the first: {wrong[0]}"


def test_fixtures_kept_here_are_right() -> None:
    answers(OWN)


@pytest.mark.parametrize("name", NAMES)
def test_every_shared_fixture_is_right(name: str) -> None:
    file = SHARED / f"{name}.jsonl"
    if not file.exists():
        pytest.skip(f"the shared fixtures ({file.name}) are not beside this checkout")
    answers(file)


@pytest.mark.parametrize("name", NAMES)
def test_fixtures_explain_themselves_as_plays(name: str) -> None:
    """Each play's steps lead from before to after, and `in`, `by_result` and `len` agree with the ends."""
    for row in rows(OWN):
        if row["ruleset"] != name:
            continue
        legal = question(row)
        assert len(legal) == len(row["ends"]) == len(legal.ends)
        assert {play.after for play in legal} == set(legal.ends)
        for play in legal:
            assert played(play.before, play.steps, legal.ruleset) == play.after
            assert play in legal
            assert play.after in legal
            assert legal.by_result(play.after) == play
        assert bool(legal) == any(play.steps for play in legal)


def played(before: Position, steps: tuple[Step, ...], ruleset: Ruleset) -> Position:
    """The board after the steps, one by one; a step must find its checker and hit exactly where it says."""
    mine, theirs = list(before.mine), list(before.theirs)
    for step in steps:
        assert mine[step.source] > 0
        assert not mine[25] or step.source == 25
        mine[step.source] -= 1
        mine[step.target] += 1
        facing = ruleset.facing(step.target) if step.target else 0
        assert step.hits == bool(step.target and theirs[facing])
        if step.hits:
            assert theirs[facing] == 1
            theirs[facing] -= 1
            theirs[25] += 1
    return Position(tuple(mine), tuple(theirs))


@pytest.mark.parametrize("name", NAMES)
def test_oracle_agrees_on_positions_of_play(name: str) -> None:
    """R1-R9, V1, V2, L1-L4 as the oracle reads them."""
    ruleset = find_ruleset(name)
    for position, roll, first_turn in walk(ruleset, seed=1, count=120):
        found = {end.text for end in LegalPlays(position, roll, ruleset, first_turn).ends}
        assert found == oracle_ends(position, roll, ruleset, first_turn), (position.text, roll)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(STRANGE)
def test_oracle_agrees_on_strange_positions(case: tuple[Ruleset, Position, Roll]) -> None:
    ruleset, position, roll = case
    assert {end.text for end in LegalPlays(position, roll, ruleset).ends} == oracle_ends(position, roll, ruleset)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(STRANGE)
def test_oracle_agrees_where_a_hitter_may_not_bear_off(case: tuple[Ruleset, Position, Roll]) -> None:
    """V1 with `hitter_may_bear_off` off."""
    ruleset, position, roll = case
    if not ruleset.hits:
        return
    strict = replace(ruleset, hit_and_hide=HitAndHide.EVERYWHERE, hitter_may_bear_off=False)
    assert {end.text for end in LegalPlays(position, roll, strict).ends} == oracle_ends(position, roll, strict)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(STRANGE)
def test_fast_and_complete_generator_agree(case: tuple[Ruleset, Position, Roll]) -> None:
    _, position, roll = case
    if position.mine[25] and not BACKGAMMON.hits:
        return
    fast = plain_ends(position.key, roll.a, roll.b)
    assert len(fast) == len(set(fast))
    complete = search(position.key, roll.a, roll.b, BACKGAMMON, False) or {position.key: ()}
    assert set(fast) == set(complete)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(STRANGE)
def test_laws_of_every_turn(case: tuple[Ruleset, Position, Roll]) -> None:
    """R6: every legal play uses as many numbers. Checkers are conserved; the order of the dice does not matter."""
    ruleset, position, roll = case
    legal = LegalPlays(position, roll, ruleset)
    assert len({len(play.steps) for play in legal}) == 1
    for end in legal.ends:
        assert sum(end.mine) == sum(end.theirs) == 15
        assert end.theirs[0] == position.theirs[0]
    assert set(legal.ends) == set(LegalPlays(position, Roll(roll.b, roll.a), ruleset).ends)
    if not ruleset.hits:
        assert all(end.theirs == position.theirs for end in legal.ends)


@pytest.mark.slow
def test_agrees_with_bgsage_on_20000_positions() -> None:
    bgsage = pytest.importorskip("bgsage", reason="bgsage has wheels for x86-64 only")
    last_checker_goes = 0
    for position, roll, _ in walk(BACKGAMMON, seed=5, count=20_000):
        board = list(position.mine)
        board[0] = position.theirs[25]
        for point in range(1, 25):
            board[25 - point] -= position.theirs[point]
        theirs = {tuple(row[1:]) for row in bgsage.possible_moves(board, roll.a, roll.b)} or {tuple(board[1:])}
        ours = set()
        for end in LegalPlays(position, roll, BACKGAMMON).ends:
            row = list(end.mine)
            for point in range(1, 25):
                row[25 - point] -= end.theirs[point]
            ours.add(tuple(row[1:]))
        # bgsage lets the last checker go with one number although both could be played (2/1*/off): R6 does not.
        if theirs - ours and all(max(end) <= 0 for end in theirs - ours):
            theirs = {end for end in theirs if end in ours}
            last_checker_goes += 1
        assert ours == theirs, (position.text, roll)
    assert last_checker_goes < 20


@pytest.mark.slow
def test_agrees_with_gvformat_on_2000_positions() -> None:
    legality = pytest.importorskip("gvformat.legality", reason="gammonview is not installed")
    for position, roll, _ in walk(BACKGAMMON, seed=6, count=2_000):
        theirs = [0, *(position.theirs[25 - point] for point in range(1, 25)), position.theirs[25]]
        plays, _ = legality.legal_plays(list(position.mine), theirs, roll.a, roll.b)
        found = set()
        for play in plays or {()}:
            row = list(position.mine)
            for source, target in play:
                row[source] -= 1
                row[max(0, target)] += 1
            found.add(tuple(row))
        assert {end.mine for end in LegalPlays(position, roll, BACKGAMMON).ends} == found, (position.text, roll)


def test_truth_and_no_play() -> None:
    """R8: nothing to play is one play of no steps, and false."""
    shut_out = Position.from_text("00000050300005000000000011/00222222000000000000000003", BACKGAMMON).flipped.flipped
    legal = LegalPlays(shut_out, Roll(6, 6), BACKGAMMON)
    assert not legal
    assert len(legal) == 1
    assert legal.is_forced
    assert legal.ends == (shut_out,)
    assert [play.steps for play in legal] == [()]
    assert [play.notation for play in legal] == [""]
    assert Play((), shut_out, shut_out) in legal


def test_a_play_from_elsewhere_is_not_in() -> None:
    legal = LegalPlays(BACKGAMMON.start, Roll(3, 1), BACKGAMMON)
    play = next(iter(legal))
    assert play in legal
    assert Play(play.steps, play.before.flipped, play.after) not in legal or play.before == play.before.flipped
    assert "8/5 6/5" not in legal
    assert BACKGAMMON.start not in legal


def test_plays_read_well() -> None:
    """The farthest checker first, one word a checker, halts only where it hit."""
    notations = {play.notation for play in LegalPlays(BACKGAMMON.start, Roll(6, 1), BACKGAMMON)}
    assert "13/7 8/7" in notations
    assert "24/23 13/7" in notations
    assert "13/6" in notations
    doubles = {play.notation for play in LegalPlays(BACKGAMMON.start, Roll(1, 1), BACKGAMMON)}
    assert "8/7(2) 6/5(2)" in doubles
    assert "24/22 6/5(2)" in doubles


def test_seven_rulesets_are_values() -> None:
    assert tuple(RULESETS) == NAMES
    assert all(name == ruleset.name for name, ruleset in RULESETS.items())
    assert len({*RULESETS.values()}) == 7
