"""`nardi read IMAGE…`: what stands on the board in single pictures."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nardi.devices.eyesight import input_error, message_of
from nardi.errors import InputError
from nardi.text.message import Message
from nardi_vision.errors import EyeError
from nardi_vision.reading import BoardReading, Corners, EyeFault

if TYPE_CHECKING:
    from nardi_vision.frame import Picture

NUDGED = (0.015, 0.06)
"""How far a camera may have been nudged since the start picture (share of the board's width): less is the measure's
own noise, more is another view."""
DOUBTED = 0.9
"""Below this weight a slot's best content is told as doubtful."""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("read", help="say what stands on the board in pictures", allow_abbrev=False)
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of a drawing")
    parser.add_argument("--corners", metavar='"x,y x,y x,y x,y"', help="the playing surface, when it need not be found")
    parser.add_argument(
        "--start",
        type=Path,
        metavar="FILE",
        help="a picture of the same board at the start of a game, or a calibration",
    )
    parser.add_argument("--start-position", metavar="TEXT", help="what the start picture shows, if not a usual start")
    parser.add_argument("--per-side", type=int, default=15, metavar="N", help="checkers of each colour (default 15)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    try:
        eye = _Eye(arguments)
    except EyeError as error:
        raise input_error(error) from None
    faults: list[Message] = []
    for path in arguments.images:
        began = time.perf_counter()
        try:
            reading, unsure = eye.read(path)
        except EyeError as error:
            faults.append(message_of(error))
            if arguments.json:
                row = {"image": str(path), "error": {"reason": error.reason, **error.details}}
                print(json.dumps(row, ensure_ascii=False), flush=True)
            continue
        ms = (time.perf_counter() - began) * 1000
        if arguments.json:
            print(json.dumps(as_json(path, reading, ms, unsure), ensure_ascii=False), flush=True)
        else:
            print(as_text(path, reading, unsure), flush=True)
    if faults:
        raise InputError(*faults)
    return 0


class _Eye:
    """A reader with what the command line told it."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        import cv2

        from nardi_vision.calibration import Calibration
        from nardi_vision.classify import LearnedBoard, Reader
        from nardi_vision.geometry import check_corners, parse_corners

        cv2.setNumThreads(1)
        self._per_side: int = arguments.per_side
        self._corners: Corners | None = None
        if arguments.corners is not None:
            self._corners = check_corners(parse_corners(arguments.corners))
        self._given = self._corners is not None
        self._calibration: Calibration | None = None
        self._known: LearnedBoard | None = None
        self._reader = Reader()
        start: Path | None = arguments.start
        if start is None:
            return
        if start.suffix.lower() == ".json":
            self._calibration = Calibration.load(start)
            if self._calibration.learned is not None:
                self._known = LearnedBoard.from_json(self._calibration.learned)
        else:
            self._learn(start, arguments.start_position)

    def _learn(self, start: Path, position: str | None) -> None:
        from nardi_vision.frame import frame_size_of, load_picture
        from nardi_vision.geometry import check_corners
        from nardi_vision.locate import find_corners
        from nardi_vision.start import STARTS, layouts_of, match_start

        image = load_picture(start)
        if self._corners is None:
            self._corners = find_corners(image, str(start))
        check_corners(self._corners, frame_size_of(image))
        reading = self._reader.read(image, self._corners, per_side=self._per_side)
        match = match_start(reading, STARTS if position is None else layouts_of(position))
        if match.differing:
            slots = " ".join(str(slot) for slot in match.differing)
            raise EyeError("start_differs", file=str(start), slots=slots, count=len(match.differing), remedy="start")
        self._known = self._reader.learn(image, self._corners, match.contents)

    def read(self, path: Path) -> tuple[BoardReading, float | None]:
        """The reading, and how far off its corners may be where that is too far to be trusted (None: they are sure)."""
        from nardi_vision.frame import frame_size_of, load_picture
        from nardi_vision.geometry import check_corners

        image = load_picture(path)
        place, unsure = self._place(image, path)
        corners = check_corners(place, frame_size_of(image))
        return self._reader.read(image, corners, per_side=self._per_side, known=self._known), unsure

    def _place(self, image: Picture, path: Path) -> tuple[Corners, float | None]:
        from nardi_vision.frame import frame_size_of
        from nardi_vision.locate import locate

        if self._corners is not None:
            return (self._corners if self._given else self._followed(image, self._corners)), None
        if self._calibration is not None:
            return self._followed(image, self._calibration.scaled(frame_size_of(image)).corners), None
        try:
            found = locate(image)
        except EyeError as error:
            raise EyeError(error.reason, **{**error.details, "file": str(path)}) from None
        return found.corners, None if found.sure else found.error

    @staticmethod
    def _followed(image: Picture, corners: Corners) -> Corners:
        """The corners of an earlier picture by the same camera, moved with it if it was nudged since."""
        from nardi_vision.geometry import corner_error
        from nardi_vision.locate import refine

        try:
            found = refine(image, corners)
        except EyeError:
            return corners
        nearest, farthest = NUDGED
        nudged = found.sure and nearest < corner_error(found.corners, corners) < farthest
        return found.corners if nudged else corners


def doubted(reading: BoardReading) -> list[int]:
    """Slots whose content is not certain."""
    return [
        index
        for index, slot in enumerate(reading.points)
        if slot.occluded or slot.confidence < DOUBTED or slot.fault is EyeFault.DOUBT
    ]


def as_json(path: Path, reading: BoardReading, ms: float, unsure: float | None = None) -> dict[str, Any]:
    """A reading in the form others rely on (DESIGN.md, "Contracts"); `unsure`: the corners' error, if too large."""
    from nardi_vision.geometry import board_to_picture, project

    corners = reading.corners
    assert corners is not None
    to_picture = board_to_picture(corners)

    def pixel(x: float, y: float) -> list[float]:
        return [round(float(value), 1) for value in project(to_picture, [(x, y)])[0]]

    faults: list[dict[str, Any]] = [{"fault": fault.value} for fault in reading.faults if fault is not EyeFault.DOUBT]
    by_fault: dict[str, list[int]] = {}
    for index, slot in enumerate(reading.points):
        if slot.fault is not None and slot.fault is not EyeFault.DOUBT:
            by_fault.setdefault(slot.fault.value, []).append(index)
    by_fault[EyeFault.DOUBT.value] = doubted(reading)
    faults = [row for row in faults if row["fault"] not in by_fault]
    faults += [{"fault": fault, "slots": slots} for fault, slots in by_fault.items() if slots]
    if unsure is not None:
        faults.append({"fault": "board_unsure", "error": round(unsure, 4)})
    cube = reading.cube
    return {
        "image": str(path),
        "corners": [[round(x, 1), round(y, 1)] for x, y in corners],
        "points": [[shade or "none", count] for shade, count in (slot.best for slot in reading.points)],
        "bar": {"light": reading.bar.count("light"), "dark": reading.bar.count("dark")},
        "off": None
        if reading.off is None
        else {"light": reading.off.count("light"), "dark": reading.off.count("dark")},
        "dice": [
            {
                "value": die.value,
                "centre": pixel(die.x, die.y),
                "half": die.half,
                "state": die.state.value,
                "confidence": round(die.confidence, 3),
            }
            for die in reading.dice
        ],
        "cube": None
        if cube is None
        else {
            "value": cube.value,
            "centre": pixel(cube.x, cube.y),
            "side": cube.side,
            "confidence": round(cube.confidence, 3),
        },
        "confidence": [round(slot.confidence, 4) for slot in reading.points],
        "faults": faults,
        "ms": round(ms, 1),
    }


MARKS = {"light": "○", "dark": "●", None: "·"}


def as_text(path: Path, reading: BoardReading, unsure: float | None = None) -> str:
    """The board as the picture shows it, drawn with letters: rows as they lie, `?` where there is doubt."""
    doubts = set(doubted(reading))

    def cell(slot: int) -> str:
        shade, count = reading.points[slot].best
        text = f"{MARKS[shade]}{count}" if shade else "·"
        return f"{text + ('?' if slot in doubts else ''):>4}"

    def row(slots: range) -> str:
        cells = [cell(slot) for slot in slots]
        return "".join(cells[:6]) + "  │" + "".join(cells[6:])

    bar = f"bar ○{reading.bar.count('light')} ●{reading.bar.count('dark')}"
    off = f"off ○{reading.off.count('light')} ●{reading.off.count('dark')}" if reading.off else "off –"
    dice = "dice " + (" ".join(str(die.value or "?") for die in reading.dice) or "–")
    cube = f"cube {reading.cube.value or '?'}" if reading.cube else ""
    faults = " ".join([fault.value for fault in reading.faults] + ["board_unsure"] * (unsure is not None))
    lines = [str(path), row(range(12)), row(range(12, 24)), "  ".join(filter(None, (bar, off, dice, cube, faults)))]
    return "\n".join(lines) + "\n"
