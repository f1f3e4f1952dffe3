"""GoDice: what their notifications mean. Only a plain stable is a throw; a tilted one is a cocked one.

They do not tell that they are picked up: the next that is heard of them is the next throw. Questions about battery or
colour never bring a stable, so one that comes without its beginning, heard or not, is a throw as well.
"""

from dataclasses import dataclass

from nardi.devices.dice_report import (
    Battery,
    DiceReport,
    LineFault,
    LineReason,
    Lost,
    Rolling,
    Settled,
    printable,
)
from nardi.devices.gravity import nearest_face

SERVICE = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
NOTIFY = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
WRITE = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
NAME_PREFIX = "GoDice_"
ASK_BATTERY = bytes((3,))
COCKED_TILT_DEG = 20
"""The least tilt told for a die that says itself that it lies on an edge, whatever its vector says."""

# Gravity as each face reports it when it lies on top (the six-sided shell), in 1/64 g.
FACES = {1: (-64, 0, 0), 2: (0, 0, 64), 3: (0, 64, 0), 4: (0, -64, 0), 5: (0, 0, -64), 6: (64, 0, 0)}


@dataclass(slots=True)
class GoDie:
    """One die, `die` its id at this table. Messages have no numbers, so their count serves as `seq`."""

    die: str
    seq: int = 0
    faults: int = 0

    def feed(self, message: bytes) -> list[DiceReport]:
        """What one notification says; unknown ones are faults, never a throw."""
        if message == b"R":
            return [Rolling(self.die, self._next())]
        if message[:1] == b"S" and len(message) == 4:
            return self._settled(message[1:], 0)
        if message[:2] == b"TS" and len(message) == 5:
            return self._settled(message[2:], COCKED_TILT_DEG)
        if message[:2] in (b"FS", b"MS") and len(message) == 5:
            # Still, but not thrown: shaken and held, or moved by hand. Whatever lies on top is no roll.
            return []
        if message[:3] == b"Bat" and len(message) == 4:
            return [Battery(self.die, self._next(), min(message[3], 100))]
        if (message[:3] == b"Col" and len(message) == 4) or (message[:4] == b"Char" and len(message) == 5):
            return []
        self.faults += 1
        reason = LineReason.SHAPE if message[:1] in b"RSTFM" else LineReason.UNKNOWN_KIND
        return [LineFault(reason, printable(message))]

    def cut(self) -> list[DiceReport]:
        """The radio link dropped: unknown until it is thrown again."""
        return [Lost(self.die)]

    def _settled(self, vector: bytes, least_tilt_deg: int) -> list[DiceReport]:
        x, y, z = (byte - 256 if byte > 127 else byte for byte in vector)
        found = nearest_face((x, y, z), FACES)
        if found is None:
            self.faults += 1
            return [LineFault(LineReason.VALUE, printable(vector))]
        value, tilt_deg = found
        return [Settled(self.die, self._next(), value, max(tilt_deg, least_tilt_deg))]

    def _next(self) -> int:
        self.seq = (self.seq + 1) % 65536
        return self.seq
