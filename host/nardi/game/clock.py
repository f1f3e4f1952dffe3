"""Clocks T1 and T2, computed from stamps, never by counting ticks.

T1 (`kind` "turn"): each turn has its own time, then the player's reserve for the game runs; at zero nothing happens by
itself, the opponent must claim. T2 (`kind` "delay"): each turn has a delay that is not counted, then the player's bank
for the match runs. Both are the same arithmetic: what a turn takes beyond `per_turn_ms` comes off `reserve_ms`.
"""

from dataclasses import dataclass, replace

from nardi.rules.color import ByColor, Color
from nardi.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class ClockRules:
    """`kind` "turn" (T1) or "delay" (T2); `reserve_ms` is each player's reserve for the game, or bank for the match."""

    per_turn_ms: int
    reserve_ms: int
    kind: str = "delay"


@dataclass(frozen=True, slots=True)
class Clocks:
    """`reserve_ms`: what each had left when the present turn began; `since_ms`: the stamp from which the turn counts.

    `spent_ms`: of this turn, before the last pause. `rules` None: no clock is used.
    """

    rules: ClockRules | None = None
    reserve_ms: ByColor[int] = ByColor(0, 0)
    running: Color | None = None
    since_ms: int = 0
    spent_ms: int = 0
    paused: bool = False


def rules_of(ruleset: Ruleset, length: int) -> ClockRules | None:
    """The clock that `ruleset` sets for a match to `length` points; None where it sets none.

    T1 where the ruleset has a time for the turn; else T2 with a bank by match point (a series without length has none).
    """
    if ruleset.turn_ms:
        return ClockRules(ruleset.turn_ms, ruleset.reserve_ms, "turn")
    if ruleset.bank_ms_per_point and length:
        return ClockRules(ruleset.delay_ms, ruleset.bank_ms_per_point * length, "delay")
    return None


def new_clocks(rules: ClockRules | None) -> Clocks:
    """Both clocks full, none running."""
    return Clocks(rules, ByColor(rules.reserve_ms, rules.reserve_ms)) if rules else Clocks()


def spent_ms(clocks: Clocks, now_ms: int) -> int:
    """How long the present turn has taken so far, pauses left out. A clock set back counts as no time."""
    if clocks.running is None:
        return 0
    return clocks.spent_ms + (0 if clocks.paused else max(0, now_ms - clocks.since_ms))


def turn_left_ms(clocks: Clocks, now_ms: int) -> int:
    """What is left of the turn's own time or delay."""
    return max(0, clocks.rules.per_turn_ms - spent_ms(clocks, now_ms)) if clocks.rules else 0


def left_ms(clocks: Clocks, color: Color, now_ms: int) -> int:
    """What `color` has left of reserve or bank; never below 0."""
    return max(0, _balance_ms(clocks, color, now_ms))


def _balance_ms(clocks: Clocks, color: Color, now_ms: int) -> int:
    if clocks.rules is None or color is not clocks.running:
        return clocks.reserve_ms[color]
    return clocks.reserve_ms[color] - max(0, spent_ms(clocks, now_ms) - clocks.rules.per_turn_ms)


def both_left_ms(clocks: Clocks, now_ms: int) -> ByColor[int]:
    """What both have left."""
    return ByColor(left_ms(clocks, Color.WHITE, now_ms), left_ms(clocks, Color.BLACK, now_ms))


def is_flagged(clocks: Clocks, now_ms: int) -> bool:
    """Whether the player whose clock runs has used up everything: at the very last millisecond not yet."""
    if clocks.rules is None or clocks.running is None:
        return False
    return _balance_ms(clocks, clocks.running, now_ms) < 0


def started(clocks: Clocks, color: Color, now_ms: int) -> Clocks:
    """`color`'s turn begins: the other's is closed, and this turn's own time is whole."""
    closed = stopped(clocks, now_ms)
    return replace(closed, running=color, since_ms=now_ms, spent_ms=0)


def stopped(clocks: Clocks, now_ms: int) -> Clocks:
    """Nobody's clock runs; what the present turn took beyond its own time is taken off."""
    return replace(clocks, reserve_ms=both_left_ms(clocks, now_ms), running=None, since_ms=now_ms, spent_ms=0)


def paused(clocks: Clocks, now_ms: int) -> Clocks:
    """The referee stops time; what is left of the delay stays (CASES 20)."""
    if clocks.paused:
        return clocks
    return replace(clocks, spent_ms=spent_ms(clocks, now_ms), since_ms=now_ms, paused=True)


def resumed(clocks: Clocks, now_ms: int) -> Clocks:
    return replace(clocks, since_ms=now_ms, paused=False) if clocks.paused else clocks


def adjusted(clocks: Clocks, color: Color, left: int, now_ms: int) -> Clocks:
    """The referee sets `color`'s reserve or bank to `left` ms; the turn's own time goes on as it was."""
    taken = clocks.reserve_ms[color] - _balance_ms(clocks, color, now_ms)
    return replace(clocks, reserve_ms=clocks.reserve_ms.with_(color, left + taken))


def refilled(clocks: Clocks) -> Clocks:
    """T1: the reserve is for the game, so a new one begins full. T2's bank is for the match and stays."""
    if clocks.rules is None or clocks.rules.kind != "turn":
        return clocks
    return replace(clocks, reserve_ms=ByColor(clocks.rules.reserve_ms, clocks.rules.reserve_ms))


def swapped(clocks: Clocks) -> Clocks:
    """The players have exchanged colours: each keeps their own time."""
    return replace(clocks, reserve_ms=ByColor(clocks.reserve_ms.black, clocks.reserve_ms.white))
