"""The shell of the electronic die: a cup and a lid. The lid carries the one, the cup's floor the six."""

from build123d import Align, Box, Cylinder, Part, Pos, Rot, fillet
from measures import Die, Measures

BASE = (Align.CENTER, Align.CENTER, Align.MIN)
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
# How to turn the upper face to where each value sits; opposite sides add up to seven.
TURNS = {1: (0, 0), 6: (180, 0), 2: (90, 0), 5: (-90, 0), 3: (0, 90), 4: (0, -90)}


def _cube(die: Die) -> Part:
    """The whole outside, its middle at the origin, pips sunk in."""
    edge = die.edge_mm
    cube = Box(edge, edge, edge)
    cube = fillet(cube.edges(), die.corner_mm)
    for value, (about_x, about_y) in TURNS.items():
        for column, line in PIPS[value]:
            pip = Pos(column * edge * 0.26, line * edge * 0.26, edge / 2) * Cylinder(
                die.pip_mm / 2, 2 * die.pip_depth_mm
            )
            cube -= Rot(about_x, about_y, 0) * pip
    return cube


def _split(die: Die) -> float:
    """Height of the joint above the middle."""
    return die.edge_mm / 2 - die.lid_mm


def cup(m: Measures) -> Part:
    """Five sides, open at the top; stands on the six."""
    die = m.die
    lower = Box(2 * die.edge_mm, 2 * die.edge_mm, die.edge_mm, align=(Align.CENTER, Align.CENTER, Align.MAX))
    cavity = Box(die.cavity_mm, die.cavity_mm, die.edge_mm, align=BASE)
    cup = (_cube(die) & Pos(0, 0, _split(die)) * lower) - Pos(0, 0, die.wall_mm - die.edge_mm / 2) * cavity
    return Pos(0, 0, die.edge_mm / 2) * cup


def lid(m: Measures) -> Part:
    """The sixth side with a ring that is pressed, and glued, into the cup."""
    die = m.die
    upper = Box(2 * die.edge_mm, 2 * die.edge_mm, die.edge_mm, align=BASE)
    cap = Pos(0, 0, -_split(die)) * (_cube(die) & Pos(0, 0, _split(die)) * upper)
    outer = die.cavity_mm - m.printer.clearance_mm
    inner = outer - 2 * die.plug_mm[1]
    down = (Align.CENTER, Align.CENTER, Align.MAX)
    ring = Box(outer, outer, die.plug_mm[0], align=down) - Box(inner, inner, die.plug_mm[0], align=down)
    return cap + ring
