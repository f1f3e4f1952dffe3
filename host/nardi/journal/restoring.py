"""A match back from its journal: by folding what was ruled, or by ruling anew on what was seen."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from nardi.errors import InputError
from nardi.game.event import Event
from nardi.game.evolve import evolve
from nardi.game.match import Match
from nardi.game.umpire import decide
from nardi.journal.codec import SCHEMA, CodecError, event_of, observation_of
from nardi.journal.line import Line
from nardi.journal.reading_back import ReadBack, read_back
from nardi.text.message import Message


@dataclass(frozen=True, slots=True)
class Restored:
    """`match` None: the journal has no match in it yet. `events`: all that was ruled, in order."""

    match: Match | None
    events: tuple[Event, ...]
    read: ReadBack


def restore(path: Path) -> Restored:
    """Folds what was ruled. A torn last line is left out; so is everything after a broken line (see `read.broken`).

    Raises:
        InputError: no such file, a line of a later schema, or a ruling that is none.
    """
    read = read_back(path)
    match: Match | None = None
    events: list[Event] = []
    for line in read.lines:
        if line.kind != "ruled":
            continue
        try:
            event = event_of(line.type, _data(line))
            match = evolve(match, event)
        except (CodecError, ValueError, IndexError) as error:
            message = Message.of("journal.unusable", file=str(path), line=line.n, reason=str(error))
            raise InputError(message) from error
        events.append(event)
    return Restored(match, tuple(events), read)


def _data(line: Line) -> object:
    if line.v > SCHEMA:
        raise CodecError(f"written by a later version (schema {line.v})")
    return line.data


def ruled_anew(path: Path) -> Iterator[tuple[int, tuple[Event, ...], tuple[Event, ...]]]:
    """Puts every observation to today's umpire: (number of the observation, what was ruled then, what is ruled now).

    The match's own start is not an observation: it is taken as it was ruled. Raises InputError as `restore`.
    """
    read = read_back(path)
    match: Match | None = None
    then: dict[int, list[Event]] = {}
    seen: list[Line] = []
    for line in read.lines:
        if line.kind == "saw":
            seen.append(line)
            continue
        event = event_of(line.type, _data(line))
        if event.because == 0 and not seen:
            match = evolve(match, event)
        else:
            then.setdefault(event.because, []).append(event)
    for line in seen:
        if match is None:
            return
        observation = observation_of(line.type, _data(line))
        now = tuple(replace(event, because=line.n) for event in decide(match, observation))
        for event in now:
            match = evolve(match, event)
        yield line.n, tuple(then.get(line.n, ())), now
