"""Analog Devices ADXL345: 100 samples a second, +-16 g, 32 of them kept in its own queue. Registers by its data sheet."""

from micropython import const

_DEVID = const(0x00)
_I_AM = const(0xE5)
_BW_RATE = const(0x2C)
_POWER_CTL = const(0x2D)
_DATA_FORMAT = const(0x31)
_DATAX0 = const(0x32)
_FIFO_CTL = const(0x38)
_FIFO_STATUS = const(0x39)

_100HZ = const(0x0A)
_MEASURE = const(0x08)
_FULL_RESOLUTION_16G = const(0x0B)
_FIFO_STREAM = const(0x80)
_FIFO_COUNT = const(0x3F)


class Adxl345:
    def __init__(self, i2c, address):
        self._i2c = i2c
        self._address = address
        self._one = bytearray(1)
        self._six = bytearray(6)
        i2c.readfrom_mem_into(address, _DEVID, self._one)
        if self._one[0] != _I_AM:
            raise OSError("no ADXL345 at %#x" % address)
        self._set(_DATA_FORMAT, _FULL_RESOLUTION_16G)
        self._set(_BW_RATE, _100HZ)
        self._set(_FIFO_CTL, _FIFO_STREAM)
        self._set(_POWER_CTL, _MEASURE)

    def _set(self, register, value):
        self._one[0] = value
        self._i2c.writeto_mem(self._address, register, self._one)

    def pending(self):
        """How many samples wait."""
        self._i2c.readfrom_mem_into(self._address, _FIFO_STATUS, self._one)
        return self._one[0] & _FIFO_COUNT

    def read(self, sample):
        """The oldest waiting sample into `sample`: x, y, z in mg."""
        six = self._six
        self._i2c.readfrom_mem_into(self._address, _DATAX0, six)
        for axis in range(3):
            value = six[2 * axis] | six[2 * axis + 1] << 8
            if value & 0x8000:
                value -= 0x10000
            # 3.9 mg each.
            sample[axis] = value * 39 // 10
