# ruff: noqa: SIM115 -- files that live as long as the process.
"""MicroPython's `machine`, as far as the firmware uses it: every wire's traffic goes to a log, inputs come from a file.

Runs inside the MicroPython of the tests, in place of the chip. The log is a file of binary records: a letter, a number
(address, pin or index), the length in two bytes, the bytes. Nothing here allocates in the calls of the frame path, so
that the firmware's own allocations can be found.
"""

import os

_log = open(os.getenv("NARDI_LOG"), "ab")
_head = bytearray(4)
_one = bytearray(1)
_two = bytearray(2)


def record(tag, number, data):
    _head[0] = tag
    _head[1] = number & 255
    _head[2] = len(data) & 255
    _head[3] = len(data) >> 8
    _log.write(_head)
    _log.write(data)


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 2
    # One character a GPIO: the tests write it, pressed is "0".
    _levels = open(os.getenv("NARDI_PINS"), "rb") if os.getenv("NARDI_PINS") else None

    def __init__(self, number, mode=-1, pull=-1):
        self.number = number

    def value(self):
        if not Pin._levels:
            return 1
        Pin._levels.seek(self.number)
        Pin._levels.readinto(_one)
        return _one[0] & 1


class I2C:
    """Acknowledges only while the address stands in the file NARDI_BUS (a byte each); without the file, always."""

    def __init__(self, number, *, scl, sda, freq):
        self._bus = open(os.getenv("NARDI_BUS"), "rb") if os.getenv("NARDI_BUS") else None

    def _expect(self, address):
        if self._bus:
            self._bus.seek(0)
            while self._bus.readinto(_one):
                if _one[0] == address:
                    return
            raise OSError(5)

    def writeto(self, address, data):
        self._expect(address)
        record(73, address, data)  # I
        return len(data)

    def writeto_mem(self, address, register, data):
        self._expect(address)
        import sensor

        sensor.write(address, register, data)

    def readfrom_mem_into(self, address, register, data):
        self._expect(address)
        import sensor

        sensor.read(address, register, data)


class PWM:
    def __init__(self, pin):
        self._hertz = 0

    def freq(self, hertz):
        self._hertz = hertz

    def duty_u16(self, duty):
        _two[0] = self._hertz & 255
        _two[1] = self._hertz >> 8
        record(66, 1 if duty else 0, _two)  # B


class WDT:
    def __init__(self, timeout):
        record(87, 0, bytes((timeout & 255, timeout >> 8)))  # W
        self.fed = 0

    def feed(self):
        self.fed += 1


class ADC:
    def __init__(self, pin):
        self._volts = float(os.getenv("NARDI_ADC_VOLTS") or "1.9")

    def read_uv(self):
        return int(self._volts * 1000000)


def unique_id():
    # No UTF-8, as on a real chip; and holding the bytes that end frames and stop programs.
    return bytes((0xE6, 0x61, 0x00, 0xFF, 0x03, 0xC3, 0x28, 0x17))


def reset():
    import sys

    record(82, 0, b"")  # R
    sys.exit(0)


def lightsleep(ms):
    import time

    record(90, 0, bytes((ms & 255, ms >> 8)))  # Z
    time.sleep_ms(ms)
