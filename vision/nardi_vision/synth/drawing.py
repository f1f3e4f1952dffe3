"""Whole pictures by lot, with what is true of them: for training, and for tests of everything that reads pictures."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nardi_vision.reading import Shade
from nardi_vision.synth.board import BoardSpec, random_board
from nardi_vision.synth.camera import Camera, CameraSpec
from nardi_vision.synth.contents import BAR, Placed, bar_places, fit, off_places, rows_of, slot_places
from nardi_vision.synth.die import SimCube, SimDie, climbed, gathered, random_cube, random_dice
from nardi_vision.synth.hand import HandSpec, random_hand
from nardi_vision.synth.light import LightSpec, random_light
from nardi_vision.synth.scene import Seen, Stage

Rows = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """A die in a drawn picture: the pixel of its top's middle, its size in pixels, whether it lies flat."""

    value: int
    at: tuple[float, float]
    size_px: float
    flat: bool


@dataclass(frozen=True, slots=True)
class DrawnTop:
    """A checker's top in a drawn picture."""

    at: tuple[float, float]
    shade: Shade
    slot: int
    layer: int


@dataclass(frozen=True, slots=True)
class Labels:
    """What is true of a drawing, in image order (see `nardi_vision.reading`).

    `corners` (4, 2) pixels; `layout`: first column's edge and column width as shares of the side of twelve; `slots`:
    shade and
    layers, bottom first; `hidden`: slots the hand covers; `hand` (rows, columns) bytes or None.
    """

    corners: NDArray[np.float64]
    layout: tuple[float, float]
    slots: tuple[tuple[Shade | None, Rows], ...]
    bar: tuple[int, int]
    off: tuple[int, int]
    trays: bool
    tops: tuple[DrawnTop, ...]
    dice: tuple[DrawnDie, ...]
    cube: tuple[int, tuple[float, float], float] | None
    hand: NDArray[np.uint8] | None
    hidden: frozenset[int]
    tilt_deg: float


@dataclass(frozen=True, slots=True)
class Lot:
    """What lies on a board, in the board's own order: `slots` shade and layers, bottom first; `bar`, `off`: light,
    dark."""

    slots: tuple[tuple[Shade | None, Rows], ...]
    bar: tuple[int, int]
    off: tuple[int, int]
    placed: tuple[Placed, ...]
    dice: tuple[SimDie, ...]
    cube: SimCube | None
    hand: HandSpec | None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture (rows, columns, 3) BGR and its labels."""

    image: NDArray[np.uint8]
    labels: Labels


def random_camera(rng: np.random.Generator, size: tuple[int, int]) -> CameraSpec:
    """Over the board or leaning up to 52 degrees, any way up."""
    kind = rng.random()
    tilt = rng.uniform(0, 10) if kind < 0.35 else rng.uniform(8, 26) if kind < 0.7 else rng.uniform(22, 52)
    azimuth = rng.uniform(0, 360) if rng.random() < 0.4 else rng.choice([0, 90, 180, 270]) + rng.normal(0, 14)
    roll = rng.uniform(0, 360)
    if rng.random() < 0.75:  # level with the table's edge, or with the camera's own horizon
        roll = rng.choice([0, 90, 180, 270], p=[0.4, 0.2, 0.2, 0.2]) + rng.normal(0, 9)
        if tilt > 15 and rng.random() < 0.5:
            roll = 90 - azimuth + rng.normal(0, 6)
    return CameraSpec(
        size=size, tilt_deg=float(tilt), azimuth_deg=float(azimuth), roll_deg=float(roll),
        zoom=float(rng.uniform(0.55, 0.97)), focal=float(np.exp(rng.uniform(np.log(0.65), np.log(1.9)))),
        lens=float(rng.normal(0, 0.05)) if rng.random() < 0.4 else 0.0,
        offset=(float(rng.normal(0, 0.02)), float(rng.normal(0, 0.02))),
    )  # fmt: skip


def _partition(rng: np.random.Generator, total: int, parts: int) -> list[int]:
    weights = rng.dirichlet(np.full(parts, rng.uniform(0.4, 2.0)))
    return [int(v) for v in rng.multinomial(total, weights)]


def random_slots(rng: np.random.Generator, most: int) -> list[tuple[Shade | None, Rows]]:
    """Contents of the 24 slots: openings, middle games, heaps."""
    slots: list[tuple[Shade | None, Rows]] = [(None, ())] * 24
    kind = rng.random()
    if kind < 0.06:  # the opening of backgammon
        flip = rng.random() < 0.5
        for slot, count, ours in (
            (0, 5, True),
            (4, 3, False),
            (6, 5, False),
            (11, 2, True),
            (12, 5, False),
            (16, 3, True),
            (18, 5, True),
            (23, 2, False),
        ):
            shade: Shade = "light" if ours != flip else "dark"
            slots[slot] = (shade, rows(rng, count, most))
        return slots
    shades: tuple[Shade, Shade] = ("light", "dark")
    stacky = 0.12 <= kind < 0.4
    if kind < 0.12 or rng.random() < 0.04:  # heads of fifteen
        for shade, slot in zip(shades, rng.permutation([0, 11, 12, 23])[:2], strict=True):
            slots[int(slot)] = (shade, rows(rng, int(rng.integers(9, 16)), most))
    for shade in shades:
        free = [i for i in range(24) if slots[i][0] is None]
        left = 15 - sum(sum(r) for s, r in slots if s == shade)
        off = int(rng.integers(0, 12)) if rng.random() < 0.25 else 0
        count = max(0, left - off)
        parts = int(rng.integers(2, 5)) if stacky else int(rng.integers(4, 10))
        home = rng.random() < 0.25
        if home:
            side = int(rng.integers(4)) * 6
            free = [i for i in free if side <= i < side + 6] or free
        spots = rng.permutation(free)[:parts]
        for slot, number in zip(spots, _partition(rng, count, len(spots)), strict=True):
            if number:
                slots[int(slot)] = (shade, rows(rng, min(number, 15), most))
    return slots


def apart(slots: list[tuple[Shade | None, Rows]], spec: BoardSpec) -> list[tuple[Shade | None, Rows]]:
    """The slots, rows that would run into those opposite laid in more layers instead."""
    room = spec.height / (2 * spec.light.radius * 1.04)
    for column in range(12):
        for slot in (column, column + 12):
            shade, own = slots[slot]
            other = slots[(slot + 12) % 24][1]
            if own and other and own[0] + other[0] > room:
                slots[slot] = (shade, rows_of(sum(own), max(1, min(own[0], int(room / 2)))))
            elif own and own[0] > room:
                slots[slot] = (shade, rows_of(sum(own), int(room)))
    return slots


def rows(rng: np.random.Generator, count: int, most: int) -> Rows:
    """Layers for `count` checkers: long rows, rows of five, pyramids."""
    style = rng.random()
    longest = most if style < 0.45 else min(5, most) if style < 0.85 else int(rng.integers(3, most + 1))
    step = int(rng.random() < 0.4)
    found: list[int] = []
    row = longest
    while count > 0:
        take = min(count, row)
        found.append(take)
        count -= take
        row = max(1, take - step)
        if len(found) >= 5:
            break
    return tuple(found)


def place_all(
    spec: BoardSpec,
    slots: list[tuple[Shade | None, Rows]],
    bar: tuple[int, int],
    off: tuple[int, int],
    rng: np.random.Generator,
) -> list[Placed]:
    """Sets every checker down."""
    neat = float(rng.choice([0.015, 0.04, 0.09], p=[0.4, 0.4, 0.2]))
    spacing = float(rng.uniform(1.0, 1.03))
    squeezed = rng.random() < 0.1
    between = rng.random() < 0.4
    placed: list[Placed] = []
    for slot, (shade, layers) in enumerate(slots):
        if shade is None:
            continue
        step = spacing
        if squeezed and layers[0] >= 5:
            step = float(rng.uniform(0.6, 0.95))
        start = float(abs(rng.normal(0, 0.05))) if rng.random() < 0.85 else float(rng.uniform(0, 0.4))
        placed += slot_places(spec, slot, shade, layers, rng, neat, step, between, start)
    placed += bar_places(spec, *bar, rng)
    placed += off_places(spec, *off, rng)
    return placed


def canonical(corners: NDArray[np.float64]) -> bool:
    """Whether corner 0 of the board's own order is the picture's corner 0; else the order is turned by two."""
    return bool(corners[0, 1] <= corners[2, 1])


def draw(
    board: BoardSpec | None = None,
    camera: CameraSpec | None = None,
    seed: int = 0,
    size: tuple[int, int] = (960, 720),
    light: LightSpec | None = None,
) -> Drawing:
    """Draws a picture by lot; `board`, `camera`, `light` fix what they name. Same arguments, same picture."""
    return next(series(board, camera, seed, size, light))


def series(
    board: BoardSpec | None = None,
    camera: CameraSpec | None = None,
    seed: int = 0,
    size: tuple[int, int] = (960, 720),
    light: LightSpec | None = None,
) -> Iterator[Drawing]:
    """Pictures of one board before one camera, without end: other contents and other light each time."""
    rng = np.random.default_rng(seed)
    spec = board or random_board(rng)
    look = Camera(camera or random_camera(rng, size), spec.length, spec.height)
    lit = light or random_light(rng)
    stage = Stage(spec, look, int(rng.integers(1 << 31)), lit.direction)
    while True:
        yield _drawn(stage, lit, rng)
        if light is None:
            lit = replace(random_light(rng), direction=lit.direction)


def random_lot(rng: np.random.Generator, spec: BoardSpec) -> Lot:
    """Contents, dice, cube and hand by lot."""
    most = min(8, fit(spec) + int(rng.choice([0, 1, 2], p=[0.5, 0.3, 0.2])))
    slots = apart(random_slots(rng, most), spec)
    counts = {shade: sum(sum(r) for s, r in slots if s == shade) for shade in ("light", "dark")}
    spare = [15 - counts["light"], 15 - counts["dark"]]
    bar = tuple(min(s, int(rng.integers(0, 3))) if rng.random() < 0.5 else 0 for s in spare)
    if rng.random() < 0.15:
        bar = (int(rng.integers(0, 3)), int(rng.integers(0, 3)))
    off = tuple(max(0, s - b) if rng.random() < 0.7 else 0 for s, b in zip(spare, bar, strict=True))
    placed = place_all(spec, slots, (bar[0], bar[1]), (off[0], off[1]), rng)
    spots = [(p.x / spec.length, p.y / spec.height) for p in placed]
    dice = gathered(random_dice(rng, spots if rng.random() < 0.93 else []), spec, placed)
    dice = climbed(dice, spec, placed)
    cube = random_cube(rng, spec)
    if cube is not None and any(
        abs(cube.x - x) < 0.06 and abs(cube.y - y) < 0.07 for x, y in spots + [(d.x, d.y) for d in dice]
    ):
        cube = None
    hand = None
    if rng.random() < 0.25:
        at = (float(rng.uniform(0, spec.length)), float(rng.uniform(0, spec.height)))
        hand = random_hand(rng, *at, (spec.length / 2, spec.height / 2))
    return Lot(tuple(slots), (bar[0], bar[1]), (off[0], off[1]), tuple(placed), dice, cube, hand)


def _drawn(stage: Stage, lit: LightSpec, rng: np.random.Generator) -> Drawing:
    lot = random_lot(rng, stage.spec)
    picture, gloss, seen = stage.draw(list(lot.placed), lit, rng, lot.dice, lot.cube, lot.hand)
    return Drawing(stage.take(picture, gloss, lit, rng), labels_of(stage.spec, stage.camera, lot, seen))


def labels_of(spec: BoardSpec, look: Camera, lot: Lot, seen: Seen) -> Labels:
    """What is true of a picture of `lot` on a board, in image order."""
    mask, slots = seen.hand, lot.slots
    corners = look.project(spec.corners)
    hidden = hidden_slots(spec, look, list(lot.placed), seen.tops, mask) if mask is not None else frozenset()
    straight = canonical(corners)
    if not straight:
        corners = np.roll(corners, -2, axis=0)
        slots = slots[::-1]
        hidden = frozenset(23 - s for s in hidden)
    tops = look.bend(seen.tops)
    column_px = float(np.linalg.norm(corners[1] - corners[0])) / spec.length
    drawn = tuple(
        DrawnTop((float(t[0]), float(t[1])), p.shade, p.slot if straight or p.slot >= BAR else 23 - p.slot, p.layer)
        for p, t in zip(lot.placed, tops, strict=True)
    )
    cube = lot.cube
    return Labels(
        corners=corners,
        layout=spec.layout,
        slots=slots,
        bar=lot.bar,
        off=lot.off,
        trays=any(spec.trays),
        tops=drawn,
        dice=tuple(
            DrawnDie(d.value, _pair(look.bend(p[None])[0]), d.size * column_px, d.lean_deg == 0)
            for d, p in zip(lot.dice, seen.dice, strict=True)
            if mask is None or not _covered(mask, p)
        ),
        cube=(cube.value, _pair(look.bend(seen.cube[None])[0]), cube.size * column_px)
        if cube is not None and seen.cube is not None and (mask is None or not _covered(mask, seen.cube))
        else None,
        hand=mask,
        hidden=hidden,
        tilt_deg=look.spec.tilt_deg,
    )


def _pair(point: NDArray[np.float64]) -> tuple[float, float]:
    return float(point[0]), float(point[1])


def _covered(mask: NDArray[np.uint8], at: NDArray[np.float64]) -> bool:
    x, y = int(at[0]), int(at[1])
    return not (0 <= x < mask.shape[1] and 0 <= y < mask.shape[0]) or bool(mask[y, x] > 127)


def hidden_slots(
    spec: BoardSpec, look: Camera, placed: list[Placed], tops: NDArray[np.float64], mask: NDArray[np.uint8]
) -> frozenset[int]:
    """Slots the hand covers: any checker there hidden for the most part, or an empty slot whose first places are."""
    hidden = set()
    filled = set()
    for p, top in zip(placed, tops, strict=True):
        filled.add(p.slot)
        if p.slot < 24 and _covered(mask, top):
            hidden.add(p.slot)
    for slot in range(24):
        for step in range(2) if slot not in filled else range(1):
            y = 0.5 + step
            spot = look.flat(np.array([[spec.column(slot % 12), y if slot < 12 else spec.height - y, 0.1]]))[0]
            if _covered(mask, spot):
                hidden.add(slot)
    return frozenset(hidden)
