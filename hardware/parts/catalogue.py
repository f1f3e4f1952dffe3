"""Every printable part: what it is called, how many are needed, how it lies on the bed. Needs no build123d."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """`lay`: degrees about x, then y, that turn the part from use to printing. `count` is for one table."""

    name: str
    count: str
    lay: tuple[float, float]
    how: str


ENTRIES = (
    Entry("mast_clamp", "1", (90, 0), "on its side; support under the spigot only; 5 walls"),
    Entry("mast_knob", "1", (0, 0), "flat"),
    Entry("mast_pad", "1", (0, 0), "flat"),
    Entry("mast_segment", "column + arm, 3 to 7", (0, 0), "upright, 5 mm brim; no support"),
    Entry("mast_elbow", "1", (0, -90), "on its back, spigot up; no support"),
    Entry("mast_head", "1", (0, -90), "upright on the socket's mouth, ears up; no support"),
    Entry("plate_picamera_across", "1 of the four plates", (180, 0), "plate down, tongue up; no support"),
    Entry("plate_picamera_along", "1 of the four plates", (180, 0), "plate down, tongue up; no support"),
    Entry(
        "plate_uvc_across", "1 of the four plates", (0, 90), "on the side where plate and tongue are level; no support"
    ),
    Entry(
        "plate_uvc_along", "1 of the four plates", (90, 0), "on the side where plate and tongue are level; no support"
    ),
    Entry("rail_left", "2", (180, 0), "upside down, lip up; no support"),
    Entry("rail_bar", "2", (180, 0), "upside down, lip up; no support"),
    Entry("rail_points", "2", (180, 0), "upside down, lip up; no support"),
    Entry("rail_right", "2", (180, 0), "upside down, lip up; no support"),
    Entry("rail_diffuser", "6", (0, 0), "flat, white, no infill pattern: solid lines only"),
    Entry("case_body", "1", (180, 0), "face down; turned by the face's slope; no support"),
    Entry("case_base", "1", (0, 0), "flat"),
    Entry("die_cup", "2 to 4", (0, 0), "open side up, 0.12 mm layers"),
    Entry("die_lid", "2 to 4", (180, 0), "ring up, 0.12 mm layers"),
)

NAMES = tuple(entry.name for entry in ENTRIES)
