"""Positions to test with: reached by random legal plays, or drawn by Hypothesis."""

import random
from collections.abc import Iterator

from hypothesis import strategies

from nardi.rules import RULESETS, LegalPlays, Position, Roll, Ruleset

NAMES = tuple(RULESETS)


def walk(ruleset: Ruleset, seed: int, count: int) -> Iterator[tuple[Position, Roll, bool]]:
    """`count` positions to move in, with a roll and whether it is that player's first turn, game after game."""
    source = random.Random(seed)
    given = 0
    while True:
        position, turn = ruleset.start, 0
        while position.theirs[0] != 15:
            roll = Roll(source.randint(1, 6), source.randint(1, 6))
            yield position, roll, turn < 2
            given += 1
            if given == count:
                return
            position = source.choice(LegalPlays(position, roll, ruleset, turn < 2).ends).flipped
            turn += 1


def rolls() -> strategies.SearchStrategy[Roll]:
    return strategies.builds(Roll, strategies.integers(1, 6), strategies.integers(1, 6))


@strategies.composite
def positions(draw: strategies.DrawFn, ruleset: Ruleset) -> Position:
    """Any fifteen against fifteen that can stand together: far stranger than play brings about."""
    source = random.Random(draw(strategies.integers(0, 2**32)))
    late = draw(strategies.booleans())
    mine = _row(source, range(0, 10) if late else range(1, 26), set(), ruleset)
    taken = {ruleset.facing(point) for point in range(1, 25) if mine[point]}
    theirs = _row(source, range(1, 26) if not late else range(0, 13), taken, ruleset)
    return Position(tuple(mine), tuple(theirs))


def _row(source: random.Random, places: range, taken: set[int], ruleset: Ruleset) -> list[int]:
    row = [0] * 26
    free = [place for place in places if place not in taken and (ruleset.hits or place != 25)] or [1]
    spots = source.sample(free, min(len(free), source.randint(3, 9)))
    for _ in range(15):
        row[source.choice(spots)] += 1
    if row[0] == 15:
        row[0], row[spots[0] or 1] = 14, 1
    return row


STRANGE = strategies.sampled_from(NAMES).flatmap(
    lambda name: strategies.tuples(strategies.just(RULESETS[name]), positions(RULESETS[name]), rolls())
)
"""(ruleset, position, roll) of any of the seven rulesets."""
