"""Perft of every ruleset against tables; where one disagrees, the rolls that do are named."""

import json
from pathlib import Path

import pytest

from nardi.rules import Position, find_ruleset
from nardi.rules.perft import divide, perft
from nardi.rules.roll import ALL_ROLLS
from rules.boards import NAMES
from rules.oracle import ends as oracle_ends

TABLES = json.loads((Path(__file__).parents[1] / "fixtures" / "rules" / "perft.json").read_text())

# Agreed by public engines: distinct end positions of the opening by roll.
OPENING = {
    "11": 42, "21": 15, "22": 75, "31": 16, "32": 17, "33": 73, "41": 14, "42": 18, "43": 17, "44": 52, "51": 8,
    "52": 8, "53": 9, "54": 9, "55": 4, "61": 10, "62": 14, "63": 14, "64": 14, "65": 7, "66": 11,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_perft_as_in_the_table(name: str) -> None:
    ruleset = find_ruleset(name)
    table = TABLES[name]
    # A ply of many millions is for `nardi perft`: it takes the better part of a minute.
    plies = [row for row in table["plies"] if row[1] < 1_000_000]
    found = [[ply.positions, ply.ends, ply.with_repeats] for ply in perft(ruleset, len(plies))]
    if found != plies:
        by_roll = {roll.text: count for roll, count in divide(ruleset, 2)}
        differing = {text: (count, by_roll[text]) for text, count in table["divide"].items() if by_roll[text] != count}
        pytest.fail(f"{name}: {found} instead of {plies}; by first roll (table, found): {differing}")


def test_backgammon_as_public_engines_count_it() -> None:
    backgammon = find_ruleset("backgammon")
    assert {roll.text: count for roll, count in divide(backgammon, 1)} == OPENING
    first, second = perft(backgammon, 2)
    assert (first.ends, second.positions, second.ends, second.with_repeats) == (447, 406, 183_632, 202_782)


def test_long_nardi_opens_with_one_play_but_for_threes() -> None:
    """L2: 22 over the 21 rolls, as only 3-3 has two."""
    counts = {roll.text: count for roll, count in divide(find_ruleset("long-classic"), 1)}
    assert counts.pop("33") == 2
    assert set(counts.values()) == {1}


@pytest.mark.parametrize("name", ["long-classic", "long-table", "short-arena"])
def test_the_oracle_counts_the_same_first_plies(name: str) -> None:
    """The tables themselves are proved by the independent generator as far as it can go in a second or two."""
    ruleset = find_ruleset(name)
    level = {ruleset.start.text}
    for ply in range(2 if not ruleset.hits else 1):
        following: set[str] = set()
        total = 0
        for text in level:
            for roll in ALL_ROLLS:
                found = oracle_ends(Position.from_text(text, ruleset), roll, ruleset, True)
                total += len(found)
                following |= {"/".join(reversed(end.split("/"))) for end in found}
        assert TABLES[name]["plies"][ply][:2] == [len(level), total]
        level = following
