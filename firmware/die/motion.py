"""From accelerations to lifted, rolling and settled. Whole numbers of mg, one sample each 10 ms, no clock.

The states, and what leads from one to the next:

    RESTING    lies as it settled; the host knows its value
      | a sample WAKE_MG off the resting one
    DISTURBED  bumped, or being taken up: not known yet
      | still again, as before          -> RESTING   nothing said: a bump of the table
      | still again, otherwise          -> AWAY      "lifted"; after a hit: "rolling", "settled" (it was knocked over)
      | moving for LIFT samples         -> AWAY      "lifted"
      | falling for FALL samples        -> ROLLING   "rolling"
    AWAY       in a hand, in a cup, or put down by hand: no value
      | falling, or hit while in motion -> ROLLING   "rolling"
    ROLLING    thrown
      | still                           -> RESTING   "settled", face and tilt

Still means: for STILL samples (0.4 s) no axis moved by more than STILL_MG, and what it feels is 1 g. A hand trembles
more than that; a die on felt does not. So a shaken cup that is held quietly settles nothing.
"""

from micropython import const

RESTING = const(0)
DISTURBED = const(1)
AWAY = const(2)
ROLLING = const(3)

NOTHING = const(0)
SAY_LIFTED = const(1)
SAY_ROLLING = const(2)
SAY_SETTLED = const(3)
SAY_ROLLING_SETTLED = const(4)

STILL = const(40)
STILL_MG = const(36)
GRAVITY_LOW_MG = const(880)
GRAVITY_HIGH_MG = const(1120)
WAKE_MG = const(120)
LIFT = const(60)
FALL = const(3)
FALL_MG = const(400)
HIT_MG = const(2500)
# Hits count as a throw only after so many samples of motion: a slammed board is one hit out of stillness.
MOVING = const(30)
# cos 20 degrees, in 1/1024: the same face, give or take how the felt lies.
SAME_COS = const(962)


def same_direction(a, b):
    """Whether two accelerations point within 20 degrees of each other."""
    dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    if dot <= 0:
        return False
    squares = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2])
    return dot * dot * 1048576 >= squares * SAME_COS * SAME_COS


class Motion:
    """`feed` a sample; `vector` is the mean acceleration of the last stillness, in mg."""

    def __init__(self):
        self.state = AWAY
        self.vector = [0, 0, 0]
        self.still = False
        self._rest = [0, 0, 0]
        self._low = [0, 0, 0]
        self._high = [0, 0, 0]
        self._sum = [0, 0, 0]
        self._count = 0
        self._falling = 0
        self._moving = 0
        self._since = 0
        self._hit = False

    def feed(self, x, y, z):
        """What is to be said after this sample: one of the SAY_ numbers or NOTHING."""
        square = x * x + y * y + z * z
        settled = self._look(x, y, z)
        self._falling = self._falling + 1 if square < FALL_MG * FALL_MG else 0
        hit = square > HIT_MG * HIT_MG
        state = self.state
        if state == ROLLING:
            if settled:
                return self._settle(SAY_SETTLED)
        elif state == RESTING:
            rest = self._rest
            if abs(x - rest[0]) > WAKE_MG or abs(y - rest[1]) > WAKE_MG or abs(z - rest[2]) > WAKE_MG:
                self.state = DISTURBED
                self._since = 0
                self._moving = 0
                self._hit = hit
        elif state == DISTURBED:
            return self._disturbed(x, y, z, hit, settled)
        elif self._falling >= FALL or (hit and self._moving >= MOVING):
            self.state = ROLLING
            return SAY_ROLLING
        return NOTHING

    def _disturbed(self, x, y, z, hit, settled):
        rest = self._rest
        self._since += 1
        if hit:
            self._hit = True
        if self._falling >= FALL:
            self.state = ROLLING
            return SAY_ROLLING
        if settled:
            if same_direction(self.vector, rest):
                self.state = RESTING
                return NOTHING
            if self._hit:
                return self._settle(SAY_ROLLING_SETTLED)
            self.state = AWAY
            return SAY_LIFTED
        away = abs(x - rest[0]) > WAKE_MG or abs(y - rest[1]) > WAKE_MG or abs(z - rest[2]) > WAKE_MG
        if away and self._since >= LIFT:
            self.state = AWAY
            return SAY_LIFTED
        return NOTHING

    def _settle(self, say):
        for axis in range(3):
            self._rest[axis] = self.vector[axis]
        self.state = RESTING
        return say

    def _look(self, x, y, z):
        """Keeps the window of stillness; true on each sample that completes one."""
        sample = (x, y, z)
        low, high, total = self._low, self._high, self._sum
        for axis in range(3):
            value = sample[axis]
            if value - low[axis] > STILL_MG or high[axis] - value > STILL_MG:
                self._count = 0
                self.still = False
        if self._count == 0:
            for axis in range(3):
                low[axis] = high[axis] = sample[axis]
                total[axis] = 0
        for axis in range(3):
            value = sample[axis]
            low[axis] = min(low[axis], value)
            high[axis] = max(high[axis], value)
            total[axis] += value
        self._count += 1
        self._moving = 0 if self.still else self._moving + 1
        if self._count < STILL:
            return False
        square = 0
        for axis in range(3):
            self.vector[axis] = total[axis] // self._count
            square += self.vector[axis] * self.vector[axis]
        # The next window begins with the next sample, still held against this one's bounds.
        self._count = 0
        if not GRAVITY_LOW_MG * GRAVITY_LOW_MG <= square <= GRAVITY_HIGH_MG * GRAVITY_HIGH_MG:
            return False
        self.still = True
        return True
