"""`nardi doctor`: what is plugged in, what is missing, and the remedy for each."""

import argparse
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nardi.board_sizes import board_sizes
from nardi.cli.run import read_config
from nardi.cli.speech import say
from nardi.errors import NardiError
from nardi.text.message import Message

# Module → the extra that brings it.
MODULES = {
    "cv2": "eye",
    "numpy": "eye",
    "serial": "devices",
    "bleak": "devices",
    "mpremote": "devices",
}
PI_MODEL = Path("/sys/firmware/devicetree/base/model")
"""Only a Raspberry Pi and its like have it."""
CALIBRATION = Path("calibration.json")
"""What `nardi calibrate` writes unless told otherwise."""
# Debian package → what proves that it is there: a program, or a file. gnubg lies where services do not look.
PACKAGES: dict[str, tuple[str, ...]] = {
    "fonts-dejavu-core": ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",),
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
    "mosquitto": ("mosquitto", "/usr/sbin/mosquitto"),
    "gnubg": ("gnubg", "/usr/games/gnubg"),
    "espeak-ng": ("espeak-ng",),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """`good` False: something is missing or wrong, and the message names the remedy. None: nothing there, no fault."""

    good: bool | None
    message: Message


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("doctor", help="list what is plugged in and what is missing, with the remedies")
    parser.add_argument("--node", action="store_true", help="also try the display node: lights, screen, buttons")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the table's: also look at its calibration")
    parser.add_argument("--port", metavar="DEVICE", help="the node's serial port (default: found by its USB id)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """0 where all is well, 2 where the node was to be tried and fails."""
    for finding in (*ports(), *cameras(), *modules(), *packages(), *sizes(), *calibrations(args.config)):
        _tell(args, finding)
    if not args.node:
        return 0
    failed = False
    for finding in try_node(args.port):
        _tell(args, finding)
        failed = failed or finding.good is False
    return 2 if failed else 0


def _tell(args: argparse.Namespace, finding: Finding) -> None:
    print({True: "✓", False: "✗", None: "–"}[finding.good], end=" ", flush=True)
    say(args, finding.message)


def ports() -> Iterator[Finding]:
    """The serial devices, known ones by what they are."""
    if importlib.util.find_spec("serial") is None:
        # Named among the modules.
        return
    from nardi.devices.serial_line import plugged_ports

    found = [port for port in plugged_ports() if port.usb_id]
    for port in found:
        known = {"2E8A:0005": "doctor.port.rp2", "303A:1001": "doctor.port.esp32", "303A:4001": "doctor.port.esp32"}
        id = known.get(port.usb_id, "doctor.port.other")
        if not os.access(port.device, os.R_OK | os.W_OK):
            remedy = "sudo adduser $USER dialout"
            yield Finding(False, Message.of("doctor.port.forbidden", port=port.device, remedy=remedy))
            continue
        yield Finding(
            True,
            Message.of(id, port=port.device, usb=port.usb_id, serial=port.serial_number, text=port.description),
        )
    if not found:
        yield Finding(None, Message.of("doctor.port.none"))


def cameras(folder: Path = Path("/dev")) -> Iterator[Finding]:
    """The video devices, by their names in sysfs where they have one."""
    found = sorted(folder.glob("video[0-9]*"), key=lambda path: (len(path.name), path.name))
    for device in found:
        name = Path("/sys/class/video4linux") / device.name / "name"
        try:
            text = name.read_text(encoding="utf-8").strip()
        except OSError:
            text = ""
        yield Finding(True, Message.of("doctor.camera", device=str(device), name=text))
    if not found:
        yield Finding(None, Message.of("doctor.camera.none"))


def modules() -> Iterator[Finding]:
    """The Python extras."""
    yield Finding(True, Message.of("doctor.python", version=".".join(map(str, sys.version_info[:3]))))
    for module, extra in MODULES.items():
        if importlib.util.find_spec(module) is None:
            remedy = f"pip install -e '.[{extra}]'"
            yield Finding(False, Message.of("doctor.module.missing", module=module, extra=extra, remedy=remedy))
        else:
            yield Finding(True, Message.of("doctor.module", module=module, extra=extra))
    if PI_MODEL.exists() and importlib.util.find_spec("picamera2") is None:
        # It comes with the system, so the virtual environment must see the system's packages.
        remedy = "sudo apt-get install python3-picamera2 && python3 -m venv --system-site-packages .venv"
        yield Finding(False, Message.of("doctor.module.missing", module="picamera2", extra="apt", remedy=remedy))


def packages() -> Iterator[Finding]:
    """The Debian packages."""
    for package, proofs in PACKAGES.items():
        if any(Path(proof).exists() if proof.startswith("/") else shutil.which(proof) for proof in proofs):
            yield Finding(True, Message.of(f"doctor.package.{package}", package=package))
        else:
            remedy = f"sudo apt-get install {package}"
            yield Finding(False, Message.of("doctor.package.missing", package=package, remedy=remedy))


def sizes() -> Iterator[Finding]:
    """The sizes of boards, which eye and lights go by."""
    try:
        yield Finding(True, Message.of("doctor.sizes", boards=", ".join(board_sizes().boards)))
    except NardiError as error:
        yield from (Finding(False, message) for message in error.messages)


def calibrations(config: Path | None) -> Iterator[Finding]:
    """How the board lies in the camera's picture, by the calibration of a configuration, else by the usual file."""
    if importlib.util.find_spec("cv2") is None:
        # Named among the modules.
        return
    from nardi.cli.framing import framed
    from nardi.devices.eyesight import input_error
    from nardi_vision.calibration import Calibration
    from nardi_vision.errors import EyeError

    try:
        file = CALIBRATION if config is None else read_config(config)[0].calibration
        if file is None or (config is None and not file.exists()):
            return
        try:
            calibration = Calibration.load(file)
        except EyeError as error:
            raise input_error(error) from None
        yield from (Finding(good, message) for good, message in framed(calibration))
    except NardiError as error:
        yield from (Finding(False, message) for message in error.messages)


def try_node(port: str | None) -> Iterator[Finding]:
    """Greets the node, lights every light in turn, fills the screen, listens to the buttons for ten seconds."""
    from nardi.devices.node_trial import trial

    for good, message in trial(port):
        yield Finding(good, message)
