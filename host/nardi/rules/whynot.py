"""Why a play is not legal: the rule, the steps concerned, and the smallest change that would make it legal."""

from dataclasses import dataclass

from nardi.rules.play import Play, Step
from nardi.rules.position import Position
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset
from nardi.text.message import Message


@dataclass(frozen=True, slots=True)
class Illegality:
    """What is wrong with an attempted play.

    `rule` is its ID in RULES.md; `steps` are those concerned (the wrong ones, or the ones that were to be played);
    `nearest` is the legal play that takes the smallest change of the board.
    """

    rule: str
    message: Message
    steps: tuple[Step, ...]
    nearest: Play | None


def why_not(
    before: Position, attempted: Position, roll: Roll, ruleset: Ruleset, first_turn: bool = False
) -> Illegality | None:
    """What is wrong with going from `before` to `attempted` (same mover's side first); None if legal."""
    raise NotImplementedError
