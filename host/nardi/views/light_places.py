"""Where a scene's lights lie along the board: their places in board.toml, as White sees them."""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from nardi.board_sizes import board_sizes
from nardi.game.seating import Seating
from nardi.views.legend import Light
from nardi_vision.sizes import Board

USUAL_CORNER = 2
"""White's ace corner where nobody said otherwise: White sits near, with the home to the right."""


@dataclass(frozen=True, slots=True)
class Spot:
    """`low`: on White's rail. `column`: along it from White's left.

    -1 is the board's end, 0.5 to 11.5 are the middles of the twelve columns, 13 is the other end.
    """

    low: bool
    column: float


def places(corner: int) -> tuple[str, ...]:
    """board.toml's name for the place of each of a scene's 27 lights; `corner` 0-3 is White's ace corner.

    Each player's tray is the one on the side of their own home; in long nardi, whose homes lie otherwise, the names
    only tell the two trays apart.
    """
    seating = Seating("light", corner)
    trays = ("far_tray", "near_tray") if corner in (0, 1) else ("near_tray", "far_tray")
    return (*(str(seating.slot(point)) for point in range(1, 25)), "bar", *trays)


def spots(corner: int, board: Board) -> tuple[Spot, ...]:
    """Where each of a scene's 27 lights is seen, with White's home turned to the bottom right."""
    known = (0.0, *board.point_centres_mm, board.outer_mm[0])
    columns = (-1.0, *(column + 0.5 for column in range(12)), 13.0)
    found = []
    for name in places(corner):
        x, y = board.place_mm(name)
        column = interpolated(x, known, columns)
        near = y < board.outer_mm[1] / 2
        found.append(Spot(near == (corner in (2, 3)), column if corner in (1, 2) else 12 - column))
    return tuple(found)


def in_image_order(lights: Sequence[Light], corner: int) -> tuple[Light, ...]:
    """A scene's 27 lights in the order of board.toml, in which they go to the node; `corner`: White's ace corner."""
    by_name = dict(zip(places(corner), lights, strict=True))
    return tuple(by_name[name] for name in board_sizes().order)


def interpolated(x: float, known: Sequence[float], wanted: Sequence[float]) -> float:
    """`x` on the scale `known` (rising) as it is on the scale `wanted`, in straight lines from mark to mark."""
    at = min(max(bisect(known, x), 1), len(known) - 1)
    part = (x - known[at - 1]) / (known[at] - known[at - 1])
    return wanted[at - 1] + part * (wanted[at] - wanted[at - 1])
