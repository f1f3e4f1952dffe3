"""A club's own rulesets: settings changed, and everything refused by name at once."""

import pytest

from nardi.errors import InputError
from nardi.rules import find_ruleset
from nardi.rules.club import rulesets_from_toml
from nardi.rules.ruleset import EndValues, HitAndHide
from nardi.text.message import Message


def refused(text: str) -> list[Message]:
    with pytest.raises(InputError) as caught:
        rulesets_from_toml(text, "club.toml")
    return list(caught.value.messages)


def test_a_club_changes_settings_and_keeps_the_rest() -> None:
    clubs = rulesets_from_toml(
        '[ruleset.thursday]\nbase = "short"\nend_values = "mars"\ncube_limit = 8\n'
        '[ruleset.late]\nbase = "thursday"\nhit_and_hide = "home"\nturn_ms = 15000\n',
        "club.toml",
    )
    thursday, late = find_ruleset("thursday", clubs), find_ruleset("late", clubs)
    assert (thursday.end_values, thursday.cube_limit, thursday.name) == (EndValues.MARS, 8, "thursday")
    assert (late.hit_and_hide, late.cube_limit) == (HitAndHide.HOME, 8)
    assert (late.turn_ms, late.delay_ms, late.bank_ms_per_point) == (15_000, 0, 0)
    assert thursday.is_plain
    assert not late.is_plain
    assert find_ruleset("short", clubs) == find_ruleset("short")


def test_every_fault_of_the_file_is_named_at_once() -> None:
    messages = refused(
        '[ruleset.club]\nbase = "short"\nend_valus = "mars"\ncube_limit = 7\ntriple = "house"\n'
        'cube = "yes"\nhits = false\n'
        '[ruleset.circle]\nbase = "round"\n[ruleset.round]\nbase = "circle"\n[ruleset.short]\nbase = "nardi"\n'
        "[ruleset.bare]\njacoby = true\n"
    )
    named = {
        (message.id, dict(message.parameters).get("setting", dict(message.parameters)["name"])) for message in messages
    }
    assert named == {
        ("ruleset.unknown_setting", "end_valus"),
        ("ruleset.contradiction", "cube_limit"),
        ("ruleset.contradiction", "triple"),
        ("ruleset.bad_value", "cube"),
        ("ruleset.fixed_setting", "hits"),
        ("ruleset.unknown_base", "circle"),
        ("ruleset.unknown_base", "round"),
        ("ruleset.name_taken", "short"),
        ("ruleset.no_base", "bare"),
    }


@pytest.mark.parametrize(
    ("base", "lines", "setting"),
    [
        ("short", "cube = false\nbeaver = true", "beaver"),
        ("short", "hitter_may_bear_off = false", "hitter_may_bear_off"),
        ("short", "block = 'home'", "block"),
        ("long-classic", "hit_and_hide = 'home'", "hit_and_hide"),
        ("long-classic", "end_values = 'koks'", "end_values"),
        ("long-classic", "end_values = 'oin'\ntriple = 'house'", "triple"),
        ("long-classic", "block = 'free'", "block_in_passing"),
        ("nardi", "turn_ms = 9000\ndelay_ms = 12000\nbank_ms_per_point = 60000", "turn_ms"),
        ("nardi", "turn_ms = 0", "reserve_ms"),
        ("short-arena", "jacoby = true", "jacoby"),
    ],
)
def test_contradictions_are_refused_by_name(base: str, lines: str, setting: str) -> None:
    messages = refused(f'[ruleset.club]\nbase = "{base}"\n{lines}\n')
    assert [message.id for message in messages] == ["ruleset.contradiction"]
    assert dict(messages[0].parameters)["setting"] == setting


@pytest.mark.parametrize("base", ["3", "['short']", "{ a = 1 }", "'chess'"])
def test_a_base_that_is_none_is_refused(base: str) -> None:
    (message,) = refused(f"[ruleset.club]\nbase = {base}\n")
    assert message.id == "ruleset.unknown_base"


@pytest.mark.parametrize(
    "line",
    ["cube_limit = 1", "cube_limit = 'many'", "turn_ms = -1", "jacoby = 1", "time_loss = 4", "series_start = 'nobody'"],
)
def test_bad_values_say_what_is_allowed(line: str) -> None:
    (message,) = refused(f'[ruleset.club]\nbase = "short"\n{line}\n')
    assert message.id == "ruleset.bad_value"
    assert dict(message.parameters)["allowed"]


def test_a_limit_can_be_taken_away() -> None:
    (club,) = rulesets_from_toml('[ruleset.c]\nbase = "short"\ncube_limit = "none"\n', "f").values()
    assert club.cube_limit is None


@pytest.mark.parametrize("text", ["[ruleset", "ruleset = 3", "[ruleset]\nclub = 3"])
def test_what_is_no_table_is_refused(text: str) -> None:
    assert refused(text)[0].id in ("ruleset.not_toml", "ruleset.not_a_table")


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(InputError) as caught:
        find_ruleset("gul-bara")
    assert "long-classic" in dict(caught.value.message.parameters)["known"]
