"""One truth of places: the lights of hardware/node.toml, the eye's slots and White's points name the same spots."""

import tomllib
from pathlib import Path

import pytest

from nardi.game.seating import Seating
from nardi.views.light_places import in_image_order
from nardi_vision.sizes import load_sizes

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("corner", range(4))
def test_the_light_at_a_point_is_the_eyes_slot_of_that_point(corner: int) -> None:
    seating = Seating("light", corner)
    for point in range(1, 25):
        lights = tuple((255, 0, 0) if index == point - 1 else (0, 0, 0) for index in range(27))
        lit = in_image_order(lights, corner)
        assert [index for index, rgb in enumerate(lit) if rgb != (0, 0, 0)] == [seating.slot(point)]


def test_every_light_is_on_the_strip() -> None:
    lights = tomllib.loads((ROOT / "hardware" / "node.toml").read_text(encoding="utf-8"))["lights"]
    # "-" is an LED left dark.
    assert set(lights["chain"]) - {"-"} == set(load_sizes().order)
