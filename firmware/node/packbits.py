"""PackBits, the run-length code of the pictures: n < 128: n + 1 bytes follow as they are; n > 128: one byte, 257 - n times."""

import micropython


@micropython.viper
def unpack(data: ptr8, start: int, end: int, out: ptr8, size: int) -> int:
    """Unpacks `data[start:end]` into `out`; the bytes written, or -1 where the code overruns either."""
    write = 0
    while start < end:
        head = data[start]
        start += 1
        if head < 128:
            count = head + 1
            if start + count > end or write + count > size:
                return -1
            for _ in range(count):
                out[write] = data[start]
                write += 1
                start += 1
        elif head > 128:
            count = 257 - head
            if start == end or write + count > size:
                return -1
            byte = data[start]
            start += 1
            for _ in range(count):
                out[write] = byte
                write += 1
    return write


@micropython.viper
def copy(data: ptr8, start: int, out: ptr8, size: int):
    """`size` bytes from `data[start]` on into `out`."""
    for i in range(size):
        out[i] = data[start + i]
