"""Renders dice and cubes close up: a few columns of a board, in a frame that is otherwise blank.

    python vision/training/rendered/closeups.py FOLDER --count 800 --seed 1

Writes what `render.py` writes, so that `labels.drawings` reads both; tops are labelled only where they are in the part
that was rendered. A whole picture shows two dice small, for the price of ten of these with four large ones each.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numerals import cube_faces
from numpy.typing import NDArray
from render import exposed, prepare, write
from room import Finish, Room, bsdf_of, faces_of, mesh_of
from solids import joined

from nardi_vision.synth.board import BoardSpec, near, random_board
from nardi_vision.synth.camera import Camera
from nardi_vision.synth.contents import Placed
from nardi_vision.synth.die import BLACK, FACE, PALE, SimCube, SimDie, attitude, contrast, die_colours
from nardi_vision.synth.drawing import Drawing, Lot, labels_of, random_camera, random_lot
from nardi_vision.synth.scene import seen_of

SIZES = ((640, 480), (960, 720), (1280, 960))
PER_BOARD = 8
SAMPLES, BOUNCES = 20, 4
WINDOW = 168
"""Pixels across; the same always, so that mitsuba need not compile its kernels anew."""
LEANING = 0.25
"""The share of dice that lean: far more than in play, for they are the harder to tell."""
REACH = 1.1
"""Columns each way in which dice lie, at most."""


class Detail(Camera):
    """A square of what another camera sees, `low` its first pixel."""

    def __init__(self, whole: Camera, low: NDArray[np.int64]) -> None:
        shift = np.array([[1, 0, -float(low[0])], [0, 1, -float(low[1])], [0, 0, 1]])
        self.spec, self.eye, self.lens = whole.spec, whole.eye, 0.0
        self.width_px = self.height_px = WINDOW
        self._intrinsic, self._axes = shift @ whole._intrinsic, whole._axes
        self._matrix = shift @ whole._matrix


class Close(Room):
    """A room whose cube has one of many typefaces."""

    def _cube(self, cube: SimCube | None) -> Any:
        if cube is None:
            return super()._cube(None)
        rng = np.random.default_rng(int(abs(cube.x) * 1e6) + cube.value)
        sheet = np.full((FACE, FACE * 6, 3), 0.5, np.float32)
        at = np.array([cube.x * self.spec.length, cube.y * self.spec.height, cube.z + cube.size / 2])
        rounding = float(rng.uniform(0.05, 0.22))
        turn = attitude(cube.angle_deg, 0)
        solids = faces_of(sheet, 0, 1, cube_faces(cube, rng), cube.size, rounding, turn, at)
        return mesh_of("cube", joined(solids), bsdf_of(sheet, Finish(float(rng.uniform(0.25, 0.6)))))


def _dice(
    rng: np.random.Generator, spec: BoardSpec, at: NDArray[np.float64], reach: float, taken: list[Placed]
) -> list[SimDie]:
    """Dice within `reach` of `at` (columns), apart from each other, some on a checker and some leaning."""
    made: list[SimDie] = []
    for _ in range(20):
        if len(made) == 4:
            break
        if len(made) % 2 == 0:
            tint, pip = die_colours(rng)
            make = SimDie(
                1, 0.0, 0.0, size=float(rng.uniform(0.3, 0.58)), pip_radius=float(rng.uniform(0.07, 0.125)),
                rounding=float(rng.uniform(0.06, 0.3)), spread=float(rng.uniform(0.22, 0.28)),
            )  # fmt: skip
        x, y = at + rng.uniform(-reach, reach, 2)
        if abs(x - spec.length / 2) < spec.gap / 2 + make.size / 2:
            continue  # a raised bar would swallow it
        z = 0.0
        below = [p for p in taken if np.hypot(p.x - x, p.y - y) < 0.5 + make.size / 2]
        if below and len(below) < 2 and rng.random() < 0.3:
            x, y = below[0].x + rng.normal(0, 0.08), below[0].y + rng.normal(0, 0.08)
            z = below[0].z + (spec.light if below[0].shade == "light" else spec.dark).thickness
        elif below:
            continue
        inside = 0.3 < x < spec.length - 0.3 and 0.3 < y < spec.height - 0.3
        if not inside or any(
            np.hypot(d.x * spec.length - x, d.y * spec.height - y) < 0.72 * (d.size + make.size) for d in made
        ):
            continue
        lean = float(rng.uniform(18, 42)) if rng.random() < LEANING else 0.0
        made.append(
            replace(
                make, value=int(rng.integers(1, 7)), x=float(x / spec.length), y=float(y / spec.height),
                angle_deg=float(rng.uniform(0, 360)), tint=near(rng, tint, 0.03), pip=near(rng, pip, 0.03),
                lean_deg=lean, z=z + (0.1 if lean else 0.0),
            )
        )  # fmt: skip
    return made


def _cube(rng: np.random.Generator, spec: BoardSpec, at: NDArray[np.float64]) -> SimCube:
    tint, ink = (PALE, BLACK) if rng.random() < 0.6 else (BLACK, PALE) if rng.random() < 0.6 else contrast(rng)
    on_bar = abs(at[0] - spec.length / 2) < 0.7 and spec.bar in ("raised", "hinge")
    x, y = at + rng.normal(0, 0.1, 2)
    return SimCube(
        2 ** int(rng.integers(1, 7)), float(x / spec.length), float(y / spec.height),
        float(rng.integers(4) * 90 + rng.normal(0, 12)), float(rng.uniform(0.6, 1.0)), near(rng, tint, 0.03), ink,
        spec.wall if on_bar else 0.0,
    )  # fmt: skip


def _lot(rng: np.random.Generator, spec: BoardSpec, at: NDArray[np.float64], reach: float) -> Lot:
    """Contents by lot, with dice within `reach` of `at` and perhaps the cube there."""
    lot = random_lot(rng, spec)
    cube = _cube(rng, spec, at) if rng.random() < 0.6 else None
    placed = [p for p in lot.placed if cube is None or np.hypot(*(at - [p.x, p.y])) > 1.2]
    dice = _dice(rng, spec, at, reach, placed)
    if cube is not None:
        dice = [d for d in dice if np.hypot(d.x * spec.length - at[0], d.y * spec.height - at[1]) > 0.95]
    return replace(lot, placed=tuple(placed), dice=tuple(dice), cube=cube, hand=None)


def _place(rng: np.random.Generator, spec: BoardSpec) -> NDArray[np.float64]:
    """What a close-up is of (columns): anywhere on the board, oftener its middle, the halves' ornaments and the bar."""
    x, y = rng.uniform(0.04, 0.96), np.clip(rng.normal(0.5, 0.2), 0.04, 0.96)
    kind = rng.random()
    if kind < 0.25:
        x, y = rng.choice([0.25, 0.75]), rng.normal(0.5, 0.03)
    elif kind < 0.4:
        x, y = 0.5, rng.choice([0.5, rng.uniform(0.05, 0.95)])
    return np.array([x * spec.length, y * spec.height])


def pictures(seed: int, samples: int) -> list[Drawing]:
    """PER_BOARD close-ups of one board before one camera."""
    rng = np.random.default_rng((seed, 31))
    spec = random_board(rng)
    size = SIZES[int(rng.choice(3, p=[0.25, 0.5, 0.25]))]
    whole = Camera(replace(random_camera(rng, size), lens=0.0), spec.length, spec.height)
    room = Close(spec, whole, rng)
    made = []
    for _ in range(PER_BOARD):
        at = _place(rng, spec)
        middle, beside = whole.flat(np.array([[*at, 0.3], [at[0] + 1, at[1], 0.3]]))
        column = float(np.hypot(*(beside - middle)))
        lot = _lot(rng, spec, at, min(REACH, WINDOW / 2 / column - 0.6))
        middle = np.round(middle).astype(int)
        low = np.clip(middle - WINDOW // 2, 0, np.array(size) - WINDOW)
        high = low + WINDOW
        room.camera = Detail(whole, low)
        light = room.take(lot, room.surroundings(rng), rng, samples, BOUNCES).light
        labels = labels_of(spec, whole, lot, seen_of(spec, whole, lot.placed, lot.dice, lot.cube, None))
        part = exposed(light, labels.corners - low, rng)
        image = np.full((size[1], size[0], 3), part.mean(axis=(0, 1)).astype(np.uint8), np.uint8)
        image[low[1] : high[1], low[0] : high[0]] = part
        tops = tuple(top for top in labels.tops if _within(top.at, 12, low, high))
        dice = tuple(die for die in labels.dice if _within(die.at, die.size_px, low, high))
        cube = labels.cube if labels.cube and _within(labels.cube[1], labels.cube[2], low, high) else None
        made.append(Drawing(image, replace(labels, tops=tops, dice=dice, cube=cube)))
    return made


def _within(at: tuple[float, float], room: float, low: NDArray[np.int64], high: NDArray[np.int64]) -> bool:
    """Whether the part that was rendered reaches `room` pixels beyond `at` on every side."""
    return bool((low + room < at).all() and (at < high - room).all())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=SAMPLES, help="light paths a pixel")
    args = parser.parse_args()
    prepare()
    seeds = range(args.seed * 1_000_000, args.seed * 1_000_000 + args.count, PER_BOARD)
    made = (drawing for seed in seeds for drawing in pictures(seed, args.samples))
    write(args.folder, args.seed, made, quality=95)


if __name__ == "__main__":
    main()
