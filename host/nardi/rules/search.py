"""Every legal turn under any ruleset, with its steps: the complete generator, ruleset by ruleset setting.

It walks the turn number by number, one layer for each number played, keeping of the ways to the same state the one
that reads best. `plain.py` finds the end positions alone for the games without rules of their own, much faster; the
tests hold the two together.
"""

from collections.abc import Iterator
from typing import NamedTuple

from nardi.rules.play import Step, chains_of
from nardi.rules.position import BAR, OFF, SIDE_BITS
from nardi.rules.ruleset import Block, HeadException, HitAndHide, Ruleset

# Inside a key, my point p is the digit 4 * (25 - p) above SIDE_BITS, their point q the digit 4 * (25 - q).
MINE = tuple(SIDE_BITS + 4 * (25 - p) for p in range(26))
OUTSIDE_HOME = ((1 << 76) - 1) << SIDE_BITS  # my points 7-24 and the bar
ABOVE = tuple(((1 << 4 * (25 - p)) - 1) << SIDE_BITS for p in range(26))  # my checkers behind point p
HEAD = 24
HIT_DELTA = tuple(1 - (1 << 4 * p) for p in range(26))  # their blot on my point p goes to the bar

_NONE = b"0"[0]
# Where in the 52 digits of a text the opponent's checkers on my point p are written, by `same_way`.
_THEIR_DIGIT = (
    tuple(51 - p for p in range(26)),
    tuple(26 + (p + 12 if p <= 12 else p - 12) for p in range(26)),
)
_HELD = bytes.maketrans(b"0123456789abcdef", b"0111111111111111")
_SIX = b"111111"

STEPS = tuple(
    tuple(tuple(Step(source, target, hits) for hits in (False, True)) for target in range(26)) for source in range(26)
)
"""Steps are made once and shared: `STEPS[source][target][hits]`."""


class Hitter(NamedTuple):
    """V1: where a checker that hit stands, and whether it reached an own checker there."""

    point: int
    joined: bool


class State(NamedTuple):
    """Where a turn has come to: the board, and what its own rules must remember of the way."""

    key: int
    from_head: int = 0
    hitters: tuple[Hitter, ...] = ()
    waste: int = 0


Path = tuple[Step, ...]
Layer = dict[State, Path]


def single_steps(key: int, number: int, ruleset: Ruleset) -> Iterator[tuple[Step, int, int]]:
    """The steps that R3, R5 and R9 allow one checker with `number`: (step, key afterwards, pips wasted)."""
    digits = b"%052x" % key
    sources: range | tuple[int, ...] = (BAR,) if digits[BAR] != _NONE else range(24, 0, -1)
    facing = _THEIR_DIGIT[ruleset.same_way]
    most_against = b"1"[0] if ruleset.hits else _NONE
    for source in sources:
        if digits[source] == _NONE:
            continue
        target = source - number
        if target > 0:
            place = facing[target]
            against = digits[place]
            if against > most_against:
                continue
            moved = key - (1 << MINE[source]) + (1 << MINE[target])
            if against == _NONE:
                yield STEPS[source][target][0], moved, 0
            else:
                yield STEPS[source][target][1], moved + 1 - (1 << 4 * (51 - place)), 0
        elif not key & OUTSIDE_HOME and (target == 0 or not key & ABOVE[source]):
            yield STEPS[source][OFF][0], key - (1 << MINE[source]) + (1 << MINE[OFF]), -target


def search(key: int, a: int, b: int, ruleset: Ruleset, first_turn: bool) -> dict[int, Path]:
    """The legal end positions of the turn, as keys, each with the steps there; none when nothing can be played."""
    second = second_off_head(key, a, b, ruleset) if ruleset.head and first_turn else False
    off_head = (2 if second else 1) if ruleset.head else 15
    start: Layer = {State(key): ()}
    best: Layer = {}
    if a == b:
        layer: Layer = start
        for _ in range(4):
            layer = _next_layer(layer, a, ruleset, off_head)
            if not layer:
                break
            best = _standing(layer, ruleset) or best
    else:
        larger, smaller = max(a, b), min(a, b)
        first = _next_layer(start, larger, ruleset, off_head)
        other = _next_layer(start, smaller, ruleset, off_head)
        both = _next_layer(first, smaller, ruleset, off_head)
        for state, path in _next_layer(other, larger, ruleset, off_head).items():
            _keep(both, state, path)
        # R6: both where they can be played; R7: else the larger where it can; else the smaller.
        best = _standing(both, ruleset) or _standing(first, ruleset) or _standing(other, ruleset)
    if ruleset.least_waste and best:
        least = min(state.waste for state in best)
        best = {state: path for state, path in best.items() if state.waste == least}
    ends: dict[int, Path] = {}
    for state, path in best.items():
        known = ends.get(state.key)
        if known is None or rank(path) < rank(known):
            ends[state.key] = path
    return ends


def _standing(layer: Layer, ruleset: Ruleset) -> Layer:
    """The states of a layer in which the turn may end."""
    if ruleset.hit_and_hide is HitAndHide.FREE and ruleset.block is Block.FREE:
        return layer
    return {state: path for state, path in layer.items() if may_stand(state, ruleset)}


def _next_layer(layer: Layer, number: int, ruleset: Ruleset, off_head: int) -> Layer:
    """The states that one more `number` leads to from those of `layer`; at most `off_head` checkers leave the head."""
    result: Layer = {}
    guards_hitters = ruleset.hit_and_hide is not HitAndHide.FREE
    for state, path in layer.items():
        for step, key, wasted in single_steps(state.key, number, ruleset):
            from_head = state.from_head + (step.source == HEAD)
            if from_head > off_head:
                continue
            if not ruleset.block_in_passing and has_forbidden_block(key, ruleset):
                continue
            waste = state.waste + wasted if ruleset.least_waste else 0
            from_head = from_head if ruleset.head else 0
            if guards_hitters:
                for hitters in hitters_after(state, step, ruleset):
                    _keep(result, State(key, from_head, hitters, waste), (*path, step))
            else:
                _keep(result, State(key, from_head, (), waste), (*path, step))
    return result


def _keep(layer: Layer, state: State, path: Path) -> None:
    """Add `path` to `state`, unless a way that reads better is there."""
    other = layer.get(state)
    if other is None or rank(path) < rank(other):
        layer[state] = path


def rank(path: Path) -> tuple[object, ...]:
    """How well the steps read, best first: few checkers moved, the farthest first."""
    return len(chains_of(path)), [-step.source for step in path], [-step.target for step in path]


def second_off_head(key: int, a: int, b: int, ruleset: Ruleset) -> bool:
    """L2: whether a second checker may leave the head on the first turn, from the position before it."""
    if a != b or a not in (3, 4, 6):
        return False
    if ruleset.head_exception is HeadException.ALWAYS:
        return True
    # The first checker runs on until the opposing head, on my 12, stops it; nothing else may have stopped it before.
    on_the_way = range(24 - a, 12, -a)
    return key >> 4 & 15 > 0 and not any(key >> 4 * (25 - ruleset.facing(point)) & 15 for point in on_the_way)


def hitters_after(state: State, step: Step, ruleset: Ruleset) -> Iterator[tuple[Hitter, ...]]:
    """V1: what can have become of the hitters after `step`; several where it may be a hitter or another that moved."""
    hitters = state.hitters
    count = state.key >> MINE[step.source] & 15
    here = [hitter for hitter in hitters if hitter.point == step.source]
    hits_now = step.hits and (ruleset.hit_and_hide is HitAndHide.EVERYWHERE or step.target <= 6)
    if count > len(here):  # another checker than a hitter may be the one that moves
        yield tuple(sorted((*hitters, Hitter(step.target, False)))) if hits_now else hitters
    for hitter in dict.fromkeys(here):
        rest = list(hitters)
        rest.remove(hitter)
        if step.target != OFF:
            rest.append(Hitter(step.target, bool(state.key >> MINE[step.target] & 15)))
        elif not ruleset.hitter_may_bear_off:
            continue
        yield tuple(sorted(rest))


def may_stand(state: State, ruleset: Ruleset) -> bool:
    """Whether the turn may end so (V1, L3)."""
    if any(hitter.joined for hitter in state.hitters):
        return False
    return not has_forbidden_block(state.key, ruleset)


def blocks(key: int, ruleset: Ruleset) -> Iterator[tuple[int, int]]:
    """L3: my runs of six or more along the opponent's path: (first, last) point in the opponent's numbering."""
    length = 0
    for theirs in range(24, -1, -1):
        if theirs and key >> MINE[ruleset.facing(theirs)] & 15:
            length += 1
        else:
            if length >= 6:
                yield theirs + length, theirs + 1
            length = 0


def has_forbidden_block(key: int, ruleset: Ruleset) -> bool:
    """L3: whether a run stands that the opponent's place does not allow."""
    if ruleset.block is Block.FREE:
        return False
    mine = (b"%026x" % (key >> SIDE_BITS)).translate(_HELD)
    along = mine[12:0:-1] + mine[24:12:-1] if ruleset.same_way else mine[1:25]  # from their 24 to their 1
    if _SIX not in along:
        return False
    for _, last in blocks(key, ruleset):
        ahead = last - 1 if ruleset.block is Block.AHEAD else 6
        if not key >> 4 * (25 - ahead) & (1 << 4 * (ahead + 1)) - 1:
            return True
    return False
