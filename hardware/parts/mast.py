"""The camera mast: clamp, knob, pad, segment, elbow, head and the plates that carry a camera.

Each function returns its part as it stands in use; `catalogue` says how to lay it on the printer's bed. All cross bolts
are M4 along y, across the plane of column and arm.
"""

from build123d import (
    Align,
    Axis,
    Box,
    Cylinder,
    Part,
    Plane,
    Polyline,
    Pos,
    Rectangle,
    RectangleRounded,
    RegularPolygon,
    Rot,
    extrude,
    fillet,
    loft,
    make_face,
)
from measures import Mast, Measures

BASE = (Align.CENTER, Align.CENTER, Align.MIN)
NUT_M8_MM = (13.4, 7.0)
"""Across the flats with room, height."""


def _tube(mast: Mast, length: float) -> Part:
    """Square tube along z from 0, solid."""
    return extrude(RectangleRounded(mast.tube_mm, mast.tube_mm, mast.corner_mm), length)


def _square(width: float, length: float, bottom: float = 0) -> Part:
    """Square rod along z."""
    return Pos(0, 0, bottom) * Box(width, width, length, align=BASE)


def _spigot(m: Measures) -> Part:
    """What enters the next tube: along z from 0, hollow, with its bolt hole."""
    mast = m.mast
    outer = mast.bore_mm - 2 * m.printer.clearance_mm
    return (
        _square(outer, mast.spigot_mm)
        - _square(outer - 2 * mast.wall_mm, mast.spigot_mm)
        - _bolt(m, mast.spigot_mm / 2)
    )


def _bolt(m: Measures, height: float) -> Part:
    """The hole of a cross bolt at `height`, right through."""
    radius = m.printer.screw_hole_mm["m4"] / 2
    return Pos(0, 0, height) * Rot(90, 0, 0) * Cylinder(radius, 4 * m.mast.tube_mm)


def _narrow_mm(m: Measures) -> float:
    """Inner width of a spigot: where a tube's bore ends in one."""
    return m.mast.bore_mm - 2 * m.printer.clearance_mm - 2 * m.mast.wall_mm


def segment(m: Measures) -> Part:
    """One length of column or arm: a socket below, a spigot above; prints upright, the bore closes at 45 degrees."""
    mast = m.mast
    narrow = _narrow_mm(m)
    taper = (mast.bore_mm - narrow) / 2 + 1
    top = mast.segment_mm - taper
    funnel = loft(
        [Pos(0, 0, top) * Rectangle(mast.bore_mm, mast.bore_mm), Pos(0, 0, mast.segment_mm) * Rectangle(narrow, narrow)]
    )
    body = _tube(mast, mast.segment_mm) - _square(mast.bore_mm, top) - funnel - _bolt(m, mast.spigot_mm / 2)
    return body + Pos(0, 0, mast.segment_mm) * _spigot(m)


def elbow(m: Measures) -> Part:
    """Turns the column into the arm: socket below, spigot towards +x."""
    mast = m.mast
    narrow = _narrow_mm(m)
    socket = mast.spigot_mm + 1
    axis = mast.elbow_mm - mast.tube_mm / 2
    body = _tube(mast, mast.elbow_mm) - _square(mast.bore_mm, socket) - _bolt(m, mast.spigot_mm / 2)
    body -= _square(narrow, mast.elbow_mm - mast.wall_mm - socket, socket)
    sideways = Pos(0, 0, axis) * Rot(0, 90, 0)
    body -= sideways * _square(narrow, mast.tube_mm)
    return body + sideways * Pos(0, 0, mast.tube_mm / 2) * _spigot(m)


def head(m: Measures) -> Part:
    """End of the arm, along +x from 0: a socket and two ears between which a plate tilts."""
    mast = m.mast
    along = Rot(0, 90, 0)
    body = along * (
        _tube(mast, mast.head_tube_mm) - _square(mast.bore_mm, mast.spigot_mm) - _bolt(m, mast.spigot_mm / 2)
    )
    pivot = mast.head_tube_mm + mast.pivot_mm
    radius = mast.tube_mm / 2 - 6
    for side in (-1, 1):
        y = side * (mast.tube_mm - mast.ear_mm) / 2
        bar = Pos((mast.head_tube_mm + pivot) / 2, y, 0) * Box(mast.pivot_mm, mast.ear_mm, 2 * radius)
        disc = Pos(pivot, y, 0) * Rot(90, 0, 0) * Cylinder(radius, mast.ear_mm)
        body += bar + disc
    return body - Pos(pivot, 0, 0) * _bolt(m, 0)


def clamp(m: Measures) -> Part:
    """Grips the table's edge: the table's top is z = 0, its edge x = 0, the table lies at x > 0."""
    mast = m.mast
    jaw, depth = mast.clamp_jaw_mm, mast.clamp_depth_mm
    gape = mast.table_mm[1] + 8  # room for the pad under the thickest table
    outline = Polyline(
        (-jaw, jaw),
        (depth, jaw),
        (depth, 0),
        (0, 0),
        (0, -gape),
        (depth, -gape),
        (depth, -gape - jaw),
        (-jaw, -gape - jaw),
        close=True,
    )
    face = Plane.XZ * make_face(outline)
    body = Pos(0, mast.clamp_width_mm / 2, 0) * extrude(face, mast.clamp_width_mm)
    inner = body.edges().filter_by(Axis.Y).filter_by(lambda edge: abs(edge.center().X) < 0.01)
    body = fillet(inner, 3)
    screw = Pos(depth / 2 + 2, 0, -gape - jaw) * Cylinder(m.printer.screw_hole_mm["m8"] / 2, 3 * jaw)
    nut = extrude(RegularPolygon(NUT_M8_MM[0] / 2, 6, major_radius=False), NUT_M8_MM[1] + 1)
    body -= screw + Pos(depth / 2 + 2, 0, -gape - NUT_M8_MM[1]) * nut
    return body + Pos(depth - mast.tube_mm / 2, 0, jaw) * _spigot(m)


def knob(m: Measures) -> Part:
    """Turns the clamp's M8 bolt; its hexagon head sinks in from above."""
    petals = Cylinder(17, 14, align=BASE)
    for turn in range(0, 360, 60):
        petals -= Rot(0, 0, turn) * Pos(21, 0, 0) * Cylinder(6.5, 14, align=BASE)
    head_room = extrude(RegularPolygon(NUT_M8_MM[0] / 2, 6, major_radius=False), 7)
    return petals - Cylinder(m.printer.screw_hole_mm["m8"] / 2, 14, align=BASE) - Pos(0, 0, 8) * head_room


def pad(m: Measures) -> Part:
    """Sits loosely on the bolt's end so that the table is not bitten."""
    return Cylinder(13, 7, align=BASE) - Pos(0, 0, 3) * Cylinder(m.printer.screw_hole_mm["m8"] / 2, 5, align=BASE)


def _tongue(m: Measures) -> Part:
    """Hangs between the head's ears: the tilting axis is the origin, its foot at z = -drop."""
    mast = m.mast
    width = mast.tube_mm - 2 * mast.ear_mm - 2 * m.printer.clearance_mm
    radius = mast.tube_mm / 2 - 6
    bar = Pos(0, 0, -m.plate.drop_mm / 2) * Box(2 * radius, width, m.plate.drop_mm)
    return bar + Rot(90, 0, 0) * Cylinder(radius, width)


def picamera_plate(m: Measures, along_arm: bool) -> Part:
    """A level plate with four pilot holes below for a Raspberry Pi camera's board; prints flat, tongue up."""
    plate = m.plate
    level = -plate.drop_mm - plate.thickness_mm
    body = _tongue(m) + Pos(0, 0, level) * Box(*plate.size_mm, plate.thickness_mm, align=BASE)
    across, other = (hole / 2 for hole in plate.picamera_holes_mm)
    for one in (-1, 1):
        for two in (-1, 1):
            x, y = (one * across, two * other) if along_arm else (two * other, one * across)
            body -= Pos(x, y, level) * Cylinder(m.printer.pilot_hole_mm["m2"] / 2, plate.thickness_mm, align=BASE)
    return body - _bolt(m, 0)


def uvc_plate(m: Measures, along_arm: bool) -> Part:
    """An upright plate: a webcam hangs on its tripod thread, foot against the plate, and looks down beside it.

    The plate is level with one side of the tongue, on which the part is printed.
    """
    plate, radius = m.plate, m.mast.tube_mm / 2 - 6
    top, bottom = -radius, -plate.drop_mm - plate.tripod_below_mm - 10
    width = plate.size_mm[0]
    upright = Pos(0, plate.thickness_mm / 2, (top + bottom) / 2) * Box(width, plate.thickness_mm, top - bottom)
    hole = Pos(0, 0, -plate.drop_mm - plate.tripod_below_mm) * Rot(90, 0, 0)
    upright -= hole * Cylinder(m.printer.screw_hole_mm["quarter_inch"] / 2, 20)
    if along_arm:
        half = m.mast.tube_mm / 2 - m.mast.ear_mm - m.printer.clearance_mm
        beside = Pos(0, -half, 0) * upright
    else:
        beside = Pos(radius, 0, 0) * Rot(0, 0, 90) * upright
    return _tongue(m) + beside - _bolt(m, 0)
