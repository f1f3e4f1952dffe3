"""The child process: real ones, with scripted insides where a crash or a hang is wanted."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

import pytest

from nardi_vision.pipeline import BLANK, UNSEEN
from nardi_vision.reading import BoardReading
from nardi_vision.worker import Budget, Confirmed, EyeEnded, EyeProcess, EyeSettings, EyeTrouble, Report, Snapshot

CORNERS = ((200.0, 120.0), (760.0, 120.0), (760.0, 600.0), (200.0, 600.0))
FLAT = ((None, 0),) * 24


def reading(t_ms: int) -> BoardReading:
    return BoardReading(t_ms, (BLANK,) * 24, UNSEEN, None, (), None, True, False, (), CORNERS)


def echo(connection: Connection, settings: EyeSettings) -> None:
    """Tells a reading, then answers."""
    connection.send(reading(7))
    while True:
        match connection.recv():
            case Confirmed(_, bar, _):
                connection.send(EyeTrouble("confirmed", (("light", bar[0]),)))
            case "snapshot":
                connection.send(Snapshot(b"jpeg"))
            case ("corners", corners):
                connection.send(EyeTrouble("corners", (("x", corners[0][0]),)))
            case "stop":
                return


def dying(connection: Connection, settings: EyeSettings) -> None:
    connection.send(reading(0 if settings.start is None else settings.start.bar[0]))
    time.sleep(0.05)
    os._exit(3)


def hanging(connection: Connection, settings: EyeSettings) -> None:
    connection.send(reading(1))
    time.sleep(60)


@contextmanager
def running(process: EyeProcess) -> Iterator[EyeProcess]:
    process.start()
    try:
        yield process
    finally:
        process.stop()


def until(process: EyeProcess, done: Callable[[list[Report]], bool], seconds: float = 20.0) -> list[Report]:
    reports: list[Report] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end and not done(reports):
        reports += process.poll(0.1)
    assert done(reports), reports
    return reports


def test_commands_go_and_reports_come() -> None:
    with running(EyeProcess(EyeSettings("v4l2:none"), child=echo)) as process:
        assert until(process, lambda seen: len(seen) == 1) == [reading(7)]
        process.confirm(FLAT, (2, 0))
        process.snapshot()
        process.relocate(CORNERS)
        answers = until(process, lambda seen: len(seen) == 3)
        assert answers == [
            EyeTrouble("confirmed", (("light", 2),)),
            Snapshot(b"jpeg"),
            EyeTrouble("corners", (("x", 200.0),)),
        ]
        pid = process.pid
        assert pid is not None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_child_that_dies_is_started_again_knowing_what_was_confirmed_until_the_budget_is_spent() -> None:
    budget = Budget(restarts=2)
    with running(EyeProcess(EyeSettings("v4l2:none"), budget, child=dying)) as process:
        process.confirm(FLAT, (4, 0))
        seen = until(process, lambda _: process.gave_up)
        troubles = [report.reason for report in seen if isinstance(report, EyeTrouble)]
        assert troubles == ["eye_restarted", "eye_restarted", "eye_gave_up"]
        times = [report.t_ms for report in seen if isinstance(report, BoardReading)]
        assert times == [0, 4, 4]
        assert process.poll() == []


def test_a_child_that_hangs_is_started_again() -> None:
    with running(EyeProcess(EyeSettings("v4l2:none"), Budget(silence_s=0.3, restarts=1), child=hanging)) as process:
        seen = until(process, lambda seen: any(isinstance(one, EyeTrouble) for one in seen))
        trouble = next(one for one in seen if isinstance(one, EyeTrouble))
        assert trouble == EyeTrouble("eye_restarted", (("count", 1), ("why", "silent")))


def test_a_recording_is_not_begun_again() -> None:
    with running(EyeProcess(EyeSettings("replay:none"), child=dying)) as process:
        seen = until(process, lambda _: process.gave_up)
        assert [one.reason for one in seen if isinstance(one, EyeTrouble)] == ["eye_gave_up"]


def test_a_source_that_is_not_there_is_told_by_name() -> None:
    with running(EyeProcess(EyeSettings("folder:/no/such/folder", CORNERS))) as process:
        seen = until(process, lambda seen: EyeEnded() in seen, 40)
        assert [one.reason for one in seen if isinstance(one, EyeTrouble)] == ["source_missing"]


def test_the_parent_needs_neither_opencv_nor_numpy() -> None:
    code = "import sys, nardi_vision.worker; sys.exit(bool({'cv2', 'numpy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
