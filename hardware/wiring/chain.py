"""The way of the data line along the board: which LED lights which place, from board.toml and node.toml, as SVG."""

from collections.abc import Mapping
from typing import Any

from measures import Measures

SCALE, MARGIN = 1.3, 60


def places_mm(m: Measures, node: Mapping[str, Any]) -> list[tuple[str, float, float]]:
    """(name, x, y) of every LED in the order of the data line; dark ones ("-") are left out.

    KeyError: node.toml names a light that board.toml does not place.
    """
    found = []
    for name in node["lights"]["chain"]:
        if name != "-":
            if name not in m.order:
                raise KeyError(name)
            found.append((name, *m.board.place_mm(name)))
    return found


def svg(m: Measures, node: Mapping[str, Any]) -> bytes:
    """The default board from above, every LED with its number on the line and the place it lights."""
    length, depth = m.board.outer_mm
    width, height = length * SCALE + 2 * MARGIN, depth * SCALE + 2 * MARGIN

    def at(x: float, y: float) -> tuple[float, float]:
        return MARGIN + x * SCALE, MARGIN + (depth - y) * SCALE

    frame = m.board.frame_mm * SCALE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        'font-family="DejaVu Sans, sans-serif">',
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{length * SCALE:.1f}" height="{depth * SCALE:.1f}" fill="#c49868"/>',
        f'<rect x="{MARGIN + frame:.1f}" y="{MARGIN + frame:.1f}" width="{length * SCALE - 2 * frame:.1f}" '
        f'height="{depth * SCALE - 2 * frame:.1f}" fill="#efe6d6"/>',
    ]
    bar = m.board.bar_mm * SCALE
    bar_x = MARGIN + m.board.bar_centre_mm * SCALE - bar / 2
    lines.append(f'<rect x="{bar_x:.1f}" y="{MARGIN}" width="{bar:.1f}" height="{depth * SCALE:.1f}" fill="#c49868"/>')
    for row in (0, 1):
        for column, x in enumerate(m.board.point_centres_mm):
            foot, tip = (m.board.frame_mm, 0.4 * depth) if row else (depth - m.board.frame_mm, 0.6 * depth)
            half = m.board.pitch_mm / 2 - 1
            corners = " ".join(f"{a:.1f},{b:.1f}" for a, b in (at(x - half, foot), at(x + half, foot), at(x, tip)))
            lines.append(f'<polygon points="{corners}" fill="{"#7a3b3b" if (column + row) % 2 else "#d8c7a4"}"/>')
            name = str(12 * row + column)
            a, b = at(x, tip + (24 if row else -24))
            lines.append(
                f'<text x="{a:.1f}" y="{b + 6:.1f}" font-size="17" text-anchor="middle" fill="#333333">{name}</text>'
            )
    leds = places_mm(m, node)
    start = leds[0][1] - 50, leds[0][2]
    way = [start]
    for _, x, y in leds:
        if y != way[-1][1]:  # from rail to rail the cable goes round the board's end, not over it
            way += [(length + 25, way[-1][1]), (length + 25, y)]
        way.append((x, y))
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in (at(*place) for place in way))
    lines.append(f'<polyline points="{path}" fill="none" stroke="#2e7d32" stroke-width="3"/>')
    for number, (name, x, y) in enumerate(leds, 1):
        a, b = at(x, y)
        above = -22 if y > depth / 2 else 34
        lines.append(
            f'<rect x="{a - 9:.1f}" y="{b - 9:.1f}" width="18" height="18" rx="3" '
            'fill="#ffffff" stroke="#2e7d32" stroke-width="2"/>'
        )
        lines.append(f'<text x="{a:.1f}" y="{b + 4:.1f}" font-size="11" text-anchor="middle">{number}</text>')
        if not name.isdigit():
            label = name.replace("_", " ")
            lines.append(
                f'<text x="{a:.1f}" y="{b + above:.1f}" font-size="14" text-anchor="middle" '
                f'fill="#2e7d32">{label}</text>'
            )
    a, b = at(*start)
    lines.append(f'<text x="{a - 10:.1f}" y="{b - 22:.1f}" font-size="14">from the node</text>')
    return "\n".join([*lines, "</svg>", ""]).encode()
