"""What one reading weighs for and against each arrangement of the thirty checkers, in log weights."""

from math import log

from nardi.game.board import EMPTY, Board, Content
from nardi.game.seating import Seating
from nardi.rules.color import ByColor, Color
from nardi.rules.position import BAR, CHECKERS, OFF, Position
from nardi.rules.ruleset import Ruleset
from nardi_vision.reading import BoardReading, Pile

FLOOR = 1e-4
"""No content is held more unlikely than this: one slot misread for certain must not outweigh everything else."""

PILE_FLOOR = 1e-2
"""The bar is read less surely than points, so less is made of it."""


class Weights:
    """The log weights of one reading, for boards in White's numbering. Occluded places weigh nothing either way.

    What the eye says of checkers off the board is the rest of what it sees on it: weighed too, that would count twice.
    """

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
        self.most = sum(max(slot.values()) for slot in self._points if slot is not None)
        self.most += sum(map(max, self._bar or ()))
        """No arrangement weighs more than this."""

    def of(self, board: Board) -> float:
        """How well `board` explains the reading: the sum of log weights, 0 at best."""
        total = 0.0
        for weights, content in zip(self._points, board.points, strict=True):
            if weights is not None:
                total += weights.get(content, _LOWEST)
        if self._bar is not None:
            total += self._bar.white[board.bar.white] + self._bar.black[board.bar.black]
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

    def bar(self, color: Color, count: int) -> float:
        """How well so many of `color`'s checkers on the bar explain what is seen of it."""
        return 0.0 if self._bar is None else self._bar[color][count]


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
    nowhere in sight are on the bar or off, whichever is likelier.
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
            weight = weights.bar(color, bar) - (_UNLIKELY * -change if change < 0 else vanishing * change)
            if not weights.sees_bar:
                weight -= _BORNE_OFF * abs(bar - around.bar[color])
            choices.append((weight, off))
        result.append(max(choices))
    return tuple(result)


MOST_MOVED = 4
"""Checkers that one player moves in a turn, legal or not, and that it hits."""


def best_attempt(weights: Weights, before: Position, by: Color, ruleset: Ruleset) -> tuple[Position, float]:
    """The position that explains the reading best of those that one player may have made, by the rules or not, and its
    log weight: at most four of the mover's checkers have moved and of the opponent's only blots, to the bar."""
    start = Board.of(before, by, ruleset)
    # (checkers of the mover on points, how many have left one, blots hit) → weight, contents
    states: dict[tuple[int, int, int], tuple[float, tuple[Content, ...]]] = {(0, 0, 0): (0.0, ())}
    for point, (color, count) in enumerate(start.points, start=1):
        mine = count if color is by else 0
        blot = ruleset.hits and color is by.other and count == 1
        grown: dict[tuple[int, int, int], tuple[float, tuple[Content, ...]]] = {}
        for content, gain in weights.options(point, start.points[point - 1]):
            if color is by.other and content != (color, count) and not (blot and content[0] is not color):
                continue
            if color is not by.other and content[0] is by.other:
                continue
            now = content[1] if content[0] is by else 0
            hit = color is by.other and content[0] is not color
            for (total, left, hits), (weight, contents) in states.items():
                key = (total + now, left + max(0, mine - now), hits + hit)
                if key[0] > CHECKERS or max(key[1:]) > MOST_MOVED:
                    continue
                if key not in grown or weight + gain > grown[key][0]:
                    grown[key] = (weight + gain, (*contents, content))
        states = grown
    best = (before, weights.of(start))
    for (total, left, hits), (weight, contents) in states.items():
        for off in range(before.mine[OFF], CHECKERS - total + 1):
            bar = CHECKERS - total - off
            entered = max(0, before.mine[BAR] - bar)
            if bar > before.mine[BAR] or left + entered > MOST_MOVED:
                continue
            vanishing = _UNLIKELY if start.outside(by, ruleset) > MOST_OUTSIDE else _BORNE_OFF
            whole = weight + weights.bar(by, bar) - vanishing * (off - before.mine[OFF])
            whole += weights.bar(by.other, before.theirs[BAR] + hits)
            if whole > best[1]:
                best = (_position(contents, bar, off, hits, before, by, ruleset), whole)
    return best


def _position(
    contents: tuple[Content, ...], bar: int, off: int, hits: int, before: Position, by: Color, ruleset: Ruleset
) -> Position:
    """What stands on the points and beside them, the mover's side first."""
    bars = ByColor(bar, bar).with_(by.other, before.theirs[BAR] + hits)
    offs = ByColor(off, off).with_(by.other, before.theirs[OFF])
    return Board(contents, bars, offs).position(by, ruleset)
