"""From a name of the catalogue to a solid: as it stands in use, or as it lies on the printer's bed. Needs build123d."""

from collections.abc import Callable

from build123d import Part, Pos, Rot
from measures import Measures

from parts import case, die, mast, rail
from parts.catalogue import ENTRIES

SHAPES: dict[str, Callable[[Measures], Part]] = {
    "mast_clamp": mast.clamp,
    "mast_knob": mast.knob,
    "mast_pad": mast.pad,
    "mast_segment": mast.segment,
    "mast_elbow": mast.elbow,
    "mast_head": mast.head,
    "plate_picamera_across": lambda m: mast.picamera_plate(m, along_arm=False),
    "plate_picamera_along": lambda m: mast.picamera_plate(m, along_arm=True),
    "plate_uvc_across": lambda m: mast.uvc_plate(m, along_arm=False),
    "plate_uvc_along": lambda m: mast.uvc_plate(m, along_arm=True),
    "rail_left": lambda m: rail.piece(m, 0),
    "rail_bar": lambda m: rail.piece(m, 1),
    "rail_points": lambda m: rail.piece(m, 2),
    "rail_right": lambda m: rail.piece(m, 3),
    "rail_diffuser": rail.diffuser,
    "case_body": case.body,
    "case_base": case.base,
    "die_cup": die.cup,
    "die_lid": die.lid,
}


def in_use(m: Measures, name: str) -> Part:
    """The part in the axes of its own module. KeyError: no such part."""
    return SHAPES[name](m)


def on_bed(m: Measures, name: str) -> Part:
    """The part as it is printed: turned, standing on z = 0, its middle above the origin."""
    entry = next(entry for entry in ENTRIES if entry.name == name)
    about_x, about_y = entry.lay
    if name == "case_body":
        about_x -= case.slope_deg(m.case)
    turned = Rot(0, about_y, 0) * Rot(about_x, 0, 0) * in_use(m, name)
    box = turned.bounding_box()
    return Pos(-box.center().X, -box.center().Y, -box.min.Z) * turned
