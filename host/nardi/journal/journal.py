"""The journal of a match: one file, one JSON object a line, only ever added to.

A ruling is on the disk (fsync) before it is shown. When the disk refuses, lines are kept in memory and written as soon as
it takes them again: the match goes on, and `trouble` says what people must be told.
"""

import os
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from nardi.errors import JournalError
from nardi.game.event import Event
from nardi.game.observation import Observation
from nardi.journal.codec import SCHEMA, encode
from nardi.journal.line import FIRST, Kind, Line
from nardi.journal.reading_back import read_back
from nardi.text.message import Message


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Journal:
    """Adds to the journal of one match. One owner; not for several threads."""

    def __init__(self, path: Path, *, now: Callable[[], str] = _utc_now) -> None:
        """Opens `path` for adding, or makes it. A torn last line is cut off.

        Raises:
            JournalError: the file cannot be written, or is broken (its chain does not hold).
        """
        self.path = path
        self.trouble: Message | None = None
        """What a person must be told now: the disk is full, read-only, the computer's clock was set back."""
        self._now = now
        self._waiting: list[bytes] = []
        self._n, self._sum, self._last_at = 0, FIRST, ""
        size = None
        if path.exists():
            found = read_back(path)
            if found.broken is not None:
                raise JournalError(found.broken)
            size = found.sound_bytes
            if found.lines:
                last = found.lines[-1]
                self._n, self._sum, self._last_at = last.n, last.sum, last.at
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            if size is not None and size != os.fstat(self._fd).st_size:
                os.ftruncate(self._fd, size)
            _sync_folder(path.parent)
        except OSError as error:
            raise JournalError(_message(error, path)) from error

    @property
    def count(self) -> int:
        """How many lines there are, those still waiting for the disk included."""
        return self._n

    @property
    def waiting(self) -> int:
        """How many lines the disk has not taken yet."""
        return len(self._waiting)

    def saw(self, observation: Observation) -> int:
        """Keeps an observation; its number. Not synced by itself: the ruling after it is."""
        return self._add("saw", observation, 0)

    def ruled(self, events: Iterable[Event]) -> None:
        """Keeps rulings; they are on the disk when this returns, unless `trouble` says otherwise."""
        for event in events:
            self._add("ruled", event, event.because)
        self.sync()

    def _add(self, kind: Kind, value: Observation | Event, because: int) -> int:
        at = self._now()
        if at < self._last_at:
            # The chain counts, not the time of day; but people should know.
            self.trouble = Message.of("journal.clock_back", file=str(self.path), before=self._last_at, now=at)
        elif self.trouble is not None and self.trouble.id == "journal.clock_back":
            self.trouble = None
        self._last_at = max(at, self._last_at)
        line = Line(self._n + 1, at, kind, type(value).__name__, SCHEMA, because, encode(value)).summed(self._sum)
        self._n, self._sum = line.n, line.sum
        self._waiting.append(line.bytes)
        self._flush()
        return line.n

    def _flush(self) -> bool:
        """Writes what waits, each line in one write. True when nothing waits any more."""
        while self._waiting:
            line = self._waiting[0]
            try:
                written = os.write(self._fd, line)
                if written < len(line):
                    # Half a line fitted: it is cut off again, so that the file never holds a torn line in its middle.
                    os.ftruncate(self._fd, os.fstat(self._fd).st_size - written)
                    raise OSError(28, os.strerror(28))
            except OSError as error:
                self.trouble = _message(error, self.path)
                return False
            self._waiting.pop(0)
        if self.trouble is not None and self.trouble.id != "journal.clock_back":
            self.trouble = None
        return True

    def sync(self) -> None:
        """Makes sure that what was written is on the disk."""
        if not self._flush():
            return
        try:
            os.fsync(self._fd)
        except OSError as error:
            self.trouble = _message(error, self.path)

    def close(self) -> None:
        """Writes what it can and lets go of the file.

        Raises:
            JournalError: lines remain that the disk would not take.
        """
        self.sync()
        os.close(self._fd)
        if self._waiting and self.trouble is not None:
            raise JournalError(self.trouble)


def _sync_folder(folder: Path) -> None:
    """So that the new file's name outlives a power cut too."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _message(error: OSError, path: Path) -> Message:
    """What to tell people, with the remedy in the catalogue's words."""
    ids = {28: "journal.disk_full", 30: "journal.read_only", 13: "journal.read_only", 122: "journal.disk_full"}
    reason = error.strerror or str(error)
    return Message.of(ids.get(error.errno or 0, "journal.not_written"), file=str(path), reason=reason)
