"""Microcontrollers and cables that are taken down again whatever happens."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from microcontroller import ROOT, Cable, Microcontroller
from PIL import Image

from nardi.devices.node_settings import read_node_toml


@pytest.fixture
def boot(tmp_path: Path) -> Iterator[Callable[..., Microcontroller]]:
    """Starts a microcontroller: `boot("node", settings={…})`. A crash, or an end by itself, fails the test."""
    started: list[Microcontroller] = []

    def start(folder: str, name: str = "", **options: Any) -> Microcontroller:
        home = tmp_path / (name or folder)
        home.mkdir(exist_ok=True)
        started.append(Microcontroller(folder, home, **options))
        return started[-1]

    yield start
    errors = []
    for microcontroller in started:
        errors.append(microcontroller.stop())
        microcontroller.close()
    assert not any(errors), "\n".join(errors)


@pytest.fixture
def cable() -> Iterator[Callable[[Microcontroller], Cable]]:
    laid: list[Cable] = []

    def lay(microcontroller: Microcontroller) -> Cable:
        laid.append(Cable(microcontroller))
        return laid[-1]

    yield lay
    for one in laid:
        one.close()


@pytest.fixture(scope="session")
def node_toml() -> dict[str, Any]:
    return read_node_toml(ROOT / "hardware" / "node.toml")


@pytest.fixture(scope="session")
def no_link_picture() -> bytes:
    """The golden picture, turned back into pages."""
    image = Image.open(ROOT / "tests" / "golden" / "wire" / "no_link.png").convert("1")
    return bytes(
        sum((image.getpixel((x, page * 8 + bit)) != 0) << bit for bit in range(8))
        for page in range(8)
        for x in range(128)
    )
