"""How the board lies in the camera's picture, in words: is it whole, are its checkers large enough, and what helps."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nardi.board_sizes import board_sizes
from nardi.errors import InputError
from nardi.text.message import Message
from nardi_vision.sizes import BOARD_FILE, Board

if TYPE_CHECKING:
    from nardi_vision.calibration import Calibration
    from nardi_vision.frame import Picture

Told = tuple[bool, Message]
"""Whether it is as it should be, and what to say."""
OFF_COLUMNS = 0.2
"""Columns found this far from a board's own: it is another board, or the corners are not its. Of drawn boards with
corners off by 0.6 % of their length the columns are found this far off in one or two of a hundred."""


def board_named(name: str) -> tuple[str, Board]:
    """A board of board.toml; "": its default board. Raises InputError for an unknown one."""
    sizes = board_sizes()
    chosen = name or sizes.default_board
    if chosen not in sizes.boards:
        known = ", ".join(sizes.boards)
        raise InputError(Message.of("framing.unknown_board", file=BOARD_FILE.name, name=name, known=known))
    return chosen, sizes.boards[chosen]


def framed(calibration: "Calibration") -> Iterator[Told]:
    """What the eye gets to see of the board, then whatever falls short. Raises InputError for an unknown board."""
    from nardi_vision.framing import framing

    needs = board_sizes().eye
    name, board = board_named(calibration.board)
    seen = framing(calibration.corners, calibration.frame_size, board, needs, named=bool(calibration.board))
    room = 100 * max(0.0, min(seen.room))
    yield True, Message.of("framing.seen", board=name, checker_px=seen.checker_px, room=room, tilt=seen.tilt_deg)
    faults = seen.faults(needs)
    if faults and not calibration.board:
        yield True, Message.of("framing.unnamed", board=name, known=", ".join(board_sizes().boards))
    for fault in faults:
        yield (
            False,
            Message.of(
                f"framing.{fault.value}",
                checker_px=seen.checker_px,
                least_px=needs.min_checker_px,
                wanted_px=needs.working_width_px,
                room=room,
                least_room=100 * needs.margin,
                tilt=seen.tilt_deg,
                most_tilt=needs.max_tilt_deg,
            ),
        )


def other_board(calibration: "Calibration", image: "Picture") -> Iterator[Told]:
    """Whether the points lie otherwise than on the board that the calibration names; nothing where it names none."""
    if not calibration.board:
        return
    import numpy as np

    from nardi_vision.layout import LayoutFinder, off_by

    _, board = board_named(calibration.board)
    off = off_by(LayoutFinder().find(image, np.array(calibration.corners)), board)
    if off > OFF_COLUMNS:
        yield False, Message.of("framing.other_board", board=calibration.board, off=off)
