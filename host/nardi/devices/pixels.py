"""Pixels dice: what their notifications mean. A throw is the change from rolling to on a face."""

from dataclasses import dataclass
from enum import IntEnum

from nardi.devices.dice_report import (
    Battery,
    DiceReport,
    Lifted,
    LineFault,
    LineReason,
    Lost,
    Rolling,
    Settled,
    printable,
)

SERVICE = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
NOTIFY = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
WRITE = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
WHO_ARE_YOU = bytes((1,))
PIPPED_D6_LEDS = 21
CROOKED_TILT_DEG = 20
"""Pixels tell only that they lie crooked, not how much."""


class MessageId(IntEnum):
    I_AM_A_DIE = 2
    ROLL_STATE = 3
    TELEMETRY = 4
    BATTERY_LEVEL = 34


class RollState(IntEnum):
    UNKNOWN = 0
    ON_FACE = 1
    HANDLING = 2
    ROLLING = 3
    CROOKED = 4


@dataclass(slots=True)
class PixelsDie:
    """One die, `die` its id at this table. Messages have no numbers, so their count serves as `seq`."""

    die: str
    seq: int = 0
    state: RollState = RollState.UNKNOWN
    thrown: bool = False
    leds: int | None = None
    faults: int = 0

    def feed(self, message: bytes) -> list[DiceReport]:
        """What one notification says. Kinds that do not matter here are passed over; short ones are faults."""
        if not message:
            return self._fault(LineReason.SHAPE, message)
        match message[0]:
            case MessageId.ROLL_STATE:
                if len(message) < 3:
                    return self._fault(LineReason.SHAPE, message)
                if message[1] > max(RollState) or message[2] > 5:
                    return self._fault(LineReason.VALUE, message)
                return self._roll_state(RollState(message[1]), message[2] + 1)
            case MessageId.BATTERY_LEVEL:
                if len(message) < 2:
                    return self._fault(LineReason.SHAPE, message)
                return [Battery(self.die, self._next(), min(message[1], 100))]
            case MessageId.I_AM_A_DIE:
                if len(message) < 2:
                    return self._fault(LineReason.SHAPE, message)
                self.leds = message[1]
                return []
            case _:
                return []

    def cut(self) -> list[DiceReport]:
        """The radio link dropped: unknown until it is thrown again."""
        self.state = RollState.UNKNOWN
        self.thrown = False
        return [Lost(self.die)]

    def _roll_state(self, state: RollState, value: int) -> list[DiceReport]:
        if state == self.state:
            return []
        self.state = state
        match state:
            case RollState.ROLLING:
                self.thrown = True
                return [Rolling(self.die, self._next())]
            case RollState.HANDLING:
                self.thrown = False
                return [Lifted(self.die, self._next())]
            case RollState.ON_FACE if self.thrown:
                self.thrown = False
                return [Settled(self.die, self._next(), value, 0)]
            case RollState.CROOKED if self.thrown:
                # Still the same throw: it may yet fall flat.
                return [Settled(self.die, self._next(), value, CROOKED_TILT_DEG)]
            case _:
                # Put down by hand, or seen for the first time: no throw.
                return []

    def _fault(self, reason: LineReason, message: bytes) -> list[DiceReport]:
        self.faults += 1
        return [LineFault(reason, printable(message))]

    def _next(self) -> int:
        self.seq = (self.seq + 1) % 65536
        return self.seq
