"""Two simulated people at a board: what they do with checkers, dice and cube, as happenings in time.

They follow the match as people do: they look at the display between acts (`match` is kept current by whoever drives
the table), and are sometimes clumsy in the ways that `Habits` names. The physical truth is here; the match only learns
of it through pictures and dice lines.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from nardi.devices.simulator.dice import Lie, SimulatedDie
from nardi.devices.simulator.player import SimulatedPlayer
from nardi.game.match import Match, Phase
from nardi.game.observation import Command, Party, Verb
from nardi.rules import ByColor, Color, LegalPlays, Position, Setup, Step

BAR, OFF = 25, 0


@dataclass(frozen=True, slots=True)
class Picture:
    """The table as a camera could see it at `t_ms`.

    `board`: White's 26 counts, then Black's, each in that player's own numbering. `hidden`: White's points under a hand
    (25: the bar), empty when no hand is in view. `dice`: how the dice on the board lie. `cube`: value and owner.
    """

    t_ms: int
    board: Setup
    hidden: frozenset[int] = frozenset()
    dice: tuple[Lie, ...] = ()
    cube: tuple[int, Color | None] | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """What the dice said at `t_ms`."""

    t_ms: int
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """The link to a device dropped or came back at `t_ms`."""

    t_ms: int
    device: str
    up: bool


Happening = Picture | Line | Link | Command


@dataclass(frozen=True, slots=True)
class Habits:
    """Chances, 0..1 a turn, of what people do wrong or in their own way. `pause_ms`: thinking time."""

    slips: float = 0.02
    lets_it_stand: float = 0.3
    cocks: float = 0.03
    tidies: float = 0.05
    drops_link: float = 0.01
    doubles: float = 0.6
    resigns: float = 0.01
    hurries: float = 0.1
    pause_ms: int = 900


class Stuck(RuntimeError):
    """The match waits for something that the people at the table do not know how to do."""


@dataclass(slots=True)
class SimulatedTable:
    """`match` must be kept current while `life` is iterated. The same seed and the same rulings give the same life."""

    match: Match
    seed: int
    habits: Habits = Habits()
    players: ByColor[SimulatedPlayer] = ByColor(SimulatedPlayer(0.7), SimulatedPlayer(0.4))
    forced_slip_turn: int | None = None
    forced_cocked_turn: int | None = None
    resigns_after_ms: int | None = None
    """From this time on, whoever is behind and on turn resigns."""
    t_ms: int = 0
    random: Random = field(init=False)
    board: list[list[int]] = field(init=False)
    dice: dict[str, SimulatedDie] = field(init=False)
    turns: int = 0
    slipped: int = 0
    cocked: int = 0

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        # Whoever sits down to play has set the board up before.
        self.board = [list(side) for side in self._wanted()]
        self.dice = {name: SimulatedDie(name) for name in ("w1", "w2", "b1", "b2")}

    def life(self) -> Iterator[Happening]:
        """Everything that happens until the match is over. Raises Stuck."""
        stale, before = 0, None
        while self.match.phase is not Phase.MATCH_OVER:
            state = (self.match.phase, self.match.game, self.match.dice, self.match.score)
            stale = stale + 1 if state == before else 0
            before = state
            if stale > 12:
                raise Stuck(f"{self.match.phase} after {self.turns} turns, seed {self.seed}")
            yield from self._act()

    def _act(self) -> Iterator[Happening]:
        match, game = self.match, self.match.game
        if match.lost:
            yield from self._put_right()
            return
        match match.phase:
            case Phase.SET_UP:
                yield from self._set_up()
            case Phase.OPENING:
                yield from self._throw(("w1", "b1"), None)
            case Phase.TO_ROLL | Phase.LAST_ROLL:
                yield from self._before_roll()
            case Phase.ROLLING:
                # A die lost its link or leans: both are taken up and thrown again.
                yield from self._lift()
                if self.match.phase is Phase.ROLLING:
                    yield from self._throw_own()
            case Phase.TO_PLAY:
                yield from self._play()
            case Phase.PLAYED:
                yield self._picture()
                yield from self._lift()
            case Phase.ILLEGAL:
                yield from self._mend()
            case Phase.CALLABLE:
                yield from self._answer_illegal()
            case Phase.OFFERED:
                yield from self._answer_double()
            case Phase.BEAVERED:
                yield self._say(self._turn.value, "accept")
            case Phase.RESIGNING:
                assert game is not None and game.resign is not None
                yield self._say(game.resign[0].other.value, "accept")
            case Phase.GAME_OVER:
                yield from self._lift()
                yield self._say("referee", "next_game")
            case _:
                raise Stuck(f"nothing to do in {match.phase}")

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
            tuple(die.lie for die in self.dice.values() if die.lie is not None),
            None if game is None else (game.cube.value, game.cube.owner),
        )

    # -- doing --------------------------------------------------------------------------------------------------

    def _say(self, by: Party | str, verb: Verb, argument: str = "") -> Command:
        who: Party = "referee" if by == "referee" else "white" if by == "white" else "black"
        return Command(self._later(300, 900), who, verb, argument)

    def _lay_out(self, white: tuple[int, ...], black: tuple[int, ...]) -> Iterator[Happening]:
        yield self._picture(6, 13, 19)
        self.board = [list(white), list(black)]
        yield self._picture()
        yield self._picture()

    def _wanted(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """White's and Black's checkers in the position that the match waits for."""
        game = self.match.game
        start = self.match.ruleset.start if game is None else game.start
        # A game's start has White's side first.
        return start.mine, start.theirs

    def _set_up(self) -> Iterator[Happening]:
        """Lays out the position that the match waits for, unless it stands there already."""
        yield from self._lift()
        white, black = self._wanted()
        if self.board == [list(white), list(black)]:
            yield self._picture()
            yield self._picture()
        else:
            yield from self._lay_out(white, black)

    def _put_right(self) -> Iterator[Happening]:
        """Track is lost: the lights tell what belongs where, and the people do it."""
        game = self.match.game
        assert game is not None
        first, second = game.position.mine, game.position.theirs
        yield from self._lay_out(*((second, first) if game.turn is Color.BLACK else (first, second)))

    def _throw(self, names: tuple[str, str], by: Color | None) -> Iterator[Happening]:
        half = self.random.randint(0, 1)
        self.turns += 1
        cocks = self.habits.cocks
        if self.forced_cocked_turn is not None and self.turns >= self.forced_cocked_turn and not self.cocked:
            cocks = 1.0
        drop = self.random.random() < self.habits.drops_link
        lines: list[tuple[int, str]] = []
        begin = self._later(200, 500)
        for name in names:
            at = begin
            for delay, text in self.dice[name].throw(self.random, half, cocks):
                at += delay
                lines.append((at, text))
        lines.sort(key=lambda pair: pair[0])
        if drop:
            yield Line(*lines[0])
            self.t_ms = lines[-1][0]
            yield Link(self.t_ms, "dice", False)
            yield Link(self._later(400, 900), "dice", True)
        else:
            for at, text in lines:
                self.t_ms = at
                yield Line(at, text)
        leaning = any(die.lie is not None and die.lie.cocked for die in self.dice.values())
        self.cocked += leaning and not drop
        if leaning or drop or (by is None and self._is_tie()):
            yield self._picture()
            yield from self._lift()

    def _is_tie(self) -> bool:
        lies = [self.dice[name].lie for name in ("w1", "b1")]
        return all(lie is not None for lie in lies) and len({lie.value for lie in lies if lie is not None}) == 1

    def _lift(self) -> Iterator[Happening]:
        at = self._later(150, 400)
        for die in self.dice.values():
            if die.lie is not None:
                yield Line(at, die.lift())

    def _before_roll(self) -> Iterator[Happening]:
        color, game = self._turn, self.match.game
        assert game is not None
        yield from self._lift()
        self._later(self.habits.pause_ms // 2, self.habits.pause_ms)
        if self.random.random() < self.habits.tidies:
            yield self._picture(self.random.randint(1, 24))
            yield self._picture()
        ruleset = self.match.ruleset
        mine = game.cube.owner in (None, color)
        wishes = self.players[color].doubles(self._position(color), self.random)
        if ruleset.cube and mine and game.cube.value < 64 and wishes and self.random.random() < self.habits.doubles:
            yield self._say(color.value, "double")
            if self.match.phase is not Phase.TO_ROLL:
                return
        if (
            self.random.random() < self.habits.resigns
            and self._position(color).pips > self._position(color).their_pips + 60
        ):
            yield self._say(color.value, "resign")
            if self.match.phase is Phase.RESIGNING:
                return
        yield from self._throw_own()

    def _throw_own(self) -> Iterator[Happening]:
        game = self.match.game
        if game is None or game.turn is None:
            yield from self._throw(("w1", "b1"), None)
        else:
            yield from self._throw(("w1", "w2") if game.turn is Color.WHITE else ("b1", "b2"), game.turn)

    def _answer_double(self) -> Iterator[Happening]:
        game = self.match.game
        assert game is not None and game.offer_by is not None
        taker = game.offer_by.other
        take = self.players[taker].takes(self._position(game.offer_by), self.random)
        yield self._say(taker.value, "take" if take else "pass")

    def _play(self) -> Iterator[Happening]:
        """The player on turn plays the roll that counts, checker by checker, and lifts the dice."""
        game = self.match.game
        assert game is not None and game.roll is not None
        color, roll = self._turn, game.roll
        before = self._position(color)
        if before != game.position:
            # They have played, and the table has not seen it yet.
            yield self._picture()
            yield from self._lift()
            return
        first = not any(ply.by is color for ply in game.plies)
        plays = LegalPlays(before, roll, self.match.ruleset, first)
        self._later(self.habits.pause_ms // 2, self.habits.pause_ms)
        slips = self.random.random() < self.habits.slips
        if self.forced_slip_turn is not None and self.turns >= self.forced_slip_turn and not self.slipped:
            slips = True
        wrong = self.players[color].slips(before, roll, self.match.ruleset, first, self.random) if slips else None
        if wrong is not None and game.illegality is None:
            self.slipped += 1
            yield from self._slide(color, before, wrong)
            yield self._picture()
            if self.match.phase is Phase.ILLEGAL and self.random.random() >= self.habits.lets_it_stand:
                return
            yield self._picture()
            yield from self._lift()
            return
        play = self.players[color].choose(plays, self.match.ruleset, self.random)
        yield from self._make(color, play.steps)
        yield self._picture()
        if self.random.random() > self.habits.hurries:
            yield self._picture()
        yield from self._lift()

    def _make(self, color: Color, steps: tuple[Step, ...]) -> Iterator[Happening]:
        side, other = self._side(color), self._side(color.other)
        for number, step in enumerate(steps):
            source, target = self._white_point(color, step.source), self._white_point(color, step.target)
            yield self._picture(source)
            side[step.source] -= 1
            side[step.target] += 1
            if step.hits:
                other[self.match.ruleset.facing(step.target)] -= 1
                other[BAR] += 1
            yield self._picture(target)
            if number < len(steps) - 1 and self.random.random() < 0.4:
                yield self._picture()

    def _slide(self, color: Color, before: Position, after: Position) -> Iterator[Happening]:
        moved = [point for point in range(26) if before.mine[point] != after.mine[point]]
        yield self._picture(*(self._white_point(color, point) for point in moved if point))
        self._side(color)[:] = after.mine
        self._side(color.other)[:] = after.theirs

    def _mend(self) -> Iterator[Happening]:
        """An illegal play was shown: it is taken back, and a legal one made."""
        game = self.match.game
        assert game is not None and game.roll is not None
        color = self._turn
        yield from self._slide(color, self._position(color), game.position)
        yield self._picture()
        first = not any(ply.by is color for ply in game.plies)
        plays = LegalPlays(game.position, game.roll, self.match.ruleset, first)
        yield from self._make(color, self.players[color].choose(plays, self.match.ruleset, self.random).steps)
        yield self._picture()
        yield self._picture()
        yield from self._lift()

    def _answer_illegal(self) -> Iterator[Happening]:
        """An illegal play was made final: the opponent calls it, or rolls on and it stands (E5)."""
        game = self.match.game
        assert game is not None and game.turn is not None
        yield self._say("referee", "call" if self.random.random() < 0.5 else "let_stand")
