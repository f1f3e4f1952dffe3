"""Four corners moved by hand: the model behind the terminal's arrow keys and the web page's dragging."""

from collections.abc import Mapping
from typing import Any

from nardi_vision.errors import EyeError
from nardi_vision.geometry import check_corners, in_order
from nardi_vision.reading import Corners

STEPS_PX = (1.0, 5.0, 25.0)


class CornerEditor:
    """Corners 0..3 of a picture of `frame_size` (width, height), one of them selected."""

    def __init__(self, frame_size: tuple[int, int], corners: Corners | None = None) -> None:
        width, height = frame_size
        self._size = frame_size
        self._corners: list[tuple[float, float]] = list(
            corners
            or (
                (0.2 * width, 0.2 * height),
                (0.8 * width, 0.2 * height),
                (0.8 * width, 0.8 * height),
                (0.2 * width, 0.8 * height),
            )
        )
        self.selected = 0
        self.step = 1

    @property
    def corners(self) -> Corners:
        a, b, c, d = self._corners
        return a, b, c, d

    def move(self, corner: int, x: float, y: float) -> None:
        """Put a corner somewhere (outside the picture: at its edge). Raises EyeError `corner_number`."""
        if corner not in range(4):
            raise EyeError("corner_number", corner=corner, remedy="corners_form")
        width, height = self._size
        self._corners[corner] = min(max(x, 0.0), width - 1.0), min(max(y, 0.0), height - 1.0)

    def key(self, name: str) -> bool:
        """left right up down, tab (next corner), plus minus (step), turn (the side with points). False: no such key."""
        x, y = self._corners[self.selected]
        by = STEPS_PX[self.step]
        match name:
            case "left":
                self.move(self.selected, x - by, y)
            case "right":
                self.move(self.selected, x + by, y)
            case "up":
                self.move(self.selected, x, y - by)
            case "down":
                self.move(self.selected, x, y + by)
            case "tab":
                self.selected = (self.selected + 1) % 4
            case "plus":
                self.step = min(self.step + 1, len(STEPS_PX) - 1)
            case "minus":
                self.step = max(self.step - 1, 0)
            case "turn":
                self._corners = self._corners[1:] + self._corners[:1]
                self.selected = (self.selected + 3) % 4
            case _:
                return False
        return True

    def done(self) -> Corners:
        """The corners, in the contract's order. Raises EyeError `corners_not_quadrangle`."""
        return in_order(check_corners(self.corners, self._size), 0)

    def state(self) -> dict[str, Any]:
        """For a page: the corners, their picture's size, and why they cannot be used as they are (None: they can)."""
        fault: dict[str, Any] | None = None
        try:
            self.done()
        except EyeError as error:
            fault = {"reason": error.reason, **error.details}
        return {"corners": [list(corner) for corner in self._corners], "frame_size": list(self._size), "fault": fault}

    def apply(self, change: Mapping[str, Any]) -> dict[str, Any]:
        """A page's change, `{"corner": 2, "x": 10.5, "y": 20}` or `{"key": "turn"}` → the new state.

        Raises EyeError `corner_number` or `editor_change` for anything else.
        """
        key, corner = change.get("key"), change.get("corner")
        if isinstance(key, str) and self.key(key):
            return self.state()
        x, y = change.get("x"), change.get("y")
        if isinstance(corner, int) and isinstance(x, int | float) and isinstance(y, int | float):
            self.move(corner, float(x), float(y))
            return self.state()
        raise EyeError("editor_change", change=str(dict(change))[:200], remedy="editor_change")
