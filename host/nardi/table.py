"""The table: the only owner of a match. One observation at a time: journal it, rule, journal the rulings, show them."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol

from nardi.game.board import Board
from nardi.game.event import Event, Played, SetUpVerified, TrackFound
from nardi.game.evolve import evolve, fold
from nardi.game.match import Match
from nardi.game.noteworthy import is_noteworthy
from nardi.game.observation import BoardSeen, Observation
from nardi.game.recognise import matches
from nardi.game.umpire import decide
from nardi.journal.codec import as_kept
from nardi.rules.color import Color
from nardi_vision.reading import BoardReading


class Record(Protocol):
    """Where observations and rulings are kept; `nardi.journal.journal.Journal` is one."""

    def saw(self, observation: Observation) -> int:
        """Keeps an observation; returns its number."""
        ...

    def ruled(self, events: Iterable[Event]) -> None:
        """Keeps rulings, safely on the disk before it returns."""
        ...


Listener = Callable[[Match, tuple[Event, ...]], None]
"""Told after every observation that changed something: the match as it is now, and what was ruled."""


def expected(match: Match) -> Board | None:
    """What stands on the board by the rules; None: no game is being played."""
    game = match.game
    return None if game is None else Board.of(game.position, game.turn or Color.WHITE, match.ruleset)


Confirm = Callable[[Board], None]
"""Told what the board is known to hold, whenever that has just been established."""


class Table:
    """Takes observations in the order in which they come and keeps the match current.

    A record of None is a table that keeps nothing (tests, benchmarks). `resumed`: the match comes from a record, and
    whether the board still shows it is only known when the eye has looked.
    """

    def __init__(self, match: Match, record: Record | None = None, *, resumed: bool = False) -> None:
        self.match = match
        self._unproven = resumed
        self.listener: Listener | None = None
        self.confirm: Confirm | None = None
        self._record = record
        self._last_reading: BoardReading | None = None

    @staticmethod
    def begun(events: tuple[Event, ...], record: Record | None = None) -> "Table":
        """A table at which a match has just begun (`umpire.begun`)."""
        if record is not None:
            record.ruled(events)
        return Table(fold(events), record)

    def take(self, observation: Observation) -> tuple[Event, ...]:
        """One observation through journal, umpire, journal, match and displays; returns what was ruled."""
        if isinstance(observation, BoardSeen):
            if not is_noteworthy(self._last_reading, observation.reading):
                return ()
            self._last_reading = observation.reading
        # What is judged is what is kept, to the last digit: judged anew, a journal rules the same.
        observation = as_kept(observation)
        number = 0 if self._record is None else self._record.saw(observation)
        self._prove(observation)
        events = tuple(replace(event, because=number) for event in decide(self.match, observation))
        if not events:
            return ()
        if self._record is not None:
            self._record.ruled(events)
        for event in events:
            self.match = evolve(self.match, event)
        if self._is_known(events):
            self._confirm()
        if self.listener is not None:
            self.listener(self.match, events)
        return events

    def _prove(self, observation: Observation) -> None:
        """After a resume the eye learns from the board only once it has shown the stored position by itself."""
        board, seating = expected(self.match), self.match.seating
        if not self._unproven or not isinstance(observation, BoardSeen) or board is None or seating is None:
            return
        if observation.reading.settled:
            self._unproven = False
            if matches(observation.reading, board, seating, self.match.ruleset):
                self._confirm()

    def _confirm(self) -> None:
        board = expected(self.match)
        if self.confirm is not None and board is not None:
            self.confirm(board)

    def _is_known(self, events: tuple[Event, ...]) -> bool:
        return any(
            (isinstance(event, SetUpVerified) and not event.unseen) or isinstance(event, Played | TrackFound)
            for event in events
        )
