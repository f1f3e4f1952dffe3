"""Frames ↔ packets: what host and node say to each other, as records."""

import struct
from dataclasses import dataclass
from enum import IntEnum, IntFlag

from nardi.devices.wire.frame import Frame
from nardi.devices.wire.packbits import pack, unpack

WIRE_VERSION = 1
PICTURE_BYTES = 1024
"""128x64 pixels as the SSD1306 has them: eight pages of 128 columns, bit 0 uppermost."""
_PLAIN, _PACKED = 0, 1

Rgb = tuple[int, int, int]


class Kind(IntEnum):
    """First byte of a frame; from 0x80 on they come from the node."""

    HELLO = 0x01
    PING = 0x02
    ACK = 0x03
    ASK_STATS = 0x04
    HOLD = 0x05
    SCENE = 0x10
    BUZZ = 0x11
    I_AM = 0x81
    HEARTBEAT = 0x82
    DONE = 0x83
    BUTTON = 0x84
    STATS = 0x85


class NodeState(IntFlag):
    """How the node is."""

    CAN_BUZZ = 1
    SCREEN_ALIVE = 2
    HAS_SCENE = 4
    CAPPED = 8
    """The lights asked for more current than the budget and were dimmed."""


class Button(IntEnum):
    """The buttons, in the order of hardware/node.toml."""

    DOUBLE = 0
    TAKE = 1
    PASS = 2
    CONFIRM = 3


class Press(IntEnum):
    SHORT = 0
    LONG = 1


@dataclass(frozen=True, slots=True)
class Hello:
    """Host: who are you?"""


@dataclass(frozen=True, slots=True)
class Ping:
    """Host: I am here (wanted every second or so where there is no new scene)."""


@dataclass(frozen=True, slots=True)
class Ack:
    """Host: button event `event` has arrived."""

    event: int


@dataclass(frozen=True, slots=True)
class AskStats:
    """Host: count for me."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Host: stop and wait at the prompt, new files are coming."""


@dataclass(frozen=True, slots=True)
class ScenePacket:
    """Host: show this. `lights`: (r, g, b) each 0-255, at most 255 of them; `picture`: `PICTURE_BYTES`."""

    lights: tuple[Rgb, ...]
    picture: bytes


@dataclass(frozen=True, slots=True)
class Buzz:
    """Host: a tone; 0 for silence."""

    hertz: int
    length_ms: int


@dataclass(frozen=True, slots=True)
class IAm:
    """Node: its wire and firmware versions, state, LED count; `boot`: drawn at each start; `id`: the chip's, raw."""

    wire: int
    version: tuple[int, int, int]
    state: NodeState
    leds: int
    boot: int
    id: bytes


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Node, every second: its clock, the last scene's sequence number, its state, the buttons held (bit 0 double …)."""

    uptime_ms: int
    scene: int
    state: NodeState
    held: int


@dataclass(frozen=True, slots=True)
class Done:
    """Node: scene `scene` is shown; lights lit and all shown so many µs after its frame was complete."""

    scene: int
    state: NodeState
    lit_us: int
    whole_us: int


@dataclass(frozen=True, slots=True)
class ButtonEvent:
    """Node, again and again until acknowledged: `event` 1-255 numbers it, `age_ms` ago the button went down."""

    event: int
    button: Button
    press: Press
    age_ms: int


@dataclass(frozen=True, slots=True)
class Stats:
    """Node: heap in bytes, counters since its start, and the slowest scene."""

    heap_free: int
    heap_peak: int
    scenes: int
    bad_frames: int
    unknown: int
    screen_errors: int
    capped: int
    presses_dropped: int
    worst_us: int


HostPacket = Hello | Ping | Ack | AskStats | Hold | ScenePacket | Buzz
NodePacket = IAm | Heartbeat | Done | ButtonEvent | Stats

_STATS = struct.Struct("<9I")
_DONE = struct.Struct("<BBII")
_HEARTBEAT = struct.Struct("<IBBB")
_BUTTON = struct.Struct("<BBBH")


def to_frame(packet: HostPacket, seq: int) -> Frame:
    """The frame that carries `packet`. `ValueError` where a scene has a wrong shape."""
    match packet:
        case Hello():
            return Frame(Kind.HELLO, seq, bytes((WIRE_VERSION,)))
        case Ping():
            return Frame(Kind.PING, seq)
        case Ack(event):
            return Frame(Kind.ACK, seq, bytes((event,)))
        case AskStats():
            return Frame(Kind.ASK_STATS, seq)
        case Hold():
            return Frame(Kind.HOLD, seq)
        case ScenePacket(lights, picture):
            return Frame(Kind.SCENE, seq, _scene_payload(lights, picture))
        case Buzz(hertz, length_ms):
            return Frame(Kind.BUZZ, seq, struct.pack("<HH", hertz, length_ms))


def _scene_payload(lights: tuple[Rgb, ...], picture: bytes) -> bytes:
    if len(picture) != PICTURE_BYTES:
        raise ValueError(f"picture of {len(picture)} bytes, not {PICTURE_BYTES}")
    if len(lights) > 50:
        # What the longest payload leaves beside a plain picture.
        raise ValueError(f"{len(lights)} lights, at most 50")
    packed = pack(picture)
    coding, body = (_PACKED, packed) if len(packed) < PICTURE_BYTES else (_PLAIN, picture)
    return bytes((len(lights), coding)) + bytes(channel for light in lights for channel in light) + body


def from_node(frame: Frame) -> NodePacket | None:
    """What the node says with `frame`; None for a kind or form that this host does not know. Longer is allowed."""
    data = frame.payload
    match frame.kind:
        case Kind.I_AM if len(data) >= 9 and len(data) >= 9 + data[8]:
            version = (data[1], data[2], data[3])
            boot = int.from_bytes(data[6:8], "little")
            return IAm(data[0], version, NodeState(data[4]), data[5], boot, data[9 : 9 + data[8]])
        case Kind.HEARTBEAT if len(data) >= _HEARTBEAT.size:
            uptime_ms, scene, state, held = _HEARTBEAT.unpack_from(data)
            return Heartbeat(uptime_ms, scene, NodeState(state), held)
        case Kind.DONE if len(data) >= _DONE.size:
            scene, state, lit_us, whole_us = _DONE.unpack_from(data)
            return Done(scene, NodeState(state), lit_us, whole_us)
        case Kind.BUTTON if len(data) >= _BUTTON.size:
            event, button, press, age_ms = _BUTTON.unpack_from(data)
            if event == 0 or button > max(Button) or press > max(Press):
                return None
            return ButtonEvent(event, Button(button), Press(press), age_ms)
        case Kind.STATS if len(data) >= _STATS.size:
            return Stats(*_STATS.unpack_from(data))
        case _:
            return None


def from_host(frame: Frame) -> HostPacket | None:
    """What a host says with `frame`: the other half, for simulated nodes and tests."""
    data = frame.payload
    match frame.kind:
        case Kind.HELLO:
            return Hello()
        case Kind.PING:
            return Ping()
        case Kind.ACK if data:
            return Ack(data[0])
        case Kind.ASK_STATS:
            return AskStats()
        case Kind.HOLD:
            return Hold()
        case Kind.BUZZ if len(data) >= 4:
            return Buzz(*struct.unpack_from("<HH", data))
        case Kind.SCENE if len(data) >= 2 and len(data) >= 2 + 3 * data[0]:
            end = 2 + 3 * data[0]
            lights = tuple((data[at], data[at + 1], data[at + 2]) for at in range(2, end, 3))
            picture = unpack(data[end:]) if data[1] == _PACKED else data[end:] if data[1] == _PLAIN else None
            return ScenePacket(lights, picture) if picture is not None and len(picture) == PICTURE_BYTES else None
        case _:
            return None
