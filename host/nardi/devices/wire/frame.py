"""Bytes ↔ frames: COBS( kind, seq, length16, payload, crc16 ) 00."""

from dataclasses import dataclass

HEAD = 4
TAIL = 2
PAYLOAD_MAX = 1200
_BODY_MAX = HEAD + PAYLOAD_MAX + TAIL
CODED_MAX = _BODY_MAX + 1 + _BODY_MAX // 254
"""The longest frame on the line, without its closing zero."""


@dataclass(frozen=True, slots=True)
class Frame:
    """`kind` and `seq`: 0-255; `payload`: at most `PAYLOAD_MAX` bytes."""

    kind: int
    seq: int
    payload: bytes = b""


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, nothing reflected."""
    crc = 0xFFFF
    for byte in data:
        crc = ((crc << 8) & 0xFFFF) ^ _CRC_TABLE[(crc >> 8) ^ byte]
    return crc


def _crc_of_byte(byte: int) -> int:
    value = byte << 8
    for _ in range(8):
        value = (value << 1) ^ 0x1021 if value & 0x8000 else value << 1
    return value & 0xFFFF


_CRC_TABLE = tuple(_crc_of_byte(byte) for byte in range(256))


def cobs_encode(data: bytes) -> bytes:
    """`data` without zeros: each zero is replaced by the distance to the next."""
    coded = bytearray()
    for piece in data.split(b"\0"):
        start = 0
        while len(piece) - start >= 254:
            coded.append(255)
            coded += piece[start : start + 254]
            start += 254
        coded.append(len(piece) - start + 1)
        coded += piece[start:]
    return bytes(coded)


def cobs_decode(coded: bytes) -> bytes | None:
    """The data, or None where a distance points beyond the end or a zero stands inside."""
    data = bytearray()
    at = 0
    while at < len(coded):
        distance = coded[at]
        group = coded[at + 1 : at + distance]
        if distance == 0 or len(group) != distance - 1 or 0 in group:
            return None
        data += group
        at += distance
        if distance < 255 and at < len(coded):
            data.append(0)
    return bytes(data)


def encode_frame(frame: Frame) -> bytes:
    """The bytes for the line, the closing zero included. `ValueError` where the payload is too long."""
    if len(frame.payload) > PAYLOAD_MAX:
        raise ValueError(f"payload of {len(frame.payload)} bytes, at most {PAYLOAD_MAX}")
    body = bytes((frame.kind, frame.seq)) + len(frame.payload).to_bytes(2, "little") + frame.payload
    return cobs_encode(body + crc16(body).to_bytes(2, "little")) + b"\0"


def decode_frame(coded: bytes) -> Frame | None:
    """The frame in `coded` (without the closing zero), or None where it is not a whole and sound one."""
    body = cobs_decode(coded)
    if body is None or len(body) < HEAD + TAIL:
        return None
    payload = body[HEAD:-TAIL]
    if int.from_bytes(body[2:HEAD], "little") != len(payload):
        return None
    if crc16(body[:-TAIL]) != int.from_bytes(body[-TAIL:], "little"):
        return None
    return Frame(body[0], body[1], payload)


class FrameReader:
    """Takes bytes as they come; `bad` counts the pieces between zeros that were no frame."""

    def __init__(self) -> None:
        self.good = 0
        self.bad = 0
        self._rest = bytearray()
        self._overlong = False

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that `data` completes, in their order."""
        frames: list[Frame] = []
        *closed, rest = data.split(b"\0")
        for piece in closed:
            self._keep(piece)
            coded, overlong = bytes(self._rest), self._overlong
            self._rest.clear()
            self._overlong = False
            if not coded:
                continue
            frame = None if overlong else decode_frame(coded)
            if frame is None:
                self.bad += 1
            else:
                self.good += 1
                frames.append(frame)
        self._keep(rest)
        return frames

    def forget(self) -> None:
        """The line was cut: what was begun will not go on."""
        self._rest.clear()
        self._overlong = False

    def _keep(self, piece: bytes) -> None:
        room = CODED_MAX - len(self._rest)
        self._overlong = self._overlong or len(piece) > room
        self._rest += piece[:room]
