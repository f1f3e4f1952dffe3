"""A trial of the display node for the one who has just soldered it: link, lights one by one, screen, buttons."""

import queue
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from nardi.devices.node import Button, ButtonPressed, LinkUp, NodeLink, NodeNews, Press, ShownScene
from nardi.devices.serial_line import Address, Port, plugged_ports
from nardi.devices.wire.packet import PICTURE_BYTES, Stats
from nardi.text.message import Message

News = TypeVar("News")
LIGHTS = 27
COLOURS = {"red": (40, 0, 0), "green": (0, 40, 0), "blue": (0, 0, 40)}
CHECKERED = (b"\xaa" * 8 + b"\x55" * 8) * (PICTURE_BYTES // 16)


def trial(
    port: str | None,
    *,
    ports: Callable[[], Iterable[Port]] = plugged_ports,
    patience_s: float = 5.0,
    light_s: float = 0.12,
    buttons_s: float = 10.0,
) -> Iterator[tuple[bool, Message]]:
    """What was tried, as it is tried: (whether it went well, what to say)."""
    heard: queue.Queue[NodeNews] = queue.Queue()
    address = Address(port) if port else Address(usb_id="2E8A:0005")
    link = NodeLink(address, heard.put, ports=ports)
    link.start()
    try:
        up = _wait(heard, LinkUp, patience_s)
        if up is None:
            yield False, Message.of("doctor.node.silent", remedy="nardi flash node")
            return
        version = ".".join(map(str, up.version))
        if not up.usable:
            yield False, Message.of("doctor.node.wire", version=version, remedy="nardi flash node")
            return
        yield True, Message.of("doctor.node.link", version=version, id=up.id)
        if up.screen_alive:
            yield True, Message.of("doctor.node.screen")
        else:
            yield False, Message.of("doctor.node.no_screen")
        yield True, Message.of("doctor.node.lights", count=LIGHTS)
        dark = ((0, 0, 0),) * LIGHTS
        slowest_ms = 0
        for colour in COLOURS.values():
            for light in range(LIGHTS):
                link.show((*dark[:light], colour, *dark[light + 1 :]), CHECKERED)
                shown = _wait(heard, ShownScene, patience_s)
                if shown is None:
                    yield False, Message.of("doctor.node.no_answer")
                    return
                slowest_ms = max(slowest_ms, shown.round_trip_ms)
                time.sleep(light_s)
        yield True, Message.of("doctor.node.speed", slowest_ms=slowest_ms)
        link.show(((255, 255, 255),) * LIGHTS, CHECKERED)
        shown = _wait(heard, ShownScene, patience_s)
        if shown is not None and shown.capped:
            yield True, Message.of("doctor.node.capped")
        link.show(dark, bytes(PICTURE_BYTES))
        yield True, Message.of("doctor.node.press", seconds=round(buttons_s))
        yield from _buttons(heard, buttons_s)
        link.ask_stats()
        stats = _wait(heard, Stats, patience_s)
        if stats is not None:
            yield True, Message.of("doctor.node.heap", free=stats.heap_free, peak=stats.heap_peak)
    finally:
        link.stop()


def _buttons(heard: "queue.Queue[NodeNews]", seconds: float) -> Iterator[tuple[bool, Message]]:
    missing = set(Button)
    end = time.monotonic() + seconds
    while missing and (left := end - time.monotonic()) > 0:
        pressed = _wait(heard, ButtonPressed, left)
        if pressed is not None:
            missing.discard(pressed.button)
            press = "long" if pressed.press is Press.LONG else "short"
            yield True, Message.of(f"doctor.node.pressed.{press}", button=pressed.button.name.lower())
    for button in sorted(missing):
        yield False, Message.of("doctor.node.not_pressed", button=button.name.lower())


def _wait(heard: "queue.Queue[NodeNews]", kind: type[News], seconds: float) -> News | None:
    """The next news of `kind`, passing over others; None where none came in time."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            news = heard.get(timeout=left)
        except queue.Empty:
            return None
        if isinstance(news, kind):
            return news
    return None
