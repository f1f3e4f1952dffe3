"""GNU Backgammon's Position ID (10 bytes, 14 characters) and Match ID (9 bytes, 12 characters), both ways.

Layouts as gnubg 1.07 writes them, the larger die first. The Match ID's 67th bit (1 = Jacoby not in use) is not in its
manual.
"""

import base64
from dataclasses import replace

from nardi.rules.catalogue import BACKGAMMON
from nardi.rules.color import ByColor, Color
from nardi.rules.notation.situation import Situation, checked_score, cube_exponent, proven, refusal
from nardi.rules.position import Position
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset

_POSITION = "GNU Position ID"
_MATCH = "GNU Match ID"
_PLAYERS = (Color.BLACK, Color.WHITE)  # by gnubg's number
_PLAYING = 1


def position_id(position: Position) -> str:
    """The Position ID of a position, the mover being on roll."""
    bits: list[int] = []
    for side in (position.theirs, position.mine):
        for point in range(1, 26):
            bits += [1] * side[point] + [0]
    return _encoded(bits, 10)


def position_of_id(text: str, ruleset: Ruleset = BACKGAMMON) -> Position:
    """The position of a Position ID. Raises InputError: length, alphabet, a count, bits after the end."""
    bits = _decoded(text, 10, _POSITION)
    rows = []
    at = 0
    for _ in range(2):
        row = [0] * 26
        for point in range(1, 26):
            while at < 80 and bits[at]:
                row[point] += 1
                at += 1
            at += 1
        rows.append(row)
    if at > 80 or any(bits[at:]):
        raise refusal(_POSITION, "bits_left", text=text)
    theirs, mine = rows
    return proven(_POSITION, mine, theirs, ruleset)


def match_id(situation: Situation) -> str:
    """The Match ID of a situation (the position has an id of its own). Raises InputError for an arithmetic cube."""
    on_roll = _PLAYERS.index(situation.on_roll)
    turn = 1 - on_roll if situation.doubled or situation.resigned else on_roll
    owner = 3 if situation.cube_owner is None else _PLAYERS.index(situation.cube_owner)
    dice = (situation.roll.high, situation.roll.low) if situation.roll else (0, 0)
    scores = [situation.score[player] for player in _PLAYERS]
    length = situation.length or 0
    fields = (
        (cube_exponent(_MATCH, situation), 4),
        (owner, 2),
        (on_roll, 1),
        (situation.crawford, 1),
        (_PLAYING, 3),
        (turn, 1),
        (situation.doubled, 1),
        (situation.resigned, 2),
        (dice[0], 3),
        (dice[1], 3),
        (length, 15),
        (scores[0], 15),
        (scores[1], 15),
        (not situation.jacoby, 1),
    )
    bits = [int(value) >> bit & 1 for value, width in fields for bit in range(width)]
    return _encoded(bits, 9)


def situation_of_id(text: str, position: Position) -> Situation:
    """The situation of a Match ID with the position of its Position ID. Raises InputError."""
    bits = _decoded(text, 9, _MATCH)

    def take(width: int) -> int:
        value = sum(bit << index for index, bit in enumerate(bits[:width]))
        del bits[:width]
        return value

    cube, owner, on_roll, crawford, state = take(4), take(2), take(1), take(1), take(3)
    turn, doubled, resigned = take(1), take(1), take(2)
    dice, length, scores, no_jacoby = (take(3), take(3)), take(15), (take(15), take(15)), take(1)
    if owner == 2:
        raise refusal(_MATCH, "bad_cube_owner", owner=owner)
    if any(bits):
        raise refusal(_MATCH, "bits_left", text=text)
    if max(dice) > 6 or (dice[0] == 0) != (dice[1] == 0):
        raise refusal(_MATCH, "bad_dice", dice=f"{dice[0]}{dice[1]}")
    if doubled and turn == on_roll and state == _PLAYING:
        raise refusal(_MATCH, "bad_turn", text=text)
    situation = Situation(
        position,
        on_roll=_PLAYERS[on_roll],
        roll=Roll(*dice) if dice[0] else None,
        cube=1 << cube,
        cube_owner=None if owner == 3 else _PLAYERS[owner],
        doubled=bool(doubled),
        resigned=resigned,
        length=length or None,
        score=ByColor(scores[1], scores[0]),
        crawford=bool(crawford),
        jacoby=not no_jacoby and not length,
    )
    return checked_score(_MATCH, situation)


def gnubg_id(situation: Situation) -> str:
    """`position:match`, as gnubg shows and reads it."""
    return f"{position_id(situation.position)}:{match_id(situation)}"


def situation_of_gnubg_id(text: str, ruleset: Ruleset = BACKGAMMON) -> Situation:
    """The situation of `position:match` or of a Position ID alone. Raises InputError."""
    position_text, colon, match_text = text.strip().partition(":")
    position = position_of_id(position_text, ruleset)
    return situation_of_id(match_text, position) if colon else replace(Situation(position), jacoby=False)


def _encoded(bits: list[int], size: int) -> str:
    number = sum(bit << index for index, bit in enumerate(bits))
    return base64.b64encode(number.to_bytes(size, "little")).decode().rstrip("=")


def _decoded(text: str, size: int, notation: str) -> list[int]:
    length = (size * 8 + 5) // 6
    if len(text) != length:
        raise refusal(notation, "bad_length", length=len(text), expected=length)
    try:
        data = base64.b64decode(text + "=" * (-length % 4), validate=True)
    except ValueError as error:  # binascii.Error, or letters beyond ASCII
        raise refusal(notation, "not_base64", text=text) from error
    if base64.b64encode(data).decode().rstrip("=") != text:
        raise refusal(notation, "bits_left", text=text)
    number = int.from_bytes(data, "little")
    return [number >> bit & 1 for bit in range(size * 8)]
