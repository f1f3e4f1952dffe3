"""PackBits: n < 128: n + 1 bytes follow as they are; n > 128: one byte, 257 - n times. 128 says nothing."""


def pack(data: bytes) -> bytes:
    """`data` with its runs shortened: at most one byte in 128 longer, far shorter for pictures of text."""
    packed = bytearray()
    plain = bytearray()

    def flush() -> None:
        if plain:
            packed.append(len(plain) - 1)
            packed.extend(plain)
            plain.clear()

    at = 0
    while at < len(data):
        run = 1
        while run < 128 and at + run < len(data) and data[at + run] == data[at]:
            run += 1
        # A run of two inside plain bytes gains nothing.
        if run > 2 or (run == 2 and not plain):
            flush()
            packed += bytes((257 - run, data[at]))
        else:
            for _ in range(run):
                plain.append(data[at])
                if len(plain) == 128:
                    flush()
        at += run
    flush()
    return bytes(packed)


def unpack(packed: bytes) -> bytes | None:
    """The data, or None where the code breaks off."""
    data = bytearray()
    at = 0
    while at < len(packed):
        head = packed[at]
        at += 1
        if head < 128:
            piece = packed[at : at + head + 1]
            if len(piece) != head + 1:
                return None
            data += piece
            at += head + 1
        elif head > 128:
            if at == len(packed):
                return None
            data += packed[at : at + 1] * (257 - head)
            at += 1
    return bytes(data)
