"""The parts put together as they stand on a table, for the guide's pictures and for checking that they meet.

Works from the printed STL files and puts each back from the bed into use. Axes: as in board.toml, z = 0 on the table.
"""

import math
from collections.abc import Iterable

import numpy as np
from measures import Measures
from numpy.typing import NDArray

from parts.build import PRINTED
from parts.catalogue import ENTRIES
from parts.mesh import Mesh, Triangles
from parts.picture import Item, Viewpoint

PLASTIC = (232, 150, 60)
DARK_PLASTIC = (88, 104, 128)
WHITE = (244, 244, 240)
WOOD = (196, 152, 104)
FELT = (150, 112, 74)
TABLE = (216, 212, 204)
PALE, DEEP = (236, 224, 196), (110, 40, 40)
LIGHT_ON = (90, 210, 110)
Matrix = NDArray[np.float64]


def turn(axis: str, degrees: float) -> Matrix:
    """Rotation about "x", "y" or "z"."""
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    first, second = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = np.eye(3)
    matrix[first, first] = matrix[second, second] = cosine
    matrix[first, second], matrix[second, first] = -sine, sine
    return matrix


def upright(m: Measures, name: str) -> Triangles:
    """The printed part turned from the bed back to how it is used; its place is still to be set (see `put`)."""
    entry = next(entry for entry in ENTRIES if entry.name == name)
    about_x, about_y = entry.lay
    if name == "case_body":
        about_x -= math.degrees(math.atan2(m.case.back_mm - m.case.front_mm, m.case.size_mm[1]))
    back = turn("x", -about_x) @ turn("y", -about_y)
    return Mesh.read(PRINTED / f"{name}.stl").triangles @ back.T


def put(
    triangles: Triangles, low: Iterable[float | None], high: Iterable[float | None] = (None, None, None)
) -> Triangles:
    """Moved so that its least (or greatest) x, y, z are as given; both None: its middle to 0."""
    flat = triangles.reshape(-1, 3)
    move = -(flat.min(axis=0) + flat.max(axis=0)) / 2
    for axis, (least, most) in enumerate(zip(low, high, strict=True)):
        if least is not None:
            move[axis] = least - flat[:, axis].min()
        elif most is not None:
            move[axis] = most - flat[:, axis].max()
    there: Triangles = triangles + move
    return there


def moved(triangles: Triangles, by: tuple[float, float, float]) -> Triangles:
    there: Triangles = triangles + np.array(by)
    return there


def block(low: tuple[float, float, float], high: tuple[float, float, float]) -> Triangles:
    """A box."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    corners = np.array([[x, y, z] for z in (z0, z1) for y in (y0, y1) for x in (x0, x1)])
    faces = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    return np.array([corners[list(t)] for a, b, c, d in faces for t in ((a, b, c), (a, c, d))])


def disc(x: float, y: float, z: float, radius: float, height: float, sides: int = 28) -> Triangles:
    """An upright cylinder standing at z."""
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    ring = np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles), np.full(sides, z)], 1)
    top = (*ring, 0, 0, height)
    found = []
    for i in range(sides):
        j = (i + 1) % sides
        found += [(ring[i], ring[j], top[j]), (ring[i], top[j], top[i]), ((x, y, z + height), top[i], top[j])]
    return np.array(found)


def board(m: Measures, opening: bool = True) -> list[Item]:
    """The default board on the table, in its opening position (backgammon)."""
    b = m.board
    length, depth = b.outer_mm
    floor, rim = b.thickness_mm, b.thickness_mm + b.frame_height_mm
    f = b.frame_mm
    bar = (b.bar_centre_mm - b.bar_mm / 2, b.bar_centre_mm + b.bar_mm / 2)
    rims = [
        ((0, 0), (length, f)),
        ((0, depth - f), (length, depth)),
        ((0, f), (f, depth - f)),
        ((length - f, f), (length, depth - f)),
    ]
    items = [Item(block((0, 0, 0), (length, depth, floor)), FELT)]
    items += [
        Item(block((*low, floor), (*high, rim)), WOOD) for low, high in [*rims, ((bar[0], f), (bar[1], depth - f))]
    ]
    tip = 0.4 * depth
    for row, (foot, to) in enumerate(((depth - f, depth - tip), (f, tip))):
        for column, x in enumerate(b.point_centres_mm):
            half = b.pitch_mm / 2 - 1
            points = [(x - half, foot, floor + 0.4), (x + half, foot, floor + 0.4), (x, to, floor + 0.4)]
            spike = np.array([points if row else points[::-1]])
            items.append(Item(spike, DEEP if (column + row) % 2 else PALE))
    start = (
        {0: (5, 1), 4: (3, 0), 6: (5, 0), 11: (2, 1), 12: (5, 0), 16: (3, 1), 18: (5, 1), 23: (2, 0)} if opening else {}
    )
    for place, (count, dark) in start.items():
        row, column = divmod(place, 12)
        for number in range(count):
            y = f + b.checker_mm * (number + 0.5) + number * 0.5
            checker = disc(
                b.point_centres_mm[column], y if row else depth - y, floor, b.checker_mm / 2, b.checker_height_mm
            )
            items.append(Item(checker, (60, 44, 40) if dark else (240, 230, 205)))
    return items


def rails(m: Measures, lit: Iterable[str] = ()) -> list[Item]:
    """Both rails on the frame, with diffusers; the chambers of the lights named `lit` glow."""
    b, r = m.board, m.rails
    rim = b.thickness_mm + b.frame_height_mm
    length, depth = b.outer_mm
    left = -b.rail_overhang_mm
    pieces = []
    for name in ("rail_left", "rail_bar", "rail_points", "rail_right"):
        # The tongue in the lip reaches past the right end: pieces follow each other by their bodies.
        piece = put(upright(m, name), (left, None, None), (None, r.on_frame_mm, None))
        pieces.append(put(piece, (left, None, rim - r.lip_drop_mm), (None, r.on_frame_mm, None)))
        left += float(np.ptp(piece[..., 0])) - (0 if name == "rail_right" else r.lap_mm)
    top = rim + r.floor_mm + r.chamber_mm
    middle = r.on_frame_mm - r.wall_mm - r.led_mm[1] / 2
    half = r.led_mm[1] / 2
    sheet = block(
        (-b.rail_overhang_mm, middle - half, top), (length + b.rail_overhang_mm, middle + half, top + r.diffuser_mm)
    )
    near = [*(Item(piece, DARK_PLASTIC) for piece in pieces), Item(sheet, WHITE)]
    half_turn = turn("z", 180)
    far = [Item(item.triangles @ half_turn.T + (length, depth, 0), item.color) for item in near]
    glow = []
    for name in lit:
        x, y = b.place_mm(name)
        y = middle if y < depth / 2 else depth - middle
        high = top + r.diffuser_mm + 0.1
        glow.append(Item(block((x - 8, y - half, high), (x + 8, y + half, high + 0.1)), LIGHT_ON))
    return [*near, *far, *glow]


def hung(m: Measures, plate: str) -> Triangles:
    """A camera plate with its tilting axis along y through the origin."""
    radius = m.mast.tube_mm / 2 - 6
    # The tongue is round about the axis: its top lies one radius above it. Its flat sides show where the middle is.
    hanging = put(upright(m, plate), (None, None, None), (None, None, radius))
    tongue = hanging.reshape(-1, 3)[hanging.reshape(-1, 3)[:, 2] > -radius / 2]
    middle = (tongue.min(axis=0) + tongue.max(axis=0)) / 2
    return moved(hanging, (-float(middle[0]), -float(middle[1]), 0))


def mast(m: Measures, column: int, arm: int, plate: str, tilt_deg: float) -> list[Item]:
    """The mast at the board's left end. The order of the stack is that of the guide."""
    k = m.mast
    axis = (-m.mast.column_from_board_mm, m.board.outer_mm[1] / 2)
    edge = axis[0] + k.tube_mm / 2 - k.clamp_depth_mm
    clamp = moved(
        put(upright(m, "mast_clamp"), (edge - k.clamp_jaw_mm, None, None), (None, None, k.clamp_jaw_mm + k.spigot_mm)),
        (0, axis[1], 0),
    )
    items = [Item(clamp, PLASTIC)]
    level = k.clamp_jaw_mm
    segment = put(upright(m, "mast_segment"), (None, None, 0))
    for number in range(column):
        items.append(Item(moved(segment, (*axis, level)), DARK_PLASTIC if number % 2 else PLASTIC))
        level += k.segment_mm
    half = k.tube_mm / 2
    elbow = put(upright(m, "mast_elbow"), (-half, None, 0))
    items.append(Item(moved(elbow, (*axis, level)), DARK_PLASTIC))
    height, reach = k.arm_axis_mm(column), axis[0] + half
    lying = segment @ turn("y", 90).T
    for number in range(arm):
        items.append(Item(moved(lying, (reach, axis[1], height)), PLASTIC if number % 2 else DARK_PLASTIC))
        reach += k.segment_mm
    head = put(upright(m, "mast_head"), (0, None, None))
    items.append(Item(moved(head, (reach, axis[1], height)), PLASTIC))
    pivot = reach + k.head_tube_mm + k.pivot_mm
    hanging = hung(m, plate) @ turn("y", tilt_deg).T
    items.append(Item(moved(hanging, (pivot, axis[1], height)), (120, 170, 110)))
    return items


def rail_inside(m: Measures) -> list[Item]:
    """One piece of rail without its diffuser, an LED in each chamber."""
    b, r = m.board, m.rails
    piece = put(
        upright(m, "rail_bar"),
        ((b.point_centres_mm[2] + b.point_centres_mm[3]) / 2, None, 0),
        (None, r.on_frame_mm, None),
    )
    middle, floor = r.on_frame_mm - r.wall_mm - r.led_mm[1] / 2, r.lip_drop_mm + r.floor_mm
    items = [Item(piece, DARK_PLASTIC)]
    for x in (*b.point_centres_mm[3:6], b.bar_centre_mm):
        items.append(Item(block((x - 8, middle - 5, floor), (x + 8, middle + 5, floor + 0.4)), (236, 236, 236)))
        items.append(Item(block((x - 2.5, middle - 2.5, floor + 0.4), (x + 2.5, middle + 2.5, floor + 2)), LIGHT_ON))
    return items


def camera_heads(m: Measures) -> list[Item]:
    """The head with each of the four plates."""
    items = []
    head = put(upright(m, "mast_head"), (0, None, None))
    pivot = m.mast.head_tube_mm + m.mast.pivot_mm
    for number, name in enumerate(entry.name for entry in ENTRIES if entry.name.startswith("plate_")):
        x = 150.0 * number
        items += [
            Item(moved(head, (x, 0, 0)), PLASTIC),
            Item(moved(hung(m, name), (pivot + x, 0, 0)), (120, 170, 110)),
        ]
    return items


def node_case(m: Measures, closed: bool = True) -> list[Item]:
    """The case, its near left foot at the origin; not closed: the base lies in front."""
    wall = m.case.wall_mm + m.printer.clearance_mm
    body = put(upright(m, "case_body"), (0, 0, 0))
    base = put(upright(m, "case_base"), (wall, wall if closed else wall - 1.25 * m.case.size_mm[1], 0))
    return [Item(body, DARK_PLASTIC), Item(base, PLASTIC)]


def die(m: Measures, open_mm: float) -> list[Item]:
    """Cup and lid, the lid lifted by `open_mm`."""
    lid = put(upright(m, "die_lid"), (None, None, None), (None, None, m.die.edge_mm + open_mm))
    return [Item(put(upright(m, "die_cup"), (None, None, 0)), WHITE), Item(lid, (235, 200, 190))]


def table(m: Measures, thickness: float = 22) -> Item:
    """The table's left end under board and mast."""
    edge = -m.mast.column_from_board_mm + m.mast.tube_mm / 2 - m.mast.clamp_depth_mm
    length, depth = m.board.outer_mm
    return Item(block((edge, -170, -thickness), (length + 40, depth + 60, 0)), TABLE)


def pictures(m: Measures) -> dict[str, tuple[list[Item], Viewpoint, tuple[int, int]]]:
    """What the guide shows: name -> (items, viewpoint, size)."""
    m_board = board(m)
    case = [Item(moved(item.triangles, (60, -150, 0)), item.color) for item in node_case(m)]
    whole = [table(m), *m_board, *rails(m, ("4", "18", "20")), *mast(m, 3, 1, "plate_picamera_across", -6), *case]
    empty = board(m, opening=False)
    close = list(rails(m, ("12", "13", "14")))
    return {
        "table": (whole, Viewpoint(28, 26), (900, 800)),
        "table_from_above": ([*m_board, *rails(m, ("bar", "3", "near_tray"))], Viewpoint(0, 89), (760, 760)),
        "rails": ([*empty, *close], Viewpoint(20, 40), (900, 620)),
        "rail_inside": (rail_inside(m), Viewpoint(20, 50), (900, 300)),
        "camera_head": (camera_heads(m), Viewpoint(25, 20), (900, 300)),
        "mast": (mast(m, 3, 1, "plate_picamera_across", -6), Viewpoint(25, 15), (520, 720)),
        "node_case": (node_case(m, closed=False), Viewpoint(25, 45), (620, 560)),
        "die": (die(m, 9), Viewpoint(35, 30), (360, 420)),
    }
