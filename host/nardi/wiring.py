"""The composition root: where rules, eye, devices, journal and views are put together. Nothing else knows them all."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from nardi.devices.dice_observation import observation_of
from nardi.devices.dice_serial import DiceLines
from nardi.devices.eyesight import message_of
from nardi.devices.recording import DiceLine, FrameLine, Recording, Session
from nardi.devices.simulator.sight import by_shade
from nardi.errors import InputError
from nardi.game.board import Board
from nardi.game.event import Event
from nardi.game.match import Match
from nardi.game.observation import BoardSeen, Observation
from nardi.game.seating import Seating
from nardi.game.umpire import begun
from nardi.rules import Position, find_ruleset
from nardi.text.message import Message
from nardi_vision.errors import EyeError

if TYPE_CHECKING:
    from nardi_vision.pipeline import Pipeline

Seat = Callable[[], Seating | None]
"""How the board lies now; colours and sides may be swapped between games."""


def begun_by(session: Session) -> tuple[Event, ...]:
    """The start of the match that a recording holds. Raises InputError for an unknown ruleset or a bad `start`."""
    ruleset = find_ruleset(session.ruleset)
    start = None if session.start is None else Position.from_text(session.start, ruleset)
    return begun(
        ruleset,
        session.match_length,
        session.players,
        0,
        seating=Seating(session.white_shade, session.white_ace_corner),
        start=start,
        turn=session.turn,
    )


def open_pipeline(session: Session) -> "Pipeline":
    """The eye over a recording's board, with the corners that the session gives."""
    from nardi_vision.classify import Reader
    from nardi_vision.pipeline import Pipeline

    return Pipeline(session.corners, None, Reader())


def confirm_to(pipeline: "Pipeline", seat: Seat) -> Callable[[Board], None]:
    """What tells a pipeline in this process what the board is known to hold."""

    def confirm(board: Board) -> None:
        seating = seat()
        if seating is not None:
            pipeline.confirm(board.contents(seating), by_shade(board.bar, seating), by_shade(board.off, seating))

    return confirm


class ReplaySource:
    """A recording as observations, in the order of their times.

    `faults`: what was wrong with single frames; each is passed over and named, the rest is still replayed.
    """

    def __init__(self, recording: Recording, pipeline: "Pipeline") -> None:
        self.recording = recording
        self._pipeline = pipeline
        self._lines = DiceLines()
        self.faults: list[Message] = []

    def __len__(self) -> int:
        return len(self.recording.frames) + len(self.recording.dice)

    def observations(self) -> Iterator[tuple[Observation, ...]]:
        """For each frame or dice line of the recording, what was observed in it."""
        for happening in self.recording.in_time():
            match happening:
                case DiceLine():
                    yield self._dice(happening)
                case FrameLine():
                    yield (self._frame(happening),)

    def _dice(self, happening: DiceLine) -> tuple[Observation, ...]:
        data = happening.line.encode("utf-8", "replace") + b"\n"
        found = (observation_of(report, happening.t_ms) for report in self._lines.feed(data, happening.t_ms))
        return tuple(observation for observation in found if observation is not None)

    def _frame(self, happening: FrameLine) -> BoardSeen:
        from nardi_vision.frame import load_picture

        image = None
        try:
            image = load_picture(happening.file, self.recording.session.frame_size)
        except EyeError as error:
            self.faults.append(message_of(error))
        reading = self._pipeline.see(image, happening.t_ms)
        return BoardSeen(happening.t_ms, replace(reading, t_ms=happening.t_ms))


def unique(path: Path) -> Path:
    """`path`, or with a number before its ending where it exists: no record is ever overwritten."""
    if not path.exists():
        return path
    for number in range(2, 10_000):
        candidate = path.with_name(f"{path.stem}-{number}{path.suffix}")
        if not candidate.exists():
            return candidate
    raise InputError(Message.of("input.folder_full", file=str(path.parent)))


def seat_of(current: Callable[[], Match]) -> Seat:
    """How the board lies in a match as it stands whenever asked."""
    return lambda: current().seating
