"""What the 27 lights show: numbering, phases, teaching, and colours that everyone can tell apart."""

from dataclasses import replace
from itertools import combinations

import pytest

from nardi.game.difference import Difference
from nardi.game.match import Phase, Teach
from nardi.rules import Color, LegalPlays, Position, Roll, find_ruleset
from nardi.views.gallery import Exhibit, exhibits
from nardi.views.legend import BAR_LIGHT, DONE, LEGEND, LIGHTS, LOOK, MAY, OFF, PUT, TRAY_LIGHT, TURN, WRONG, Light
from nardi.views.lights import light_of, lights, sources, targets
from nardi.views.scene import scene

EXHIBITS = {exhibit.name: exhibit for exhibit in exhibits()}
BACKGAMMON = find_ruleset("backgammon")
LONG = find_ruleset("long-classic")


def lit(name: str, teach: Teach | None = None) -> dict[int, Light]:
    """The lights of an exhibit that are on: by White's point number, 25 bar, `white` and `black` trays as 26 and 27."""
    exhibit = EXHIBITS[name]
    shown = lights(exhibit.match, teach=exhibit.match.teach if teach is None else teach, advice=exhibit.advice)
    assert len(shown) == LIGHTS
    return {number: light for number, light in enumerate(shown, start=1) if light != OFF}


@pytest.mark.parametrize(
    ("point", "side", "ruleset", "light"),
    [
        (1, Color.WHITE, BACKGAMMON, 0),
        (24, Color.WHITE, BACKGAMMON, 23),
        (1, Color.BLACK, BACKGAMMON, 23),
        (24, Color.BLACK, BACKGAMMON, 0),
        (24, Color.BLACK, LONG, 11),  # Black's head is White's 12
        (1, Color.BLACK, LONG, 12),
        (25, Color.BLACK, BACKGAMMON, BAR_LIGHT),
        (0, Color.WHITE, LONG, TRAY_LIGHT["white"]),
        (0, Color.BLACK, LONG, TRAY_LIGHT["black"]),
    ],
)
def test_lights_are_in_whites_numbering(point: int, side: Color, ruleset: object, light: int) -> None:
    assert light_of(point, side, ruleset) == light  # type: ignore[arg-type]  # parametrised


def test_turn_is_on_the_tray_of_the_player_on_turn() -> None:
    assert lit("to_roll")[26] == TURN
    assert lit("to_play_double") == {27: TURN}


def test_the_last_play_is_shown_until_the_next_roll() -> None:
    # Black played 24/18/14, which is White's 11.
    assert lit("to_roll") == {11: DONE, 26: TURN}


def test_club_play_shows_no_legal_moves() -> None:
    assert lit("to_play", Teach.OFF) == {26: TURN}


def test_legal_sources_and_the_targets_of_a_lifted_checker() -> None:
    assert lit("to_play_legal") == {5: MAY, 6: MAY, 8: MAY, 13: MAY, 24: MAY, 26: TURN}
    # 13/8 and 13/10, and 13/5 with both.
    assert lit("to_play_lifted") == {13: MAY, 10: PUT, 8: PUT, 5: PUT, 26: TURN}


def test_a_hint_is_shown_only_from_hint_on() -> None:
    assert lit("to_play_hint") == {13: MAY, 10: PUT, 8: PUT, 26: TURN}
    assert lit("to_play_hint", Teach.LEGAL) == lit("to_play_legal")
    assert lit("to_play_hint", Teach.OFF) == {26: TURN}


def test_a_play_that_stands_shows_where_it_ended() -> None:
    assert lit("played") == {10: DONE, 8: DONE, 26: TURN}


def test_the_wrong_and_the_way_back() -> None:
    # 24/19 13/10, where only point 19 is closed: red there, amber where that checker came from.
    assert lit("illegal") == {19: WRONG, 24: PUT, 26: TURN}


def test_where_no_move_can_be_blamed_all_of_it_is_shown() -> None:
    match = EXHIBITS["illegal"].match
    assert match.game is not None
    assert match.game.illegality is not None
    vague = replace(match.game, illegality=replace(match.game.illegality, steps=()))
    shown = lights(replace(match, game=vague), teach=Teach.OFF)
    assert {shown[18], shown[9]} == {WRONG}
    assert {shown[23], shown[12]} == {PUT}


def test_an_illegal_play_is_shown_to_the_side_that_can_call_it() -> None:
    assert lit("callable") == {19: WRONG, 24: PUT, 27: TURN}
    assert lit("callable_called") == lit("callable")
    # Once it must be put right, it is its player's turn again.
    assert lit("callable_must_correct") == lit("illegal")


def test_offers_light_the_bar_and_the_tray_of_who_must_answer() -> None:
    assert lit("offered") == {25: LOOK, 27: TURN}
    assert lit("beavered") == {25: LOOK, 26: TURN}
    assert lit("resigning") == {25: LOOK, 26: TURN}


def test_lost_track_shows_missing_and_extra_and_wrong_colour() -> None:
    assert lit("lost") == {6: PUT, 5: WRONG, 25: WRONG}
    assert lit("set_up_coach") == {13: PUT, 19: LOOK, 2: WRONG}


def test_borne_off_differences_light_the_right_tray() -> None:
    match = replace(EXHIBITS["lost"].match, lost=(Difference(0, (Color.BLACK, 3), (Color.BLACK, 1)),))
    assert lights(match, teach=Teach.OFF)[TRAY_LIGHT["black"]] == PUT


def test_the_winner_and_a_draw() -> None:
    assert lit("game_over") == {26: DONE}
    assert lit("game_over_drawn") == {26: DONE, 27: DONE}
    assert lit("match_over_25") == {27: DONE}


@pytest.mark.parametrize("name", ["paused", "welcome", "set_up"])
def test_dark_phases(name: str) -> None:
    assert lit(name) == {}


def test_long_nardi_opening_double_lights_the_head_only() -> None:
    assert lit("long_to_play") == {24: MAY, 26: TURN}


def test_targets_off_the_board_and_from_the_bar() -> None:
    # U: two checkers on 5 and 2, roll 4-2: 5/3/off is 5 to off with both numbers; or 5/1.
    position = Position.from_text("d0100100000000000000000000/0000000000000000000000000f", BACKGAMMON)
    legal = LegalPlays(position, Roll(4, 2), BACKGAMMON)
    assert sources(position, legal) == (5, 2)
    assert targets(5, position, Roll(4, 2), legal) == (1, 0)
    assert targets(2, position, Roll(4, 2), legal) == (0,)
    entering = Position.from_text("00000050300005000000000011/00000050300005000000000020", BACKGAMMON)
    legal = LegalPlays(entering, Roll(6, 1), BACKGAMMON)
    # The 6 is closed to a checker on the bar; one that entered with the 1 may go on with it.
    assert sources(entering, legal)[0] == 25
    assert targets(25, entering, Roll(6, 1), legal) == (24, 18)


# --- colours --------------------------------------------------------------------------------------------------------

# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
BLINDNESS = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def lab(light: Light, blindness: str) -> tuple[float, float, float]:
    """CIE L*a*b* of a light as an eye with that blindness sees it. LEDs are linear in their values."""
    linear = [channel / 255 for channel in light]
    seen = [max(0.0, min(1.0, sum(m * c for m, c in zip(row, linear, strict=True)))) for row in BLINDNESS[blindness]]
    red, green, blue = seen
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (c ** (1 / 3) if c > 0.008856 else 7.787 * c + 16 / 116 for c in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_meanings_stay_apart_for_colour_blind_people(blindness: str) -> None:
    """Delta E of 20 is a plain difference side by side; 2 is just noticeable."""
    meanings = {**dict(LEGEND), "off": OFF}
    for (one, a), (other, b) in combinations(meanings.items(), 2):
        distance = sum((p - q) ** 2 for p, q in zip(lab(a, blindness), lab(b, blindness), strict=True)) ** 0.5
        assert distance >= 20, f"{one} and {other}: {distance:.1f}"


def test_every_light_is_of_the_legend() -> None:
    known = {light for _, light in LEGEND} | {OFF}
    for exhibit in exhibits():
        for teach in Teach:
            assert set(lights(exhibit.match, teach=teach, advice=exhibit.advice)) <= known


def _current_ma(shown: tuple[Light, ...]) -> float:
    """As hardware/node.toml reckons: 20 mA a channel at 255, 1 mA idle a LED; 28 LEDs at most share 27 lights."""
    return sum(channel for light in shown for channel in light) / 255 * 20 + len(shown)


def test_no_scene_needs_dimming() -> None:
    """CASES 36: what is really shown stays under the budget of 400 mA, so that brightness never jumps."""
    heaviest = max(exhibits(), key=lambda exhibit: _current_ma(lights(exhibit.match, teach=Teach.COACH)))
    assert _current_ma(lights(heaviest.match, teach=Teach.COACH)) < 200


# --- the whole scene ------------------------------------------------------------------------------------------------


def test_a_scene_speaks_the_language_of_who_is_asked() -> None:
    from nardi.rules import ByColor

    spoken = ByColor("hy", "lt")
    assert scene(EXHIBITS["offered"].match, now_ms=0, language=spoken).screen.language == "lt"
    assert scene(EXHIBITS["offered_64"].match, now_ms=0, language=spoken).screen.language == "hy"
    assert scene(EXHIBITS["to_roll"].match, now_ms=0, language=spoken).screen.language == "hy"
    assert scene(EXHIBITS["callable"].match, now_ms=0, language=spoken).screen.language == "lt"


def test_only_something_wrong_buzzes() -> None:
    buzzing = {exhibit.name for exhibit in exhibits() if scene(exhibit.match, now_ms=0).buzz}
    assert buzzing == {
        "illegal",
        "illegal_legal",
        "callable",
        "callable_called",
        "callable_must_correct",
        "lost",
        "lost_one",
    }


def test_the_gallery_shows_every_phase() -> None:
    assert {exhibit.match.phase for exhibit in exhibits()} == set(Phase)


def test_exhibits_are_named_once() -> None:
    names = [exhibit.name for exhibit in exhibits()]
    assert len(names) == len(set(names))
    assert all(isinstance(exhibit, Exhibit) for exhibit in exhibits())
