"""The board as it stands on the table: every place with whose checkers and how many, in White's numbering."""

from dataclasses import dataclass

from nardi.game.difference import Difference
from nardi.game.seating import Seating
from nardi.rules.color import ByColor, Color
from nardi.rules.position import BAR, OFF, Position
from nardi.rules.ruleset import Ruleset
from nardi_vision.reading import Shade

Content = tuple[Color | None, int]
"""Whose checkers and how many; (None, 0) is an empty place."""

EMPTY: Content = (None, 0)


@dataclass(frozen=True, slots=True)
class Board:
    """`points[n - 1]` is White's point n. `bar` and `off` hold each player's own number."""

    points: tuple[Content, ...]
    bar: ByColor[int]
    off: ByColor[int]

    @staticmethod
    def of(position: Position, mover: Color, ruleset: Ruleset) -> "Board":
        """The board on which `position` stands, its first side being `mover`'s."""
        mine, theirs = position.mine, position.theirs
        white, black = (mine, theirs) if mover is Color.WHITE else (theirs, mine)
        points: list[Content] = []
        for point in range(1, 25):
            if white[point]:
                points.append((Color.WHITE, white[point]))
            elif count := black[ruleset.facing(point)]:
                points.append((Color.BLACK, count))
            else:
                points.append(EMPTY)
        return Board(tuple(points), ByColor(white[BAR], black[BAR]), ByColor(white[OFF], black[OFF]))

    def position(self, mover: Color, ruleset: Ruleset) -> Position:
        """The same as a position with `mover`'s side first; not proven to be playable."""
        sides = {color: [0] * 26 for color in Color}
        for point, (color, count) in enumerate(self.points, start=1):
            if color is not None:
                sides[color][point if color is Color.WHITE else ruleset.facing(point)] = count
        for color in Color:
            sides[color][BAR] = self.bar[color]
            sides[color][OFF] = self.off[color]
        return Position(tuple(sides[mover]), tuple(sides[mover.other]))

    def outside(self, color: Color, ruleset: Ruleset) -> int:
        """How many of `color`'s checkers are not home yet, the bar included."""
        far = self.bar[color]
        for point, (owner, count) in enumerate(self.points, start=1):
            if owner is color and (point if color is Color.WHITE else ruleset.facing(point)) > 6:
                far += count
        return far

    def differences(self, seen: "Board") -> tuple[Difference, ...]:
        """Where `seen` is not like this, the expected board."""
        found = [
            Difference(point, mine, theirs)
            for point, (mine, theirs) in enumerate(zip(self.points, seen.points, strict=True), start=1)
            if mine != theirs
        ]
        for place, here, there in ((BAR, self.bar, seen.bar), (OFF, self.off, seen.off)):
            found.extend(
                Difference(place, (color, here[color]), (color, there[color]))
                for color in Color
                if here[color] != there[color]
            )
        return tuple(found)

    def contents(self, seating: Seating) -> tuple[tuple[Shade | None, int], ...]:
        """What the eye should see in its 24 slots, in image order."""
        result: list[tuple[Shade | None, int]] = []
        for slot in range(24):
            color, count = self.points[seating.point(slot) - 1]
            result.append((None, 0) if color is None else (seating.shade(color), count))
        return tuple(result)

    def seen_by(
        self, seating: Seating
    ) -> tuple[tuple[tuple[Shade | None, int], ...], tuple[int, int], tuple[int, int]]:
        """The whole board as the eye has it: `contents`, then (light, dark) on the bar and borne off."""
        return self.contents(seating), seating.by_shade(self.bar), seating.by_shade(self.off)
