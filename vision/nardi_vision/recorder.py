"""Writes recordings: frames, their times, and what a replay must know of the table."""

import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

import cv2
import numpy as np

from nardi_vision.errors import EyeError
from nardi_vision.frame import Frame, Picture, encode_jpeg, frame_size_of
from nardi_vision.geometry import check_corners
from nardi_vision.locate import find_corners
from nardi_vision.reading import Corners, Shade

MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Session:
    """`session.toml`: what was played, and how the board lies before the camera."""

    ruleset: str
    match_length: int
    corners: Corners | None  # None: to be found in the first frame
    white_shade: Shade
    white_ace_corner: int
    white: str = "White"
    black: str = "Black"

    def text(self, frame_size: tuple[int, int]) -> str:
        corners = ", ".join(f"[{x:.1f}, {y:.1f}]" for x, y in self.corners or ())
        return "\n".join(
            [
                f"ruleset = {json.dumps(self.ruleset)}",
                f"match_length = {self.match_length}",
                f"frame_size = [{frame_size[0]}, {frame_size[1]}]",
                f"corners = [{corners}]",
                f"white_shade = {json.dumps(self.white_shade)}",
                f"white_ace_corner = {self.white_ace_corner}",
                "",
                "[players]",
                f"white = {json.dumps(self.white, ensure_ascii=False)}",
                f"black = {json.dumps(self.black, ensure_ascii=False)}",
                "",
            ]
        )


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a recording may take. `free_mb` is left on the disk for others; `seconds` 0: until stopped."""

    budget_mb: int = 2000
    free_mb: int = 500
    seconds: float = 0.0
    every_ms: int = 0  # at most a frame in this time
    still_ms: int = 2000  # a picture equal to the last one kept is kept again only this often


@dataclass(frozen=True, slots=True)
class Summary:
    """What was written. `ended`: source | seconds | budget | disk."""

    frames: int
    skipped: int
    missing: int
    bytes: int
    ended: str


def record(frames: Iterable[Frame], folder: Path, session: Session, limits: Limits | None = None) -> Summary:
    """Write frames into a new or empty folder until the source, the time or the space ends.

    Each frame's file is whole before its line in `frames.jsonl` names it, so that a cut at any moment leaves a good
    recording. Raises EyeError `recording_exists`, `recording_unwritable`, `no_frames`, and what `find_corners` raises
    when no corners are given.
    """
    limits = limits or Limits()
    pictures = folder / "frames"
    try:
        pictures.mkdir(parents=True, exist_ok=True)
        if (folder / "frames.jsonl").exists() or any(pictures.iterdir()):
            raise EyeError("recording_exists", file=str(folder), remedy="other_folder")
        with (folder / "frames.jsonl").open("w", encoding="utf-8") as index:
            (folder / "dice.jsonl").touch()
            summary = _write(frames, folder, session, limits, index)
    except OSError as error:
        raise EyeError(
            "recording_unwritable", file=str(error.filename or folder), why=error.strerror or "", remedy="path"
        ) from None
    if not summary.frames:
        raise EyeError("no_frames", file=str(folder), remedy="camera_plugged")
    return summary


def _write(frames: Iterable[Frame], folder: Path, session: Session, limits: Limits, index: TextIO) -> Summary:
    written = skipped = missing = size = 0
    first_ms: int | None = None
    kept_ms = 0
    kept: Picture | None = None
    ended = "source"
    for frame in frames:
        if first_ms is None:
            first_ms = frame.t_ms
        if limits.seconds and frame.t_ms - first_ms >= limits.seconds * 1000:
            ended = "seconds"
            break
        if frame.image is None:
            missing += 1
            continue
        since_ms = frame.t_ms - kept_ms
        if kept is not None and (
            since_ms < limits.every_ms or (since_ms < limits.still_ms and _same(kept, frame.image))
        ):
            skipped += 1
            continue
        data = encode_jpeg(frame.image)
        if size + len(data) > limits.budget_mb * MB:
            ended = "budget"
            break
        if written % 20 == 0 and shutil.disk_usage(folder).free < limits.free_mb * MB + len(data):
            ended = "disk"
            break
        if kept is None:
            frame_size = frame_size_of(frame.image)
            corners = session.corners or find_corners(frame.image, frame.name)
            session = replace(session, corners=check_corners(corners, frame_size))
            (folder / "session.toml").write_text(session.text(frame_size), encoding="utf-8")
        name = f"{written:06d}.jpg"
        (folder / "frames" / name).write_bytes(data)
        index.write(json.dumps({"t_ms": frame.t_ms - first_ms, "file": name}) + "\n")
        index.flush()
        written, size, kept, kept_ms = written + 1, size + len(data), frame.image, frame.t_ms
    return Summary(written, skipped, missing, size, ended)


def _same(before: Picture, now: Picture) -> bool:
    """Whether nothing but the sensor's noise has changed."""
    if before.shape != now.shape:
        return False
    size = (now.shape[1] // 8, now.shape[0] // 8)
    a, b = (cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.int16) for picture in (before, now))
    return int((np.abs(a - b) > 10).any(axis=2).sum()) <= 2
