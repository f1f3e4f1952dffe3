"""The die's and the base's real firmware in a real MicroPython, fed with what an accelerometer feels."""

import json
import random
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from microcontroller import Cable, Microcontroller, needs_micropython, run_script
from node_host import until
from throw import FACES, Motions, calibration_motions

from nardi.devices.dice_report import Battery, DiceReport, Lifted, LineFault, LineReason, Lost, Rolling, Settled
from nardi.devices.dice_serial import DiceLines, SerialDice
from nardi.devices.serial_line import Address, Port

pytestmark = [needs_micropython, pytest.mark.slow]

Boot = Callable[..., Microcontroller]
BY_USB = {"RADIO": "none", "BATTERY_ADC": None}


class Die:
    """A die process whose motions are written sample by sample; reads its lines until it has caught up."""

    def __init__(self, boot: Boot, tmp_path: Path, calibrated: bool = True, **options: Any) -> None:
        self.lines = DiceLines()
        self.remarks: list[str] = []
        self._motion = tmp_path / "motion"
        self._motion.touch()
        self.home = tmp_path / "die" / "flash"
        if calibrated:
            self.home.mkdir(parents=True)
            directions = [[round(value) for value in FACES[face]] for face in range(1, 7)]
            (self.home / "faces.json").write_text(json.dumps(directions))
        options.setdefault("settings", {**BY_USB})
        self.controller = boot("die", NARDI_MOTION=str(self._motion), **options)

    def feels(self, motions: Motions, seconds: float | None = None) -> list[DiceReport]:
        """What the die says to `motions`: at 31 samples a 10 ms it takes a thirtieth of the real time."""
        with self._motion.open("ab") as file:
            file.write(motions.packed())
        data = self.controller.read(seconds or 0.35 + len(motions.samples) / 31 * 0.016)
        self.remarks += [line.decode() for line in data.splitlines() if line.startswith(b"#")]
        return self.lines.feed(data, 0)


def said(reports: list[DiceReport]) -> list[tuple[object, ...]]:
    """The reports without their numbers."""
    found: list[tuple[object, ...]] = []
    for report in reports:
        match report:
            case Settled(_, _, value, tilt):
                found.append(("settled", value, tilt))
            case other:
                found.append((type(other).__name__.lower(),))
    return found


@pytest.mark.parametrize(
    ("settings"),
    [BY_USB, {**BY_USB, "ACCELEROMETER": "adxl345", "ADDRESS": 0x53}],
    ids=["lis3dh", "adxl345"],
)
def test_every_face_thrown_is_the_face_told(boot: Boot, tmp_path: Path, settings: dict[str, Any]) -> None:
    die = Die(boot, tmp_path, settings=settings)
    die.feels(Motions().rest(1))
    for face in range(1, 7):
        reports = said(die.feels(Motions(face).carry().shake().hold().throw(face)))
        value = reports[-1]
        assert [kind for kind, *_ in reports] == ["lifted", "rolling", "settled"][face == 1 :]
        assert value[1] == face
        assert isinstance(value[2], int)
        assert value[2] <= 2
    assert not die.lines.faults


def test_a_leaning_die_tells_how_much_it_leans(boot: Boot, tmp_path: Path) -> None:
    die = Die(boot, tmp_path)
    for tilt in (0, 5, 12, 30, 44):
        *_, (kind, value, told) = said(die.feels(Motions(tilt).carry().throw(5, tilt_deg=tilt)))
        assert (kind, value) == ("settled", 5)
        assert abs(told - tilt) <= 2


def test_bumps_and_quiet_hands_say_nothing(boot: Boot, tmp_path: Path) -> None:
    die = Die(boot, tmp_path)
    assert said(die.feels(Motions(1).carry().throw(3)))[-1][:2] == ("settled", 3)
    assert die.feels(Motions(2).bump(3).bump(3, 900).bump(3, 3500)) == []
    # Taken up, held as still as a hand can, put down on another face: its value is void, and it is no throw.
    assert said(die.feels(Motions(3).carry().hold(300).rest(6, 200))) == [("lifted",)]
    # A bang on the table beside it is no throw either.
    assert die.feels(Motions(4).rest(6).bump(6, 3500)) == []


def test_a_thousand_throws_as_different_as_people(tmp_path: Path) -> None:
    """The firmware's own reckoning in MicroPython, without the wait for the clock."""
    chance = random.Random(2026)
    motions = Motions().carry().throw(1)
    wanted = ["ROLLING", "SETTLED 1"]
    for turn in range(1000):
        face = chance.randint(1, 6)
        noise = Motions(turn, noise_mg=chance.uniform(2, 6)).carry(chance.randint(90, 200))
        if chance.random() < 0.7:
            noise.shake(chance.randint(20, 120)).hold(chance.randint(10, 120))
        if chance.random() < 0.2:
            noise.throw(face, spin_g=chance.uniform(0.05, 0.9)).bump(face, chance.uniform(200, 4000))
        else:
            noise.throw(face, spin_g=chance.uniform(0.05, 0.9))
        motions.samples += noise.samples
        wanted += ["LIFTED", "ROLLING", f"SETTLED {face}"]
    (tmp_path / "samples").write_bytes(motions.packed())
    (tmp_path / "faces.json").write_text(json.dumps([FACES[face] for face in range(1, 7)]))
    script = Path(__file__).parent / "board" / "reckon.py"
    told = run_script(script, "samples", folders=("die",), cwd=tmp_path).split("\n")
    assert told[:-1] == wanted


def test_the_faces_are_learned_once_and_kept(boot: Boot, tmp_path: Path) -> None:
    die = Die(boot, tmp_path, calibrated=False)
    assert die.feels(calibration_motions()) == []
    assert die.remarks[0] == "# lay the die with 1 on top and let go"
    assert die.remarks[-1] == "# calibrated"
    assert said(die.feels(Motions(9).carry().throw(4)))[-1][:2] == ("settled", 4)
    die.controller.stop()
    die.controller.start()
    assert said(die.feels(Motions(9).carry().throw(2), seconds=3.0))[-1][:2] == ("settled", 2)


def test_faces_shown_in_a_wrong_order_are_asked_for_again(boot: Boot, tmp_path: Path) -> None:
    die = Die(boot, tmp_path, calibrated=False)
    wrong = Motions(1)
    for face in (1, 6, 2, 5, 3, 4):
        wrong.rest(face, 120).carry(60)
    die.feels(wrong)
    assert "# 1 and 6 are not opposite: once more from the start" in die.remarks
    assert not (die.home / "faces.json").exists()


def test_the_battery_is_told(boot: Boot, tmp_path: Path) -> None:
    die = Die(boot, tmp_path, settings={"RADIO": "none"}, NARDI_ADC_VOLTS="1.9")
    assert [report.percent for report in die.feels(Motions()) if isinstance(report, Battery)] == [50]


def test_a_loose_sensor_wire_makes_the_die_silent_until_it_is_thrown_again(boot: Boot, tmp_path: Path) -> None:
    die = Die(boot, tmp_path)
    assert said(die.feels(Motions(1).carry().throw(3)))[-1][:2] == ("settled", 3)
    die.controller.plug()
    assert die.feels(Motions(2)) == []
    die.controller.plug(0x18)
    assert die.feels(Motions(2).rest(3, 300), seconds=1.0) == []
    assert said(die.feels(Motions(3).carry().throw(2)))[-1][:2] == ("settled", 2)


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports: list[int] = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@pytest.mark.parametrize("loss", [0, 30])
def test_four_dice_reach_the_host_through_the_base(
    boot: Boot, cable: Callable[[Microcontroller], Cable], tmp_path: Path, loss: int
) -> None:
    names = ("w1", "w2", "b1", "b2")
    air, *ports = free_ports(5)
    base = boot("base", NARDI_AIR=",".join(map(str, (air, *ports))), NARDI_AIR_LOSS=str(loss))
    line = cable(base)
    reports: list[DiceReport] = []

    def plugged() -> list[Port]:
        return [Port(line.path, "B1", "303A:1001")] if line.path else []

    dice = SerialDice(Address(serial_number="B1"), lambda report, at_ms: reports.append(report), ports=plugged)
    dice.start()
    try:
        directions = json.dumps([[round(value) for value in FACES[face]] for face in range(1, 7)])
        for name, port in zip(names, ports, strict=True):
            home = tmp_path / name / "flash"
            home.mkdir(parents=True)
            (home / "faces.json").write_text(directions)
            motion = tmp_path / name / "motion"
            motions = Motions(port).carry()
            for face in (1, 2, 3):
                motions.throw(face).carry()
            motion.write_bytes(motions.packed())
            boot(
                "die",
                name=name,
                settings={"DIE_ID": name},
                NARDI_MOTION=str(motion),
                NARDI_AIR=f"{port},{air}",
                NARDI_AIR_LOSS=str(loss),
            )
        # The battery, then three times rolling, settled, lifted, from each.
        assert until(lambda: len(reports) >= 4 * 10, 12.0), reports
        for name in names:
            own = [report for report in reports if not isinstance(report, LineFault) and report.die == name]
            assert [type(report) for report in own] == [Battery] + [Rolling, Settled, Lifted] * 3
            assert [report.value for report in own if isinstance(report, Settled)] == [1, 2, 3]
        assert not dice.lines.faults
        # The plug is pulled: every die is unknown, and said so once.
        line.pull()
        assert until(lambda: {report.die for report in reports if isinstance(report, Lost)} == set(names))
    finally:
        dice.stop()


def test_a_die_left_alone_naps_with_its_radio_off_and_misses_no_throw(boot: Boot, tmp_path: Path) -> None:
    """Asleep a fifth of a second at a time, it still feels every sample, and calls as soon as it is taken up."""
    air, port = free_ports(2)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as radio:
        radio.bind(("127.0.0.1", air))
        radio.settimeout(5)

        def heard() -> bytes:
            """The next new line, answered as the base does."""
            line = radio.recv(250)
            _, die_id, seq, message = line.partition(b"*")[0].split(b",", 3)
            radio.sendto(b"ACK,%s,%s" % (die_id, seq), ("127.0.0.1", port))
            return message

        die = Die(boot, tmp_path, settings={"SLEEP_AFTER_S": 1}, NARDI_AIR=f"{port},{air}")

        def log(letter: str) -> list[int]:
            return [number for kind, number, _ in die.controller.log.records() if kind == letter]

        assert heard().startswith(b"BATTERY,")
        die.feels(Motions().rest(1))
        assert until(lambda: len(log("Z")) >= 2, 5.0)
        assert log("N") == [1, 0]  # on at the start, off before the first nap
        with (tmp_path / "motion").open("ab") as file:
            file.write(Motions(5).carry().throw(4).packed())
        told = [heard()]
        while not told[-1].startswith(b"SETTLED"):
            line = heard()
            if line != told[-1]:  # a repetition on its way
                told.append(line)
        assert [line.partition(b",")[0] for line in told][-2:] == [b"ROLLING", b"SETTLED"]
        assert told[-1].startswith(b"SETTLED,4,")
        assert log("N")[:3] == [1, 0, 1]
        naps = len(log("Z"))
        assert until(lambda: log("N")[-1] == 0 and len(log("Z")) > naps, 5.0)


def test_a_line_the_base_never_heard_shows_as_a_gap(boot: Boot) -> None:
    air, port = free_ports(2)
    base = boot("base", NARDI_AIR=f"{air},{port}")
    base.read(0.2)
    lines = DiceLines()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as radio:
        for message in (b"$DIE,w1,7,ROLLING*48", b"$DIE,w1,7,ROLLING*48", b"$DIE,w1,7,ROLLING*00", b"\xff" * 200, b""):
            radio.sendto(message, ("127.0.0.1", air))
        radio.sendto(b"$DIE,zz,1,LIFTED*04", ("127.0.0.1", air))
        radio.sendto(b"$DIE,w1,9,LIFTED*0D", ("127.0.0.1", air))
        reports = lines.feed(base.read(0.3), 0)
    assert reports == [
        Rolling("w1", 7),
        LineFault(LineReason.GAP, "$DIE,w1,9,LIFTED*0D"),
        Lost("w1"),
        Lifted("w1", 9),
    ]
