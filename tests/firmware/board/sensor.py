# ruff: noqa: SIM115 -- a file that lives as long as the process.
"""A LIS3DH and an ADXL345 as their registers show them; the accelerations come from a file of x, y, z in mg (int16).

The file may grow while it is read: what stands in it has happened. No more than 31 samples wait at a time.
"""

import os
from struct import pack_into, unpack

_path = os.getenv("NARDI_MOTION")
_file = open(_path, "rb") if _path else None
_taken = 0


def _waiting():
    return min((os.stat(_path)[6] - _taken) // 6, 31) if _file else 0


def _sample():
    global _taken
    _taken += 6
    return unpack("<hhh", _file.read(6))


def write(address, register, data):
    pass


def read(address, register, data):
    lis3dh = address == 0x18
    if lis3dh and register == 0x0F:
        data[0] = 0x33
    elif not lis3dh and register == 0x00:
        data[0] = 0xE5
    elif register == (0x2F if lis3dh else 0x39):
        data[0] = _waiting()
    elif register == (0xA8 if lis3dh else 0x32):
        for axis, value in enumerate(_sample()):
            if lis3dh:
                # Twelve bits of 4 mg, left aligned; the sensor stops at 8 g.
                value = max(-2048, min(2047, round(value / 4))) << 4
            else:
                value = max(-4096, min(4095, round(value / 3.9)))
            pack_into("<h", data, axis * 2, value)
