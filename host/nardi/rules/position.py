"""Where the checkers stand: `Setup` is anything one can lay on a board, `Position` is proven playable.

Both keep each side in its own numbering: index 0 borne off, 1-24 the points, 25 the bar, counted by each player
along their own road (RULES.md, "Numbering and positions"). The mover's side comes first. Neither knows colours.
"""

from dataclasses import dataclass
from enum import IntFlag, auto
from typing import TYPE_CHECKING

from nardi.errors import InputError
from nardi.text.message import Message

if TYPE_CHECKING:
    from nardi.rules.ruleset import Ruleset

CHECKERS = 15
OFF = 0
BAR = 25
SIDE_BITS = 104  # 26 slots of one hex digit
_SIDE_MASK = (1 << SIDE_BITS) - 1
_DIGITS = bytes.maketrans(b"0123456789abcdef", bytes(range(16)))


class Fault(IntFlag):
    """What is wrong with a setup; several may be at once."""

    MINE_TOO_MANY = auto()
    MINE_TOO_FEW = auto()
    THEIRS_TOO_MANY = auto()
    THEIRS_TOO_FEW = auto()
    SHARED_POINT = auto()
    BAR_IN_USE = auto()
    NEGATIVE = auto()
    BOTH_OFF = auto()
    BOTH_BLOCKED = auto()


@dataclass(frozen=True, slots=True)
class Faults:
    """Every fault of a setup: as flags for programs, as messages for people."""

    flags: Fault
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """Any counts of checkers, right or wrong: two rows of 26 numbers, each in its side's own numbering.

    Raises ValueError for rows of another length.
    """

    mine: tuple[int, ...]
    theirs: tuple[int, ...]

    def __post_init__(self) -> None:
        for side in (self.mine, self.theirs):
            if len(side) != 26:
                raise ValueError(f"a side has 26 places, not {len(side)}")


class Position:
    """A playable position, the mover's side first. A value: compare, hash, keep.

    Inside it is one integer, the hex digits of its text (DESIGN.md, "Position text"), which is what the move generator
    works with; `mine` and `theirs` are the readable form, each 26 counts in that side's own numbering.
    """

    __slots__ = ("_key", "_mine", "_theirs")
    _key: int
    _mine: tuple[int, ...]
    _theirs: tuple[int, ...]

    def __init__(self, mine: tuple[int, ...], theirs: tuple[int, ...]) -> None:
        """A position of two rows of 26 counts from 0 to 15. Raises ValueError for what no text could hold.

        It checks the form only; `position_of` proves that a game can stand so.
        """
        key = 0
        for side in (mine, theirs):
            if len(side) != 26:
                raise ValueError(f"a side has 26 places, not {len(side)}")
            for count in side:
                if not 0 <= count <= CHECKERS:
                    raise ValueError(f"{count} checkers in one place")
                key = key << 4 | count
        self._key = key

    @staticmethod
    def of_key(key: int) -> "Position":
        """The position whose text, read as one hex number, is `key`; not checked."""
        position = _new(Position)
        position._key = key
        return position

    @property
    def key(self) -> int:
        """The 52 hex digits of the text as one integer."""
        return self._key

    @property
    def mine(self) -> tuple[int, ...]:
        """The mover's checkers: 26 counts in the mover's numbering."""
        try:
            return self._mine
        except AttributeError:
            self._mine = tuple((b"%026x" % (self._key >> SIDE_BITS)).translate(_DIGITS))
            return self._mine

    @property
    def theirs(self) -> tuple[int, ...]:
        """The opponent's checkers: 26 counts in the opponent's own numbering."""
        try:
            return self._theirs
        except AttributeError:
            self._theirs = tuple((b"%026x" % (self._key & _SIDE_MASK)).translate(_DIGITS))
            return self._theirs

    @property
    def text(self) -> str:
        """26 hex digits a side, `mover/opponent` (DESIGN.md, contract)."""
        digits = f"{self._key:052x}"
        return f"{digits[:26]}/{digits[26:]}"

    @staticmethod
    def from_text(text: str, ruleset: "Ruleset") -> "Position":
        """The position that `text` names, proven under `ruleset`. Raises InputError with every fault at once."""
        mine, slash, theirs = text.lower().partition("/")
        if not slash or len(mine) != 26 or len(theirs) != 26 or not _is_hex(mine) or not _is_hex(theirs):
            raise InputError(Message.of("position.not_a_text", text=text[:60]))
        result = position_of(Setup(_counts(mine), _counts(theirs)), ruleset)
        if isinstance(result, Faults):
            raise InputError(*result.messages)
        return result

    @property
    def flipped(self) -> "Position":
        """The same board with the other player to move."""
        return Position.of_key((self._key & _SIDE_MASK) << SIDE_BITS | self._key >> SIDE_BITS)

    @property
    def pips(self) -> int:
        """How far the mover still has to go, in points; the bar counts 25."""
        return sum(point * count for point, count in enumerate(self.mine))

    @property
    def their_pips(self) -> int:
        """How far the opponent still has to go."""
        return sum(point * count for point, count in enumerate(self.theirs))

    @property
    def all_home(self) -> bool:
        """Whether every checker of the mover is home or off (R9)."""
        return not any(self.mine[7:])

    @property
    def all_off(self) -> bool:
        """Whether the mover has borne off all fifteen (R10)."""
        return self.mine[OFF] == CHECKERS

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"Position({self.mine!r}, {self.theirs!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Position.of_key, (self._key,)


_new = object.__new__


def _is_hex(digits: str) -> bool:
    return all(digit in "0123456789abcdef" for digit in digits)


def _counts(digits: str) -> tuple[int, ...]:
    return tuple(int(digit, 16) for digit in digits)


def position_of(setup: Setup, ruleset: "Ruleset") -> Position | Faults:
    """The position that a setup proves to be under `ruleset`, or all of its faults.

    A game can stand so when each side has fifteen checkers, no point holds both sides, nobody is on the bar of a game
    without hits, not both are done, and not both stand on the bar before a closed home (which no play can bring about).
    """
    flags = Fault(0)
    messages: list[Message] = []

    def fault(flag: Fault, id: str, **parameters: int) -> None:
        nonlocal flags
        flags |= flag
        messages.append(Message.of(id, **parameters))

    sides = (
        (setup.mine, Fault.MINE_TOO_MANY, Fault.MINE_TOO_FEW),
        (setup.theirs, Fault.THEIRS_TOO_MANY, Fault.THEIRS_TOO_FEW),
    )
    for number, (side, too_many, too_few) in enumerate(sides, start=1):
        total = sum(side)
        if any(count < 0 for count in side):
            fault(Fault.NEGATIVE, "position.negative", side=number)
        if total > CHECKERS:
            fault(too_many, "position.too_many", side=number, count=total)
        elif total < CHECKERS:
            fault(too_few, "position.too_few", side=number, count=total)
        if side[BAR] and not ruleset.hits:
            fault(Fault.BAR_IN_USE, "position.bar_in_use", side=number, count=side[BAR])
    for point in range(1, 25):
        if setup.mine[point] > 0 and setup.theirs[ruleset.facing(point)] > 0:
            fault(Fault.SHARED_POINT, "position.shared_point", point=point)
    if setup.mine[OFF] >= CHECKERS and setup.theirs[OFF] >= CHECKERS:
        fault(Fault.BOTH_OFF, "position.both_off")
    if ruleset.hits and _shut_out(setup.mine, setup.theirs) and _shut_out(setup.theirs, setup.mine):
        fault(Fault.BOTH_BLOCKED, "position.both_blocked")
    return Faults(flags, tuple(messages)) if messages else Position(setup.mine, setup.theirs)


def _shut_out(side: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether `side` has a checker on the bar and no point of the other's home is open."""
    return side[BAR] > 0 and all(count > 1 for count in other[1:7])
