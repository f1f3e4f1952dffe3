"""The LED rails: two lie on the frame along the sides with points; each is the same four pieces.

A piece is drawn as the near rail lies: x as on the board, y = 0 at the frame's outer face with the board towards +y,
z = 0 on the frame's top. Turned by half a turn the same four pieces make the far rail.
"""

from build123d import Align, Box, Part, Pos
from measures import Board, Measures

LOW = (Align.MIN, Align.MIN, Align.MIN)


def ends_mm(board: Board) -> tuple[float, float]:
    """x of the rail's two ends."""
    return -board.rail_overhang_mm, board.outer_mm[0] + board.rail_overhang_mm


def cuts_mm(board: Board) -> tuple[float, ...]:
    """x of the ends of the four pieces: end, points with the bar, points, end."""
    left, right = ends_mm(board)
    points = board.point_centres_mm
    return (
        left,
        (points[2] + points[3]) / 2,
        (board.bar_centre_mm + points[6]) / 2,
        (points[8] + points[9]) / 2,
        right,
    )


def lights_mm(board: Board) -> list[float]:
    """x of every chamber: the points', the bar's and a tray's at either end, so that the rail serves both sides."""
    tray = board.tray_light_mm
    return sorted([*board.point_centres_mm, board.bar_centre_mm, tray, board.outer_mm[0] - tray])


def _profile(m: Measures) -> tuple[float, float, float, float]:
    """y of the outer face, y of the inner face, z of the diffuser's underside, z of the top."""
    rails = m.rails
    width = rails.led_mm[1] + 2 * rails.wall_mm
    diffuser = rails.floor_mm + rails.chamber_mm
    return rails.on_frame_mm - width, rails.on_frame_mm, diffuser, diffuser + rails.diffuser_slot_mm + rails.cover_mm


def _bar(x0: float, x1: float, y0: float, y1: float, z0: float, z1: float) -> Part:
    return Pos(x0, y0, z0) * Box(x1 - x0, y1 - y0, z1 - z0, align=LOW)


def piece(m: Measures, index: int) -> Part:
    """Piece 0 to 3 of the rail of the default board."""
    board, rails = m.board, m.rails
    cuts = cuts_mm(board)
    left, right = cuts[index], cuts[index + 1]
    outer, inner, sheet, top = _profile(m)
    trough = (outer + rails.wall_mm, inner - rails.wall_mm)
    body = _bar(left, right, outer, inner, 0, top)
    body -= _bar(left, right, *trough, rails.floor_mm, top)
    grip = rails.diffuser_grip_mm
    body -= _bar(left, right, trough[0] - grip, trough[1] + grip, sheet, sheet + rails.diffuser_slot_mm)
    body += _walls(m, left, right, trough, sheet)
    return body + _lip(m, left, right, first=index == 0, last=index == 3)


def _walls(m: Measures, left: float, right: float, trough: tuple[float, float], sheet: float) -> Part:
    """The cross walls on both sides of each light and at the rail's ends, each with its notch for the wires."""
    rails, board = m.rails, m.board
    thick = rails.cross_wall_mm
    ends = ends_mm(board)
    middles = [x + side * (rails.led_mm[0] + thick) / 2 for x in lights_mm(board) for side in (-1, 1)]
    middles += [ends[0] + thick / 2, ends[1] - thick / 2]
    middle = sum(trough) / 2
    walls = Part()
    for x in sorted(middles):
        if left < x < right and not any(0 < abs(x - other) < 2 * thick and other < x for other in middles):
            wall = _bar(x - thick / 2, x + thick / 2, *trough, rails.floor_mm, sheet)
            notch = rails.wire_mm[0] / 2
            walls += wall - _bar(
                x - thick, x + thick, middle - notch, middle + notch, rails.floor_mm, rails.floor_mm + rails.wire_mm[1]
            )
    return walls


def _lip(m: Measures, left: float, right: float, first: bool, last: bool) -> Part:
    """The lip down the frame's outer face; half of it reaches past the right end and half is missing at the left."""
    rails, gap = m.rails, m.printer.clearance_mm
    near, far = -gap, -gap - rails.lip_mm
    half = (near + far) / 2
    # It rises into the floor so that both are one body.
    lip = _bar(left, right, far, near, -rails.lip_drop_mm, rails.floor_mm / 2)
    if not first:
        lip -= _bar(left, left + rails.lap_mm + gap, far, half + gap / 2, -rails.lip_drop_mm, 0)
    if not last:
        # The tongue hangs a little below the next piece's floor, and is rooted in this piece's lip.
        lip += _bar(right - rails.lap_mm, right + rails.lap_mm, far, half - gap / 2, -rails.lip_drop_mm, -gap)
    return lip


def diffuser(m: Measures) -> Part:
    """A third of one rail's diffuser sheet: its joints fall elsewhere than the rail's, and so hold it straight."""
    rails, gap = m.rails, m.printer.clearance_mm
    left, right = ends_mm(m.board)
    width = rails.led_mm[1] + 2 * rails.diffuser_grip_mm - 2 * gap
    return Box((right - left) / 3 - gap, width, rails.diffuser_mm, align=(Align.CENTER, Align.CENTER, Align.MIN))
