"""Many screens on one sheet, each under its name, to be looked at side by side."""

from collections.abc import Iterator, Mapping

from PIL import Image, ImageDraw

from nardi.views.font import font
from nardi.views.paint import HEIGHT, WIDTH, paint
from nardi.views.scene import Scene
from nardi.views.table_picture import screen_picture

SCALE = 3
COLUMNS = 4
GAP = 12
NAME = 20
"""Height of the line with the name, px."""


def sheet(scenes: Mapping[str, Scene]) -> Iterator[tuple[str, Image.Image]]:
    """Each screen as its 128x64 picture under its name, and at last, under the empty name, all of them on one sheet."""
    rows = -(-len(scenes) // COLUMNS)
    step_x, step_y = WIDTH * SCALE + GAP, HEIGHT * SCALE + NAME + GAP
    whole = Image.new("RGB", (COLUMNS * step_x + GAP, rows * step_y + GAP), "#3a3d44")
    draw = ImageDraw.Draw(whole)
    for number, (name, scene) in enumerate(scenes.items()):
        x, y = GAP + number % COLUMNS * step_x, GAP + number // COLUMNS * step_y
        draw.text((x, y), name, font=font(14), fill="#ffffff")
        whole.paste(screen_picture(scene, SCALE), (x, y + NAME))
        yield name, paint(scene.screen)
    yield "", whole
