"""What a reading says about the turn: each legal end position is weighed by how well it explains the picture.

The eye never decides plays; it gives weights for what may stand in each slot. Doubt in one is settled by the rules; an
illegal play stands out because some other arrangement of the same thirty checkers explains the picture clearly better
than any legal one does.
"""

from dataclasses import dataclass
from itertools import combinations

from nardi.game.board import EMPTY, Board, Content
from nardi.game.evidence import Weights, best_attempt, best_free
from nardi.game.seating import Seating
from nardi.rules.color import Color
from nardi.rules.legal import LegalPlays
from nardi.rules.play import Play, Step
from nardi.rules.position import BAR, CHECKERS, OFF, Position
from nardi.rules.ruleset import Ruleset
from nardi_vision.reading import BoardReading, Slot

CLEARLY = 5.0
"""A free arrangement explains the picture clearly better than a legal one when its log weight is this much higher.

A slot misread for certain costs log(1 / FLOOR) = 9.2, but a free arrangement has to keep thirty checkers, so a misread
slot costs it as much. A real illegal play differs from the nearest legal one in two slots and so by about 18.
"""

SHAKEN = 9.0
"""Checkers have moved that nobody had to move when that explains the picture better by this much: next to nobody does
so, and one slot misread for certain looks like it.
"""

APART = 2.0
"""Two explanations whose log weights differ by less than this are not told apart (e^2: seven to one)."""


POSSIBLE = 0.02
"""A content that weighs less than this in its own slot is not what stands there, looked at by itself."""

DOUBTED = 0.5
"""The eye has no opinion of a point whose likeliest content weighs less than this."""

HEAP = 5
"""More checkers than this stand in layers and cannot be counted."""


@dataclass(frozen=True, slots=True)
class Clear:
    """One legal play explains the picture. `others`: those that come nearest after it, the likeliest first."""

    play: Play
    others: tuple[Play, ...] = ()


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several legal plays explain the picture about as well; the likeliest first."""

    plays: tuple[Play, ...]


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A strict part of a legal play stands there. `position`: what stands there, the mover's side first."""

    position: Position


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Nothing has been moved, though something can be. `plays`: legal ones that explain the picture not clearly worse,
    the likeliest first."""

    plays: tuple[Play, ...] = ()


@dataclass(frozen=True, slots=True)
class Mismatch:
    """No legal play and no part of one explains the picture. `seen` is what does: what one player may have done in a
    turn, by the rules or not, where that is an explanation."""

    seen: Board


Recognition = Clear | Ambiguous | Unfinished | Unchanged | Mismatch


def recognise(
    reading: BoardReading, before: Position, by: Color, legal: LegalPlays, seating: Seating, ruleset: Ruleset
) -> Recognition:
    """What the board says about `by`'s turn that began at `before` (the mover's side first).

    Of a reading that holds still; one with a hand in it is no evidence of anything.
    """
    weights = Weights(reading, seating)
    start = Board.of(before, by, ruleset)
    scored = sorted(
        ((weights.of(Board.of(play.after, by, ruleset)), number, play) for number, play in enumerate(legal)),
        key=lambda entry: (-entry[0], entry[1]),
    )
    best = scored[0][0]
    unchanged = weights.of(start)
    # Where the best legal one is near the most that any can weigh, there is nothing to search for.
    near_most = max(best, unchanged) >= weights.most - CLEARLY
    shown, shown_weight = start, weights.most
    if not near_most:
        shown, shown_weight = _shown(weights, before, by, ruleset, max(best, unchanged))
    if shown_weight - best <= CLEARLY and (not legal or unchanged < best):
        near = tuple(play for weight, _, play in scored[1:6] if best - weight < APART)
        likeliest = scored[0][2]
        if near:
            return Ambiguous((likeliest, *near))
        return Clear(likeliest, tuple(play for _, _, play in scored[1:4]))
    if shown_weight - unchanged <= CLEARLY:
        return Unchanged(tuple(play for weight, _, play in scored[:6] if unchanged - weight <= CLEARLY))
    parts = [(weights.of(Board.of(part, by, ruleset)), part) for part in parts_of(legal, ruleset)]
    if parts:
        weight, part = max(parts, key=lambda entry: (entry[0], entry[1].key))
        if shown_weight - weight <= CLEARLY:
            return Unfinished(part)
    return Mismatch(shown)


def _shown(weights: Weights, before: Position, by: Color, ruleset: Ruleset, known: float) -> tuple[Board, float]:
    """What explains the reading, and its log weight: what the mover may have done, legal or not, unless that and what
    is `known` to weigh so much leave clearly too much to be misread."""
    attempt, weight = best_attempt(weights, before, by, ruleset)
    free, free_weight = best_free(weights, Board.of(before, by, ruleset), ruleset)
    if free_weight - max(weight, known) > SHAKEN:
        return free, free_weight
    return Board.of(attempt, by, ruleset), weight


def in_order(
    reading: BoardReading, by: Color, legal: LegalPlays, seating: Seating, ruleset: Ruleset
) -> tuple[Play, ...]:
    """The legal plays, the one that explains the reading best first (CASES 30)."""
    weights = Weights(reading, seating)
    return tuple(sorted(legal, key=lambda play: -weights.of(Board.of(play.after, by, ruleset))))


def matches(reading: BoardReading, board: Board, seating: Seating, ruleset: Ruleset, slack: float = CLEARLY) -> bool:
    """Whether `board` explains the reading about as well as anything could; `slack`: how much worse it may."""
    weights = Weights(reading, seating)
    weight = weights.of(board)
    return weight >= weights.most - slack or best_free(weights, board, ruleset)[1] - weight <= slack


def seen(reading: BoardReading, around: Board, seating: Seating, ruleset: Ruleset) -> Board:
    """The arrangement that explains the reading best; `around`: what was known before."""
    return best_free(Weights(reading, seating), around, ruleset)[0]


def shows(reading: BoardReading, board: Board, seating: Seating) -> bool:
    """Whether each point, by itself, may hold what `board` has there: none is forgiven for the sake of the others."""
    return all(
        slot.occluded or _may_hold(slot, board.points[seating.point(number) - 1], seating)
        for number, slot in enumerate(reading.points)
    )


def _may_hold(slot: Slot, content: Content, seating: Seating) -> bool:
    color, count = content
    if slot.confidence < DOUBTED:
        # The eye does not know itself what stands there: nothing is said against it.
        return True
    if color is None:
        return slot.empty >= POSSIBLE
    row = slot.light if seating.shade(color) == "light" else slot.dark
    # A heap is known by its colour; how high it is cannot be counted from above.
    return (sum(row[HEAP:]) if count > HEAP else row[count - 1]) >= POSSIBLE


def as_read(reading: BoardReading, expected: Board, seating: Seating) -> Board:
    """What each point by itself looks like, without thirty checkers having to be somewhere: a board being laid out."""
    points: list[Content] = []
    for point, content in enumerate(expected.points, start=1):
        slot = reading.points[seating.slot(point)]
        shade, count = slot.best
        if slot.occluded or _may_hold(slot, content, seating):
            points.append(content)
        else:
            points.append(EMPTY if shade is None else (seating.color(shade), count))
    return Board(tuple(points), expected.bar, expected.off)


def parts_of(legal: LegalPlays, ruleset: Ruleset) -> tuple[Position, ...]:
    """The positions in which some steps of a legal play, but not all of them, have been made."""
    before = legal.position
    found: dict[Position, None] = {}
    for play in legal:
        for size in range(1, len(play.steps)):
            for chosen in combinations(play.steps, size):
                part = _after(before, chosen, ruleset)
                if part is not None and part not in legal:
                    found[part] = None
    return tuple(found)


def _after(before: Position, steps: tuple[Step, ...], ruleset: Ruleset) -> Position | None:
    mine, theirs = list(before.mine), list(before.theirs)
    for step in steps:
        mine[step.source] -= 1
        mine[step.target] += 1
        if step.target != OFF and ruleset.hits and theirs[ruleset.facing(step.target)] == 1:
            theirs[ruleset.facing(step.target)] = 0
            theirs[BAR] += 1
    if min(mine) < 0 or max(mine) > CHECKERS:
        return None
    return Position(tuple(mine), tuple(theirs))
