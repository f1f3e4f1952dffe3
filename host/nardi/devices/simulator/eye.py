"""A simulated eye: what a good eye would report of a picture, doubts and mistakes included, without drawing it.

For long simulations, where drawing and reading pixels would take days. `nardi demo` and `nardi simulate --eye pixels`
use the real eye on drawn pictures instead.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

from nardi.devices.simulator.dice import Lie
from nardi_vision.reading import (
    MOST,
    BoardReading,
    CubeReading,
    DieReading,
    DieState,
    EyeFault,
    Pile,
    Shade,
    Slot,
)

Content = tuple[Shade | None, int]


@dataclass(frozen=True, slots=True)
class SimulatedEye:
    """`doubt`: chance a slot's count is uncertain by one; `error`: chance a slot's likeliest content is wrong.

    Both a slot and picture, as measured eyes have them. From `countable` checkers on, counts look alike from above.
    """

    random: Random
    doubt: float = 0.02
    error: float = 0.0005
    countable: int = 8

    def read(
        self,
        t_ms: int,
        points: Sequence[Content],
        bar: tuple[int, int],
        off: tuple[int, int] | None,
        hidden: Collection[int] = (),
        bar_hidden: bool = False,
        dice: Sequence[DieReading] = (),
        cube: CubeReading | None = None,
        astride: Collection[int] = (),
    ) -> BoardReading:
        """The reading of one picture. `points`: 24 contents in image order; `bar`, `off`: (light, dark) counts.

        `hidden`, `astride`: slots under a hand, and slots between which a checker stands crooked.
        """
        hand = bool(hidden) or bar_hidden
        return BoardReading(
            t_ms=t_ms,
            points=tuple(
                self._slot(content, number in hidden, number in astride) for number, content in enumerate(points)
            ),
            bar=Pile(self._pile(bar[0]), self._pile(bar[1]), bar_hidden),
            off=None if off is None else Pile(self._pile(off[0]), self._pile(off[1])),
            dice=tuple(dice),
            cube=cube,
            settled=not hand,
            hand=hand,
            faults=(EyeFault.ASTRIDE,) if astride else (),
            corners=None,
        )

    def _slot(self, content: Content, hidden: bool, astride: bool) -> Slot:
        if hidden or astride:
            flat = 1.0 / (2 * MOST + 1)
            return Slot(flat, (flat,) * MOST, (flat,) * MOST, hidden, EyeFault.ASTRIDE if astride else None)
        shade, count = content
        weights = {"light": [1e-6] * (MOST + 1), "dark": [1e-6] * (MOST + 1)}
        empty = 1e-6
        chance = self.random.random()
        neighbour = max(0, min(MOST, count + self.random.choice((-1, 1))))
        sure = 0.996
        if chance < self.error:
            sure = 0.35
        elif chance < self.error + self.doubt:
            sure = 0.7
        if shade is None or count == 0:
            empty = sure
            weights[self.random.choice(("light", "dark"))][1] = 1 - sure
        else:
            row = weights[shade]
            row[count] = sure
            if neighbour == 0:
                empty = 1 - sure
            else:
                row[neighbour] += 1 - sure
            if count > self.countable:
                # A tall heap: its height can be guessed, not counted.
                for guess in range(self.countable, MOST + 1):
                    row[guess] = 0.9 ** abs(guess - count)
        total = empty + sum(weights["light"][1:]) + sum(weights["dark"][1:])
        return Slot(
            empty / total,
            tuple(weight / total for weight in weights["light"][1:]),
            tuple(weight / total for weight in weights["dark"][1:]),
        )

    def _pile(self, count: int) -> tuple[float, ...]:
        sure = 0.6 if self.random.random() < self.doubt else 0.99
        weights = [1e-6] * (MOST + 1)
        weights[count] = sure
        near = [place for place in (count - 1, count + 1) if 0 <= place <= MOST]
        for place in near:
            weights[place] += (1 - sure) / len(near)
        total = sum(weights)
        return tuple(weight / total for weight in weights)


def die_reading(lie: Lie) -> DieReading:
    """A die as a good eye sees it lying on the board."""
    return DieReading(lie.value, 0.98, DieState(lie.state), lie.half, lie.x, lie.y)
