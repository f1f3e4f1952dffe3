"""node.toml as the drawings and the power budget use it. Standard library only."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from measures import HERE

NODE_FILE = HERE / "node.toml"

# GP number -> position on the Pico's header.
PICO_HEADER = {
    **{0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19, 15: 20},
    **{16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34},
}
PICO_GROUNDS = (3, 8, 13, 18, 23, 28, 33, 38)
PICO_3V3, PICO_VBUS = 36, 40
# Pins of the C3 that must not be used: flash, and those that choose how it starts.
C3_TAKEN = {2, 8, 9, *range(11, 18)}


def load(path: Path = NODE_FILE) -> Mapping[str, Any]:
    """Read node.toml; ValueError names every pin that cannot be wired as it says."""
    with path.open("rb") as file:
        node = tomllib.load(file)
    if found := faults(node):
        raise ValueError("\n".join(f"{path.name}: {fault}" for fault in found))
    return node


def node_pins(node: Mapping[str, Any]) -> dict[str, int]:
    """What each GPIO of the display node serves: name -> GP number."""
    pins = {"lights": node["lights"]["pin"], "sda": node["screen"]["sda"], "scl": node["screen"]["scl"]}
    pins |= {name: node["buttons"][name] for name in ("double", "take", "pass", "confirm")}
    if "buzzer" in node:
        pins["buzzer"] = node["buzzer"]["pin"]
    return pins


def die_pins(node: Mapping[str, Any]) -> dict[str, int]:
    """What each GPIO of the die's module serves."""
    die = node["die"]
    pins = {"sda": die["sda"], "scl": die["scl"]}
    if "battery_adc" in die:
        pins["battery"] = die["battery_adc"]
    return pins


def faults(node: Mapping[str, Any]) -> list[str]:
    """Pins used twice, not on the header, or unable to do what is asked of them; empty: none."""
    found = []
    for title, pins in (("node", node_pins(node)), ("die", die_pins(node))):
        for pin in sorted({pin for pin in pins.values() if list(pins.values()).count(pin) > 1}):
            users = " and ".join(name for name, other in pins.items() if other == pin)
            found.append(f"{title}: GP{pin} serves {users}")
    for name, pin in node_pins(node).items():
        if pin not in PICO_HEADER:
            found.append(f"node: GP{pin} ({name}) is not on the Pico's header")
    screen = node["screen"]
    # On the RP2040 I2C bus n has SDA on 4k + 2n and SCL on 4k + 2n + 1.
    for name, offset in (("sda", 0), ("scl", 1)):
        if screen[name] % 4 != 2 * screen["i2c"] + offset:
            found.append(f"node: GP{screen[name]} cannot be {name} of I2C {screen['i2c']}")
    for name, pin in die_pins(node).items():
        if pin in C3_TAKEN or not 0 <= pin <= 21:
            found.append(f"die: GPIO{pin} ({name}) is not free on an ESP32-C3")
    if die_pins(node).get("battery", 0) > 4:
        found.append(f"die: GPIO{die_pins(node)['battery']} has no ADC that works beside the radio")
    return found
