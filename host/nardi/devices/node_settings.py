"""`node.toml` → the `settings.py` that is put on a microcontroller, which has no TOML of its own."""

import tomllib
from pathlib import Path
from typing import Any

from nardi.board_sizes import board_sizes
from nardi.devices.dice_report import DIE_IDS
from nardi.errors import InputError
from nardi.text.message import Message, Parameter

DEVICES = ("node", "die", "base")
# What the wire, the panel driver and the microcontrollers can take.
MOST_LEDS = 255
BUTTONS = ("double", "take", "pass", "confirm")
CONTROLLERS = ("ssd1306", "sh1106")
ACCELEROMETERS = ("lis3dh", "adxl345")
RADIOS = ("espnow", "none")
DARK = 255


class _Table:
    """One table of the file; what is missing or wrong in it is added to `faults`."""

    def __init__(self, name: str, values: Any, faults: list[Message]) -> None:
        self.name = name
        self.values: dict[str, Any] = values if isinstance(values, dict) else {}
        self.faults = faults

    def wrong(self, key: str, expected: str, value: Parameter = "") -> None:
        """`expected`: a range or a list of choices, no words."""
        self.faults.append(
            Message.of("devices.settings.wrong", key=f"{self.name}.{key}", expected=expected, value=value)
        )

    def fault(self, id: str, key: str, **parameters: Parameter) -> None:
        self.faults.append(Message.of(id, key=f"{self.name}.{key}", **parameters))

    def number(self, key: str, low: int, high: int) -> int:
        """An integer from `low` to `high`; `low` where it is wrong."""
        value = self.values.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self.wrong(key, f"{low}..{high}", "" if value is None else str(value))
        return low

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        value = self.values.get(key)
        if isinstance(value, str) and value in choices:
            return value
        self.wrong(key, " | ".join(choices), "" if value is None else str(value))
        return choices[0]

    def names(self, key: str) -> list[str]:
        value = self.values.get(key)
        if isinstance(value, list) and all(isinstance(name, str) for name in value):
            return list(value)
        self.fault("devices.settings.not_names", key)
        return []


def read_node_toml(path: Path) -> dict[str, Any]:
    """The tables of `path`; `InputError` where it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(Message.of("devices.settings.missing", file=str(path))) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(Message.of("devices.settings.unreadable", file=str(path), reason=str(error))) from error


def settings_text(tables: dict[str, Any], device: str, die_id: str = "w1") -> str:
    """The Python text for `device` (one of `DEVICES`); all faults of the tables together as one `InputError`.

    `die_id`: which die this is, for a die.
    """
    faults: list[Message] = []
    rows = {"node": _node, "die": _die, "base": _base}[device](tables, faults)
    if device == "die":
        rows.insert(0, ("DIE_ID", _text(die_id)))
    if die_id not in DIE_IDS:
        faults.append(Message.of("devices.settings.wrong", key="id", expected=" | ".join(DIE_IDS), value=die_id))
    if faults:
        raise InputError(*faults)
    lines = ['"""Written from hardware/node.toml by `nardi flash`: change that file, not this one."""', ""]
    lines += [f"{name} = {value}" for name, value in rows]
    return "\n".join(lines) + "\n"


def _text(value: str) -> str:
    return f'"{value}"'


def _node(tables: dict[str, Any], faults: list[Message]) -> list[tuple[str, object]]:
    node = _Table("node", tables.get("node"), faults)
    lights = _Table("lights", tables.get("lights"), faults)
    screen = _Table("screen", tables.get("screen"), faults)
    buttons = _Table("buttons", tables.get("buttons"), faults)
    buzzer = _Table("buzzer", tables["buzzer"], faults) if "buzzer" in tables else None
    rows: list[tuple[str, object]] = [
        ("LINK_SILENCE_MS", node.number("link_silence_ms", 200, 60000)),
        ("WATCHDOG_MS", node.number("watchdog_ms", 1000, 8388)),
        ("LIGHTS_PIN", lights.number("pin", 0, 48)),
        ("LIGHTS_CHAIN", f"bytes({_chain(lights)})"),
        ("LIGHTS_BUDGET_MA", lights.number("budget_ma", 1, 20000)),
        ("LIGHTS_CHANNEL_MA", lights.number("channel_ma", 1, 60)),
        ("LIGHTS_IDLE_MA", lights.number("idle_ma", 0, 10)),
        ("SCREEN_CONTROLLER", _text(screen.choice("controller", CONTROLLERS))),
        ("SCREEN_I2C", screen.number("i2c", 0, 1)),
        ("SCREEN_SDA", screen.number("sda", 0, 48)),
        ("SCREEN_SCL", screen.number("scl", 0, 48)),
        ("SCREEN_HZ", screen.number("frequency_hz", 10000, 1000000)),
        ("SCREEN_ADDRESS", screen.number("address", 8, 119)),
        ("BUTTON_PINS", tuple(buttons.number(name, 0, 48) for name in BUTTONS)),
        ("LONG_PRESS_MS", buttons.number("long_press_ms", 200, 5000)),
        ("DEBOUNCE_MS", buttons.number("debounce_ms", 1, 200)),
        ("BUZZER_PIN", buzzer.number("pin", 0, 48) if buzzer else None),
    ]
    _no_pin_twice(rows, faults)
    return rows


def _chain(lights: _Table) -> list[int]:
    names = board_sizes().order
    chain = lights.names("chain")
    if not 1 <= len(chain) <= MOST_LEDS:
        lights.wrong("chain", f"1..{MOST_LEDS}", len(chain))
    for name in chain:
        if name != "-" and name not in names:
            lights.fault("devices.settings.light_unknown", "chain", name=name)
    for name in names:
        if name not in chain:
            lights.fault("devices.settings.light_unused", "chain", name=name)
    return [names.index(name) if name in names else DARK for name in chain]


def _no_pin_twice(rows: list[tuple[str, object]], faults: list[Message]) -> None:
    pins: dict[int, str] = {}
    for name, value in rows:
        if name in ("LIGHTS_PIN", "SCREEN_SDA", "SCREEN_SCL", "BUZZER_PIN", "BUTTON_PINS"):
            for pin in value if isinstance(value, tuple) else (value,):
                if isinstance(pin, int) and pin in pins:
                    faults.append(Message.of("devices.settings.pin_twice", key=name, other=pins[pin], pin=pin))
                elif isinstance(pin, int):
                    pins[pin] = name


def _die(tables: dict[str, Any], faults: list[Message]) -> list[tuple[str, object]]:
    die = _Table("die", tables.get("die"), faults)
    battery = "battery_adc" in die.values
    divider = die.values.get("battery_divider", 1.0)
    if not isinstance(divider, int | float) or not 1 <= divider <= 10:
        die.wrong("battery_divider", "1..10", str(divider))
    return [
        ("RADIO", _text(die.choice("radio", RADIOS))),
        ("CHANNEL", die.number("channel", 1, 13)),
        ("SLEEP_AFTER_S", die.number("sleep_after_s", 0, 3600)),
        ("ACCELEROMETER", _text(die.choice("accelerometer", ACCELEROMETERS))),
        ("I2C", die.number("i2c", 0, 1)),
        ("SDA", die.number("sda", 0, 48)),
        ("SCL", die.number("scl", 0, 48)),
        ("HZ", die.number("frequency_hz", 10000, 1000000)),
        ("ADDRESS", die.number("address", 8, 119)),
        ("BATTERY_ADC", die.number("battery_adc", 0, 48) if battery else None),
        ("BATTERY_DIVIDER", divider),
    ]


def _base(tables: dict[str, Any], faults: list[Message]) -> list[tuple[str, object]]:
    base = _Table("base", tables.get("base"), faults)
    dice = base.names("dice")
    if len(set(dice)) != len(dice):
        base.fault("devices.settings.name_twice", "dice")
    for die in dice:
        if die not in DIE_IDS:
            base.wrong("dice", " | ".join(DIE_IDS), die)
    names = ", ".join(_text(die) for die in dice)
    return [("CHANNEL", base.number("channel", 1, 13)), ("DICE", f"({names},)" if dice else "()")]
