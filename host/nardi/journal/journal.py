"""The journal: one file a match, one JSON object a line, each chained to the line before by a hash.

A line: `n` its number from 1, `at` the table clock in ms, `kind` saw | ruled, `type`, `v` the schema, `because` the
number of the observation a ruling came from (0: none), `data`, and `sum`, the SHA-256 (32 hex digits) of the sum before
and this line without it. Written with one append a line; rulings are on the disk before anybody is shown them.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nardi.errors import JournalError
from nardi.game.event import Event
from nardi.game.observation import Observation
from nardi.journal.codec import KINDS, VERSION, as_data, from_data
from nardi.text.message import Message

SUM_DIGITS = 32

_BEGINNING = b'{"at":'
"""How every line begins: its keys are in order."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line, proven to follow the one before it."""

    n: int
    at: int
    kind: str
    type: str
    because: int
    data: Mapping[str, Any]
    sum: str

    @property
    def value(self) -> Observation | Event:
        """What it holds. Raises JournalError where the data do not fit the type."""
        return from_data(self.kind, self.type, self.at, self.because, self.data)


@dataclass(frozen=True, slots=True)
class Chain:
    """What was read of a journal: its sound lines, how many bytes they take, and the torn tail behind them, if any."""

    lines: tuple[Line, ...]
    size: int
    torn: bytes


def _sum(before: str, body: Mapping[str, Any]) -> str:
    return hashlib.sha256((before + _json(body)).encode("utf-8")).hexdigest()[:SUM_DIGITS]


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


def read_chain(path: Path) -> Chain:
    """Reads and proves a journal. A last line that was torn in the writing is reported, not an error.

    Raises:
        JournalError: unreadable, or broken: `line` and `reason` name where and how.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise JournalError(Message.of("journal.unreadable", file=str(path), reason=_reason(error))) from error
    lines: list[Line] = []
    size, before = 0, ""
    pieces = content.split(b"\n")
    for number, piece in enumerate(pieces, 1):
        last = number >= len(pieces) - 1
        if number == len(pieces):
            # Behind the last newline: nothing, or the beginning of a line.
            if not _is_torn(piece):
                raise _broken(path, number, "journal.reason.no_json")
            return Chain(tuple(lines), size, piece)
        try:
            body = json.loads(piece)
        except (ValueError, RecursionError):
            if last and not pieces[-1] and not piece:
                return Chain(tuple(lines), size, content[size:])
            raise _broken(path, number, "journal.reason.no_json") from None
        line = _proven(path, number, body, before)
        lines.append(line)
        before = line.sum
        size += len(piece) + 1
    raise AssertionError("split gives at least one piece")


def _is_torn(piece: bytes) -> bool:
    """Whether a line without an end is one of ours that was cut off: it begins as every line does, or the disk has
    kept its length and not its bytes."""
    return piece.startswith(_BEGINNING[: len(piece)]) or piece.endswith(b"\0")


def _proven(path: Path, number: int, body: Any, before: str) -> Line:
    shape = {"n": int, "at": int, "kind": str, "type": str, "v": int, "because": int, "data": dict, "sum": str}
    if not isinstance(body, dict) or {key: type(value) for key, value in body.items()} != shape:
        raise _broken(path, number, "journal.reason.shape")
    if body["v"] > VERSION:
        raise JournalError(Message.of("journal.newer", file=str(path), line=number, v=body["v"], known=VERSION))
    if body["n"] != number:
        raise _broken(path, number, "journal.reason.number")
    given = body.pop("sum")
    try:
        wanted = _sum(before, body)
    except ValueError:
        wanted = ""
    if given != wanted:
        raise _broken(path, number, "journal.reason.sum")
    if body["type"] not in KINDS.get(body["kind"], {}):
        raise _broken(path, number, "journal.reason.type")
    return Line(number, body["at"], body["kind"], body["type"], body["because"], body["data"], given)


def _broken(path: Path, line: int, reason: str) -> JournalError:
    return JournalError(Message.of(reason, file=str(path), line=line))


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


class Journal:
    """Appends to one file. When the disk fails, lines wait in memory, the match goes on, and `trouble` says so.

    Waiting lines are written, in order, as soon as the disk takes them again.
    """

    def __init__(self, path: Path, chain: Chain | None = None) -> None:
        """Begins a new file (`chain` None; an existing one is never overwritten) or goes on with a proven one.

        Raises:
            JournalError: the file exists already, or cannot be opened.
        """
        self.path = path
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | (os.O_EXCL if chain is None else 0)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, flags, 0o644)
        except OSError as error:
            raise JournalError(Message.of("journal.cannot_open", file=str(path), reason=_reason(error))) from error
        self._size = 0 if chain is None else chain.size
        self._n = 0 if chain is None else len(chain.lines)
        self._sum = chain.lines[-1].sum if chain is not None and chain.lines else ""
        self._waiting: list[bytes] = []
        self.trouble: Message | None = None
        if chain is not None and chain.torn:
            self._cut()
        self._keep_folder()

    @staticmethod
    def resume(path: Path) -> "tuple[Journal, Chain]":
        """Opens an existing journal to go on with it; a torn tail is cut. Raises JournalError where it is broken."""
        chain = read_chain(path)
        return Journal(path, chain), chain

    @property
    def waiting(self) -> int:
        """How many lines are not on the disk yet."""
        return len(self._waiting)

    def saw(self, observation: Observation) -> int:
        """Keeps an observation; returns its number. It is safe on the disk with the next ruling."""
        number = self._add("saw", observation, observation.at_ms, 0)
        self._write(sync=False)
        return number

    def ruled(self, events: Iterable[Event]) -> None:
        """Keeps rulings, safely on the disk (or waiting, see `trouble`) when this returns."""
        for event in events:
            self._add("ruled", event, event.at_ms, event.because)
        self._write(sync=True)

    def close(self) -> None:
        self._write(sync=True)
        os.close(self._file)

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _add(self, kind: str, value: Observation | Event, at: int, because: int) -> int:
        self._n += 1
        body: dict[str, Any] = {
            "n": self._n,
            "at": at,
            "kind": kind,
            "type": type(value).__name__,
            "v": VERSION,
            "because": because,
            "data": as_data(value),
        }
        self._sum = _sum(self._sum, body)
        self._waiting.append((_json({**body, "sum": self._sum}) + "\n").encode("utf-8"))
        return self._n

    def _write(self, *, sync: bool) -> None:
        try:
            while self._waiting:
                line = self._waiting[0]
                if os.write(self._file, line) != len(line):
                    self._cut()
                    raise OSError(28, "disk full")
                self._size += len(line)
                self._waiting.pop(0)
            if sync:
                os.fsync(self._file)
        except OSError as error:
            self._after(error)
        else:
            self.trouble = None

    def _after(self, error: OSError) -> None:
        """The disk failed: nothing half-written may stay before what follows."""
        self.trouble = Message.of(
            "journal.not_written", file=str(self.path), reason=_reason(error), waiting=len(self._waiting)
        )
        try:
            self._cut()
        except OSError:
            # It will be cut before the next line, or found torn and cut when the journal is opened again.
            return

    def _cut(self) -> None:
        os.ftruncate(self._file, self._size)

    def _keep_folder(self) -> None:
        """The new file's name is on the disk too, not only its content."""
        try:
            folder = os.open(self.path.parent, os.O_RDONLY)
        except OSError:
            return
        with contextlib.suppress(OSError):
            os.fsync(folder)
        os.close(folder)
