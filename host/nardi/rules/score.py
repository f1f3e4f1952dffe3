"""What a game was worth: outcome, end values, resigning, match score, stakes (RULES.md V3-V5, C3, C7, C8, L5)."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from nardi.rules.color import ByColor, Color
from nardi.rules.cube import Cube
from nardi.rules.position import BAR, CHECKERS, OFF, Position
from nardi.rules.ruleset import EndValues, LastRollDraw, ResignValues, Ruleset, Triple
from nardi.text.message import Message


class Win(IntEnum):
    """How the loser was left: oin, mars, koks; or nobody won. What it counts is `points`' matter."""

    DRAW = 0
    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3


class Ending(StrEnum):
    """Why a game ended, which is another question than who won it."""

    BORNE_OFF = "borne-off"
    PASSED = "passed"
    RESIGNED = "resigned"
    TIME = "time"
    DRAWN = "drawn"
    FORFEITED = "forfeited"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. `winner` is None exactly when the win is DRAW. Raises ValueError otherwise."""

    winner: Color | None
    win: Win
    ending: Ending

    def __post_init__(self) -> None:
        if (self.winner is None) != (self.win is Win.DRAW):
            raise ValueError("a drawn game has no winner, any other has one")


_NIL_NIL: ByColor[float] = ByColor(0, 0)


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The score before a game. `length` None: a money game, a series without an end.

    `points` are true points, never cut at the length (a 64-cube backgammon is 192); halves come of draws only.
    `crawford` says that this game is the Crawford game (C7).
    """

    length: int | None = None
    points: ByColor[float] = _NIL_NIL
    crawford: bool = False

    def __post_init__(self) -> None:
        if self.length is not None and self.length < 1:
            raise ValueError(f"a match is to 1 point or more, not {self.length}")

    def away(self, color: Color) -> float | None:
        """How many points `color` still needs; None in a money game."""
        return None if self.length is None else max(0, self.length - self.points[color])

    def shown(self, color: Color) -> float:
        """The points as displays show them: never more than the match is to."""
        points = self.points[color]
        return points if self.length is None else min(points, self.length)

    @property
    def winner(self) -> Color | None:
        """Who has won the match, if it is over (never short of its points)."""
        if self.length is None:
            return None
        return next((color for color in Color if self.points[color] >= self.length), None)

    def after(self, gained: ByColor[float], ruleset: Ruleset) -> "MatchScore":
        """The score before the next game, and whether that is the Crawford game."""
        points = ByColor(self.points.white + gained.white, self.points.black + gained.black)
        crawford = (
            ruleset.crawford
            and self.length is not None
            and self.length > 1
            and max(self.points) < self.length - 1 <= max(points) < self.length
        )
        return MatchScore(self.length, points, crawford)


MONEY = MatchScore()


def win_of(position: Position, ruleset: Ruleset) -> Win:
    """V3, L5: how the mover's opponent is left if the mover has won with the board as it stands.

    For the winner's side first. It is the kind of win; a ruleset that does not count it higher says so in `points`.
    """
    loser = position.theirs
    if loser[OFF]:
        return Win.SINGLE
    if ruleset.hits:
        return Win.BACKGAMMON if loser[BAR] or any(loser[19:25]) else Win.GAMMON
    all_home = sum(loser[1:7]) == CHECKERS
    triple = (ruleset.triple is Triple.HOUSE and all_home) or (ruleset.triple is Triple.OUTSIDE and not all_home)
    return Win.BACKGAMMON if triple else Win.GAMMON


def end_value(win: Win, ruleset: Ruleset) -> int:
    """V3: what a win counts before the cube."""
    if ruleset.end_values is EndValues.OIN:
        return min(int(win), 1)
    if ruleset.end_values is EndValues.MARS and ruleset.triple is Triple.OFF:
        return min(int(win), 2)
    return int(win)


def top_end_value(ruleset: Ruleset) -> int:
    """The most a game can count before the cube."""
    return end_value(Win.BACKGAMMON if ruleset.hits or ruleset.triple is not Triple.OFF else Win.GAMMON, ruleset)


def points(outcome: Outcome, cube: Cube, ruleset: Ruleset, in_match: bool = False) -> int:
    """C3: what the winner gets, not cut at the length of a match; 0 for a draw (see `draw_points`).

    A pass is never a gammon (C2); Jacoby is off in matches (C6, C7); with S4 arena's cube there is no mars.
    """
    if outcome.ending is Ending.PASSED:
        return cube.value
    value = end_value(outcome.win, ruleset)
    if outcome.ending is Ending.TIME:
        return value * cube.value
    no_mars = ruleset.cube and not ruleset.cube_with_mars
    unturned = ruleset.cube and ruleset.jacoby and not in_match and not cube.is_turned
    if no_mars or unturned:
        value = min(value, 1)
    return value * cube.value


def draw_points(ruleset: Ruleset) -> float:
    """V5: what each gets of a draw: 0, 0.5 or 1."""
    return {LastRollDraw.HALF: 0.5, LastRollDraw.ONE: 1}.get(ruleset.last_roll_draw, 0)


def gained(outcome: Outcome, cube: Cube, ruleset: Ruleset, in_match: bool = False) -> ByColor[float]:
    """What each player gets of a game."""
    if outcome.winner is None:
        return ByColor(draw_points(ruleset), draw_points(ruleset))
    nothing: ByColor[float] = ByColor(0, 0)
    return nothing.with_(outcome.winner, points(outcome, cube, ruleset, in_match))


def may_draw(ruleset: Ruleset, first: Color, finished: Color) -> bool:
    """V5: whether the other still has one roll, now that `finished` has borne off all; `first` began the game."""
    return ruleset.last_roll_draw is not LastRollDraw.OFF and first is finished


def resign_worth(position: Position, ruleset: Ruleset, offered: Win = Win.SINGLE) -> Win:
    """V4: the win that the mover, resigning, gives: as offered (S1), by the position (S2), or 2 with none off (S3)."""
    match ruleset.resign_values:
        case ResignValues.OFFERED:
            return offered
        case ResignValues.POSITION:
            return win_of(position.flipped, ruleset)
        case ResignValues.NONE_OFF:
            return Win.SINGLE if position.mine[OFF] else Win.GAMMON


def resign_warning(position: Position, ruleset: Ruleset, offered: Win) -> Message | None:
    """What to ask the mover first: the resignation offers more than can be lost. None where it is sound."""
    most = Win.SINGLE if position.mine[OFF] else Win.BACKGAMMON if ruleset.hits else win_of(position.flipped, ruleset)
    if offered > most:
        return Message.of("score.resigns_too_much", offered=int(offered), most=int(most))
    if end_value(offered, ruleset) < int(offered):
        return Message.of("score.resigns_uncounted", offered=int(offered), counts=end_value(offered, ruleset))
    return None


def stake_needed(stake: int, ruleset: Ruleset) -> int | None:
    """C8: the balance a player must bring, in points: stake x limit x end value; None where the cube has no limit."""
    limit = ruleset.cube_limit if ruleset.cube else 1
    return None if limit is None else stake * limit * top_end_value(ruleset)


def may_join(balance: int, stake: int, ruleset: Ruleset) -> Message | None:
    """C8: why a player may not sit down; None if they may."""
    needed = stake_needed(stake, ruleset)
    if needed is None or balance >= needed:
        return None
    return Message.of("score.balance_too_small", balance=balance, needed=needed)
