"""OGID, OpenGammon's position line, both ways.

`white:black:cube:dice:color:state:scoreW:scoreB:length[:move[:checkers]]`. A side is one base-26 digit a checker, in an
absolute frame where White enters from 0 and bears off above 24. `color` is the player who REACHED the position: the
player on roll is the other one.
"""

import re

from nardi.rules.catalogue import BACKGAMMON
from nardi.rules.color import ByColor, Color
from nardi.rules.notation.situation import (
    Situation,
    checked_score,
    cube_exponent,
    number_in,
    proven,
    refusal,
    roll_in,
)
from nardi.rules.ruleset import Ruleset

_NAME = "OGID"
_DIGITS = "0123456789abcdefghijklmnop"
_COLORS = {"W": Color.WHITE, "B": Color.BLACK}


def ogid(situation: Situation) -> str:
    """The OGID of a situation, without the optional last fields. Raises InputError for an arithmetic cube."""
    white = situation.on_roll is Color.WHITE
    mine, theirs = situation.position.mine, situation.position.theirs
    rows = (mine, theirs) if white else (theirs, mine)
    whites = "".join(_DIGITS[pip] * rows[0][25 - pip] for pip in range(25))
    blacks = "".join(_DIGITS[pip] * rows[1][pip] for pip in range(1, 26))
    owner = {None: "N", Color.WHITE: "W", Color.BLACK: "B"}[situation.cube_owner]
    cube = f"{owner}{cube_exponent(_NAME, situation)}{'O' if situation.doubled else 'N'}"
    dice = f"{situation.roll.low}{situation.roll.high}" if situation.roll else ""
    length = f"{situation.length}{'C' if situation.crawford else ''}" if situation.length else "0"
    reached = "B" if white else "W"
    state = "IW"
    return ":".join(
        (whites, blacks, cube, dice, reached, state, str(situation.score.white), str(situation.score.black), length)
    )


def situation_of_ogid(text: str, ruleset: Ruleset = BACKGAMMON) -> Situation:
    """The situation of an OGID. Raises InputError."""
    fields = text.strip().split(":")
    if not 9 <= len(fields) <= 11:
        raise refusal(_NAME, "bad_fields", count=len(fields), expected=9)
    whites, blacks, cube, dice, reached, _state, white_score, black_score, length = fields[:9]
    for name, text in zip(("move", "checkers"), fields[9:], strict=False):
        if number_in(_NAME, name, text) != 15 and name == "checkers":
            raise refusal(_NAME, "bad_number", field=name, text=text)
    if reached not in _COLORS:
        raise refusal(_NAME, "bad_turn", text=reached)
    on_roll = _COLORS[reached].other
    white_row, black_row = [0] * 26, [0] * 26
    for pip in _pips(whites):
        if pip == 25:
            raise refusal(_NAME, "bad_place", place="p", point=25)
        white_row[25 - pip] += 1
    for pip in _pips(blacks):
        if pip == 0:
            raise refusal(_NAME, "bad_place", place="0", point=0)
        black_row[pip] += 1
    if len(cube) != 3 or cube[0] not in "NWBD?" or cube[1] not in _DIGITS[:16] or cube[2] not in "NOTP":
        raise refusal(_NAME, "bad_cube", cube=cube)
    number, suffix = _length(length)
    mine, theirs = (white_row, black_row) if on_roll is Color.WHITE else (black_row, white_row)
    situation = Situation(
        proven(_NAME, mine, theirs, ruleset),
        on_roll=on_roll,
        roll=roll_in(_NAME, dice) if dice else None,
        cube=1 << _DIGITS.index(cube[1]),
        cube_owner=_COLORS.get(cube[0]),  # N, D and ?: nobody's
        doubled=cube[2] == "O",
        length=number or None,
        score=ByColor(number_in(_NAME, "score", white_score), number_in(_NAME, "score", black_score)),
        crawford=suffix == "C",
    )
    if suffix == "L" and number - 1 not in tuple(situation.score):  # after a Crawford game that cannot have been
        raise refusal(_NAME, "no_crawford_game", length=number)
    return checked_score(_NAME, situation)


def _pips(digits: str) -> list[int]:
    for digit in digits:
        if digit not in _DIGITS:
            raise refusal(_NAME, "bad_place", place=digit, point=0)
    return [_DIGITS.index(digit) for digit in digits]


def _length(text: str) -> tuple[int, str]:
    """The match length, and C for the Crawford game or L after it; a fixed number of games has no length in points."""
    if re.fullmatch(r"\d*G\d{1,5}", text, re.ASCII):
        return 0, ""
    suffix = text[-1:] if text[-1:] in ("C", "L") else ""
    return number_in(_NAME, "length", text.removesuffix(suffix)), suffix
