"""The board as shapes: points, checkers, trays, cube, dice, and the lights along its edges.

White sits at the bottom; White's home is at the bottom right. Points are labelled from the side of the player on turn
(CASES 10). Units are those of the drawing; a checker is 38 wide.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from nardi.board_sizes import board_sizes
from nardi.game.board import Board
from nardi.rules.color import Color
from nardi.rules.cube import Cube, next_value
from nardi.rules.ruleset import Ruleset
from nardi.views.legend import OFF, Light
from nardi.views.light_places import USUAL_CORNER, interpolated, spots
from nardi.views.shapes import Circle, Drawing, Label, Polygon, Rectangle, Shape

POINT = 42.0
CHECKER = 19.0
"""Radius of a checker."""
TRAY = 58.0
TRAY_HEIGHT = 178.0
EDGE = 14.0
RAIL = 26.0
"""Height of the strip that holds the lights."""
NUMBERS = 20.0
"""Height of the strip that holds the point numbers."""
FIELD = 456.0
"""Height of the playing surface."""
TRIANGLE = 186.0
STACK = 5
"""So many checkers lie beside each other; more are said by a number."""

BAR_X = EDGE + TRAY + EDGE + 6 * POINT
RIGHT_X = BAR_X + POINT
WIDTH = RIGHT_X + 6 * POINT + EDGE + TRAY + EDGE
TOP = RAIL + NUMBERS
HEIGHT = FIELD + 2 * TOP
LEFT_TRAY_X = EDGE
RIGHT_TRAY_X = WIDTH - EDGE - TRAY

WOOD = "#4b3226"
SURFACE = "#efe3cb"
DARK_POINT = "#8f5b43"
LIGHT_POINT = "#d3b48c"
RAIL_COLOR = "#1b1b20"
UNLIT = "#33333b"
INK = "#f6efe0"
DIE = "#fffdf6"
CHECKERS = {Color.WHITE: ("#fdf9ee", "#a8977a", "#d9ccb2"), Color.BLACK: ("#2a2a31", "#08080a", "#4b4b55")}
"""Of each player's checkers: the face, the rim, the ring on it."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is drawn.

    `numbering`: from whose side points are numbered; `dice_of`: who threw the dice; `ace_corner`: the corner nearest
    White's 1 point as the eye sees the board (0-3), by which the lights lie.
    """

    board: Board
    ruleset: Ruleset
    numbering: Color = Color.WHITE
    cube: Cube | None = None
    dice: tuple[int, ...] = ()
    dice_of: Color | None = None
    lights: tuple[Light, ...] | None = None
    ace_corner: int = USUAL_CORNER


def draw_table(table: Table) -> Drawing:
    """The whole board. Without lights the rails are left out."""
    shapes = (*ground(table), *pieces(table))
    if table.lights is not None:
        return Drawing(WIDTH, HEIGHT, (*shapes, *_lights(table, table.lights)))
    return Drawing(WIDTH, HEIGHT - 2 * RAIL, shapes, top=RAIL)


def ground(table: Table) -> Iterator[Shape]:
    """What stays: frame, trays, points and their numbers."""
    yield from _surfaces(table)
    yield from _points(table)


def pieces(table: Table) -> Iterator[Shape]:
    """What moves: checkers, cube and dice."""
    yield from _checkers(table)
    yield from _trays(table)
    if table.cube is not None and table.ruleset.cube:
        yield from _cube(table.cube, table.ruleset)
    yield from _dice(table)


def point_x(point: int) -> float:
    """The middle of White's `point`, 1-24."""
    column = (point - 1) % 12
    from_left = 11 - column if point <= 12 else column
    left = EDGE + TRAY + EDGE if from_left < 6 else RIGHT_X - 6 * POINT
    return left + (from_left + 0.5) * POINT


def is_low(point: int) -> bool:
    """Whether White's `point` lies on White's side, at the bottom."""
    return point <= 12


def _surfaces(table: Table) -> list[Shape]:
    top = 0.0 if table.lights is not None else RAIL
    shapes: list[Shape] = [Rectangle(0, top, WIDTH, HEIGHT - 2 * top, WOOD, radius=10)]
    shapes += [Rectangle(x, TOP, 6 * POINT, FIELD, SURFACE) for x in (EDGE + TRAY + EDGE, RIGHT_X)]
    shapes += [
        Rectangle(x, y, TRAY, TRAY_HEIGHT, "#38241b", radius=4)
        for x in (LEFT_TRAY_X, RIGHT_TRAY_X)
        for y in (TOP, TOP + FIELD - TRAY_HEIGHT)
    ]
    return shapes


def _points(table: Table) -> Iterator[Shape]:
    for point in range(1, 25):
        x, low = point_x(point), is_low(point)
        base, tip = (TOP + FIELD, TOP + FIELD - TRIANGLE) if low else (TOP, TOP + TRIANGLE)
        fill = DARK_POINT if point % 2 else LIGHT_POINT
        yield Polygon(((x - POINT / 2 + 1, base), (x + POINT / 2 - 1, base), (x, tip)), fill)
        number = point if table.numbering is Color.WHITE else table.ruleset.facing(point)
        yield Label(x, TOP + FIELD + NUMBERS / 2 if low else TOP - NUMBERS / 2, str(number), 13, INK)


def _checkers(table: Table) -> Iterator[Shape]:
    for point, (color, count) in enumerate(table.board.points, start=1):
        if color is None or not count:
            continue
        direction = -1 if is_low(point) else 1
        base = TOP + FIELD if is_low(point) else TOP
        for number in range(min(count, STACK)):
            last = number == min(count, STACK) - 1
            y = base + direction * (CHECKER + 1) * (2 * number + 1)
            yield from _checker(point_x(point), y, color, count if last and count > STACK else 0)
    for color in Color:
        count = table.board.bar[color]
        # Hit checkers wait on the side where they enter.
        direction = -1 if color is Color.WHITE else 1
        for number in range(min(count, 3)):
            y = TOP + FIELD / 2 + direction * (CHECKER + 1) * (2 * number + 1.6)
            last = number == min(count, 3) - 1
            yield from _checker(BAR_X + POINT / 2, y, color, count if last and count > 3 else 0)


def _checker(x: float, y: float, color: Color, number: int = 0) -> Iterator[Shape]:
    face, rim, ring = CHECKERS[color]
    yield Circle(x, y, CHECKER - 0.8, face, rim, 1.6)
    yield Circle(x, y, CHECKER * 0.62, face, ring, 1.4)
    if number:
        yield Label(x, y, str(number), 17, CHECKERS[color.other][0], bold=True)


def tray_of(color: Color, ruleset: Ruleset) -> tuple[float, float]:
    """Where a player bears off: the left edge and the top of the tray beside their home."""
    if color is Color.WHITE:
        return RIGHT_TRAY_X, TOP + FIELD - TRAY_HEIGHT
    return (LEFT_TRAY_X if ruleset.same_way else RIGHT_TRAY_X), TOP


def _trays(table: Table) -> Iterator[Shape]:
    for color in Color:
        x, y = tray_of(color, table.ruleset)
        face, rim, _ = CHECKERS[color]
        count = table.board.off[color]
        for number in range(count):
            place = y + TRAY_HEIGHT - 11 * (number + 1) - 6 if color is Color.WHITE else y + 6 + 11 * number
            yield Rectangle(x + 8, place, TRAY - 16, 9.5, face, 2, rim)
        if count:
            middle = y - 12 if color is Color.WHITE else y + TRAY_HEIGHT + 12
            yield Label(x + TRAY / 2, middle, str(count), 15, INK, bold=True)


def _cube(cube: Cube, ruleset: Ruleset) -> Iterator[Shape]:
    """The cube where it stands; one that is offered lies on the board before the player who must answer."""
    size = 42.0
    x, y = LEFT_TRAY_X + (TRAY - size) / 2, TOP + FIELD / 2 - size / 2
    value = cube.value
    if cube.offered_by is not None:
        value = next_value(cube.value, ruleset)
        x = point_x(10) - size / 2
    elif cube.owner is not None:
        y = TOP + FIELD - 60 - size if cube.owner is Color.WHITE else TOP + 60
        if ruleset.same_way and cube.owner is Color.BLACK:
            y = TOP + TRAY_HEIGHT + 10
    text = "64" if value == 1 else str(value)
    yield Rectangle(x, y, size, size, DIE, 7, "#6b5a48", 1.5)
    yield Label(x + size / 2, y + size / 2, text, 22 if len(text) < 3 else 16, "#24201c", bold=True)


_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def _dice(table: Table) -> Iterator[Shape]:
    """The dice in the thrower's right half: White's on the right, Black's on the left."""
    size = 38.0
    own = table.dice_of
    face, pip = (CHECKERS[own][0], CHECKERS[own.other][0]) if own is not None else (DIE, "#24201c")
    middle = BAR_X + POINT / 2 + (-1 if own is Color.BLACK else 1) * (POINT / 2 + 3 * POINT)
    for number, value in enumerate(table.dice[:2]):
        x = middle + (number - 0.5) * (size + 12) - size / 2
        y = TOP + FIELD / 2 - size / 2
        if not value:
            yield Rectangle(x, y, size, size, SURFACE, 7, "#b7a588", 1.5)
            continue
        yield Rectangle(x, y, size, size, face, 7, "#6b5a48", 1.5)
        for column, row in _PIPS[value]:
            yield Circle(x + size / 2 + column * 10.5, y + size / 2 + row * 10.5, 3.9, pip)


def _lights(table: Table, lights: tuple[Light, ...]) -> Iterator[Shape]:
    for y in (0.0, HEIGHT - RAIL):
        yield Rectangle(EDGE, y + 3, WIDTH - 2 * EDGE, RAIL - 6, RAIL_COLOR, 9)
    columns = (-1.0, *(column + 0.5 for column in range(12)), 13.0)
    drawn = (0.0, *(point_x(point) for point in range(13, 25)), WIDTH)
    for spot, light in zip(spots(table.ace_corner, board_sizes().board), lights, strict=True):
        x = interpolated(spot.column, columns, drawn)
        yield from _light(min(max(x, RAIL), WIDTH - RAIL), HEIGHT - RAIL / 2 if spot.low else RAIL / 2, light)


def _light(x: float, y: float, light: Light) -> Iterator[Shape]:
    if light == OFF:
        yield Circle(x, y, 4.5, UNLIT)
        return
    bright = shown_color(light)
    for radius, part in ((11.5, 0.25), (9.0, 0.5)):
        yield Circle(x, y, radius, _mixed(RAIL_COLOR, bright, part))
    yield Circle(x, y, 6.5, bright)
    yield Circle(x, y, 2.8, _mixed(bright, "#ffffff", 0.65))


def shown_color(light: Light) -> str:
    """How a light looks: LEDs are linear and bright even when driven low; pictures are neither."""
    return "#" + "".join(f"{min(255, round(255 * (channel / 220) ** 0.45)):02x}" for channel in light)


def _mixed(under: str, over: str, part: float) -> str:
    pairs = ((int(under[at : at + 2], 16), int(over[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)
