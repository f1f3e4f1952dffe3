"""Trains the corner networks on drawn pictures and writes them as ONNX files that OpenCV's dnn reads.

    python vision/training/locate/pictures.py PICTURES --count 9000 --seed 1
    python vision/training/locate/train.py finder PICTURES --minutes 20
    python vision/training/locate/train.py refiner PICTURES --minutes 20
    python vision/training/locate/train.py corner PICTURES --minutes 20

One thread. With --steps instead of --minutes the result is the same each time.
"""

import argparse
import gzip
import io
import json
import math
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import torch
from networks import CORNER_PX, FINDER_SIZE, REFINER_SIZE, STRIDE, Corner, Finder, Refiner
from numpy.typing import NDArray
from torch import Tensor, nn

from nardi_vision.locate import MARGIN, corner_matrix, letterbox, rectified_corners, shrunk

DATA = Path(__file__).parents[2] / "nardi_vision" / "data"
BATCH = 24
Floats = NDArray[np.float64]


class Pictures:
    """Drawn pictures, kept encoded, of one or several folders; those of each folder's last twentieth are held out.

    Each folder is looked into as often as the others, however many pictures it has; one given twice, twice as often.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self.parts: list[tuple[list[NDArray[np.uint8]], list[Floats]]] = []
        for folder in folders:
            rows = [json.loads(line) for line in (folder / "corners.jsonl").read_text().splitlines()]
            data = [np.fromfile(folder / row["file"], np.uint8) for row in rows]
            self.parts.append((data, [np.array(row["corners"], np.float64) for row in rows]))

    def __len__(self) -> int:
        return sum(len(data) for data, _ in self.parts)

    def pick(self, rng: np.random.Generator, held: bool) -> tuple[NDArray[np.uint8], Floats]:
        data, places = self.parts[int(rng.integers(len(self.parts)))]
        first = len(data) - max(1, len(data) // 20)
        index = int(rng.integers(first, len(data)) if held else rng.integers(first))
        image = cv2.imdecode(data[index], cv2.IMREAD_COLOR)
        corners = places[index].copy()
        if rng.random() < 0.5:
            image = np.ascontiguousarray(image[:, ::-1])
            corners[:, 0] = image.shape[1] - 1 - corners[:, 0]
            corners = corners[[1, 0, 3, 2]]
        return image, corners


def colours(rng: np.random.Generator, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Another camera, another lamp."""
    out = picture.astype(np.float32) / 255
    if rng.random() < 0.15:
        out[:] = out.mean(axis=2, keepdims=True)
    if rng.random() < 0.15:
        out = out[:, :, rng.permutation(3)]
    out = np.clip(out, 0, 1) ** float(np.exp(rng.normal(0, 0.3)))
    out = (out - 0.5) * float(np.exp(rng.normal(0, 0.2))) + 0.5 + float(rng.normal(0, 0.06))
    out *= np.exp(rng.normal(0, 0.1, 3)).astype(np.float32)
    if rng.random() < 0.3:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.3, 1.1)))
    if rng.random() < 0.4:
        out += rng.normal(0, float(rng.uniform(0.005, 0.04)), out.shape).astype(np.float32)
    return np.asarray(np.clip(out, 0, 1) * 255, np.uint8)


def gaussian(at: Floats, size: tuple[int, int], sigma: float) -> NDArray[np.float32]:
    xs, ys = np.arange(size[0]), np.arange(size[1])
    row = np.exp(-((xs - at[0]) ** 2) / (2 * sigma**2))
    column = np.exp(-((ys - at[1]) ** 2) / (2 * sigma**2))
    return np.asarray(column[:, None] * row[None, :], np.float32)


def finder_sample(
    rng: np.random.Generator, pictures: Pictures, held: bool
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    image, corners = pictures.pick(rng, held)
    if rng.random() < 0.6:
        height, width = image.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.normal(0, 8)), float(rng.uniform(0.8, 1.08)))
        border = int(rng.choice([cv2.BORDER_REFLECT, cv2.BORDER_REPLICATE, cv2.BORDER_CONSTANT]))
        image = cv2.warpAffine(image, turn, (width, height), borderMode=border)
        corners = corners @ turn[:, :2].T + turn[:, 2]
    boxed, scale, (left, top) = letterbox(image, FINDER_SIZE)
    at = ((corners + 0.5) * scale + [left, top]) / STRIDE - 0.5
    size = (FINDER_SIZE[0] // STRIDE, FINDER_SIZE[1] // STRIDE)
    maps = np.zeros((4, size[1], size[0]), np.float32)
    big = np.zeros((size[1] * 4, size[0] * 4), np.uint8)
    cv2.fillConvexPoly(big, np.round((at * 4 + 1.5) * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    maps[0] = cv2.resize(big, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    for corner in at:
        maps[1] = np.maximum(maps[1], gaussian(corner, size, 1.3))
    for side in range(4):
        line = np.zeros((size[1], size[0]), np.uint8)
        ends = np.round(at[[side, (side + 1) % 4]] * 16).astype(np.int32)
        cv2.line(line, ends[0].tolist(), ends[1].tolist(), 255, 1, cv2.LINE_AA, 4)
        channel = 2 + side % 2
        maps[channel] = np.maximum(maps[channel], cv2.GaussianBlur(line, (0, 0), 0.9).astype(np.float32) / 140)
    return colours(rng, boxed), np.minimum(maps, 1.0)


def refiner_sample(
    rng: np.random.Generator, pictures: Pictures, held: bool
) -> tuple[NDArray[np.uint8], NDArray[np.float32], float]:
    image, corners = pictures.pick(rng, held)
    image, shrink = shrunk(image, corners)
    corners = (corners + 0.5) * shrink - 0.5
    if rng.random() < 0.5:
        corners = np.roll(corners, 2, axis=0)
    right = rng.random() < 0.85
    if not right:
        corners = np.roll(corners, 1, axis=0)
    scale = math.sqrt(cv2.contourArea(corners.astype(np.float32)))
    spread = rng.choice([0.006, 0.02, 0.05], p=[0.3, 0.4, 0.3])
    guess = corners + rng.normal(0, spread * scale, (4, 2)) + rng.normal(0, spread * scale * 0.6, (1, 2))
    if rng.random() < 0.3:
        # A whole side taken for another line beyond it: a tray's, the frame's.
        side = int(rng.integers(4))
        ends = [side, (side + 1) % 4]
        out = corners[ends] - corners[[(side + 3) % 4, (side + 2) % 4]]
        guess[ends] += out * rng.uniform(-0.04, 0.15)
    target = rectified_corners(REFINER_SIZE, MARGIN).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(guess.astype(np.float32), target)
    border = int(rng.choice([cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE]))
    flat = cv2.warpPerspective(image, matrix, REFINER_SIZE, flags=cv2.INTER_LINEAR, borderMode=border)
    at = cv2.perspectiveTransform(corners[None].astype(np.float32), matrix)[0]
    return colours(rng, flat), ((at + 0.5) / STRIDE - 0.5).astype(np.float32), float(right)


def corner_samples(
    rng: np.random.Generator, pictures: Pictures, held: bool
) -> list[tuple[NDArray[np.uint8], NDArray[np.float32]]]:
    """All four corners of one picture, each seen as a guess that is a little off shows it."""
    image, corners = pictures.pick(rng, held)
    small, scale = shrunk(image, corners)
    corners = (corners + 0.5) * scale - 0.5
    size = math.sqrt(cv2.contourArea(corners.astype(np.float32)))
    spread = rng.choice([0.004, 0.012, 0.03], p=[0.45, 0.35, 0.2])
    guess = corners + rng.normal(0, spread * size, (4, 2))
    for index in range(4):
        if rng.random() < 0.12:
            # Somewhere else: at another line of the frame, or where no corner is at all.
            guess[index] += rng.uniform(-0.22, 0.22, 2) * size
    border = int(rng.choice([cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE]))
    patches, places = [], []
    for index in range(4):
        matrix = corner_matrix(guess, index)
        size_px = (CORNER_PX, CORNER_PX)
        patches.append(cv2.warpPerspective(small, matrix, size_px, flags=cv2.INTER_LINEAR, borderMode=border))
        at = cv2.perspectiveTransform(corners[None, index : index + 1].astype(np.float32), matrix)[0, 0]
        places.append(((at + 0.5) / STRIDE - 0.5).astype(np.float32))
    # One lamp and one camera for all four, and no more pixels than are looked at.
    lit = colours(rng, np.concatenate(patches))
    return list(zip(np.split(lit, 4), places, strict=True))


def tensor(pictures: list[NDArray[np.uint8]]) -> Tensor:
    return torch.from_numpy(np.stack(pictures).transpose(0, 3, 1, 2).astype(np.float32) / 255)


def finder_loss(
    net: Finder, rng: np.random.Generator, pictures: Pictures, held: bool
) -> tuple[Tensor, dict[str, float]]:
    samples = [finder_sample(rng, pictures, held) for _ in range(BATCH)]
    maps = net(tensor([sample[0] for sample in samples]))
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


def refiner_loss(
    net: Refiner, rng: np.random.Generator, pictures: Pictures, held: bool
) -> tuple[Tensor, dict[str, float]]:
    samples = [refiner_sample(rng, pictures, held) for _ in range(BATCH)]
    heat, judged = net(tensor([sample[0] for sample in samples]))
    truth = torch.from_numpy(np.stack([sample[1] for sample in samples]))
    right = torch.tensor([sample[2] for sample in samples])
    inside = (truth[..., 0] > -0.5) & (truth[..., 0] < heat.shape[3] - 0.5)
    inside &= (truth[..., 1] > -0.5) & (truth[..., 1] < heat.shape[2] - 0.5)
    gap = (expected(heat) - truth).abs().sum(2)
    log_error = judged[:, :4].clamp(-4, 4)
    # Places and how sure they are: Laplace. The heat itself is led by a plain term as well, or doubt would excuse it.
    each = gap + 0.3 * (gap.detach() * torch.exp(-log_error) + log_error)
    # A narrow target keeps each map one peak.
    n, c, h, w = heat.shape
    peaks = torch.from_numpy(
        np.stack([[gaussian(p.astype(np.float64), (w, h), 0.9) for p in sample[1]] for sample in samples])
    ).reshape(n, c, -1)
    peaks = peaks / peaks.sum(2, keepdim=True).clamp(min=1e-6)
    cross = -(peaks * torch.log_softmax(heat.reshape(n, c, -1), dim=2)).sum(2)
    each = each + 0.25 * cross
    loss = (each * inside).sum() / inside.sum().clamp(min=1)
    loss = loss + 0.5 * nn.functional.binary_cross_entropy_with_logits(judged[:, 4], right)
    turned = ((judged[:, 4] > 0) == (right > 0.5)).float().mean()
    error = ((expected(heat) - truth).norm(dim=2) * inside).sum() / inside.sum()
    return loss, {"error_px": float(error.detach()) * STRIDE, "turned_right": float(turned)}


def corner_loss(
    net: Corner, rng: np.random.Generator, pictures: Pictures, held: bool
) -> tuple[Tensor, dict[str, float]]:
    samples = [sample for _ in range(BATCH // 2) for sample in corner_samples(rng, pictures, held)]
    heat, judged = net(tensor([sample[0] for sample in samples]))
    truth = torch.from_numpy(np.stack([sample[1] for sample in samples]))[:, None]
    inside = ((truth > -0.5) & (truth < heat.shape[3] - 0.5)).all(dim=2)
    gap = (expected(heat) - truth).abs().sum(2)
    log_error = judged.clamp(-4, 4)
    each = gap + 0.3 * (gap.detach() * torch.exp(-log_error) + log_error)
    n, c, h, w = heat.shape
    peaks = np.stack([gaussian(sample[1].astype(np.float64), (w, h), 0.8) for sample in samples])
    share = torch.from_numpy(peaks).reshape(n, c, -1)
    share = share / share.sum(2, keepdim=True).clamp(min=1e-6)
    cross = -(share * torch.log_softmax(heat.reshape(n, c, -1), dim=2)).sum(2)
    loss = ((each + 0.25 * cross) * inside).sum() / inside.sum().clamp(min=1)
    # Where no corner is, it must say that it may be ten cells off.
    nowhere = nn.functional.softplus(math.log(10) - judged) * ~inside
    loss = loss + nowhere.sum() / len(samples)
    gaps = (expected(heat) - truth).norm(dim=2)
    error = (gaps * inside).sum() / inside.sum()
    doubt = (judged.exp() * ~inside).sum() / (~inside).sum().clamp(min=1)
    told = {"error_px": error, "median_px": gaps[inside].median(), "doubt_px": doubt}
    return loss, {name: float(value.detach()) * STRIDE for name, value in told.items()}


def export(net: nn.Module, size: tuple[int, int], path: Path, outputs: list[str]) -> None:
    """Writes what `nardi_vision.network` loads: weights rounded to half precision, so that they pack well."""
    net.eval()
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, (torch.zeros(1, 3, size[1], size[0]),), buffer, input_names=["picture"], output_names=outputs,
            opset_version=12, dynamo=False,
        )  # fmt: skip
    graph = onnx.load_from_string(buffer.getvalue())
    for weights in graph.graph.initializer:
        if weights.data_type == onnx.TensorProto.FLOAT:
            values = onnx.numpy_helper.to_array(weights).astype(np.float16).astype(np.float32)
            weights.CopyFrom(onnx.numpy_helper.from_array(values, weights.name))
    path.write_bytes(gzip.compress(graph.SerializeToString(), 9, mtime=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=["finder", "refiner", "corner"])
    parser.add_argument("pictures", type=Path, nargs="+", help="folders written by pictures.py")
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--resume", type=Path, help="a state file to go on from")
    parser.add_argument("--out", type=Path, default=DATA)
    parser.add_argument("--export", action="store_true", help="only write the network of --resume")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    pictures = Pictures(arguments.pictures)
    net: Any = {"finder": Finder, "refiner": Refiner, "corner": Corner}[arguments.network]()
    if arguments.resume:
        net.load_state_dict(torch.load(arguments.resume))
    print(f"{len(pictures)} pictures, {sum(p.numel() for p in net.parameters())} parameters", flush=True)
    loss_of: Any = {"finder": finder_loss, "refiner": refiner_loss, "corner": corner_loss}[arguments.network]
    optimiser = torch.optim.AdamW(net.parameters(), lr=arguments.rate, weight_decay=1e-3)
    start, step = time.monotonic(), 0
    seconds = arguments.minutes * 60
    slow: dict[str, float] = {}
    while not arguments.export:
        done = step / arguments.steps if arguments.steps else (time.monotonic() - start) / seconds
        if done >= 1:
            break
        # Up over the first fiftieth, then down along a cosine.
        for group in optimiser.param_groups:
            group["lr"] = arguments.rate * min(1.0, done * 50 + 0.02) * (0.5 + 0.5 * math.cos(math.pi * done))
        loss, numbers = loss_of(net, rng, pictures, False)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        for name, value in {"loss": float(loss.detach()), **numbers}.items():
            slow[name] = 0.98 * slow.get(name, value) + 0.02 * value
        step += 1
        if step % 100 == 0:
            told = " ".join(f"{name} {value:.4f}" for name, value in slow.items())
            print(f"step {step} {100 * done:.0f} % {told}", flush=True)
    net.eval()
    with torch.no_grad():
        held = [loss_of(net, np.random.default_rng(99 + i), pictures, True)[1] for i in range(12)]
    print("held out:", {name: round(float(np.mean([row[name] for row in held])), 4) for name in held[0]})
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), arguments.pictures[0] / f"{arguments.network}.pt")
    match arguments.network:
        case "finder":
            export(net, FINDER_SIZE, arguments.out / "board_finder.onnx.gz", ["maps"])
        case "refiner":
            export(net, REFINER_SIZE, arguments.out / "corner_refiner.onnx.gz", ["heat", "judged"])
        case "corner":
            export(net, (CORNER_PX, CORNER_PX), arguments.out / "corner.onnx.gz", ["heat", "judged"])


if __name__ == "__main__":
    main()
