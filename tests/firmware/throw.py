"""What an accelerometer in a die feels, 100 samples a second, in mg: rest, hands, cups, falls, bounces, bumps."""

import math
import random
import struct

Sample = tuple[float, float, float]
# How gravity lies in this die when a face is on top: the sensor is soldered in askew, so it needs its calibration.
_TURN = math.radians(17)
FACES: dict[int, Sample] = {
    1: (0, 0, 1000),
    6: (0, 0, -1000),
    2: (1000 * math.cos(_TURN), 1000 * math.sin(_TURN), 0),
    5: (-1000 * math.cos(_TURN), -1000 * math.sin(_TURN), 0),
    3: (-1000 * math.sin(_TURN), 1000 * math.cos(_TURN), 0),
    4: (1000 * math.sin(_TURN), -1000 * math.cos(_TURN), 0),
}


class Motions:
    """Adds one motion after another to `samples`. `seed` fixes the noise and every hand's tremble."""

    def __init__(self, seed: int = 0, noise_mg: float = 4) -> None:
        self.samples: list[Sample] = []
        self._chance = random.Random(seed)
        self._noise_mg = noise_mg

    def _add(self, vector: Sample, spread_mg: float = 0) -> None:
        x, y, z = (value + self._chance.gauss(0, math.hypot(self._noise_mg, spread_mg)) for value in vector)
        self.samples.append((x, y, z))

    def _somehow(self, length_mg: float) -> Sample:
        x, y, z = (self._chance.gauss(0, 1) for _ in range(3))
        scale = length_mg / math.hypot(x, y, z)
        return x * scale, y * scale, z * scale

    def rest(self, face: int, samples: int = 100, tilt_deg: float = 0) -> "Motions":
        """On the table; leaning `tilt_deg` from `face` towards a neighbouring one."""
        a, b = FACES[face], FACES[{1: 2, 6: 2, 2: 1, 5: 1, 3: 1, 4: 1}[face]]
        cosine, sine = math.cos(math.radians(tilt_deg)), math.sin(math.radians(tilt_deg))
        for _ in range(samples):
            self._add((a[0] * cosine + b[0] * sine, a[1] * cosine + b[1] * sine, a[2] * cosine + b[2] * sine))
        return self

    def carry(self, samples: int = 120) -> "Motions":
        """In a hand: gravity turns slowly, the hand trembles at 9 Hz."""
        start, end = self._somehow(1000), self._somehow(1000)
        for i in range(samples):
            part = i / samples
            tremble = 60 * math.sin(i * 0.57)
            x, y, z = (a + (b - a) * part + tremble for a, b in zip(start, end, strict=True))
            scale = 1000 / max(1.0, math.hypot(x, y, z))
            self._add((x * scale, y * scale, z * scale + tremble), 25)
        return self

    def hold(self, samples: int = 150) -> "Motions":
        """A hand that tries to keep quite still."""
        vector = self._somehow(1000)
        phase = self._chance.random() * 6
        for i in range(samples):
            tremble = 30 * math.sin(phase + i * 0.6)
            self._add((vector[0] + tremble, vector[1] - tremble, vector[2] + tremble), 8)
        return self

    def shake(self, samples: int = 80) -> "Motions":
        """In a cup: hit from all sides."""
        for i in range(samples):
            self._add(self._somehow(4000 if i % 9 == 0 else 1500), 200)
        return self

    def throw(self, face: int, tilt_deg: float = 0, spin_g: float = 0.2) -> "Motions":
        """Falls, bounces lower and lower, rocks and lies still on `face`."""
        for bounce, flight in enumerate((18, 9, 5)):
            for _ in range(flight):
                self._add(self._somehow(1000 * spin_g), 20)
            for _ in range(2):
                self._add(self._somehow(6000 / (bounce + 1)), 300)
        vector = FACES[face]
        for i in range(25):
            sway = 400 * math.exp(-i / 6) * math.cos(i * 0.9)
            self._add((vector[0] + sway, vector[1] - sway, vector[2] + sway / 2), 20)
        return self.rest(face, 100, tilt_deg)

    def bump(self, face: int, strength_mg: float = 500) -> "Motions":
        """Somebody puts a checker down hard; the die stays as it lies."""
        for i in range(12):
            swing = strength_mg * math.exp(-i / 3) * math.cos(i * 1.7)
            vector = FACES[face]
            self._add((vector[0] + swing / 3, vector[1] + swing / 3, vector[2] + swing), 10)
        return self.rest(face, 100)

    def packed(self) -> bytes:
        """For the sensor's file."""
        return b"".join(
            struct.pack("<hhh", *(max(-32768, min(32767, round(value))) for value in sample)) for sample in self.samples
        )


def calibration_motions() -> Motions:
    """The six faces laid up one after the other, a hand between them."""
    motions = Motions(seed=6)
    for face in range(1, 7):
        motions.rest(face, 120)
        motions.carry(60)
    return motions
