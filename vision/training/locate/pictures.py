"""Draws the pictures from which the corner networks learn: boards of the project's own synth on a cluttered table.

    python vision/training/locate/pictures.py FOLDER --count 8000 --seed 1

Writes FOLDER/NNNNNN.jpg and FOLDER/corners.jsonl (`{"file", "corners": [[x, y] × 4], "tilt_deg"}`, contract order). The
same seed and count give the same pictures.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.synth.board import random_board, random_faces
from nardi_vision.synth.camera import Camera
from nardi_vision.synth.drawing import draw, random_camera
from nardi_vision.synth.surface import outer

SIZES = ((640, 480), (640, 360), (640, 304), (640, 400), (544, 544), (480, 640))
"""Large enough that a board is seldom narrower than the size at which the networks look at it."""
SHARES = (0.5, 0.2, 0.06, 0.14, 0.05, 0.05)

SMALLEST = 0.07
"""Share of the picture that a board must fill to be worth learning from."""

Bytes = NDArray[np.uint8]


def shape(rng: np.random.Generator, width: int, height: int) -> NDArray[np.float64]:
    """The outline of a thing on the table: a sheet, a phone, a cup seen from above, a cable's box."""
    middle = np.array([rng.uniform(-0.1, 1.1) * width, rng.uniform(-0.1, 1.1) * height])
    long = rng.uniform(0.05, 0.35) * width
    short = long * rng.uniform(0.3, 1.0)
    if rng.random() < 0.35:
        angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        return np.asarray(middle + np.stack([np.cos(angles) * long / 2.5, np.sin(angles) * short / 2.5], axis=1))
    turn = rng.uniform(0, np.pi) if rng.random() < 0.6 else rng.normal(0, 0.1)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [long / 2, short / 2]
    box *= 1 + rng.normal(0, 0.06, (4, 1))
    return np.asarray(middle + box @ axes)


def clutter(rng: np.random.Generator, image: Bytes, board: NDArray[np.float64], other: Bytes | None) -> Bytes:
    """Things lie on the table around the board, whose outline is (N, 2) px; `other`: a picture to cut things from."""
    height, width = image.shape[:2]
    free = np.full((height, width), 255, np.uint8)
    cv2.fillConvexPoly(free, cv2.convexHull(np.round(board).astype(np.int32)), 0)
    out = image.astype(np.float32)
    for _ in range(int(rng.integers(0, 7))):
        outline = shape(rng, width, height)
        mask = np.zeros((height, width), np.uint8)
        cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        alpha = (cv2.min(mask, free).astype(np.float32) / 255)[..., None]
        if rng.random() < 0.6:
            shadow = cv2.GaussianBlur(np.roll(alpha, rng.integers(-9, 10, 2), (0, 1)), (0, 0), rng.uniform(1, 5))
            shade = cv2.min(shadow, free.astype(np.float32) / 255)[..., None]
            out *= 1 - rng.uniform(0.1, 0.6) * shade
        if other is not None and rng.random() < 0.3:
            thing = cv2.resize(other, (width, height)).astype(np.float32)
        else:
            tint = rng.uniform(0, 255, 3) if rng.random() < 0.5 else np.full(3, rng.choice([15, 40, 128, 225, 245]))
            thing = np.broadcast_to((tint * rng.uniform(0.5, 1.0)).astype(np.float32), out.shape)
        out += (thing - out) * alpha
        if rng.random() < 0.5:
            ring = np.zeros((height, width), np.uint8)
            inner = outline.mean(axis=0) + (outline - outline.mean(axis=0)) * rng.uniform(0.6, 0.95)
            cv2.polylines(
                ring, [np.round(inner * 16).astype(np.int32)], True, 255, int(rng.integers(1, 4)), cv2.LINE_AA, 4
            )
            line = (cv2.min(ring, free).astype(np.float32) / 255)[..., None]
            out += (rng.uniform(0, 255, 3).astype(np.float32) - out) * line * rng.uniform(0.3, 1.0)
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def picture(seed: int, other: Bytes | None) -> tuple[Bytes, NDArray[np.float64], float]:
    """A picture, its corners (4, 2) px in the contract's order, and the camera's tilt."""
    rng = np.random.default_rng(seed)
    size = SIZES[rng.choice(len(SIZES), p=SHARES)]
    board = random_board(rng)
    if board.wall > 0 and rng.random() < 0.5:
        # Walls that hide corners behind them need more practice than their share.
        board = replace(board, wall=float(rng.uniform(0.3, 1.2)))
    if rng.random() < 0.7:
        # Where the faces look like the top, only their feet show where the surface ends.
        board = replace(board, faces=random_faces(rng))
    zoom = float(rng.uniform(0.55, 1.0))
    x, y = np.clip(rng.normal(0, 0.04, 2), -0.08, 0.08)
    offset = (float(x), float(y))
    camera = replace(random_camera(rng, size), zoom=zoom, offset=offset)
    if rng.random() < 0.45:
        camera = replace(camera, tilt_deg=float(rng.uniform(18, 52)))
    drawing = draw(board, camera, seed=int(rng.integers(1 << 31)))
    look = Camera(camera, board.length, board.height)
    x0, y0, x1, y1 = outer(board)
    edge = np.array([[x, y, z] for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)) for z in (-board.box, board.wall)])
    image = drawing.image
    if rng.random() < 0.75:
        image = clutter(rng, image, look.project(edge), other)
    return image, drawing.labels.corners, drawing.labels.tilt_deg


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    other: Bytes | None = None
    with (arguments.folder / "corners.jsonl").open("w") as labels:
        for index in range(arguments.count):
            image, corners, tilt_deg = picture(arguments.seed * 1_000_000 + index, other)
            other = image
            height, width = image.shape[:2]
            # A corner far outside the picture is nobody's to find.
            if (corners < -0.04 * width).any() or (corners > np.array([width, height]) + 0.04 * width).any():
                continue
            if cv2.contourArea(corners.astype(np.float32)) < SMALLEST * width * height:
                continue
            name = f"{index:06d}.jpg"
            cv2.imwrite(str(arguments.folder / name), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
            row = {"file": name, "corners": np.round(corners, 2).tolist(), "tilt_deg": round(tilt_deg, 1)}
            labels.write(json.dumps(row) + "\n")
            labels.flush()


if __name__ == "__main__":
    main()
