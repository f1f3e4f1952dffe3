"""Renders training pictures with mitsuba: the boards of `nardi_vision.synth`, lit as light really travels.

    python vision/training/rendered/render.py FOLDER --count 1500 --seed 1

Writes FOLDER/SEED_NNNNN.jpg and a line each in FOLDER/labels-SEED.jsonl (see `labels.py`). The same seed and count give
the same pictures with the same build of mitsuba, which needs LLVM (DRJIT_LIBLLVM_PATH names its library where it is not
found by itself).
"""

import argparse
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import cv2
import drjit as dr
import mitsuba as mi
import numpy as np
from labels import row_of, scene_of
from numpy.typing import NDArray
from room import Room

from nardi_vision.synth.board import random_board
from nardi_vision.synth.camera import Camera
from nardi_vision.synth.drawing import Drawing, labels_of, random_camera, random_lot
from nardi_vision.synth.light import random_light, taken
from nardi_vision.synth.scene import seen_of

SIZE = (640, 480)
PER_BOARD = 2
SAMPLES, BOUNCES = 10, 4


def exposed(light: NDArray[np.float32], corners: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.uint8]:
    """What a camera with automatic exposure, more or less, makes of linear light (rows, columns, 3)."""
    spec = random_light(rng)
    wanted = float(np.exp(rng.normal(np.log(0.2), 0.35)))
    light = light * np.float32(wanted / level_of(light, corners))
    grey = toned(light)
    if rng.random() < 0.75:  # few light paths leave grains that no sensor has
        grey = smoothed(grey, float(rng.uniform(0.03, 0.09)))
    return taken(grey, replace(spec, noise=spec.noise * 0.7), rng)


def level_of(light: NDArray[np.float32], corners: NDArray[np.float64]) -> float:
    """The mean light on the board, over 0."""
    board = np.zeros(light.shape[:2], np.uint8)
    cv2.fillConvexPoly(board, np.round(corners).astype(np.int32), 1)
    # Stray bright paths are not light that a sensor would see as one pixel.
    bright = light[board > 0]
    return max(float(np.mean(np.minimum(bright, np.percentile(bright, 99)))), 1e-6)


def toned(light: NDArray[np.float32]) -> NDArray[np.float32]:
    """Linear light, 1 for white, in grey levels (255 for white)."""
    grey = np.where(light < 0.0031308, light * 12.92, 1.055 * np.maximum(light, 1e-6) ** (1 / 2.4) - 0.055)
    return np.asarray(grey * 255, np.float32)


def smoothed(grey: NDArray[np.float32], reach: float) -> NDArray[np.float32]:
    """Grey levels without the grain of few light paths; `reach`: how large a step, of 1 for white, is no grain."""
    return np.asarray(cv2.bilateralFilter(grey, 5, 255 * reach, 1.3), np.float32)


def pictures(seed: int, samples: int, bounces: int, size: tuple[int, int] = SIZE) -> list[Drawing]:
    """PER_BOARD pictures of one board: other contents and light each time, the camera the same."""
    rng = np.random.default_rng((seed, 29))
    spec = random_board(rng)
    if spec.wall > 0 and rng.random() < 0.3:
        spec = replace(spec, wall=float(rng.uniform(0.3, 1.0)))
    camera = replace(random_camera(rng, size), zoom=float(rng.uniform(0.55, 0.97)))
    look = Camera(camera, spec.length, spec.height)
    room = Room(spec, look, rng)
    made = []
    for _ in range(PER_BOARD):
        lot = random_lot(rng, spec)
        shot = room.take(lot, room.surroundings(rng), rng, samples, bounces)
        seen = seen_of(spec, look, lot.placed, lot.dice, lot.cube, shot.hand)
        labels = labels_of(spec, look, lot, seen)
        made.append(Drawing(exposed(shot.light, labels.corners, rng), labels))
    return made


def prepare() -> None:
    """One thread each: two such processes share a machine better than threads that wait for one another."""
    cv2.setNumThreads(1)
    mi.set_variant("llvm_ad_rgb")
    dr.set_thread_count(1)


def write(folder: Path, seed: int, drawings: Iterable[Drawing], *, scenes: bool = False, quality: int = 96) -> None:
    """Writes pictures as JPEG with their labels, a line each at once; `scenes`: in the form of `nardi appraise`."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ("labels.jsonl" if scenes else f"labels-{seed}.jsonl")).open("w") as out:
        for index, drawing in enumerate(drawings):
            name = f"{seed}_{index:05d}"
            cv2.imwrite(str(folder / f"{name}.jpg"), drawing.image, [cv2.IMWRITE_JPEG_QUALITY, quality])
            if drawing.labels.hand is not None and not scenes:
                cv2.imwrite(str(folder / f"{name}.hand.png"), drawing.labels.hand)
            out.write(json.dumps((scene_of if scenes else row_of)(f"{name}.jpg", drawing.labels)) + "\n")
            out.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=SAMPLES, help="light paths a pixel")
    parser.add_argument("--bounces", type=int, default=BOUNCES)
    parser.add_argument("--scenes", action="store_true", help="960 x 720, with labels.jsonl for `nardi appraise`")
    args = parser.parse_args()
    size = (960, 720) if args.scenes else SIZE
    prepare()
    seeds = range(args.seed * 1_000_000, args.seed * 1_000_000 + args.count, PER_BOARD)
    made = (drawing for seed in seeds for drawing in pictures(seed, args.samples, args.bounces, size))
    write(args.folder, args.seed, made, scenes=args.scenes)


if __name__ == "__main__":
    main()
