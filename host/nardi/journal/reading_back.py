"""Reading a journal back: which lines are sound, and what is wrong with the first that is not."""

from dataclasses import dataclass
from pathlib import Path

from nardi.errors import InputError
from nardi.journal.line import FIRST, Line, LineError
from nardi.text.message import Message


@dataclass(frozen=True, slots=True)
class ReadBack:
    """`lines`: the sound ones from the start. `sound_bytes`: where they end in the file.

    `torn`: a last line that never got finished (power cut): said, and no fault. `broken`: the first line that was
    changed, lost or put elsewhere, by number and reason.
    """

    lines: tuple[Line, ...]
    sound_bytes: int
    torn: Message | None = None
    broken: Message | None = None


def read_back(path: Path) -> ReadBack:
    """Reads the journal at `path` as far as it is sound.

    Raises:
        InputError: there is no such file, or it cannot be read.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(Message.of("journal.not_read", file=str(path), reason=error.strerror or str(error))) from error
    return read_lines(content, str(path))


def read_lines(content: bytes, file: str) -> ReadBack:
    """As `read_back`, of a journal's bytes."""
    lines: list[Line] = []
    sound = 0
    previous = FIRST
    while sound < len(content):
        end = content.find(b"\n", sound)
        if end < 0:
            torn = Message.of("journal.torn", file=file, line=len(lines) + 1, bytes=len(content) - sound)
            return ReadBack(tuple(lines), sound, torn=torn)
        reason = None
        try:
            line = Line.of(content[sound:end])
        except LineError as error:
            reason = str(error)
        else:
            if line.n != len(lines) + 1:
                reason = f"n is {line.n}"
            elif not line.follows(previous):
                reason = "sum does not fit"
        if reason is not None:
            number = len(lines) + 1
            return ReadBack(
                tuple(lines), sound, broken=Message.of("journal.broken", file=file, line=number, reason=reason)
            )
        lines.append(line)
        previous = line.sum
        sound = end + 1
    return ReadBack(tuple(lines), sound)
