"""Draws the wiring sheets as SVG, and the tables of the same wires.

cd hardware && python -m wiring.draw
"""

import measures
import schemdraw
from electronics import load
from measures import HERE
from schemdraw import elements as elm

from wiring import chain
from wiring.nets import Device, Sheet, rows, sheets

FOLDER = HERE / "wiring"
PITCH = 1.0
"""Between two wires, in schemdraw's units; a device's box ends half a pitch beyond its first and last wire."""
BOX, GAP, LABEL = 5.0, 4.2, 11


def svg(sheet: Sheet) -> bytes:
    """The drawing; the same sheet gives the same bytes."""
    schemdraw.use("svg")
    drawing = schemdraw.Drawing(show=False, fontsize=LABEL, font="DejaVu Sans, sans-serif")
    with drawing:
        count = sum(len(device.wires) for device in sheet.devices) + len(sheet.devices) - 1
        top = (count - 0.5) * PITCH + PITCH / 2
        _box(0, -0.5 * PITCH, top, sheet.controller, 0.36, "#f3efe6")
        elm.Label().at((BOX / 2, top + 0.7)).label(sheet.title, fontsize=16)
        line = count - 1
        for device in sheet.devices:
            _device(device, 0, line * PITCH)
            line -= len(device.wires) + 1
    image: bytes = drawing.get_imagedata("svg")
    return image + b"\n"


def _box(x: float, bottom: float, top: float, name: str, share: float = 0.55, fill: str = "#eef3f8") -> None:
    """A rectangle with its name at `share` of its width, broken into lines at spaces where it is long."""
    elm.Rect(corner1=(0, 0), corner2=(BOX, top - bottom)).at((x, bottom)).fill(fill).theta(0)
    words, lines = name.split(), [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) > 12:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    elm.Label().at((x + BOX * share, (top + bottom) / 2)).label("\n".join(lines), fontsize=LABEL)


def _device(device: Device, owner_x: float, top: float) -> None:
    """The device's box, and the wires from the box at `owner_x` to it; the first wire at height `top`."""
    start, end = owner_x + BOX, owner_x + BOX + GAP
    last = top - (len(device.wires) - 1) * PITCH
    _box(end, last - 0.5 * PITCH, top + 0.5 * PITCH, device.name)
    for number, wire in enumerate(device.wires):
        y = top - number * PITCH
        if wire.part:
            resistor = elm.ResistorIEC()  # type: ignore[no-untyped-call]  # schemdraw types only some
            resistor.at((start, y)).to((end, y)).color(wire.color)
            resistor.label(wire.part, fontsize=9, loc="top", ofst=0.08)
        else:
            elm.Line().at((start, y)).to((end, y)).color(wire.color)
        elm.Label().at((start - 0.2, y)).label(wire.source, fontsize=9, halign="right", valign="center")
        elm.Label().at((end + 0.1, y)).label(wire.target, fontsize=9, halign="left", valign="center")
    if device.buffer:
        x = end - 0.8
        elm.Dot().at((x, last + PITCH))
        elm.Capacitor().at((x, last + PITCH)).to((x, last)).label(device.buffer, fontsize=9, loc="top", ofst=0.05)
        elm.Dot().at((x, last))
    if device.onward:
        _device(device.onward, end, top)


def table(sheet: Sheet) -> str:
    """The sheet's wires in Markdown."""
    lines = ["| from | through | to |", "| --- | --- | --- |"]
    return "\n".join([*lines, *(f"| {a} | {b} | {c} |" for a, b, c in rows(sheet))])


def main() -> None:
    """Write every sheet beside this file."""
    for name, sheet in sheets(load()).items():
        (FOLDER / f"{name}.svg").write_bytes(svg(sheet))
    (FOLDER / "chain.svg").write_bytes(chain.svg(measures.load(), load()))


if __name__ == "__main__":
    main()
