"""Why a play is not legal: the rule, the steps concerned, and the smallest change that would make it legal."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

from nardi.rules.attempt import Attempt, Flaw, attempts, flaw
from nardi.rules.legal import LegalPlays
from nardi.rules.play import Play, Step, notation_of, point_name
from nardi.rules.position import CHECKERS, OFF, Position
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset
from nardi.text.message import Message


@dataclass(frozen=True, slots=True)
class Illegality:
    """What is wrong with an attempted play.

    `rule` is its ID in RULES.md; `steps` are those concerned (the wrong ones, or the ones that were to be played);
    `nearest` is the legal play that takes the smallest change of the board, and `remedy` says that change in words.
    """

    rule: str
    message: Message
    steps: tuple[Step, ...]
    nearest: Play | None
    remedy: Message | None = None


def why_not(
    before: Position, attempted: Position, roll: Roll, ruleset: Ruleset, first_turn: bool = False
) -> Illegality | None:
    """What is wrong with going from `before` to `attempted` (same mover's side first); None if legal.

    It copes with anything that can stand on a board. Of several ways to have got there it judges the one that breaks
    least.
    """
    legal = LegalPlays(before, roll, ruleset, first_turn)
    if attempted in legal:
        return None
    nearest = min(legal, key=lambda play: _distance(play.after, attempted))
    found = _flaw(before, attempted, roll, ruleset, first_turn, legal)
    return Illegality(found.rule, found.message, found.steps, nearest, _remedy(attempted, nearest))


def _flaw(
    before: Position, attempted: Position, roll: Roll, ruleset: Ruleset, first_turn: bool, legal: LegalPlays
) -> Flaw:
    missing = _miscounted(attempted)
    if missing is not None:
        return missing
    ways = attempts(before, attempted, roll, ruleset, first_turn)
    if not ways:
        return _no_such_moves(before, attempted, roll)
    best = min(ways, key=lambda way: way.doubtfulness)
    return best.flaws[0] if best.flaws else _duty(best, roll, legal)


def _miscounted(attempted: Position) -> Flaw | None:
    if sum(attempted.mine) != CHECKERS:
        return flaw("R2", "my_count", (), count=sum(attempted.mine))
    if sum(attempted.theirs) != CHECKERS:
        return flaw("R2", "their_count", (), count=sum(attempted.theirs))
    return None


def _duty(way: Attempt, roll: Roll, legal: LegalPlays) -> Flaw:
    """What a turn without a wrong step still owes: more numbers (R6), the larger (R7), fewer wasted pips (V2)."""
    plays = list(legal)
    most = len(plays[0].steps)
    played = len(way.steps)
    owed = tuple(plays[0].steps)
    if played == 0:
        return flaw("R6", "nothing_played", owed, count=most)
    if played < most:
        if roll.is_double:
            return flaw("R6", "more_of_double", way.steps, played=played, possible=most, number=roll.a)
        return flaw("R6", "both_numbers", way.steps, high=roll.high, low=roll.low)
    if most == 1 and not roll.is_double and not legal.ruleset.least_waste:
        return flaw("R7", "larger", way.steps, larger=roll.high, smaller=roll.low)
    used_smaller = most == 1 and not roll.is_double and way.steps[0].pips <= roll.low < plays[0].steps[0].pips
    if used_smaller:
        return flaw("R7", "larger", way.steps, larger=roll.high, smaller=roll.low)
    least = min(_waste(play, roll) for play in plays)
    return flaw("V2", "wasted", way.steps, wasted=way.waste, least=least)


def _waste(play: Play, roll: Roll) -> int:
    """The pips a play throws away: the numbers used less the pips moved."""
    if roll.is_double:
        return roll.a * len(play.steps) - sum(step.pips for step in play.steps)
    numbers = (roll.a, roll.b) if len(play.steps) == 2 else (roll.high,)
    return max(0, sum(numbers) - sum(step.pips for step in play.steps))


def _no_such_moves(before: Position, attempted: Position, roll: Roll) -> Flaw:
    """No numbers of the roll move the checkers so: which one went wrong."""
    left, _ = _moved(before, attempted)
    most = len(roll.numbers)
    if not left:
        return flaw("R2", "their_checkers_only", ())
    if len(left) > most:
        return flaw("R2", "too_many_moved", (), count=len(left), allowed=most)
    pairs = likeliest_pairs(before, attempted, roll)
    back = next((pair for pair in pairs if pair[1] > pair[0]), None)
    if back is not None:
        return flaw("R2", "backwards", (Step(*back),), source=point_name(back[0]), target=point_name(back[1]))
    explained, left_over = _explained(pairs, roll)
    source, target = next((pair for at, pair in enumerate(pairs) if at not in explained), pairs[-1])
    step = Step(source, target)
    said: dict[str, int | str] = {"source": point_name(source), "target": point_name(target), "pips": step.pips}
    if not explained:
        return flaw("R2", "wrong_number", (step,), **said, a=roll.a, b=roll.b)
    # What the others used up: 2+3 is no 5 any more once the 3 is played elsewhere.
    said["by"] = notation_of(tuple(Step(*pairs[at]) for at in sorted(explained)))
    said["used"] = ", ".join(str(number) for numbers in explained.values() for number in numbers)
    if not left_over:
        return flaw("R2", "number_used", (step,), **said)
    return flaw("R2", "number_left", (step,), **said, left=", ".join(map(str, left_over)))


_Pair = tuple[int, int]


def likeliest_pairs(before: Position, attempted: Position, roll: Roll) -> list[_Pair]:
    """Which checker of the mover's went from where to where, as well as the roll explains it."""
    left, came = _moved(before, attempted)
    if len(left) > 4:  # too many to try every way: the farthest went the farthest
        return list(zip(left, came, strict=False))
    return min(_pairings(left, came), key=lambda pairs: _unlike(pairs, roll))


def _moved(before: Position, attempted: Position) -> tuple[list[int], list[int]]:
    """The places that the mover's checkers left and those they came to, the farthest first."""
    left = [place for place in range(25, -1, -1) for _ in range(before.mine[place] - attempted.mine[place])]
    came = [place for place in range(25, -1, -1) for _ in range(attempted.mine[place] - before.mine[place])]
    return left, came


def _pairings(left: list[int], came: list[int]) -> Iterator[list[_Pair]]:
    """The ways to say which checker went where; at most four checkers, so at most 24."""
    for order in dict.fromkeys(permutations(came)):
        yield list(zip(left, order, strict=True))


def _explained(pairs: list[_Pair], roll: Roll) -> tuple[dict[int, list[int]], list[int]]:
    """Which of the pairs numbers of the roll account for, each with its numbers, and the numbers left over."""
    left = sorted(roll.numbers)
    explained: dict[int, list[int]] = {}
    for count in range(1, len(left) + 1):  # one number a checker before a checker that runs on
        for at, pair in enumerate(pairs):
            if at in explained:
                continue
            numbers = next((list(some) for some in combinations(left, count) if _fits(pair, sum(some))), None)
            if numbers is not None:
                explained[at] = numbers
                for number in numbers:
                    left.remove(number)
    return explained, left


def _fits(pair: _Pair, pips: int) -> bool:
    source, target = pair
    return source - target == pips or (target == OFF and pips >= source)


def _unlike(pairs: list[_Pair], roll: Roll) -> tuple[int, int]:
    """How badly pairs fit the roll: checkers moved backwards, and checkers moved by no number of it."""
    wrong = len(pairs) - len(_explained(pairs, roll)[0])
    return sum(target > source for source, target in pairs), wrong


def _distance(one: Position, other: Position) -> int:
    """How many checkers, counted where they leave and where they come, stand elsewhere."""
    mine = sum(abs(a - b) for a, b in zip(one.mine, other.mine, strict=True))
    return mine + sum(abs(a - b) for a, b in zip(one.theirs, other.theirs, strict=True))


def _remedy(attempted: Position, nearest: Play) -> Message:
    """The smallest change in words: one checker to move elsewhere, or the play to make."""
    away = [place for place in range(26) for _ in range(attempted.mine[place] - nearest.after.mine[place])]
    to = [place for place in range(26) for _ in range(nearest.after.mine[place] - attempted.mine[place])]
    if len(away) == len(to) == 1:
        return Message.of("rules.remedy.move", source=point_name(away[0]), target=point_name(to[0]))
    if not nearest.steps:
        return Message.of("rules.remedy.nothing")
    return Message.of("rules.remedy.play", notation=nearest.notation)
