"""The match: one frozen value, the fold of its events. Everything shown is a picture of it."""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from nardi.game.clock import Clocks
from nardi.game.difference import Difference
from nardi.game.seating import Seating
from nardi.rules.color import ByColor, Color
from nardi.rules.cube import Cube
from nardi.rules.play import Play
from nardi.rules.position import Position
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset
from nardi.rules.score import MatchScore, Outcome
from nardi.rules.whynot import Illegality
from nardi.text.message import Message


class Phase(StrEnum):
    """What the table waits for."""

    SET_UP = "set_up"  # the board does not show the game's first position yet
    OPENING = "opening"  # each player throws one die (R1)
    TO_ROLL = "to_roll"  # the player on turn may double, then rolls
    ROLLING = "rolling"  # dice tumble
    TO_PLAY = "to_play"  # a roll counts; checkers may be moved
    PLAYED = "played"  # a legal play stands on the board; final when the dice are lifted (E3)
    ILLEGAL = "illegal"  # what stands on the board is no legal play; dice not lifted yet
    CALLABLE = "callable"  # an illegal play was made final; it can be called until the next roll (E5)
    OFFERED = "offered"  # a double waits for take or pass
    BEAVERED = "beavered"  # a beaver waits for the doubler's answer
    RESIGNING = "resigning"  # a resignation waits for the opponent's answer
    LAST_ROLL = "last_roll"  # V5: the other player's one roll that may still draw
    GAME_OVER = "game_over"
    MATCH_OVER = "match_over"


PLAYING = (Phase.TO_ROLL, Phase.ROLLING, Phase.TO_PLAY, Phase.PLAYED, Phase.ILLEGAL, Phase.CALLABLE, Phase.LAST_ROLL)
"""A game is going on and no answer is waited for."""


class Teach(StrEnum):
    """How much help is shown. Club play forbids all but OFF (CASES 43)."""

    OFF = "off"
    LEGAL = "legal"
    HINT = "hint"
    COACH = "coach"


@dataclass(frozen=True, slots=True)
class Ply:
    """One turn as it was played. `before` and `after` have the mover's side first. `at_ms`: when it became final."""

    by: Color
    roll: Roll
    before: Position
    after: Position
    notation: str
    legal: bool
    rule: str | None
    at_ms: int
    clocks: Clocks
    cube: Cube


@dataclass(frozen=True, slots=True)
class CubeTurn:
    """One thing done with the cube: `deed` double, take, pass or beaver, after `ply` plies of the game.

    `value`: what the cube shows once the double is taken.
    """

    ply: int
    by: Color
    deed: str
    value: int
    at_ms: int
    clocks: Clocks


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw that waits until the play before it has been seen. `up`: which of its dice were picked up already."""

    by: Color
    dice: tuple[int, int]
    sources: tuple[str, ...]
    up: tuple[str, ...] = ()

    @property
    def lifted(self) -> bool:
        return set(self.sources) <= set(self.up)


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a match. `position` has the side of `turn` first (White's while nobody is on turn yet)."""

    number: int
    start: Position
    position: Position
    turn: Color | None
    cube: Cube
    crawford: bool = False
    starter: Color | None = None
    roll: Roll | None = None
    plies: tuple[Ply, ...] = ()
    offer_by: Color | None = None
    resign: tuple[Color, str] | None = None
    provisional: Play | None = None
    """The legal play that stands on the board, not final yet."""
    illegality: Illegality | None = None
    illegal_position: Position | None = None
    last_roll: bool = False
    """V5: the present turn is the last roll that may still draw the game."""
    outcome: Outcome | None = None
    points: float = 0
    players: ByColor[str] = ByColor("", "")
    """Who played which checkers in this game; a series may swap them."""
    colors_swapped: bool = False
    """Whether they are the other way round than at the match's beginning."""
    score: ByColor[float] = ByColor(0, 0)
    """The score before this game, in this game's colours."""
    cube_turns: tuple[CubeTurn, ...] = ()
    sources: tuple[str, ...] = ()
    """The dice that the present roll lies in; empty when it was told by hand."""
    rolled_ms: int = 0
    lifted_ms: int | None = None
    """When the dice of the present roll were picked up; the board has not been seen since."""
    waiting: tuple[Throw, ...] = ()
    """Throws made since, in order, that wait for that look at the board."""
    called: bool = False
    must_correct: bool = False
    """The illegal play was called and is to be put right (E5)."""
    alternatives: tuple[str, ...] = ()
    """Other legal plays that the last picture may have meant, the likeliest first (CASES 30)."""
    automatic_doubles: int = 0
    before_resigning: str = ""
    """The phase to return to when a resignation is refused."""

    @property
    def bare(self) -> "Game":
        """The game with nothing standing on the board that is not final."""
        return replace(self, provisional=None, illegality=None, illegal_position=None)

    @property
    def first_turn(self) -> bool:
        """Whether the player on turn has not moved in this game yet (L2)."""
        return not any(ply.by is self.turn for ply in self.plies)


@dataclass(frozen=True, slots=True)
class Match:
    """`length` 0: a series or money session without end. `score` holds true points; what is shown stops at `length`."""

    ruleset: Ruleset
    length: int
    players: ByColor[str]
    phase: Phase
    score: ByColor[float]
    clocks: Clocks
    game: Game | None = None
    games: tuple[Game, ...] = ()
    dice: tuple[tuple[str, str, int], ...] = ()
    """What each known die does: (die, unknown | rolling | settled | cocked | lifted, value or 0), w1 w2 b1 b2 s1 s2."""
    lost: tuple[Difference, ...] = ()
    """Not empty: track is lost; where the board and the match disagree."""
    hand: bool = False
    hand_ms: int | None = None
    """When a hand was last noted over the board, gone from it, or had put it right; None: never."""
    faults: tuple[Message, ...] = ()
    """What a person must know now: eye, dice, devices, disk."""
    notice: Message | None = None
    """The last ruling worth saying: a roll rejected, a command refused, a play undone."""
    paused: bool = False
    teach: Teach = Teach.OFF
    crawford_done: bool = False
    winner: Color | None = None
    lifted: Color | None = None
    """Whose checker is in hand while a play is being made: see `lifted_from`."""
    lifted_from: int | None = None
    """The mover's point from which a checker was lifted and not yet put down, for showing its targets."""
    undone: tuple[int, ...] = ()
    """How many plies each undo took back, in order."""
    seating: Seating | None = None
    """How the board lies before the eye; None: no eye, everything is told by hand."""
    eye: bool = False
    """Whether the eye is working now."""
    dice_mode: str = "electronic"
    """electronic: dice tell their value; camera: the eye reads them; hand: a person tells them."""
    sighted: tuple[int, ...] = ()
    """Camera dice that lay in the last reading, waiting for a second one that agrees."""
    dice_gone: bool = True
    """Camera dice: whether the last roll's dice have left the picture for good."""
    dice_places: tuple[int, ...] = ()
    """Camera dice: where they lay when last seen, as in `DiceSighted`."""
    dice_missed: bool = False
    """Camera dice: the last reading showed none; they may have been overlooked."""
    dice_unclear_ms: int | None = None
    """Camera dice: since when those that lie there make no roll, though one is awaited."""
    warned: str = ""
    """The command that waits to be given once more."""
    fault_keys: tuple[str, ...] = ()
    """What each of `faults` is about, in the same order."""
    club: bool = False
    colors_swapped: bool = False
    """Whether the players have each other's checkers, against the match's beginning."""
    first_start: Position | None = None
    first_turn: Color | None = None
    """Where the first game does not begin at the ruleset's start: position (White's side first) and who is on turn."""
    earlier: tuple["Match", ...] = field(default=(), repr=False, compare=False)
    """The match as each finished turn had been rolled, without their own `earlier`: what undo returns to."""

    @property
    def in_match(self) -> bool:
        return self.length > 0

    @property
    def match_score(self) -> MatchScore:
        """The score as the rules of cube and match want it."""
        crawford = self.game.crawford if self.game else False
        return MatchScore(self.length or None, self.score, crawford)

    @property
    def sees(self) -> bool:
        """Whether positions come from the eye."""
        return self.seating is not None and self.eye
