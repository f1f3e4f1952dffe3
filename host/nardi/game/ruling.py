"""A ruling in the making: the events so far, and the match as it stands after them."""

from nardi.game.event import Event, FaultCleared, FaultNoted
from nardi.game.evolve import evolve
from nardi.game.match import Game, Match
from nardi.rules.color import Color
from nardi.rules.legal import LegalPlays
from nardi.text.message import Message


class Ruling:
    """Lives for one `decide` only. Handlers add events; each sees the match as the events before it have left it."""

    def __init__(self, match: Match, at_ms: int) -> None:
        self.match = match
        self.at_ms = at_ms
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        self.events.append(event)
        self.match = evolve(self.match, event)

    def trouble(self, key: str, message: Message) -> None:
        """People must know of what `key` names, unless they have been told."""
        if key not in self.match.fault_keys:
            self.add(FaultNoted(at_ms=self.at_ms, key=key, message=message))

    def mended(self, key: str) -> None:
        """What `key` names troubles nobody any more, if it did."""
        if key in self.match.fault_keys:
            self.add(FaultCleared(at_ms=self.at_ms, key=key))

    @property
    def game(self) -> Game:
        """The present game. Raises ValueError before the first."""
        if self.match.game is None:
            raise ValueError("no game has started")
        return self.match.game

    @property
    def turn(self) -> Color:
        """The player on turn. Raises ValueError where nobody is."""
        turn = self.game.turn
        if turn is None:
            raise ValueError("nobody is on turn")
        return turn

    def legal(self) -> LegalPlays:
        """The legal plays of the present roll. Raises ValueError without one."""
        game = self.game
        if game.roll is None:
            raise ValueError("no roll to play")
        return LegalPlays(game.position, game.roll, self.match.ruleset, game.first_turn)
