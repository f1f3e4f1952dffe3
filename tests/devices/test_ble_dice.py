"""GoDice and Pixels: their messages, and links that fail one by one (CASES 32-34)."""

import asyncio
import random
import threading
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardi.devices.ble import BleDice
from nardi.devices.dice_report import Battery, DiceReport, Lifted, LineFault, Lost, Rolling, Settled
from nardi.devices.godice import FACES, GoDie
from nardi.devices.gravity import nearest_face
from nardi.devices.pixels import CROOKED_TILT_DEG, PixelsDie
from nardi.devices.serial_line import Backoff
from nardi.devices.url import DeviceUrl
from nardi.errors import InputError


def vector(x: int, y: int, z: int) -> bytes:
    return bytes(value & 255 for value in (x, y, z))


@pytest.mark.parametrize("face", FACES)
def test_each_godice_face(face: int) -> None:
    die = GoDie("w1")
    assert die.feed(b"R") == [Rolling("w1", 1)]
    assert die.feed(b"S" + vector(*FACES[face])) == [Settled("w1", 2, face, 0)]


def test_only_a_plain_stable_is_a_throw() -> None:
    die = GoDie("b1")
    assert die.feed(b"FS" + vector(0, 0, 64)) == []
    assert die.feed(b"MS" + vector(0, 0, 64)) == []
    # On an edge: told as leaning, so that it is called cocked.
    assert die.feed(b"TS" + vector(0, 45, 45)) == [Settled("b1", 1, 2, 45)]
    assert die.feed(b"TS" + vector(0, 0, 64)) == [Settled("b1", 2, 2, 20)]
    assert die.feed(b"S" + vector(-60, 10, 3)) == [Settled("b1", 3, 1, 10)]


def test_godice_battery_colour_and_what_is_unknown() -> None:
    die = GoDie("w1")
    assert die.feed(b"Bat\x57") == [Battery("w1", 1, 87)]
    assert die.feed(b"Col\x02") == []
    assert die.feed(b"Char\x01") == []
    assert die.faults == 0
    for message in (b"", b"S", b"S\x01\x02", b"F", b"Ba", b"\x19\x01\x02", b"S\x00\x00\x00", b"RR"):
        (fault,) = die.feed(message)
        assert isinstance(fault, LineFault)
    assert die.faults == 8
    assert die.seq == 1


def test_pixels_tell_a_throw_by_its_change() -> None:
    die = PixelsDie("w2")
    # What lies there at connecting is no throw.
    assert die.feed(bytes((3, 1, 4))) == []
    assert die.feed(bytes((3, 2, 4))) == [Lifted("w2", 1)]
    assert die.feed(bytes((3, 3, 0))) == [Rolling("w2", 2)]
    assert die.feed(bytes((3, 1, 5))) == [Settled("w2", 3, 6, 0)]
    assert die.feed(bytes((3, 1, 5))) == []
    # Put down by hand.
    assert die.feed(bytes((3, 2, 5))) == [Lifted("w2", 4)]
    assert die.feed(bytes((3, 1, 0))) == []
    # Crooked, then nudged flat: one throw.
    assert die.feed(bytes((3, 3, 0))) == [Rolling("w2", 5)]
    assert die.feed(bytes((3, 4, 1))) == [Settled("w2", 6, 2, CROOKED_TILT_DEG)]
    assert die.feed(bytes((3, 1, 1))) == [Settled("w2", 7, 2, 0)]


def test_pixels_other_messages() -> None:
    die = PixelsDie("w2")
    assert die.feed(bytes((34, 90, 0))) == [Battery("w2", 1, 90)]
    assert die.feed(bytes((2, 21, 0, 0, 0))) == []
    assert die.leds == 21
    assert die.feed(bytes((4, 1, 2))) == []
    for message in (b"", b"\x03", b"\x03\x01", b"\x22", b"\x02", bytes((3, 9, 0)), bytes((3, 1, 6))):
        (fault,) = die.feed(message)
        assert isinstance(fault, LineFault)
    assert die.faults == 7


def test_a_link_lost_while_rolling_leaves_it_unknown() -> None:
    go, pixel = GoDie("w1"), PixelsDie("w2")
    go.feed(b"R")
    pixel.feed(bytes((3, 3, 0)))
    assert go.cut() == [Lost("w1")]
    assert pixel.cut() == [Lost("w2")]
    # Back again: lying still is no answer to the throw that nobody saw end.
    assert pixel.feed(bytes((3, 1, 5))) == []


@given(st.lists(st.binary(max_size=24), max_size=30))
def test_random_messages_never_crash_and_never_make_up_a_face(messages: list[bytes]) -> None:
    for die in (GoDie("w1"), PixelsDie("w1")):
        for message in messages:
            for report in die.feed(message):
                if isinstance(report, Settled):
                    assert 1 <= report.value <= 6
                    assert message[:1] in (b"S", b"T", b"\x03")


def test_a_million_random_bytes() -> None:
    chance = random.Random(3)
    go, pixel = GoDie("w1"), PixelsDie("w1")
    sent = 0
    while sent < 1_000_000:
        message = chance.randbytes(chance.randrange(1, 20))
        sent += len(message)
        go.feed(message)
        pixel.feed(message)
    assert go.faults > 10_000
    assert go.feed(b"R") == [Rolling("w1", go.seq)]


@given(st.tuples(st.integers(-128, 127), st.integers(-128, 127), st.integers(-128, 127)))
def test_the_nearest_face_is_within_its_cone(seen: tuple[int, int, int]) -> None:
    found = nearest_face(seen, FACES)
    if found is None:
        assert seen == (0, 0, 0)
    else:
        # The corner of a cube is the farthest from all faces.
        assert 0 <= found[1] <= 55


class AirRadio:
    """Dice that come and go as the test says; an absent one cannot be connected to."""

    def __init__(self) -> None:
        self.present: set[str] = set()
        self.tries: dict[str, int] = {}
        self._heard: dict[str, Callable[[bytes], None]] = {}
        self._gone: dict[str, asyncio.Event] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    async def serve(
        self, address: str, notify: str, write: str, greeting: bytes, heard: Callable[[bytes], None]
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self.tries[address] = self.tries.get(address, 0) + 1
        if address not in self.present:
            raise OSError("not found")
        self._heard[address] = heard
        self._gone[address] = asyncio.Event()
        await self._gone[address].wait()

    def say(self, address: str, data: bytes) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._heard[address], data)

    def leave(self, address: str) -> None:
        assert self._loop is not None
        self.present.discard(address)
        self._loop.call_soon_threadsafe(self._gone[address].set)

    def connected(self, address: str) -> bool:
        return address in self._heard


def until(true: Callable[[], bool], seconds: float = 3.0) -> bool:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.005)
    return true()


def test_case_33_two_dice_are_independent_and_each_cut_is_said_once() -> None:
    radio = AirRadio()
    radio.present = {"A", "B"}
    reports: list[DiceReport] = []
    lock = threading.Lock()

    def heard(report: DiceReport, at_ms: int) -> None:
        with lock:
            reports.append(report)

    dice = BleDice("godice", {"w1": "A", "w2": "B"}, heard, radio=lambda: radio, backoff=lambda: Backoff(lambda: 0))
    dice.start()
    try:
        assert until(lambda: radio.connected("A") and radio.connected("B"))
        radio.say("A", b"R")
        radio.say("B", b"R")
        assert until(lambda: len(reports) == 2)
        radio.leave("A")
        assert until(lambda: Lost("w1") in reports)
        # The other one goes on, and the lost one is tried again and again without a word.
        tries = radio.tries["A"]
        assert until(lambda: radio.tries["A"] >= tries + 2)
        radio.say("B", b"S" + vector(*FACES[3]))
        assert until(lambda: len(reports) == 4)
        radio.present.add("A")
        before = radio.tries["A"]
        assert until(lambda: radio.tries["A"] > before + 0 and radio.connected("A"))
        time.sleep(0.1)
        radio.say("A", b"R")
        assert until(lambda: len(reports) == 5)
        assert reports[2:] == [Lost("w1"), Settled("w2", 2, 3, 0), Rolling("w1", 2)]
    finally:
        dice.stop()


def test_stopped_at_once_it_stops() -> None:
    radio = AirRadio()
    for _ in range(20):
        dice = BleDice("pixels", {"w1": "A"}, lambda report, at_ms: None, radio=lambda: radio)
        dice.start()
        dice.stop()


def test_urls_of_dice() -> None:
    with pytest.raises(InputError) as caught:
        BleDice.from_url(DeviceUrl.parse("godice:", ("godice",)), lambda report, at_ms: None)
    assert caught.value.message.id == "devices.url.no_dice"
    with pytest.raises(InputError) as caught:
        BleDice.from_url(DeviceUrl.parse("pixels:?x9=AA", ("pixels",)), lambda report, at_ms: None)
    assert caught.value.message.id == "devices.url.unknown_option"
