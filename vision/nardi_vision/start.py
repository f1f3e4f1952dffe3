"""Known starting positions, and which of their orientations a picture shows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nardi_vision.errors import EyeError
from nardi_vision.reading import BoardReading, Shade
from nardi_vision.synth.contents import BoardContents

Layout = tuple[Mapping[int, int], Mapping[int, int]]
"""Checkers by point for each side, both in the first side's numbering 1..24."""

HITTING = {24: 2, 13: 5, 8: 3, 6: 5}
STARTS: tuple[Layout, ...] = (
    (HITTING, {25 - point: count for point, count in HITTING.items()}),
    # Long nardi: each side's 24 point is the other's 12 point.
    ({24: 15}, {12: 15}),
)
LITTLE = 0.05
"""A content of less weight than this is not what a slot shows."""


@dataclass(frozen=True, slots=True)
class Match:
    """A start laid over a reading: what the board then holds, and the slots that show something else."""

    contents: BoardContents
    differing: tuple[int, ...]


def layouts_of(text: str) -> tuple[Layout, ...]:
    """What a position text (26 hex digits a side) may mean on a board: the two kinds of game face differently.

    Raises EyeError `position_unreadable`.
    """
    sides = text.strip().split("/")
    try:
        mover, other = ([int(digit, 16) for digit in side] for side in sides)
    except ValueError:
        mover, other = [], []
    if len(sides) != 2 or len(mover) != 26 or len(other) != 26 or mover[25] or other[25]:
        raise EyeError("position_unreadable", position=text, remedy="position_form")
    own = {point: mover[point] for point in range(1, 25) if mover[point]}
    theirs = {point: other[point] for point in range(1, 25) if other[point]}
    hitting = {25 - point: count for point, count in theirs.items()}
    long = {(point + 11) % 24 + 1: count for point, count in theirs.items()}
    return tuple((own, side) for side in (hitting, long) if not own.keys() & side.keys())


def slot_of(point: int, ace_corner: int) -> int:
    """The slot (image order) of a point 1..24 of the side whose 1 point is nearest corner `ace_corner`."""
    column = point - 1 if point <= 12 else 24 - point
    if ace_corner in (1, 2):
        column = 11 - column
    first = (point <= 12) == (ace_corner in (0, 1))
    return column if first else 12 + column


def orientations(layouts: Sequence[Layout] = STARTS) -> Iterator[BoardContents]:
    """Every way the layouts can lie before a camera: four corners, two assignments of the shades."""
    seen = set()
    for own, theirs in layouts:
        for ace_corner in range(4):
            for shades in (("light", "dark"), ("dark", "light")):
                points: list[tuple[Shade | None, int]] = [(None, 0)] * 24
                for side, shade in zip((own, theirs), shades, strict=True):
                    for point, count in side.items():
                        points[slot_of(point, ace_corner)] = ("light" if shade == "light" else "dark", count)
                contents = BoardContents(tuple(points))
                if contents not in seen:
                    seen.add(contents)
                    yield contents


def match_start(reading: BoardReading, layouts: Sequence[Layout] = STARTS) -> Match:
    """The start, in the orientation that the reading shows best."""
    matches = (Match(contents, tuple(_differing(reading, contents))) for contents in orientations(layouts))
    return min(matches, key=lambda match: len(match.differing))


def _differing(reading: BoardReading, contents: BoardContents) -> Iterator[int]:
    for index, (slot, (shade, count)) in enumerate(zip(reading.points, contents.points, strict=True)):
        seen_shade, seen = slot.best
        if slot.occluded or (seen_shade, seen) == (shade, count) or slot.weight(shade, count) >= LITTLE:
            continue
        # Of a heap in layers only the bottom row shows.
        if seen_shade == shade and count > seen >= 4:
            continue
        yield index
