"""Trains the networks that find the board.

    python vision/training/locate/train.py finder PICTURES --out build/finder.pt --minutes 20
    python vision/training/locate/train.py refiner PICTURES --out build/refiner.pt --minutes 20
    python vision/training/locate/train.py placer PICTURES --out build/placer.pt --minutes 40
    python vision/training/export.py finder=build/finder.pt refiner=build/refiner.pt placer=build/placer.pt

PICTURES: folders written by pictures.py or by vision/training/rendered. One thread. With --steps instead of --minutes
the result is the same each time.
"""

import argparse
import json
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from networks import FINDER_SIZE, PLACER_SIZE, REFINER_SIZE, STRIDE, Finder, Placer, Refiner
from numpy.typing import NDArray
from torch import Tensor, nn

from nardi_vision.geometry import Lens, as_corners, board_to_picture, project
from nardi_vision.locate import FLAT, MARGIN, PLACER_MARGIN, letterbox, rectified_corners, shrunk

LABELS = ("corners.jsonl", "labels.jsonl")
HELD = 0.05
"""The last twentieth of each folder is not learnt from."""
SURROUNDINGS = 0.35
"""What is kept around a board, in shares of its size: more than any guess is off."""
ASTRAY = 0.045
"""How far off a side may be that the placer is shown, as a share of the board."""
Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Sample = tuple[Bytes, NDArray[np.float32], float]
"""A network's input, where the corners are in it (4, 2; cells), 1.0 if the points run along the side 0 → 1."""
Numbers = dict[str, float]


class Pictures:
    """Pictures of one or several folders, unpacked; `near`: cut out around the board, at the size at which it is
    laid flat.

    Each folder is looked into as often as the others, however many pictures it has; one given twice, twice as often.
    """

    def __init__(self, folders: Sequence[Path], near: bool) -> None:
        read = {folder: self._read(folder, near) for folder in set(folders)}
        self.parts = [read[folder] for folder in folders]

    @staticmethod
    def _read(folder: Path, near: bool) -> list[tuple[Bytes, Floats]]:
        labels = next(folder / name for name in LABELS if (folder / name).exists())
        found = []
        for line in labels.read_text().splitlines():
            row = json.loads(line)
            image = np.asarray(cv2.imread(str(folder / row["file"])), np.uint8)
            corners = np.array(row["corners"], np.float64)
            found.append(_around(image, corners) if near else (image, corners))
        return found

    def __len__(self) -> int:
        return sum(len(part) for part in self.parts)

    def pick(self, rng: np.random.Generator, held: bool) -> tuple[Bytes, Floats]:
        """A picture and its corners (4, 2), seen in a mirror half the time, mostly before another lens."""
        part = self.parts[int(rng.integers(len(self.parts)))]
        first = len(part) - max(1, int(len(part) * HELD))
        image, corners = part[int(rng.integers(first, len(part)) if held else rng.integers(first))]
        if rng.random() < 0.5:
            corners = np.column_stack([image.shape[1] - 1 - corners[:, 0], corners[:, 1]])[[1, 0, 3, 2]]
            image = np.ascontiguousarray(image[:, ::-1])
        return bend(rng, image, corners.copy())


def _around(image: Bytes, corners: Floats) -> tuple[Bytes, Floats]:
    small, scale = shrunk(image, corners)
    corners = (corners + 0.5) * scale - 0.5
    reach = SURROUNDINGS * _size(corners)
    x0, y0 = np.maximum(np.floor(corners.min(axis=0) - reach), 0).astype(int)
    x1, y1 = np.ceil(corners.max(axis=0) + reach).astype(int)
    return np.ascontiguousarray(small[y0:y1, x0:x1]), corners - [x0, y0]


def _size(corners: Floats) -> float:
    return math.sqrt(cv2.contourArea(corners.astype(np.float32)))


def bend(rng: np.random.Generator, picture: Bytes, corners: Floats) -> tuple[Bytes, Floats]:
    """The same before another lens: most bend straight sides outwards, from which corners are told."""
    if rng.random() < 0.25:
        return picture, corners
    lens = Lens(float(np.clip(rng.normal(-0.03, 0.035), -0.12, 0.05)))
    height, width = picture.shape[:2]
    grid = np.indices((height, width), np.float64).reshape(2, -1)[::-1].T
    xs, ys = lens.straightened(grid, (width, height)).T.reshape(2, height, width).astype(np.float32)
    out = cv2.remap(picture, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8), lens.bent(corners, (width, height))


GRAINS = np.random.default_rng(0).normal(0, 1, (640, 640, 3)).astype(np.float32)
VALUES = np.arange(256, dtype=np.float32) / 255


def colours(rng: np.random.Generator, picture: Bytes) -> Bytes:
    """Another camera, another lamp."""
    if rng.random() < 0.12:
        picture = np.asarray(cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)
    if rng.random() < 0.12:
        picture = picture[:, :, rng.permutation(3)]
    curve = VALUES ** float(np.exp(rng.normal(0, 0.3)))
    curve = (curve - 0.5) * float(np.exp(rng.normal(0, 0.2))) + 0.5 + float(rng.normal(0, 0.06))
    curves = curve[:, None] * np.exp(rng.normal(0, 0.1, 3)).astype(np.float32)
    out = cv2.LUT(np.ascontiguousarray(picture), np.clip(curves * 255 + 0.5, 0, 255).astype(np.uint8)[None])
    height, width = out.shape[:2]
    if rng.random() < 0.3:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.3, 1.2)))
    elif rng.random() < 0.08:
        out = cv2.filter2D(out, -1, _smear(rng))
    if rng.random() < 0.2:
        lamp = cv2.resize(np.exp(rng.normal(0, 0.25, (2, 2))).astype(np.float32), (width, height))
        out = np.clip(out * lamp[..., None], 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        y, x = int(rng.integers(len(GRAINS) - height)), int(rng.integers(len(GRAINS) - width))
        noise = GRAINS[y : y + height, x : x + width] * np.float32(rng.uniform(1, 10))
        out = np.clip(out + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        packed = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))])[1]
        out = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return np.asarray(out, np.uint8)


def _smear(rng: np.random.Generator) -> NDArray[np.float32]:
    """What a hand-held camera's motion does to a point."""
    kernel, angle, length = np.zeros((7, 7), np.float32), float(rng.uniform(0, np.pi)), float(rng.uniform(1, 3))
    along = np.array([np.cos(angle), np.sin(angle)]) * length
    cv2.line(kernel, np.round(3 - along).astype(int).tolist(), np.round(3 + along).astype(int).tolist(), 1.0, 1)
    return kernel / kernel.sum()


SKINS = np.array([(173, 199, 237), (135, 168, 217), (107, 140, 191), (71, 97, 140), (46, 61, 92), (43, 33, 36)], float)


def hide(rng: np.random.Generator, picture: Bytes, corners: Floats) -> Bytes:
    """Now and then something like an arm lies over a corner, or over anything."""
    if rng.random() > 0.16:
        return picture
    height, width = picture.shape[:2]
    middle = np.array([width / 2, height / 2])
    if rng.random() < 0.7:
        at = corners[int(rng.integers(len(corners)))] + rng.normal(0, 0.08 * width, 2)
    else:
        at = rng.uniform(0, 1, 2) * [width, height]
    angle = float(rng.uniform(0, 2 * np.pi))
    away = np.array([np.cos(angle), np.sin(angle)])
    if rng.random() < 0.7:
        away = (at - middle) / (float(np.hypot(*(at - middle))) + 1e-3) + rng.normal(0, 0.2, 2)
    far = at + away * width * 1.5
    tint = SKINS[rng.integers(len(SKINS))] * rng.uniform(0.6, 1.1) if rng.random() < 0.5 else rng.uniform(10, 240, 3)
    thick = float(rng.uniform(0.03, 0.07)) * width
    out = picture.copy()
    cv2.line(out, _fixed(at), _fixed(far), tint.tolist(), int(2 * thick), cv2.LINE_AA, 4)
    fist = (thick * float(rng.uniform(1, 1.8)), thick * float(rng.uniform(0.9, 1.3)))
    shade = (tint * rng.uniform(0.8, 1.1)).tolist()
    cv2.ellipse(out, _fixed(at), _fixed(np.array(fist)), math.degrees(angle), 0, 360, shade, -1, cv2.LINE_AA, 4)
    if rng.random() < 0.5:
        cuff = at + (far - at) * rng.uniform(0.08, 0.3)
        cv2.line(out, _fixed(cuff), _fixed(far), rng.uniform(10, 230, 3).tolist(), int(2.3 * thick), cv2.LINE_AA, 4)
    return out


def _fixed(point: Floats) -> tuple[int, int]:
    """A point in the sixteenths of a pixel that OpenCV draws in."""
    return int(point[0] * 16), int(point[1] * 16)


def gaussian(at: NDArray[np.float32], size: tuple[int, int], sigma: float) -> NDArray[np.float32]:
    xs, ys = np.arange(size[0]), np.arange(size[1])
    row = np.exp(-((xs - at[0]) ** 2) / (2 * sigma**2))
    column = np.exp(-((ys - at[1]) ** 2) / (2 * sigma**2))
    return np.asarray(column[:, None] * row[None, :], np.float32)


def finder_sample(rng: np.random.Generator, pictures: Pictures, held: bool) -> tuple[Bytes, NDArray[np.float32]]:
    image, corners = pictures.pick(rng, held)
    boxed, scale, (left, top) = letterbox(image, FINDER_SIZE)
    corners = (corners + 0.5) * scale + [left, top] - 0.5
    if rng.random() < 0.7:
        width, height = FINDER_SIZE
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.normal(0, 8)), float(rng.uniform(0.75, 1.1)))
        border = int(rng.choice([cv2.BORDER_REFLECT, cv2.BORDER_REPLICATE, cv2.BORDER_CONSTANT]))
        boxed = np.asarray(cv2.warpAffine(boxed, turn, FINDER_SIZE, borderMode=border), np.uint8)
        corners = corners @ turn[:, :2].T + turn[:, 2]
    boxed = hide(rng, boxed, corners)
    at = (corners + 0.5) / STRIDE - 0.5
    size = (FINDER_SIZE[0] // STRIDE, FINDER_SIZE[1] // STRIDE)
    maps = np.zeros((4, size[1], size[0]), np.float32)
    big = np.zeros((size[1] * 4, size[0] * 4), np.uint8)
    cv2.fillConvexPoly(big, np.round((at * 4 + 1.5) * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    maps[0] = cv2.resize(big, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    for corner in at:
        maps[1] = np.maximum(maps[1], gaussian(corner, size, 1.1))
    for side in range(4):
        line = np.zeros((size[1], size[0]), np.uint8)
        ends = np.round(at[[side, (side + 1) % 4]] * 16).astype(np.int32)
        cv2.line(line, ends[0].tolist(), ends[1].tolist(), 255, 1, cv2.LINE_AA, 4)
        channel = 2 + side % 2
        maps[channel] = np.maximum(maps[channel], cv2.GaussianBlur(line, (0, 0), 0.9).astype(np.float32) / 140)
    return colours(rng, boxed), np.minimum(maps, 1.0)


def refiner_sample(rng: np.random.Generator, pictures: Pictures, held: bool) -> Sample:
    image, corners = pictures.pick(rng, held)
    right = rng.random() < 0.85
    corners = np.roll(corners, 2 * int(rng.integers(2)) + (not right), axis=0)
    spread = float(rng.choice([0.006, 0.02, 0.05], p=[0.3, 0.4, 0.3]))
    guess = _off(rng, corners, spread)
    if rng.random() < 0.15:
        # A corner guessed under a hand.
        guess[int(rng.integers(4))] += rng.uniform(-0.15, 0.15, 2) * _size(corners)
    return *_laid_flat(rng, image, corners, guess, REFINER_SIZE, MARGIN), float(right)


def placer_sample(rng: np.random.Generator, pictures: Pictures, held: bool) -> Sample:
    image, corners = pictures.pick(rng, held)
    corners = np.roll(corners, 2 * int(rng.integers(2)), axis=0)
    # Every offset as likely as another: were most guesses nearly right, the network would learn to lean on them.
    sides = rng.uniform(-ASTRAY, ASTRAY, 4)
    seen = FLAT + sides[[[0, 1], [2, 1], [2, 3], [0, 3]]] + rng.normal(0, ASTRAY / 6, (4, 2))
    guess = project(board_to_picture(as_corners(corners)), seen)
    return *_laid_flat(rng, image, corners, guess, PLACER_SIZE, PLACER_MARGIN), 1.0


def _off(rng: np.random.Generator, corners: Floats, spread: float) -> Floats:
    """A guess at the corners: each is off by `spread` (share of the board's size), sometimes a side as a whole."""
    scale = _size(corners)
    guess = corners + rng.normal(0, spread * scale, (4, 2)) + rng.normal(0, spread * scale * 0.7, (1, 2))
    if rng.random() < 0.3:
        # A whole side taken for another line: a tray's, the frame's.
        side = int(rng.integers(4))
        ends = [side, (side + 1) % 4]
        guess[ends] += (corners[ends] - corners[[(side + 3) % 4, (side + 2) % 4]]) * rng.uniform(-0.06, 0.15)
    return guess


def _laid_flat(
    rng: np.random.Generator, image: Bytes, corners: Floats, guess: Floats, size: tuple[int, int], margin: float
) -> tuple[Bytes, NDArray[np.float32]]:
    target = rectified_corners(size, margin).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(guess.astype(np.float32), target)
    border = int(rng.choice([cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE]))
    flat = cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=border)
    at = cv2.perspectiveTransform(corners[None].astype(np.float32), matrix)[0]
    flat = hide(rng, np.asarray(flat, np.uint8), np.asarray(at, np.float64))
    return colours(rng, flat), ((at + 0.5) / STRIDE - 0.5).astype(np.float32)


def tensor(pictures: list[Bytes]) -> Tensor:
    whole = torch.from_numpy(np.stack(pictures).transpose(0, 3, 1, 2).astype(np.float32) / 255)
    return whole.contiguous(memory_format=torch.channels_last)


def run(net: nn.Module, pictures: list[Bytes], held: bool) -> Any:
    """The network's outputs; half the precision is enough to learn by, and half the work."""
    with torch.autocast("cpu", torch.bfloat16, enabled=not held):
        found = net(tensor(pictures))
    return tuple(part.float() for part in found) if isinstance(found, tuple) else found.float()


def finder_loss(
    net: nn.Module, rng: np.random.Generator, pictures: Pictures, held: bool, batch: int
) -> tuple[Tensor, Numbers]:
    samples = [finder_sample(rng, pictures, held) for _ in range(batch)]
    maps = run(net, [sample[0] for sample in samples], held)
    truth = torch.from_numpy(np.stack([sample[1] for sample in samples]))
    weight = torch.tensor([1.0, 12.0, 4.0, 4.0])[None, :, None, None]
    heavier = 1 + truth * (weight - 1)
    loss = (nn.functional.binary_cross_entropy_with_logits(maps, truth, reduction="none") * heavier).mean()
    inside, real = maps[:, 0] > 0, truth[:, 0] > 0.5
    overlap = ((inside & real).sum((1, 2)) / (inside | real).sum((1, 2)).clamp(min=1)).mean()
    return loss, {"overlap": float(overlap)}


def expected(heat: Tensor) -> Tensor:
    """Softmax-weighted place (n, 4, 2) of each map, in cells."""
    n, c, h, w = heat.shape
    share = torch.softmax(heat.reshape(n, c, -1), dim=2).reshape(n, c, h, w)
    x = (share.sum(2) * torch.arange(w)).sum(2)
    y = (share.sum(3) * torch.arange(h)).sum(2)
    return torch.stack([x, y], dim=2)


def corners_loss(
    sample: Callable[[np.random.Generator, Pictures, bool], Sample], width_px: float
) -> Callable[[nn.Module, np.random.Generator, Pictures, bool, int], tuple[Tensor, Numbers]]:
    """The loss of a network that places corners in a board laid flat, about `width_px` wide there."""

    def loss_of(
        net: nn.Module, rng: np.random.Generator, pictures: Pictures, held: bool, batch: int
    ) -> tuple[Tensor, Numbers]:
        samples = [sample(rng, pictures, held) for _ in range(batch)]
        heat, judged = run(net, [one[0] for one in samples], held)
        truth = torch.from_numpy(np.stack([one[1] for one in samples]))
        n, c, h, w = heat.shape
        inside = (truth[..., 0] > -0.5) & (truth[..., 0] < w - 0.5) & (truth[..., 1] > -0.5) & (truth[..., 1] < h - 0.5)
        gap = (expected(heat) - truth).abs().sum(2)
        log_error = judged[:, :4]
        # Places and how sure they are: Laplace. The heat itself is led by a plain term as well, or doubt would
        # excuse it.
        each = gap + 0.3 * (gap.detach() * torch.exp(-log_error) + log_error)
        # A narrow target keeps each map one peak.
        peaks = torch.from_numpy(np.stack([[gaussian(at, (w, h), 0.8) for at in one[1]] for one in samples]))
        peaks = peaks.reshape(n, c, -1)
        peaks = peaks / peaks.sum(2, keepdim=True).clamp(min=1e-6)
        each = each + 0.2 * -(peaks * torch.log_softmax(heat.reshape(n, c, -1), dim=2)).sum(2)
        loss = (each * inside).sum() / inside.sum().clamp(min=1)
        errors = ((expected(heat.detach()) - truth).norm(dim=2) * STRIDE / width_px).mean(1)
        numbers = {
            "error": float(errors.mean()),
            "median": float(errors.median()),
            "good": float((errors <= 0.01).float().mean()),
        }
        if judged.shape[1] > 4:
            right = torch.tensor([one[2] for one in samples])
            loss = loss + 0.5 * nn.functional.binary_cross_entropy_with_logits(judged[:, 4], right)
            numbers["turned_right"] = float(((judged[:, 4] > 0) == (right > 0.5)).float().mean())
        return loss, numbers

    return loss_of


NETWORKS: dict[str, tuple[type[nn.Module], Any]] = {
    "finder": (Finder, finder_loss),
    "refiner": (Refiner, corners_loss(refiner_sample, REFINER_SIZE[0] * (1 - 2 * MARGIN))),
    "placer": (Placer, corners_loss(placer_sample, PLACER_SIZE[0] * (1 - 2 * PLACER_MARGIN))),
}
"""The networks and their losses."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=list(NETWORKS))
    parser.add_argument("pictures", type=Path, nargs="+", help="folders of pictures with their corners.jsonl")
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--batch", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--resume", type=Path, help="a state file to go on from")
    parser.add_argument("--out", type=Path, required=True, help="the state file to write")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    kind, loss_of = NETWORKS[arguments.network]
    pictures = Pictures(arguments.pictures, near=arguments.network != "finder")
    net = kind()
    if arguments.resume:
        net.load_state_dict(torch.load(arguments.resume))
    net = net.to(memory_format=torch.channels_last)
    print(f"{len(pictures)} pictures, {sum(p.numel() for p in net.parameters())} parameters", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=arguments.rate, weight_decay=1e-3)
    start, step = time.monotonic(), 0
    seconds = arguments.minutes * 60
    slow: Numbers = {}
    while True:
        done = step / arguments.steps if arguments.steps else (time.monotonic() - start) / seconds
        if done >= 1:
            break
        # Up over the first fiftieth, then down along a cosine.
        for group in optimiser.param_groups:
            group["lr"] = arguments.rate * min(1.0, done * 50 + 0.02) * (0.5 + 0.5 * math.cos(math.pi * done))
        loss, numbers = loss_of(net, rng, pictures, False, arguments.batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        for key, value in {"loss": float(loss.detach()), **numbers}.items():
            slow[key] = 0.98 * slow.get(key, value) + 0.02 * value
        step += 1
        if step % 100 == 0:
            told = " ".join(f"{key} {value:.4f}" for key, value in slow.items())
            print(f"step {step} {100 * done:.0f} % {told}", flush=True)
    net.eval()
    for folder, part in zip(arguments.pictures, pictures.parts, strict=True):
        pictures.parts = [part]
        with torch.no_grad():
            held = [loss_of(net, np.random.default_rng(99 + i), pictures, True, 16)[1] for i in range(8)]
        print(f"held out of {folder}:", {key: round(float(np.mean([row[key] for row in held])), 4) for key in held[0]})
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), arguments.out)


if __name__ == "__main__":
    main()
