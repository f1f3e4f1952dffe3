"""A whole simulated match shown through the real firmware: every picture and every light as the host painted them."""

from collections.abc import Callable

import pytest
from microcontroller import Cable, Microcontroller, needs_micropython
from PIL import Image
from test_node import hosting, strip_of, visible

from nardi.devices.node import LinkUp, ShownScene
from nardi.game.umpire import begun
from nardi.rules import ByColor, find_ruleset
from nardi.simulation import SEATING, Simulation
from nardi.views.light_places import in_image_order
from nardi.views.paint import page_bytes, paint
from nardi.views.scene import Scene, scene

pytestmark = [needs_micropython, pytest.mark.slow]


def glass(memory: bytes) -> Image.Image:
    """What a person sees: the controller's pages as pixels."""
    image = Image.new("1", (128, 64))
    for page in range(8):
        for x in range(128):
            for bit in range(8):
                image.putpixel((x, page * 8 + bit), 255 if memory[page * 128 + x] >> bit & 1 else 0)
    return image


def scenes_of_a_match(seed: int) -> list[Scene]:
    """What the display is to show, in Armenian for White and Lithuanian for Black, each scene that differs."""
    beginning = begun(find_ruleset("backgammon"), 1, ByColor("Ani", "Jonas"), 0, seating=SEATING)
    found: list[Scene] = []
    simulation = Simulation(beginning, seed)
    for moment in simulation.moments():
        now = scene(moment.match, now_ms=simulation.people.t_ms, language=ByColor("hy", "lt"))
        if not found or now != found[-1]:
            found.append(now)
    return found


def test_every_picture_of_a_match_is_the_one_the_host_painted(
    boot: Callable[..., Microcontroller], cable: Callable[[Microcontroller], Cable], node_toml: dict
) -> None:
    scenes = scenes_of_a_match(4)
    assert len(scenes) > 60
    node = boot("node")
    pictures = set()
    with hosting(cable(node)) as host:
        host.wait(LinkUp)
        for one in scenes:
            painted = paint(one.screen)
            lights = in_image_order(one.lights, SEATING.white_ace_corner)
            mark = host.mark()
            host.link.show(lights, page_bytes(painted))
            host.wait(ShownScene, mark)
            assert glass(visible(node.log.panel())).tobytes() == painted.tobytes()
            assert node.log.lights()[-1] == strip_of(lights, node_toml)
            pictures.add(painted.tobytes())
    # It was no standing picture.
    assert len(pictures) > 30
