"""ST LIS3DH: 100 samples a second, +-8 g, 32 of them kept in its own queue. Registers by its data sheet."""

from micropython import const

_WHO_AM_I = const(0x0F)
_I_AM = const(0x33)
_CTRL_REG1 = const(0x20)
_CTRL_REG4 = const(0x23)
_CTRL_REG5 = const(0x24)
_OUT_X_L = const(0x28)
_FIFO_CTRL = const(0x2E)
_FIFO_SRC = const(0x2F)
_SEVERAL = const(0x80)  # in the register's number: go on to the next after each byte

_100HZ_XYZ = const(0x57)
_BLOCK_8G_HIGH_RESOLUTION = const(0xA8)
_FIFO_ENABLE = const(0x40)
_FIFO_STREAM = const(0x80)
_FIFO_COUNT = const(0x1F)


class Lis3dh:
    def __init__(self, i2c, address):
        self._i2c = i2c
        self._address = address
        self._one = bytearray(1)
        self._six = bytearray(6)
        i2c.readfrom_mem_into(address, _WHO_AM_I, self._one)
        if self._one[0] != _I_AM:
            raise OSError("no LIS3DH at %#x" % address)
        self._set(_CTRL_REG1, _100HZ_XYZ)
        self._set(_CTRL_REG4, _BLOCK_8G_HIGH_RESOLUTION)
        self._set(_CTRL_REG5, _FIFO_ENABLE)
        self._set(_FIFO_CTRL, _FIFO_STREAM)

    def _set(self, register, value):
        self._one[0] = value
        self._i2c.writeto_mem(self._address, register, self._one)

    def pending(self):
        """How many samples wait."""
        self._i2c.readfrom_mem_into(self._address, _FIFO_SRC, self._one)
        return self._one[0] & _FIFO_COUNT

    def read(self, sample):
        """The oldest waiting sample into `sample`: x, y, z in mg."""
        six = self._six
        self._i2c.readfrom_mem_into(self._address, _OUT_X_L | _SEVERAL, six)
        for axis in range(3):
            value = six[2 * axis] | six[2 * axis + 1] << 8
            if value & 0x8000:
                value -= 0x10000
            # Twelve bits, left aligned, 4 mg each.
            sample[axis] = (value >> 4) * 4
