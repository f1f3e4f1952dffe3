"""The screen as pixels: 128x64, one bit each, and the same as bytes in the SSD1306's page order.

Nothing is ever cut: text is set in the largest size that fits its place, wrapped at spaces; what does not fit in the
smallest ends in an ellipsis (only names and files that people chose can be so long, as a test shows).
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from nardi.rules.color import Color
from nardi.views.font import font
from nardi.views.screen import Layout, Screen

WIDTH, HEIGHT = 128, 64
PAGES = HEIGHT // 8
TITLE_HEIGHT = 14
FOOT_HEIGHT = 13
SMALLEST = 9
"""The smallest size of letters, px. Only a long fault or name comes down to it."""

Align = Literal["left", "middle", "right"]


@dataclass(frozen=True, slots=True)
class Box:
    """A place on the screen, px; right and bottom are outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top


@dataclass(frozen=True, slots=True)
class Fitted:
    """Text made to fit a box: its lines, its size, whether anything had to be left out."""

    lines: tuple[str, ...]
    size_px: int
    bold: bool
    shortened: bool = False


def paint(screen: Screen) -> Image.Image:
    """The 128x64 picture of mode "1": 1 is a lit pixel."""
    image = Image.new("1", (WIDTH, HEIGHT), 0)
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"
    top = _paint_title(draw, screen)
    bottom = _paint_foot(draw, screen)
    body = Box(0, top, WIDTH, bottom)
    match screen.layout:
        case Layout.DICE:
            _paint_dice(draw, screen, body)
        case Layout.LINES:
            _paint_text(draw, body, screen.lines, largest=30)
        case Layout.CUBE:
            _paint_cube(draw, screen, body)
        case Layout.SCORE:
            _paint_score(draw, screen, body)
        case Layout.WRONG:
            _paint_wrong(draw, screen, body)
    return image


def page_bytes(picture: Image.Image) -> bytes:
    """1024 bytes as the SSD1306 wants them: 8 pages of 128 columns, the least significant bit on top.

    Raises ValueError for a picture of another size.
    """
    if picture.size != (WIDTH, HEIGHT):
        raise ValueError(f"a screen is {WIDTH}x{HEIGHT}, not {picture.size[0]}x{picture.size[1]}")
    # Transposed, each row of the new picture is one column of the screen, and packing runs down it; PIL packs the
    # first pixel into the most significant bit, so each byte's bits are turned round.
    columns = picture.convert("1").transpose(Image.Transpose.TRANSPOSE).tobytes()
    return bytes(_REVERSED[columns[x * PAGES + page]] for page in range(PAGES) for x in range(WIDTH))


_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


# --- text ---------------------------------------------------------------------------------------------------------


def fit(paragraphs: tuple[str, ...], box: Box, *, largest: int, bold: bool = True) -> Fitted:
    """The largest setting of `paragraphs` (each begins a line) that `box` holds."""
    for size in range(largest, SMALLEST - 1, -1):
        # Strokes of one pixel are hard to read from afar, so bold is given up only where nothing else helps.
        for heavy in (True, False) if bold and size <= 11 else (bold,):
            lines = _wrap(paragraphs, box.width, size, heavy)
            if lines is None:
                continue
            fitted = Fitted(lines, size, heavy)
            if _height(fitted) <= box.height:
                return fitted
    return _shorten(paragraphs, box)


def _ink(line: str, face: ImageFont.FreeTypeFont) -> tuple[int, int, int, int]:
    """Where the lit pixels of a line are: left, top, right, bottom, px from the pen."""
    left, top, right, bottom = face.getbbox(line or " ", mode="1")
    return int(left), int(top), int(right), int(bottom)


def _step(fitted: Fitted) -> int:
    """From one line to the next, px: as close as the letters let them, with a little air."""
    face = font(fitted.size_px, fitted.bold)
    inks = [_ink(line, face) for line in fitted.lines]
    touching = max((above[3] - below[1] for above, below in pairwise(inks)), default=0)
    return touching + max(2, fitted.size_px // 7)


def _height(fitted: Fitted) -> int:
    """From the top of the first line's ink to the bottom of the last line's, px."""
    face = font(fitted.size_px, fitted.bold)
    first, last = _ink(fitted.lines[0], face), _ink(fitted.lines[-1], face)
    return _step(fitted) * (len(fitted.lines) - 1) + last[3] - first[1]


def _width(text: str, face: ImageFont.FreeTypeFont) -> int:
    left, _, right, _ = _ink(text, face)
    return right - min(left, 0)


def _wrap(paragraphs: tuple[str, ...], width: int, size: int, bold: bool) -> tuple[str, ...] | None:
    """The paragraphs broken at spaces (not at no-break ones), or None where a word alone is too wide."""
    face = font(size, bold)
    lines: list[str] = []
    for paragraph in paragraphs:
        line = ""
        for word in paragraph.split(" "):
            if _width(word, face) > width:
                return None
            longer = f"{line} {word}" if line else word
            if _width(longer, face) <= width:
                line = longer
            else:
                lines.append(line)
                line = word
        lines.append(line)
    return tuple(lines)


def _shorten(paragraphs: tuple[str, ...], box: Box) -> Fitted:
    """As much as fits at the smallest size, words too wide broken, what is left out marked by an ellipsis."""
    face = font(SMALLEST)
    lines = [""]
    for word in " ".join(paragraphs).split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if _width(longer, face) <= box.width:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if _width(f"{lines[-1]}{letter}", face) > box.width:
                lines.append("")
            lines[-1] += letter
    fitted = Fitted(tuple(lines), SMALLEST, False)
    while len(lines) > 1 and _height(fitted) > box.height:
        lines.pop()
        while lines[-1] and _width(f"{lines[-1]}…", face) > box.width:
            lines[-1] = lines[-1][:-1]
        fitted = Fitted((*lines[:-1], f"{lines[-1].rstrip()}…"), SMALLEST, False, shortened=True)
    return fitted


def _paint_text(
    draw: ImageDraw.ImageDraw,
    box: Box,
    paragraphs: tuple[str, ...],
    *,
    largest: int,
    align: Align = "middle",
    fill: int = 1,
    bold: bool = True,
) -> None:
    """Text centred up and down in `box`, by its ink."""
    if not any(paragraphs):
        return
    fitted = fit(paragraphs, box, largest=largest, bold=bold)
    face = font(fitted.size_px, fitted.bold)
    step = _step(fitted)
    y = box.top + (box.height - _height(fitted)) // 2 - _ink(fitted.lines[0], face)[1]
    for line in fitted.lines:
        left, _, right, _ = _ink(line, face)
        x = box.left - left
        if align == "middle":
            x += (box.width - (right - left)) // 2
        elif align == "right":
            x += box.width - (right - left)
        draw.text((x, y), line, fill=fill, font=face)
        y += step


# --- the parts of a screen ----------------------------------------------------------------------------------------


def _paint_title(draw: ImageDraw.ImageDraw, screen: Screen) -> int:
    """The bar on top: filled for White, outlined for Black and for nobody. Returns where the body begins, y."""
    if not screen.title:
        return 0
    filled = screen.side is Color.WHITE
    draw.rectangle((0, 0, WIDTH - 1, TITLE_HEIGHT - 1), fill=1 if filled else 0, outline=1)
    _paint_text(draw, Box(3, 2, WIDTH - 3, TITLE_HEIGHT - 2), (screen.title,), largest=13, fill=0 if filled else 1)
    return TITLE_HEIGHT + 1


def _paint_foot(draw: ImageDraw.ImageDraw, screen: Screen) -> int:
    """The line at the bottom. Returns where the body ends, y."""
    top = HEIGHT - FOOT_HEIGHT
    if screen.alert:
        draw.rectangle((0, top, WIDTH - 1, HEIGHT - 1), fill=1)
        _paint_text(draw, Box(2, top + 1, WIDTH - 2, HEIGHT - 1), (f"! {screen.alert}",), largest=12, fill=0)
        return top - 1
    if screen.foot is None:
        return HEIGHT
    foot = screen.foot
    edges = []
    for text, running, at_left in (
        (foot.white, foot.running is Color.WHITE, True),
        (foot.black, foot.running is Color.BLACK, False),
    ):
        width = _width(text, font(13, bold=True)) + (6 if running else 0)
        left = 0 if at_left else WIDTH - width
        edges.append(width)
        if running:
            draw.rectangle((left, top, left + width - 1, HEIGHT - 1), fill=1)
        _paint_text(draw, Box(left, top + 1, left + width, HEIGHT), (text,), largest=13, fill=not running)
    middle = Box(edges[0] + 3, top + 1, WIDTH - edges[1] - 3, HEIGHT)
    _paint_text(draw, middle, (foot.middle,), largest=11, bold=False)
    return top - 1


def _paint_dice(draw: ImageDraw.ImageDraw, screen: Screen, body: Box) -> None:
    """Two dice as large as they go; words stand beside them."""
    words = bool(screen.lines and screen.lines[0])
    gap = 3 if words else 8
    size = min(body.height - 1, 28 if words else 46)
    left = 0 if words else (WIDTH - 2 * size - gap) // 2
    top = body.top + (body.height - size) // 2
    for number, value in enumerate(screen.dice[:2]):
        _paint_die(draw, left + number * (size + gap), top, size, value)
    if words:
        beside = Box(2 * size + gap + 4, body.top, WIDTH, body.bottom)
        _paint_text(draw, beside, screen.lines, largest=20)


_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}


def _paint_die(draw: ImageDraw.ImageDraw, left: int, top: int, size: int, value: int) -> None:
    """A lit die with dark pips; one not known yet is an outline."""
    corner = size // 6
    box = (left, top, left + size - 1, top + size - 1)
    if not value:
        draw.rounded_rectangle(box, corner, outline=1, width=2)
        return
    draw.rounded_rectangle(box, corner, fill=1)
    pip = max(3, round(size * 0.2))
    for column, row in _PIPS[value]:
        x, y = (round(left + size * (0.22 + 0.28 * at) - pip / 2) for at in (column, row))
        y += top - left
        draw.ellipse((x, y, x + pip - 1, y + pip - 1), fill=0)


def _paint_cube(draw: ImageDraw.ImageDraw, screen: Screen, body: Box) -> None:
    """The cube with the value that is offered, and the question beside it."""
    size = min(body.height, 36)
    top = body.top + (body.height - size) // 2
    draw.rounded_rectangle((0, top, size - 1, top + size - 1), 5, outline=1, width=2)
    _paint_text(draw, Box(3, top + 3, size - 3, top + size - 3), (str(screen.cube or ""),), largest=26)
    _paint_text(draw, Box(size + 3, body.top, WIDTH, body.bottom), screen.lines, largest=20)


def _paint_score(draw: ImageDraw.ImageDraw, screen: Screen, body: Box) -> None:
    """Names above, numbers below them, the result beneath."""
    half = WIDTH // 2
    for name, points, left, right, color in (
        (screen.names[0], screen.score[0], 0, half - 8, Color.WHITE),
        (screen.names[1], screen.score[1], half + 8, WIDTH, Color.BLACK),
    ):
        filled = screen.side is color
        if filled:
            draw.rectangle((left, body.top, right - 1, body.top + 12), fill=1)
        _paint_text(draw, Box(left + 1, body.top + 1, right - 1, body.top + 12), (name,), largest=12, fill=not filled)
        _paint_text(draw, Box(left, body.top + 14, right, body.top + 38), (points,), largest=28)
    _paint_text(draw, Box(half - 8, body.top + 14, half + 8, body.top + 38), ("–",), largest=20)
    _paint_text(draw, Box(0, body.top + 39, WIDTH, body.bottom), screen.lines, largest=16)


def _paint_wrong(draw: ImageDraw.ImageDraw, screen: Screen, body: Box) -> None:
    """A warning sign, what is wrong beside it, the way back in a line of its own."""
    sign = 22
    reason, way = (*screen.lines, "", "")[:2]
    bottom = body.bottom - 15 if way else body.bottom
    top = body.top + max(0, (bottom - body.top - sign) // 2)
    draw.polygon(((sign // 2, top), (sign - 1, top + sign - 2), (0, top + sign - 2)), fill=1)
    draw.rectangle((sign // 2 - 1, top + 7, sign // 2, top + 14), fill=0)
    draw.rectangle((sign // 2 - 1, top + 16, sign // 2, top + 17), fill=0)
    _paint_text(draw, Box(sign + 3, body.top, WIDTH, bottom - 1), (reason,), largest=20)
    if way:
        draw.line((0, bottom, WIDTH - 1, bottom), fill=1)
        _paint_text(draw, Box(0, bottom + 2, WIDTH, body.bottom), (way,), largest=14)
