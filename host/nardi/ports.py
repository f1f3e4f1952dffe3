"""The five ports through which the table meets the world. Adapters are thin; simulators are adapters like any other.

Adapters have threads of their own and never hold the table up: what they have to say they `post`, from any thread, and
the table takes it when its turn comes.
"""

from collections.abc import Callable
from typing import Protocol

from nardi.devices.wire.packet import Button, Press
from nardi.game.board import Board
from nardi.game.match import Match
from nardi.game.observation import Observation
from nardi.views.scene import Scene

Post = Callable[[Observation], None]
"""Hands the table an observation; safe from any thread, returns at once."""

Pushed = Callable[[Button, Press, int], None]
"""A button was pushed, at a time in ms of the table clock. Whose word it is, the match tells."""


class Eye(Protocol):
    """Looks at the board: readings come as `BoardSeen`, its own coming and going as `DeviceLost` and `DeviceFound`."""

    def start(self, post: Post) -> None: ...

    def confirm(self, board: Board) -> None:
        """What the board is now known to hold: the eye learns from it."""
        ...

    def stop(self) -> None: ...


class Dice(Protocol):
    """Feels dice being thrown, settling, being lifted."""

    def start(self, post: Post) -> None: ...

    def stop(self) -> None: ...


class Display(Protocol):
    """Shows scenes; the newest wins, and a slow or dead display never holds anything up."""

    def start(self, post: Post, pushed: Pushed) -> None: ...

    def show(self, scene: Scene) -> None: ...

    def stop(self) -> None: ...


class Club(Protocol):
    """Tells the world about the match, and brings commands of people who may give them."""

    def start(self, post: Post) -> None: ...

    def publish(self, match: Match) -> None: ...

    def stop(self) -> None: ...


class Clock(Protocol):
    """The time. Everything that depends on time takes it from here."""

    def now_ms(self) -> int:
        """Milliseconds of the table clock: never runs backwards."""
        ...
