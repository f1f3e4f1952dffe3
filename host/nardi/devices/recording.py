"""A recording on disk: what `nardi record` writes and `nardi replay DIR` reads.

Form: `session.toml`, `frames/NNNNNN.jpg`, `frames.jsonl`, `dice.jsonl`. Corners and slots are in image order: corner 0
to 1 is a side with twelve points, clockwise; `white_ace_corner` is the corner nearest White's 1 point.
"""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nardi.errors import InputError
from nardi.rules.color import ByColor, Color
from nardi.text.message import Message, Parameter
from nardi_vision.reading import Corners, Shade


@dataclass(frozen=True, slots=True)
class Session:
    """What is known of a recording before its first frame.

    `frame_size`: width, height in px. `start`: position text with White's side first where the recording does not begin
    at the ruleset's start; `turn` then names the player on roll.
    """

    ruleset: str
    match_length: int
    frame_size: tuple[int, int]
    corners: Corners
    white_shade: Shade
    white_ace_corner: int
    players: ByColor[str]
    start: str | None = None
    turn: Color | None = None


@dataclass(frozen=True, slots=True)
class FrameLine:
    """A picture and its time. The file may be missing or torn: that is found when it is looked at."""

    t_ms: int
    file: Path


@dataclass(frozen=True, slots=True)
class DiceLine:
    """A line as the dice sent it, and when it came."""

    t_ms: int
    line: str


@dataclass(frozen=True, slots=True)
class Recording:
    folder: Path
    session: Session
    frames: tuple[FrameLine, ...]
    dice: tuple[DiceLine, ...]

    def in_time(self) -> Iterator[FrameLine | DiceLine]:
        """Frames and dice lines in the order of their times; of the same instant, dice first."""
        happenings: list[FrameLine | DiceLine] = [*self.dice, *self.frames]
        yield from sorted(happenings, key=lambda happening: happening.t_ms)


class _Faults:
    """Collects the faults of one file, so that all of them are reported together."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.found: list[Message] = []

    def add(self, id: str, **parameters: Parameter) -> None:
        self.found.append(Message.of(id, file=str(self.file), **parameters))


def _as_corners(value: object) -> Corners | None:
    if not (isinstance(value, list) and len(value) == 4):
        return None
    pairs = [tuple(float(number) for number in corner) for corner in value if _is_pair(corner)]
    return (pairs[0], pairs[1], pairs[2], pairs[3]) if len(pairs) == 4 else None  # type: ignore[return-value]  # pairs are of two floats


def _is_pair(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(number, int | float) and not isinstance(number, bool) for number in value)
    )


def is_quadrangle(corners: Corners) -> bool:
    """Whether four corners are a convex quadrangle, clockwise in the picture, of more than a speck's size."""
    turns = []
    for index in range(4):
        (ax, ay), (bx, by), (cx, cy) = (corners[(index + step) % 4] for step in range(3))
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return all(turn > 100.0 for turn in turns)


def parse_session(text: str, file: Path) -> Session:
    """Reads `session.toml`.

    Raises:
        InputError: with one message for every fault found.
    """
    faults = _Faults(file)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(Message.of("input.not_toml", file=str(file), reason=str(error))) from error

    def wanted(key: str, check: Callable[[object], bool], form: str) -> object:
        if key not in table:
            faults.add("input.session.missing", key=key, form=form)
            return None
        if not check(table[key]):
            faults.add("input.session.wrong", key=key, value=repr(table[key])[:60], form=form)
            return None
        return table[key]

    ruleset = wanted("ruleset", lambda value: isinstance(value, str) and value != "", '"backgammon"')
    length = wanted(
        "match_length", lambda value: type(value) is int and 0 <= value <= 10_000, "a whole number, 0 for a series"
    )
    size = wanted(
        "frame_size",
        lambda value: _is_pair(value) and all(type(number) is int and number > 0 for number in value),  # type: ignore[attr-defined]  # a list by _is_pair
        "[width, height]",
    )
    corners = wanted("corners", lambda value: _as_corners(value) is not None, "[[x, y], [x, y], [x, y], [x, y]]")
    shade = wanted("white_shade", lambda value: value in ("light", "dark"), '"light" or "dark"')
    ace = wanted("white_ace_corner", lambda value: type(value) is int and 0 <= value <= 3, "0, 1, 2 or 3")
    players = table.get("players", {})
    if not (isinstance(players, Mapping) and all(isinstance(name, str) for name in players.values())):
        faults.add("input.session.wrong", key="players", value=repr(players)[:60], form='white = "…", black = "…"')
        players = {}
    start, turn = table.get("start"), table.get("turn")
    if start is not None and not isinstance(start, str):
        faults.add("input.session.wrong", key="start", value=repr(start)[:60], form="<white>/<black>")
    if turn is not None and turn not in ("white", "black"):
        faults.add("input.session.wrong", key="turn", value=repr(turn)[:60], form='"white" or "black"')
    if start is not None and turn is None:
        faults.add("input.session.missing", key="turn", form='"white" or "black"')
    found = _as_corners(corners)
    if found is not None and not is_quadrangle(found):
        faults.add("input.session.corners")
    if faults.found:
        raise InputError(*faults.found)
    assert found is not None and isinstance(size, list) and isinstance(length, int) and isinstance(ace, int)
    return Session(
        ruleset=str(ruleset),
        match_length=length,
        frame_size=(int(size[0]), int(size[1])),
        corners=found,
        white_shade="light" if shade == "light" else "dark",
        white_ace_corner=ace,
        players=ByColor(str(players.get("white", "White")), str(players.get("black", "Black"))),
        start=start,
        turn=None if turn is None else Color(turn),
    )


def _lines(file: Path, key: str) -> list[tuple[int, str]]:
    """The (t_ms, value of `key`) pairs of a JSON-lines file; every bad line is reported."""
    faults = _Faults(file)
    found: list[tuple[int, str]] = []
    last = -1
    for number, line in enumerate(_text(file).splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            faults.add("input.bad_line", line=number, reason="no JSON", form=f'{{"t_ms": …, "{key}": …}}')
            continue
        if not (
            isinstance(value, dict)
            and type(value.get("t_ms")) is int
            and value["t_ms"] >= 0
            and isinstance(value.get(key), str)
        ):
            faults.add("input.bad_line", line=number, reason="form", form=f'{{"t_ms": …, "{key}": …}}')
            continue
        if value["t_ms"] < last:
            faults.add("input.bad_line", line=number, reason="time runs backwards", form=f"t_ms >= {last}")
            continue
        last = value["t_ms"]
        found.append((last, value[key]))
    if faults.found:
        raise InputError(*faults.found[:20])
    return found


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise InputError(Message.of("input.missing_file", file=str(file))) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(Message.of("input.unreadable", file=str(file), reason=str(error))) from error


def load_recording(folder: Path) -> Recording:
    """Reads a recording's texts; pictures are read only when they are looked at.

    Raises:
        InputError: naming file, line and remedy, all faults of all files together.
    """
    problems: list[Message] = []
    session: Session | None = None
    frames: list[tuple[int, str]] = []
    dice: list[tuple[int, str]] = []
    if not folder.is_dir():
        raise InputError(Message.of("input.no_recording", file=str(folder)))
    try:
        session = parse_session(_text(folder / "session.toml"), folder / "session.toml")
    except InputError as error:
        problems += error.messages
    try:
        frames = _lines(folder / "frames.jsonl", "file")
    except InputError as error:
        problems += error.messages
    if (folder / "dice.jsonl").exists():
        try:
            dice = _lines(folder / "dice.jsonl", "line")
        except InputError as error:
            problems += error.messages
    outside = [name for _, name in frames if Path(name).name != name]
    problems += [Message.of("input.outside", file=str(folder / "frames.jsonl"), name=name) for name in outside[:5]]
    if problems or session is None:
        raise InputError(*problems)
    return Recording(
        folder,
        session,
        tuple(FrameLine(t_ms, folder / "frames" / name) for t_ms, name in frames),
        tuple(DiceLine(t_ms, line) for t_ms, line in dice),
    )
