"""The set-up coach: places that are wrong are shown by lights and words until the position stands (CASES 23)."""

import asyncio
from pathlib import Path

import pytest

from nardi.cli.main import main
from nardi.cli.setup import told, wanted
from nardi.config import Config
from nardi.errors import InputError
from nardi.game.difference import Difference
from nardi.game.event import Event
from nardi.game.match import Match, Phase
from nardi.rules import Color, find_ruleset
from nardi.views.legend import OFF, PUT
from nardi.views.scene import Scene
from nardi.wiring import open_set_up

BACKGAMMON = find_ruleset("backgammon")
BEAROFF = "XGID=-BBBBB------------bbbbb---:0:0:1:00:0:0:0:0:10"


def coached(text: str, ruleset: str = "backgammon") -> tuple[list[tuple[Match, Scene]], Match]:
    """Every state that was shown while simulated people laid the position out, and the match at the end."""
    rules = find_ruleset(ruleset)
    position, mover = wanted(text, rules)
    live = open_set_up(Config(eye="sim:board?seed=7&speed=0&empty=1"), rules, position, mover)
    shown: list[tuple[Match, Scene]] = []

    def keep(match: Match, events: tuple[Event, ...], scene: Scene) -> None:
        shown.append((match, scene))
        if match.phase is not Phase.SET_UP:
            live.stop()

    live.shown = keep
    asyncio.run(asyncio.wait_for(live.run(), 30))
    return shown, live.table.match


@pytest.mark.parametrize(("text", "ruleset"), [("start", "backgammon"), (BEAROFF, "short")])
def test_lights_lead_from_an_empty_board_to_the_position(text: str, ruleset: str) -> None:
    shown, match = coached(text, ruleset)
    assert match.phase is Phase.TO_ROLL
    assert not match.lost
    lost = [(match, scene) for match, scene in shown if match.lost]
    assert len(lost) >= 2
    for _, scene in lost:
        # What is missing somewhere is lit there.
        assert any(light == PUT for light in scene.lights) or any(light != OFF for light in scene.lights)
    # It comes nearer: fewer places are wrong at the end than in the beginning.
    assert len(lost[-1][0].lost) < max(len(state.lost) for state, _ in lost)


def test_each_kind_of_difference_has_its_words() -> None:
    none, white, black = (None, 0), (Color.WHITE, 2), (Color.BLACK, 3)
    assert told(Difference(6, white, none)).id == "setup.missing"
    assert told(Difference(6, none, black)).id == "setup.extra"
    assert told(Difference(6, white, black)).id == "setup.colour"
    assert dict(told(Difference(25, none, (Color.BLACK, 1))).parameters)["place"] == "bar"


def test_an_xgid_says_who_is_on_roll() -> None:
    position, mover = wanted("XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10", BACKGAMMON)
    assert (position, mover) == (BACKGAMMON.start, Color.BLACK)
    assert wanted(BACKGAMMON.start.text, BACKGAMMON) == (BACKGAMMON.start, Color.WHITE)
    with pytest.raises(InputError):
        # CASES 9: sixteen of one colour.
        wanted("XGID=-b----F-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", BACKGAMMON)


def test_the_command_tells_place_by_place_and_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[devices]\neye = "sim:board?seed=7&speed=0&empty=1"\n')
    assert main(["--lang", "en", "setup", "start", "--config", str(config)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "The position stands on the board."
    assert any("put 5 more (white)" in line for line in lines)


def test_without_an_eye_nobody_can_tell(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "setup", "start"]) == 2
    assert "no eye" in capsys.readouterr().err
