"""The drawings come from node.toml and nowhere else, and are the committed ones."""

import copy
import itertools
import re
import tomllib
from pathlib import Path
from typing import Any

import electronics
import measures
import pytest
from wiring import chain, nets

NODE = electronics.load()
M = measures.load()
FOLDER = measures.HERE / "wiring"


def changed(table: str, **values: object) -> dict[str, Any]:
    node = copy.deepcopy(dict(NODE))
    node[table] = {**node[table], **values}
    return node


@pytest.mark.parametrize("name", ["node", "die", "base"])
def test_drawing_again_gives_the_committed_bytes(name: str) -> None:
    pytest.importorskip("schemdraw", reason="drawing needs schemdraw, of the development group")
    from wiring import draw

    assert draw.svg(nets.sheets(NODE)[name]) == (FOLDER / f"{name}.svg").read_bytes()


def test_the_way_of_the_data_line_is_the_committed_one() -> None:
    assert chain.svg(M, NODE) == (FOLDER / "chain.svg").read_bytes()


def test_another_pin_gives_another_drawing() -> None:
    pytest.importorskip("schemdraw", reason="drawing needs schemdraw, of the development group")
    from wiring import draw

    sheet = nets.node_sheet(changed("buttons", double=14))
    assert b"GP14 (19)" in draw.svg(sheet)
    assert b"GP14 (19)" not in draw.svg(nets.node_sheet(NODE))


def test_every_pin_of_node_toml_is_wired_once() -> None:
    sources = [source for source, _, _ in nets.rows(nets.node_sheet(NODE))]
    for name, pin in electronics.node_pins(NODE).items():
        label = f"Raspberry Pi Pico GP{pin} ({electronics.PICO_HEADER[pin]})"
        assert sources.count(label) == 1, name
    grounds = [source for source in sources if "Pico GND" in source]
    assert len(grounds) == len(set(grounds))


def test_drawn_pins_are_those_that_the_firmware_reads() -> None:
    # Straight from the file, without our own reader in between.
    raw = tomllib.loads((measures.HERE / "node.toml").read_text(encoding="utf-8"))
    drawn = (FOLDER / "node.svg").read_text(encoding="utf-8")
    pins = {raw["lights"]["pin"], raw["screen"]["sda"], raw["screen"]["scl"], raw["buzzer"]["pin"]}
    pins |= {raw["buttons"][name] for name in ("double", "take", "pass", "confirm")}
    assert {int(pin) for pin in re.findall(r"GP(\d+) \(", drawn)} == pins
    die = (FOLDER / "die.svg").read_text(encoding="utf-8")
    assert {int(pin) for pin in re.findall(r"GPIO(\d+)", die)} == {raw["die"][k] for k in ("sda", "scl", "battery_adc")}
    assert f"0x{raw['screen']['address']:02X}" in drawn


def test_without_a_buzzer_none_is_drawn() -> None:
    node = {name: table for name, table in NODE.items() if name != "buzzer"}
    assert not any("buzzer" in target for _, _, target in nets.rows(nets.node_sheet(node)))


def test_the_other_accelerometer_and_address_are_drawn_as_they_are_wired() -> None:
    targets = [target for _, _, target in nets.rows(nets.die_sheet(changed("die", address=0x19)))]
    assert "LIS3DH at 0x19 VDD, CS, SA0" in targets
    targets = [
        target for _, _, target in nets.rows(nets.die_sheet(changed("die", accelerometer="adxl345", address=0x53)))
    ]
    assert "ADXL345 at 0x53 GND, SDO" in targets


@pytest.mark.parametrize(
    ("table", "values", "word"),
    [
        ("lights", {"pin": 10}, "GP10 serves lights and double"),
        ("lights", {"pin": 23}, "GP23 (lights) is not on the Pico's header"),
        ("screen", {"sda": 5, "scl": 4}, "cannot be sda of I2C 0"),
        ("screen", {"i2c": 1}, "cannot be scl of I2C 1"),
        ("die", {"sda": 12}, "GPIO12 (sda) is not free"),
        ("die", {"battery_adc": 5}, "GPIO5 has no ADC"),
    ],
)
def test_pins_that_cannot_work_are_named(table: str, values: dict[str, object], word: str) -> None:
    assert any(word in fault for fault in electronics.faults(changed(table, **values)))


def test_an_unusable_node_toml_is_refused(tmp_path: Path) -> None:
    text = (measures.HERE / "node.toml").read_text(encoding="utf-8")
    assert "double = 10" in text
    (tmp_path / "node.toml").write_text(text.replace("double = 10", "double = 16"), encoding="utf-8")
    with pytest.raises(ValueError, match="GP16 serves lights and double"):
        electronics.load(tmp_path / "node.toml")


def test_the_chain_lights_every_place_and_refuses_an_unknown_one() -> None:
    assert {name for name, _, _ in chain.places_mm(M, NODE)} == set(M.order)
    with pytest.raises(KeyError, match="attic"):
        chain.places_mm(M, changed("lights", chain=["0", "attic"]))


def test_the_data_line_takes_no_long_jumps_but_the_one_round_the_board() -> None:
    places = chain.places_mm(M, NODE)
    jumps = [abs(a[1] - b[1]) for a, b in itertools.pairwise(places) if a[2] == b[2]]
    assert max(jumps) <= 2 * M.board.pitch_mm
    assert sum(a[2] != b[2] for a, b in itertools.pairwise(places)) == 1
