"""Labelled pictures: single ones (`labels.jsonl`) and the frames of recordings (`frame_labels.jsonl`)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nardi_vision.errors import EyeError
from nardi_vision.geometry import as_corners
from nardi_vision.reading import MOST, Corners, Shade
from nardi_vision.sources.recording import read_index

Content = tuple[Shade | None, int]
ROW = 5
"""Checkers in a row of a heap, where the labels do not say how it is laid."""


@dataclass(frozen=True, slots=True)
class Known:
    """A die or the cube as labelled; `centre` in px, None where the label gives none. `counted` False: beside the
    board, where it need not be seen."""

    value: int
    centre: tuple[float, float] | None
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Case:
    """A picture and what is true of it. `rows[slot]`: the bottom row, which may be read for the whole heap.

    `dice`, `cube`: those in the picture; None where the labels do not tell.
    """

    name: str
    path: Path
    split: str
    corners: Corners
    points: tuple[Content, ...]
    rows: tuple[int, ...]
    hidden: frozenset[int]
    bar: tuple[int, int] | None
    off: tuple[int, int] | None
    dice: tuple[Known, ...] | None
    cube: tuple[Known, ...] | None
    hand: bool
    per_side: int = MOST
    t_ms: int | None = None  # of a recording's frame

    def right(self, slot: int, seen: Content) -> bool:
        """Whether a slot read so is read right: what lies under a second layer cannot be counted from above."""
        shade, count = self.points[slot]
        return seen == (shade, count) or (seen[0] == shade and count > self.rows[slot] == seen[1])


def load_cases(folder: Path) -> list[Case]:
    """All labelled pictures in a folder and below.

    Raises EyeError `source_missing`, `labels_missing`, and `labels_line` naming the file and line that cannot be used.
    """
    if not folder.is_dir():
        raise EyeError("source_missing", source=str(folder), file=str(folder), remedy="path")
    files = sorted({*folder.rglob("labels.jsonl"), *folder.rglob("frame_labels.jsonl")})
    # A recording's own labels.jsonl tells its turns; its pictures are told of in frame_labels.jsonl.
    files = [file for file in files if file.name != "labels.jsonl" or not (file.parent / "frame_labels.jsonl").exists()]
    cases = [case for file in files for case in _in_time(file, list(_cases(file)))]
    if not cases:
        raise EyeError("labels_missing", file=str(folder), remedy="labels_form")
    return cases


def _in_time(file: Path, cases: list[Case]) -> list[Case]:
    """A recording's frames with their times, in order; other pictures as they are."""
    if file.name != "frame_labels.jsonl":
        return cases
    times = {path.name: t_ms for t_ms, path in read_index(file.parent)}
    timed = [replace(case, t_ms=times[case.path.name]) for case in cases if case.path.name in times]
    return sorted(timed, key=lambda case: case.t_ms or 0)


def _cases(file: Path) -> Iterator[Case]:
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            # Pictures of dice alone show no board.
            if "points" in row:
                yield _case(file, row)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise EyeError("labels_line", file=str(file), line=number, why=repr(error), remedy="labels_form") from None


def _case(file: Path, row: dict[str, Any]) -> Case:
    recorded = file.name == "frame_labels.jsonl"
    path = file.parent / "frames" / row["file"] if recorded else file.parent / row["image"]
    points = tuple(_content(entry) for entry in row["points"])
    if len(points) != 24:
        raise ValueError(f"{len(points)} points")
    layers = row.get("layers")
    rows = tuple(
        layers[slot][0] if layers and layers[slot] else min(count, ROW) for slot, (_, count) in enumerate(points)
    )
    dice, cube = row.get("dice"), row.get("cube")
    hidden = frozenset(int(slot) for slot in row.get("hidden", ()))
    return Case(
        name=f"{file.parent.name}/{path.name}",
        path=path,
        split=f"recording {file.parent.name}" if recorded else str(row.get("split", file.parent.name)),
        corners=as_corners(row["corners"]),
        points=points,
        rows=rows,
        hidden=hidden,
        bar=_pair(row.get("bar")),
        off=_pair(row.get("off")),
        # What a recording's frames tell of them is what is true of the turn, not what can be seen.
        dice=None if dice is None or recorded else tuple(_die(entry) for entry in dice),
        cube=None if "cube" not in row or recorded else () if cube is None else (_cube(cube),),
        hand=bool(row.get("hand", bool(hidden))),
        # Of a board with hardly anything on it the labels tell no set's size.
        per_side=per_side if (per_side := int(row.get("per_side", MOST))) >= ROW else MOST,
    )


def _content(entry: list[Any]) -> Content:
    shade, count = entry
    if shade not in ("light", "dark", "none") or not 0 <= int(count) <= MOST:
        raise ValueError(f"point {entry}")
    return (None, 0) if shade == "none" or not count else (shade, int(count))


def _die(entry: dict[str, Any] | int) -> Known:
    if isinstance(entry, int):
        return Known(entry, None)
    return Known(int(entry["value"]), _centre(entry), bool(entry.get("on_board", True)))


def _cube(entry: dict[str, Any]) -> Known:
    return Known(int(entry["value"]), _centre(entry), entry.get("place") != "off_table")


def _centre(entry: dict[str, Any]) -> tuple[float, float] | None:
    centre = entry.get("centre")
    return None if centre is None else (float(centre[0]), float(centre[1]))


def _pair(entry: Any) -> tuple[int, int] | None:
    return None if entry is None else (int(entry["light"]), int(entry["dark"]))
