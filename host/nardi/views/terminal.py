"""The table in a terminal of 100x34 characters: the board with its lights, players, and the small screen in Braille.

Braille letters hold 2x4 dots, so that the 128x64 screen is shown whole, dot for dot, in 64x16 characters.
"""

import math

from PIL import Image
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text

from nardi.board_sizes import board_sizes
from nardi.game.match import Match
from nardi.rules.color import Color
from nardi.rules.cube import next_value
from nardi.text.catalogue import Catalogue, load
from nardi.views.board_drawing import (
    CHECKERS,
    DARK_POINT,
    DIE,
    INK,
    LIGHT_POINT,
    RAIL_COLOR,
    SURFACE,
    UNLIT,
    WOOD,
    Table,
    shown_color,
)
from nardi.views.diagram import table_of
from nardi.views.legend import LEGEND, LIGHTS, OFF, POINTS, Light
from nardi.views.light_places import spots
from nardi.views.paint import paint
from nardi.views.scene import Scene
from nardi.views.screen import shown_score

CELL = 4
"""Characters a point is wide."""
TALL = 5
"""Rows of checkers on each side."""
TOKEN = "▇▇"
"""A checker: two seventh-eighth blocks, about square in most terminals, with a gap to the next."""
LIT = "#a9e7ff"
SCREEN = "#070b11"


def render(match: Match, scene: Scene, language: str, *, caption: str = "") -> RenderableType:
    """The whole table, for `rich`. `caption`: what was ruled just now, in words."""
    catalogue = load(language)
    screen = Panel(braille(paint(scene.screen)), style=Style(color=LIT, bgcolor=SCREEN), padding=0, width=66)
    left: RenderableType = screen
    if match.game is not None:
        left = Group(_board(table_of(match, scene.lights)), screen)
    side = Group(
        _players(match, catalogue),
        Text(),
        Text(caption, style="bold"),
        Text(),
        _plays(match, catalogue),
        _legend(scene, catalogue),
    )
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(width=66)
    grid.add_column(width=30)
    grid.add_row(left, side)
    return grid


def braille(picture: Image.Image) -> Text:
    """A 1-bit picture as Braille letters; its sides are multiples of 2 and 4 px."""
    # The dots of a Braille letter by column and row, as bits from U+2800 on.
    dots = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
    pixels = picture.convert("1").load()
    lines = []
    for top in range(0, picture.height, 4):
        letters = []
        for left in range(0, picture.width, 2):
            bits = sum(
                dots[column][row]
                for column in range(2)
                for row in range(4)
                if pixels is not None and pixels[left + column, top + row]
            )
            letters.append(chr(0x2800 + bits))
        lines.append("".join(letters))
    return Text("\n".join(lines), no_wrap=True)


def _board(table: Table) -> Text:
    """18 rows of 66 characters."""
    rows = [
        _rail(table, low=False),
        _numbers(table, low=False),
        *(_row(table, depth, low=False) for depth in range(TALL)),
        *_middle(table),
        *(_row(table, depth, low=True) for depth in reversed(range(TALL))),
        _numbers(table, low=True),
        _rail(table, low=True),
    ]
    return Text("\n").join(rows)


def _halves(low: bool) -> tuple[range, range]:
    """White's points from left to right, left and right of the bar."""
    return (range(12, 6, -1), range(6, 0, -1)) if low else (range(13, 19), range(19, 25))


def _light(light: Light) -> tuple[str, Style]:
    color = UNLIT if light == OFF else shown_color(light)
    return " ●  ", Style(color=color, bgcolor=RAIL_COLOR, bold=True)


def _rail(table: Table, low: bool) -> Text:
    lights = table.lights or (OFF,) * LIGHTS
    line = Text()
    dark = Style(bgcolor=RAIL_COLOR)
    here = [
        (spot.column, light)
        for spot, light in zip(spots(table.ace_corner, board_sizes().board)[POINTS:], lights[POINTS:], strict=True)
        if spot.low == low and table.lights
    ]

    def between(first: float, last: float, room: int) -> None:
        """The light of the bar or a tray that lies there."""
        found = next((light for column, light in here if first < column < last), None)
        line.append(" " * (room - room // 2), dark)
        if found is None:
            line.append(" " * CELL, dark)
        else:
            line.append(*_light(found))
        line.append(" " * (room // 2), dark)

    left_half, right_half = _halves(low)
    between(-math.inf, 0.5, 3)
    for half in (left_half, right_half):
        if half is right_half:
            between(5.5, 6.5, 0)
        for point in half:
            line.append(*_light(lights[point - 1]))
    between(11.5, math.inf, 3)
    return line


def _numbers(table: Table, low: bool) -> Text:
    style = Style(color=INK, bgcolor=WOOD)
    line = Text(" " * 7, style)
    left_half, right_half = _halves(low)
    for part in (left_half, right_half):
        for point in part:
            number = point if table.numbering is Color.WHITE else table.ruleset.facing(point)
            line.append(f" {number:<2} ", style)
        line.append(" " * (CELL if part is left_half else 7), style)
    return line


def _row(table: Table, depth: int, low: bool) -> Text:
    """Row `depth` from the edge, 0 outermost."""
    line = Text()
    _tray_cell(line, table, depth, low, left=True)
    left_half, right_half = _halves(low)
    for part in (left_half, right_half):
        for point in part:
            _cell(line, table, point, depth)
        if part is left_half:
            _bar_cell(line, table, depth, low)
    _tray_cell(line, table, depth, low, left=False)
    return line


def _token(color: Color, count: int, last: bool, limit: int) -> str:
    """The checker at the end of a stack that is taller than its place says how many there are."""
    return f"{count:>2}" if last and count > limit else TOKEN


def _cell(line: Text, table: Table, point: int, depth: int) -> None:
    color, count = table.board.points[point - 1]
    ground = DARK_POINT if point % 2 else LIGHT_POINT
    if color is None or depth >= min(count, TALL):
        line.append(" ", Style(bgcolor=SURFACE))
        line.append("  ", Style(bgcolor=ground))
        line.append(" ", Style(bgcolor=SURFACE))
        return
    line.append(" ", Style(bgcolor=SURFACE))
    _checker(line, color, count, depth, TALL, ground)
    line.append(" ", Style(bgcolor=SURFACE))


def _checker(line: Text, color: Color, count: int, depth: int, limit: int, ground: str) -> None:
    text = _token(color, count, depth == limit - 1, limit)
    face = CHECKERS[color][0]
    if text == TOKEN:
        line.append(text, Style(color=face, bgcolor=ground))
    else:
        line.append(text, Style(color=CHECKERS[color.other][0], bgcolor=face, bold=True))


def _bar_cell(line: Text, table: Table, depth: int, low: bool) -> None:
    """Hit checkers wait in the half where they enter: White's above, Black's below, next to the middle."""
    color = Color.BLACK if low else Color.WHITE
    count = table.board.bar[color]
    from_middle = TALL - 1 - depth
    wood = Style(bgcolor=WOOD)
    if from_middle >= min(count, 3):
        line.append(" " * CELL, wood)
        return
    line.append(" ", wood)
    _checker(line, color, count, from_middle, 3, WOOD)
    line.append(" ", wood)


def _tray_cell(line: Text, table: Table, depth: int, low: bool, left: bool) -> None:
    wood = Style(bgcolor=WOOD)
    owner = Color.WHITE if low else Color.BLACK
    at_left = owner is Color.BLACK and table.ruleset.same_way
    off = table.board.off[owner]
    if left and table.cube is not None and table.ruleset.cube and _cube_row(table, low) == depth:
        value = next_value(table.cube.value, table.ruleset) if table.cube.offered_by else table.cube.value
        line.append(" ", wood)
        line.append(f"{value if value > 1 else 64:^4}", Style(color="#24201c", bgcolor=DIE, bold=True))
        line.append("  ", wood)
    elif left == at_left and off and depth == 0:
        line.append(f"  {TOKEN}", Style(color=CHECKERS[owner][0], bgcolor=WOOD))
        line.append(f"{off:>2} ", Style(color=INK, bgcolor=WOOD, bold=True))
    else:
        line.append(" " * 7, wood)


def _cube_row(table: Table, low: bool) -> int:
    """The row, counted from the edge on this side, in which an owned cube lies; -1 for none here."""
    cube = table.cube
    if cube is None or cube.owner is None:
        return -1
    return 1 if (cube.owner is Color.WHITE) == low else -1


def _middle(table: Table) -> list[Text]:
    """Two rows between the sides: a cube in the centre, the dice in their thrower's half."""
    faces = "⚀⚁⚂⚃⚄⚅"
    rows = []
    for number in range(2):
        line = Text()
        centred = table.cube is not None and table.ruleset.cube and table.cube.owner is None
        if centred and number == 0 and table.cube is not None:
            value = next_value(table.cube.value, table.ruleset) if table.cube.offered_by else table.cube.value
            line.append(" ", Style(bgcolor=WOOD))
            line.append(f"{value if value > 1 else 64:^4}", Style(color="#24201c", bgcolor=DIE, bold=True))
            line.append("  ", Style(bgcolor=WOOD))
        else:
            line.append(" " * 7, Style(bgcolor=WOOD))
        for half in range(2):
            width = 6 * CELL
            mine = (half == 0) == (table.dice_of is Color.BLACK)
            if table.dice and mine and number == 0:
                face, ink = (
                    (CHECKERS[table.dice_of][0], CHECKERS[table.dice_of.other][0]) if table.dice_of else (DIE, INK)
                )
                line.append(" " * (width // 2 - 5), Style(bgcolor=SURFACE))
                for value in table.dice[:2]:
                    text = f" {value}{faces[value - 1]} " if value else "    "
                    line.append(text, Style(color=ink, bgcolor=face, bold=True))
                    line.append(" ", Style(bgcolor=SURFACE))
                line.append(" " * (width - (width // 2 - 5) - 10), Style(bgcolor=SURFACE))
            else:
                line.append(" " * width, Style(bgcolor=SURFACE))
            line.append(" " * (CELL if half == 0 else 7), Style(bgcolor=WOOD))
        rows.append(line)
    return rows


def _players(match: Match, catalogue: Catalogue) -> Text:
    turn = match.game.turn if match.game is not None else None
    lines = Text()
    for color, points in zip(Color, shown_score(match, catalogue), strict=True):
        name = match.players[color] or catalogue.word(color)
        style = "bold reverse" if turn is color else "bold"
        disc = "○" if color is Color.WHITE else "●"
        lines.append(f" {disc} {name[:19]:<20}{points:>5} ", style)
        lines.append("\n")
    if match.length:
        lines.append(f"   {catalogue.text('screen.to', length=match.length)}", "dim")
    return lines


def _plays(match: Match, catalogue: Catalogue) -> Text:
    """The last turns, the newest at the bottom."""
    lines = Text()
    for ply in match.game.plies[-12:] if match.game is not None else ():
        disc = "○" if ply.by is Color.WHITE else "●"
        style = "" if ply.legal else "red"
        lines.append(f" {disc} {ply.roll.text}  {catalogue.play(ply.notation) or '—'}\n", style)
    return lines


def _legend(scene: Scene, catalogue: Catalogue) -> Text:
    lines = Text()
    for name, light in LEGEND:
        if light in scene.lights:
            lines.append(" ● ", shown_color(light))
            lines.append(catalogue.text(f"legend.{name}") + "\n", "dim")
    return lines
