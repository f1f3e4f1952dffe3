"""The composition root: where rules, eye, devices, journal and views are put together. Nothing else knows them all."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from nardi.config import Config
from nardi.devices.dice_observation import observation_of
from nardi.devices.dice_serial import DiceLines
from nardi.devices.display_node import NodeDisplay
from nardi.devices.electronic_dice import ElectronicDice
from nardi.devices.eye_process import ProcessEye
from nardi.devices.eyesight import message_of
from nardi.devices.recording import DiceLine, FrameLine, Recording, Session
from nardi.devices.simulator.habits import EVERYDAY, Habits
from nardi.devices.simulator.world import SimulatedWorld
from nardi.devices.speaker import TableSpeaker
from nardi.devices.url import DeviceUrl
from nardi.errors import InputError
from nardi.game.board import Board
from nardi.game.clock import rules_of
from nardi.game.event import Event
from nardi.game.evolve import fold
from nardi.game.match import Match, Teach
from nardi.game.observation import BoardSeen, Command, Observation
from nardi.game.seating import Seating
from nardi.game.umpire import begun
from nardi.journal.journal import Journal
from nardi.live import Devices, LiveTable, SteadyClock
from nardi.rules import Color, Position, Ruleset, find_ruleset
from nardi.simulation import World
from nardi.table import Table, expected
from nardi.text.message import Message
from nardi_vision.errors import EyeError
from nardi_vision.worker import Confirmed, EyeSettings

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
    """The eye over a recording's board, with the corners and the beginning that the session gives."""
    from nardi_vision.classify import Reader
    from nardi_vision.pipeline import Pipeline
    from nardi_vision.synth.contents import BoardContents

    start = start_of(fold(begun_by(session)))
    return Pipeline(session.corners, None if start is None else BoardContents(start.points), Reader())


def start_of(match: Match) -> Confirmed | None:
    """What an eye should see before anything is played: it names the two kinds of checkers."""
    board, seating = expected(match), match.seating
    return None if board is None or seating is None else Confirmed(*board.seen_by(seating))


def confirm_to(pipeline: "Pipeline", seat: Seat) -> Callable[[Board], None]:
    """What tells a pipeline in this process what the board is known to hold."""

    def confirm(board: Board) -> None:
        seating = seat()
        if seating is not None:
            pipeline.confirm(*board.seen_by(seating))

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


def seat_of(current: Callable[[], Match], told: Seating | None = None) -> Seat:
    """How the board lies in a match as it stands whenever asked; as `told` where nobody has seen it."""
    return lambda: current().seating or told


def open_live(
    config: Config,
    clubs: Mapping[str, Ruleset],
    journal: Journal | None,
    match: Match | None,
    since_ms: int = 0,
) -> LiveTable:
    """A table in real time with the devices of a configuration.

    `match`: one to go on with; `since_ms`: its record's last stamp.

    Raises InputError for a device URL that names none. A device that is not there is no error: the table waits for it.
    """
    clock = SteadyClock(since_ms if match is None else max(since_ms, last_stamp(match)))
    seating = None if config.eye == "none:" else Seating(config.white_shade, config.white_ace_corner)
    if match is None:
        ruleset = find_ruleset(config.ruleset, clubs)
        mode = {"none:": "hand", "camera:": "camera"}.get(config.dice, "electronic")
        if config.eye.startswith("sim:") and mode == "hand":
            mode = "electronic"  # simulated people bring their own dice
        events = begun(
            ruleset,
            config.match_length,
            config.players,
            clock.now_ms(),
            seating=seating,
            dice=mode,
            clocks=rules_of(ruleset, config.match_length),
            club=config.club_play,
        )
        table = Table.begun(events, journal)
    else:
        table = Table(match, journal, resumed=True)
    live = LiveTable(table, Devices(), clock, config.languages, resumed=match is not None)
    if journal is not None:
        live.trouble = lambda: journal.trouble
    if match is None and not config.club_play and config.teach is not Teach.OFF:
        table.take(Command(clock.now_ms(), "referee", "teach", config.teach.value))
    if config.voice:
        live.speaker = TableSpeaker(config.languages)
    _plug_in(config, live)
    return live


def open_set_up(config: Config, ruleset: Ruleset, position: Position, mover: Color) -> LiveTable:
    """A table that waits until `position`, `mover` to move, stands on the board; nothing is recorded.

    Raises InputError where the configuration names no eye: nobody else could tell.
    """
    if config.eye == "none:":
        raise InputError(Message.of("setup.no_eye"))
    clock = SteadyClock()
    white_first = position if mover is Color.WHITE else position.flipped
    seating = Seating(config.white_shade, config.white_ace_corner)
    events = begun(
        ruleset, 0, config.players, clock.now_ms(), seating=seating, start=white_first, turn=mover, dice="hand"
    )
    live = LiveTable(Table.begun(events), Devices(), clock, config.languages)
    _plug_in(config, live)
    live.devices.dice = None
    return live


def _plug_in(config: Config, live: LiveTable) -> None:
    """The devices that a configuration names. Raises InputError for a URL that names none."""
    table, clock, devices = live.table, live.clock, live.devices
    seat = seat_of(lambda: table.match)
    if config.eye.startswith("sim:"):
        world = simulated_world(config, live)
        devices.eye = world
        table.confirm = world.confirm
    elif config.eye != "none:":
        calibration = None if config.calibration is None else str(config.calibration)
        settings = EyeSettings(config.eye, calibration=calibration, start=start_of(table.match))
        devices.eye = ProcessEye(settings, clock, seat)
        table.confirm = devices.eye.confirm
    if config.dice not in ("none:", "camera:") and not config.dice.startswith("sim:"):
        devices.dice = ElectronicDice(config.dice, clock)
    if config.display != "none:":
        # Without an eye nobody sees how the board lies; then it lies as the configuration says.
        told = seat_of(lambda: table.match, Seating(config.white_shade, config.white_ace_corner))
        devices.displays = (NodeDisplay(config.display, clock, told),)


def simulated_world(config: Config, live: LiveTable) -> SimulatedWorld:
    """`sim:board?seed=7&speed=2&style=3&empty=1`: simulated people, dice and eye.

    `style`: the real eye on drawn pictures; `empty`: the people begin by laying the board out; `everyday`: with every
    habit of real people; `shared`: one pair of dice for both.
    """
    url = DeviceUrl.parse(config.eye, ("sim",))
    url.only("seed", "speed", "style", "empty", "everyday", "shared")
    seed, speed = url.number("seed", 1, 0, 2**31), url.number("speed", 1, 0, 1000)
    style = url.number("style", 0, 0, 2**31) if "style" in url.options else None
    world = World(
        live.table.match,
        seed,
        habits=EVERYDAY if url.number("everyday", 0, 0, 1) else Habits(),
        style=style,
        begin_ms=live.clock.now_ms(),
        laid_out=not url.number("empty", 0, 0, 1),
        shared=bool(url.number("shared", 0, 0, 1)),
    )
    return SimulatedWorld(world, live.current, speed)


def last_stamp(match: Match) -> int:
    """The latest time that a match knows of: the table clock goes on from there, whatever the computer's says."""
    plies = match.game.plies if match.game is not None else ()
    return max([match.clocks.since_ms, *(ply.at_ms for ply in plies)])
