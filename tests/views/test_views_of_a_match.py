"""Whole simulated matches, looked at in every moment: the scene, the screen, the terminal and the page at the end."""

import io
from contextlib import suppress
from itertools import cycle

import pytest
from rich.console import Console

from nardi.devices.simulator.people import Stuck
from nardi.game.match import Phase, Teach
from nardi.game.record import match_record
from nardi.game.umpire import begun
from nardi.rules import ByColor, find_ruleset
from nardi.simulation import SEATING, Simulation
from nardi.text.catalogue import languages
from nardi.views.diagram import match_diagram
from nardi.views.legend import LEGEND, LIGHTS, OFF
from nardi.views.lights import addressed
from nardi.views.match_page import match_page
from nardi.views.paint import page_bytes, paint
from nardi.views.scene import scene
from nardi.views.terminal import render

KNOWN = {light for _, light in LEGEND} | {OFF}
WAITING = (Phase.SET_UP, Phase.OPENING, Phase.GAME_OVER, Phase.MATCH_OVER)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["backgammon", "nardi", "short-arena", "long-classic"])
def test_a_match_is_shown_in_every_moment(name: str) -> None:
    simulation = Simulation(begun(find_ruleset(name), 1, ByColor("Ani", "Jonas"), 0, seating=SEATING), 5)
    teaching, speaking = cycle(Teach), cycle(languages())
    seen: set[Phase] = set()
    pictures: set[bytes] = set()
    moments = 0
    # What stops a simulated person is told by the simulator's own tests; all up to there is looked at here.
    with suppress(Stuck):
        for moment in simulation.moments():
            if not moment.events:
                continue
            moments += 1
            language, match = next(speaking), moment.match
            shown = scene(match, now_ms=moment.happening.t_ms if hasattr(moment.happening, "t_ms") else 0,
                          language=language, teach=next(teaching))  # fmt: skip
            assert len(shown.lights) == LIGHTS
            assert set(shown.lights) <= KNOWN
            assert match.phase in WAITING or addressed(match) is not None or match.game is None
            pictures.add(page_bytes(paint(shown.screen)))
            texts = (*shown.screen.lines, shown.screen.title, shown.screen.alert)
            assert not any("umpire." in text or "screen." in text or "rules." in text for text in texts), texts
            if moments % 40 == 0 and match.game is not None:
                console = Console(width=100, file=io.StringIO(), record=True, force_terminal=True)
                console.print(render(match, shown, language, caption="x"))
                assert len(console.export_text().splitlines()) <= 35
                assert match_diagram(match, lights=shown.lights).startswith("<svg")
            seen.add(match.phase)
    assert moments > 50
    assert {Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY, Phase.PLAYED} <= seen
    assert len(pictures) > 20
    page = match_page(match_record(simulation.table.match), "hy")
    assert page.count('class="board"') == page.count('data-to="')
