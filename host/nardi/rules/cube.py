"""The cube, or Davo: a value, and what may be done with it (RULES.md C)."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nardi.rules.color import Color
from nardi.rules.ruleset import Progression, Ruleset
from nardi.text.message import Message

if TYPE_CHECKING:
    from nardi.rules.score import MatchScore


@dataclass(frozen=True, slots=True)
class Cube:
    """The cube as it stands. `owner` None: in the middle. `offered_by`: whose offer waits for an answer.

    While an offer waits, `value` is still the value before it, which is what a pass pays (C2). An offer made by the
    cube's owner right after taking is a beaver: `beaver` (C6).
    """

    value: int = 1
    owner: Color | None = None
    offered_by: Color | None = None
    beaver: bool = False

    @property
    def is_turned(self) -> bool:
        """Whether a player has doubled in this game; automatic doubles leave the cube in the middle."""
        return self.owner is not None

    @property
    def answered_by(self) -> Color | None:
        """Whose answer an offer waits for."""
        return None if self.offered_by is None else self.offered_by.other


def next_value(value: int, ruleset: Ruleset) -> int:
    """C5: the value after one more double."""
    return value + 1 if ruleset.progression is Progression.ARITHMETIC else value * 2


def may_double(
    cube: Cube, by: Color, ruleset: Ruleset, score: "MatchScore", on_roll: Color, rolled: bool = False
) -> Message | None:
    """Why `by` may not offer a double now; None if they may (C1, C4, C7).

    `on_roll` is the player whose turn it is, `rolled` whether they have thrown.
    """
    if not ruleset.cube:
        return Message.of("cube.off")
    if cube.offered_by is not None:
        return Message.of("cube.answer_first")
    if by is not on_roll:
        return Message.of("cube.not_your_turn")
    if rolled:
        return Message.of("cube.already_rolled")
    if cube.owner is by.other:
        return Message.of("cube.not_yours")
    if score.crawford:
        return Message.of("cube.crawford")
    return _too_high(cube.value, ruleset) or _dead(cube, by, score)


def _too_high(value: int, ruleset: Ruleset) -> Message | None:
    offer = next_value(value, ruleset)
    if ruleset.cube_limit is not None and offer > ruleset.cube_limit:
        return Message.of("cube.over_limit", value=offer, limit=ruleset.cube_limit)
    return None


def _dead(cube: Cube, by: Color, score: "MatchScore") -> Message | None:
    """C7: a single game at the present value already wins the match, so more can gain nothing."""
    away = score.away(by)
    if away is not None and cube.value >= away:
        return Message.of("cube.dead", value=cube.value, away=away)
    return None


def may_beaver(cube: Cube, by: Color, ruleset: Ruleset, score: "MatchScore") -> Message | None:
    """Why `by`, who has been doubled, may not beaver; None if they may (C6: money games only)."""
    if not ruleset.beaver or score.length is not None:
        return Message.of("cube.no_beaver")
    if cube.answered_by is not by or cube.beaver:
        return Message.of("cube.nothing_to_answer")
    return _too_high(next_value(cube.value, ruleset), ruleset)


def may_answer(cube: Cube, by: Color) -> Message | None:
    """Why `by` cannot take or pass now; None if they can."""
    return None if cube.answered_by is by else Message.of("cube.nothing_to_answer")


def offered(cube: Cube, by: Color) -> Cube:
    """The cube while `by`'s double waits for its answer. That it is allowed is `may_double`'s matter."""
    return replace(cube, offered_by=by, beaver=False)


def taken(cube: Cube, ruleset: Ruleset) -> Cube:
    """The cube after the waiting offer is accepted: its taker owns it, or keeps it after a beaver.

    Raises ValueError where nothing was offered.
    """
    offerer = _offerer(cube)
    return Cube(next_value(cube.value, ruleset), offerer if cube.beaver else offerer.other)


def beavered(cube: Cube, ruleset: Ruleset) -> Cube:
    """The cube after the taker redoubles at once: theirs, with the beaver waiting for the doubler's answer.

    Its value is the doubled stake, which the doubler loses by refusing. Raises ValueError where nothing was offered.
    """
    taker = _offerer(cube).other
    return Cube(next_value(cube.value, ruleset), taker, offered_by=taker, beaver=True)


def passed(cube: Cube) -> tuple[Color, int]:
    """Who wins by the pass, and the points: the stake before the offer (C2).

    Raises ValueError where nothing was offered.
    """
    return _offerer(cube), cube.value


def _offerer(cube: Cube) -> Color:
    if cube.offered_by is None:
        raise ValueError("no double waits for an answer")
    return cube.offered_by


def automatic_double(cube: Cube, doubled_before: int, ruleset: Ruleset, score: "MatchScore") -> Cube | None:
    """C6: the cube after an equal opening throw; None where it is not doubled (again).

    `doubled_before` counts this game's automatic doubles so far; matches have none.
    """
    if not ruleset.cube or score.length is not None or doubled_before >= ruleset.automatic_doubles:
        return None
    if _too_high(cube.value, ruleset):
        return None
    return Cube(next_value(cube.value, ruleset))
