"""Draws training pictures and keeps them flat: canvases and plans, in shards on disk.

    python vision/training/pictures.py DIR --shards 40 --first 0
    python vision/training/pictures.py DIR --rendered RENDERED --first 5000

Shard n is drawn from its own seeds and nothing else, so the same shard is the same everywhere. With --rendered the
pictures are those of a folder that `rendered/render.py` wrote, SHARD of them a shard, with other errors in the corners
each time.
"""

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rendered.labels import drawings

from nardi_vision.rectify import HEIGHT_PX, PANELS, WIDTH_PX, Layout, Rectifier, plan
from nardi_vision.synth import Drawing, series

SHARD = 210
PER_BOARD = 3
"""Pictures of one board: drawing the board itself costs most."""
MOST_TOPS = 64
SIZES = ((640, 480), (800, 600), (960, 720))


def samples(seed: int) -> Iterator[dict[str, NDArray[np.generic]]]:
    """The pictures of one board, with other contents, light and errors in the corners each."""
    rng = np.random.default_rng((seed, 7))
    size = SIZES[int(rng.choice(3, p=[0.55, 0.3, 0.15]))]
    for drawing in itertools.islice(series(seed=seed, size=size), PER_BOARD):
        yield sample(drawing, size, rng)


def sample(drawing: Drawing, size: tuple[int, int], rng: np.random.Generator) -> dict[str, NDArray[np.generic]]:
    """One picture's arrays.

    `canvas`, `plan`: pictures; `layout` (2,); `shade` (24,): 0 empty, 1 light, 2 dark; `rows` (24, 5): layers; `hidden`
    (24,); `bar` (2,); `marks` (MOST_TOPS + 20, 4): canvas x, y, kind (0 light, 1 dark, 2 die, 3 cube; -1 none), layer;
    `hand` (36, 44): its share of each 8-pixel cell.
    """
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
    return {
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


def shard(first: int, count: int = SHARD) -> dict[str, NDArray[np.generic]]:
    """`count` samples from seed `first` on, PER_BOARD a seed, stacked."""
    made = [one for seed in range(first, first + count // PER_BOARD) for one in samples(seed)]
    return {name: np.stack([s[name] for s in made]) for name in made[0]}


def rendered(folder: Path, first: int, times: int) -> Iterator[dict[str, NDArray[np.generic]]]:
    """Shards of a folder's rendered pictures, each picture `times` times."""
    rng = np.random.default_rng((first, 11))
    stock: list[dict[str, NDArray[np.generic]]] = []
    for _ in range(times):
        for drawing in drawings(folder):
            height, width = drawing.image.shape[:2]
            stock.append(sample(drawing, (width, height), rng))
            if len(stock) == SHARD:
                yield {name: np.stack([s[name] for s in stock]) for name in stock[0]}
                stock = []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shards", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--rendered", type=Path, help="a folder of rendered pictures to keep flat instead")
    parser.add_argument("--times", type=int, default=1, help="how often each rendered picture is taken")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.folder.mkdir(parents=True, exist_ok=True)
    if args.rendered:
        for number, arrays in enumerate(rendered(args.rendered, args.first, args.times), args.first):
            kept(args.folder / f"{number:04d}.npz", arrays)
        return
    for number in range(args.first, args.first + args.shards):
        path = args.folder / f"{number:04d}.npz"
        if not path.exists():
            kept(path, shard(number * SHARD // PER_BOARD))


def kept(path: Path, arrays: dict[str, NDArray[np.generic]]) -> None:
    """Writes a shard so that it is there whole or not at all."""
    np.savez(path.with_suffix(".part.npz"), **arrays)  # type: ignore[arg-type]
    path.with_suffix(".part.npz").rename(path)
    print(path.name, flush=True)


if __name__ == "__main__":
    main()
