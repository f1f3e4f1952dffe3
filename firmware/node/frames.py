"""Frames to and from the host: COBS( kind seq length16 payload crc16 ) 00. The page of specification is ../README.md.

Nothing here allocates after the constructors: bytes go into one fixed buffer, are decoded where they lie, and answers
are built in another one.
"""

from array import array

import micropython
from micropython import const

HEAD = const(4)  # kind, sequence, length low, length high
TAIL = const(2)  # CRC-16, low byte first
PAYLOAD_MAX = const(1200)
_BODY_MAX = const(PAYLOAD_MAX + HEAD + TAIL)
# COBS adds one byte, and one more for each 254.
_CODED_MAX = const(_BODY_MAX + 1 + _BODY_MAX // 254)

# CRC-16/CCITT-FALSE (polynomial 0x1021, start 0xFFFF), half a byte at a time.
_CRC = array("H", [(i << 12) & 0xFFFF for i in range(16)])
for _i in range(16):
    _value = _i << 12
    for _ in range(4):
        _value = (_value << 1) ^ 0x1021 if _value & 0x8000 else _value << 1
    _CRC[_i] = _value & 0xFFFF


@micropython.viper
def _crc(table: ptr16, data: ptr8, count: int) -> int:
    crc = 0xFFFF
    for i in range(count):
        byte = data[i]
        crc = ((crc << 4) & 0xFFFF) ^ table[(crc >> 12) ^ (byte >> 4)]
        crc = ((crc << 4) & 0xFFFF) ^ table[(crc >> 12) ^ (byte & 15)]
    return crc


@micropython.viper
def _uncobs(data: ptr8, count: int) -> int:
    """Decodes in place; the decoded length, or -1 where a group runs past the end."""
    read = 0
    write = 0
    while read < count:
        group = data[read]
        if group == 0 or read + group > count:
            return -1
        read += 1
        for _ in range(group - 1):
            data[write] = data[read]
            write += 1
            read += 1
        if group < 255 and read < count:
            data[write] = 0
            write += 1
    return write


@micropython.viper
def _cobs(source: ptr8, count: int, out: ptr8) -> int:
    """Encodes with the closing zero; the number of bytes written."""
    mark = 0
    write = 1
    for i in range(count):
        byte = source[i]
        if byte:
            out[write] = byte
            write += 1
        if byte == 0 or write - mark == 255:
            out[mark] = write - mark
            mark = write
            write += 1
    out[mark] = write - mark
    out[write] = 0
    return write + 1


class Receiver:
    """Takes single bytes, holds the newest good frame until the next byte.

    `kind`, `seq`, `length` speak of it; its payload starts at `data[HEAD]`. `bad` counts what was thrown away.
    """

    def __init__(self):
        self.data = bytearray(_CODED_MAX)
        self.kind = 0
        self.seq = 0
        self.length = 0
        self.good = 0
        self.bad = 0
        self._count = 0
        self._lost = False

    def put(self, byte):
        """One byte from the line; true when it closes a good frame."""
        if byte:
            if self._count < _CODED_MAX:
                self.data[self._count] = byte
                self._count += 1
            else:
                # Longer than any frame: garbage, up to the next zero.
                self._lost = True
            return False
        count = self._count
        lost = self._lost
        self._count = 0
        self._lost = False
        if count == 0:
            return False
        if not lost and self._open(count):
            self.good += 1
            return True
        self.bad += 1
        return False

    def _open(self, count):
        data = self.data
        size = _uncobs(data, count)
        if size < HEAD + TAIL:
            return False
        length = data[2] | data[3] << 8
        if size != HEAD + length + TAIL:
            return False
        body = size - TAIL
        if _crc(_CRC, data, body) != data[body] | data[body + 1] << 8:
            return False
        self.kind = data[0]
        self.seq = data[1]
        self.length = length
        return True


class Sender:
    """Builds short frames and writes them out; the payload is put into `data[HEAD:]` beforehand."""

    def __init__(self, stream, payload_max=64):
        self.data = bytearray(HEAD + payload_max + TAIL)
        self._coded = bytearray(len(self.data) + 3)
        self._stream = stream

    def send(self, kind, seq, length):
        data = self.data
        data[0] = kind
        data[1] = seq
        data[2] = length & 255
        data[3] = length >> 8
        body = HEAD + length
        crc = _crc(_CRC, data, body)
        data[body] = crc & 255
        data[body + 1] = crc >> 8
        self._stream.write(self._coded, _cobs(data, body + TAIL, self._coded))
