"""Where the board lies in the camera's picture, kept in a file, and checked each time before it is believed."""

import datetime
import json
import os
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from nardi_vision.errors import EyeError
from nardi_vision.geometry import Lens, as_corners, board_width_px, check_corners, corner_error, turned
from nardi_vision.reading import Corners

VERSION = 1
OLD_DAYS = 90
STRAIGHT = Lens()
FAR = 0.012
"""Corners found anew may lie this far from the file's, as a share of the board's width."""


class Method(StrEnum):
    """How the corners were come by."""

    FOUND = "found"
    TAGS = "tags"
    GIVEN = "given"
    DRAGGED = "dragged"


class CalibrationFault(StrEnum):
    """What a check at the start found. Only `OLD` leaves the file usable."""

    OLD = "old"
    FRAME_SIZE = "frame_size"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Calibration:
    """Where the board is for one camera.

    `corners` in the contract's order for pictures of `frame_size` (width, height); `residual`: how far the corners were
    from those found by a second look at the same picture (share of the board's width, None: not measured); `learned`:
    what the reader knows of this board, in its own form; `board`: its name in board.toml, "" where nobody gave it.
    """

    corners: Corners
    frame_size: tuple[int, int]
    made: datetime.date
    method: Method
    lens: Lens = STRAIGHT
    residual: float | None = None
    source: str = ""
    learned: dict[str, Any] | None = None
    board: str = ""

    def scaled(self, frame_size: tuple[int, int]) -> "Calibration":
        """For the same view at another resolution. Raises EyeError `calibration_frame_size` when the shape differs."""
        (width, height), (wide, high) = self.frame_size, frame_size
        if abs(width * high - wide * height) > 0.01 * width * high:
            raise EyeError(
                "calibration_frame_size", width=wide, height=high, wanted=f"{width}x{height}", remedy="calibrate"
            )
        by = wide / width
        return replace(self, corners=as_corners([(x * by, y * by) for x, y in self.corners]), frame_size=frame_size)

    def check(
        self, frame_size: tuple[int, int], today: datetime.date, found: Corners | None = None
    ) -> tuple[CalibrationFault, ...]:
        """All that speaks against using it for a camera of `frame_size` in whose picture the board was just `found`."""
        faults = []
        if (today - self.made).days > OLD_DAYS:
            faults.append(CalibrationFault.OLD)
        if frame_size != self.frame_size:
            faults.append(CalibrationFault.FRAME_SIZE)
        elif found is not None and self.distance(found) > FAR:
            faults.append(CalibrationFault.MOVED)
        return tuple(faults)

    def distance(self, found: Corners) -> float:
        """How far the corners found are from the file's, as a share of the board's width, whichever end came first."""
        return min(corner_error(turned(found, quarters), self.corners) for quarters in (0, 2))

    def save(self, path: Path) -> None:
        """Write the file whole or not at all. Raises EyeError `calibration_unwritable`."""
        data = {
            "version": VERSION,
            "corners": [[round(x, 2), round(y, 2)] for x, y in self.corners],
            "frame_size": list(self.frame_size),
            "made": self.made.isoformat(),
            "method": self.method.value,
            "lens_k": self.lens.k,
            "residual": self.residual,
            "source": self.source,
            "learned": self.learned,
            "board": self.board,
        }
        draft = path.with_name(path.name + ".part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
            os.replace(draft, path)
        except OSError as error:
            raise EyeError("calibration_unwritable", file=str(path), why=error.strerror or "", remedy="path") from None

    @staticmethod
    def load(path: Path) -> "Calibration":
        """Read a file. Raises EyeError `calibration_missing`, `calibration_broken` (with `line` or `field`)."""
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise EyeError("calibration_missing", file=str(path), remedy="calibrate") from None
        except (OSError, UnicodeDecodeError) as error:
            raise EyeError("calibration_broken", file=str(path), line=1, why=str(error), remedy="calibrate") from None
        try:
            data = json.loads(text)
        except ValueError as error:
            line = getattr(error, "lineno", 1)
            raise EyeError(
                "calibration_broken", file=str(path), line=line, why=str(error), remedy="calibrate"
            ) from None
        field = "version"
        try:
            if data["version"] != VERSION:
                raise ValueError(f"{data['version']}, not {VERSION}")
            field = "frame_size"
            width, height = (int(value) for value in data[field])
            field = "corners"
            corners = check_corners(as_corners(data[field]), (width, height))
            field = "made"
            made = datetime.date.fromisoformat(data[field])
            field = "method"
            method = Method(data[field])
            field = "lens_k"
            lens = Lens(float(data.get(field, 0.0)))
            field = "residual"
            residual = None if data.get(field) is None else float(data[field])
            field = "learned"
            learned = data.get(field)
            if learned is not None and not isinstance(learned, dict):
                raise TypeError(type(learned).__name__)
        except (KeyError, ValueError, TypeError) as error:
            raise EyeError(
                "calibration_broken", file=str(path), field=field, why=str(error), remedy="calibrate"
            ) from None
        source, board = str(data.get("source", "")), str(data.get("board", ""))
        return Calibration(corners, (width, height), made, method, lens, residual, source, learned, board)


def residual_px(calibration: Calibration) -> float | None:
    """The residual in pixels, as people want to hear it."""
    return None if calibration.residual is None else calibration.residual * board_width_px(calibration.corners)
