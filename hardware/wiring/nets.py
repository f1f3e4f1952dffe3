"""Which pin goes where, from node.toml: the one list behind the drawings and the guide's wiring tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from electronics import PICO_3V3, PICO_GROUNDS, PICO_HEADER, PICO_VBUS, die_pins, node_pins

RED, BLACK, ORANGE, GREEN, BLUE, YELLOW = "#c62828", "#222222", "#e07b00", "#2e7d32", "#1565c0", "#b58900"


@dataclass(frozen=True, slots=True)
class Wire:
    """From a pin on the left to a pin on the right, through `part` (a resistor) where one is named."""

    source: str
    target: str
    color: str
    part: str = ""


@dataclass(frozen=True, slots=True)
class Device:
    """A box at the right-hand end of `wires`. `onward`: a further device fed by it, drawn to its right.

    `buffer`: a capacitor between the last two wires, drawn where they enter the device.
    """

    name: str
    wires: tuple[Wire, ...]
    onward: "Device | None" = None
    buffer: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One drawing: a controller at the left, its devices below each other at the right."""

    title: str
    controller: str
    devices: tuple[Device, ...]


def _gp(number: int) -> str:
    return f"GP{number} ({PICO_HEADER[number]})"


def node_sheet(node: Mapping[str, Any]) -> Sheet:
    """The display node: lights, screen, buttons, buzzer round a Pico. In brackets: the position on the header."""
    pins = node_pins(node)
    grounds = iter(PICO_GROUNDS[::-1])

    def ground() -> str:
        return f"GND ({next(grounds)})"

    power, screen_power = f"VBUS ({PICO_VBUS})", f"3V3 ({PICO_3V3})"
    count = len(node["lights"]["chain"])
    strip = Device(
        f"{count} WS2812 lights",
        (Wire("1Y", "DIN", GREEN, "330 Ω"), Wire("+5 V", "+5 V", RED), Wire("GND", "GND", BLACK)),
        buffer="1000 µF",
    )
    shifter = Device(
        "level shifter 74AHCT125",
        (
            Wire(_gp(pins["lights"]), "1A", GREEN),
            Wire(power, "VCC", RED),
            Wire(ground(), "GND, 1OE", BLACK),
        ),
        onward=strip,
    )
    screen = Device(
        f"OLED {node['screen']['controller'].upper()} at 0x{node['screen']['address']:02X}",
        (
            Wire(_gp(pins["sda"]), "SDA", BLUE),
            Wire(_gp(pins["scl"]), "SCL", YELLOW),
            Wire(screen_power, "VCC", RED),
            Wire(ground(), "GND", BLACK),
        ),
    )
    names = ("double", "take", "pass", "confirm")
    buttons = Device(
        "four push buttons",
        (*(Wire(_gp(pins[name]), name, ORANGE) for name in names), Wire(ground(), "all other legs", BLACK)),
    )
    devices = [shifter, screen, buttons]
    if "buzzer" in pins:
        buzzer = (Wire(_gp(pins["buzzer"]), "+", ORANGE, "100 Ω"), Wire(ground(), "−", BLACK))
        devices.append(Device("piezo buzzer, passive", buzzer))
    return Sheet("Display node", node["node"]["board"], tuple(devices))


def die_sheet(node: Mapping[str, Any]) -> Sheet:
    """One die: accelerometer, cell, regulator and divider round a C3 module."""
    die, pins = node["die"], die_pins(node)
    lis3dh = die["accelerometer"] == "lis3dh"
    low = die["address"] in (0x18, 0x53)
    select = "SA0" if lis3dh else "SDO"
    accelerometer = Device(
        f"{die['accelerometer'].upper()} at 0x{die['address']:02X}",
        (
            Wire(f"GPIO{pins['sda']}", "SDA", BLUE),
            Wire(f"GPIO{pins['scl']}", "SCL", YELLOW),
            Wire("3V3", "VDD, CS" + ("" if low else f", {select}"), RED),
            Wire("GND", "GND" + (f", {select}" if low else ""), BLACK),
        ),
    )
    cell = Device(
        f"lithium cell {die.get('battery_mah', 40)} mAh",
        (Wire("IN", "+", RED), Wire("GND", "−", BLACK)),
    )
    regulator = Device(
        "3.3 V regulator, low drop",
        (Wire("3V3", "OUT", RED), Wire("GND", "GND", BLACK)),
        onward=cell,
        buffer="470 µF",
    )
    devices = [accelerometer, regulator]
    if "battery" in pins:
        # The upper resistor over the lower one gives the ratio that the firmware undoes.
        upper = 100 * (die["battery_divider"] - 1)
        divider = (
            Wire(f"GPIO{pins['battery']}", "cell +", ORANGE, f"{upper:.0f} kΩ"),
            Wire(f"GPIO{pins['battery']}", "cell −", BLACK, "100 kΩ"),
        )
        devices.append(Device("battery divider", divider))
    devices.append(Device("start-up", (Wire("EN", "3V3", RED, "10 kΩ"),)))
    return Sheet("Die", die["board"], tuple(devices))


def base_sheet(node: Mapping[str, Any]) -> Sheet:
    """The dice base: a C3 board on the host's USB, nothing to solder."""
    usb = tuple(Wire(pin, pin, color) for pin, color in (("5 V", RED), ("D+", GREEN), ("D−", BLUE), ("GND", BLACK)))
    return Sheet("Dice base", node["base"]["board"], (Device("USB cable to the host", usb),))


def sheets(node: Mapping[str, Any]) -> dict[str, Sheet]:
    """File name -> sheet."""
    return {"node": node_sheet(node), "die": die_sheet(node), "base": base_sheet(node)}


def rows(sheet: Sheet) -> list[tuple[str, str, str]]:
    """Every wire of a sheet as (from, through, to), in the order of the drawing."""
    found = []
    for device in sheet.devices:
        owner = sheet.controller
        step: Device | None = device
        while step:
            found += [(f"{owner} {wire.source}", wire.part, f"{step.name} {wire.target}") for wire in step.wires]
            owner, step = step.name, step.onward
    return found
