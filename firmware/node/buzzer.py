"""A passive piezo: one tone at a time, never longer than two seconds."""

from micropython import const

_LONGEST_MS = const(2000)
_HALF = const(32768)


class Buzzer:
    def __init__(self, pwm):
        self._pwm = pwm
        self._left_ms = 0

    def sound(self, hertz, length_ms):
        """A tone of 50 to 10000 Hz; anything else is silence."""
        if length_ms and 50 <= hertz <= 10000:
            self._pwm.freq(hertz)
            self._pwm.duty_u16(_HALF)
            self._left_ms = min(length_ms, _LONGEST_MS)
        else:
            self._pwm.duty_u16(0)
            self._left_ms = 0

    def step(self, elapsed_ms):
        if self._left_ms > 0:
            self._left_ms -= elapsed_ms
            if self._left_ms <= 0:
                self._pwm.duty_u16(0)
