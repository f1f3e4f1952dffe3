"""What the node's line may carry: garbage, floods, kinds of a later version; and no step of it allocates."""

import os
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from microcontroller import BOARD, FIRMWARE, MICROPYTHON, Cable, Log, Microcontroller, needs_micropython
from node_host import Host, until
from test_node import hosting, some_scene, strip_of, visible

from nardi.devices.node import LinkUp, ShownScene
from nardi.devices.wire.frame import Frame, FrameReader, encode_frame
from nardi.devices.wire.packet import (
    Ack,
    AskStats,
    Buzz,
    Heartbeat,
    Hello,
    Ping,
    ScenePacket,
    Stats,
    from_node,
    to_frame,
)

pytestmark = [needs_micropython, pytest.mark.slow]

Boot = Callable[..., Microcontroller]


def shows(node: Microcontroller, picture: bytes) -> bool:
    return until(lambda: visible(node.log.panel()) == picture)


def heard(node: Microcontroller, seconds: float) -> list[object]:
    return [from_node(frame) for frame in FrameReader().feed(node.read(seconds))]


def test_garbage_is_skipped_and_the_next_frame_taken(boot: Boot, node_toml: dict) -> None:
    node = boot("node")
    chance = random.Random(3)
    for seed in range(20):
        lights, picture = some_scene(seed)
        scene = to_frame(ScenePacket(lights, picture), 1)
        node.write(chance.randbytes(chance.randrange(1, 900)) + b"\0" + encode_frame(scene))
        assert shows(node, picture)
        assert node.log.lights()[-1] == strip_of(lights, node_toml)
        node.read(0)


def test_torn_and_impossible_scenes_light_nothing(boot: Boot) -> None:
    node = boot("node")
    node.read(0.2)
    before = len(node.log.lights())
    lights, picture = some_scene(1)
    frame = to_frame(ScenePacket(lights, picture), 1)
    node.write(encode_frame(frame)[:-30] + b"\0")
    for payload in (
        b"",
        b"\x1b",
        b"\xff\x01" + bytes(30),
        frame.payload[:-1],
        frame.payload + b"\x05",
        b"\x1b\x07" + frame.payload[2:],
        b"\x00\x01" + bytes((129, 0)) * 12,
    ):
        node.write(encode_frame(Frame(0x10, 2, payload)))
    node.write(encode_frame(to_frame(AskStats(), 3)))
    (stats,) = [packet for packet in heard(node, 0.3) if isinstance(packet, Stats)]
    assert (stats.bad_frames, stats.unknown, stats.scenes) == (1, 7, 0)
    assert len(node.log.lights()) == before


def test_kinds_of_a_later_version_are_passed_over(boot: Boot) -> None:
    node = boot("node")
    node.read(0.2)
    kinds = [kind for kind in range(256) if kind not in (0x01, 0x02, 0x03, 0x04, 0x05, 0x10, 0x11)]
    for kind in kinds:
        node.write(encode_frame(Frame(kind, 0, bytes(5))))
    node.write(encode_frame(to_frame(AskStats(), 3)))
    (stats,) = [packet for packet in heard(node, 0.4) if isinstance(packet, Stats)]
    assert (stats.bad_frames, stats.unknown) == (0, len(kinds))


def test_a_flood_of_twenty_bytes_a_millisecond(boot: Boot) -> None:
    node = boot("node")
    chance = random.Random(5)
    reader = FrameReader()
    packets: list[object] = []
    start = time.monotonic()
    sent = 0
    while (passed := time.monotonic() - start) < 3:
        due = int(passed * 20000) - sent
        if due > 0:
            node.write(chance.randbytes(due))
            sent += due
        packets += [from_node(frame) for frame in reader.feed(node.read(0.005))]
    assert sent > 55000
    # It goes on living meanwhile...
    assert len([packet for packet in packets if isinstance(packet, Heartbeat)]) >= 2
    # ... and takes the first whole frame.
    lights, picture = some_scene(6)
    node.write(b"\0" + encode_frame(to_frame(ScenePacket(lights, picture), 1)))
    assert shows(node, picture)


def test_a_million_random_bytes_into_the_running_node(boot: Boot, cable: Callable[[Microcontroller], Cable]) -> None:
    node = boot("node")
    line = cable(node)
    chance = random.Random(11)
    with hosting(line) as host:
        host.wait(LinkUp)
        host.link.stop()
        for _ in range(1000):
            os.write(node.master, chance.randbytes(1000))
        again = Host(line)
        try:
            again.wait(LinkUp, seconds=10)
            lights, picture = some_scene(12)
            again.link.show(lights, picture)
            again.wait(ShownScene)
            assert visible(node.log.panel()) == picture
        finally:
            again.link.stop()


def test_garbage_from_the_node_disturbs_no_host(boot: Boot, cable: Callable[[Microcontroller], Cable]) -> None:
    node = boot("node")
    line = cable(node)
    chance = random.Random(4)
    with hosting(line) as host:
        host.wait(LinkUp)
        for seed in range(8):
            line.send_to_host(chance.randbytes(200))
            mark = host.mark()
            host.link.show(*some_scene(seed))
            host.wait(ShownScene, mark, seconds=3)
        assert host.link.talk.bad_frames > 0
        assert not host.wait(LinkUp)[1:]


def test_no_step_of_the_node_allocates(tmp_path: Path) -> None:
    assert MICROPYTHON is not None
    log = tmp_path / "log"
    pins = tmp_path / "pins"
    pins.write_bytes(b"1" * 64)
    with subprocess.Popen(
        [MICROPYTHON, str(BOARD / "unallocating.py"), "2500"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
        env={
            **os.environ,
            "MICROPYPATH": f"{BOARD}:{FIRMWARE / 'node'}:.frozen",
            "NARDI_LOG": str(log),
            "NARDI_PINS": str(pins),
        },
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b"\0")
        process.stdin.flush()
        seq = 0
        for seed in range(40):
            # Bright ones too, so that the current is capped; greetings, tones, presses, garbage.
            lights, picture = some_scene(seed, brightest=255 if seed % 2 else 60)
            packets = (Hello(), ScenePacket(lights, picture), Ping(), Buzz(700, 20), AskStats(), Ack(seed))
            for packet in packets:
                seq = (seq + 1) % 256
                process.stdin.write(encode_frame(to_frame(packet, seq)))
            process.stdin.write(b"\x11garbage\x00" + encode_frame(Frame(0x7E, 0, b"?")))
            process.stdin.flush()
            pins.write_bytes(b"1" * 10 + (b"0" if seed % 4 < 2 else b"1") + b"1" * 53)
            time.sleep(0.03)
        # Then silence: heartbeats go on. (Three seconds of it, and no link, are beyond this test's time.)
        out, _ = process.communicate(timeout=10)
    said = [type(packet) for packet in map(from_node, FrameReader().feed(out))]
    assert process.returncode == 0, out[-500:]
    assert int((tmp_path / "steps").read_text()) > 100
    assert {kind.__name__ for kind in said if kind is not type(None)} == {
        "IAm",
        "Heartbeat",
        "Done",
        "ButtonEvent",
        "Stats",
    }
    # "No link" at the start, and the scenes: newest wins, but none of these came while another was on its way.
    assert len(Log(log).lights()) > 30
