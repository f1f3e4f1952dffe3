"""Bytes and milliseconds from a scene to the lights, and the heap: measured, printed, and held to a bound."""

import statistics
from collections.abc import Callable

import pytest
from microcontroller import Cable, Microcontroller, needs_micropython
from test_node import hosting, some_scene

from nardi.devices.node import LinkUp, ShownScene
from nardi.devices.wire.packet import Stats

pytestmark = [needs_micropython, pytest.mark.slow]


def text_like(seed: int) -> bytes:
    """A picture as full as a screen of text: four lines of 12-pixel letters."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(12)
    for line in range(4):
        draw.text((0, line * 15), f"White {seed + line}: 24/18 13/11*", fill=1, font=font)
    pixels = image.load()
    assert pixels is not None
    return bytes(
        sum((pixels[x, page * 8 + bit] != 0) << bit for bit in range(8)) for page in range(8) for x in range(128)
    )


def test_scene_to_lights(
    boot: Callable[..., Microcontroller],
    cable: Callable[[Microcontroller], Cable],
    capsys: pytest.CaptureFixture[str],
) -> None:
    node = boot("node")
    with hosting(cable(node)) as host:
        host.wait(LinkUp)
        sizes, lit_us, round_trips_ms = [], [], []
        for seed in range(100):
            lights, _ = some_scene(seed)
            mark = host.mark()
            before = host.link.talk.sent_bytes
            host.link.show(lights, text_like(seed))
            (shown,) = host.wait(ShownScene, mark)
            sizes.append(host.link.talk.sent_bytes - before)
            lit_us.append(shown.lit_us)
            round_trips_ms.append(shown.round_trip_ms)
        mark = host.mark()
        host.link.ask_stats()
        (stats,) = host.wait(Stats, mark)
    said = (
        f"scene: {statistics.median(sizes):.0f} bytes (most {max(sizes)})",
        f"frame to lights {statistics.median(lit_us):.0f} µs (most {max(lit_us)})",
        f"host to shown and back {statistics.median(round_trips_ms):.0f} ms (most {max(round_trips_ms)})",
        f"heap at most {stats.heap_peak} of {stats.heap_peak + stats.heap_free} bytes",
    )
    with capsys.disabled():
        print("", *said, sep="\n")
    assert max(sizes) <= 1150
    assert statistics.median(round_trips_ms) <= 50
    # Objects are twice as large here as on a 32-bit chip, which has 192 kB for them.
    assert stats.heap_peak < 96_000
