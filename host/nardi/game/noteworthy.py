"""Whether a reading says something new, so that ten of them a second are neither judged nor kept."""

from nardi_vision.reading import BoardReading, DieReading, Slot

MOVED = 0.15
"""A slot says something new when the weight of any content has changed by this much."""

AGAIN_MS = 2000
"""A still picture says the same again after this long, so that a lasting disagreement is judged more than once."""


def is_noteworthy(previous: BoardReading | None, reading: BoardReading) -> bool:
    """Whether `reading` differs from the last noteworthy one in contents, hand, settling, faults, dice or cube."""
    if previous is None:
        return True
    if (
        previous.settled != reading.settled
        or previous.hand != reading.hand
        or set(previous.faults) != set(reading.faults)
        or _dice(previous.dice) != _dice(reading.dice)
    ):
        return True
    if reading.settled and reading.t_ms - previous.t_ms >= AGAIN_MS:
        return True
    pairs = zip(previous.points, reading.points, strict=True)
    if any(_differ(then, now) for then, now in pairs):
        return True
    return _piles(previous) != _piles(reading)


def _dice(dice: tuple[DieReading, ...]) -> list[tuple[int | None, str, int | None]]:
    return sorted(((die.value, die.state.value, die.half) for die in dice), key=repr)


def _piles(reading: BoardReading) -> tuple[object, ...]:
    piles = (reading.bar, reading.off)
    return tuple(None if pile is None else (pile.occluded, pile.count("light"), pile.count("dark")) for pile in piles)


def _differ(then: Slot, now: Slot) -> bool:
    if then.occluded != now.occluded or then.best != now.best:
        return True
    if abs(then.empty - now.empty) >= MOVED:
        return True
    rows = ((then.light, now.light), (then.dark, now.dark))
    return any(abs(a - b) >= MOVED for was, are in rows for a, b in zip(was, are, strict=True))
