"""Dice over Bluetooth: one task a die in one thread, so that losing one never drops another. Needs `bleak`."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Protocol

from nardi.devices import godice, pixels
from nardi.devices.dice_report import DIE_IDS, DiceReport
from nardi.devices.serial_line import Backoff
from nardi.devices.url import DeviceUrl
from nardi.errors import DeviceError, InputError
from nardi.text.message import Message

CONNECT_TIMEOUT_S = 15.0
BATTERY_EVERY_S = 300.0


class BleParser(Protocol):
    """`GoDie` or `PixelsDie`."""

    def feed(self, message: bytes) -> list[DiceReport]: ...

    def cut(self) -> list[DiceReport]: ...


class Radio(Protocol):
    """The part of bleak that is used; a test's radio stands in for it."""

    async def serve(
        self, address: str, notify: str, write: str, greeting: bytes, heard: Callable[[bytes], None]
    ) -> None:
        """Connects, says `greeting` now and every `BATTERY_EVERY_S`, hands on what is notified; returns when cut."""
        ...


class BleakRadio:
    """The real one."""

    def __init__(self) -> None:
        try:
            import bleak
        except ImportError:
            raise DeviceError(Message.of("devices.extra_missing", module="bleak", extra="devices")) from None
        self._bleak: Any = bleak

    async def serve(
        self, address: str, notify: str, write: str, greeting: bytes, heard: Callable[[bytes], None]
    ) -> None:
        cut = asyncio.Event()
        client = self._bleak.BleakClient(address, disconnected_callback=lambda _: cut.set(), timeout=CONNECT_TIMEOUT_S)
        async with client:
            await client.start_notify(notify, lambda _, data: heard(bytes(data)))
            while not cut.is_set():
                await client.write_gatt_char(write, greeting)
                try:
                    await asyncio.wait_for(cut.wait(), BATTERY_EVERY_S)
                except TimeoutError:
                    continue


class BleDice:
    """Dice of one make, by address. `news(report, at_ms)` is called from this object's own thread."""

    def __init__(
        self,
        make: str,
        addresses: Mapping[str, str],
        news: Callable[[DiceReport, int], None],
        *,
        radio: Callable[[], Radio] = BleakRadio,
        now_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000,
        backoff: Callable[[], Backoff] = Backoff,
    ) -> None:
        """`make`: `godice` or `pixels`; `addresses`: die id → Bluetooth address. `DeviceError` without bleak."""
        self._make = make
        self._addresses = dict(addresses)
        self._news = news
        self._radio = radio()
        self._now_ms = now_ms
        self._backoff = backoff
        self._loop = asyncio.new_event_loop()
        self._tasks: list[asyncio.Task[None]] = []
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name=f"{make} dice", daemon=True)

    @staticmethod
    def from_url(url: DeviceUrl, news: Callable[[DiceReport, int], None]) -> "BleDice":
        """`godice:?w1=AA:BB:CC:DD:EE:01&w2=…` or `pixels:?…`."""
        url.only(*DIE_IDS)
        if not url.options:
            raise InputError(Message.of("devices.url.no_dice", url=url.text, dice=" ".join(DIE_IDS)))
        return BleDice(url.scheme, url.options, news)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._cancel)
            self._thread.join()

    def _cancel(self) -> None:
        self._stopped = True
        for task in self._tasks:
            task.cancel()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve_all())
        finally:
            self._loop.close()

    async def _serve_all(self) -> None:
        for die, address in self._addresses.items():
            self._tasks.append(asyncio.create_task(self._serve(die, address), name=f"{self._make} {die}"))
        if self._stopped:
            # Stopped before it had begun.
            self._cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, die: str, address: str) -> None:
        parser: BleParser
        if self._make == "godice":
            parser = godice.GoDie(die)
            notify, write, greeting = godice.NOTIFY, godice.WRITE, godice.ASK_BATTERY
        else:
            parser = pixels.PixelsDie(die)
            notify, write, greeting = pixels.NOTIFY, pixels.WRITE, pixels.WHO_ARE_YOU
        backoff = self._backoff()
        heard_any = False

        def heard(data: bytes) -> None:
            nonlocal heard_any
            if not heard_any:
                heard_any = True
                backoff.reset()
            self._tell(parser.feed(data))

        while True:
            # bleak's backends raise what they like; all of it means: not connected.
            with suppress(Exception):
                await self._radio.serve(address, notify, write, greeting, heard)
            # Said once a cut, not once a try.
            if heard_any:
                heard_any = False
                self._tell(parser.cut())
            await asyncio.sleep(backoff.wait_ms() / 1000)

    def _tell(self, reports: Iterable[DiceReport]) -> None:
        for report in reports:
            self._news(report, self._now_ms())
