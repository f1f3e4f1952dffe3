"""Position text, GNU ids, XGID and OGID: both ways, with vectors others agree on, and refusals with their reason."""

import random

import pytest
from hypothesis import given, settings

from nardi.errors import InputError
from nardi.rules import ByColor, Color, LegalPlays, Position, Roll, Ruleset, Setup, find_ruleset, position_of
from nardi.rules.notation.gnu import (
    gnubg_id,
    match_id,
    position_id,
    position_of_id,
    situation_of_gnubg_id,
    situation_of_id,
)
from nardi.rules.notation.ogid import ogid, situation_of_ogid
from nardi.rules.notation.situation import Situation
from nardi.rules.notation.words import read_play
from nardi.rules.notation.xgid import situation_of_xgid, xgid
from nardi.rules.position import Fault, Faults
from rules.boards import STRANGE, walk

BACKGAMMON = find_ruleset("backgammon")
START = BACKGAMMON.start


@settings(max_examples=200, deadline=None, derandomize=True)
@given(STRANGE)
def test_every_notation_reads_what_it_writes(case: tuple[Ruleset, Position, Roll]) -> None:
    ruleset, position, roll = case
    if isinstance(position_of(Setup(position.mine, position.theirs), ruleset), Faults):
        return
    assert Position.from_text(position.text, ruleset) == position
    assert eval(repr(position), {"Position": Position}) == position
    if not ruleset.hits:
        return
    assert position_of_id(position_id(position)) == position
    for color in Color:
        moment = Situation(position, color, roll.sorted, 4, color.other, False, 0, 7, ByColor(6, 2), True)
        assert situation_of_xgid(xgid(moment)) == moment
        assert situation_of_gnubg_id(gnubg_id(moment)) == moment
        low_first = Situation(position, color, Roll(roll.low, roll.high), 2, None, False, 0, 5, ByColor(1, 3))
        assert situation_of_ogid(ogid(low_first)) == low_first
        offered = Situation(position, color, None, 2, color, True, 0, 5, ByColor(1, 3))
        assert situation_of_xgid(xgid(offered)) == situation_of_gnubg_id(gnubg_id(offered)) == offered
        assert situation_of_ogid(ogid(offered)) == offered


def test_position_ids_of_others() -> None:
    assert position_id(START) == "4HPwATDgc/ABMA"
    after_42 = next(p for p in _ends(4, 2) if p.mine[4] == 2 and p.mine[6] == 4)
    assert position_id(after_42.flipped) == "mGfwATDgc/ABMA"


def _ends(a: int, b: int) -> tuple[Position, ...]:
    return LegalPlays(START, Roll(a, b), BACKGAMMON).ends


def test_match_ids_of_others() -> None:
    moment = situation_of_id("QYkqASAAIAAA", START)
    assert (moment.cube, moment.cube_owner, moment.on_roll) == (2, Color.BLACK, Color.WHITE)
    assert moment.roll is not None
    assert (moment.roll.text, moment.length, moment.score) == ("52", 9, ByColor(4, 2))
    crawford = situation_of_id("8IhuACAACAAE", START)
    assert (crawford.crawford, crawford.length, crawford.score) == (True, 3, ByColor(1, 2))
    resigned = situation_of_id("UUFgAAAAAAAE", START)
    assert (resigned.resigned, resigned.cube, resigned.length) == (2, 2, 3)
    assert match_id(resigned) == "UUFgAAAAAAAE"


def test_xgid_agrees_with_gnubg_ids() -> None:
    moment = situation_of_xgid("XGID=-aa---EBB---dDa--c-e----B-:0:0:1:16:0:0:3:0:8")
    assert (moment.jacoby, moment.beaver) == (True, True)
    assert gnubg_id(moment) == "4HPkASjg2+ABMA:cAkHAAAAAAAA"


@pytest.mark.parametrize(
    ("places", "pips"),
    [
        ("-b----E-C---eE---c-e----B-", (167, 167)),
        ("----abF-B--BbB-Bacbd----A-", (154, 158)),
        ("-bb---D-C---dD---c-d---BB-", (194, 194)),
    ],
)
def test_xgid_pips(places: str, pips: tuple[int, int]) -> None:
    position = situation_of_xgid(f"XGID={places}:0:0:1:00").position
    assert (position.pips, position.their_pips) == pips


def test_ogid_start_and_who_reached_it() -> None:
    text = "11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0"
    moment = situation_of_ogid(text)
    assert moment.position == START
    assert moment.on_roll is Color.BLACK  # White reached it
    assert ogid(moment) == text.removesuffix(":0")


PLACES = "-b----E-C---eE---c-e----B-"


@pytest.mark.parametrize(
    ("text", "id"),
    [
        (f"XGID={PLACES}-:0:0:1:00:0:0:0:0:10", "bad_length"),
        (f"XGID={PLACES[:-2]}Q-:0:0:1:00:0:0:0:0:10", "bad_place"),
        (f"XGID={PLACES[:-2]}C-:0:0:1:00:0:0:0:0:10", "too_many"),
        (f"XGID={PLACES}:0:2:1:00:0:0:0:0:10", "bad_cube_owner"),
        (f"XGID={PLACES}:0:0:0:00:0:0:0:0:10", "bad_turn"),
        (f"XGID={PLACES}:0:0:1:70:0:0:0:0:10", "bad_dice"),
        (f"XGID={PLACES}:0:0:1:00:5:0:0:5:10", "bad_score"),
        (f"XGID={PLACES}:0:0:1:00:3:0:1:5:10", "no_crawford_game"),
        (f"XGID={PLACES}:0:0:1:00:4:4:1:5:10", "no_crawford_game"),  # at 4-4 it is over
        (f"XGID={PLACES}:0:0:1:6-1:0:0:0:0:10", "bad_dice"),
        (f"XGID={PLACES}:x:0:1:00:0:0:0:0:10", "bad_number"),
        (f"XGID={PLACES}:0:0:1:00:0:0:0:0:x", "bad_number"),
        (f"XGID={PLACES}:0:0:1:00:0:0:4:0:10", "bad_number"),
        (f"XGID={PLACES}:0:0:1:00:0:0:0:{'9' * 5000}:10", "bad_number"),
        ("XGID=", "bad_fields"),
    ],
)
def test_a_wrong_xgid_is_refused_with_the_reason(text: str, id: str) -> None:
    with pytest.raises(InputError) as caught:
        situation_of_xgid(text)
    assert caught.value.message.id == f"notation.{id}"


SIXTEEN = position_id(Position((0, 8, 6, *[0] * 23), (0, 8, 8, *[0] * 23)))


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("4HPwATDgc/ABM", "bad_length"),
        ("4HPwATDgc/AB!A", "not_base64"),
        ("4HPwATDgc/ABMé", "not_base64"),
        (SIXTEEN, "too_many"),
        ("4HPwATDgc/ABMB", "bits_left"),
        ("4HPwATDgc/ABMA:cAkHAAAAAAA", "bad_length"),
        ("4HPwATDgc/ABMA:cAkHAAAAAAAI", "bits_left"),
    ],
)
def test_a_wrong_gnubg_id_is_refused_with_the_reason(text: str, id: str) -> None:
    with pytest.raises(InputError) as caught:
        situation_of_gnubg_id(text)
    assert caught.value.message.id == f"notation.{id}"


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0", "bad_fields"),
        ("11ccccchhhjjjjjj:66666888dddddoo:N0N::W:IW:0:0:1", "too_many"),
        ("11ccccchhhjjjj!:66666888dddddoo:N0N::W:IW:0:0:1", "bad_place"),
        ("11ccccchhhjjjjj:66666888dddddoo:Q0N::W:IW:0:0:1", "bad_cube"),
        ("11ccccchhhjjjjj:66666888dddddoo:N0N::X:IW:0:0:1", "bad_turn"),
        ("11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:3:0:3", "bad_score"),
        ("11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:7C", "no_crawford_game"),
        ("11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:7L", "no_crawford_game"),
        ("11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:5CL", "bad_number"),
        ("11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:5:3:16", "bad_number"),
    ],
)
def test_a_wrong_ogid_is_refused_with_the_reason(text: str, id: str) -> None:
    with pytest.raises(InputError) as caught:
        situation_of_ogid(text)
    assert caught.value.message.id == f"notation.{id}"


def test_ids_have_no_arithmetic_cube() -> None:
    """C5: 3 is no power of two; it is refused, not written as another value."""
    tripled = Situation(START, cube=3)
    for write in (xgid, ogid, gnubg_id):
        with pytest.raises(InputError) as caught:
            write(tripled)
        assert caught.value.message.id == "notation.bad_cube"


@pytest.mark.parametrize(
    "text",
    [
        f"XGID={PLACES}:1:-1:1:31:6:2:1:7:10",
        "11ccccchhhjjjjj:66666888dddddoo:N0N:24:W:IW:6:0:7C",
        "4HPwATDgc/ABMA:QYkqASAAIAAA",
    ],
)
def test_garbled_ids_are_refused_or_read_never_a_crash(text: str) -> None:
    chance = random.Random(6)
    for _ in range(1000):
        letters = list(text)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(letters))
            letters[at : at + chance.randint(0, 2)] = chance.choice("-AaBp09:XGID=NOWh/+é½ ")
        for read in (situation_of_xgid, situation_of_ogid, situation_of_gnubg_id):
            try:
                read("".join(letters))
            except InputError as error:
                assert error.messages


def test_a_setup_reports_all_its_faults_as_flags() -> None:
    mine = [0] * 26
    theirs = [0] * 26
    mine[6], mine[5], mine[25] = 17, -1, 1
    theirs[19], theirs[25] = 3, 1
    found = position_of(Setup(tuple(mine), tuple(theirs)), find_ruleset("backgammon"))
    assert isinstance(found, Faults)
    assert found.flags == Fault.MINE_TOO_MANY | Fault.NEGATIVE | Fault.THEIRS_TOO_FEW | Fault.SHARED_POINT
    assert len(found.messages) == 4
    long = position_of(Setup(tuple(mine), tuple(theirs)), find_ruleset("long-table"))
    assert isinstance(long, Faults)
    assert Fault.BAR_IN_USE in long.flags


def test_both_shut_out_or_both_done_is_no_position() -> None:
    closed = (0, *[2] * 6, *[0] * 18, 3)
    found = position_of(Setup(closed, closed), BACKGAMMON)
    assert isinstance(found, Faults)
    assert found.flags == Fault.BOTH_BLOCKED
    done = (15, *[0] * 25)
    both = position_of(Setup(done, done), BACKGAMMON)
    assert isinstance(both, Faults)
    assert both.flags == Fault.BOTH_OFF


@pytest.mark.parametrize(
    "text", ["", "0/0", START.text.upper() + " ", START.text.replace("/", ""), "g" * 26 + "/" + "0" * 26]
)
def test_text_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Position.from_text(text, BACKGAMMON)


def test_text_round_trips_over_games() -> None:
    for name in ("backgammon", "long-table"):
        ruleset = find_ruleset(name)
        for position, _, _ in walk(ruleset, seed=3, count=200):
            assert Position.from_text(position.text, ruleset) == position


@pytest.mark.parametrize(("a", "b"), [(0, 1), (7, 1), (1, 1.5)])
def test_a_roll_is_one_to_six(a: int, b: float) -> None:
    with pytest.raises(ValueError, match="1 to 6"):
        Roll(a, b)  # type: ignore[arg-type]


def test_rolls_are_kept_as_thrown() -> None:
    roll = Roll(2, 6)
    assert (roll.high, roll.low, roll.text, tuple(roll), roll.sorted) == (6, 2, "26", (2, 6), Roll(6, 2))
    assert roll != Roll(6, 2)
    assert roll.same_as(Roll(6, 2))
    assert Roll(3, 3).numbers == (3, 3, 3, 3)
    assert Roll.from_text("4-2") == Roll(4, 2)


@pytest.mark.parametrize("name", ["backgammon", "short-arena", "nardi", "long-classic"])
def test_every_play_written_is_read_back(name: str) -> None:
    """Written strictly, read again: the same play; without stars too, where they alone do not tell plays apart."""
    ruleset = find_ruleset(name)
    for position, roll, first_turn in walk(ruleset, seed=12, count=12):
        legal = LegalPlays(position, roll, ruleset, first_turn)
        plain = [play.notation.replace("*", "") for play in legal]
        assert len({play.notation for play in legal}) == len(legal)
        for play in legal:
            assert read_play(play.notation, position, roll, ruleset, first_turn) == play
            bare = play.notation.replace("*", "")
            if plain.count(bare) == 1:
                assert read_play(bare.upper(), position, roll, ruleset, first_turn) == play
