"""One thread per serial port: opens it, finds it again after a cut, and moves bytes between it and a `Talk`."""

import random
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from nardi.devices.url import DeviceUrl
from nardi.errors import InputError
from nardi.text.message import Message

if TYPE_CHECKING:
    import serial

TICK_MS = 50
FIRST_WAIT_MS = 200
LONGEST_WAIT_MS = 5000


class Talk(Protocol):
    """A conversation, free of I/O: every call comes from the line's thread and returns the bytes to be sent now."""

    def up(self, now_ms: int) -> bytes:
        """The port has been opened."""
        ...

    def received(self, data: bytes, now_ms: int) -> bytes: ...

    def tick(self, now_ms: int) -> bytes:
        """At least every `TICK_MS`, and at once after `SerialLine.wake`."""
        ...

    def silent(self, now_ms: int) -> bool:
        """True where the far end has said nothing for so long that the port shall be closed and looked for anew."""
        ...

    def down(self, now_ms: int) -> None:
        """The port is gone."""
        ...


@dataclass(frozen=True, slots=True)
class Port:
    """A plugged serial device: its name now, its serial number and USB id (`2E8A:0005`), each "" where unknown."""

    device: str
    serial_number: str = ""
    usb_id: str = ""
    description: str = ""


def plugged_ports() -> list[Port]:
    """What is plugged in, by the operating system's list."""
    from serial.tools import list_ports

    return [
        Port(
            port.device,
            port.serial_number or "",
            f"{port.vid:04X}:{port.pid:04X}" if port.vid is not None and port.pid is not None else "",
            port.description or "",
        )
        for port in list_ports.comports()
    ]


@dataclass(frozen=True, slots=True)
class Address:
    """Where to find the device: a path, or a serial number, or a USB id, whatever is given; and its speed."""

    path: str = ""
    serial_number: str = ""
    usb_id: str = ""
    baud: int = 115200

    @staticmethod
    def from_url(url: DeviceUrl) -> "Address":
        """`serial:/dev/…?baud=115200`, `serial:?serial_number=…` or `serial:?usb=2E8A:0005`."""
        url.only("baud", "serial_number", "usb")
        address = Address(
            url.path,
            url.options.get("serial_number", ""),
            url.options.get("usb", "").upper(),
            url.number("baud", 115200, 300, 4000000),
        )
        if not (address.path or address.serial_number or address.usb_id):
            raise InputError(Message.of("devices.url.no_port", url=url.text))
        return address

    def find(self, plugged: Iterable[Port]) -> str | None:
        """The device's name now: by serial number where one is known, else the path, else the first of the USB id."""
        ports = list(plugged)
        if self.serial_number:
            return next((port.device for port in ports if port.serial_number == self.serial_number), None)
        if self.path:
            return self.path
        return next((port.device for port in ports if port.usb_id == self.usb_id), None)


class Backoff:
    """Waits between tries: doubled each time up to a limit, each a quarter longer or shorter by chance."""

    def __init__(self, chance: Callable[[], float] = random.random) -> None:
        self._chance = chance
        self._next_ms = FIRST_WAIT_MS

    def reset(self) -> None:
        self._next_ms = FIRST_WAIT_MS

    def wait_ms(self) -> int:
        """The wait before the next try."""
        wait_ms = self._next_ms
        self._next_ms = min(2 * wait_ms, LONGEST_WAIT_MS)
        return int(wait_ms * (0.75 + 0.5 * self._chance()))


class SerialLine:
    """Owns one port, alone. `start` and `stop` from any thread, once each; a missing device is not an error."""

    def __init__(
        self,
        address: Address,
        talk: Talk,
        *,
        ports: Callable[[], Iterable[Port]] = plugged_ports,
        now_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000,
        backoff: Backoff | None = None,
    ) -> None:
        self._address = address
        self._talk = talk
        self._ports = ports
        self._now_ms = now_ms
        self._backoff = backoff or Backoff()
        self._stopped = threading.Event()
        self._port_lock = threading.Lock()
        self._port: serial.Serial | None = None
        self._thread = threading.Thread(target=self._run, name=f"serial {address}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Has `tick` called at once: there is something to send."""
        with self._port_lock:
            if self._port is not None:
                self._port.cancel_read()

    def stop(self) -> None:
        """Closes the port and ends the thread."""
        self._stopped.set()
        self.wake()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._stopped.is_set():
            port = self._open()
            if port is not None:
                try:
                    self._serve(port)
                # A pulled plug shows as any of these, even as TypeError from a descriptor closed meanwhile.
                except (OSError, TypeError):
                    pass
                finally:
                    with self._port_lock:
                        self._port = None
                    self._close(port)
                    self._talk.down(self._now_ms())
            if not self._stopped.is_set():
                self._stopped.wait(self._backoff.wait_ms() / 1000)

    def _open(self) -> "serial.Serial | None":
        import serial

        device = self._address.find(self._ports())
        if device is None:
            return None
        try:
            port = serial.Serial(device, self._address.baud, timeout=TICK_MS / 1000, write_timeout=0.5, exclusive=True)
        except (OSError, ValueError):
            return None
        if not self._address.serial_number:
            # From now on it is known by its number: after a cut it may come back under another name.
            number = next((found.serial_number for found in self._ports() if found.device == device), "")
            if number:
                self._address = Address(device, number, self._address.usb_id, self._address.baud)
        return port

    def _serve(self, port: "serial.Serial") -> None:
        with self._port_lock:
            self._port = port
        # What was waiting in the driver was said to nobody.
        port.reset_input_buffer()
        self._send(port, self._talk.up(self._now_ms()))
        while not self._stopped.is_set():
            data = port.read(max(1, port.in_waiting))
            now_ms = self._now_ms()
            if data:
                self._backoff.reset()
                self._send(port, self._talk.received(data, now_ms))
            self._send(port, self._talk.tick(now_ms))
            if self._talk.silent(now_ms):
                return

    @staticmethod
    def _send(port: "serial.Serial", data: bytes) -> None:
        if data:
            port.write(data)

    @staticmethod
    def _close(port: "serial.Serial") -> None:
        try:
            port.close()
        except OSError:
            # Closing what is already gone.
            return
