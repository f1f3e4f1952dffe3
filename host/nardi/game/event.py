"""What was ruled: frozen facts in the past tense. A match is the fold of its events, and the journal keeps them.

Every event has `at_ms` (the table clock) and `because`, the journal number of the observation it came from; the umpire
leaves that 0 and whoever journals fills it in. Points are numbered from the side of the player concerned.
"""

from dataclasses import dataclass

from nardi.game.clock import ClockRules
from nardi.game.difference import Difference
from nardi.game.seating import Seating
from nardi.rules.color import ByColor, Color
from nardi.rules.play import Step
from nardi.rules.position import Position
from nardi.rules.ruleset import Ruleset
from nardi.text.message import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """What all events have."""

    at_ms: int
    because: int = 0


# --- match and game ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted(Ruled):
    """`length` 0: a series without an end. `seating` None: no eye. `dice`: electronic, camera or hand.

    `start` (White's side first) and `turn` where the first game does not begin at the ruleset's start. `club`: help is
    off and stays off.
    """

    ruleset: Ruleset
    length: int
    players: ByColor[str]
    seating: Seating | None = None
    dice: str = "electronic"
    start: Position | None = None
    turn: Color | None = None
    clocks: ClockRules | None = None
    club: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Ruled):
    """`start` has White's side first. `starter` None: the opening is to be thrown (R1).

    `colors_swapped`: against the game before, the players have changed checkers. `seating`: how the board should now
    lie.
    """

    number: int
    start: Position
    starter: Color | None
    crawford: bool
    colors_swapped: bool = False
    seating: Seating | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUpDiffered(Ruled):
    """The board does not show the game's first position; where, place by place (CASES 23)."""

    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUpVerified(Ruled):
    """The board shows the game's first position, or somebody answers for it (`unseen`).

    `seating`: how it was found to lie, where that was in question.
    """

    unseen: bool = False
    seating: Seating | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(Ruled):
    """`gained`: the points of each player, not cut at the length of the match."""

    winner: Color | None
    win: int
    ending: str
    gained: ByColor[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnded(Ruled):
    winner: Color | None


# --- dice -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class DieNoted(Ruled):
    """What a die does now: `state` unknown, rolling, settled, cocked or lifted; `value` 0 where none is known."""

    die: str
    state: str
    value: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceSighted(Ruled):
    """Two dice lie in the picture: counted as a roll when the next reading shows the same. Empty: none lie there."""

    values: tuple[int, ...]
    places: tuple[int, ...] = ()
    """Where they lie: x and y of each, in thousandths of the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceUnclear(Ruled):
    """Dice lie in the picture that are awaited and make no roll; `unclear` False: not any more."""

    unclear: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningThrown(Ruled):
    """R1. `white`, `black`: the dice; `starter` in the colours they now play (`colors_swapped`: `white_starts`)."""

    white: int
    black: int
    starter: Color
    colors_swapped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningTied(Ruled):
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomaticallyDoubled(Ruled):
    """C6: an equal opening throw doubled the cube."""

    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(Ruled):
    """A roll that counts. `sources`: the dice it lies in; empty when it was told by hand."""

    by: Color
    dice: tuple[int, int]
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowWaited(Ruled):
    """A throw that counts once the play before it has been seen, which was final already (CASES 26)."""

    by: Color
    dice: tuple[int, int]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RollRejected(Ruled):
    """A throw that does not count.

    `reason`: cocked, other_half, on_checker, off_board, early, again, set_up, not_your_turn, correct_first, paused,
    answer_first, called (the referee's word).
    """

    by: Color
    reason: str
    message: Message


# --- checkers ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySighted(Ruled):
    """A legal play stands on the board; it may still be changed (E3). `alternatives` as in `Played`."""

    by: Color
    notation: str
    position: Position
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayWithdrawn(Ruled):
    """The play that stood there does not any more."""

    by: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckerLifted(Ruled):
    """A checker of `by` is in the hand; `point` None: it is not any more."""

    by: Color
    point: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceLifted(Ruled):
    """E3: the turn is over, but the board has not been seen since; the next picture decides."""

    by: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class Played(Ruled):
    """A turn that is final. `position` is the one after it, the mover's side first.

    `clock_ms`: what both clocks have left. `alternatives`: other legal plays, the likeliest first, where the picture
    left room for doubt (CASES 30).
    """

    by: Color
    dice: tuple[int, int]
    notation: str
    position: Position
    legal: bool = True
    rule: str | None = None
    clock_ms: ByColor[int] | None = None
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IllegalPlayNoticed(Ruled):
    """What stands on the board is no legal play. `final`: the dice are up, the opponent may call it (E5)."""

    by: Color
    rule: str
    message: Message
    steps: tuple[Step, ...]
    position: Position
    final: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IllegalPlayChanged(Ruled):
    """An illegal play already noticed now stands otherwise on the board, still illegally: perhaps half taken back."""

    by: Color
    rule: str
    message: Message
    steps: tuple[Step, ...]
    position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class IllegalPlayMended(Ruled):
    by: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class IllegalPlayCalled(Ruled):
    """E5: `by` (a player or the referee) had it called. `must_correct`: it is to be put right."""

    by: str
    must_correct: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class IllegalPlayStood(Ruled):
    """E5: nobody called it in time (`by` None), or the opponent let it stand."""

    by: Color | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LastRollGranted(Ruled):
    """V5: the other has borne off all; `by` has one more roll, which may still draw the game."""

    by: Color


# --- cube and resigning -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubled(Ruled):
    by: Color
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken(Ruled):
    """Also a beaver accepted by the doubler."""

    by: Color
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed(Ruled):
    """Also a beaver refused by the doubler."""

    by: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class Beavered(Ruled):
    by: Color
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Resigned(Ruled):
    """`win`: 1 single, 2 gammon, 3 backgammon; waits for the opponent's answer."""

    by: Color
    win: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationRefused(Ruled):
    by: Color


# --- conduct ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackLost(Ruled):
    """The board and the match disagree; where, place by place."""

    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackFound(Ruled):
    """They agree again. `plies_back`: the board shows the position before that many of the last plies."""

    plies_back: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Ruled):
    """The last `plies` turns are taken back: position, cube, score and clocks are as they were."""

    plies: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected(Ruled):
    """Somebody entitled to it set something right, to `value`.

    `what`: play, dice, position, turn, cube, score or clock; `by`: the party, or `eye` for a late picture.
    """

    what: str
    value: str
    by: str = "referee"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockPaused(Ruled):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockResumed(Ruled):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeClaimed(Ruled):
    """T1: `by` claimed that the opponent's time is up, and it is."""

    by: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRefused(Ruled):
    by: str
    verb: str
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned(Ruled):
    """A command that waits to be given once more, because it may be a slip (CASES 17). `key` names it."""

    message: Message
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TeachSet(Ruled):
    teach: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandNoted(Ruled):
    """A hand is over the board, or is gone."""

    present: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultNoted(Ruled):
    """Something a person must know, until it is cleared. `key` names what it is about (`eye.covered`, `dice.w1`)."""

    key: str
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultCleared(Ruled):
    key: str


Event = (
    MatchStarted
    | GameStarted
    | SetUpDiffered
    | SetUpVerified
    | GameEnded
    | MatchEnded
    | DieNoted
    | DiceSighted
    | DiceUnclear
    | OpeningThrown
    | OpeningTied
    | AutomaticallyDoubled
    | Rolled
    | ThrowWaited
    | RollRejected
    | PlaySighted
    | PlayWithdrawn
    | CheckerLifted
    | DiceLifted
    | Played
    | IllegalPlayNoticed
    | IllegalPlayChanged
    | IllegalPlayMended
    | IllegalPlayCalled
    | IllegalPlayStood
    | LastRollGranted
    | Doubled
    | Taken
    | Passed
    | Beavered
    | Resigned
    | ResignationRefused
    | TrackLost
    | TrackFound
    | Undone
    | Corrected
    | ClockPaused
    | ClockResumed
    | TimeClaimed
    | CommandRefused
    | Warned
    | TeachSet
    | HandNoted
    | FaultNoted
    | FaultCleared
)
"""All that can be ruled."""
