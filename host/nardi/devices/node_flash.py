"""New files for a microcontroller: which differ, in what order, and how a cut half-way is gone on from.

While an update is under way a file named `hold` lies on the board, so that half an update never runs; each file is
copied under another name, checked by its hash and then renamed. So whatever is cut, doing the same again finishes it.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from nardi.devices.node_settings import settings_text
from nardi.devices.serial_line import Port
from nardi.errors import DeviceError, InputError
from nardi.text.message import Message

VERSION_FILE = "version.json"
HOLD_FILE = "hold"

# Run on the board. Each prints one JSON line.
HASHES_SCRIPT = """
import hashlib, json, os
def h(name):
    s = hashlib.sha256()
    with open(name, "rb") as f:
        while True:
            b = f.read(512)
            if not b: return s.digest().hex()
            s.update(b)
print(json.dumps({n: h(n) for n in os.listdir() if n.endswith(".py") or n.endswith(".json")}))
"""
VERSION_SCRIPT = """
try: print(open("version.json").read())
except OSError: print("{}")
"""
HOLD_SCRIPT = 'open("hold", "w").close(); print("{}")'
RENAME_SCRIPT = """
import json, os
try: os.remove({name!r})
except OSError: pass
os.rename({name!r} + ".new", {name!r}); print("{{}}")
"""
REMOVE_SCRIPT = """
import os
try: os.remove({name!r})
except OSError: pass
print("{{}}")
"""


@dataclass(frozen=True, slots=True)
class Package:
    """What belongs on a board. `files` in the order of copying: `main.py`, which starts the rest, near the end."""

    device: str
    version: str
    files: tuple[tuple[str, bytes], ...]

    @property
    def hashes(self) -> dict[str, str]:
        return {name: hashlib.sha256(data).hexdigest() for name, data in self.files}


def read_package(firmware: Path, device: str, tables: Mapping[str, object], die_id: str) -> Package:
    """The package of `device` out of the `firmware` folder, its settings made from node.toml's `tables`."""
    listing = firmware / device / "package.json"
    try:
        package = json.loads(listing.read_text(encoding="utf-8"))
        files = {target: (listing.parent / source).read_bytes() for target, source in package["urls"]}
        version = str(package["version"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(Message.of("flash.no_firmware", folder=str(firmware), reason=str(error))) from error
    files["settings.py"] = settings_text(dict(tables), device, die_id).encode()
    # Kept for the next comparison; written last, so it never speaks of files that are not there.
    files[VERSION_FILE] = json.dumps({"device": device, "version": version}).encode()
    return Package(device, version, tuple(files.items()))


class Board(Protocol):
    """A board at its prompt. Every call may raise `DeviceError`, after which nothing is known of that call."""

    def run(self, script: str) -> object:
        """Runs `script`, the JSON value it printed last."""
        ...

    def put(self, name: str, data: bytes) -> None:
        """Writes a file."""
        ...

    def reset(self) -> None: ...


def compare(package: Package, there: Mapping[str, str]) -> list[str]:
    """The names of the files that are missing on the board or differ, in the order of copying."""
    wanted = package.hashes
    return [name for name, _ in package.files if there.get(name) != wanted[name]]


def flash(board: Board, package: Package, progress: Callable[[str, int, int], None]) -> list[str]:
    """Brings `board` to `package` and resets it; the names of what was copied. `progress(name, index, count)`."""
    there = _hashes(board)
    changed = compare(package, there)
    if changed:
        board.run(HOLD_SCRIPT)
        data = dict(package.files)
        for index, name in enumerate(changed):
            progress(name, index, len(changed))
            board.put(f"{name}.new", data[name])
            board.run(RENAME_SCRIPT.format(name=name))
        left = compare(package, _hashes(board))
        if left:
            raise DeviceError(Message.of("flash.not_as_sent", files=" ".join(left)))
    board.run(REMOVE_SCRIPT.format(name=HOLD_FILE))
    board.reset()
    return changed


def version_there(board: Board) -> str | None:
    """The version that was put on the board last and whole; None on a new one."""
    found = board.run(VERSION_SCRIPT)
    return str(found["version"]) if isinstance(found, dict) and "version" in found else None


def _hashes(board: Board) -> dict[str, str]:
    value = board.run(HASHES_SCRIPT)
    if not isinstance(value, dict):
        raise DeviceError(Message.of("flash.no_prompt", reason=str(value)))
    return {str(name): str(digest) for name, digest in value.items()}


def choose_port(plugged: Iterable[Port], usb_ids: Sequence[str], wanted: str | None) -> Port:
    """The port named `wanted`, else the only plugged one with one of `usb_ids`. `DeviceError` where none or several."""
    ports = list(plugged)
    if wanted:
        named = next((port for port in ports if port.device == wanted), None)
        if named is None and not Path(wanted).exists():
            raise DeviceError(Message.of("flash.none_plugged", ids=wanted))
        return named or Port(wanted)
    fitting = [port for port in ports if port.usb_id in usb_ids]
    if not fitting:
        raise DeviceError(Message.of("flash.none_plugged", ids=" ".join(usb_ids)))
    if len(fitting) > 1:
        raise DeviceError(Message.of("flash.several_plugged", ports=" ".join(port.device for port in fitting)))
    return fitting[0]


class MpremoteBoard:
    """A board through `mpremote`, one call a command, so that a cut cable ends one call and no more."""

    def __init__(self, device: str, command: Sequence[str] = (sys.executable, "-m", "mpremote")) -> None:
        self._device = device
        self._command = tuple(command)

    def run(self, script: str) -> object:
        out = self._call("exec", script)
        lines = [line for line in out.splitlines() if line.strip()]
        try:
            return json.loads(lines[-1])
        except (IndexError, ValueError):
            raise DeviceError(Message.of("flash.no_prompt", reason=out.strip()[-200:])) from None

    def put(self, name: str, data: bytes) -> None:
        with tempfile.NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            self._call("fs", "cp", file.name, f":{name}")

    def reset(self) -> None:
        self._call("reset")

    def _call(self, *arguments: str) -> str:
        try:
            done = subprocess.run(
                [*self._command, "connect", self._device, *arguments],
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
        except FileNotFoundError:
            raise DeviceError(Message.of("devices.extra_missing", module="mpremote", extra="devices")) from None
        except subprocess.TimeoutExpired:
            raise DeviceError(Message.of("flash.no_prompt", reason="60 s")) from None
        if done.returncode != 0:
            raise DeviceError(Message.of("flash.no_prompt", reason=(done.stderr or done.stdout).strip()[-200:]))
        return done.stdout
