"""`nardi flash [node|die|base]`: put the firmware on a microcontroller, or bring it up to date."""

import argparse
import time
from pathlib import Path

import nardi
from nardi.cli.speech import say
from nardi.devices.dice_report import DIE_IDS
from nardi.devices.node_settings import DEVICES, read_node_toml
from nardi.errors import DeviceError
from nardi.text.message import Message

CHECKOUT = Path(nardi.__file__).parents[2]
HELLO_S = 1.5
RESTART_S = 8.0


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("flash", help="put the firmware on the display node, a die or the dice base")
    parser.add_argument("device", choices=DEVICES, nargs="?", default="node", help="default: node")
    parser.add_argument("--port", metavar="DEVICE", help="its serial port (default: found by its USB id)")
    parser.add_argument("--id", choices=DIE_IDS, default="w1", help="which die this is (default: w1)")
    parser.add_argument("--settings", type=Path, default=CHECKOUT / "hardware" / "node.toml", metavar="FILE")
    parser.add_argument("--firmware", type=Path, default=CHECKOUT / "firmware", metavar="DIR")
    parser.add_argument("--force", action="store_true", help="also back to an older version")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from nardi.devices.node_flash import MpremoteBoard, choose_port, flash, read_package, version_there
    from nardi.devices.serial_line import plugged_ports

    tables = read_node_toml(args.settings)
    package = read_package(args.firmware, args.device, tables, args.id)
    port = choose_port(plugged_ports(), tables.get(args.device, {}).get("usb_ids", ()), args.port)
    say(args, Message.of("flash.found", device=args.device, port=port.device))
    device = port.device
    # A node at work has no prompt to be asked at, but says its version itself.
    running = _running_version(device) if args.device == "node" else None
    there = running or version_there(MpremoteBoard(device))
    if there is not None:
        say(args, Message.of("flash.versions", old=there, new=package.version))
        if _numbers(there) > _numbers(package.version) and not args.force:
            if running is None:
                # It was stopped to be asked.
                MpremoteBoard(device).reset()
            raise DeviceError(Message.of("flash.older", old=there, new=package.version))
    if running is not None:
        device = _hold(device, port.serial_number)

    def progress(name: str, index: int, count: int) -> None:
        say(args, Message.of("flash.copying", file=name, number=index + 1, count=count))

    copied = flash(MpremoteBoard(device), package, progress)
    say(args, Message.of("flash.done" if copied else "flash.up_to_date", device=args.device, version=package.version))
    return 0


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _running_version(device: str) -> str | None:
    """The version of the node that runs at `device`, None where none answers: a new board, or one at its prompt."""
    import serial

    from nardi.devices.wire.frame import FrameReader, encode_frame
    from nardi.devices.wire.packet import Hello, IAm, from_node, to_frame

    reader = FrameReader()
    try:
        with serial.Serial(device, 115200, timeout=0.1, write_timeout=1, exclusive=True) as port:
            port.write(b"\0" + encode_frame(to_frame(Hello(), 1)))
            end = time.monotonic() + HELLO_S
            while time.monotonic() < end:
                for frame in reader.feed(port.read(256)):
                    packet = from_node(frame)
                    if isinstance(packet, IAm):
                        return ".".join(map(str, packet.version))
    except OSError as error:
        raise DeviceError(Message.of("flash.port_busy", port=device, reason=str(error))) from error
    return None


def _hold(device: str, serial_number: str) -> str:
    """Sends the node to its prompt; its port's name afterwards, found by its serial number."""
    import serial

    from nardi.devices.serial_line import plugged_ports
    from nardi.devices.wire.frame import encode_frame
    from nardi.devices.wire.packet import Hold, to_frame

    with serial.Serial(device, 115200, write_timeout=1, exclusive=True) as port:
        port.write(b"\0" + encode_frame(to_frame(Hold(), 2)))
        port.flush()
    end = time.monotonic() + RESTART_S
    # It restarts, so its port goes away and comes back.
    time.sleep(1.0)
    while time.monotonic() < end:
        for found in plugged_ports():
            if found.serial_number == serial_number if serial_number else found.device == device:
                return found.device
        time.sleep(0.2)
    raise DeviceError(Message.of("flash.not_back", port=device))
