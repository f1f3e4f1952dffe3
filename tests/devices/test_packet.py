"""Frames ↔ packets on the host's side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardi.devices.wire.frame import Frame
from nardi.devices.wire.packbits import pack, unpack
from nardi.devices.wire.packet import (
    Ack,
    AskStats,
    Button,
    ButtonEvent,
    Buzz,
    Done,
    Heartbeat,
    Hello,
    Hold,
    HostPacket,
    IAm,
    NodeState,
    Ping,
    Press,
    ScenePacket,
    from_host,
    from_node,
    to_frame,
)

channel = st.integers(0, 255)
pictures = st.one_of(
    st.binary(min_size=1024, max_size=1024),
    st.lists(st.tuples(channel, st.integers(1, 300)), min_size=1, max_size=40).map(
        lambda runs: (b"".join(bytes([byte]) * length for byte, length in runs) * 1024)[:1024]
    ),
)
host_packets = st.one_of(
    st.sampled_from([Hello(), Ping(), AskStats(), Hold()]),
    st.builds(Ack, st.integers(0, 255)),
    st.builds(Buzz, st.integers(0, 65535), st.integers(0, 65535)),
    st.builds(ScenePacket, st.lists(st.tuples(channel, channel, channel), max_size=50).map(tuple), pictures),
)


@given(host_packets, channel)
def test_host_packets_come_through(packet: HostPacket, seq: int) -> None:
    frame = to_frame(packet, seq)
    assert frame.seq == seq
    assert from_host(frame) == packet


@given(st.binary(max_size=2000))
def test_packing_is_lossless_and_hardly_ever_longer(data: bytes) -> None:
    assert unpack(pack(data)) == data
    assert len(pack(data)) <= len(data) + len(data) // 128 + 1


def test_packing_shortens_pictures() -> None:
    assert len(pack(bytes(1024))) == 16
    assert len(pack((b"\xff" + bytes(7)) * 128)) < 520


@given(st.builds(Frame, channel, channel, st.binary(max_size=80)))
def test_any_frame_means_something_or_nothing(frame: Frame) -> None:
    from_node(frame)
    from_host(frame)


def test_what_the_node_says() -> None:
    chip = bytes.fromhex("e66100ff03c32817")
    who = bytes((1, 2, 3, 4, 6, 27, 0x34, 0x12, 8)) + chip
    assert from_node(Frame(0x81, 0, who)) == IAm(
        1, (2, 3, 4), NodeState.SCREEN_ALIVE | NodeState.HAS_SCENE, 27, 0x1234, chip
    )
    assert from_node(Frame(0x82, 0, bytes((0, 1, 0, 0, 9, 2, 8)))) == Heartbeat(256, 9, NodeState.SCREEN_ALIVE, 8)
    assert from_node(Frame(0x83, 0, bytes((9, 8, 10, 0, 0, 0, 1, 1, 0, 0)))) == Done(9, NodeState.CAPPED, 10, 257)
    assert from_node(Frame(0x84, 0, bytes((5, 1, 1, 200, 0)))) == ButtonEvent(5, Button.TAKE, Press.LONG, 200)


@pytest.mark.parametrize(
    "frame",
    [
        Frame(0x84, 0, bytes((0, 1, 1, 0, 0))),
        Frame(0x84, 0, bytes((1, 4, 0, 0, 0))),
        Frame(0x84, 0, bytes((1, 0, 2, 0, 0))),
        Frame(0x84, 0, bytes((1, 0, 0, 0))),
        Frame(0x81, 0, bytes((1, 0, 0, 0, 0, 27, 0, 0, 8, 1, 2))),
        Frame(0xEE, 0, bytes(20)),
        Frame(0x10, 0, bytes(20)),
    ],
)
def test_forms_it_does_not_know_mean_nothing(frame: Frame) -> None:
    assert from_node(frame) is None


def test_a_newer_node_may_say_more() -> None:
    assert from_node(Frame(0x84, 0, bytes((5, 1, 1, 200, 0, 99, 98)))) == ButtonEvent(5, Button.TAKE, Press.LONG, 200)


def test_scenes_of_a_wrong_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="1023"):
        to_frame(ScenePacket((), bytes(1023)), 0)
    with pytest.raises(ValueError, match="51 lights"):
        to_frame(ScenePacket(((0, 0, 0),) * 51, bytes(1024)), 0)
