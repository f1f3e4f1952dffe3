"""Four corners moved with the arrow keys, over a picture made of coloured half blocks in the terminal."""

from __future__ import annotations

import curses
from typing import TYPE_CHECKING

from nardi_vision.errors import EyeError

if TYPE_CHECKING:
    from nardi_vision.editor import CornerEditor
    from nardi_vision.frame import Picture
    from nardi_vision.reading import Corners

KEYS = {
    curses.KEY_LEFT: "left",
    curses.KEY_RIGHT: "right",
    curses.KEY_UP: "up",
    curses.KEY_DOWN: "down",
    ord("\t"): "tab",
    ord("+"): "plus",
    ord("-"): "minus",
    ord("t"): "turn",
}
HELP = "arrows move  Tab next corner  +/- step  t turn  Enter done  q give up"


def drag(image: Picture, editor: CornerEditor) -> Corners:
    """The corners that the person at the terminal settles on. Raises EyeError `no_terminal`, `not_calibrated`."""
    try:
        return curses.wrapper(_loop, image, editor)
    except curses.error as error:
        raise EyeError("no_terminal", why=str(error), remedy="calibrate_corners") from None


def _loop(screen: curses.window, image: Picture, editor: CornerEditor) -> Corners:
    curses.curs_set(0)
    colours = _colours()
    told = HELP
    while True:
        _draw(screen, image, editor, colours, told)
        key = screen.getch()
        told = HELP
        if key == ord("q"):
            raise EyeError("not_calibrated", remedy="calibrate")
        if key in (curses.KEY_ENTER, ord("\n"), ord("\r")):
            try:
                return editor.done()
            except EyeError as error:
                told = str(error)
        elif key in KEYS:
            editor.key(KEYS[key])


def _colours() -> bool:
    """Whether the terminal has the 256 colours that the picture is drawn with."""
    if not curses.has_colors() or curses.COLORS < 256 or curses.COLOR_PAIRS < 257:
        return False
    curses.use_default_colors()
    for number in range(16, 232):
        curses.init_pair(number + 1, -1, number)
    return True


def _draw(screen: curses.window, image: Picture, editor: CornerEditor, colours: bool, told: str) -> None:
    import cv2

    rows, columns = screen.getmaxyx()
    rows = max(1, rows - 1)
    height, width = image.shape[:2]
    scale = min(columns / width, 2 * rows / height)
    wide, high = max(1, int(width * scale)), max(1, int(height * scale / 2))
    small = cv2.resize(image, (wide, high), interpolation=cv2.INTER_AREA)
    screen.erase()
    for y in range(high):
        for x in range(min(wide, columns - 1)):
            blue, green, red = (int(value) for value in small[y, x])
            if colours:
                screen.addch(y, x, " ", curses.color_pair(cell(red, green, blue) + 1))
            else:
                screen.addch(y, x, " .:-=+*#%@"[(red + green + blue) * 10 // 766])
    for index, (across, down) in enumerate(editor.corners):
        place = min(int(down * scale / 2), rows - 1), min(int(across * scale), columns - 2)
        screen.addch(*place, str(index), curses.A_BOLD | (curses.A_REVERSE if index == editor.selected else 0))
    across, down = editor.corners[editor.selected]
    screen.addnstr(rows, 0, f"corner {editor.selected}  {across:.0f},{down:.0f}  {told}", columns - 1)
    screen.refresh()


def cell(red: int, green: int, blue: int) -> int:
    """The nearest of the 6 × 6 × 6 colours that 256-colour terminals have."""
    r, g, b = ((value * 5 + 127) // 255 for value in (red, green, blue))
    return 16 + 36 * r + 6 * g + b
