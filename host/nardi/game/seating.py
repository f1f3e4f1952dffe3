"""How the board lies before the eye: which picture slot is which point, and who plays the light checkers."""

from dataclasses import dataclass

from nardi.rules.color import ByColor, Color
from nardi_vision.reading import Shade


@dataclass(frozen=True, slots=True)
class Seating:
    """`white_shade`: the checkers White plays; `white_ace_corner`: the corner (0-3) nearest White's 1 point.

    White's points 1-12 run along the side of that corner, starting at it, and 13-24 back along the other side.
    """

    white_shade: Shade
    white_ace_corner: int

    def slot(self, point: int) -> int:
        """The picture slot (0-23) of White's `point` (1-24)."""
        return _SLOTS[self.white_ace_corner][point - 1]

    def point(self, slot: int) -> int:
        """White's point (1-24) in picture slot `slot` (0-23)."""
        return _POINTS[self.white_ace_corner][slot]

    def shade(self, color: Color) -> Shade:
        """Which checkers `color` plays."""
        if color is Color.WHITE:
            return self.white_shade
        return "dark" if self.white_shade == "light" else "light"

    def color(self, shade: Shade) -> Color:
        """Who plays the checkers of `shade`."""
        return Color.WHITE if shade == self.white_shade else Color.BLACK

    def by_shade(self, pair: ByColor[int]) -> tuple[int, int]:
        """What the two players have of something, as the eye has it: the light checkers' number first."""
        return pair[self.color("light")], pair[self.color("dark")]

    def with_colors_swapped(self, same_way: bool) -> "Seating":
        """Both players keep their seats and homes and take the other's checkers. `same_way`: as in long nardi."""
        return Seating(self.white_shade, (2, 3, 0, 1)[self.white_ace_corner] if same_way else 3 - self.white_ace_corner)

    @property
    def with_sides_swapped(self) -> "Seating":
        """Both players change seats and keep their checkers."""
        return Seating(self.white_shade, (2, 3, 0, 1)[self.white_ace_corner])


def _slots_from(corner: int) -> tuple[int, ...]:
    """The slots of White's points 1-24 when the 1 point is at `corner`."""
    near = range(12) if corner in (0, 1) else range(12, 24)
    far = range(12, 24) if corner in (0, 1) else range(12)
    if corner in (0, 3):  # the first slot of its row is the ace
        return (*near, *reversed(far))
    return (*reversed(near), *far)


_SLOTS = tuple(_slots_from(corner) for corner in range(4))
_POINTS = tuple(tuple(slots.index(slot) + 1 for slot in range(24)) for slots in _SLOTS)
