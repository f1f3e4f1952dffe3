"""What the small screen says, phase by phase."""

from dataclasses import replace

import pytest

from nardi.game.clock import ClockRules, Clocks
from nardi.game.difference import Difference
from nardi.game.match import Match, Teach
from nardi.rules import ByColor, Color
from nardi.text.catalogue import languages, load
from nardi.text.message import Message
from nardi.views.gallery import exhibits
from nardi.views.scene import scene
from nardi.views.screen import Foot, Layout, Screen, clock_text, difference_text

EXHIBITS = {exhibit.name: exhibit for exhibit in exhibits()}


def shown(name: str, language: str = "en", **changes: object) -> Screen:
    exhibit = EXHIBITS[name]
    match: Match = replace(exhibit.match, **changes)  # type: ignore[arg-type]  # names are the fields'
    return scene(match, now_ms=exhibit.now_ms, language=language, advice=exhibit.advice, remark=exhibit.remark).screen


def test_whose_turn_and_the_dice() -> None:
    screen = shown("to_play")
    assert (screen.layout, screen.title, screen.side, screen.dice) == (Layout.DICE, "Anahit", Color.WHITE, (5, 3))
    assert screen.lines == ()


def test_a_die_that_is_not_known_is_blank() -> None:
    assert shown("rolling").dice == (0, 5)
    assert shown("opening").dice == (4, 0)
    # CASES 32: a die whose link dropped shows nothing, however it lay before.
    assert shown("rolling", dice=(("w1", "unknown", 3), ("w2", "settled", 5))).dice == (0, 5)
    assert shown("rolling", dice=(("w1", "cocked", 3), ("w2", "settled", 5))).dice == (0, 5)


def test_one_shared_pair_of_dice() -> None:
    assert shown("rolling", dice=(("s1", "settled", 6), ("s2", "rolling", 0))).dice == (6, 0)


def test_no_legal_move_is_said() -> None:
    assert shown("to_play_no_move").lines == ("No legal move",)


def test_the_play_that_stands_and_the_tutor() -> None:
    assert shown("played").lines == ("13/10 13/8",)
    assert shown("to_play_hint").lines == ("13/10 13/8",)
    assert shown("to_play_hint", teach=Teach.LEGAL).lines == ()
    assert shown("to_roll_coach").lines == ("Better was 13/8 13/10",)
    assert shown("to_roll_coach", teach=Teach.HINT).lines == ("Roll",)


def test_what_is_wrong_and_the_way_back() -> None:
    assert shown("illegal").lines == ("Point 19 is closed", "Put it back")
    assert shown("illegal_legal").lines == ("Point 19 is closed", "→ 24/16")
    assert shown("callable").lines == ("Point 19 is closed", "Call it, or roll")
    assert shown("callable").title == "Jonas"
    assert shown("callable_called").lines[1] == "Correct, or let stand?"
    assert (shown("callable_must_correct").title, shown("callable_must_correct").lines[1]) == ("Anahit", "Put it back")


def test_offers_name_who_must_answer_and_the_value() -> None:
    offered = shown("offered")
    assert (offered.title, offered.cube, offered.lines) == ("Jonas", 2, ("Take or pass?",))
    assert shown("offered_64").cube == 64
    assert (shown("beavered").title, shown("beavered").cube) == ("Anahit", 4)
    assert shown("resigning").lines == ("Resigns: gammon. Accept?",)


def test_scores_stop_at_the_match_length() -> None:
    """CASES 13: 209 points are kept, 25 are shown."""
    assert shown("match_over_25").score == ("18", "25")
    assert shown("long_to_play", "lt").foot == Foot("0,5", "", "1,5")


def test_the_foot_holds_clocks_or_score_and_cube() -> None:
    assert shown("to_roll").foot == Foot("3", "to 7", "1")
    assert shown("offered_64").foot == Foot("3", "×32", "1")
    assert shown("to_roll_crawford").foot == Foot("3", "Crawford", "1")
    # 40 s into a turn with a delay of 12 s: 28 s off 9:43.
    assert shown("to_roll_clock").foot == Foot("9:15", "3–1", "6:52", Color.WHITE)


def test_a_paused_clock_stands_and_is_not_marked() -> None:
    """CASES 20."""
    assert shown("paused").foot == Foot("9:43", "3–1", "6:52", None)


def test_clock_texts() -> None:
    assert [clock_text(ms) for ms in (0, 1, 1000, 59_001, 60_000, 3_600_000)] == [
        "0:00", "0:01", "0:01", "1:00", "1:00", "60:00",
    ]  # fmt: skip


def test_a_flag_is_zero_not_less() -> None:
    clocks = Clocks(ClockRules(12_000, 1_000), ByColor(1_000, 1_000), Color.WHITE, since_ms=0)
    assert shown("to_roll", clocks=clocks).foot == Foot("0:00", "3–1", "0:01", Color.WHITE)


def test_faults_take_the_foot_and_say_what() -> None:
    assert shown("to_roll_fault").alert == "Too dark"


def test_players_without_names_are_called_by_colour() -> None:
    assert shown("to_play", players=ByColor("", "")).title == "White"
    assert shown("to_play", "lt", players=ByColor("", "")).title == "Baltieji"


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (Difference(6, (Color.WHITE, 4), (Color.WHITE, 3)), "6: add 1 white"),
        (Difference(6, (None, 0), (Color.BLACK, 2)), "6: take 2 black"),
        (Difference(6, (Color.WHITE, 4), (Color.BLACK, 1)), "6: must be 4 white"),
        (Difference(25, (Color.BLACK, 1), (Color.BLACK, 0)), "Bar: add 1 black"),
        (Difference(0, (Color.WHITE, 0), (Color.WHITE, 1)), "Off: take 1 white"),
    ],
)
def test_differences_in_words(difference: Difference, words: str) -> None:
    assert difference_text(difference, EXHIBITS["to_roll"].match, load("en")).replace("\u00a0", " ") == words


def test_points_are_numbered_from_the_side_on_turn() -> None:
    """CASES 10: White's 19 is Black's 6."""
    difference = Difference(19, (Color.BLACK, 5), (Color.BLACK, 4))
    match = EXHIBITS["to_play_double"].match
    assert difference_text(difference, match, load("en")).startswith("6:")


@pytest.mark.parametrize("language", languages())
def test_every_exhibit_speaks_without_bare_ids(language: str) -> None:
    for exhibit in exhibits():
        screen = scene(
            exhibit.match, now_ms=exhibit.now_ms, language=language, advice=exhibit.advice, remark=exhibit.remark
        ).screen
        for text in (*screen.lines, screen.title, screen.alert):
            assert not any(family in text for family in ("screen.", "rules.", "umpire.", "eye.", "tutor.")), text


def test_short_forms_are_shorter() -> None:
    for language in languages():
        catalogue = load(language)
        for id in catalogue.sentences:
            if id.endswith(".short") and not id.startswith("doctor."):
                long, short = (catalogue.say(Message.of(name)) for name in (id.removesuffix(".short"), id))
                assert len(short) <= len(long), f"{language}: {id}"
