"""A match out of its journal: by folding what was ruled, or by judging anew what was seen."""

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from nardi.errors import JournalError
from nardi.game.event import Event
from nardi.game.evolve import evolve
from nardi.game.match import Match
from nardi.game.observation import Observation
from nardi.game.umpire import decide
from nardi.journal.codec import as_data
from nardi.journal.journal import Chain, Line, read_chain
from nardi.text.message import Message


@dataclass(frozen=True, slots=True)
class Restored:
    """A match as its journal has it, and the chain it came from (whose `torn` tail is lost, and nothing else)."""

    match: Match
    chain: Chain


def restore(path: Path) -> Restored:
    """Folds the rulings of a journal. Raises JournalError where it is broken or holds no match."""
    chain = read_chain(path)
    match: Match | None = None
    for line in chain.lines:
        if line.kind == "ruled":
            try:
                match = evolve(match, _event(line))
            except (ValueError, IndexError) as error:
                raise JournalError(
                    Message.of("journal.unusable", file=str(path), line=line.n, reason=str(error))
                ) from error
    if match is None:
        raise JournalError(Message.of("journal.empty", file=str(path)))
    return Restored(match, chain)


def _event(line: Line) -> Event:
    """What a `ruled` line holds is an event, by the codec's own table."""
    return cast(Event, line.value)


@dataclass(frozen=True, slots=True)
class Judged:
    """One observation judged anew: what was ruled then and what today's umpire rules, where they differ."""

    line: int
    then: tuple[str, ...]
    now: tuple[str, ...]


def judge_anew(chain: Chain) -> tuple[Judged, ...]:
    """Every observation of a journal through today's umpire; the observations on which it would rule otherwise.

    The match follows what was ruled then, so that one difference does not make others.
    """
    match: Match | None = None
    found: list[Judged] = []
    rulings: dict[int, list[Event]] = {}
    for line in chain.lines:
        if line.kind == "ruled":
            rulings.setdefault(line.because, []).append(_event(line))
    for event in rulings.get(0, []):
        match = evolve(match, event)
    for line in chain.lines:
        if line.kind == "ruled" or match is None:
            continue
        now = decide(match, cast(Observation, line.value))
        then = tuple(rulings.get(line.n, ()))
        if [_told(event) for event in now] != [_told(event) for event in then]:
            found.append(Judged(line.n, tuple(map(_name, then)), tuple(map(_name, now))))
        for event in then:
            match = evolve(match, event)
    return tuple(found)


def _told(event: Event) -> tuple[str, dict[str, object]]:
    return type(event).__name__, as_data(event)


def _name(event: Event) -> str:
    return type(event).__name__
