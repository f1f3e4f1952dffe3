"""Draws training pictures and keeps them flat: canvases, plans, dice and cubes, in shards on disk.

    python vision/training/pictures.py DIR --shards 40 --first 0

Shard n is drawn from seeds n * SHARD .. (n + 1) * SHARD - 1 and nothing else, so the same shard is the same everywhere.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.rectify import HEIGHT_PX, PANELS, WIDTH_PX, Layout, Rectifier, plan
from nardi_vision.synth import Drawing, draw

SHARD = 200
DIE_REACH, DIE_PX, DIE_LIFT = 0.62, 32, 0.38
CUBE_REACH, CUBE_PX, CUBE_LIFT = 0.95, 40, 0.8
MOST_TOPS = 64
SIZES = ((640, 480), (800, 600), (960, 720))


def sample(seed: int) -> dict[str, NDArray[np.generic]]:
    """One picture's arrays.

    `canvas`, `plan`: pictures; `layout` (2,); `shade` (24,): 0 empty, 1 light, 2 dark; `rows` (24, 5): layers; `hidden`
    (24,); `bar` (2,); `marks` (MOST_TOPS + 20, 4): canvas x, y, kind (0 light, 1 dark, 2 die, 3 cube; -1 none), layer;
    `hand` (36, 44): its share of each 8-pixel cell.
    """
    rng = np.random.default_rng((seed, 7))
    size = SIZES[int(rng.choice(3, p=[0.45, 0.35, 0.2]))]
    drawing = draw(seed=seed, size=size)
    labels = drawing.labels
    length = float(np.linalg.norm(labels.corners[1] - labels.corners[0]))
    corners = labels.corners + rng.normal(0, 0.0035 * length * rng.choice([0.3, 1.0, 1.8]), (4, 2))
    edge, width = labels.layout
    jitter = rng.normal(0, 0.04, 2) * width
    layout = Layout(edge + float(jitter[0]), width + float(jitter[1]) / 6)
    rectifier = Rectifier(corners, size, layout)
    canvas = rectifier.canvas(drawing.image)
    shade = np.array([{None: 0, "light": 1, "dark": 2}[s] for s, _ in labels.slots], np.uint8)
    rows = np.zeros((24, 5), np.uint8)
    for slot, (_, layers) in enumerate(labels.slots):
        rows[slot, : len(layers)] = layers[:5]
    hidden = np.zeros(24, np.uint8)
    hidden[sorted(labels.hidden)] = 1
    out = {
        "canvas": canvas,
        "plan": plan(drawing.image, corners),
        "layout": np.array([edge, width], np.float32),
        "shade": shade,
        "rows": rows,
        "hidden": hidden,
        "bar": np.array(labels.bar, np.uint8),
        "marks": _marks(drawing, rectifier),
        "hand": _hand(drawing, rectifier),
    }
    crops = _crops(drawing, rectifier, rng)
    return out | crops


def _marks(drawing: Drawing, rectifier: Rectifier) -> NDArray[np.float32]:
    labels = drawing.labels
    marks = np.full((MOST_TOPS + 20, 4), -1, np.float32)
    found: list[tuple[float, float, float, float]] = []
    for top in labels.tops:
        if top.slot > 24:
            continue
        panel = 1 if top.slot == 24 else 0 if top.slot % 12 < 6 else 2
        x, y = rectifier.to_canvas(np.array([top.at]), panel)[0]  # type: ignore[arg-type]
        found.append((float(x), float(y), 0.0 if top.shade == "light" else 1.0, float(top.layer)))
    others = [(die.at, 2.0) for die in labels.dice] + ([(labels.cube[1], 3.0)] if labels.cube else [])
    for at, kind in others:
        for panel, (begin, end) in enumerate(PANELS):
            x, y = rectifier.to_canvas(np.array([at]), panel)[0]  # type: ignore[arg-type]
            if begin <= x < end and 0 <= y < HEIGHT_PX:
                found.append((float(x), float(y), kind, 0.0))
    for index, mark in enumerate(found[: len(marks)]):
        marks[index] = mark
    return marks


def _hand(drawing: Drawing, rectifier: Rectifier) -> NDArray[np.uint8]:
    mask = drawing.labels.hand
    if mask is None:
        return np.zeros((HEIGHT_PX // 8, WIDTH_PX // 8), np.uint8)
    flat = rectifier.canvas(cv2.merge([mask, mask, mask]))[..., 0]
    return np.asarray(cv2.resize(flat, (WIDTH_PX // 8, HEIGHT_PX // 8), interpolation=cv2.INTER_AREA), np.uint8)


def _crops(drawing: Drawing, rectifier: Rectifier, rng: np.random.Generator) -> dict[str, NDArray[np.generic]]:
    """Up to four squares round dice (value, 0: cocked or no die at all) and one round the cube (value's exponent, 0:
    none)."""
    labels = drawing.labels
    unit = rectifier.layout.width * float(np.linalg.norm(rectifier.corners[1] - rectifier.corners[0]))
    dice = np.zeros((5, DIE_PX, DIE_PX, 3), np.uint8)
    values = np.full(5, -1, np.int8)
    height, width = drawing.image.shape[:2]
    for index, die in enumerate(labels.dice[:4]):
        at = (die.at[0] + rng.normal(0, 0.07) * unit, die.at[1] + rng.normal(0, 0.07) * unit)
        if 8 < at[0] < width - 8 and 8 < at[1] < height - 8:
            dice[index] = rectifier.cut(drawing.image, at, DIE_REACH, DIE_PX, DIE_LIFT)
            values[index] = die.value if die.flat else 0
    cube = np.zeros((CUBE_PX, CUBE_PX, 3), np.uint8)
    face = np.int8(-1)
    x, y = rng.uniform(0.05, 0.95), rng.uniform(0.05, 0.95)
    across = labels.corners[1] - labels.corners[0]
    down = labels.corners[3] - labels.corners[0]
    spot = labels.corners[0] + across * x + down * y
    near = [np.hypot(*(np.array(d.at) - spot)) for d in labels.dice] + [1e9]
    if min(near) > unit and 8 < spot[0] < width - 8 and 8 < spot[1] < height - 8:
        dice[4] = rectifier.cut(drawing.image, (float(spot[0]), float(spot[1])), DIE_REACH, DIE_PX, DIE_LIFT)
        values[4] = 0
    if labels.cube is not None:
        value, at, _ = labels.cube
        if 8 < at[0] < width - 8 and 8 < at[1] < height - 8:
            moved = (at[0] + rng.normal(0, 0.08) * unit, at[1] + rng.normal(0, 0.08) * unit)
            cube = rectifier.cut(drawing.image, moved, CUBE_REACH, CUBE_PX, CUBE_LIFT)
            face = np.int8(int(value).bit_length() - 1)
    return {"dice": dice, "values": values, "cube": cube, "face": face}


def shard(first: int, count: int = SHARD) -> dict[str, NDArray[np.generic]]:
    """`count` samples from seed `first` on, stacked."""
    samples = [sample(first + index) for index in range(count)]
    return {name: np.stack([s[name] for s in samples]) for name in samples[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shards", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.folder.mkdir(parents=True, exist_ok=True)
    for number in range(args.first, args.first + args.shards):
        path = args.folder / f"{number:04d}.npz"
        if not path.exists():
            np.savez(path.with_suffix(".part.npz"), **shard(number * SHARD))  # type: ignore[arg-type]
            path.with_suffix(".part.npz").rename(path)
            print(path.name, flush=True)


if __name__ == "__main__":
    main()
