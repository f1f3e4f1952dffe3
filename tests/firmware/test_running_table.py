"""The running table with a real display node: the real firmware in a real MicroPython, its buttons and its plug."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from microcontroller import Cable, Microcontroller, needs_micropython
from node_host import SERIAL_NUMBER, until
from test_match import glass
from test_node import PINS, strip_of, visible

from nardi.devices.display_node import NodeDisplay
from nardi.devices.node import Button
from nardi.devices.serial_line import Port
from nardi.game.event import Doubled, Event, FaultCleared, FaultNoted
from nardi.game.match import Match, Phase
from nardi.game.observation import Command, Verb
from nardi.game.umpire import begun
from nardi.live import Devices, LiveTable, SteadyClock
from nardi.rules import ByColor, Color, find_ruleset
from nardi.table import Table
from nardi.views.light_places import in_image_order
from nardi.views.paint import paint
from nardi.views.scene import Scene

pytestmark = [needs_micropython, pytest.mark.slow]

Boot = Callable[..., Microcontroller]
Lay = Callable[[Microcontroller], Cable]


class Running:
    """A table running in a thread, with one node for its display."""

    def __init__(self, node: Microcontroller, cable: Cable) -> None:
        self.node = node
        self.events: list[Event] = []
        self.scene: Scene | None = None
        clock = SteadyClock()
        beginning = begun(find_ruleset("backgammon"), 5, ByColor("Ani", "Jonas"), clock.now_ms(), dice="hand")
        self.live = LiveTable(Table.begun(beginning), Devices(), clock, ByColor("hy", "lt"))
        self.live.devices.displays = (
            NodeDisplay(
                f"serial:?serial_number={SERIAL_NUMBER}",
                clock,
                lambda: None,
                ports=lambda: [Port(cable.path, SERIAL_NUMBER, "2E8A:0005")] if cable.path else [],
            ),
        )
        self.live.shown = self._shown
        self.thread = threading.Thread(target=lambda: asyncio.run(self.live.run()), daemon=True)
        self.thread.start()

    def _shown(self, match: Match, events: tuple[Event, ...], scene: Scene) -> None:
        self.events += events
        self.scene = scene

    @property
    def match(self) -> Match:
        return self.live.table.match

    def say(self, verb: Verb, argument: str = "") -> None:
        self.live.post(Command(self.live.clock.now_ms(), "referee", verb, argument))

    def push(self, button: Button, seconds: float = 0.1) -> None:
        self.node.press(PINS[button], True)
        until(lambda: False, seconds)
        self.node.press(PINS[button], False)
        until(lambda: False, 0.1)

    def shows(self, node_toml: dict) -> bool:
        """Whether lights and glass of the node are, before long, exactly what the host painted last."""

        def same() -> bool:
            scene = self.scene
            if scene is None:
                return False
            lit = self.node.log.lights()
            lights = bool(lit) and lit[-1] == strip_of(in_image_order(scene.lights, 0), node_toml)
            return lights and glass(visible(self.node.log.panel())).tobytes() == paint(scene.screen).tobytes()

        return until(same, 5)


@contextmanager
def running(node: Microcontroller, cable: Cable) -> Iterator[Running]:
    table = Running(node, cable)
    try:
        yield table
    finally:
        table.live.stop()
        table.thread.join(10)
    assert not table.thread.is_alive()
    assert table.live.not_judged == 0


def test_buttons_on_the_node_are_words_at_the_table(boot: Boot, cable: Lay, node_toml: dict) -> None:
    node = boot("node")
    with running(node, cable(node)) as table:
        assert table.shows(node_toml)
        table.say("dice", "31")
        table.say("play", "8/5 6/5")
        assert until(lambda: table.match.phase is Phase.TO_ROLL, 5)
        assert table.shows(node_toml)
        table.push(Button.DOUBLE)
        assert until(lambda: table.match.phase is Phase.OFFERED, 5)
        assert table.shows(node_toml)
        game = table.match.game
        assert game is not None
        assert game.starter is Color.WHITE
        assert game.offer_by is Color.BLACK
        # What is nobody's answer changes nothing; taking is an act of its own (CASES 16).
        table.push(Button.CONFIRM)
        until(lambda: False, 0.3)
        assert table.match.phase is Phase.OFFERED
        table.push(Button.TAKE)
        assert until(lambda: table.match.phase is Phase.TO_ROLL, 5)
        assert table.match.game is not None
        assert table.match.game.cube.value == 2
        assert table.shows(node_toml)
        # Held long, the same button means another thing.
        table.push(Button.DOUBLE, 1.0)
        assert until(lambda: table.match.paused, 5)
        assert table.shows(node_toml)
        table.push(Button.DOUBLE, 1.0)
        assert until(lambda: not table.match.paused, 5)
    doubled = [event for event in table.events if isinstance(event, Doubled)]
    assert len(doubled) == 1
    # Stamped when the button went down, not when the word arrived.
    assert doubled[0].at_ms <= table.live.clock.now_ms()


def test_a_node_pulled_out_is_named_and_shows_the_newest_scene_when_it_is_back(
    boot: Boot, cable: Lay, node_toml: dict
) -> None:
    """CASES 31, 35."""
    node = boot("node")
    line = cable(node)
    with running(node, line) as table:
        assert table.shows(node_toml)
        line.pull()
        assert until(lambda: "device.display" in table.match.fault_keys, 8)
        table.say("dice", "31")
        table.say("play", "8/5 6/5")
        assert until(lambda: table.match.phase is Phase.TO_ROLL, 5)
        line.plug_in()
        assert until(lambda: "device.display" not in table.match.fault_keys, 10)
        assert table.shows(node_toml)
    noted = [type(event) for event in table.events if isinstance(event, FaultNoted | FaultCleared)]
    # It was first found at the start, which was no news.
    assert noted == [FaultNoted, FaultCleared]
