"""Chouette (H): seats, who moves, who pays; every total always sums to zero."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardi.game.chouette import Chouette, box_doubled, box_passed, drawn, ended, may_double_box, seated

NAMES = ("Aram", "Berta", "Charlie", "Dalia")


def started() -> Chouette:
    found = seated(NAMES, [{"Aram": 2, "Berta": 6, "Charlie": 5, "Dalia": 1}])
    assert isinstance(found, Chouette)
    return found


def test_h_the_highest_is_the_box_the_next_the_captain() -> None:
    table = started()
    assert (table.box, table.team) == ("Berta", ("Charlie", "Aram", "Dalia"))


def test_h_ties_are_thrown_again_between_those_concerned() -> None:
    first = {"Aram": 4, "Berta": 6, "Charlie": 4, "Dalia": 6}
    assert seated(NAMES, [first]) == (("Berta", "Dalia"), ("Aram", "Charlie"))
    second = {"Berta": 3, "Dalia": 5, "Aram": 2, "Charlie": 2}
    assert seated(NAMES, [first, second]) == (("Aram", "Charlie"),)
    third = {"Aram": 1, "Charlie": 6}
    found = seated(NAMES, [first, second, third])
    assert isinstance(found, Chouette)
    assert (found.box, *found.team) == ("Dalia", "Berta", "Charlie", "Aram")


def test_h_two_players_are_no_chouette() -> None:
    with pytest.raises(ValueError, match="three or more"):
        seated(NAMES[:2], [])
    with pytest.raises(ValueError, match="three or more"):
        seated(("Aram", "Aram", "Berta"), [])


def test_h_the_team_loses_captain_to_the_end_box_stays() -> None:
    table = ended(started(), box_won=True, points=2)
    assert (table.box, table.team) == ("Berta", ("Aram", "Dalia", "Charlie"))
    assert dict(table.totals) == {"Aram": -2, "Berta": 6, "Charlie": -2, "Dalia": -2}


def test_h_the_team_wins_captain_becomes_the_box() -> None:
    table = ended(started(), box_won=False, points=1)
    assert (table.box, table.team) == ("Charlie", ("Aram", "Dalia", "Berta"))
    assert dict(table.totals) == {"Aram": 1, "Berta": -3, "Charlie": 1, "Dalia": 1}


def test_h_doubling_the_box_must_be_unanimous() -> None:
    refused = may_double_box(started(), {"Charlie", "Aram"})
    assert refused is not None
    assert dict(refused.parameters)["names"] == "Dalia"
    assert may_double_box(started(), {"Charlie", "Aram", "Dalia"}) is None


def test_h_each_takes_or_passes_and_the_next_who_took_captains() -> None:
    table = box_doubled(started(), {"Aram", "Dalia"}, 1)
    assert table.captain == "Aram"
    assert table.total("Charlie") == -1
    assert may_double_box(table, {"Aram", "Dalia"}) is None
    over = ended(table, box_won=False, points=2)
    assert dict(over.totals) == {"Aram": 2, "Berta": -3, "Charlie": -1, "Dalia": 2}
    assert over.box == "Aram"
    assert over.team == ("Charlie", "Dalia", "Berta")
    assert not over.out


def test_h_when_all_pass_the_box_has_won() -> None:
    table = box_doubled(started(), (), 1)
    assert table.captain is None
    over = ended(table, box_won=True, points=2)
    assert dict(over.totals) == {"Aram": -1, "Berta": 3, "Charlie": -1, "Dalia": -1}
    assert (over.box, over.team[-1]) == ("Berta", "Charlie")


def test_h_the_box_passes_and_pays_everyone() -> None:
    table = box_passed(started(), 1)
    assert dict(table.totals) == {"Aram": 1, "Berta": -3, "Charlie": 1, "Dalia": 1}
    assert table.box == "Charlie"


def test_h_a_draw_changes_nothing() -> None:
    table = box_doubled(started(), {"Aram", "Dalia"}, 1)
    assert drawn(table).box == "Berta"
    assert drawn(table).playing == ("Charlie", "Aram", "Dalia")


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 192), st.sets(st.sampled_from(NAMES))), max_size=40))
def test_h_totals_sum_to_zero_and_everybody_keeps_a_seat(games: list[tuple[bool, int, set[str]]]) -> None:
    table = started()
    for box_won, points, takers in games:
        if points % 2:
            table = box_doubled(table, takers, points)
        won = box_won or table.captain is None
        table = ended(table, box_won=won, points=points)
        assert sum(total for _, total in table.totals) == 0
        assert {table.box, *table.team} == set(NAMES)
        assert len(table.team) == 3
