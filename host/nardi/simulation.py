"""A table in simulated time: simulated people, the real pipeline from dice lines and pictures on.

The eye is either the real one on drawn pictures (`pixels`), or a simulated one that reports what a good eye would, for
simulations of thousands of turns.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from nardi.devices.dice_observation import observation_of
from nardi.devices.dice_report import DiceReport
from nardi.devices.dice_serial import DiceLines
from nardi.devices.simulator.eye import SimulatedEye, die_reading
from nardi.devices.simulator.habits import Habits
from nardi.devices.simulator.happening import Happening, Line, Link, Picture
from nardi.devices.simulator.people import SimulatedPeople
from nardi.devices.simulator.sight import DrawnSight, board_of
from nardi.game.board import Board
from nardi.game.event import Event
from nardi.game.match import Match
from nardi.game.observation import BoardSeen, Command, DeviceFound, DeviceLost, Observation
from nardi.game.seating import Seating
from nardi.table import Record, Table, expected
from nardi_vision.reading import BoardReading

if TYPE_CHECKING:
    from nardi_vision.frame import Picture as Pixels

SEATING = Seating("light", 2)
"""How the simulated board lies: White plays the light checkers, home at the lower right."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Something happened at the simulated table, and what was ruled of it. `frame`: the drawn picture, if any."""

    happening: Happening
    events: tuple[Event, ...]
    match: Match
    frame: "Pixels | None" = None


class PixelEye:
    """The real eye on drawn pictures."""

    def __init__(self, sight: DrawnSight, start: Board | None) -> None:
        from nardi_vision.classify import Reader
        from nardi_vision.pipeline import Pipeline
        from nardi_vision.synth.contents import BoardContents

        self.sight = sight
        self.frame: Pixels | None = None
        contents = None if start is None else BoardContents(start.contents(sight.seating))
        self.pipeline: Pipeline = Pipeline(sight.corners, contents, Reader())

    def see(self, picture: Picture) -> BoardReading:
        return self.look(self.sight.draw(picture), picture.t_ms)

    def look(self, frame: "Pixels", t_ms: int) -> BoardReading:
        """The reading of a frame that was drawn before."""
        self.frame = frame
        return replace(self.pipeline.see(frame, t_ms), t_ms=t_ms)

    def confirm(self, board: Board) -> None:
        seating = self.sight.seating
        self.pipeline.confirm(*board.seen_by(seating))


class ReportedEye:
    """A simulated eye: no pictures, a good eye's report of what truly stands there."""

    def __init__(self, match: Callable[[], Match], seed: int) -> None:
        self._match = match
        self._eye = SimulatedEye(Random(seed))
        self.frame = None

    def see(self, picture: Picture) -> BoardReading:
        match = self._match()
        seating = match.seating or SEATING
        board = board_of(picture, match.ruleset)
        hidden = {seating.slot(point) for point in picture.hidden if point <= 24}
        return self._eye.read(
            picture.t_ms,
            *board.seen_by(seating),
            hidden,
            25 in picture.hidden,
            [die_reading(lie) for lie in picture.dice],
            astride={seating.slot(point) for point in picture.astride},
        )

    def confirm(self, board: Board) -> None:
        return


class World:
    """Simulated people, their dice and an eye over their board: observations out, the match as it is now in.

    `style`: which board is drawn for the real eye; None: the simulated eye. Whoever drives it sets `match` after every
    happening: that is what the people see on the display.
    """

    def __init__(
        self,
        match: Match,
        seed: int,
        *,
        habits: Habits | None = None,
        style: int | None = None,
        begin_ms: int = 0,
        shared: bool = False,
        laid_out: bool = True,
        frame_ms: int | None = None,
    ) -> None:
        self.people = SimulatedPeople(match, seed, habits or Habits(), t_ms=begin_ms, shared=shared, laid_out=laid_out)
        self.eye: PixelEye | ReportedEye
        if style is None:
            self.eye = ReportedEye(lambda: self.people.match, seed)
        else:
            # OpenCV is only wanted where pictures are drawn.
            from nardi_vision.synth.simulator import SimulatedCamera

            sight = DrawnSight(match.seating or SEATING, match.ruleset, SimulatedCamera(style))
            self.eye = PixelEye(sight, expected(match))
        self._lines = DiceLines()
        self._down: set[str] = set()
        self._frame_ms = frame_ms
        self._last_ms = begin_ms

    def happenings(self) -> Iterator[tuple[Happening, list[Observation]]]:
        """Everything that happens until the match is over. Raises simulator.people.Stuck."""
        for happening in self.people.life():
            yield happening, self.observed(happening)

    def observed(self, happening: Happening) -> list[Observation]:
        """What the devices make of something that happened."""
        match happening:
            case Picture():
                frames = () if "eye" in self._down else self.frames(happening)
                return [BoardSeen(frame.t_ms, self.eye.see(frame)) for frame in frames]
            case Line():
                data = happening.text.encode("ascii") + b"\r\n"
                reports = self._lines.feed(data, happening.t_ms)
                return [] if "dice" in self._down else self._dice(reports, happening.t_ms)
            case Link(device=device, up=True):
                self._down.discard(device)
                return [DeviceFound(happening.t_ms, device)]
            case Link(device=device):
                self._down.add(device)
                lost = self._dice(self._lines.cut(), happening.t_ms) if device == "dice" else []
                return [DeviceLost(happening.t_ms, device), *lost]
            case Command():
                return [happening]

    def frames(self, picture: Picture) -> Iterator[Picture]:
        """The frames that the camera takes of `picture`, which has stood since the one before: one, or as many as fit
        at `frame_ms`."""
        if self._frame_ms is not None:
            for t_ms in range(max(self._last_ms, picture.t_ms - 1000) + self._frame_ms, picture.t_ms, self._frame_ms):
                yield replace(picture, t_ms=t_ms)
        yield picture
        self._last_ms = picture.t_ms

    def _dice(self, reports: Iterable[DiceReport], at_ms: int) -> list[Observation]:
        found = (observation_of(report, at_ms) for report in reports)
        return [observation for observation in found if observation is not None]


class Simulation:
    """A whole match at a simulated table. The same arguments give the same match."""

    def __init__(
        self,
        beginning: tuple[Event, ...],
        seed: int,
        *,
        habits: Habits | None = None,
        style: int | None = None,
        record: Record | None = None,
        shared: bool = False,
        frame_ms: int | None = None,
    ) -> None:
        self.table = Table.begun(beginning, record)
        self.world = World(self.table.match, seed, habits=habits, style=style, shared=shared, frame_ms=frame_ms)
        self.table.confirm = self.world.eye.confirm

    @property
    def people(self) -> SimulatedPeople:
        return self.world.people

    def moments(self) -> Iterator[Moment]:
        """Everything that happens until the match is over. Raises simulator.people.Stuck."""
        for happening, observations in self.world.happenings():
            events: list[Event] = []
            for observation in observations:
                events += self.table.take(observation)
            self.people.match = self.table.match
            frame = self.world.eye.frame if isinstance(happening, Picture) else None
            yield Moment(happening, tuple(events), self.table.match, frame)
