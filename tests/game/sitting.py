"""Two people at a table, for tests: they throw, move and speak, and the umpire is asked after each."""

from typing import Any, TypeVar

from game.sight import HERE, shown
from nardi.game import clock
from nardi.game.board import Board
from nardi.game.clock import ClockRules
from nardi.game.event import Event
from nardi.game.evolve import evolve, fold
from nardi.game.match import Game, Match
from nardi.game.observation import (
    BoardSeen,
    Command,
    DieLifted,
    DieRolling,
    DieSettled,
    Observation,
    Party,
    Verb,
)
from nardi.game.umpire import begun, decide
from nardi.rules import ByColor, Color, LegalPlays, Position, Ruleset, find_ruleset
from nardi.rules.notation.words import laid, read_play, words_of

E = TypeVar("E", bound=Event)

WHITE, BLACK = Color.WHITE, Color.BLACK


class Sitting:
    """`t` is the table clock; every act takes `pace` ms. `events` are all that was ruled, `saw` all that was seen."""

    def __init__(
        self,
        ruleset: str | Ruleset = "backgammon",
        length: int = 5,
        *,
        eye: bool = True,
        start: str | None = None,
        turn: Color | None = None,
        dice: str = "electronic",
        clocks: ClockRules | str | None = "ruleset",
        club: bool = False,
    ) -> None:
        rules = find_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
        self.t = 0
        self.pace = 100
        position = None if start is None else Position.from_text(start, rules)
        self.beginning = begun(
            rules,
            length,
            ByColor("Anna", "Boris"),
            0,
            seating=HERE if eye else None,
            dice=dice,
            clocks=clock.rules_of(rules, length) if isinstance(clocks, str) else clocks,
            club=club,
            start=position,
            turn=turn,
        )
        self.events: list[Event] = list(self.beginning)
        self.saw: list[Observation] = []
        self.match: Match = fold(self.beginning)

    @property
    def game(self) -> Game:
        assert self.match.game is not None
        return self.match.game

    @property
    def turn(self) -> Color:
        assert self.game.turn is not None
        return self.game.turn

    def do(self, observation: Observation) -> list[Event]:
        """Puts one observation to the umpire."""
        ruled = decide(self.match, observation)
        for event in ruled:
            self.match = evolve(self.match, event)
        self.events.extend(ruled)
        self.saw.append(observation)
        return list(ruled)

    def wait(self, ms: int) -> None:
        self.t += ms

    def _tick(self) -> int:
        self.t += self.pace
        return self.t

    def say(self, by: Party, verb: Verb, argument: str = "") -> list[Event]:
        return self.do(Command(self._tick(), by, verb, argument))

    def settle(self, die: str, value: int, tilt_deg: int = 1) -> list[Event]:
        return self.do(DieRolling(self._tick(), die)) + self.do(DieSettled(self._tick(), die, value, tilt_deg))

    def lift_die(self, die: str) -> list[Event]:
        return self.do(DieLifted(self._tick(), die))

    def throw(self, by: Color, a: int, b: int, tilts: tuple[int, int] = (1, 1)) -> list[Event]:
        """Both of `by`'s dice."""
        one, two = (f"{by.value[0]}{number}" for number in (1, 2))
        return self.settle(one, a, tilts[0]) + self.settle(two, b, tilts[1])

    def lift(self, *dice: str) -> list[Event]:
        """The dice of the present roll, or those named, are picked up."""
        return [event for die in (dice or self.game.sources) for event in self.lift_die(die)]

    def show(self, position: Position, by: Color | None = None, **details: Any) -> list[Event]:
        """A picture of `position`, whose first side is `by`'s (the player on turn unless given)."""
        board = Board.of(position, by or self.game.turn or WHITE, self.match.ruleset)
        return self.show_board(board, **details)

    def show_board(self, board: Board, **details: Any) -> list[Event]:
        at = self._tick()
        seating = self.match.seating or HERE
        return self.do(BoardSeen(at, shown(board, t_ms=at, seating=seating, **details)))

    def board(self) -> Board:
        """The board as the match has it."""
        return Board.of(self.game.position, self.game.turn or WHITE, self.match.ruleset)

    def set_up(self) -> list[Event]:
        return self.show_board(self.board())

    def opening(self, white: int, black: int) -> list[Event]:
        return self.settle("w1", white) + self.settle("b1", black)

    def legal(self) -> LegalPlays:
        assert self.game.roll is not None
        return LegalPlays(self.game.position, self.game.roll, self.match.ruleset, self.game.first_turn)

    def after(self, notation: str) -> Position:
        """The position after a play of the present roll; of an illegal one when it begins with `!`."""
        if notation.startswith("!"):
            return laid(self.game.position, words_of(notation[1:]), self.match.ruleset)
        legal = self.legal()
        return read_play(notation, legal.position, legal.roll, legal.ruleset, legal.first_turn).after

    def move(self, notation: str, **details: Any) -> list[Event]:
        """The checkers are moved and the board is seen."""
        return self.show(self.after(notation), **details)

    def take_turn(self, a: int, b: int, notation: str) -> list[Event]:
        """Throw, move, lift."""
        return self.throw(self.turn, a, b) + self.move(notation) + self.lift()

    def begin(self, white: int = 3, black: int = 1, notation: str = "8/5 6/5") -> None:
        """Set-up, opening throw and the first play."""
        self.set_up()
        self.opening(white, black)
        self.move(notation)
        self.lift()

    def all(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def last(self, kind: type[E]) -> E:
        return self.all(kind)[-1]

    @property
    def told(self) -> list[str]:
        """What people are told that is wrong now."""
        return [message.id for message in self.match.faults]
