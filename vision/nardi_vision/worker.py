"""The eye in a process of its own: cameras hang, drivers crash, and the table must go on.

The parent's side (`EyeProcess`) needs neither OpenCV nor numpy. From the child come only plain records: readings,
single JPEGs, troubles. A child that dies or falls silent is started again, a few times, with what was confirmed last.
"""

import contextlib
import multiprocessing
import random
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from nardi_vision.errors import EyeError
from nardi_vision.reading import MOST, BoardReading, Corners, Shade

if TYPE_CHECKING:
    from nardi_vision.frame import Frame
    from nardi_vision.pipeline import Pipeline
    from nardi_vision.sources import Source

Points = tuple[tuple[Shade | None, int], ...]
LIVE = ("v4l2:", "picamera2:", "http:", "https:")
"""Sources that do not wait: of their frames only the newest counts."""
BEAT_S = 1.0
"""A child with nothing to tell says so this often."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What the board is known to hold, in image order."""

    points: Points
    bar: tuple[int, int]
    off: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class EyeSettings:
    """All that a child needs. `calibration`: a file; `corners` go before it; neither: the board is found."""

    source: str
    corners: Corners | None = None
    start: Confirmed | None = None
    per_side: int = MOST
    calibration: str | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One JPEG of now; None: no picture yet."""

    jpeg: bytes | None


@dataclass(frozen=True, slots=True)
class EyeTrouble:
    """Something a person should know: an EyeError's reason and details, or `eye_restarted`, `eye_gave_up`."""

    reason: str
    details: tuple[tuple[str, str | int | float], ...] = ()

    @staticmethod
    def of(error: EyeError) -> "EyeTrouble":
        return EyeTrouble(error.reason, tuple(sorted(error.details.items())))


@dataclass(frozen=True, slots=True)
class EyeEnded:
    """A folder, recording or film has come to its end."""


@dataclass(frozen=True, slots=True)
class _Beat:
    """The child lives."""


Report = BoardReading | Snapshot | EyeTrouble | EyeEnded


@dataclass(frozen=True, slots=True)
class Budget:
    """How patient the parent is: how long a child may be silent, how often within how long it is started again."""

    silence_s: float = 8.0
    first_silence_s: float = 30.0  # a slow computer loads OpenCV for a while
    restarts: int = 5
    within_s: float = 600.0


class EyeProcess:
    """The parent's side. Start it, `poll` it (or wait on `connection`), tell it what is confirmed, stop it."""

    def __init__(
        self,
        settings: EyeSettings,
        budget: Budget | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        child: Callable[[Connection, EyeSettings], None] | None = None,
    ) -> None:
        self._settings = settings
        self._budget = budget or Budget()
        self._monotonic = monotonic
        self._child = child or watch
        self._context = multiprocessing.get_context("spawn")
        self._process: Any = None
        self._connection: Connection | None = None
        self._heard_s = 0.0
        self._heard_any = False
        self._starts_s: deque[float] = deque()
        self._ended = False
        self.gave_up = False

    @property
    def connection(self) -> Connection | None:
        """What to wait on; it changes when the child is started again."""
        return self._connection

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the child; without effect while one runs."""
        if self._process is not None:
            return
        ours, theirs = self._context.Pipe()
        self._process = self._context.Process(
            target=self._child, args=(theirs, self._settings), name="nardi-eye", daemon=True
        )
        self._process.start()
        theirs.close()
        self._connection = ours
        self._heard_s = self._monotonic()
        self._heard_any = False

    def poll(self, timeout_s: float = 0.0) -> list[Report]:
        """Everything the child has sent, waiting up to `timeout_s` for the first. Starts a lost child again."""
        reports: list[Report] = []
        wait_s = timeout_s
        lost = False
        while self._connection is not None:
            try:
                if not self._connection.poll(wait_s):
                    break
                report = self._connection.recv()
            except (EOFError, OSError):
                lost = True
                break
            wait_s = 0.0
            self._heard_s = self._monotonic()
            self._heard_any = True
            if isinstance(report, _Beat):
                continue
            if isinstance(report, BoardReading) and report.corners is not None:
                # A child started anew need not look for the board again.
                self._settings = replace(self._settings, corners=report.corners)
            if isinstance(report, EyeEnded):
                self._ended = True
            reports.append(report)
        if not self._ended and not self.gave_up and self._process is not None and (lost or self._silent()):
            reports.append(self._restart("silent" if not lost else "died"))
        return reports

    def confirm(self, points: Points, bar: tuple[int, int], off: tuple[int, int] = (0, 0)) -> None:
        """Tell the eye what the board is now known to hold."""
        confirmed = Confirmed(points, bar, off)
        self._settings = replace(self._settings, start=confirmed)
        self._send(confirmed)

    def snapshot(self) -> None:
        """Ask for a JPEG; it comes as a `Snapshot` from `poll`."""
        self._send("snapshot")

    def relocate(self, corners: Corners | None = None) -> None:
        """The board is here now (None: look for it)."""
        self._settings = replace(self._settings, corners=corners)
        self._send(("corners", corners))

    def stop(self) -> None:
        """End the child, kindly first. Stopping twice does no harm."""
        self._send("stop")
        self._end(2.0)

    def _send(self, command: object) -> None:
        if self._connection is not None:
            # A dead child is noticed by `poll`.
            with contextlib.suppress(OSError, ValueError):
                self._connection.send(command)

    def _silent(self) -> bool:
        limit = self._budget.silence_s if self._heard_any else self._budget.first_silence_s
        return self._monotonic() - self._heard_s > limit

    def _restart(self, why: str) -> EyeTrouble:
        self._end(0.0)
        if not self._settings.source.startswith(LIVE):
            # A film or recording would begin again, and its games with it.
            self.gave_up = True
            return EyeTrouble("eye_gave_up", (("restarts", 0), ("why", why)))
        now = self._monotonic()
        while self._starts_s and now - self._starts_s[0] > self._budget.within_s:
            self._starts_s.popleft()
        if len(self._starts_s) >= self._budget.restarts:
            self.gave_up = True
            return EyeTrouble("eye_gave_up", (("restarts", len(self._starts_s)), ("why", why)))
        self._starts_s.append(now)
        self.start()
        return EyeTrouble("eye_restarted", (("count", len(self._starts_s)), ("why", why)))

    def _end(self, patience_s: float) -> None:
        if self._process is None:
            return
        self._process.join(patience_s)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()
        self._process = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class _Newest:
    """Frames of a live source, taken in a thread so that an old one never waits in a driver's queue."""

    def __init__(self, source: "Source") -> None:
        self._frame: Frame | None = None
        self._ready = threading.Condition()
        self._done = False
        self._source = source
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        try:
            for frame in self._source:
                with self._ready:
                    self._frame = frame
                    self._ready.notify()
                    if self._done:
                        return
        finally:
            with self._ready:
                self._done = True
                self._ready.notify()

    def next(self, timeout_s: float) -> "Frame | None":
        """The newest frame not yet given; None when none came in time."""
        with self._ready:
            if self._frame is None and not self._done:
                self._ready.wait(timeout_s)
            frame, self._frame = self._frame, None
            return frame

    @property
    def done(self) -> bool:
        return self._done and self._frame is None

    def close(self) -> None:
        self._done = True


class _Stop(Exception):
    """The parent wants no more, or is gone."""


def watch(connection: Connection, settings: EyeSettings) -> None:
    """The child: source → pipeline → readings, until told to stop or the parent is gone."""
    # Ctrl-C in a terminal reaches the whole group; the parent decides when the child ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import cv2

    cv2.setNumThreads(1)
    with contextlib.suppress(_Stop, BrokenPipeError, EOFError, ConnectionResetError):
        try:
            pipeline = _pipeline(settings)
        except EyeError as error:
            connection.send(EyeTrouble.of(error))
            connection.send(EyeEnded())
            return
        for frame in _frames(connection, settings.source, pipeline):
            connection.send(pipeline.see(frame.image, frame.t_ms))
            if frame.fault is not None:
                connection.send(EyeTrouble.of(frame.fault))
        connection.send(EyeEnded())


def _pipeline(settings: EyeSettings) -> "Pipeline":
    from pathlib import Path

    from nardi_vision.calibration import Calibration
    from nardi_vision.classify import LearnedBoard, Reader
    from nardi_vision.pipeline import Pipeline
    from nardi_vision.synth.contents import BoardContents

    corners, learned = settings.corners, None
    if settings.calibration is not None:
        calibration = Calibration.load(Path(settings.calibration))
        corners = corners or calibration.corners
        learned = None if calibration.learned is None else LearnedBoard.from_json(calibration.learned)
    start = settings.start
    contents = None if start is None else BoardContents(start.points, *start.bar, *start.off)
    return Pipeline(corners, contents, Reader(), settings.per_side, learned=learned)


def _frames(connection: Connection, url: str, pipeline: "Pipeline") -> "Iterator[Frame]":
    """The source's frames, commands obeyed between them. A lost live source is opened again, ever more patiently."""
    from nardi_vision.sources import monotonic_ms, open_source

    live = url.startswith(LIVE)
    wait_s, told = 1.0, False
    while True:
        try:
            source = open_source(url)
        except EyeError as error:
            if not told:
                connection.send(EyeTrouble.of(error))
                told = True
            if not live:
                return
            connection.send(pipeline.see(None, monotonic_ms()))
            _pause(connection, pipeline, wait_s * random.uniform(0.7, 1.3))
            wait_s = min(wait_s * 2, 30.0)
            continue
        with contextlib.closing(source):
            if not live:
                for frame in source:
                    _obey(connection, pipeline)
                    yield frame
                # Questions may still come in for the last picture.
                _pause(connection, pipeline, BEAT_S / 4)
                return
            newest = _Newest(source)
            try:
                while not newest.done:
                    _obey(connection, pipeline)
                    newer = newest.next(BEAT_S)
                    if newer is None:
                        connection.send(_Beat())
                        continue
                    wait_s, told = 1.0, False
                    yield newer
            finally:
                newest.close()
        connection.send(EyeTrouble("camera_lost", (("source", url),)))
        connection.send(pipeline.see(None, monotonic_ms()))
        told = True
        _pause(connection, pipeline, wait_s)


def _pause(connection: Connection, pipeline: "Pipeline", seconds: float) -> None:
    """Wait, obeying and giving signs of life."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        connection.poll(min(left, BEAT_S))
        _obey(connection, pipeline)
        connection.send(_Beat())


def _obey(connection: Connection, pipeline: "Pipeline") -> None:
    """Carry out what the parent asked for."""
    while connection.poll(0):
        match connection.recv():
            case Confirmed(points, bar, off):
                pipeline.confirm(points, bar, off)
            case "snapshot":
                connection.send(Snapshot(pipeline.jpeg()))
            case ("corners", corners):
                pipeline.relocate(corners)
            case "stop":
                raise _Stop
