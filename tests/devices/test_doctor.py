"""`nardi doctor`: names every missing piece and its remedy (CASES 44)."""

import datetime
import importlib.util
import shutil
from pathlib import Path

import pytest

from nardi import board_sizes
from nardi.cli import doctor
from nardi.devices import serial_line
from nardi.devices.serial_line import Port
from nardi.text.message import Message
from nardi_vision import sizes
from nardi_vision.calibration import Calibration, Method


def parameters(message: Message) -> dict[str, object]:
    return dict(message.parameters)


def test_every_missing_package_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(Path, "exists", lambda _: False)
    found = list(doctor.packages())
    assert [finding.good for finding in found] == [False] * 5
    for finding, package in zip(found, doctor.PACKAGES, strict=True):
        assert parameters(finding.message) == {"package": package, "remedy": f"sudo apt-get install {package}"}


def test_gnubg_is_found_where_services_do_not_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(Path, "exists", lambda path: str(path) == "/usr/games/gnubg")
    assert [finding.message.id for finding in doctor.packages() if finding.good] == ["doctor.package.gnubg"]


def test_every_missing_module_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in ("cv2", "bleak") else object())
    missing = [parameters(finding.message) for finding in doctor.modules() if not finding.good]
    assert [(one["module"], one["remedy"]) for one in missing] == [
        ("cv2", "pip install -e '.[eye]'"),
        ("bleak", "pip install -e '.[devices]'"),
    ]


def test_the_camera_software_is_missed_on_a_pi_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "picamera2" else object())
    monkeypatch.setattr(doctor, "PI_MODEL", tmp_path / "model")
    assert all(finding.good for finding in doctor.modules())
    doctor.PI_MODEL.write_text("Raspberry Pi 5")
    (missing,) = [finding for finding in doctor.modules() if not finding.good]
    assert "--system-site-packages" in str(parameters(missing.message)["remedy"])


def test_what_is_plugged_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    usable = tmp_path / "ttyACM0"
    usable.touch()
    ports = [
        Port(str(usable), "E66", "2E8A:0005"),
        Port(str(usable), "30AE", "303A:1001"),
        Port(str(tmp_path / "gone"), "1", "1A86:7523", "USB Serial"),
        Port("/dev/ttyS0"),
    ]
    monkeypatch.setattr(serial_line, "plugged_ports", lambda: ports)
    assert [(finding.good, finding.message.id) for finding in doctor.ports()] == [
        (True, "doctor.port.rp2"),
        (True, "doctor.port.esp32"),
        (False, "doctor.port.forbidden"),
    ]
    monkeypatch.setattr(serial_line, "plugged_ports", lambda: [])
    assert [(finding.good, finding.message.id) for finding in doctor.ports()] == [(None, "doctor.port.none")]


def test_cameras_in_their_order(tmp_path: Path) -> None:
    assert [finding.message.id for finding in doctor.cameras(tmp_path)] == ["doctor.camera.none"]
    for name in ("video10", "video2", "video0", "vcs"):
        (tmp_path / name).touch()
    devices = [parameters(finding.message)["device"] for finding in doctor.cameras(tmp_path)]
    assert devices == [str(tmp_path / name) for name in ("video0", "video2", "video10")]


def test_the_sizes_of_boards_and_what_is_wrong_with_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (good,) = doctor.sizes()
    assert (good.good, parameters(good.message)) == (True, {"boards": "nardi-60, case-46, travel-35"})
    broken = tmp_path / "board.toml"
    broken.write_text(sizes.BOARD_FILE.read_text(encoding="utf-8").replace("pitch_mm = 37", "pitch_mm = 38"))
    monkeypatch.setattr(board_sizes, "load_sizes", lambda: sizes.load_sizes(broken))
    (bad,) = doctor.sizes()
    assert (bad.good, bad.message.id) == (False, "eye.board_sizes_wrong")
    assert "[boards.case-46]" in str(parameters(bad.message)["faults"])


def test_a_calibration_is_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert list(doctor.calibrations(None)) == []
    config = tmp_path / "table.toml"
    config.write_text('[board]\ncalibration = "here.json"\n')
    assert [finding.message.id for finding in doctor.calibrations(config)] == ["eye.calibration_missing"]
    near = ((5.0, 5.0), (955.0, 5.0), (955.0, 715.0), (5.0, 715.0))
    Calibration(near, (960, 720), datetime.date(2026, 1, 2), Method.GIVEN).save(tmp_path / "here.json")
    ids = [(finding.good, finding.message.id) for finding in doctor.calibrations(config)]
    assert ids == [(True, "framing.seen"), (True, "framing.unnamed"), (False, "framing.edge")]
    (tmp_path / "here.json").rename(doctor.CALIBRATION)
    assert [(finding.good, finding.message.id) for finding in doctor.calibrations(None)] == ids
