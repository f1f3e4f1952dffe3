"""When a reading may be trusted: a state machine over quick looks, free of pixels.

Two kinds of cameras feed it. A live one gives several frames a second: the board is settled when it has held still for
a few of them. A time-lapse gives a frame a phase: each stands for itself, and one without a hand is settled.
"""

from dataclasses import dataclass
from enum import Enum, auto

from nardi_vision.glance import Glance
from nardi_vision.reading import EyeFault


@dataclass(frozen=True, slots=True)
class Limits:
    """Where each judgement tips. Shares are of the playing surface."""

    apart_ms: int = 500  # frames further apart than this stand each for itself
    still_ms: int = 100  # how long a live picture must have held still
    still_frames: int = 2
    moved: float = 0.006  # a third of a checker
    hand: float = 0.012
    dark: float = 14.0  # mean grey
    flat: float = 5.0  # deviation of the grey: a lens cap, a palm or a cloth leaves next to none
    blurred: float = 0.5  # of the fine detail that was there
    nudged_px: float = 2.0
    light: float = 0.01
    absorbed_ms: int = 8000  # what lies still this long over the frame, and is no hand, belongs there


class Phase(Enum):
    """What the camera is looking at."""

    SETTLED = auto()
    MOVING = auto()
    HAND = auto()
    BLIND = auto()  # covered, dark, blurred


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a look means. `read`: worth reading; `relocate`: find the board again; `relearn`: the light is new."""

    phase: Phase
    faults: tuple[EyeFault, ...]
    read: bool
    settled: bool
    nudged: bool
    relocate: bool
    relearn: bool


class Steady:
    """Feed it each frame's glance, and then what the reader says of hands in it."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._before_ms: int | None = None
        self._still_since_ms: int | None = None
        self._still_frames = 0
        self._intruder_since_ms: int | None = None
        self._intruder = 0.0
        self._lost = 0

    def judge(self, glance: Glance) -> Verdict:
        """What the frame is good for, as far as a quick look tells."""
        limits = self._limits
        blind = self._blind(glance)
        apart = self._before_ms is None or glance.t_ms - self._before_ms >= limits.apart_ms
        self._before_ms = glance.t_ms
        if blind is not None:
            self._still_frames, self._still_since_ms = 0, None
            return Verdict(Phase.BLIND, (blind,), False, False, False, False, False)
        faults: list[EyeFault] = []
        intruding = self._intruding(glance)
        # Under a hand the details that move are the hand's.
        nudged = glance.motion is not None and glance.shift_px >= limits.nudged_px and not intruding
        relocate = False
        if glance.motion is None:
            # A hand may hide what the camera is held by; only a view without one that matches nowhere is a lost board.
            self._lost += 1
            relocate = not intruding or self._lost >= 3
        else:
            self._lost = 0
        if nudged:
            faults.append(EyeFault.NUDGED)
        still = apart or (glance.moved <= limits.moved and not nudged)
        if not still:
            self._still_frames, self._still_since_ms = 0, None
        else:
            self._still_frames += 1
            if self._still_since_ms is None:
                self._still_since_ms = glance.t_ms
        held = apart or (
            self._still_frames >= limits.still_frames
            and self._still_since_ms is not None
            and glance.t_ms - self._still_since_ms >= limits.still_ms
        )
        relearn = glance.light >= limits.light and not intruding and held
        if relearn:
            faults.append(EyeFault.LIGHT_CHANGED)
        if glance.glare:
            faults.append(EyeFault.GLARE)
        if intruding:
            faults.append(EyeFault.HAND)
            return Verdict(Phase.HAND, tuple(faults), still, False, nudged, relocate, False)
        if not held:
            faults.append(EyeFault.MOVING)
            return Verdict(Phase.MOVING, tuple(faults), still, False, nudged, relocate, False)
        return Verdict(Phase.SETTLED, tuple(faults), True, True, nudged, relocate, relearn)

    def absorbs(self, glance: Glance, hand: bool) -> bool:
        """Whether what reaches over the frame has lain there long enough to belong; `hand`: the reader's word."""
        if hand:
            self._still_frames, self._still_since_ms = 0, None
        if self._intruder_since_ms is None:
            return False
        if hand:
            self._intruder_since_ms = glance.t_ms
        absorbed = glance.t_ms - self._intruder_since_ms >= self._limits.absorbed_ms
        if absorbed:
            self._intruder_since_ms = None
        return absorbed

    def _intruding(self, glance: Glance) -> bool:
        there = glance.intruder >= self._limits.hand
        if not there:
            self._intruder_since_ms = None
            self._intruder = 0.0
        elif self._intruder_since_ms is None or abs(glance.intruder - self._intruder) > 0.25 * self._intruder:
            # It came, or it moves.
            self._intruder_since_ms = glance.t_ms
            self._intruder = glance.intruder
        return there

    def _blind(self, glance: Glance) -> EyeFault | None:
        limits = self._limits
        if glance.level < limits.dark:
            return EyeFault.COVERED if glance.spread < limits.flat / 2 else EyeFault.DARK
        if glance.spread < limits.flat:
            return EyeFault.COVERED
        if glance.sharpness < limits.blurred:
            return EyeFault.BLURRED
        return None
