"""What a reading says about the turn: each legal end position is weighed by how well it explains the picture.

The eye never decides plays; it gives weights for what may stand in each slot. Doubt in one is settled by the rules; an
illegal play stands out because some other arrangement of the same thirty checkers explains the picture clearly better
than any legal one does.
"""

from dataclasses import dataclass
from itertools import combinations
from math import log

from nardi.game.board import EMPTY, Board, Content
from nardi.game.seating import Seating
from nardi.rules.color import ByColor, Color
from nardi.rules.legal import LegalPlays
from nardi.rules.play import Play, Step
from nardi.rules.position import BAR, CHECKERS, OFF, Position
from nardi.rules.ruleset import Ruleset
from nardi_vision.reading import BoardReading, Pile, Slot

FLOOR = 1e-4
"""No content is held more unlikely than this: one slot misread for certain must not outweigh everything else."""

PILE_FLOOR = 1e-2
"""Bar and trays are read less surely than points, so less is made of them."""

CLEARLY = 5.0
"""A free arrangement explains the picture clearly better than a legal one when its log weight is this much higher.

A slot misread for certain costs log(1 / FLOOR) = 9.2, but a free arrangement has to keep thirty checkers, so a misread
slot costs it as much. A real illegal play differs from the nearest legal one in two slots and so by about 18.
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
    """Nothing has been moved, though something can be."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """No legal play and no part of one explains the picture. `seen` is what does."""

    seen: Board


Recognition = Clear | Ambiguous | Unfinished | Unchanged | Mismatch


class Weights:
    """The log weights of one reading, for boards in White's numbering. Occluded places weigh nothing either way."""

    def __init__(self, reading: BoardReading, seating: Seating) -> None:
        self._points: list[dict[Content, float] | None] = []
        for point in range(1, 25):
            slot = reading.points[seating.slot(point)]
            if slot.occluded:
                self._points.append(None)
                continue
            weights = {EMPTY: log(max(slot.empty, FLOOR))}
            for shade, row in (("light", slot.light), ("dark", slot.dark)):
                color = seating.color("light" if shade == "light" else "dark")
                for count, weight in enumerate(row, start=1):
                    if weight > FLOOR:
                        weights[(color, count)] = log(weight)
            self._points.append(weights)
        self._bar = _pile(reading.bar, seating)
        self._off = _pile(reading.off, seating)
        piles = [row for pile in (self._bar, self._off) if pile is not None for row in pile]
        self.most = sum(max(slot.values()) for slot in self._points if slot is not None) + sum(map(max, piles))
        """No arrangement weighs more than this."""

    def of(self, board: Board) -> float:
        """How well `board` explains the reading: the sum of log weights, 0 at best."""
        total = 0.0
        for weights, content in zip(self._points, board.points, strict=True):
            if weights is not None:
                total += weights.get(content, _LOWEST)
        for pile, counts in ((self._bar, board.bar), (self._off, board.off)):
            if pile is not None:
                total += pile.white[counts.white] + pile.black[counts.black]
        return total

    @property
    def sees_bar(self) -> bool:
        return self._bar is not None

    def options(self, point: int, least: Content) -> list[tuple[Content, float]]:
        """What may stand on White's `point`, likely things only; `least` always, alone where it is hidden."""
        weights = self._points[point - 1]
        if weights is None:
            return [(least, 0.0)]
        best = max(weights.values())
        found = {content: weight for content, weight in weights.items() if weight > best - _WORTH}
        found.setdefault(least, weights.get(least, _LOWEST))
        return list(found.items())

    def pile(self, color: Color, bar: int, off: int) -> float:
        """How well so many of `color`'s checkers on the bar and off explain what is seen of those places."""
        seen_bar = 0.0 if self._bar is None else self._bar[color][bar]
        return seen_bar + (0.0 if self._off is None else self._off[color][off])


_LOWEST = log(FLOOR)
_WORTH = 8.0
"""A content this much below the best of its slot is not tried in a free arrangement."""


def _pile(pile: Pile | None, seating: Seating) -> ByColor[tuple[float, ...]] | None:
    if pile is None or pile.occluded:
        return None
    rows = {
        "light": tuple(log(max(weight, PILE_FLOOR)) for weight in pile.light),
        "dark": tuple(log(max(weight, PILE_FLOOR)) for weight in pile.dark),
    }
    return ByColor(rows[seating.shade(Color.WHITE)], rows[seating.shade(Color.BLACK)])


MOST_OUTSIDE = 2
"""Nobody means to bear off with more checkers than this outside home: one missing then is in a hand, or misread."""

_BORNE_OFF = 1.5
_UNLIKELY = 6.0
"""What it costs to hold that a checker went where nobody sees it: borne off, or where it cannot have gone."""


def best_free(weights: Weights, around: Board, ruleset: Ruleset) -> tuple[Board, float]:
    """The arrangement of both players' fifteen checkers that explains the reading best, and its log weight.

    `around`: the board known before; checkers borne off stay off, hidden places keep what they had. Checkers that stand
    nowhere in sight are on the bar or off, whichever the piles make likelier.
    """
    states: dict[tuple[int, int], tuple[float, tuple[Content, ...]]] = {(0, 0): (0.0, ())}
    for point in range(1, 25):
        grown: dict[tuple[int, int], tuple[float, tuple[Content, ...]]] = {}
        options = weights.options(point, around.points[point - 1])
        for (white, black), (weight, contents) in states.items():
            for content, gain in options:
                color, count = content
                key = (white + count, black) if color is Color.WHITE else (white, black + count)
                if max(key) > CHECKERS:
                    continue
                total = weight + gain
                if key not in grown or total > grown[key][0]:
                    grown[key] = (total, (*contents, content))
        states = grown
    rests = {color: _rests(weights, around, color, ruleset) for color in Color}
    best: tuple[float, tuple[Content, ...], int, int] | None = None
    for (white, black), (weight, contents) in states.items():
        total = weight + rests[Color.WHITE][white][0] + rests[Color.BLACK][black][0]
        if best is None or total > best[0]:
            best = (total, contents, white, black)
    if best is None:
        return around, weights.of(around)
    total, contents, white, black = best
    off = ByColor(rests[Color.WHITE][white][1], rests[Color.BLACK][black][1])
    return Board(contents, ByColor(CHECKERS - white - off.white, CHECKERS - black - off.black), off), total


def _rests(weights: Weights, around: Board, color: Color, ruleset: Ruleset) -> tuple[tuple[float, int], ...]:
    """For each number of `color`'s checkers on the points: how those out of sight are best shared between bar and off.

    The log weight, and how many are off. That a checker vanished where nobody sees the place has its cost: one back
    from the tray, or one more on an unseen bar or off the board, is less likely than the same number staying.
    """
    vanishing = _UNLIKELY if around.outside(color, ruleset) > MOST_OUTSIDE else _BORNE_OFF
    result: list[tuple[float, int]] = []
    for on_points in range(CHECKERS + 1):
        rest = CHECKERS - on_points
        choices: list[tuple[float, int]] = []
        for off in range(rest + 1):
            bar = rest - off
            change = off - around.off[color]
            weight = weights.pile(color, bar, off) - (_UNLIKELY * -change if change < 0 else vanishing * change)
            if not weights.sees_bar:
                weight -= _BORNE_OFF * abs(bar - around.bar[color])
            choices.append((weight, off))
        result.append(max(choices))
    return tuple(result)


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
    free, free_weight = (start, weights.most) if near_most else best_free(weights, start, ruleset)
    if free_weight - best <= CLEARLY and (not legal or unchanged < best):
        near = tuple(play for weight, _, play in scored[1:6] if best - weight < APART)
        likeliest = scored[0][2]
        if near:
            return Ambiguous((likeliest, *near))
        return Clear(likeliest, tuple(play for _, _, play in scored[1:4]))
    if free_weight - unchanged <= CLEARLY:
        return Unchanged()
    parts = [(weights.of(Board.of(part, by, ruleset)), part) for part in parts_of(legal, ruleset)]
    if parts:
        weight, part = max(parts, key=lambda entry: (entry[0], entry[1].key))
        if free_weight - weight <= CLEARLY:
            return Unfinished(part)
    return Mismatch(free)


def in_order(
    reading: BoardReading, by: Color, legal: LegalPlays, seating: Seating, ruleset: Ruleset
) -> tuple[Play, ...]:
    """The legal plays, the one that explains the reading best first (CASES 30)."""
    weights = Weights(reading, seating)
    return tuple(sorted(legal, key=lambda play: -weights.of(Board.of(play.after, by, ruleset))))


def matches(reading: BoardReading, board: Board, seating: Seating, ruleset: Ruleset) -> bool:
    """Whether `board` explains the reading about as well as anything could."""
    weights = Weights(reading, seating)
    weight = weights.of(board)
    return weight >= weights.most - CLEARLY or best_free(weights, board, ruleset)[1] - weight <= CLEARLY


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
