"""What position and match ids say: a position, whose turn, the cube, the dice and the score."""

from dataclasses import dataclass

from nardi.errors import InputError
from nardi.rules.color import ByColor, Color
from nardi.rules.position import Faults, Position, Setup, position_of
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset
from nardi.text.message import Message


@dataclass(frozen=True, slots=True)
class Situation:
    """A moment of a match. `position` has the side of `on_roll` first; `length` None: money.

    `doubled`: a double of `on_roll` waits for its answer, `cube` is the value before it. `resigned`: `on_roll` offers
    to lose that many times the cube (0: no offer; only the Match ID can say it). White is the player that XGID draws at
    the bottom, that gnubg numbers 1 and that OGID calls white.
    """

    position: Position
    on_roll: Color = Color.WHITE
    roll: Roll | None = None
    cube: int = 1
    cube_owner: Color | None = None
    doubled: bool = False
    resigned: int = 0
    length: int | None = None
    score: ByColor[int] = ByColor(0, 0)
    crawford: bool = False
    jacoby: bool = False
    beaver: bool = False


def refusal(notation: str, case: str, **parameters: str | int) -> InputError:
    """The error that says why an id is refused: `notation.<case>`."""
    return InputError(Message.of(f"notation.{case}", notation=notation, **parameters))


def proven(notation: str, mine: list[int], theirs: list[int], ruleset: Ruleset) -> Position:
    """The position of two rows whose checkers off are still to be counted. Raises InputError with every fault."""
    for side, row in enumerate((mine, theirs), start=1):
        total = sum(row[1:])
        if total > 15:
            raise refusal(notation, "too_many", side=side, count=total)
        row[0] = 15 - total
    result = position_of(Setup(tuple(mine), tuple(theirs)), ruleset)
    if isinstance(result, Faults):
        raise InputError(*result.messages)
    return result


def checked_score(notation: str, situation: Situation) -> Situation:
    """The situation, if its score can be. Raises InputError: beyond the length, or no Crawford game."""
    length = situation.length
    for points in situation.score:
        if points < 0 or (length is not None and points >= length):
            raise refusal(notation, "bad_score", score=points, length=length or 0)
    if situation.crawford and (length is None or length - 1 not in tuple(situation.score)):
        raise refusal(notation, "no_crawford_game", length=length or 0)
    return situation
