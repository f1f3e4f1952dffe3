"""The dice base: hears the dice by radio, answers each line, and hands on to USB each sound new one, once."""

import sys
from time import sleep_ms

import lines
import settings

VERSION = (1, 0, 0)


class Base:
    """Keeps each die's own numbers: a line that never came shows to the host as a gap, and is not made up."""

    def __init__(self, radio, sink, dice):
        self._radio = radio
        self._sink = sink
        self._last = {die: -1 for die in dice}
        self.broken = 0
        self.strange = 0

    def step(self):
        """Takes what has been heard; true where there was something."""
        message = self._radio.heard()
        if message is None:
            return False
        found = lines.read(message)
        if found is None:
            # Others' messages on this channel, ours broken: no answer, so ours will be repeated.
            self.broken += 1
            return True
        die, seq = found
        if die not in self._last:
            self.strange += 1
            return True
        self._radio.call(b"ACK,%s,%d" % (die.encode(), seq))
        if self._last[die] != seq:
            self._last[die] = seq
            self._sink.write(message + b"\r\n")
        return True


def run():
    from radio import Radio

    base = Base(Radio(settings.CHANNEL), sys.stdout.buffer, settings.DICE)
    while True:
        if not base.step():
            sleep_ms(2)
