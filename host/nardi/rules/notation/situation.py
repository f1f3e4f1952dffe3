"""What position and match ids say: a position, whose turn, the cube, the dice and the score."""

from dataclasses import dataclass

from nardi.errors import InputError
from nardi.rules.color import ByColor, Color
from nardi.rules.position import Faults, Position, Setup, position_of
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset
from nardi.text.message import Message

SHOWN = 60
"""Characters of unusable input that are shown again: nobody reads a megabyte on one line."""


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
    shown = {name: value[:SHOWN] if isinstance(value, str) else value for name, value in parameters.items()}
    return InputError(Message.of(f"notation.{case}", notation=notation, **shown))


def number_in(notation: str, field: str, text: str) -> int:
    """A field that is a whole number, no longer than the Match ID's widest (15 bits). Raises InputError."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) < 1 << 15):
        raise refusal(notation, "bad_number", field=field, text=text)
    return int(text)


def roll_in(notation: str, text: str) -> Roll:
    """A field of two digits, a number each. Raises InputError."""
    try:
        if len(text) == 2:
            return Roll.from_text(text)
    except ValueError:
        pass
    raise refusal(notation, "bad_dice", dice=text)


def cube_exponent(notation: str, situation: Situation) -> int:
    """The cube as the power of two that ids keep. Raises InputError for a value of the arithmetic cube (C5)."""
    if situation.cube.bit_count() != 1:
        raise refusal(notation, "bad_cube", cube=situation.cube)
    return situation.cube.bit_length() - 1


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
    if situation.crawford and not _one_is_a_point_away(situation):
        raise refusal(notation, "no_crawford_game", length=length or 0)
    return situation


def _one_is_a_point_away(situation: Situation) -> bool:
    """Whether the Crawford game can be on: whoever reached length - 1 first was alone there (in a match to 1, both)."""
    at_last_point = [points == (situation.length or 0) - 1 for points in situation.score]
    return any(at_last_point) and (situation.length == 1 or not all(at_last_point))
