"""Checkers that stand on no point: between two columns, or on the rail.

The network marks the middle of every top it sees, wherever it lies. A checker whose middle is about on the line between
two columns is on neither; which one is meant, only the players know.
"""

import numpy as np
from numpy.typing import NDArray

from nardi_vision.learned import Changes
from nardi_vision.rectify import COLUMN_PX, HEIGHT_PX, PANELS, SIDE_PX, TOP_PX
from nardi_vision.shade import CELL_PX, Map, Peaks

CLEAR = 0.4
"""A top that the map shows more faintly than this may be a logo or a highlight."""
OTHER = 0.2
"""Where the maps of dice, the cube or a hand show this much, what is there may be no checker."""
NEAR_LINE = 0.15
"""How near to the line between two columns a middle must be to be on neither, in columns. On a tilted board the middle
of a thick top is seen up to a tenth of a column away from where it stands."""
RAIL = (-0.4, 0.15)
"""How far before the line where the rail begins, behind the points, a middle is that is on the rail, in columns. On a
rail a checker lies higher, and a tilted board shows it further out; what is set aside on a broad frame lies beyond."""


def astride(maps: Map, middles: Peaks, layered: NDArray[np.bool_], changes: Changes) -> frozenset[int]:
    """The slots beside a checker that stands on none, or on the rail behind one.

    `maps` (5, 72, 88): the network's maps; `middles`: what `marked` finds in them; `layered` (24,): where checkers lie
    on others, whose tops are seen aside from where they stand. A checker changes how both slots look: an ornament that
    looks like a top is always there, and where one was taken from one slot, the other looks as it did.
    """
    found: set[int] = set()
    for x, y, height in middles.tolist():
        if height <= CLEAR:
            break
        before = min(y - TOP_PX, HEIGHT_PX - TOP_PX - y) / COLUMN_PX
        beside = _beside(x, before, 0 if y < HEIGHT_PX / 2 else 12)
        if not beside or layered[list(beside)].any() or _other(maps, int(x / CELL_PX), int(y / CELL_PX)):
            continue
        if all(changes.at(slot, before) for slot in beside):
            found.update(beside)
    return frozenset(found)


def _other(maps: Map, column: int, row: int) -> bool:
    """Whether there may be a die, the cube or a hand at a cell or beside it."""
    near = maps[2:, max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
    return bool(near.max() > OTHER)


def _beside(x: float, before: float, row: int) -> tuple[int, ...]:
    """The slots that a top is astride of; none if it stands well, or off the points. `x`: canvas pixels; `before`:
    columns from where the row begins; `row`: its first slot."""
    for panel, half in ((0, 0), (2, 6)):
        along = (x - PANELS[panel][0] - SIDE_PX) / COLUMN_PX
        if not -NEAR_LINE <= along <= 6 + NEAR_LINE:
            continue
        first = row + half
        if RAIL[0] <= before <= RAIL[1]:
            return (first + min(max(int(along), 0), 5),)
        line = round(along)
        # What is outside the outermost lines may be a tray or the bar.
        if before > 0 and 1 <= line <= 5 and abs(along - line) <= NEAR_LINE:
            return (first + line - 1, first + line)
    return ()
