"""Bytes ↔ frames on the host's side."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nardi.devices.wire.frame import (
    PAYLOAD_MAX,
    Frame,
    FrameReader,
    cobs_decode,
    cobs_encode,
    crc16,
    decode_frame,
    encode_frame,
)

GOLDEN = Path(__file__).parents[1] / "golden" / "wire" / "frames.jsonl"
frames = st.builds(
    Frame,
    st.integers(0, 255),
    st.integers(0, 255),
    st.binary(max_size=300) | st.binary(min_size=250, max_size=PAYLOAD_MAX),
)


def test_the_checksum_is_the_published_one() -> None:
    # CRC-16/CCITT-FALSE's check value in the catalogues.
    assert crc16(b"123456789") == 0x29B1


@pytest.mark.parametrize(
    ("plain", "coded"),
    # The examples of the COBS paper and its usual descriptions.
    [
        ("", "01"),
        ("00", "0101"),
        ("0000", "010101"),
        ("11220033", "0311220233"),
        ("11223344", "0511223344"),
        ("11000000", "0211010101"),
    ],
)
def test_cobs_as_published(plain: str, coded: str) -> None:
    assert cobs_encode(bytes.fromhex(plain)).hex() == coded
    assert cobs_decode(bytes.fromhex(coded)) == bytes.fromhex(plain)


def test_golden_frames() -> None:
    rows = [json.loads(line) for line in GOLDEN.read_text().splitlines()]
    assert len(rows) >= 14
    for row in rows:
        frame = Frame(row["kind"], row["seq"], bytes.fromhex(row["payload"]))
        assert encode_frame(frame).hex() == row["frame"], row["note"]
        assert decode_frame(bytes.fromhex(row["frame"])[:-1]) == frame, row["note"]


@given(st.binary(max_size=800))
def test_cobs_round_trip(data: bytes) -> None:
    coded = cobs_encode(data)
    assert 0 not in coded
    assert cobs_decode(coded) == data


@given(st.lists(frames, max_size=5), st.integers(1, 600))
def test_frames_come_through_however_they_are_cut(sent: list[Frame], size: int) -> None:
    data = b"".join(map(encode_frame, sent))
    reader = FrameReader()
    got = [frame for at in range(0, len(data), size) for frame in reader.feed(data[at : at + size])]
    assert got == sent
    assert (reader.good, reader.bad) == (len(sent), 0)


@given(st.binary(max_size=3000), st.lists(frames, min_size=2, max_size=3))
def test_after_garbage_at_most_one_frame_is_lost(garbage: bytes, sent: list[Frame]) -> None:
    got = FrameReader().feed(garbage + b"".join(map(encode_frame, sent)))
    assert got[-len(sent) + 1 :] == sent[1:]


@settings(derandomize=True)
@given(frames, st.data())
def test_a_frame_with_two_flipped_bits_is_never_taken_for_another(frame: Frame, data: st.DataObject) -> None:
    coded = bytearray(encode_frame(frame))
    for _ in range(2):
        coded[data.draw(st.integers(0, len(coded) - 2))] ^= 1 << data.draw(st.integers(0, 7))
    got = FrameReader().feed(bytes(coded) + b"\0")
    assert got in ([], [frame])


def test_a_million_random_bytes() -> None:
    chance = random.Random(1)
    reader = FrameReader()
    for _ in range(1000):
        reader.feed(chance.randbytes(1000))
    last = Frame(0x82, 1, b"still here")
    assert reader.feed(b"\0" + encode_frame(last)) == [last]
    assert reader.bad > 1000


def test_endless_bytes_without_a_zero_take_no_memory() -> None:
    reader = FrameReader()
    for _ in range(100):
        assert reader.feed(b"\x55" * 10000) == []
    assert len(reader._rest) <= 1300
    assert reader.feed(b"\0") == []
    assert reader.bad == 1


def test_a_payload_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="1201"):
        encode_frame(Frame(1, 1, bytes(1201)))
