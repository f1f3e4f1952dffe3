"""A simulated board with its checkers and dice, and the hands over it: the physical truth.

The match only learns of it through pictures and dice lines.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from nardi.devices.simulator.dice import Lie, SimulatedDie
from nardi.devices.simulator.habits import Habits
from nardi.devices.simulator.happening import Happening, Line, Link, Picture
from nardi.devices.simulator.player import SimulatedPlayer
from nardi.game.match import Match, Phase
from nardi.game.observation import Command, Party, Verb
from nardi.rules import ByColor, Color, Position, Setup, Step

__all__ = ["Habits", "SimulatedTable"]

BAR, OFF = 25, 0


@dataclass(slots=True)
class SimulatedTable:
    """`match` is what the display shows; whoever drives the table keeps it current."""

    match: Match
    seed: int
    habits: Habits = Habits()
    players: ByColor[SimulatedPlayer] = ByColor(SimulatedPlayer(0.7), SimulatedPlayer(0.4))
    forced_slip_turn: int | None = None
    forced_cocked_turn: int | None = None
    resigns_after_ms: int | None = None
    """From this time on, whoever is behind and on turn resigns."""
    shared: bool = False
    """One pair of dice for both (s1, s2), in place of a pair each."""
    laid_out: bool = True
    """Whether the board stands ready when they sit down; else it is empty, and they set it up by the lights."""
    t_ms: int = 0
    random: Random = field(init=False)
    board: list[list[int]] = field(init=False)
    dice: dict[str, SimulatedDie] = field(init=False)
    turns: int = 0
    slipped: int = 0
    cocked: int = 0
    misplaced: int = 0
    """Throws that the camera or the people saw lying where none may (E1)."""
    rushed: int = 0
    _astride: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        # Whoever sits down to play has set the board up before.
        self.board = [list(side) for side in self._standing()] if self.laid_out else [[15] + [0] * 25, [15] + [0] * 25]
        self.dice = {name: SimulatedDie(name) for name in (("s1", "s2") if self.shared else ("w1", "w2", "b1", "b2"))}
        # At a match that is gone on with, dice lie where they were left.
        for number, (name, state, value) in enumerate(self.match.dice):
            if name in self.dice and state in ("settled", "cocked"):
                self.dice[name].lie = Lie(value, 20 if state == "cocked" else 0, 0, 0.1 + 0.08 * number, 0.5)

    def _standing(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """White's and Black's checkers as the match has them standing now."""
        game = self.match.game
        if game is None or game.turn is None:
            return self._wanted()
        position = game.position
        if self.match.phase is Phase.PLAYED and game.provisional is not None:
            position = game.provisional.after
        elif self.match.phase in (Phase.ILLEGAL, Phase.CALLABLE) and game.illegal_position is not None:
            position = game.illegal_position
        sides = (position.mine, position.theirs)
        return sides if game.turn is Color.WHITE else (sides[1], sides[0])

    # -- looking ------------------------------------------------------------------------------------------------

    @property
    def _turn(self) -> Color:
        game = self.match.game
        assert game is not None and game.turn is not None
        return game.turn

    def _side(self, color: Color) -> list[int]:
        return self.board[0 if color is Color.WHITE else 1]

    def _position(self, color: Color) -> Position:
        """The board as it truly is, `color` to move."""
        return Position(tuple(self._side(color)), tuple(self._side(color.other)))

    @property
    def _opening_dice(self) -> tuple[str, str]:
        return ("s1", "s2") if self.shared else ("w1", "b1")

    def _dice_of(self, color: Color) -> tuple[str, str]:
        if self.shared:
            return "s1", "s2"
        return ("w1", "w2") if color is Color.WHITE else ("b1", "b2")

    @property
    def _felt(self) -> bool:
        """Whether the dice say themselves what they do; else the eye must read them."""
        return self.match.dice_mode == "electronic"

    def _happens(self, chance: float) -> bool:
        """Draws no lot for what never happens: a habit that is off changes nothing else."""
        return chance > 0 and self.random.random() < chance

    def _later(self, low: int, high: int) -> int:
        self.t_ms += self.random.randint(low, high)
        return self.t_ms

    def _white_point(self, color: Color, point: int) -> int:
        if point in (BAR, OFF) or color is Color.WHITE:
            return point
        return self.match.ruleset.facing(point)

    def _picture(self, *hand: int) -> Picture:
        """A picture a moment later; `hand`: White's points at which a hand is."""
        hidden = {near for point in hand for near in ((point - 1, point, point + 1) if 1 <= point <= 24 else (point,))}
        game = self.match.game
        return Picture(
            self._later(520, 850),
            Setup(tuple(self.board[0]), tuple(self.board[1])),
            frozenset(near for near in hidden if 1 <= near <= 25),
            tuple(die.lie for die in self.dice.values() if die.lie is not None and die.lie.state != "off_board"),
            None if game is None else (game.cube.value, game.cube.owner),
            self._astride,
        )

    def _wanted(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """White's and Black's checkers in the position that the match waits for."""
        game = self.match.game
        start = self.match.ruleset.start if game is None else game.start
        # A game's start has White's side first.
        return start.mine, start.theirs

    # -- doing --------------------------------------------------------------------------------------------------

    def _say(self, by: Party | str, verb: Verb, argument: str = "") -> Command:
        who: Party = "referee" if by == "referee" else "white" if by == "white" else "black"
        return Command(self._later(300, 900), who, verb, argument)

    def _throw(self, names: tuple[str, str], by: Color | None) -> Iterator[Happening]:
        """Both dice leave the cup; those that nobody can count are taken up again, as people do."""
        half = self.random.randint(0, 1)
        self.turns += 1
        cocks = self.habits.cocks
        if self.forced_cocked_turn is not None and self.turns >= self.forced_cocked_turn and not self.cocked:
            cocks = 1.0
        drop = self.random.random() < self.habits.drops_link and self._felt
        lines: list[tuple[int, str]] = []
        begin = self._later(200, 500)
        for name in names:
            at = begin
            for delay, text in self.dice[name].throw(self.random, half, cocks):
                at += delay
                lines.append((at, text))
        lines.sort(key=lambda pair: pair[0])
        misplaced = self._misplace(names, by, half)
        if drop:
            yield Line(*lines[0])
            self.t_ms = lines[-1][0]
            yield Link(self.t_ms, "dice", False)
            yield Link(self._later(400, 900), "dice", True)
        else:
            for at, text in lines:
                self.t_ms = at
                if self._felt:
                    yield Line(at, text)
        if not self._felt:
            yield from self._seen_lying(by)
            return
        leaning = any(die.lie is not None and die.lie.cocked for die in self.dice.values())
        self.cocked += leaning and not drop
        if misplaced and not leaning and not drop:
            yield from self._answer_misplaced()
        elif leaning or drop or (by is None and self._is_tie()):
            yield self._picture()
            yield from self._lift()

    def _misplace(self, names: tuple[str, str], by: Color | None, half: int) -> bool:
        """Lets one of the dice end where none may (E1). In the opening each lies where its thrower sits."""
        if by is None:
            for name in names:
                lie = self.dice[name].lie
                if lie is not None and not self._felt:
                    near = self._side_share(Color.WHITE if name in ("w1", "s1") else Color.BLACK)
                    self.dice[name].lie = replace(lie, y=0.5 + (near - 0.5) * 0.12)
            return False
        die = self.dice[names[1]]
        if die.lie is None:
            return False
        if self._happens(self.habits.bounces):
            die.lie = replace(die.lie, half=1 - half, x=(die.lie.x + 0.5) % 1.0)
        elif self._happens(self.habits.climbs):
            die.lie = replace(die.lie, misplaced="on_checker", y=0.16 if self.random.random() < 0.5 else 0.84)
        elif self._happens(self.habits.falls):
            die.lie = replace(die.lie, misplaced="off_board", x=1.2)
        else:
            return False
        self.misplaced += 1
        return True

    def _side_share(self, color: Color) -> float:
        """0 where `color` sits at the side of the slots 0-11, else 1."""
        seating = self.match.seating
        top = seating is None or seating.white_ace_corner in (0, 1)
        return 0.0 if (color is Color.WHITE) == top else 1.0

    def _answer_misplaced(self) -> Iterator[Happening]:
        """The camera says so, or the people do; then both dice are taken up, to be thrown again."""
        yield self._picture()
        yield self._picture()
        if self.match.phase is Phase.TO_PLAY:
            yield self._say("referee", "cocked")
        yield from self._lift()

    def _seen_lying(self, by: Color | None) -> Iterator[Happening]:
        """Dice that only the eye can read: they lie there until it has, or until people see that they lie wrongly."""
        waits = (Phase.TO_ROLL, Phase.ROLLING, Phase.LAST_ROLL, Phase.OPENING)
        for _ in range(6):
            yield self._picture()
            if self.match.phase not in waits:
                return
        lies = [die.lie for die in self.dice.values() if die.lie is not None]
        self.cocked += any(lie.cocked for lie in lies)
        yield from self._lift()

    def _is_tie(self) -> bool:
        lies = [self.dice[name].lie for name in self._opening_dice]
        return all(lie is not None for lie in lies) and len({lie.value for lie in lies if lie is not None}) == 1

    def _lift(self, names: tuple[str, ...] | None = None) -> Iterator[Happening]:
        """Takes up all dice, or those of `names`."""
        at = self._later(150, 400)
        lying = [die for name, die in self.dice.items() if die.lie is not None and (names is None or name in names)]
        for die in lying:
            text = die.lift()
            if self._felt:
                yield Line(at, text)
        if lying and not self._felt:
            yield self._picture()

    def _lay_out(self, white: tuple[int, ...], black: tuple[int, ...]) -> Iterator[Happening]:
        yield self._picture(6, 13, 19)
        self.board = [list(white), list(black)]
        yield self._picture()
        yield self._picture()

    def _make(self, color: Color, steps: tuple[Step, ...]) -> Iterator[Happening]:
        """A play, checker by checker; between two of them the hand may leave the picture."""
        side, other = self._side(color), self._side(color.other)
        drops = self._happens(self.habits.eye_drops)
        if drops:
            yield Link(self.t_ms, "eye", False)
        for number, step in enumerate(steps):
            source, target = self._white_point(color, step.source), self._white_point(color, step.target)
            yield self._picture(source)
            side[step.source] -= 1
            if 1 <= step.target < step.source <= 24 and self._happens(self.habits.slides):
                yield from self._slide_over(color, step)
            side[step.target] += 1
            if step.hits:
                other[self.match.ruleset.facing(step.target)] -= 1
                other[BAR] += 1
            crooked = 1 <= target <= 24 and self._happens(self.habits.crooked)
            if crooked:
                self._astride = frozenset((target, min(24, target + 1)))
            yield self._picture(target)
            if crooked:
                yield self._picture()
                yield self._picture(target)
                self._astride = frozenset()
            if number < len(steps) - 1 and self.random.random() < 0.4:
                yield self._picture()
        if drops:
            yield Link(self._later(400, 1500), "eye", True)

    def _slide_over(self, color: Color, step: Step) -> Iterator[Happening]:
        """A checker pushed from point to point under the hand: it stands on each of them for a moment (CASES 25)."""
        side = self._side(color)
        for point in range(step.source - 1, step.target, -1):
            if self._side(color.other)[self.match.ruleset.facing(point)]:
                continue
            side[point] += 1
            yield self._picture(self._white_point(color, point))
            side[point] -= 1

    def _slide(self, color: Color, before: Position, after: Position) -> Iterator[Happening]:
        moved = [point for point in range(26) if before.mine[point] != after.mine[point]]
        yield self._picture(*(self._white_point(color, point) for point in moved if point))
        self._side(color)[:] = after.mine
        self._side(color.other)[:] = after.theirs
