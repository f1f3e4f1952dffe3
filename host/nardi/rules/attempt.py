"""What a player may have done: the turns, legal or not, that lead from one board to another, each with its flaws.

It reads generously: any checker may have made a step of a number of the roll, and every rule that the step breaks is
noted. `whynot.py` makes one explanation of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from nardi.rules.play import Step
from nardi.rules.position import BAR, OFF, SIDE_BITS, Position
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Block, HitAndHide, Ruleset
from nardi.rules.search import (
    ABOVE,
    HEAD,
    MINE,
    OUTSIDE_HOME,
    STEPS,
    Hitter,
    State,
    blocks,
    has_forbidden_block,
    hitters_after,
    second_off_head,
)
from nardi.text.message import Message


@dataclass(frozen=True, slots=True)
class Flaw:
    """One rule broken by one turn: its ID, what is to be said, and the steps concerned."""

    rule: str
    message: Message
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A way to have played from one board to another. `waste` is in pips (V2).

    `explains_theirs`: the opponent's checkers stand as the steps leave them.
    """

    steps: tuple[Step, ...]
    flaws: tuple[Flaw, ...]
    waste: int
    explains_theirs: bool

    @property
    def doubtfulness(self) -> tuple[bool, int, int, int]:
        """The less, the likelier the player did this: 24/23/18 explains more than a 6 that nobody threw twice."""
        return not self.explains_theirs, len(self.flaws), -len(self.steps), self.waste


@dataclass(frozen=True, slots=True)
class _Way:
    """An attempt so far."""

    key: int
    steps: tuple[Step, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    waste: int = 0


def flaw(rule: str, case: str, steps: tuple[Step, ...], **parameters: int | str) -> Flaw:
    return Flaw(rule, Message.of(f"rules.{rule}.{case}", **parameters), steps)


def attempts(before: Position, after: Position, roll: Roll, ruleset: Ruleset, first_turn: bool) -> list[Attempt]:
    """Every way to move the mover's checkers from `before` to `after` with numbers of the roll, none twice."""
    start = _Way(before.key)
    if roll.is_double:
        ways = [way for way in [_double_way(before, after, roll.a, ruleset)] if way is not None]
    else:
        ways = [start]
        for numbers in ((roll.high,), (roll.low,), (roll.high, roll.low), (roll.low, roll.high)):
            reached = [start]
            for number in numbers:
                reached = [further for way in reached for further in _steps(way, number, ruleset)]
            ways += reached
    mine = after.key >> SIDE_BITS
    found = [way for way in ways if way.key >> SIDE_BITS == mine]
    return [_judged(way, before, after, roll, ruleset, first_turn) for way in found]


def _steps(way: _Way, number: int, ruleset: Ruleset) -> Iterator[_Way]:
    for source in range(BAR, 0, -1):
        if way.key >> MINE[source] & 15:
            yield _step(way, source, number, ruleset)


def _step(way: _Way, source: int, number: int, ruleset: Ruleset) -> _Way:
    """`way` and one more step, whatever it breaks."""
    key = way.key
    target = max(OFF, source - number)
    shift = 4 * (25 - ruleset.facing(target)) if target else 0
    against = key >> shift & 15 if target else 0
    closed = against >= (2 if ruleset.hits else 1)
    hits = against == 1 and not closed
    step = STEPS[source][target][hits]
    flaws = way.flaws
    if key >> MINE[BAR] & 15 and source != BAR:
        flaws += (flaw("R5", "bar_first", (step,), source=source),)
    if closed:
        flaws += (flaw("R3", "closed", (step,), point=target, number=number, source=source),)
    if target == OFF:
        if key & OUTSIDE_HOME:
            flaws += (flaw("R9", "not_all_home", (step,), source=source, farthest=_farthest(key)),)
        elif number > source and key & ABOVE[source]:
            flaws += (flaw("R9", "higher_must_move", (step,), source=source, number=number, higher=_farthest(key)),)
    moved = key - (1 << MINE[source]) + (1 << MINE[target]) + (1 - (1 << shift) if hits else 0)
    waste = max(0, number - source)
    return _Way(moved, (*way.steps, step), flaws, way.waste + waste)


def _farthest(key: int) -> int:
    return next(point for point in range(BAR, -1, -1) if key >> MINE[point] & 15)


def _double_way(before: Position, after: Position, number: int, ruleset: Ruleset) -> _Way | None:
    """The one way to play a double from board to board: how often each step was made follows from the counts."""
    going = [0] * 26
    for point in range(BAR, 0, -1):
        arrived = going[point + number] if point + number <= BAR else 0
        going[point] = before.mine[point] + arrived - after.mine[point]
        if going[point] < 0:
            return None
    if sum(going) > 4:
        return None
    way = _Way(before.key)
    for point in range(BAR, 0, -1):
        for _ in range(going[point]):
            if not way.key >> MINE[point] & 15:
                return None
            way = _step(way, point, number, ruleset)
    return way


def _judged(way: _Way, before: Position, after: Position, roll: Roll, ruleset: Ruleset, first_turn: bool) -> Attempt:
    """The attempt with the flaws that show only in the whole turn."""
    flaws = list(way.flaws)
    # R4: a closed point on which the checker did not stay was only passed through.
    for index, found in enumerate(flaws):
        if found.message.id == "rules.R3.closed":
            landing = found.steps[0].target
            onward = next((step for step in way.steps if step.source == landing), None)
            if onward is not None and not before.mine[landing]:
                flaws[index] = flaw(
                    "R4", "between_closed", (*found.steps, onward), point=landing, source=found.steps[0].source,
                    target=onward.target,
                )  # fmt: skip
    if way.key != after.key:
        flaws.append(_their_flaw(way, after, ruleset))
    if ruleset.hit_and_hide is not HitAndHide.FREE:
        flaws += _hiding(way, before, ruleset)
    if ruleset.head:
        off_head = tuple(step for step in way.steps if step.source == HEAD)
        allowed = 2 if first_turn and second_off_head(before.key, roll.a, roll.b, ruleset) else 1
        if len(off_head) > allowed:
            flaws.append(flaw("L2", "second_off_head", off_head[allowed:], count=len(off_head), allowed=allowed))
    if ruleset.block is not Block.FREE:
        flaws += _blocking(way, before, ruleset)
    return Attempt(way.steps, tuple(flaws), way.waste, way.key == after.key)


def _their_flaw(way: _Way, after: Position, ruleset: Ruleset) -> Flaw:
    """What is wrong with the opponent's checkers, which should be as the steps leave them."""
    should = Position.of_key(way.key).theirs
    for step in way.steps:
        if step.hits and after.theirs[ruleset.facing(step.target)] > should[ruleset.facing(step.target)]:
            return flaw("R3", "hit_not_taken_up", (step,), point=step.target)
    moved = next(place for place in range(26) if should[place] != after.theirs[place])
    point = ruleset.facing(moved) if 0 < moved < BAR else BAR - moved
    return flaw("R2", "their_checkers", (), point=point)


def _hiding(way: _Way, before: Position, ruleset: Ruleset) -> list[Flaw]:
    """V1: the hitter that hid, if every way to tell the checkers apart has one."""
    states = {State(before.key)}
    key = before.key
    stays: tuple[Hitter, ...] = ()
    for step in way.steps:
        following: set[State] = set()
        key = key - (1 << MINE[step.source]) + (1 << MINE[step.target])
        for state in states:
            stays = state.hitters or stays
            following.update(State(key, 0, hitters) for hitters in hitters_after(state, step, ruleset))
        states = following
    if any(not any(hitter.joined for hitter in state.hitters) for state in states):
        return []
    hits = tuple(step for step in way.steps if step.hits)
    if not states:
        return [flaw("V1", "hitter_borne_off", hits, point=hits[0].target if hits else OFF)]
    hidden = min(hitter for state in states for hitter in state.hitters if hitter.joined)
    return [flaw("V1", "hit_and_hid", hits, hit=hits[0].target, point=hidden.point)]


def _blocking(way: _Way, before: Position, ruleset: Ruleset) -> list[Flaw]:
    """L3: the run that may not stand, at the end or, where that counts, on the way."""
    stays = has_forbidden_block(way.key, ruleset)
    if not stays and ruleset.block_in_passing:
        return []
    key = before.key
    for step in way.steps:
        key = key - (1 << MINE[step.source]) + (1 << MINE[step.target])
        if not has_forbidden_block(key, ruleset):
            continue
        # A run that is still there at the end is told as it then stands.
        first, last = next(iter(blocks(way.key if stays else key, ruleset)))
        case = "nobody_ahead" if ruleset.block is Block.AHEAD else "nobody_home"
        return [
            flaw(
                "L3",
                case if stays else f"{case}_in_passing",
                (step,),
                first=ruleset.facing(first),
                last=ruleset.facing(last),
                length=first - last + 1,
            )
        ]
    return []
