"""The end positions of a turn in the games without rules of their own, fast: whole turns added up as integers.

A key is the position's text read as a hex number (position.py), so a step is one addition: `DELTA[n][p]` takes a
checker off point p and puts it on p - n, and hitting there adds another constant. A turn is a sum of steps, and as the
two numbers of a roll hardly disturb each other, all turns are sums of pairs, less the few pairs that cannot be. Of a
double, how often each step is made says everything, so whole families of turns grow step by step, each found once.

Masks have one bit a place of the mover: bit 25 - p for point p (0 off, 25 bar), so that a step of n is a shift by n.
"""

from nardi.rules.position import SIDE_BITS

_MINE = tuple(SIDE_BITS + 4 * (25 - p) for p in range(26))
DELTA = tuple(
    tuple((1 << _MINE[max(0, p - n)]) - (1 << _MINE[p]) if n and p else 0 for p in range(26)) for n in range(7)
)
HIT = tuple(1 - (1 << 4 * p) for p in range(26))  # their blot on my point p goes to the bar

# The digits of a side, as masks: what holds a checker, a single one, at most one.
_HOLDS = bytes.maketrans(b"0123456789abcdef", b"0111111111111111")
_SINGLE = bytes.maketrans(b"0123456789abcdef", b"0100000000000000")
_OPEN = bytes.maketrans(b"0123456789abcdef", b"1100000000000000")
_POINTS = (1 << 25) - 2  # bits of points 24 (bit 1) to 1 (bit 24)
_OUTSIDE = (1 << 19) - 1  # the bar and points 24 to 7
_OUTSIDE_DIGITS = ((1 << 76) - 1) << SIDE_BITS
_OFF_BIT = 1 << 25
_BAR_DIGIT = 15 << SIDE_BITS
_CHUNK = 7
_VALUE = bytes.maketrans(b"0123456789abcdef", bytes(range(16)))  # of a digit


_Tables = tuple[tuple[tuple[int, ...], ...], ...]


def _delta_tables(number: int) -> _Tables:
    """For each seven bits of a mask of sources, the deltas of their steps of `number`."""
    tables = []
    for first in range(0, 28, _CHUNK):
        table: list[tuple[int, ...]] = [()]
        for bits in range(1, 1 << _CHUNK):
            point = 25 - first - bits.bit_length() + 1
            table.append((*table[bits - (1 << bits.bit_length() - 1)], DELTA[number][point] if point > 0 else 0))
        tables.append(tuple(table))
    return tuple(tables)


_TABLES: tuple[_Tables, ...] = ((), *(_delta_tables(number) for number in range(1, 7)))


def plain_ends(key: int, a: int, b: int) -> set[int] | list[int]:
    """The keys of all legal end positions, without duplicates; the one unchanged key when nothing can be played.

    For games in which R1-R9 are all there is to a turn.
    """
    if a == b:
        return _double_ends(key, a)
    if a < b:
        a, b = b, a
    if key & _BAR_DIGIT:
        return _stepwise_ends(key, a, b)
    digits = b"%052x" % key
    theirs = digits[51:25:-1]
    holds = int(digits[:26].translate(_HOLDS), 2)
    open_ = int(theirs.translate(_OPEN), 2) & _POINTS
    outside = holds & _OUTSIDE
    if not outside:
        # All home: sums serve as long as neither number can come to be larger than the farthest checker's point.
        if _fewer_than(2, digits, holds & (1 << 26 - a) - 1):
            return _stepwise_ends(key, a, b)
        open_ |= _OFF_BIT
    elif outside >> 18 - a and _fewer_than(2, digits, outside):
        return _stepwise_ends(key, a, b)  # the last checker outside may come home and another be borne off
    with_a = holds & open_ >> a
    with_b = holds & open_ >> b
    if not (with_a or with_b):
        return [key]
    t0, t1, t2, t3 = _TABLES[a]
    steps_a = t0[with_a & 127] + t1[with_a >> 7 & 127] + t2[with_a >> 14 & 127] + t3[with_a >> 21]
    t0, t1, t2, t3 = _TABLES[b]
    steps_b = t0[with_b & 127] + t1[with_b >> 7 & 127] + t2[with_b >> 14 & 127] + t3[with_b >> 21]
    delta_a = DELTA[a]
    delta_b = DELTA[b]
    lone = with_a & with_b & int(digits[:26].translate(_SINGLE), 2)
    blots = int(theirs.translate(_SINGLE), 2) & _POINTS
    if blots & (with_a << a | with_b << b | (with_a | with_b) << a + b):
        return _hitting_ends(key, a, b, with_a, with_b, open_, lone, blots)
    ends = {first + step for first in [key + step for step in steps_a] for step in steps_b}
    # A lone checker cannot play the two numbers side by side...
    while lone:
        point = 26 - lone.bit_length()
        ends.discard(key + delta_a[point] + delta_b[point])
        lone ^= 1 << 25 - point
    # ... but one after the other, if it finds an open point between (R4).
    run = (with_a | with_b) & open_ >> a + b
    while run:
        point = 26 - run.bit_length()
        ends.add(key + delta_a[point] + delta_b[point - a])
        run ^= 1 << 25 - point
    return ends or [key + step for step in steps_a or steps_b]


def _fewer_than(number: int, digits: bytes, places: int) -> bool:
    """Whether fewer than `number` checkers stand on the places of the mask."""
    while places:
        length = places.bit_length()
        number -= _VALUE[digits[26 - length]]
        if number <= 0:
            return False
        places ^= 1 << length - 1
    return True


def _hitting_ends(
    key: int, a: int, b: int, with_a: int, with_b: int, open_: int, lone: int, blots: int
) -> set[int] | list[int]:
    """The rest of `plain_ends` where a blot can be hit."""
    # What a step from a place adds, the hit included: the steps that hit are few.
    adds_a = list(DELTA[a])
    adds_b = list(DELTA[b])
    for adds, sources, number in ((adds_a, with_a, a), (adds_b, with_b, b)):
        hitting = sources & blots >> number
        while hitting:
            point = 26 - hitting.bit_length()
            adds[point] += HIT[point - number]
            hitting ^= 1 << 25 - point
    points_a = _points(with_a)
    points_b = _points(with_b)
    steps_b = [adds_b[point] for point in points_b]
    ends = {first + step for first in [key + adds_a[point] for point in points_a] for step in steps_b}
    while lone:
        point = 26 - lone.bit_length()
        ends.discard(key + adds_a[point] + adds_b[point])
        lone ^= 1 << 25 - point
    # Two checkers that come to the same blot hit it once.
    twice = with_a << a & with_b << b & blots
    while twice:
        point = 26 - twice.bit_length()
        wrong = key + adds_a[point + a] + adds_b[point + b]
        ends.discard(wrong)
        ends.add(wrong - HIT[point])
        twice ^= 1 << 25 - point
    # One checker playing both: what it hits on its way depends on which number it plays first.
    runs = open_ >> a + b
    for point in _points(runs & (with_a | with_b)):
        place = 1 << 25 - point
        last = key + (HIT[point - a - b] if blots & place << a + b else 0)
        if with_a & place:
            ends.add(last + adds_a[point] + DELTA[b][point - a])
        if with_b & place:
            ends.add(last + adds_b[point] + DELTA[a][point - b])
    if ends:
        return ends
    return [key + adds_a[point] for point in points_a] or [key + step for step in steps_b]


def _points(places: int) -> list[int]:
    """The points of a mask, the nearest to home first."""
    points = []
    while places:
        length = places.bit_length()
        points.append(26 - length)
        places ^= 1 << length - 1
    return points


def _moves(key: int, number: int) -> list[int]:
    """`key` after each single step of `number` that R3, R5 and R9 allow."""
    if key & _BAR_DIGIT:
        point = 25 - number
        against = key >> 4 * point & 15
        if against > 1:
            return []
        entered = key + DELTA[number][25]
        return [entered + HIT[point] if against else entered]
    digits = b"%052x" % key
    theirs = digits[51:25:-1]
    holds = int(digits[:26].translate(_HOLDS), 2)
    sources = holds & (int(theirs.translate(_OPEN), 2) & _POINTS) >> number
    hitting = sources & (int(theirs.translate(_SINGLE), 2) & _POINTS) >> number
    t0, t1, t2, t3 = _TABLES[number]
    quiet = sources ^ hitting
    moves = [key + step for step in t0[quiet & 127] + t1[quiet >> 7 & 127] + t2[quiet >> 14 & 127] + t3[quiet >> 21]]
    if hitting:
        moves += [key + DELTA[number][point] + HIT[point - number] for point in _points(hitting)]
    if not holds & _OUTSIDE:
        behind = holds & (1 << 26 - number) - 1
        if behind >> 25 - number:
            moves.append(key + DELTA[number][number])
        elif not behind and (rest := holds & _POINTS):
            highest = 26 - (rest & -rest).bit_length()
            moves.append(key + DELTA[number][highest])
    return moves


def _stepwise_ends(key: int, a: int, b: int) -> set[int] | list[int]:
    """`plain_ends` of two different numbers, a the larger, step by step: with checkers on the bar, or coming home."""
    first_a = _moves(key, a)
    first_b = _moves(key, b)
    ends = {end for first in first_a for end in _moves(first, b)}
    ends.update([end for first in first_b for end in _moves(first, a)])
    return ends or first_a or first_b or [key]


def _double_ends(key: int, number: int) -> set[int] | list[int]:
    """`plain_ends` of a double."""
    left = 4
    on_bar = key >> SIDE_BITS & 15
    if on_bar:
        point = 25 - number
        against = key >> 4 * point & 15
        if against > 1:
            return [key]
        entering = min(on_bar, 4)
        key += entering * DELTA[number][25] + (HIT[point] if against else 0)
        left -= entering
        if not left:
            return [key]
    digits = b"%052x" % key
    holds = int(digits[:26].translate(_HOLDS), 2)
    outside = holds & _OUTSIDE
    if not outside:
        if _fewer_than(left, digits, holds & (1 << 26 - number) - 1):
            return _double_stepwise(key, number, left)
        last = 0
    elif _fewer_than(left, digits, outside):
        return _double_stepwise(key, number, left)
    else:
        last = 1
    return _double_sums(key, number, left, last, digits)


def _double_stepwise(key: int, number: int, left: int) -> set[int] | list[int]:
    """The ends of `left` steps of a double, one after the other: where checkers come home and are borne off."""
    ends: set[int] | list[int] = [key]
    for _ in range(left):
        further = {end for before in ends for end in _moves(before, number)}
        if not further:
            break
        ends = further
    return ends


def _double_sums(key: int, number: int, left: int, last: int, digits: bytes) -> list[int]:
    """The ends of a double: every way to make `left` steps (or as many as can be) as a sum, each once.

    The points are walked from the farthest on, along each road of steps of `number` down to point `last` (0 where
    checkers may be borne off); from each, as many checkers may step on as stand or have just arrived there.
    """
    # settled[n]: the sums of n steps; arrived[k - 1][n]: those of n more steps than k, whose last k end on the point
    # looked at, from where those checkers may go on.
    settled = [[key]]
    deltas = DELTA[number]
    for road in range(24, 24 - number, -1):
        arrived: list[list[list[int]]] = []
        for point in range(road, last + number - 1, -number):
            standing = _VALUE[digits[point]]
            if not (standing or arrived):
                continue
            target = point - number
            against = digits[51 - target] if target else 48
            if against > 49:  # closed: those who came here stay
                if arrived:
                    _settle(settled, arrived)
                    arrived = []
                continue
            step = deltas[point]
            added = HIT[target] if against == 49 else 0
            if not arrived:
                for room in range(left - 1, max(-1, left - 1 - standing), -1):  # for the steps before those from here
                    added += step
                    arrived.append([[end + added for end in ends] for ends in settled[: room + 1]])
                continue
            going: list[list[list[int]]] = []
            room = left
            for checkers in range(1, min(left, standing + len(arrived)) + 1):
                added += step
                room -= 1
                rows = []
                if checkers <= standing:
                    rows = [[end + added for end in ends] for ends in settled[: room + 1]]
                for came, earlier in enumerate(arrived, 1):
                    if checkers <= standing + came and came <= room:
                        for count, ends in enumerate(earlier[: room + 1 - came], came):
                            while len(rows) <= count:
                                rows.append([])
                            rows[count] += [end + added for end in ends]
                if not rows:
                    break
                going.append(rows)
            _settle(settled, arrived)
            arrived = going
        if arrived:
            _settle(settled, arrived)
    return settled[-1]


def _settle(settled: list[list[int]], arrived: list[list[list[int]]]) -> None:
    """Put the sums of checkers that go no further with the rest."""
    for came, rows in enumerate(arrived, 1):
        for count, ends in enumerate(rows, came):
            while len(settled) <= count:
                settled.append([])
            settled[count] += ends
