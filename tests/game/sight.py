"""Readings for tests: what an eye would report of a board, exactly or with doubt."""

from collections.abc import Iterable
from dataclasses import replace

from nardi.game.board import Board
from nardi.game.seating import Seating
from nardi.rules import Color
from nardi_vision.reading import MOST, BoardReading, DieReading, EyeFault, Pile, Shade, Slot

HERE = Seating("light", 0)

Contents = Iterable[tuple[Shade | None, int]]


def slot(shade: Shade | None, count: int, *, weight: float = 1.0, occluded: bool = False) -> Slot:
    """A slot read as `count` checkers of `shade`; what is left of the weight lies on one more and one fewer."""
    rest = (1.0 - weight) / 2
    rows: dict[str, list[float]] = {"light": [0.0] * MOST, "dark": [0.0] * MOST}
    empty = 0.0
    if shade is None or count == 0:
        empty = weight
        rows["light"][0] = rows["dark"][0] = rest
    else:
        row = rows[shade]
        row[count - 1] = weight
        if count < MOST:
            row[count] += rest
        if count > 1:
            row[count - 2] += rest
        else:
            empty += rest
    return Slot(empty, tuple(rows["light"]), tuple(rows["dark"]), occluded)


def pile(light: int, dark: int, *, occluded: bool = False) -> Pile:
    rows = [tuple(1.0 if number == count else 0.0 for number in range(MOST + 1)) for count in (light, dark)]
    return Pile(rows[0], rows[1], occluded)


def reading(
    contents: Contents,
    *,
    t_ms: int,
    bar: tuple[int, int] = (0, 0),
    off: tuple[int, int] | None = None,
    hand: bool = False,
    settled: bool | None = None,
    hidden: Iterable[int] = (),
    weight: float = 1.0,
    faults: tuple[EyeFault, ...] = (),
    dice: tuple[DieReading, ...] = (),
) -> BoardReading:
    """`contents` in image order; `bar`, `off`: (light, dark); `hidden`: slots under a hand."""
    covered = set(hidden)
    slots = tuple(
        slot(shade, count, weight=weight, occluded=number in covered) for number, (shade, count) in enumerate(contents)
    )
    return BoardReading(
        t_ms=t_ms,
        points=slots,
        bar=pile(*bar),
        off=None if off is None else pile(*off),
        dice=dice,
        cube=None,
        settled=not hand if settled is None else settled,
        hand=hand,
        faults=faults,
        corners=None,
    )


def shown(board: Board, *, t_ms: int, seating: Seating = HERE, trays: bool = False, **details: object) -> BoardReading:
    """What an eye reports of `board`."""
    white_is_light = seating.shade(Color.WHITE) == "light"

    def pair(white: int, black: int) -> tuple[int, int]:
        return (white, black) if white_is_light else (black, white)

    return reading(
        board.contents(seating),
        t_ms=t_ms,
        bar=pair(*board.bar),
        off=pair(*board.off) if trays else None,
        **details,  # type: ignore[arg-type]  # the keywords of `reading`
    )


def with_slot(seen: BoardReading, number: int, new: Slot) -> BoardReading:
    """The same reading with one slot read otherwise."""
    return replace(seen, points=(*seen.points[:number], new, *seen.points[number + 1 :]))
