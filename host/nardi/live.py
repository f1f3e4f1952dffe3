"""A table in real time: one loop, one inbox, one consumer; devices live in threads of their own."""

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from nardi.devices.wire.packet import Button, Press
from nardi.game.event import Event
from nardi.game.match import Match, Phase
from nardi.game.observation import Command, DeviceFound, DeviceLost, Observation, Party, Verb
from nardi.ports import Clock, Dice, Display, Eye
from nardi.rules import ByColor
from nardi.table import Table
from nardi.text.message import Message
from nardi.views.scene import Scene, scene

_log = logging.getLogger(__name__)

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


@dataclass(frozen=True, slots=True)
class _Push:
    """A button went down; what that means is decided when its turn comes, by the match as it is then."""

    button: Button
    press: Press
    at_ms: int


class Speaker(Protocol):
    """Says what was ruled; never holds anything up."""

    def said(self, match: Match, events: tuple[Event, ...]) -> None: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class LiveTable:
    """Runs a table until the match is over or `stop` is called.

    `shown` is called after every ruling with the match, what was ruled, and the scene. `trouble` tells what is wrong
    with the record, None: nothing. `resumed`: the match comes from a record; what that says of devices is old.
    """

    table: Table
    devices: Devices
    clock: Clock
    languages: ByColor[str]
    shown: Callable[[Match, tuple[Event, ...], Scene], None] = lambda match, events, scene: None
    stop_when_over: bool = True
    trouble: Callable[[], Message | None] = lambda: None
    speaker: Speaker | None = None
    resumed: bool = False
    not_judged: int = 0
    """Observations over which the umpire failed: each is passed over, and the match goes on as it was."""
    _troubled: bool = False
    _failed: set[int] = field(default_factory=set)
    _inbox: "asyncio.Queue[Observation | _Push | None]" = field(default_factory=asyncio.Queue)
    _loop: asyncio.AbstractEventLoop | None = None
    _posted: int = 0
    _taken: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def current(self) -> Match | None:
        """The match, once everything posted has been taken; None: not yet. From any thread."""
        return self.table.match if self._taken == self._posted else None

    def post(self, observation: Observation) -> None:
        """Hands in an observation from any thread."""
        self._put(observation)

    def stop(self) -> None:
        """Ends the run, from any thread, after what was posted before."""
        self._put(None)

    def _pushed(self, button: Button, press: Press, at_ms: int) -> None:
        self._put(_Push(button, press, at_ms))

    def _put(self, item: Observation | _Push | None) -> None:
        with self._lock:
            self._posted += 1
            loop = self._loop
            if loop is None:
                # Said before the table ran: it is heard first thing.
                self._inbox.put_nowait(item)
                return
        # A device may speak up while the loop is being closed.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(self._inbox.put_nowait, item)

    async def run(self) -> None:
        """Start the devices, consume until the end, stop the devices."""
        with self._lock:
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
            if self.speaker is not None:
                await asyncio.to_thread(self.speaker.close)

    async def _consume(self) -> None:
        if self.resumed:
            self._forget_devices()
        self._show(())
        while (item := await self._inbox.get()) is not None:
            if isinstance(item, _Push):
                item = command_of(self.table.match, item.button, item.press, item.at_ms)
            self._take(item)
            self._taken += 1
            if self.stop_when_over and self.table.match.phase is Phase.MATCH_OVER:
                return

    def _take(self, observation: Observation) -> None:
        events = self._judged(observation)
        troubled = self.trouble() is not None
        if troubled != self._troubled:
            # People learn of a full disk as of any other missing device; the match goes on.
            self._troubled = troubled
            at_ms = max(observation.at_ms, self.clock.now_ms())
            events += self._judged(DeviceLost(at_ms, "journal") if troubled else DeviceFound(at_ms, "journal"))
        if events:
            self._show(events)

    def _judged(self, observation: Observation) -> tuple[Event, ...]:
        try:
            return self.table.take(observation)
        except Exception:
            # A fault of ours over one picture or one word must not end other people's match.
            self.not_judged += 1
            _log.exception("not judged: %s", type(observation).__name__)
            return ()

    def _forget_devices(self) -> None:
        """What was missing when the record ended may be there now; what is missing still will be told again."""
        for key in self.table.match.fault_keys:
            kind, _, device = key.partition(".")
            if kind == "device":
                self._judged(DeviceFound(self.clock.now_ms(), device))

    async def _refresh(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_S)
            if self.table.match.clocks.rules is not None:
                self._show(())

    def _show(self, events: tuple[Event, ...]) -> None:
        match = self.table.match
        picture = scene(match, now_ms=self.clock.now_ms(), language=self.languages)
        for display in self.devices.displays:
            try:
                display.show(picture)
            except Exception:
                # A display that fails takes nothing else with it (CASES 35).
                if id(display) not in self._failed:
                    self._failed.add(id(display))
                    _log.exception("not shown: %s", type(display).__name__)
        if self.speaker is not None and events:
            self.speaker.said(match, events)
        self.shown(match, events, picture)
