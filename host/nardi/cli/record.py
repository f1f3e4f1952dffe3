"""`nardi record SOURCE DIR`: keep what a camera sees as a recording that `nardi replay` reads."""

import argparse
import contextlib
import itertools
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

from nardi.devices.eyesight import input_error
from nardi_vision.errors import EyeError


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("record", help="record what a camera sees", allow_abbrev=False)
    parser.add_argument("source", metavar="SOURCE", help="v4l2:/dev/video0, picamera2:0, http://…, file:…, folder:…")
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new or empty folder")
    parser.add_argument("--seconds", type=float, default=0.0, help="stop after this long (default: when stopped)")
    parser.add_argument("--budget-mb", type=int, default=2000, metavar="MB", help="space to use (default 2000)")
    parser.add_argument("--every-ms", type=int, default=0, metavar="MS", help="at most one frame in this time")
    parser.add_argument("--ruleset", default="backgammon")
    parser.add_argument("--match-length", type=int, default=5, metavar="N")
    parser.add_argument("--corners", metavar='"x,y x,y x,y x,y"', help="the playing surface (default: it is found)")
    parser.add_argument("--white-shade", choices=("light", "dark"), default="light", help="checkers that White plays")
    parser.add_argument("--white-ace-corner", type=int, choices=range(4), default=2, help="corner by White's 1 point")
    parser.add_argument("--white", default="White", help="name of White's player")
    parser.add_argument("--black", default="Black", help="name of Black's player")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    import cv2

    from nardi_vision.geometry import check_corners, parse_corners
    from nardi_vision.recorder import MB, Limits, Session, record
    from nardi_vision.sources import open_source

    cv2.setNumThreads(1)
    try:
        corners = None if arguments.corners is None else check_corners(parse_corners(arguments.corners))
        session = Session(
            arguments.ruleset,
            arguments.match_length,
            corners,
            arguments.white_shade,
            arguments.white_ace_corner,
            arguments.white,
            arguments.black,
        )
        limits = Limits(budget_mb=arguments.budget_mb, seconds=arguments.seconds, every_ms=arguments.every_ms)
        with contextlib.closing(open_source(arguments.source)) as source, _stopped_by_signals() as stopped:
            frames = itertools.takewhile(lambda _: not stopped.is_set(), source)
            summary = record(frames, arguments.folder, session, limits)
    except EyeError as error:
        raise input_error(error) from None
    print(
        f"{arguments.folder}: {summary.frames} frames, {summary.bytes / MB:.1f} MB, {summary.skipped} unchanged, "
        f"{summary.missing} missing; ended: {summary.ended}"
    )
    return 0


@contextlib.contextmanager
def _stopped_by_signals() -> Iterator[threading.Event]:
    """An event that Ctrl-C or a request to end sets: the recording is then closed properly, not cut."""
    stopped = threading.Event()
    before = {number: signal.signal(number, lambda *_: stopped.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
