"""Simulated dice: they tumble, bounce, cock, and speak the very lines that real ones send."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random


def dice_line(die: str, sequence: int, *words: str | int) -> str:
    """A line of the serial contract with its checksum: `$DIE,w1,2,SETTLED,5,1*4F`."""
    body = ",".join(["DIE", die, str(sequence), *map(str, words)])
    check = 0
    for byte in body.encode("ascii"):
        check ^= byte
    return f"${body}*{check:02X}"


@dataclass(frozen=True, slots=True)
class Lie:
    """How a thrown die came to lie. `half` 0 or 1: which half of the board; `x`, `y`: 0..1 on the board.

    `misplaced`: "on_checker" or "off_board" where it is (E1), else "".
    """

    value: int
    tilt_deg: int
    half: int
    x: float
    y: float
    misplaced: str = ""

    @property
    def cocked(self) -> bool:
        return self.tilt_deg > 10

    @property
    def state(self) -> str:
        """flat, cocked, on_checker or off_board."""
        return self.misplaced or ("cocked" if self.cocked else "flat")


@dataclass(slots=True)
class SimulatedDie:
    """One die with its own sequence counter, as the firmware keeps it."""

    name: str
    sequence: int = 0
    lie: Lie | None = field(default=None)

    def line(self, *words: str | int) -> str:
        self.sequence += 1
        return dice_line(self.name, self.sequence, *words)

    def throw(self, random: Random, half: int, cocks: float) -> Iterator[tuple[int, str]]:
        """The (delay in ms, line) pairs of one throw; `cocks` is the chance of coming to rest leaning."""
        yield 0, self.line("ROLLING")
        tilt = random.randint(16, 38) if random.random() < cocks else random.choice((0, 0, 1, 1, 2))
        low = 0.08 if half == 0 else 0.58
        self.lie = Lie(
            value=random.randint(1, 6),
            tilt_deg=tilt,
            half=half,
            x=low + random.random() * 0.34,
            y=0.42 + random.random() * 0.16,
        )
        # A die that bounces off the rail tumbles again before it rests.
        if random.random() < 0.1:
            yield 180, self.line("ROLLING")
        yield random.randint(350, 900), self.line("SETTLED", self.lie.value, tilt)

    def lift(self) -> str:
        self.lie = None
        return self.line("LIFTED")
