"""Diagrams: a position or a match as one self-contained SVG, for pages and exports."""

from dataclasses import replace

from nardi.game.board import Board
from nardi.game.difference import Difference
from nardi.game.match import Match, Phase
from nardi.rules.color import Color
from nardi.rules.cube import Cube
from nardi.rules.position import BAR, OFF, Position
from nardi.rules.ruleset import Ruleset
from nardi.views.board_drawing import Table, draw_table
from nardi.views.legend import Light
from nardi.views.light_places import USUAL_CORNER
from nardi.views.shapes import svg


def diagram(
    position: Position,
    mover: Color,
    ruleset: Ruleset,
    *,
    cube: Cube | None = None,
    dice: tuple[int, ...] = (),
    lights: tuple[Light, ...] | None = None,
    title: str = "",
) -> str:
    """`position` (its first side is `mover`'s) as SVG, points numbered from the mover's side."""
    board = Board.of(position, mover, ruleset)
    return svg(draw_table(Table(board, ruleset, mover, cube, dice, mover if dice else None, lights)), title)


def match_diagram(match: Match, *, lights: tuple[Light, ...] | None = None, title: str = "") -> str:
    """The board of a match as it stands on the table now, as SVG. Raises ValueError where no game has begun."""
    return svg(draw_table(table_of(match, lights)), title)


def table_of(match: Match, lights: tuple[Light, ...] | None = None) -> Table:
    """What stands on the table now. Raises ValueError where no game has begun."""
    game = match.game
    if game is None:
        raise ValueError("no game has begun")
    dice: tuple[int, ...] = ()
    if game.roll is not None and match.phase is not Phase.CALLABLE:
        dice = (game.roll.a, game.roll.b)
    board = standing_board(match)
    side = game.turn or Color.WHITE
    corner = USUAL_CORNER if match.seating is None else match.seating.white_ace_corner
    return Table(board, match.ruleset, side, game.cube, dice, game.turn if dice else None, lights, corner)


def standing_board(match: Match) -> Board:
    """The board as the checkers lie: plays that are not final yet, and what the eye saw where track is lost."""
    game = match.game
    if game is None:
        raise ValueError("no game has begun")
    position = game.position
    if match.phase is Phase.PLAYED and game.provisional is not None:
        position = game.provisional.after
    elif match.phase in (Phase.ILLEGAL, Phase.CALLABLE) and game.illegal_position is not None:
        position = game.illegal_position
    board = Board.of(position, game.turn or Color.WHITE, match.ruleset)
    for difference in match.lost:
        board = _with(board, difference)
    return board


def _with(board: Board, difference: Difference) -> Board:
    color, count = difference.seen
    if difference.point == BAR:
        return board if color is None else replace(board, bar=board.bar.with_(color, count))
    if difference.point == OFF:
        return board if color is None else replace(board, off=board.off.with_(color, count))
    at = difference.point - 1
    return replace(board, points=(*board.points[:at], difference.seen, *board.points[at + 1 :]))
