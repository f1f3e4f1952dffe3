"""Sizes of boards, the order of places, and what a picture must give, from board.toml; standard library only."""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from nardi_vision.errors import EyeError

BOARD_FILE = Path(__file__).parent / "data" / "board.toml"
"""In a checkout a link to hardware/board.toml; a wheel holds the file itself."""
SCHEMA = 1
POINTS = tuple(str(slot) for slot in range(24))
"""The names of the points: their slots in a `BoardReading`."""
OTHERS = ["bar", "far_tray", "near_tray"]
PARTS = ("cameras", "printer", "mast", "plate", "rails", "case", "die")
"""Tables of board.toml that only mast and printed parts need: read in hardware/measures.py."""

T = TypeVar("T")
Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Board:
    """An opened board. Axes and names: see the head of board.toml."""

    about: str
    outer_mm: Pair
    frame_mm: float
    frame_height_mm: float
    thickness_mm: float
    pitch_mm: float
    bar_mm: float
    tray_mm: float
    checker_mm: float
    checker_height_mm: float
    point_centres_mm: tuple[float, ...]
    bar_centre_mm: float
    tray_light_mm: float
    rail_overhang_mm: float

    @property
    def surface_mm(self) -> Pair:
        """Length and depth of the playing surface: inside the frame, trays left out."""
        return self.outer_mm[0] - 2 * (self.frame_mm + self.tray_mm), self.outer_mm[1] - 2 * self.frame_mm

    def place_mm(self, name: str) -> Pair:
        """(x, y) of the light `name` ("0".."23", "bar", "far_tray", "near_tray"), y in the middle of its frame."""
        near, far = self.frame_mm / 2, self.outer_mm[1] - self.frame_mm / 2
        if name == "bar":
            return self.bar_centre_mm, far
        if name.endswith("_tray"):
            return self.tray_light_mm, far if name == "far_tray" else near
        row, column = divmod(int(name), 12)
        return self.point_centres_mm[column], near if row else far

    def faults(self) -> list[str]:
        """What contradicts itself in these sizes; empty: nothing."""
        found = []
        length = 2 * (self.frame_mm + self.tray_mm) + 12 * self.pitch_mm + self.bar_mm
        if abs(length - self.outer_mm[0]) > 0.01:
            found.append(f"frame, trays, points and bar add up to {length} mm, outer_mm says {self.outer_mm[0]}")
        if len(self.point_centres_mm) != 12:
            found.append(f"point_centres_mm has {len(self.point_centres_mm)} points, a side has 12")
        first = self.frame_mm + self.tray_mm + self.pitch_mm / 2
        for index, centre in enumerate(self.point_centres_mm):
            expected = first + index * self.pitch_mm + (self.bar_mm if index > 5 else 0)
            if abs(centre - expected) > self.pitch_mm / 10:
                found.append(f"point_centres_mm[{index}] is {centre}, the pitch says {expected}")
        if abs(self.bar_centre_mm - self.outer_mm[0] / 2) > (self.bar_mm + self.pitch_mm) / 2:
            found.append(f"bar_centre_mm is {self.bar_centre_mm}, which is not between the halves")
        if not 0 < self.checker_mm <= self.pitch_mm:
            found.append(f"a checker of {self.checker_mm} mm does not fit a point of {self.pitch_mm} mm")
        if 10 * self.checker_mm > self.outer_mm[1] - 2 * self.frame_mm:
            found.append("two columns of five checkers do not fit between the long sides")
        return found


@dataclass(frozen=True, slots=True)
class Needs:
    """What a picture must give the eye. Names: see board.toml, [eye]."""

    working_width_px: float
    min_checker_px: float
    margin: float
    max_tilt_deg: float


@dataclass(frozen=True, slots=True)
class _Slots:
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sizes:
    """What the eye and the views take from board.toml. `order`: the places' names, the points first by their slots."""

    default_board: str
    order: tuple[str, ...]
    boards: Mapping[str, Board]
    eye: Needs

    @property
    def board(self) -> Board:
        """The board meant where none is named, and that the committed parts are made for."""
        return self.boards[self.default_board]


def tables_of(path: Path) -> dict[str, Any]:
    """The tables of a board.toml. Raises EyeError `board_sizes_unreadable`, `board_sizes_wrong`."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EyeError("board_sizes_unreadable", file=str(path), why=str(error)) from None
    faults = []
    if tables.get("schema") != SCHEMA:
        faults.append(f"schema {tables.get('schema')!r}, this program knows {SCHEMA}")
    known = {"schema", "default_board", "slots", "boards", "eye", *PARTS}
    faults += [f"missing {name}" for name in sorted(known - set(tables))]
    faults += [f"unknown {name}" for name in sorted(set(tables) - known)]
    refuse(path, faults)
    return tables


def sizes_of(tables: Mapping[str, Any], path: Path) -> Sizes:
    """The eye's part of `tables`, which came from `path`. Raises EyeError `board_sizes_wrong`, which names the keys."""
    sizes = Sizes(
        tables["default_board"],
        record(_Slots, tables["slots"], "slots", path).order,
        records(Board, tables["boards"], "boards", path),
        record(Needs, tables["eye"], "eye", path),
    )
    faults = [f"[boards.{name}] {fault}" for name, board in sizes.boards.items() for fault in board.faults()]
    if sizes.default_board not in list(sizes.boards):
        faults.append(f"default_board {sizes.default_board!r} is none of {', '.join(sizes.boards)}")
    if sizes.order[:24] != POINTS or sorted(sizes.order[24:]) != OTHERS:
        faults.append(f"[slots] order is not 0 to 23 as the eye counts them, then {', '.join(OTHERS)}")
    refuse(path, faults)
    return sizes


@cache
def load_sizes(path: Path = BOARD_FILE) -> Sizes:
    """Read board.toml, once. Raises EyeError `board_sizes_unreadable`, `board_sizes_wrong`, which names the keys."""
    return sizes_of(tables_of(path), path)


def records(kind: type[T], table: object, where: str, path: Path) -> dict[str, T]:
    """A table of tables [`where`.name] as dataclasses. Raises EyeError `board_sizes_wrong`."""
    return {name: record(kind, one, f"{where}.{name}", path) for name, one in _table(table, where, path).items()}


def _table(table: object, where: str, path: Path) -> dict[str, Any]:
    refuse(path, [] if isinstance(table, dict) else [f"[{where}] is no table"])
    assert isinstance(table, dict)
    return table


def record(kind: type[T], content: object, where: str, path: Path) -> T:
    """The table [`where`] as a dataclass. Raises EyeError `board_sizes_wrong` with all that is wrong with its keys."""
    table = _table(content, where, path)
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]  # every caller gives a dataclass
    faults = [f"missing {name}" for name in sorted(set(names) - set(table))]
    faults += [f"unknown {name}" for name in sorted(set(table) - set(names))]
    values = {}
    for name in (name for name in names if name in table):
        try:
            values[name] = _value(hints[name], table[name])
        except ValueError:
            faults.append(f"wrong {name} = {table[name]!r}")
    refuse(path, [f"[{where}]: {', '.join(faults)}"] if faults else [])
    return kind(**values)


def refuse(path: Path, faults: list[str]) -> None:
    """Raises EyeError `board_sizes_wrong` where there are faults."""
    if faults:
        raise EyeError("board_sizes_wrong", file=str(path), faults="; ".join(faults))


def _value(hint: Any, value: Any) -> Any:
    """A TOML value as its annotation says; ValueError: it does not fit. No size is negative."""
    if get_origin(hint) is tuple and isinstance(value, list):
        kinds = get_args(hint)
        if kinds[-1] is Ellipsis:
            return tuple(_value(kinds[0], one) for one in value)
        return tuple(_value(kind, one) for kind, one in zip(kinds, value, strict=True))
    if get_origin(hint) is not None and issubclass(get_origin(hint), Mapping) and isinstance(value, dict):
        return {name: _value(get_args(hint)[1], one) for name, one in value.items()}
    if hint is str and isinstance(value, str):
        return value
    number = value if type(value) is int or (type(value) is float and hint is float) else math.nan
    if get_origin(hint) is not None or hint is str or not 0 <= number < math.inf:
        raise ValueError(value)
    return number
