"""What sensors and people report: the only input of a match. Each is one frozen value with the time it was made.

`at_ms` is the table clock (milliseconds; the recording's own time in a replay). Points are always numbered from the
side of the player concerned.
"""

from dataclasses import dataclass
from typing import Literal

from nardi.rules.color import Color
from nardi_vision.reading import BoardReading

Party = Literal["white", "black", "referee"]
"""Who gives a command."""


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """The eye has read a picture that says something new."""

    at_ms: int
    reading: BoardReading


@dataclass(frozen=True, slots=True)
class DieRolling:
    """A die is tumbling. `die`: w1 w2 b1 b2 (White's and Black's own), s1 s2 (one shared pair)."""

    at_ms: int
    die: str


@dataclass(frozen=True, slots=True)
class DieSettled:
    """A die lies still, showing `value` 1-6, `tilt_deg` degrees off flat."""

    at_ms: int
    die: str
    value: int
    tilt_deg: int


@dataclass(frozen=True, slots=True)
class DieLifted:
    at_ms: int
    die: str


@dataclass(frozen=True, slots=True)
class DieLost:
    """The link to a die dropped: its value is unknown until it is thrown again."""

    at_ms: int
    die: str


@dataclass(frozen=True, slots=True)
class LineFaulty:
    """Bytes from the dice that are no line of theirs: `kind` checksum, id, sequence, form. Counted, never guessed."""

    at_ms: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class DeviceLost:
    at_ms: int
    device: str


@dataclass(frozen=True, slots=True)
class DeviceFound:
    at_ms: int
    device: str


Verb = Literal[
    "start",  # match: begin (argument: none); the first game is set up
    "next_game",  # the score is seen, set up the next game
    "double",
    "take",
    "pass",
    "beaver",
    "refuse_beaver",
    "resign",  # argument: single | gammon | backgammon ("" = what the position is worth)
    "accept",  # a resignation, a draw offer
    "refuse",
    "confirm",  # the play stands (where dice cannot be felt being lifted)
    "call",  # the opponent's play is called illegal (E5)
    "let_stand",  # the illegal play stands (E5, moves_policy)
    "claim",  # the opponent's time is up (T1)
    "pause",
    "resume",
    "undo",  # argument: number of plies (default 1)
    "play",  # argument: notation: what was really played (referee, or by hand without a camera)
    "dice",  # argument: two digits: what was really thrown
    "set_position",  # argument: position text of the contract, mover first
    "set_turn",  # argument: white | black
    "set_cube",  # argument: value:owner (owner white | black | centre)
    "set_score",  # argument: white:black
    "set_clock",  # argument: white|black:milliseconds of bank
    "cocked",  # the roll does not count
    "end_game",  # argument: winner:win (referee)
    "end_match",
    "teach",  # argument: off | legal | hint | coach
]


@dataclass(frozen=True, slots=True)
class Command:
    """A person's word: a button, the referee's page, the club. `argument` is checked by the umpire, never trusted."""

    at_ms: int
    by: Party
    verb: Verb
    argument: str = ""


Observation = (
    BoardSeen | DieRolling | DieSettled | DieLifted | DieLost | LineFaulty | DeviceLost | DeviceFound | Command
)


def party_color(party: Party) -> Color | None:
    """The player a party is; None for the referee."""
    return None if party == "referee" else Color(party)
