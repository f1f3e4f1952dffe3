"""The legal plays of a position and a roll, as one object: iterate, count, `in`, truth, by resulting position."""

from collections.abc import Collection, Iterator

from nardi.rules.plain import plain_ends
from nardi.rules.play import Play
from nardi.rules.position import SIDE_BITS, Position
from nardi.rules.roll import Roll
from nardi.rules.ruleset import HitAndHide, Ruleset
from nardi.rules.search import search

_new = object.__new__


def end_keys(key: int, a: int, b: int, ruleset: Ruleset, first_turn: bool) -> Collection[int]:
    """The keys of the distinct end positions of a turn; the unchanged one when nothing can be played."""
    if ruleset.is_plain or (ruleset.hits and _stays_plain(key, a, b, ruleset)):
        return plain_ends(key, a, b)
    return search(key, a, b, ruleset, first_turn) or (key,)


_SINGLES = int("1" * 26, 16)
_THEIR_POINTS = (1 << 100) - 16  # the digits of their points 24 (bit 4 on) to 1
_THEIR_FAR_HOME = (1 << 28) - 16  # those of their 24 to 19, which are my home


def _stays_plain(key: int, a: int, b: int, ruleset: Ruleset) -> bool:
    """Whether V1 and V2 cannot bite in this turn: nothing to hit where it matters, nothing to bear off."""
    if ruleset.least_waste:
        # While a checker is too far out to come home in this turn, none is borne off, so none wastefully.
        reach = 6 + (4 * a if a == b else a + b)
        if reach >= 25 or not key >> SIDE_BITS & (1 << 4 * (25 - reach)) - 1:
            return False
    if ruleset.hit_and_hide is not HitAndHide.FREE:
        theirs = key & (1 << SIDE_BITS) - 1
        more = theirs >> 1 | theirs >> 2 | theirs >> 3
        blots = theirs & ~more & _SINGLES  # places with exactly one of their checkers
        if blots & (_THEIR_FAR_HOME if ruleset.hit_and_hide is HitAndHide.HOME else _THEIR_POINTS):
            return False
    return True


class LegalPlays:
    """What the mover may do: one `Play` for each distinct end position, its steps in good order.

    Where nothing can be played there is one play without steps (R8), and the whole is false. `first_turn` says that it
    is this player's first turn of the game, which matters in long nardi (L2).
    """

    __slots__ = ("_ends", "_plays", "first_turn", "position", "roll", "ruleset")

    def __init__(self, position: Position, roll: Roll, ruleset: Ruleset, first_turn: bool = False) -> None:
        self.position = position
        self.roll = roll
        self.ruleset = ruleset
        self.first_turn = first_turn
        self._ends: tuple[Position, ...] | None = None
        self._plays: dict[int, Play] | None = None

    @property
    def ends(self) -> tuple[Position, ...]:
        """The distinct positions the turn can end in, the same mover's side first; the unchanged one for no play."""
        if self._ends is None:
            if self._plays is None:
                roll = self.roll
                ends = []
                for key in end_keys(self.position.key, roll.a, roll.b, self.ruleset, self.first_turn):
                    end = _new(Position)
                    end._key = key
                    ends.append(end)
                self._ends = tuple(ends)
            else:
                self._ends = tuple([play.after for play in self._plays.values()])
        return self._ends

    def by_result(self, position: Position) -> Play | None:
        """The play that ends in `position`, if it is legal."""
        return self._by_key().get(position.key)

    @property
    def is_forced(self) -> bool:
        """Whether there is but one way to end the turn."""
        return len(self) == 1

    def _by_key(self) -> dict[int, Play]:
        if self._plays is None:
            before = self.position
            found = search(before.key, self.roll.a, self.roll.b, self.ruleset, self.first_turn)
            plays = [Play(steps, before, Position.of_key(key)) for key, steps in found.items()]
            plays.sort(key=_order)
            self._plays = {play.after.key: play for play in plays or [Play((), before, before)]}
        return self._plays

    def __iter__(self) -> Iterator[Play]:
        return iter(self._by_key().values())

    def __len__(self) -> int:
        return len(self.ends)

    def __contains__(self, play: object) -> bool:
        """Whether a play, or the position it leads to, is legal here; a play must also have begun here."""
        if isinstance(play, Play):
            return play.before == self.position and play.after in self.ends
        return isinstance(play, Position) and play in self.ends

    def __bool__(self) -> bool:
        """False where the only 'play' is to play nothing."""
        return self.ends != (self.position,)

    def __repr__(self) -> str:
        first = ", first_turn=True" if self.first_turn else ""
        return f"LegalPlays({self.position!r}, {self.roll!r}, {self.ruleset.name!r}{first})"


def _order(play: Play) -> tuple[tuple[int, int], ...]:
    """The farthest checker's plays first."""
    return tuple((-step.source, -step.target) for step in play.steps)
