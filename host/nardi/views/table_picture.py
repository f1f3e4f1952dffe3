"""A picture of the whole table at one moment: the board with its lights, the small screen beside it, what was ruled."""

from PIL import Image, ImageDraw

from nardi.game.match import Match
from nardi.rules.color import Color
from nardi.text.catalogue import load
from nardi.views.board_drawing import HEIGHT, RAIL_COLOR, WIDTH, draw_table, shown_color
from nardi.views.diagram import table_of
from nardi.views.font import font
from nardi.views.legend import LEGEND, OFF, Light
from nardi.views.paint import HEIGHT as SCREEN_HEIGHT
from nardi.views.paint import WIDTH as SCREEN_WIDTH
from nardi.views.paint import Box, fit, paint
from nardi.views.scene import Scene
from nardi.views.screen import shown_score
from nardi.views.shapes import Circle, Label, Rectangle, Shape, draw_shapes, picture

SIZE = (1280, 660)
"""Width and height of the picture, px."""
MARGIN = 24
BOARD_SCALE = (SIZE[1] - 2 * MARGIN) / HEIGHT
PANEL_X = 2 * MARGIN + round(WIDTH * BOARD_SCALE)
SCREEN_SCALE = 3
GROUND = "#23262d"
TEXT = "#eef0f4"
FAINT = "#9aa3b2"
SCREEN_LIT = (170, 232, 255)
SCREEN_DARK = (6, 10, 16)


def table_picture(match: Match, scene: Scene, *, caption: str = "") -> Image.Image:
    """1280x660 px, RGB. `caption`: what was ruled just now, in words. Raises ValueError where no game has begun."""
    image = Image.new("RGB", SIZE, GROUND)
    image.paste(picture(draw_table(table_of(match, scene.lights)), BOARD_SCALE, GROUND), (MARGIN, MARGIN))
    draw = ImageDraw.Draw(image)
    language = scene.screen.language
    y = _draw_players(draw, match, language, MARGIN)
    y = _draw_screen(image, draw, scene, y + 18)
    _draw_caption(draw, caption, y + 22)
    _draw_legend(draw, scene.lights, language)
    return image


def screen_picture(scene: Scene, scale: int = 4) -> Image.Image:
    """The small screen alone, `scale` times enlarged, in an OLED's light blue on black."""
    lit = paint(scene.screen).resize((SCREEN_WIDTH * scale, SCREEN_HEIGHT * scale), Image.Resampling.NEAREST)
    image = Image.new("RGB", lit.size, SCREEN_DARK)
    image.paste(SCREEN_LIT, mask=lit)
    return image


def _draw_players(draw: ImageDraw.ImageDraw, match: Match, language: str, top: int) -> int:
    """Both names with their points; who is on turn is marked. Returns where the next part may begin, px."""
    catalogue = load(language)
    shapes: list[Shape] = []
    turn = match.game.turn if match.game is not None else None
    for color, points in zip(Color, shown_score(match, catalogue), strict=True):
        y = top + 22.0 if color is Color.WHITE else top + 64.0
        if turn is color:
            shapes.append(Rectangle(PANEL_X - 6, y - 20, SIZE[0] - MARGIN - PANEL_X + 12, 40, "#343a46", 8))
        face, rim = ("#fdf9ee", "#a8977a") if color is Color.WHITE else ("#2a2a31", "#8d8d99")
        shapes.append(Circle(PANEL_X + 16, y, 11, face, rim, 2))
        name = match.players[color] or catalogue.word(color)
        shapes.append(Label(PANEL_X + 40, y, _shortened(name, 250, 20), 20, TEXT, bold=turn is color, anchor="start"))
        shapes.append(Label(SIZE[0] - MARGIN - 8, y, points, 24, TEXT, bold=True, anchor="end"))
    draw_shapes(draw, shapes, 1)
    return top + 84


def _shortened(text: str, width: int, size: int) -> str:
    face = font(size, bold=True)
    if face.getlength(text) <= width:
        return text
    while text and face.getlength(f"{text}…") > width:
        text = text[:-1]
    return f"{text}…"


def _draw_screen(image: Image.Image, draw: ImageDraw.ImageDraw, scene: Scene, top: int) -> int:
    screen = screen_picture(scene, SCREEN_SCALE)
    left = PANEL_X + (SIZE[0] - MARGIN - PANEL_X - screen.width) // 2
    frame = (left - 12, top, left + screen.width + 11, top + screen.height + 23)
    draw.rounded_rectangle(frame, 10, fill=RAIL_COLOR, outline="#3b3f49", width=2)
    image.paste(screen, (left, top + 12))
    return top + screen.height + 24


def _draw_caption(draw: ImageDraw.ImageDraw, caption: str, top: int) -> None:
    if not caption:
        return
    box = Box(PANEL_X, top, SIZE[0] - MARGIN, top + 110)
    fitted = fit((caption,), box, largest=21, bold=False)
    face = font(fitted.size_px)
    for number, line in enumerate(fitted.lines):
        draw.text((PANEL_X, top + number * (fitted.size_px + 7)), line, font=face, fill=TEXT)


def _draw_legend(draw: ImageDraw.ImageDraw, lights: tuple[Light, ...], language: str) -> None:
    """The meaning of the colours that are lit now, at the foot of the panel."""
    catalogue = load(language)
    used = [(name, light) for name, light in LEGEND if light in lights and light != OFF]
    y = SIZE[1] - MARGIN - 14 - 26 * (len(used) - 1)
    for name, light in used:
        shapes: tuple[Shape, ...] = (
            Circle(PANEL_X + 12, y, 7, shown_color(light)),
            Label(PANEL_X + 30, y, catalogue.text(f"legend.{name}"), 16, FAINT, anchor="start"),
        )
        draw_shapes(draw, shapes, 1)
        y += 26
