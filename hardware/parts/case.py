"""The case of screen and buttons, and its base, which carries the Pico.

Drawn as it stands on the table: x to the right, y away from the player, z up. The face slopes towards the player.
"""

import math

from build123d import Align, Box, Cylinder, Part, Plane, Polyline, Pos, Rectangle, Rot, Vector, extrude, make_face
from measures import Case, Measures

LOW = (Align.MIN, Align.MIN, Align.MIN)
BASE = (Align.CENTER, Align.CENTER, Align.MIN)
CORNER_POST_MM = 9.0
BUTTON_ROW_MM = 20.0
SCREEN_ROW_MM = 61.0
POST_MM = (5.4, 2.5)
"""Diameter and height of what holds the screen's board off the face, by its glass's thickness."""


def slope_deg(case: Case) -> float:
    """Of the face against the table."""
    return math.degrees(math.atan2(case.back_mm - case.front_mm, case.size_mm[1]))


def _prism(case: Case, inset: float, bottom: float) -> Part:
    """The case as a solid, smaller by `inset` all round and on the face, from `bottom`."""
    depth = case.size_mm[1]
    rise = (case.back_mm - case.front_mm) / depth
    drop = inset / math.cos(math.atan(rise))

    def height(y: float) -> float:
        return case.front_mm + rise * y - drop

    near, far = inset, depth - inset
    outline = Polyline((near, bottom), (far, bottom), (far, height(far)), (near, height(near)), close=True)
    return Pos(inset, 0, 0) * extrude(Plane.YZ * make_face(outline), case.size_mm[0] - 2 * inset)


def _face(case: Case) -> Plane:
    """The sloping face: origin at the middle of its lower edge, x to the right, y up the slope, z outwards."""
    angle = math.radians(slope_deg(case))
    return Plane(
        origin=Vector(case.size_mm[0] / 2, 0, case.front_mm),
        x_dir=Vector(1, 0, 0),
        z_dir=Vector(0, -math.sin(angle), math.cos(angle)),
    )


def body(m: Measures) -> Part:
    """The upper shell: window, four button holes, openings at the back, posts for the base's screws."""
    case, printer = m.case, m.printer
    wall = case.wall_mm
    shell = _prism(case, 0, 0) - _prism(case, wall, -1)
    solid = _prism(case, 0, 0)
    width, depth = case.size_mm
    start = wall + m.printer.clearance_mm + wall  # above the base plate
    for x in (wall, width - wall - CORNER_POST_MM):
        for y in (wall, depth - wall - CORNER_POST_MM):
            post = Pos(x, y, start) * Box(CORNER_POST_MM, CORNER_POST_MM, case.back_mm, align=LOW)
            post -= Pos(x + CORNER_POST_MM / 2, y + CORNER_POST_MM / 2, start) * Cylinder(
                printer.pilot_hole_mm["m3"] / 2, 9, align=BASE
            )
            shell += post & solid
    face = _face(case)
    for hole in (-1.5, -0.5, 0.5, 1.5):
        place = face * Pos(hole * case.button_spacing_mm, BUTTON_ROW_MM, 0)
        shell -= place * Cylinder(case.button_hole_mm / 2, 4 * wall)
    screen = face * Pos(0, SCREEN_ROW_MM, 0)
    for x in (-1, 1):
        for y in (-1, 1):
            at = Pos(x * case.oled_holes_mm[0] / 2, y * case.oled_holes_mm[1] / 2, -wall - POST_MM[1] / 2)
            shell += screen * at * Cylinder(POST_MM[0] / 2, POST_MM[1] + 0.02)
            shell -= screen * at * Cylinder(printer.pilot_hole_mm["m2"] / 2, POST_MM[1] + 0.1)
    window = extrude(Rectangle(*case.oled_window_mm), wall, both=True)
    shell -= screen * Pos(0, case.oled_window_offset_mm, -wall / 2) * window
    usb_level = 2 * wall + 4 + 1.6
    usb = Pos(width / 2, depth, usb_level) * Box(case.usb_opening_mm[0], 4 * wall, case.usb_opening_mm[1])
    cable = Pos(width / 4 - 5, depth, 12) * Rot(90, 0, 0) * Cylinder(case.cable_hole_mm / 2, 4 * wall)
    return shell - usb - cable


def base(m: Measures) -> Part:
    """The plate that closes the case from below, with four posts for the Pico."""
    case, printer = m.case, m.printer
    wall, gap = case.wall_mm, printer.clearance_mm
    width, depth = case.size_mm
    inset = wall + gap
    plate = Pos(inset, inset, 0) * Box(width - 2 * inset, depth - 2 * inset, wall, align=LOW)
    for x in (wall + CORNER_POST_MM / 2, width - wall - CORNER_POST_MM / 2):
        for y in (wall + CORNER_POST_MM / 2, depth - wall - CORNER_POST_MM / 2):
            plate -= Pos(x, y, 0) * Cylinder(printer.screw_hole_mm["m3"] / 2, wall, align=BASE)
    usb_end = depth - inset - 0.8  # the Pico's edge with the socket
    first = usb_end - (case.pico_mm[0] - case.pico_holes_mm[0]) / 2
    for x in (-1, 1):
        for y in (first, first - case.pico_holes_mm[0]):
            post = Cylinder(2.5, 4, align=BASE) - Cylinder(printer.pilot_hole_mm["m2"] / 2, 4, align=BASE)
            plate += Pos(width / 2 + x * case.pico_holes_mm[1] / 2, y, wall) * post
    return plate
