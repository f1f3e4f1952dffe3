"""What electronic dice say, whoever made them: one small union of records."""

from dataclasses import dataclass
from enum import StrEnum

DIE_IDS = ("w1", "w2", "b1", "b2", "s1", "s2")
"""White's pair, Black's pair, and the ids of a pair that both share."""


class LineReason(StrEnum):
    """Why bytes from a die were not taken."""

    CHECKSUM = "checksum"
    SHAPE = "shape"
    """Not the form of any line or message."""
    VALUE = "value"
    """The right form, an impossible number in it."""
    UNKNOWN_DIE = "unknown_die"
    UNKNOWN_KIND = "unknown_kind"
    GAP = "gap"
    """At least one line before this one was lost."""
    REPEAT = "repeat"
    """A line that has been taken already."""
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class Rolling:
    """Thrown: whatever it showed before is void."""

    die: str
    seq: int


@dataclass(frozen=True, slots=True)
class Settled:
    """Lies still after a throw. `tilt_deg`: degrees off flat; a die that leans (cocked) shows its nearest face."""

    die: str
    seq: int
    value: int
    tilt_deg: int


@dataclass(frozen=True, slots=True)
class Lifted:
    """Picked up."""

    die: str
    seq: int


@dataclass(frozen=True, slots=True)
class Battery:
    """`percent`: 0 to 100."""

    die: str
    seq: int
    percent: int


@dataclass(frozen=True, slots=True)
class Lost:
    """Nothing is known of this die until it speaks again: its link dropped, or a line of it was lost."""

    die: str


@dataclass(frozen=True, slots=True)
class LineFault:
    """Bytes that were not taken, or a gap before ones that were. `text`: them, printable, at most 80 characters."""

    reason: LineReason
    text: str


DiceReport = Rolling | Settled | Lifted | Battery | Lost | LineFault


def printable(data: bytes) -> str:
    """At most 80 printable characters of `data`."""
    text = data[:80].decode("ascii", "backslashreplace")
    return "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in text)[:80]
