"""The dice's lines: `$DIE,<id>,<seq>,…*hh`, hh the XOR of what stands between `$` and `*`."""


def make(die, seq, rest):
    """The line of die `die` with number `seq`, without its end of line."""
    body = "DIE,%s,%d,%s" % (die, seq, rest)
    value = 0
    for byte in body.encode():
        value ^= byte
    return "$%s*%02X" % (body, value)


def read(line):
    """(die, seq) of a sound line in bytes, None for anything else."""
    if len(line) < 8 or line[0] != 0x24 or line[-3] != 0x2A:
        return None
    value = 0
    for byte in line[1:-3]:
        value ^= byte
    try:
        if int(line[-2:], 16) != value:
            return None
        fields = line[1:-3].decode().split(",")
        if len(fields) < 4 or fields[0] != "DIE":
            return None
        return fields[1], int(fields[2])
    except (ValueError, UnicodeError):
        return None
