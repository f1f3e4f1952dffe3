"""The end positions of a turn in the games without rules of their own, fast: whole turns added up as integers.

A key is the position's text read as a hex number (position.py), so a step is one addition: `DELTA[n][p]` takes a
checker off point p and puts it on p - n, and hitting there adds another constant. A turn is a sum of steps, and as the
two numbers of a roll hardly disturb each other, all turns are sums of pairs, less the few pairs that cannot be. Of a
double, how often each step is made says everything, so its steps are made from the farthest point on, and what is then
still open to the last two of them is added up but once. A turn is played step by step where checkers may be borne off
with larger numbers than they need, and where a double cannot be played out.

Masks have one bit a place of the mover: bit 25 - p for point p (0 off, 25 bar), so that a step of n is a shift by n.
What belongs to the points of a mask is listed from the farthest on.
"""
# ruff: noqa: PERF401 - the lists are short, and a comprehension costs a call.

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from nardi.rules.position import SIDE_BITS

_MINE = tuple(SIDE_BITS + 4 * (25 - p) for p in range(26))
DELTA = tuple(
    tuple((1 << _MINE[max(0, p - n)]) - (1 << _MINE[p]) if n and p else 0 for p in range(26)) for n in range(12)
)
HIT = tuple(1 - (1 << 4 * p) for p in range(26))  # their blot on my point p goes to the bar

# The digits of a side, as masks: what holds a checker, a single one, at most one.
_HOLDS = bytes.maketrans(b"0123456789abcdef", b"0111111111111111")
_SINGLE = bytes.maketrans(b"0123456789abcdef", b"0100000000000000")
_OPEN = bytes.maketrans(b"0123456789abcdef", b"1100000000000000")
_BAR_BIT = 1
_POINTS = (1 << 25) - 2  # bits of points 24 (bit 1) to 1 (bit 24)
_OUTSIDE = (1 << 19) - 1  # the bar and points 24 to 7
_OFF_BIT = 1 << 25

_Tables = tuple[tuple[tuple[int, ...], ...], ...]


def _by_places(values: Sequence[int]) -> _Tables:
    """What 26 values, by point, are for each mask of the bar and points 24 to 17, of 16 to 9, and of 8 to 1."""
    tables = []
    for first, bits in ((0, 9), (9, 8), (17, 8)):
        table: list[tuple[int, ...]] = [()]
        for place in range(first, first + bits):
            table += [(*chosen, values[25 - place]) for chosen in table]
        tables.append(tuple(table))
    return tuple(tables)


_STEPS = tuple(_by_places(deltas) for deltas in DELTA)
_POINTS_OF = _by_places(range(26))


def _chosen(tables: _Tables, places: int) -> tuple[int, ...]:
    """The values of the points of a mask."""
    far, middle, near = tables
    return far[places & 511] + middle[places >> 9 & 255] + near[places >> 17]


def _added(number: int, sources: int, blots: int) -> tuple[int, ...] | list[int]:
    """What a step of `number` from each of the sources adds to the key, its hit included."""
    far, middle, near = _STEPS[number]
    steps = far[sources & 511] + middle[sources >> 9 & 255] + near[sources >> 17]
    hitting = sources & blots >> number
    if not hitting:
        return steps
    added = list(steps)
    for point in _chosen(_POINTS_OF, hitting):
        added[(sources & (1 << 25 - point) - 1).bit_count()] += HIT[point - number]
    return added


def plain_ends(key: int, a: int, b: int) -> set[int] | list[int]:
    """The keys of all legal end positions, without duplicates; the one unchanged key when nothing can be played.

    For games in which R1-R9 are all there is to a turn.
    """
    if a == b:
        return _double_ends(key, a)
    if a < b:
        a, b = b, a
    on_bar = key >> SIDE_BITS & 15
    if on_bar > 1:
        return _two_enter(key, a, b)
    holds, single, open_, blots = _masks(key)
    if on_bar:
        return _one_enters(key, a, b, holds, open_, blots)
    outside = holds & _OUTSIDE
    if not outside:
        # All home: sums serve as long as neither number can come to be larger than the farthest checker's point.
        behind = holds & (1 << 26 - a) - 1
        if not (behind & behind - 1 or behind & ~single):
            return _stepwise_ends((key, holds, blots), a, b, open_)
        open_ |= _OFF_BIT
    elif outside >> 18 - a and not (outside & outside - 1 or outside & ~single):
        # The last checker outside may come home and another be borne off.
        return _stepwise_ends((key, holds, blots), a, b, open_)
    with_a = holds & open_ >> a
    with_b = holds & open_ >> b
    steps_a = _added(a, with_a, blots)
    steps_b = _added(b, with_b, blots)
    ends = [first + step for step in steps_a for first in [key + step] for step in steps_b]
    # Two checkers that come to the same blot hit it once.
    twice = with_a << a & with_b << b & blots
    while twice:
        target = 1 << twice.bit_length() - 1
        index = (with_a & (target >> a) - 1).bit_count() * len(steps_b) + (with_b & (target >> b) - 1).bit_count()
        ends[index] -= HIT[26 - target.bit_length()]
        twice ^= target
    # A lone checker cannot play the two numbers side by side...
    lone = with_a & with_b & single
    while lone:
        farther = (1 << lone.bit_length() - 1) - 1
        del ends[(with_a & farther).bit_count() * len(steps_b) + (with_b & farther).bit_count()]
        lone &= farther
    # ... but any checker one after the other, if it finds an open point between (R4). If one of its own kind stands
    # there, it is as if that one went on; else it matters which number is played first only for a blot between.
    run_a = with_a & open_ >> a + b
    run_b = with_b & open_ >> a + b
    over_a = run_a & holds >> a
    over_b = run_b & holds >> b
    past_a = run_a & blots >> a
    past_b = run_b & blots >> b
    new = (run_a ^ past_a | run_b ^ past_b) & ~(over_a | over_b)
    if new:
        for step in _added(a + b, new, blots):
            ends.append(key + step)
    if past_a:
        for step, point in zip(_added(a + b, past_a, blots), _chosen(_POINTS_OF, past_a), strict=True):
            ends.append(key + step + HIT[point - a])
    if past_b:
        for step, point in zip(_added(a + b, past_b, blots), _chosen(_POINTS_OF, past_b), strict=True):
            ends.append(key + step + HIT[point - b])
    if over_a & over_b:
        return set(ends)
    return ends or [key + step for step in steps_a or steps_b] or [key]


def _masks(key: int) -> tuple[int, int, int, int]:
    """The places that hold my checkers, those that hold a single one, the points open to me, and their blots."""
    digits = b"%052x" % key
    mine = digits[:26]
    theirs = digits[51:25:-1]
    return (
        int(mine.translate(_HOLDS), 2),
        int(mine.translate(_SINGLE), 2),
        int(theirs.translate(_OPEN), 2) & _POINTS,
        int(theirs.translate(_SINGLE), 2) & _POINTS,
    )


def _two_enter(key: int, a: int, b: int) -> list[int]:
    """`plain_ends` of two different numbers with more than one checker on the bar."""
    entered = key
    for number in (a, b):
        against = key >> 4 * (25 - number) & 15
        if against < 2:
            entered += DELTA[number][25] + (HIT[25 - number] if against else 0)
    return [entered]


def _one_enters(key: int, a: int, b: int, holds: int, open_: int, blots: int) -> set[int] | list[int]:
    """`plain_ends` of two different numbers, a the larger, with one checker on the bar."""
    holds ^= _BAR_BIT
    ends = []
    first = []
    for number, other in ((a, b), (b, a)):
        target = 1 << number
        if open_ & target:
            entered = key + DELTA[number][25]
            left = blots
            if blots & target:
                entered += HIT[25 - number]
                left ^= target
            first.append(entered)
            for step in _added(other, (holds | target) & open_ >> other, left):
                ends.append(entered + step)
    return (set(ends) if len(first) == 2 else ends) or first[:1] or [key]


_State = tuple[int, int, int]
"""A key on the way, and its masks: the places that hold my checkers, their blots."""


def _sources(holds: int, open_: int, number: int) -> int:
    """The points from which a step of `number` may be made, with nobody on the bar."""
    sources = holds & open_ >> number
    if not holds & _OUTSIDE:
        behind = holds & (1 << 26 - number) - 1
        if not behind:
            home = holds & _POINTS
            return sources | home & -home
        sources |= behind & 1 << 25 - number
    return sources


def _moves(state: _State, number: int, open_: int) -> list[_State]:
    """The states after each single step of `number` that R3, R5 and R9 allow."""
    key, holds, blots = state
    moves = []
    for point in _chosen(_POINTS_OF, _sources(holds, open_, number)):
        after = key + DELTA[number][point]
        source = 1 << 25 - point
        target = source << number if point > number else _OFF_BIT
        held = (holds if after >> _MINE[point] & 15 else holds ^ source) | target
        if target & blots:
            moves.append((after + HIT[point - number], held, blots ^ target))
        else:
            moves.append((after, held, blots))
    return moves


def _stepwise_ends(start: _State, a: int, b: int, open_: int) -> set[int] | list[int]:
    """`plain_ends` of two different numbers, a the larger, step by step."""
    first_a = _moves(start, a, open_)
    first_b = _moves(start, b, open_)
    ends = set()
    for first, number in ((first_a, b), (first_b, a)):
        for key, holds, blots in first:
            for step in _added(number, _sources(holds, open_, number), blots):
                ends.add(key + step)
    return ends or [key for key, _, _ in first_a or first_b or [start]]


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
    holds, single, open_, blots = _masks(key)
    outside = holds & _OUTSIDE
    if _fewer_than(left, key, outside or holds & (1 << 26 - number) - 1):
        return _double_stepwise((key, holds, blots), number, left, open_)
    can = (open_ if outside else open_ | _OFF_BIT) >> number
    sources = holds & can
    if not sources:
        return [key]
    ends = _double_sums(key, number, left, sources, sources & ~single, can, blots)
    return ends or _double_stepwise((key, holds, blots), number, left, open_)


def _fewer_than(number: int, key: int, places: int) -> bool:
    """Whether fewer than `number` of my checkers stand on the places of the mask."""
    return places.bit_count() < number and sum(key >> _MINE[p] & 15 for p in _chosen(_POINTS_OF, places)) < number


def _double_stepwise(start: _State, number: int, left: int, open_: int) -> set[int] | list[int]:
    """The ends of `left` steps of a double (or as many as can be made), step by step."""
    states = [start]
    for _ in range(left - 1):
        further = {after[0]: after for before in states for after in _moves(before, number, open_)}
        if not further:
            break
        states = list(further.values())
    ends = set()
    for key, holds, blots in states:
        for step in _added(number, _sources(holds, open_, number), blots):
            ends.add(key + step)
    return ends or [key for key, _, _ in states]


def _double_sums(start: int, number: int, left: int, sources: int, many: int, can: int, blots: int) -> list[int]:
    """The ends of `left` steps of a double, each once; none where so many cannot be made.

    Masks: `sources`, from where a step can be made, and `many` of them, from where it can be made again; `can`, from
    where a step is possible for whoever stands there. Steps are made from the farthest point on: those who have been
    passed by stay.
    """
    deltas = DELTA[number]
    adds = list(deltas)
    for point in _chosen(_POINTS_OF, blots >> number):
        adds[point] += HIT[point - number]
    ends: list[int] = []
    # The keys on the way with three, two and one steps left, by the sources of these (and the many of them).
    threes: list[tuple[int, int, int]] = []
    twos: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    ones: defaultdict[int, list[int]] = defaultdict(list)
    if left == 4:
        while sources:
            source = sources & -sources
            sources ^= source
            point = 26 - source.bit_length()
            arrival = source << number & can
            key = start + adds[point]
            threes.append((key, sources | arrival, sources & (many | arrival)))
            if source & many:
                key += deltas[point]
                twos[sources | arrival, sources & many | arrival].append(key)
                count = start >> _MINE[point] & 15
                if count > 2:
                    key += deltas[point]
                    ones[sources | arrival].append(key)
                    if count > 3:
                        ends.append(key + deltas[point])
    elif left == 3:
        threes.append((start, sources, many))
    elif left == 2:
        twos[sources, many].append(start)
    else:
        ones[sources].append(start)
    for before, sources, many in threes:
        while sources:
            source = sources & -sources
            sources ^= source
            point = 26 - source.bit_length()
            arrival = source << number & can
            key = before + adds[point]
            twos[sources | arrival, sources & (many | arrival)].append(key)
            if source & many:
                key += deltas[point]
                ones[sources | arrival].append(key)
                if before >> _MINE[point] & 15 > 2:
                    ends.append(key + deltas[point])
    sums = [(keys, _two_steps(number, adds, sources, many, can)) for (sources, many), keys in twos.items()]
    for sources, keys in ones.items():
        sums.append((keys, [adds[point] for point in _chosen(_POINTS_OF, sources)]))
    return ends + [key + step for keys, steps in sums for key in keys for step in steps]


def _two_steps(number: int, adds: Sequence[int], sources: int, many: int, can: int) -> list[int]:
    """What the last two steps of a double add: from two points, twice from one, and on from where one has come to."""
    both = []
    for one, other in combinations(_chosen(_POINTS_OF, sources), 2):
        both.append(adds[one] + adds[other])
    if many:
        for point in _chosen(_POINTS_OF, many):
            both.append(adds[point] + DELTA[number][point])
    # Where one stands that can go on, going on from there was already counted as a step from another point.
    on = sources << number & can & ~sources
    if on:
        for point in _chosen(_POINTS_OF, on):
            both.append(adds[point + number] + adds[point])
    return both
