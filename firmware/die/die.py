"""A die: feels how it moves and says so, line by line, by USB and where there is one by radio to the base."""

import os
import select
import sys
from time import sleep_ms, ticks_diff, ticks_ms

import lines
import machine
import settings
from faces import Calibration, Faces
from micropython import const
from motion import (
    NOTHING,
    SAY_LIFTED,
    SAY_ROLLING,
    SAY_ROLLING_SETTLED,
    Motion,
)

VERSION = (1, 0, 0)

_BATTERY_MS = const(60000)
_REPEAT_MS = const(60)
_TRIES = const(25)
_RING = const(16)
_COMMAND_MAX = const(32)
_PAUSE_MS = const(10)
# The sensor keeps 320 ms of samples: asleep for less, the die misses none of them.
_DOZE_MS = const(200)


class Caller:
    """Lines by radio, each repeated until the base answers `ACK,<id>,<seq>`; in their order, the oldest first.

    After `_TRIES` a line is given up and the host sees a gap in the numbers; of more than `_RING` waiting the oldest go.
    """

    def __init__(self, radio):
        self._radio = radio
        self._waiting = []
        self._tries = 0
        self._called_at = 0

    def say(self, seq, line):
        if len(self._waiting) == _RING:
            self._next()
        self._waiting.append((seq, line))

    def rest(self):
        """Switches the radio off till the next line, unless one still waits for its answer; whether it did."""
        if self._waiting:
            return False
        self._radio.rest()
        return True

    def step(self, now, die):
        message = self._radio.heard()
        while message is not None:
            if self._waiting and message == b"ACK,%s,%d" % (die.encode(), self._waiting[0][0]):
                self._next()
            message = self._radio.heard()
        if self._waiting and (not self._tries or ticks_diff(now, self._called_at) >= _REPEAT_MS):
            if self._tries == _TRIES:
                self._next()
                return
            self._tries += 1
            self._called_at = now
            self._radio.call(self._waiting[0][1].encode())

    def _next(self):
        self._waiting.pop(0)
        self._tries = 0


class Die:
    def __init__(self, sensor, battery, caller, source, sink):
        self.faces = Faces()
        self._sensor = sensor
        self._battery = battery
        self._caller = caller
        self._source = source
        self._sink = sink
        self._poll = select.poll()
        self._poll.register(source, select.POLLIN)
        self._command = ""
        self._motion = Motion()
        self._sample = [0, 0, 0]
        # Not always 1: after a restart the host shall see a gap, not a repetition.
        self._seq = os.urandom(1)[0] << 4
        self._battery_at = None
        self._stirred_at = ticks_ms()
        self._dozing = False
        self._calibration = None
        if not self.faces.directions:
            self._calibrate()

    def step(self):
        """Takes the samples that wait, says what follows from them."""
        now = ticks_ms()
        self._listen()
        try:
            for _ in range(self._sensor.pending()):
                self._sensor.read(self._sample)
                self._feel()
        except OSError:
            # A loose wire: what it did meanwhile is unknown, so it has to be thrown again.
            self._motion = Motion()
            sleep_ms(100)
        if self._battery and (self._battery_at is None or ticks_diff(now, self._battery_at) >= _BATTERY_MS):
            self._battery_at = now
            self._say("BATTERY,%d" % self._battery.percent())
        if self._caller:
            self._caller.step(now, settings.DIE_ID)

    def pause(self):
        """Until the next step: a moment, or where nothing has stirred the die for a while, a nap with the radio off.

        A die without a radio speaks by USB alone, which a nap would cut.
        """
        now = ticks_ms()
        if not self._motion.still or self._calibration:
            self._stirred_at = now
            self._dozing = False
        elif settings.SLEEP_AFTER_S and ticks_diff(now, self._stirred_at) >= settings.SLEEP_AFTER_S * 1000:
            # Kept: the clock's difference turns negative after some days.
            self._dozing = True
        if self._dozing and self._caller and self._caller.rest():
            machine.lightsleep(_DOZE_MS)
        else:
            sleep_ms(_PAUSE_MS)

    def _feel(self):
        was_still = self._motion.still
        say = self._motion.feed(self._sample[0], self._sample[1], self._sample[2])
        if self._calibration:
            if self._motion.still and not was_still:
                self._calibration.offer(self._motion.vector)
                if self._calibration.done:
                    self._calibration = None
                    self._motion = Motion()
        elif say != NOTHING:
            if say == SAY_LIFTED:
                self._say("LIFTED")
                return
            if say in (SAY_ROLLING, SAY_ROLLING_SETTLED):
                self._say("ROLLING")
            if say != SAY_ROLLING:
                self._say("SETTLED,%d,%d" % self.faces.top(self._motion.vector))

    def _say(self, rest):
        self._seq = (self._seq + 1) & 0xFFFF
        line = lines.make(settings.DIE_ID, self._seq, rest)
        self._print(line)
        if self._caller:
            self._caller.say(self._seq, line)

    def _print(self, line):
        self._sink.write((line + "\r\n").encode())

    def _calibrate(self):
        self._motion = Motion()
        self._calibration = Calibration(self.faces, self._print)

    def _listen(self):
        """By USB one may type CALIBRATE or VERSION."""
        while self._poll.poll(0):
            letter = self._source.read(1)
            if not letter:
                return
            if letter not in "\r\n":
                self._command = (self._command + letter)[-_COMMAND_MAX:]
                continue
            command = self._command
            self._command = ""
            if command == "CALIBRATE":
                self._calibrate()
            elif command == "VERSION":
                self._print("# nardi die %s %d.%d.%d" % ((settings.DIE_ID,) + VERSION))


def build(source, sink):
    """The die with the pins of `settings`."""
    i2c = machine.I2C(settings.I2C, scl=machine.Pin(settings.SCL), sda=machine.Pin(settings.SDA), freq=settings.HZ)
    if settings.ACCELEROMETER == "lis3dh":
        from lis3dh import Lis3dh as Sensor
    else:
        from adxl345 import Adxl345 as Sensor
    battery = None
    if settings.BATTERY_ADC is not None:
        from battery import Battery

        battery = Battery(machine.ADC(machine.Pin(settings.BATTERY_ADC)), settings.BATTERY_DIVIDER)
    caller = None
    if settings.RADIO == "espnow":
        from radio import Radio

        caller = Caller(Radio(settings.CHANNEL))
    return Die(Sensor(i2c, settings.ADDRESS), battery, caller, source, sink)


def run():
    # The text stream would make two of each carriage return.
    die = build(sys.stdin, sys.stdout.buffer)
    while True:
        die.step()
        die.pause()
