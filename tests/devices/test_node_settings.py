"""node.toml for the chips: all its faults are named together."""

import copy
from pathlib import Path
from typing import Any

import pytest

from nardi.devices.node_settings import read_node_toml, settings_text
from nardi.errors import InputError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def tables() -> dict[str, Any]:
    return copy.deepcopy(read_node_toml(ROOT / "hardware" / "node.toml"))


def faults(tables: dict[str, Any], device: str = "node", die_id: str = "w1") -> list[tuple[str, object]]:
    with pytest.raises(InputError) as caught:
        settings_text(tables, device, die_id)
    return [
        (message.id.removeprefix("devices.settings."), dict(message.parameters)["key"])
        for message in caught.value.messages
    ]


def values(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    exec(text, found)
    return found


def test_the_chain_becomes_numbers(tables: dict[str, Any]) -> None:
    tables["lights"]["chain"] = ["-", *tables["lights"]["chain"], "bar", "-"]
    chain = values(settings_text(tables, "node"))["LIGHTS_CHAIN"]
    assert list(chain[:8]) == [255, 0, 1, 2, 3, 4, 5, 24]
    assert list(chain[-2:]) == [24, 255]


def test_a_node_without_a_buzzer(tables: dict[str, Any]) -> None:
    del tables["buzzer"]
    assert values(settings_text(tables, "node"))["BUZZER_PIN"] is None


def test_every_fault_is_named(tables: dict[str, Any]) -> None:
    tables["node"]["watchdog_ms"] = 20000
    tables["lights"]["chain"][0] = "99"
    tables["screen"]["controller"] = "ssd1309"
    tables["screen"]["scl"] = 16
    del tables["buttons"]["take"]
    tables["lights"]["budget_ma"] = True
    assert faults(tables) == [
        ("wrong", "node.watchdog_ms"),
        ("light_unknown", "lights.chain"),
        ("light_unused", "lights.chain"),
        ("wrong", "lights.budget_ma"),
        ("wrong", "screen.controller"),
        ("wrong", "buttons.take"),
        ("pin_twice", "SCREEN_SCL"),
    ]


def test_dice_and_base(tables: dict[str, Any]) -> None:
    assert values(settings_text(tables, "die", "b1"))["DIE_ID"] == "b1"
    del tables["die"]["battery_adc"]
    assert values(settings_text(tables, "die"))["BATTERY_ADC"] is None
    assert faults(tables, "die", "q1") == [("wrong", "id")]
    tables["die"] |= {"radio": "lora", "battery_divider": "two"}
    assert faults(tables, "die") == [("wrong", "die.battery_divider"), ("wrong", "die.radio")]
    tables["base"]["dice"] = ["w1", "w1", "x"]
    assert faults(tables, "base") == [("name_twice", "base.dice"), ("wrong", "base.dice")]


@pytest.mark.parametrize(("text", "id"), [(None, "missing"), ("a = ", "unreadable"), ("\udcff", "unreadable")])
def test_an_unreadable_file_is_named(tmp_path: Path, text: str | None, id: str) -> None:
    file = tmp_path / "node.toml"
    if text is not None:
        file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(InputError) as caught:
        read_node_toml(file)
    assert caught.value.message.id == f"devices.settings.{id}"
    assert dict(caught.value.message.parameters)["file"] == str(file)
