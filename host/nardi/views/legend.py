"""What each colour of a light means: the one legend of the lights along the board.

A light is one still colour, so colour alone must tell. The six were chosen so that any two of them (and darkness) stay
apart for people who do not see red, green or blue as others do (protan-, deutan-, tritanopia): blue against amber and
red carries the hues, brightness the rest. A test measures that distance. Values are linear light, low enough for one
USB port: all 27 lights in the brightest colour still fall under the node's current cap, which dims and never cuts.
"""

Light = tuple[int, int, int]
"""One light: red, green, blue, 0-255."""

OFF: Light = (0, 0, 0)
TURN: Light = (20, 20, 20)
"""On a tray: this player is on turn. Seen on trays only."""
MAY: Light = (0, 16, 220)
"""A checker here may move (legal sources); the tutor's hint lights only its own."""
PUT: Light = (200, 120, 0)
"""A checker belongs here: a target of the checker in hand, a missing checker, the way back from a wrong play."""
WRONG: Light = (210, 0, 0)
"""A checker is here that should not be: the end of an illegal move, an extra checker."""
DONE: Light = (0, 72, 30)
"""The last play ended here; on a tray: this player has won."""
LOOK: Light = (180, 180, 180)
"""Look at the screen: a checker of the wrong colour stands here; on the bar: a question waits (double, resignation)."""

LEGEND: tuple[tuple[str, Light], ...] = (
    ("turn", TURN),
    ("may", MAY),
    ("put", PUT),
    ("wrong", WRONG),
    ("done", DONE),
    ("look", LOOK),
)
"""Every meaning with its colour; `legend.<name>` in the catalogues says it in words."""

POINTS = 24
BAR_LIGHT = 24
TRAY_LIGHT = {"white": 25, "black": 26}
LIGHTS = 27
"""24 points in White's numbering (index 0 = White's 1 point), the bar, White's tray, Black's tray."""
