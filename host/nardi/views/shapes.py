"""Drawings as values: a few kinds of shapes, written as SVG or drawn as pixels, so that both show the same board."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Literal

from PIL import Image, ImageDraw

from nardi.views.font import font

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Rectangle:
    x: float
    y: float
    width: float
    height: float
    fill: str
    radius: float = 0
    stroke: str = ""
    stroke_width: float = 1


@dataclass(frozen=True, slots=True)
class Polygon:
    corners: tuple[tuple[float, float], ...]
    fill: str


@dataclass(frozen=True, slots=True)
class Circle:
    """`x`, `y` is the centre."""

    x: float
    y: float
    radius: float
    fill: str
    stroke: str = ""
    stroke_width: float = 1


@dataclass(frozen=True, slots=True)
class Label:
    """One line of text; `x`, `y` is its middle (or the start or end of its middle line)."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    bold: bool = False
    anchor: Anchor = "middle"


Shape = Rectangle | Polygon | Circle | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes from back to front, of which `width` x `height` units are shown, from `top` down."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    top: float = 0


def svg(drawing: Drawing, title: str = "") -> str:
    """The drawing as one self-contained SVG element. `title` is what a screen reader says of it."""
    named = f' role="img" aria-label="{escape(title)}"' if title else ""
    box = f"0 {_n(drawing.top)} {_n(drawing.width)} {_n(drawing.height)}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"{named} '
        'font-family="DejaVu Sans, Noto Sans, Noto Sans Armenian, sans-serif">'
    )
    return "\n".join([head, elements(drawing.shapes), "</svg>"])


def elements(shapes: Iterable[Shape]) -> str:
    """Shapes as SVG elements, one a line."""
    return "\n".join(_element(shape) for shape in shapes)


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _element(shape: Shape) -> str:
    match shape:
        case Rectangle():
            radius = f' rx="{_n(shape.radius)}"' if shape.radius else ""
            return (
                f'<rect x="{_n(shape.x)}" y="{_n(shape.y)}" width="{_n(shape.width)}" height="{_n(shape.height)}"'
                f'{radius} fill="{shape.fill}"{_stroke(shape)}/>'
            )
        case Polygon():
            corners = " ".join(f"{_n(x)},{_n(y)}" for x, y in shape.corners)
            return f'<polygon points="{corners}" fill="{shape.fill}"/>'
        case Circle():
            place = f'cx="{_n(shape.x)}" cy="{_n(shape.y)}" r="{_n(shape.radius)}"'
            return f'<circle {place} fill="{shape.fill}"{_stroke(shape)}/>'
        case Label():
            weight = ' font-weight="bold"' if shape.bold else ""
            # A third of the size below the middle is where the base line lies, in every viewer alike.
            return (
                f'<text x="{_n(shape.x)}" y="{_n(shape.y + shape.size * 0.36)}" font-size="{_n(shape.size)}"'
                f'{weight} text-anchor="{shape.anchor}" fill="{shape.fill}">{escape(shape.text)}</text>'
            )


def _stroke(shape: Rectangle | Circle) -> str:
    return f' stroke="{shape.stroke}" stroke-width="{_n(shape.stroke_width)}"' if shape.stroke else ""


FINER = 3
"""Pictures are drawn so many times larger and then made smaller, which smooths every edge."""


def picture(drawing: Drawing, scale: float, ground: str = "#ffffff") -> Image.Image:
    """The drawing as pixels, `scale` px a unit, mode RGB."""
    size = round(drawing.width * scale), round(drawing.height * scale)
    above = round(drawing.top * scale) * FINER
    large = Image.new("RGB", (size[0] * FINER, size[1] * FINER + above), ground)
    draw_shapes(ImageDraw.Draw(large), drawing.shapes, scale * FINER)
    return large.crop((0, above, *large.size)).resize(size, Image.Resampling.BOX)


def draw_shapes(draw: ImageDraw.ImageDraw, shapes: Iterable[Shape], scale: float) -> None:
    """Draws shapes onto a picture, `scale` px a unit."""
    for shape in shapes:
        match shape:
            case Rectangle():
                draw.rounded_rectangle(
                    _box(shape.x, shape.y, shape.width, shape.height, scale),
                    shape.radius * scale,
                    fill=shape.fill,
                    outline=shape.stroke or None,
                    width=max(1, round(shape.stroke_width * scale)),
                )
            case Polygon():
                draw.polygon([(x * scale, y * scale) for x, y in shape.corners], fill=shape.fill)
            case Circle():
                around = shape.radius + (shape.stroke_width / 2 if shape.stroke else 0)
                draw.ellipse(
                    _box(shape.x - around, shape.y - around, 2 * around, 2 * around, scale),
                    fill=shape.fill,
                    outline=shape.stroke or None,
                    width=max(1, round(shape.stroke_width * scale)),
                )
            case Label():
                face = font(max(1, round(shape.size * scale)), shape.bold)
                anchor = {"start": "ls", "middle": "ms", "end": "rs"}[shape.anchor]
                place = (shape.x * scale, (shape.y + shape.size * 0.36) * scale)
                draw.text(place, shape.text, fill=shape.fill, font=face, anchor=anchor)


def _box(x: float, y: float, width: float, height: float, scale: float) -> tuple[float, float, float, float]:
    return x * scale, y * scale, (x + width) * scale, (y + height) * scale
