"""Dice lines: what they say, what is wrong with them, what is unknown after a cut (CASES 31, 32, 34)."""

import json
import os
import pty
import random
import time
import tty
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardi.devices.dice_report import (
    DIE_IDS,
    Battery,
    DiceReport,
    Lifted,
    LineFault,
    LineReason,
    Lost,
    Rolling,
    Settled,
)
from nardi.devices.dice_serial import ROLL_LIMIT_MS, DiceLines, SerialDice, dice_line
from nardi.devices.serial_line import Address, Port

RECORDINGS = Path(__file__).parents[2].parent / "shared" / "recordings"


def feed(*bodies: str) -> list[DiceReport]:
    return DiceLines().feed("".join(f"{dice_line(body)}\r\n" for body in bodies).encode(), 0)


def test_every_kind_of_line() -> None:
    assert feed("DIE,w1,1,ROLLING", "DIE,w1,2,SETTLED,6,1", "DIE,w1,3,LIFTED", "DIE,w1,4,BATTERY,87") == [
        Rolling("w1", 1),
        Settled("w1", 2, 6, 1),
        Lifted("w1", 3),
        Battery("w1", 4, 87),
    ]


def test_the_published_example_lines() -> None:
    # As in the recordings, sums included.
    assert DiceLines().feed(b"$DIE,w1,1,ROLLING*4E\n$DIE,w1,2,SETTLED,6,1*4C\n$DIE,w1,3,LIFTED*07\n", 0) == [
        Rolling("w1", 1),
        Settled("w1", 2, 6, 1),
        Lifted("w1", 3),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"$DIE,w1,1,ROLLING*4F", LineReason.CHECKSUM),
        (b"$DIE,w1,1,ROLLING", LineReason.SHAPE),
        (b"DIE,w1,1,ROLLING*4E", LineReason.SHAPE),
        (b"$DIE,w1,1,ROLLING*4E ", LineReason.SHAPE),
        (b"$$DIE,w1,1,ROLLING*4E", LineReason.SHAPE),
        (b"\xff\xfe", LineReason.SHAPE),
        (dice_line("DIE,w3,1,ROLLING").encode(), LineReason.UNKNOWN_DIE),
        (dice_line("DIE,w1,1,SPINNING").encode(), LineReason.UNKNOWN_KIND),
        (dice_line("DIE,w1,1,SETTLED,7,0").encode(), LineReason.VALUE),
        (dice_line("DIE,w1,1,SETTLED,0,0").encode(), LineReason.VALUE),
        (dice_line("DIE,w1,1,SETTLED,3,91").encode(), LineReason.VALUE),
        (dice_line("DIE,w1,1,SETTLED,3,-1").encode(), LineReason.VALUE),
        (dice_line("DIE,w1,1,SETTLED,3").encode(), LineReason.SHAPE),
        (dice_line("DIE,w1,1,ROLLING,3").encode(), LineReason.SHAPE),
        (dice_line("DIE,w1,65536,ROLLING").encode(), LineReason.VALUE),
        (dice_line("DIE,w1,+1,ROLLING").encode(), LineReason.VALUE),
        (dice_line("DIE,w1,1,BATTERY,101").encode(), LineReason.VALUE),
        (dice_line("DICE,w1,1,LIFTED").encode(), LineReason.SHAPE),
        (b"$" + b"A" * 200, LineReason.TOO_LONG),
    ],
)
def test_a_wrong_line_is_a_fault_and_nothing_else(line: bytes, reason: LineReason) -> None:
    lines = DiceLines()
    (fault,) = lines.feed(line + b"\n", 0)
    assert isinstance(fault, LineFault)
    assert fault.reason is reason
    assert fault.text
    assert lines.faults == {reason: 1}
    assert lines.lines == 0
    # It spoils nothing after it.
    assert lines.feed(dice_line("DIE,w1,1,ROLLING").encode() + b"\n", 0) == [Rolling("w1", 1)]


def test_a_gap_is_reported_and_what_lay_between_is_unknown() -> None:
    reports = feed("DIE,w1,1,SETTLED,5,0", "DIE,b1,9,LIFTED", "DIE,w1,4,SETTLED,2,0", "DIE,b1,10,ROLLING")
    assert reports == [
        Settled("w1", 1, 5, 0),
        Lifted("b1", 9),
        LineFault(LineReason.GAP, dice_line("DIE,w1,4,SETTLED,2,0")),
        Lost("w1"),
        Settled("w1", 4, 2, 0),
        Rolling("b1", 10),
    ]


def test_a_line_said_twice_counts_once() -> None:
    assert [type(report) for report in feed("DIE,w1,5,SETTLED,5,0", "DIE,w1,5,SETTLED,5,0")] == [Settled, LineFault]


def test_numbers_start_anew_after_65535() -> None:
    assert feed("DIE,w1,65535,ROLLING", "DIE,w1,0,SETTLED,1,0") == [Rolling("w1", 65535), Settled("w1", 0, 1, 0)]


def test_a_die_cut_off_while_rolling_is_unknown_until_it_speaks_again() -> None:
    lines = DiceLines()
    lines.feed((dice_line("DIE,w1,7,SETTLED,6,0") + "\n" + dice_line("DIE,b1,3,LIFTED") + "\n").encode(), 0)
    lines.feed(dice_line("DIE,w1,8,ROLLING").encode() + b"\n$DIE,w1,9,SET", 10)
    assert lines.cut() == [Lost("w1"), Lost("b1")]
    # Nothing comes back by itself: not the old value, and not the torn line.
    assert lines.feed(b"", 60_000) == []
    assert lines.feed(b"TLED,6,0*00\n", 61_000) == [LineFault(LineReason.SHAPE, "TLED,6,0*00")]
    assert lines.feed(dice_line("DIE,w1,31,ROLLING").encode() + b"\n", 62_000) == [Rolling("w1", 31)]


def test_a_die_that_rolls_for_ever_is_lost_once() -> None:
    lines = DiceLines()
    lines.feed(dice_line("DIE,w1,1,ROLLING").encode() + b"\n", 1000)
    assert lines.feed(b"", 1000 + ROLL_LIMIT_MS - 1) == []
    assert lines.feed(b"", 1000 + ROLL_LIMIT_MS) == [Lost("w1")]
    assert lines.feed(b"", 9 * ROLL_LIMIT_MS) == []


def test_remarks_are_for_people() -> None:
    lines = DiceLines()
    assert lines.feed(b"# lay the die with 1 on top\r\n", 0) == []
    assert lines.remarks == 1


bodies = st.one_of(
    st.builds("DIE,{},{},ROLLING".format, st.sampled_from(DIE_IDS), st.integers(0, 65535)),
    st.builds(
        "DIE,{},{},SETTLED,{},{}".format,
        st.sampled_from(DIE_IDS),
        st.integers(0, 65535),
        st.integers(1, 6),
        st.integers(0, 90),
    ),
)


@given(st.lists(bodies, max_size=8), st.integers(1, 50))
def test_lines_come_through_however_they_are_cut(said: list[str], size: int) -> None:
    data = "".join(f"{dice_line(body)}\r\n" for body in said).encode()
    pieces, whole = DiceLines(), DiceLines()
    got = [report for at in range(0, len(data), size) for report in pieces.feed(data[at : at + size], 0)]
    assert got == whole.feed(data, 0)


@given(st.binary(max_size=400))
def test_garbage_is_never_a_throw(data: bytes) -> None:
    lines = DiceLines()
    for report in lines.feed(data + b"\n", 0):
        assert isinstance(report, LineFault)
    assert lines.feed(dice_line("DIE,s1,1,ROLLING").encode() + b"\n", 0) == [Rolling("s1", 1)]


def test_a_million_random_bytes() -> None:
    chance = random.Random(5)
    lines = DiceLines()
    for _ in range(1000):
        for report in lines.feed(chance.randbytes(1000), 0):
            assert isinstance(report, LineFault)
    assert sum(lines.faults.values()) > 1000
    good = (dice_line("DIE,s1,1,ROLLING") + "\n").encode()
    # The garbage's end spoils at most one line: the second of two is taken, if the first was not.
    assert Rolling("s1", 1) in lines.feed(good + good, 0)


def test_no_flipped_bit_passes() -> None:
    good = dice_line("DIE,b2,12,SETTLED,4,3").encode()
    for at in range(len(good)):
        for bit in range(8):
            line = bytearray(good)
            line[at] ^= 1 << bit
            reports = DiceLines().feed(bytes(line) + b"\n", 0)
            # The sum's own letters may change case.
            assert all(isinstance(report, LineFault) for report in reports) or bytes(line).upper() == good.upper()


@pytest.mark.parametrize("name", ["backgammon-1", "long-1", "disputes-1", "bearoff-1", "arena-1"])
def test_the_recordings_dice_are_without_fault(name: str) -> None:
    path = RECORDINGS / name / "dice.jsonl"
    if not path.exists():
        pytest.skip(f"no shared recordings beside this checkout: {path}")
    lines = DiceLines()
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    for row in rows:
        lines.feed(row["line"].encode() + b"\n", row["t_ms"])
    assert not lines.faults
    assert lines.lines == len(rows)


class Wire:
    """A pty in place of a die's USB port."""

    def __init__(self) -> None:
        self.master = self.slave = -1
        self.name = ""

    def plug_in(self, pair: tuple[int, int] | None = None) -> None:
        """`pair`: a pty already open, whose name is then not that of one that was open beside it."""
        self.master, self.slave = pair or pty.openpty()
        tty.setraw(self.slave)
        self.name = os.ttyname(self.slave)

    def pull(self) -> None:
        self.name = ""
        os.close(self.master)
        os.close(self.slave)

    def ports(self) -> list[Port]:
        return [Port(self.name, "DIE7", "303A:1001")] if self.name else []

    def say(self, text: str) -> None:
        os.write(self.master, text.encode())


def wait_for(reports: list[DiceReport], count: int, seconds: float = 3.0) -> list[DiceReport]:
    end = time.monotonic() + seconds
    while len(reports) < count and time.monotonic() < end:
        time.sleep(0.005)
    return list(reports)


def test_unplugged_while_reading_and_found_again_under_another_name() -> None:
    wire = Wire()
    wire.plug_in()
    reports: list[DiceReport] = []
    # Known at first by its path only: its serial number is learned.
    dice = SerialDice(Address(wire.name), lambda report, at_ms: reports.append(report), ports=wire.ports)
    dice.start()
    try:
        time.sleep(0.2)
        wire.say(dice_line("DIE,w1,1,ROLLING") + "\r\n")
        assert wait_for(reports, 1) == [Rolling("w1", 1)]
        wire.say("$DIE,w1,2,SETT")
        time.sleep(0.1)
        first, other = wire.name, pty.openpty()
        wire.pull()
        assert wait_for(reports, 2)[1:] == [Lost("w1")]
        wire.plug_in(other)
        assert wire.name != first
        time.sleep(1.0)
        wire.say("LED,6,0*00\r\n" + dice_line("DIE,w1,9,ROLLING") + "\r\n")
        later = wait_for(reports, 4)[2:]
        assert later == [LineFault(LineReason.SHAPE, "LED,6,0*00"), Rolling("w1", 9)]
    finally:
        dice.stop()
        wire.pull()


def test_a_port_has_one_owner() -> None:
    wire = Wire()
    wire.plug_in()
    heard: list[list[DiceReport]] = [[], []]
    dice = [
        SerialDice(Address(wire.name), lambda report, at_ms, own=own: own.append(report), ports=wire.ports)
        for own in heard
    ]
    for one in dice:
        one.start()
        time.sleep(0.2)
    try:
        wire.say(dice_line("DIE,w1,1,ROLLING") + "\r\n")
        wait_for(heard[0], 1)
        time.sleep(0.2)
        assert heard == [[Rolling("w1", 1)], []]
    finally:
        for one in dice:
            one.stop()
        wire.pull()
