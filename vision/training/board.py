"""Trains the network that reads a canvas.

    python vision/training/board.py SHARDS RENDERED_SHARDS --out OUT.pt --steps 6000

Seeded; with the same shards and the same build of PyTorch the same weights come out.
"""

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from networks import BOTTOM, TOTAL, BoardNet, parameters
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from nardi_vision.classify import FOLD
from nardi_vision.rectify import PANELS

BATCH = 8
LEVEL = 0.42
"""What the mean of every canvas is brought to."""


def normalised(canvas: Tensor) -> Tensor:
    """Canvases (n, 3, h, w) 0..255 as the network wants them, each brought to the same mean."""
    mean = canvas.mean((1, 2, 3), keepdim=True).clamp(min=4.0)
    return (canvas * (LEVEL / mean)).clamp(max=3.0) - LEVEL


def folded(canvas: Tensor) -> Tensor:
    """Canvases (n, 3, h, w) with each square of FOLD by FOLD pixels as channels (n, 3 * FOLD^2, h / FOLD, w / FOLD)."""
    return F.pixel_unshuffle(normalised(canvas), FOLD).contiguous(memory_format=torch.channels_last)


def targets(batch: dict[str, NDArray[np.generic]]) -> dict[str, Tensor]:
    """Labels as tensors in the network's arrangement: slots as rows by columns, (n, 2, 12)."""

    def arranged(values: NDArray[np.generic]) -> Tensor:
        return torch.from_numpy(values.astype(np.int64)).view(-1, 2, 12)

    rows = batch["rows"].astype(np.int64)
    return {
        "bottom": arranged(np.minimum(rows[..., 0], BOTTOM - 1)),
        "total": arranged(np.minimum(rows.sum(-1), TOTAL - 1)),
        "shade": arranged(batch["shade"]),
        "hidden": arranged(batch["hidden"]),
        "bar": torch.from_numpy(np.minimum(batch["bar"].astype(np.int64), 5)),
        "maps": torch.from_numpy(heat(batch["marks"].astype(np.float32))),
        "hand": torch.from_numpy(batch["hand"].astype(np.float32)[:, None] / 255),
    }


def heat(marks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Heat maps (n, 4, 72, 88) with a peak of 1 at each visible mark: tops light, dark, dice, cube."""
    out = np.zeros((len(marks), 4, 72, 88), np.float32)
    ys, xs = np.mgrid[0:72, 0:88].astype(np.float32)
    for n, own in enumerate(marks):
        own = own[own[:, 2] >= 0]
        for x, y, kind, layer in own:
            if kind < 2:
                above = own[(own[:, 3] > layer) & (own[:, 2] < 2)]
                if len(above) and (np.hypot(above[:, 0] - x, above[:, 1] - y) < 9).any():
                    continue
            cx, cy = (x + 0.5) / 4 - 0.5, (y + 0.5) / 4 - 0.5
            x0, x1, y0, y1 = max(int(cx) - 4, 0), min(int(cx) + 6, 88), max(int(cy) - 4, 0), min(int(cy) + 6, 72)
            if x0 >= x1 or y0 >= y1:
                continue
            spread = 0.8 if kind < 3 else 1.2
            bump = np.exp(-((xs[y0:y1, x0:x1] - cx) ** 2 + (ys[y0:y1, x0:x1] - cy) ** 2) / (2 * spread**2))
            part = out[n, int(kind), y0:y1, x0:x1]
            np.maximum(part, bump, out=part)
            nearest_y, nearest_x = round(float(cy)), round(float(cx))
            if 0 <= nearest_y < 72 and 0 <= nearest_x < 88:
                out[n, int(kind), nearest_y, nearest_x] = 1.0
    return out


def augmented(canvas: Tensor, want: dict[str, Tensor], generator: torch.Generator) -> tuple[Tensor, dict[str, Tensor]]:
    """Mirrors the batch and changes each picture's light and colours."""

    def lot(*shape: int) -> Tensor:
        return torch.rand(shape, generator=generator)

    n = len(canvas)
    if lot(1) < 0.5:
        canvas = canvas.flip(3)
        for name in ("bottom", "total", "shade", "hidden"):
            want[name] = want[name].flip(2)
        want["maps"], want["hand"] = want["maps"].flip(3), want["hand"].flip(3)
    if lot(1) < 0.5:
        canvas = canvas.flip(2)
        for name in ("bottom", "total", "shade", "hidden"):
            want[name] = want[name].flip(1)
        want["maps"], want["hand"] = want["maps"].flip(2), want["hand"].flip(2)
    if lot(1) < 0.5:  # the halves may change places: every point stays of its kind
        canvas, want["maps"] = exchanged(canvas, 1), exchanged(want["maps"], 4)
        want["hand"] = exchanged(want["hand"], 8)
        for name in ("bottom", "total", "shade", "hidden"):
            want[name] = want[name].roll(6, 2)
    gain = torch.exp((lot(n, 3, 1, 1) - 0.5) * 0.3)
    # Light that falls off over the board, and coloured a little.
    field = torch.randn((n, 3, 3, 4), generator=generator) * 0.06
    field = (field + torch.randn((n, 1, 3, 4), generator=generator) * 0.16) * lot(n, 1, 1, 1) ** 2
    gain = gain * torch.exp(F.interpolate(field, size=canvas.shape[2:], mode="bicubic"))
    gamma = torch.exp((lot(n, 1, 1, 1) - 0.5) * 0.5)
    canvas = (canvas / 255).clamp(min=1e-3) ** gamma * gain * 255
    # Other dyes and other cameras: colours mixed into each other a little, grey left grey.
    mix = torch.randn((n, 3, 3), generator=generator) * 0.14 * (lot(n, 1, 1) < 0.6)
    mix = mix - mix.mean(2, keepdim=True)
    canvas = (canvas + torch.einsum("nij,njhw->nihw", mix, canvas)).clamp(min=0)
    grey = canvas.mean(1, keepdim=True)
    canvas = grey + (canvas - grey) * (0.4 + 0.9 * lot(n, 1, 1, 1))
    noisy = lot(n, 1, 1, 1) ** 3 * 9
    canvas = canvas + torch.randn(canvas.shape, generator=generator) * noisy
    if lot(1) < 0.25:
        canvas = F.avg_pool2d(F.pad(canvas, (1, 1, 1, 1), mode="replicate"), 3, 1)
    return canvas.clamp(0, 255), want


def exchanged(picture: Tensor, cell: int) -> Tensor:
    """A canvas or map (n, channels, rows, columns) of so many pixels a cell, its two halves' panels exchanged."""
    first, bar, second = (picture[..., begin // cell : end // cell] for begin, end in PANELS)
    return torch.cat([second, bar, first], 3)


def losses(model: BoardNet, canvas: Tensor, want: dict[str, Tensor]) -> dict[str, Tensor]:
    slots, bar, maps = model(folded(canvas))
    seen = (want["hidden"] == 0).float()
    filled = seen * (want["shade"] > 0).float()

    def mean(values: Tensor, weight: Tensor) -> Tensor:
        return (values * weight).sum() / weight.sum().clamp(min=1)

    bottom, total, dark, hidden = slots[:, :BOTTOM], slots[:, BOTTOM : BOTTOM + TOTAL], slots[:, -2], slots[:, -1]
    heat_loss = torch.zeros(())
    truth = want["maps"]
    for kind, weight in enumerate((0.7, 0.7, 5.0, 1.0)):
        p = torch.sigmoid(maps[:, kind].float()).clamp(1e-4, 1 - 1e-4)
        hot = (truth[:, kind] >= 0.999).float()
        gain = (
            -(torch.log(p) * (1 - p) ** 2 * hot).sum()
            - (torch.log(1 - p) * p**2 * (1 - truth[:, kind]) ** 4 * (1 - hot)).sum()
        )
        heat_loss = heat_loss + weight * gain / hot.sum().clamp(min=4)
    hand = F.interpolate(want["hand"], size=maps.shape[2:], mode="nearest")[:, 0]
    return {
        "bottom": mean(F.cross_entropy(bottom, want["bottom"], reduction="none"), seen),
        "total": 0.6 * mean(F.cross_entropy(total, want["total"], reduction="none"), seen),
        "shade": 1.0
        * mean(F.binary_cross_entropy_with_logits(dark, (want["shade"] == 2).float(), reduction="none"), filled),
        "guess": 0.2 * mean(F.cross_entropy(model.slots.guessed, want["shade"], reduction="none"), seen),
        "hidden": 1.5 * F.binary_cross_entropy_with_logits(hidden, want["hidden"].float()),
        "bar": 0.4 * (F.cross_entropy(bar[:, :6], want["bar"][:, 0]) + F.cross_entropy(bar[:, 6:], want["bar"][:, 1])),
        "maps": 0.12 * heat_loss,
        # Hands are rare and small: unweighted, the map would learn to be empty.
        "hand": 6.0 * F.binary_cross_entropy_with_logits(maps[:, 4], hand, pos_weight=torch.tensor(4.0)),
    }


def batches(
    folders: Sequence[Path], aside: Path, rng: np.random.Generator, pool: int = 6
) -> Iterator[dict[str, NDArray[np.generic]]]:
    """Mixed batches without end, from `pool` shards at a time, as many of each folder.

    Those used least come first, so shards that are made meanwhile are taken up at once.
    """
    keys = ("canvas", "rows", "shade", "hidden", "bar", "marks", "hand")
    uses: dict[Path, int] = {}
    while True:
        loaded = []
        for folder in folders:
            paths = sorted(p for p in folder.glob("[0-9][0-9][0-9][0-9].npz") if p != aside)
            chances = rng.random(len(paths))
            order = sorted(range(len(paths)), key=lambda i: (uses.get(paths[i], 0), chances[i]))
            for i in order[: max(1, pool // len(folders))]:
                uses[paths[i]] = uses.get(paths[i], 0) + 1
                loaded.append(np.load(paths[i]))
        mixed = {key: np.concatenate([part[key] for part in loaded]) for key in keys}
        shuffled = rng.permutation(len(mixed["canvas"]))
        for start in range(0, len(shuffled) - BATCH + 1, BATCH):
            rows = np.sort(shuffled[start : start + BATCH])
            yield {key: value[rows] for key, value in mixed.items()}


@torch.no_grad()
def tested(model: BoardNet, path: Path) -> str:
    """How the model does on a shard kept aside: whole boards and slots right."""
    model.eval()
    data = np.load(path)
    batch = {key: data[key] for key in ("canvas", "rows", "shade", "hidden", "bar", "marks", "hand")}
    want = targets(batch)
    right, slots_right, slots_all, shades, totals = 0, 0, 0, 0, 0
    for start in range(0, len(batch["canvas"]), 20):
        part = slice(start, start + 20)
        canvas = torch.from_numpy(batch["canvas"][part]).permute(0, 3, 1, 2).float()
        slots, _, _ = model(folded(canvas))
        bottom = slots[:, :BOTTOM].argmax(1)
        total = slots[:, BOTTOM : BOTTOM + TOTAL].argmax(1)
        shade = torch.where(slots[:, -2] > 0, 2, 1)
        seen = want["hidden"][part] == 0
        count_ok = (bottom == want["bottom"][part]) | ~seen
        shade_ok = (shade == want["shade"][part]) | (want["bottom"][part] == 0) | ~seen
        ok = count_ok & shade_ok
        right += int(ok.all(2).all(1).sum())
        slots_right += int(ok.sum())
        slots_all += ok.numel()
        shades += int((~shade_ok).sum())
        totals += int(((total != want["total"][part]) & seen).sum())
    model.train()
    n = len(batch["canvas"])
    share = slots_right / slots_all
    return f"boards {right / n:.3f} slots {share:.4f}; wrong: shades {shades}, totals {totals}, of {slots_all}"


def rate_at(done: float, step: int) -> float:
    """The learning rate's share of its peak: a short rise, then a cosine to nearly nothing."""
    return min(1.0, (step + 1) / 100) * max(0.003, 0.5 * (1 + math.cos(math.pi * min(done, 1.0))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", type=Path, nargs="+", help="folders of shards; each is looked into as often")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--resume", type=Path, help="weights to go on from")
    parser.add_argument("--minutes", type=float, help="end by then, the learning rate falling accordingly")
    parser.add_argument("--aside", type=Path, help="the shard kept for testing (default: the first folder's 0000.npz)")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    generator = torch.Generator().manual_seed(1)
    aside = args.aside or args.shards[0] / "0000.npz"
    model = BoardNet().to(memory_format=torch.channels_last)
    if args.resume:
        model.load_state_dict(torch.load(args.resume))
    smooth = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.997), use_buffers=True
    )
    optimiser = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=0.01)
    print(parameters(model), "parameters", flush=True)
    begun, running = time.monotonic(), {}
    feed = batches(args.shards, aside, rng)
    for step in range(args.steps):
        batch = next(feed)
        done = step / args.steps
        if args.minutes:
            done = max(done, (time.monotonic() - begun) / 60 / args.minutes)
        for group in optimiser.param_groups:
            group["lr"] = args.rate * rate_at(done, step)
        canvas = torch.from_numpy(batch["canvas"]).permute(0, 3, 1, 2).float()
        canvas, want = augmented(canvas, targets(batch), generator)
        parts = losses(model, canvas, want)
        loss = torch.stack(list(parts.values())).sum()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        smooth.update_parameters(model)
        for name, value in parts.items():
            running[name] = 0.97 * running.get(name, float(value)) + 0.03 * float(value)
        if step % 50 == 49:
            print(
                step + 1,
                f"{time.monotonic() - begun:.0f} s",
                " ".join(f"{k} {v:.3f}" for k, v in running.items()),
                flush=True,
            )
        last = step + 1 == args.steps or done >= 1
        if step % 400 == 399 or last:
            torch.save(smooth.module.state_dict(), args.out)
            print("  ", tested(smooth.module, aside), flush=True)
        if last:
            break


if __name__ == "__main__":
    main()
