"""What lies on a board, and where exactly each checker is set down."""

from dataclasses import dataclass

import numpy as np

from nardi_vision.reading import Shade
from nardi_vision.synth.board import BoardSpec


@dataclass(frozen=True, slots=True)
class BoardContents:
    """Slots in image order (0-11 from corner 0 to 1, 12-23 from corner 3 to 2), the bar and what is borne off."""

    points: tuple[tuple[Shade | None, int], ...]
    bar_light: int = 0
    bar_dark: int = 0
    off_light: int = 0
    off_dark: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """A checker set down: its middle in columns (z: its underside), its slot (24: bar, 25: borne off), layer 0.. and
    a number
    that picks its looks."""

    shade: Shade
    x: float
    y: float
    z: float
    slot: int
    layer: int
    variant: int


BAR, OFF = 24, 25


def fit(spec: BoardSpec) -> int:
    """How many checkers go in one row between the frame and just past the middle."""
    return int(np.clip((spec.height / 2 + 0.45 * spec.light.radius) / (2 * spec.light.radius), 4, 8))


def rows_of(count: int, most: int) -> tuple[int, ...]:
    """Layers of a slot of `count`, bottom first, when `most` go in a row and upper layers are as long."""
    rows = []
    while count > 0:
        rows.append(min(count, most))
        count -= rows[-1]
    return tuple(rows)


def slot_places(
    spec: BoardSpec,
    slot: int,
    shade: Shade,
    rows: tuple[int, ...],
    rng: np.random.Generator,
    neat: float,
    spacing: float,
    between: bool,
    start: float = 0.0,
) -> list[Placed]:
    """Places the layers `rows` of a slot. `neat` is the deviation in columns, `spacing` the step in diameters (under 1:
    shingled), `between`: upper layers lie in the gaps of those below; `start` pushes the row away from the frame."""
    kind = spec.light if shade == "light" else spec.dark
    column, top = slot % 12, slot < 12
    placed: list[Placed] = []
    below: list[float] = []
    for layer, count in enumerate(rows):
        ys: list[float] = []
        reach = kind.radius + start + abs(rng.normal(0, neat * 0.5))
        for index in range(count):
            if layer == 0:
                y = reach
                reach += 2 * kind.radius * spacing + (
                    abs(rng.normal(0, neat * 0.6)) if spacing >= 1 else rng.normal(0, 0.02)
                )
            else:
                y = below[index] if not between or index + 1 >= len(below) else (below[index] + below[index + 1]) / 2
                y += rng.normal(0, 0.06 * kind.radius)
            ys.append(float(y))
            z = layer * kind.thickness
            if spacing < 1:
                z += kind.thickness * min(0.9, (1 - spacing) * 1.2) * (index % 2 if spacing > 0.8 else min(index, 1))
            x = spec.column(column) + float(np.clip(rng.normal(0, neat), -0.3, 0.3)) + layer * rng.normal(0, 0.04)
            placed.append(
                Placed(
                    shade, float(x), float(y if top else spec.height - y), float(z), slot, layer, int(rng.integers(64))
                )
            )
        below = ys
    return placed


def bar_places(spec: BoardSpec, light: int, dark: int, rng: np.random.Generator) -> list[Placed]:
    """Checkers on the bar, stacked along it from the middle outwards; the dark ones on a side by lot."""
    z = spec.wall if spec.bar in ("raised", "hinge") else 0.0
    placed = []
    flip = 1 if rng.random() < 0.5 else -1
    shades: tuple[tuple[Shade, int, int], ...] = (("light", light, flip), ("dark", dark, -flip))
    for shade, count, side in shades:
        kind = spec.light if shade == "light" else spec.dark
        y = spec.height / 2 + side * (kind.radius * rng.uniform(1.0, 2.2))
        for _ in range(count):
            if not 0.4 < y < spec.height - 0.4:
                y = spec.height / 2
            placed.append(
                Placed(shade, spec.length / 2 + float(rng.normal(0, 0.05)), float(y), z, BAR, 0, int(rng.integers(64)))
            )
            y += side * kind.radius * 2 * rng.uniform(1.0, 1.12)
    return placed


def off_places(spec: BoardSpec, light: int, dark: int, rng: np.random.Generator) -> list[Placed]:
    """Borne-off checkers lying in rows and piles in a tray, or beside the board where there is none."""
    placed = []
    shades: tuple[tuple[Shade, int], ...] = (("light", light), ("dark", dark))
    left = spec.trays[0] and (not spec.trays[1] or rng.random() < 0.5)
    for half, (shade, count) in enumerate(shades):
        kind = spec.light if shade == "light" else spec.dark
        if left:
            x, z = -0.3 - spec.trays[0] / 2, 0.0
        elif spec.trays[1]:
            x, z = spec.length + 0.3 + spec.trays[1] / 2, 0.0
        else:
            x, z = (spec.length + spec.rim + 1.2, -spec.box) if rng.random() < 0.5 else (-spec.rim - 1.2, -spec.box)
        per_row = max(1, int((spec.height / 2 - 0.2) / (2 * kind.radius)))
        for index in range(count):
            row, layer = index % per_row, index // per_row
            y = 0.15 + kind.radius * (1 + 2 * row)
            y = y if half == 0 else spec.height - y
            at = (x + float(rng.normal(0, 0.04)), float(y), z + layer * kind.thickness)
            placed.append(Placed(shade, *at, OFF, layer, int(rng.integers(64))))
    return placed
