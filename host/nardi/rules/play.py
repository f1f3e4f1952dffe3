"""A step of one checker, and a play: the whole turn."""

from dataclasses import dataclass

from nardi.rules.position import BAR, OFF, Position


@dataclass(frozen=True, slots=True)
class Step:
    """One checker moved by one number, in the mover's numbering: 25 is the bar, 0 is off."""

    source: int
    target: int
    hits: bool = False

    @property
    def pips(self) -> int:
        """How many points the checker moved."""
        return self.source - self.target


@dataclass(frozen=True, slots=True)
class Play:
    """A turn: the steps in the order in which they can be made, and the positions around them.

    `after` still has the same player's side first. A turn in which nothing can be played has no steps.
    """

    steps: tuple[Step, ...]
    before: Position
    after: Position

    @property
    def notation(self) -> str:
        """The play in strict notation: `13/7 24/23`, `8/5*(2)`, `bar/20`, `6/off`; empty for no play."""
        return notation_of(self.steps)


def point_name(point: int) -> str:
    return "bar" if point == BAR else "off" if point == OFF else str(point)


def chains_of(steps: tuple[Step, ...]) -> list[list[Step]]:
    """The steps gathered by the checker that makes them, the farthest checker first.

    Where two checkers stand together it is all one which of them goes on: the one looked at first does.
    """
    left = sorted(steps, key=lambda step: (-step.source, -step.target, not step.hits))
    chains: list[list[Step]] = []
    while left:
        chain = [left.pop(0)]
        while following := next((step for step in left if step.source == chain[-1].target), None):
            left.remove(following)
            chain.append(following)
        chains.append(chain)
    return chains


def notation_of(steps: tuple[Step, ...]) -> str:
    """Steps in strict notation: farthest checker first, one word a checker, halts shown only where it hit."""
    words: dict[str, int] = {}
    for chain in chains_of(steps):
        word = point_name(chain[0].source)
        for step in chain:
            if step.hits or step is chain[-1]:
                word += f"/{point_name(step.target)}{'*' if step.hits else ''}"
        # The second checker to a point where the first hit is written with it: 8/5*(2).
        same = word if word in words or f"{word}*" not in words else f"{word}*"
        words[same] = words.get(same, 0) + 1
    return " ".join(word if count == 1 else f"{word}({count})" for word, count in words.items())
