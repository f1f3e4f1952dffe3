"""`nardi flash`: what it says and refuses, with mpremote and ports played by the test."""

from pathlib import Path
from typing import Any

import pytest

from nardi.cli.main import main
from nardi.devices import node_flash, serial_line
from nardi.devices.node_flash import HASHES_SCRIPT, VERSION_SCRIPT
from nardi.devices.serial_line import Port


class OneBoard:
    """In place of `MpremoteBoard`: one die, whose files and version the test sets."""

    version = "0.9.0"
    files: dict[str, str] = {}
    calls: list[str] = []

    def __init__(self, device: str) -> None:
        self.device = device

    def run(self, script: str) -> object:
        if script == VERSION_SCRIPT:
            return {"version": self.version}
        if script == HASHES_SCRIPT:
            return dict(self.files)
        self.calls.append(script.strip().splitlines()[-1])
        return {}

    def put(self, name: str, data: bytes) -> None:
        import hashlib

        self.files[name.removesuffix(".new")] = hashlib.sha256(data).hexdigest()
        self.calls.append(f"put {name}")

    def reset(self) -> None:
        self.calls.append("reset")


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> type[OneBoard]:
    port = tmp_path / "ttyACM0"
    port.touch()
    monkeypatch.setattr(OneBoard, "files", {})
    monkeypatch.setattr(OneBoard, "calls", [])
    monkeypatch.setattr(OneBoard, "version", "0.9.0")
    monkeypatch.setattr(node_flash, "MpremoteBoard", OneBoard)
    monkeypatch.setattr(serial_line, "plugged_ports", lambda: [Port(str(port), "30AE", "303A:1001")])
    return OneBoard


def flash(*arguments: str) -> int:
    return main(["flash", "die", "--id", "b2", *arguments])


def test_a_die_is_flashed_and_then_up_to_date(board: type[OneBoard], capsys: pytest.CaptureFixture[str]) -> None:
    assert flash() == 0
    said = capsys.readouterr().out
    assert "0.9.0" in said
    assert "motion.py" in said
    puts = [call for call in board.calls if call.startswith("put")]
    assert puts[-2:] == ["put main.py.new", "put version.json.new"]
    assert board.calls[-1] == "reset"
    count = len(puts)
    assert flash() == 0
    assert len([call for call in board.calls if call.startswith("put")]) == count
    assert "motion.py" not in capsys.readouterr().out


def test_an_older_version_is_refused_and_the_die_goes_on(
    board: type[OneBoard], capsys: pytest.CaptureFixture[str]
) -> None:
    board.version = "1.10.0"
    assert flash() == 2
    assert "1.10.0" in capsys.readouterr().err
    assert board.calls == ["reset"]
    assert flash("--force") == 0
    assert len(board.calls) > 10


def test_faults_of_node_toml_are_named_together(
    board: type[OneBoard], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    settings = tmp_path / "node.toml"
    settings.write_text('[die]\nradio = "lora"\naddress = 300\n')
    assert flash("--settings", str(settings)) == 2
    said = capsys.readouterr().err
    assert "die.radio" in said
    assert "die.address" in said
    assert board.calls == []
