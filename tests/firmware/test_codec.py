"""The firmware's and the host's codecs, written apart, held together: golden vectors, round trips, garbage."""

import json
import random
from pathlib import Path

import pytest
from microcontroller import ROOT, needs_micropython, run_script

from nardi.devices.wire.frame import Frame, FrameReader, encode_frame
from nardi.devices.wire.packbits import pack, unpack

pytestmark = [needs_micropython, pytest.mark.slow]

SCRIPT = Path(__file__).parent / "board" / "codec.py"
VECTORS = [json.loads(line) for line in (ROOT / "tests/golden/wire/frames.jsonl").read_text().splitlines()]


def micropython(mode: str, data: bytes, tmp_path: Path) -> list[str]:
    (tmp_path / "input").write_bytes(data)
    return run_script(SCRIPT, mode, "input", folders=("node",), cwd=tmp_path).splitlines()


def lines_of(frames: list[Frame]) -> list[str]:
    return [f"{frame.kind} {frame.seq} {frame.payload.hex()}" for frame in frames]


def some_frames(seed: int, count: int, longest: int) -> list[Frame]:
    """Zeros and 255s in plenty, and lengths around COBS's 254."""
    chance = random.Random(seed)
    lengths = (0, 1, 7, 247, 248, 249, 502, longest)
    frames = []
    for _ in range(count):
        payload = chance.choices((0, 1, 255, chance.randrange(256)), k=chance.choice(lengths))
        frames.append(Frame(chance.randrange(256), chance.randrange(256), bytes(payload)))
    return frames


def test_the_firmware_reads_and_writes_the_golden_frames(tmp_path: Path) -> None:
    frames = [Frame(row["kind"], row["seq"], bytes.fromhex(row["payload"])) for row in VECTORS]
    told = micropython("encode", "".join(f"{line}\n" for line in lines_of(frames)).encode(), tmp_path)
    assert told == [row["frame"] for row in VECTORS]
    told = micropython("decode", b"".join(bytes.fromhex(row["frame"]) for row in VECTORS), tmp_path)
    assert told == [*lines_of(frames), f"good {len(frames)}", "bad 0"]


def test_what_one_writes_the_other_reads(tmp_path: Path) -> None:
    frames = some_frames(1, 400, 1200)
    told = micropython("decode", b"".join(map(encode_frame, frames)), tmp_path)
    assert told == [*lines_of(frames), "good 400", "bad 0"]
    coded = micropython("encode", "".join(f"{line}\n" for line in lines_of(frames)).encode(), tmp_path)
    assert FrameReader().feed(bytes.fromhex("".join(coded))) == frames


def test_a_million_random_bytes_into_the_firmware(tmp_path: Path) -> None:
    chance = random.Random(7)
    good = some_frames(2, 2, 300)
    # No zero in the last of the garbage: the frame after it is spoiled, the next one is not.
    data = chance.randbytes(1_000_000) + b"\x55" * 3000 + b"".join(map(encode_frame, good))
    told = micropython("decode", data, tmp_path)
    host = FrameReader()
    assert told == [*lines_of(host.feed(data)), f"good {host.good}", f"bad {host.bad}"]
    assert told[-3] == lines_of(good[1:])[0]
    assert host.bad > 1000


def test_bits_flipped_in_frames_never_pass_on_either_side(tmp_path: Path) -> None:
    chance = random.Random(8)
    frame = some_frames(3, 8, 60)[-1]
    data = bytearray()
    for _ in range(2000):
        coded = bytearray(encode_frame(frame))
        for _ in range(chance.randint(1, 3)):
            coded[chance.randrange(len(coded))] ^= 1 << chance.randrange(8)
        if coded != encode_frame(frame):
            data += coded + b"\0"
    told = micropython("decode", bytes(data), tmp_path)
    host = FrameReader()
    assert told == [*lines_of(host.feed(bytes(data))), f"good {host.good}", f"bad {host.bad}"]
    assert set(told[:-2]) <= set(lines_of([frame]))


def test_pictures_packed_by_the_host_are_unpacked_by_the_firmware(tmp_path: Path) -> None:
    chance = random.Random(9)
    pictures = [
        b"".join(bytes([chance.randrange(256)]) * chance.choice((1, 1, 2, 3, 40, 200)) for _ in range(1024))[:1024]
        for _ in range(200)
    ]
    told = micropython("unpack", "".join(f"{pack(one).hex()}\n" for one in pictures).encode(), tmp_path)
    assert told == [f"1024 {one.hex()}" for one in pictures]
    # Garbage: the same judgement on both sides, and nothing written beyond the buffer.
    rubbish = [chance.randbytes(chance.randrange(1, 90)) for _ in range(2000)]
    told = micropython("unpack", "".join(f"{one.hex()}\n" for one in rubbish).encode(), tmp_path)
    for one, line in zip(rubbish, told, strict=True):
        plain = unpack(one)
        size = -1 if plain is None or len(plain) > 1024 else len(plain)
        assert line == f"{size} {plain.hex() if plain and size > 0 else ''}"
