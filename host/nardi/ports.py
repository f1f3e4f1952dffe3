"""The five ports through which the table meets the world. Adapters are thin; simulators are adapters like any other."""

from collections.abc import AsyncIterator
from typing import Protocol

from nardi.game.match import Match
from nardi.game.observation import Observation
from nardi.views.scene import Scene


class Eye(Protocol):
    """Looks at the board. Readings come as `BoardSeen` observations."""

    def observations(self) -> AsyncIterator[Observation]: ...

    def confirm(self, points: tuple[tuple[str | None, int], ...], bar: tuple[int, int]) -> None:
        """What the board is now known to hold, in image order ((shade, count) x 24; bar light, dark): the eye learns from it."""
        ...

    async def snapshot(self) -> bytes | None:
        """One JPEG of now, or None."""
        ...


class Dice(Protocol):
    """Feels or sees dice."""

    def observations(self) -> AsyncIterator[Observation]: ...


class Display(Protocol):
    """Shows scenes; the newest wins, a slow or dead display never holds anything up."""

    def show(self, scene: Scene) -> None: ...

    def observations(self) -> AsyncIterator[Observation]:
        """Button presses, as commands, and the device coming and going."""
        ...


class Club(Protocol):
    """Tells the world about the match, and brings commands of people who may give them."""

    def publish(self, match: Match) -> None: ...

    def observations(self) -> AsyncIterator[Observation]: ...


class Clock(Protocol):
    """The time. Everything that depends on time takes it from here."""

    def now_ms(self) -> int: ...

    async def sleep_ms(self, ms: int) -> None: ...
