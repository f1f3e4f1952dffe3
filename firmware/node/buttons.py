"""Four buttons to ground: short and long presses, debounced, kept until the host has acknowledged them."""

from array import array
from time import ticks_diff

from micropython import const

SHORT = const(0)
LONG = const(1)
_RING = const(8)


class Buttons:
    """A ring of at most eight unacknowledged presses; where it is full, the oldest is dropped."""

    def __init__(self, pins, debounce_ms, long_ms):
        self._pins = pins
        self._debounce_ms = debounce_ms
        self._long_ms = long_ms
        count = len(pins)
        self._down = bytearray(count)
        self._raw = bytearray(count)
        self._told = bytearray(count)
        self._changed = array("l", [0] * count)
        self._pressed = array("l", [0] * count)
        self._button = bytearray(_RING)
        self._press = bytearray(_RING)
        self._at = array("l", [0] * _RING)
        self._seq = bytearray(_RING)
        self._first = 0
        self._last_seq = 0
        self.waiting = 0
        self.dropped = 0

    def step(self, now):
        """Looks at the pins once; `now` is `ticks_ms()`."""
        for i in range(len(self._pins)):
            raw = 1 - self._pins[i].value()
            if raw != self._raw[i]:
                self._raw[i] = raw
                self._changed[i] = now
            elif raw != self._down[i] and ticks_diff(now, self._changed[i]) >= self._debounce_ms:
                self._down[i] = raw
                if raw:
                    self._pressed[i] = self._changed[i]
                    self._told[i] = 0
                elif not self._told[i]:
                    self._add(i, SHORT, self._pressed[i])
            elif raw and self._down[i] and not self._told[i]:
                if ticks_diff(now, self._pressed[i]) >= self._long_ms:
                    # Told while still held down: the person need not guess how long is long.
                    self._told[i] = 1
                    self._add(i, LONG, self._pressed[i])

    def held(self):
        """The buttons that are down now, as bits."""
        bits = 0
        for i in range(len(self._down)):
            if self._down[i]:
                bits |= 1 << i
        return bits

    def write_oldest(self, data, start, now):
        """Puts button, press and age in ms (16 bit) at `data[start:start + 4]`; the event's number, 1 to 255."""
        at = self._first
        age = min(ticks_diff(now, self._at[at]), 0xFFFF)
        data[start] = self._button[at]
        data[start + 1] = self._press[at]
        data[start + 2] = age & 255
        data[start + 3] = age >> 8
        return self._seq[at]

    def acknowledge(self, seq):
        if self.waiting and self._seq[self._first] == seq:
            self._drop()

    def forget(self):
        """Without a link nobody saw the press take effect: it must not take effect minutes later."""
        self.waiting = 0

    def _add(self, button, press, at):
        if self.waiting == _RING:
            self._drop()
            self.dropped += 1
        slot = (self._first + self.waiting) % _RING
        self._last_seq = self._last_seq % 255 + 1
        self._button[slot] = button
        self._press[slot] = press
        self._at[slot] = at
        self._seq[slot] = self._last_seq
        self.waiting += 1

    def _drop(self):
        self._first = (self._first + 1) % _RING
        self.waiting -= 1
