"""A slow, plain move generator, written apart from the product's, to compare with: every checker an object of its own.

Boards are plain lists in each side's own numbering; the turn is played out in every order, checker by checker, and the
rules are looked up one by one in what came of it.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from nardi.rules import Position, Roll, Ruleset


class Checker(NamedTuple):
    """One checker of the mover: where it stands, whether it hit in this turn, whether it then joined its own kind."""

    point: int
    hitter: bool = False
    joined: bool = False


class Board(NamedTuple):
    """The state of a turn."""

    mine: tuple[Checker, ...]
    theirs: tuple[int, ...]
    numbers: tuple[int, ...]  # played so far
    left_head: int
    waste: int


def ends(position: Position, roll: Roll, ruleset: Ruleset, first_turn: bool = False) -> set[str]:
    """The texts of the legal end positions."""
    start = Board(
        tuple(Checker(point) for point in range(26) for _ in range(position.mine[point])), position.theirs, (), 0, 0
    )
    orders = {roll.numbers, roll.numbers[::-1]}
    stands: set[Board] = set()
    for order in orders:
        reached = {start}
        for number in order:
            reached = {
                board for before in reached for board in _moved(before, number, ruleset, roll, position, first_turn)
            }
            stands |= {board for board in reached if _may_end(board, ruleset)}
    if not stands:
        return {position.text}
    most = max(len(board.numbers) for board in stands)
    stands = {board for board in stands if len(board.numbers) == most}
    if most == 1:
        highest = max(board.numbers[0] for board in stands)
        stands = {board for board in stands if board.numbers[0] == highest}
    if ruleset.least_waste:
        least = min(board.waste for board in stands)
        stands = {board for board in stands if board.waste == least}
    return {_text(board) for board in stands}


def _text(board: Board) -> str:
    row = [0] * 26
    for checker in board.mine:
        row[checker.point] += 1
    return Position(tuple(row), board.theirs).text


def _moved(
    board: Board, number: int, ruleset: Ruleset, roll: Roll, start: Position, first_turn: bool
) -> Iterator[Board]:
    points = [checker.point for checker in board.mine]
    farthest = max(points)
    for checker in set(board.mine):
        source = checker.point
        if source == 0 or (25 in points and source != 25):
            continue
        target = source - number
        theirs = list(board.theirs)
        hits = False
        if target > 0:
            spot = _facing(target, ruleset)
            if theirs[spot] >= (2 if ruleset.hits else 1):
                continue
            if theirs[spot]:
                hits = True
                theirs[spot] = 0
                theirs[25] += 1
        else:
            if farthest > 6 or (target < 0 and farthest > source):
                continue
            target = 0
        leaves_head = board.left_head + (ruleset.head and source == 24)
        if ruleset.head and leaves_head > (2 if first_turn and _second_may_leave(start, roll, ruleset) else 1):
            continue
        hitter = checker.hitter or (
            hits and (ruleset.hit_and_hide == "everywhere" or (ruleset.hit_and_hide == "home" and target <= 6))
        )
        if hitter and target == 0 and not ruleset.hitter_may_bear_off:
            continue
        joined = hitter and target > 0 and target in points
        mine = list(board.mine)
        mine.remove(checker)
        mine.append(Checker(target, hitter and target > 0, joined))
        after = Board(
            tuple(sorted(mine)),
            tuple(theirs),
            (*board.numbers, number),
            leaves_head,
            board.waste + max(0, number - source),
        )
        if not ruleset.block_in_passing and _blocks_badly(after, ruleset):
            continue
        yield after


def _facing(point: int, ruleset: Ruleset) -> int:
    if ruleset.same_way:
        return point + 12 if point <= 12 else point - 12
    return 25 - point


def _second_may_leave(start: Position, roll: Roll, ruleset: Ruleset) -> bool:
    if (roll.a, roll.b) not in ((3, 3), (4, 4), (6, 6)):
        return False
    if ruleset.head_exception == "always":
        return True
    at = 24
    while True:
        at -= roll.a
        if at == 12:
            return start.theirs[24] > 0
        if start.theirs[_facing(at, ruleset)]:
            return False


def _may_end(board: Board, ruleset: Ruleset) -> bool:
    return not any(checker.joined for checker in board.mine) and not _blocks_badly(board, ruleset)


def _blocks_badly(board: Board, ruleset: Ruleset) -> bool:
    if ruleset.block == "free":
        return False
    held = sorted({_facing(checker.point, ruleset) for checker in board.mine if checker.point})
    runs: list[list[int]] = [[]]
    for one, other in pairwise([-1, *held]):
        if other != one + 1:
            runs.append([])
        runs[-1].append(other)
    for run in runs:
        if len(run) >= 6:
            if ruleset.block == "ahead" and not any(board.theirs[: run[0]]):
                return True
            if ruleset.block == "home" and not any(board.theirs[:7]):
                return True
    return False
