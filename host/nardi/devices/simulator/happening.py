"""What happens at a simulated table, as its devices could notice it."""

from dataclasses import dataclass

from nardi.devices.simulator.dice import Lie
from nardi.game.observation import Command
from nardi.rules import Color, Setup


@dataclass(frozen=True, slots=True)
class Picture:
    """The table as a camera could see it at `t_ms`.

    `board`: White's 26 counts, then Black's, each in that player's own numbering. `hidden`: White's points under a hand
    (25: the bar), empty when no hand is in view. `dice`: how the dice on the board lie. `cube`: value and owner.
    `astride`: White's points between which a checker stands crooked.
    """

    t_ms: int
    board: Setup
    hidden: frozenset[int] = frozenset()
    dice: tuple[Lie, ...] = ()
    cube: tuple[int, Color | None] | None = None
    astride: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Line:
    """What the dice said at `t_ms`."""

    t_ms: int
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """The link to a device (dice, eye, display) dropped or came back at `t_ms`."""

    t_ms: int
    device: str
    up: bool


Happening = Picture | Line | Link | Command
