"""A table in real time: one loop, one inbox, one consumer; devices live in threads of their own."""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from nardi.devices.wire.packet import Button, Press
from nardi.game.event import Event
from nardi.game.match import Match, Phase, Teach
from nardi.game.observation import Command, Observation, Party, Verb
from nardi.ports import Clock, Dice, Display, Eye
from nardi.rules import ByColor
from nardi.table import Table
from nardi.views.scene import Scene, scene

REFRESH_S = 0.25
"""How often running clocks are shown anew."""

_SHORT: dict[Button, Verb] = {
    Button.DOUBLE: "double",
    Button.TAKE: "take",
    Button.PASS: "pass",
    Button.CONFIRM: "confirm",
}
_LONG: dict[Button, Verb] = {
    Button.DOUBLE: "pause",
    Button.TAKE: "beaver",
    Button.PASS: "resign",
    Button.CONFIRM: "call",
}


class SteadyClock:
    """Wall-clock milliseconds that never run backwards, whatever is done to the computer's clock meanwhile."""

    def __init__(self, not_before_ms: int = 0) -> None:
        self._begin_ms = max(time.time_ns() // 1_000_000, not_before_ms)
        self._begin_ns = time.monotonic_ns()

    def now_ms(self) -> int:
        return self._begin_ms + (time.monotonic_ns() - self._begin_ns) // 1_000_000


def command_of(match: Match, button: Button, press: Press, at_ms: int) -> Command:
    """Whose word a button on the shared node is, and what it means now.

    Double and confirm belong to the player on turn; take, pass and beaver to the one who was offered; a long press of
    confirm calls the opponent's play, so it belongs to the player who waits. One button, one meaning: nothing is the
    default (CASES 16).
    """
    verb = (_LONG if press is Press.LONG else _SHORT)[button]
    if verb == "pause" and match.paused:
        verb = "resume"
    game = match.game
    if verb in ("pause", "resume") or game is None or game.turn is None:
        return Command(at_ms, "referee", verb)
    who = game.turn
    if verb in ("take", "pass", "beaver") and game.offer_by is not None:
        who = game.offer_by.other
    elif match.phase is Phase.RESIGNING and game.resign is not None and verb in ("take", "pass"):
        # The same two acts answer a resignation.
        who = game.resign[0].other
        verb = "accept" if verb == "take" else "refuse"
    elif verb == "call" and match.phase is not Phase.CALLABLE:
        who = who.other
    party: Party = "white" if who.value == "white" else "black"
    return Command(at_ms, party, verb)


@dataclass(slots=True)
class Devices:
    """What is plugged in; None is missing, and the table plays on without it."""

    eye: Eye | None = None
    dice: Dice | None = None
    displays: Sequence[Display] = ()


@dataclass(slots=True)
class LiveTable:
    """Runs a table until the match is over or `stop` is called.

    `shown` is called after every ruling with the match, what was ruled, and the scene.
    """

    table: Table
    devices: Devices
    clock: Clock
    languages: ByColor[str]
    teach: Teach | None = None
    shown: Callable[[Match, tuple[Event, ...], Scene], None] = lambda match, events, scene: None
    stop_when_over: bool = True
    _inbox: "asyncio.Queue[Observation | None]" = field(default_factory=asyncio.Queue)
    _loop: asyncio.AbstractEventLoop | None = None
    _posted: int = 0
    _taken: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def current(self) -> Match | None:
        """The match, once everything posted has been taken; None: not yet. From any thread."""
        return self.table.match if self._taken == self._posted else None

    def post(self, observation: Observation | None) -> None:
        """Hands in an observation from any thread; None ends the run."""
        if self._loop is not None and not self._loop.is_closed():
            with self._lock:
                self._posted += 1
            self._loop.call_soon_threadsafe(self._inbox.put_nowait, observation)

    def stop(self) -> None:
        self.post(None)

    def _pushed(self, button: Button, press: Press, at_ms: int) -> None:
        self.post(command_of(self.table.match, button, press, at_ms))

    async def run(self) -> None:
        """Start the devices, consume until the end, stop the devices."""
        self._loop = asyncio.get_running_loop()
        devices = self.devices
        for display in devices.displays:
            display.start(self.post, self._pushed)
        if devices.dice is not None:
            devices.dice.start(self.post)
        if devices.eye is not None:
            devices.eye.start(self.post)
        try:
            async with asyncio.TaskGroup() as tasks:
                refresh = tasks.create_task(self._refresh(), name="refresh")
                await tasks.create_task(self._consume(), name="table")
                refresh.cancel()
        finally:
            for device in (devices.eye, devices.dice, *devices.displays):
                if device is not None:
                    await asyncio.to_thread(device.stop)

    async def _consume(self) -> None:
        self._show(())
        while (observation := await self._inbox.get()) is not None:
            events = self.table.take(observation)
            if events:
                self._show(events)
            self._taken += 1
            if self.stop_when_over and self.table.match.phase is Phase.MATCH_OVER:
                return

    async def _refresh(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_S)
            if self.table.match.clocks.rules is not None:
                self._show(())

    def _show(self, events: tuple[Event, ...]) -> None:
        match = self.table.match
        picture = scene(match, now_ms=self.clock.now_ms(), language=self.languages, teach=self.teach)
        for display in self.devices.displays:
            display.show(picture)
        self.shown(match, events, picture)
