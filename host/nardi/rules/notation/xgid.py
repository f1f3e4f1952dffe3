"""XGID, the position line of eXtreme Gammon, both ways.

`XGID=<26 characters>:cube:owner:turn:dice:score:score:CJ:length:max cube`; the bottom player (A-P, White here) counts
their own points, character 0 is the top player's bar and 25 the bottom player's.
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

_NAME = "XGID"
_OWNERS = {"0": None, "1": Color.WHITE, "-1": Color.BLACK}
_TURNS = {"1": Color.WHITE, "-1": Color.BLACK}


def xgid(situation: Situation) -> str:
    """The XGID of a situation; the largest cube is given as 2^10. Raises InputError for an arithmetic cube."""
    white = situation.on_roll is Color.WHITE
    mine, theirs = situation.position.mine, situation.position.theirs
    bottom, top = (mine, theirs) if white else (theirs, mine)
    places = []
    for point in range(26):
        low = bottom[point] if point else 0
        high = top[25 - point] if point < 25 else 0
        places.append(chr(ord("A") + low - 1) if low else chr(ord("a") + high - 1) if high else "-")
    owner = next(text for text, color in _OWNERS.items() if color is situation.cube_owner)
    turn = next(text for text, color in _TURNS.items() if color is situation.on_roll)
    dice = "D" if situation.doubled else situation.roll.text if situation.roll else "00"
    rules = int(situation.crawford) if situation.length else int(situation.jacoby) + 2 * int(situation.beaver)
    return "XGID=" + ":".join(
        (
            "".join(places),
            str(cube_exponent(_NAME, situation)),
            owner,
            turn,
            dice,
            str(situation.score.white),
            str(situation.score.black),
            str(rules),
            str(situation.length or 0),
            "10",
        )
    )


def situation_of_xgid(text: str, ruleset: Ruleset = BACKGAMMON) -> Situation:
    """The situation of an XGID; missing last fields are those of an unlimited money game. Raises InputError."""
    fields = re.sub("^XGID=", "", text.strip(), flags=re.I).split(":")
    if not 5 <= len(fields) <= 10:
        raise refusal(_NAME, "bad_fields", count=len(fields), expected=10)
    fields += ["0"] * (10 - len(fields))
    places, cube, owner, turn, dice, low, high, rules, length, max_cube = fields
    if owner not in _OWNERS:
        raise refusal(_NAME, "bad_cube_owner", owner=owner)
    if turn not in _TURNS:
        raise refusal(_NAME, "bad_turn", text=turn)
    given = {"cube": cube, "score": low, "score 2": high, "rules": rules, "length": length, "largest cube": max_cube}
    numbers = {name: number_in(_NAME, name, text) for name, text in given.items()}
    for name, most in (("cube", 15), ("rules", 3)):
        if numbers[name] > most:
            raise refusal(_NAME, "bad_number", field=name, text=given[name])
    bottom, top = _rows(places)
    on_roll = _TURNS[turn]
    mine, theirs = (bottom, top) if on_roll is Color.WHITE else (top, bottom)
    in_match = numbers["length"] > 0
    situation = Situation(
        proven(_NAME, mine, theirs, ruleset),
        on_roll=on_roll,
        roll=None if dice in ("00", "D", "B", "R") else roll_in(_NAME, dice),
        cube=1 << numbers["cube"],
        cube_owner=_OWNERS[owner],
        doubled=dice in ("D", "B", "R"),
        length=numbers["length"] or None,
        score=ByColor(numbers["score"], numbers["score 2"]),
        crawford=in_match and bool(numbers["rules"] & 1),
        jacoby=not in_match and bool(numbers["rules"] & 1),
        beaver=not in_match and bool(numbers["rules"] & 2),
    )
    return checked_score(_NAME, situation)


def _rows(places: str) -> tuple[list[int], list[int]]:
    if len(places) != 26:
        raise refusal(_NAME, "bad_length", length=len(places), expected=26)
    bottom, top = [0] * 26, [0] * 26
    for point, place in enumerate(places):
        if "A" <= place <= "P" and point > 0:
            bottom[point] = ord(place) - ord("A") + 1
        elif "a" <= place <= "p" and point < 25:
            top[25 - point] = ord(place) - ord("a") + 1
        elif place != "-":
            raise refusal(_NAME, "bad_place", place=place, point=point)
    return bottom, top
