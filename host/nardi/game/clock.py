"""Clocks T1 and T2, computed from stamps, never by counting ticks."""

from dataclasses import dataclass

from nardi.rules.color import ByColor, Color


@dataclass(frozen=True, slots=True)
class ClockRules:
    """T1: `per_turn_ms` each turn, then the reserve. T2: `per_turn_ms` is the delay, the reserve is the bank for the match.

    `claimed`: T1: at zero nothing happens until the opponent claims.
    """

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
