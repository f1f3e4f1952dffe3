"""Trains the network that tells how wide a board's columns are.

python vision/training/plan.py SHARDS OUT.pt --steps 4000
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from board import normalised
from networks import PlanNet, parameters
from torch import Tensor

from nardi_vision.layout import EDGES, WIDTHS


def spread(values: Tensor, bins: np.ndarray) -> Tensor:
    """Soft targets: a bump over the bins at each value."""
    centres = torch.from_numpy(bins.astype(np.float32))
    step = float(bins[1] - bins[0])
    bump = torch.exp(-(((values[:, None] - centres) / step) ** 2) / 2)
    return bump / bump.sum(1, keepdim=True)


def loaded(paths: list[Path]) -> tuple[Tensor, Tensor]:
    parts = [np.load(p) for p in paths]
    plans = np.concatenate([p["plan"] for p in parts])
    return torch.from_numpy(plans).permute(0, 3, 1, 2), torch.from_numpy(np.concatenate([p["layout"] for p in parts]))


@torch.no_grad()
def tested(model: PlanNet, plans: Tensor, layouts: Tensor) -> str:
    model.eval()
    out = torch.cat([model(normalised(plans[i : i + 50].float())) for i in range(0, len(plans), 50)])
    width = torch.softmax(out[:, : len(WIDTHS)], 1) @ torch.from_numpy(WIDTHS.astype(np.float32))
    edge = torch.softmax(out[:, len(WIDTHS) :], 1) @ torch.from_numpy(EDGES.astype(np.float32))
    # What counts is how far the columns themselves are off, in columns.
    worst = (
        torch.stack([(edge - layouts[:, 0]), (edge + 6 * width - layouts[:, 0] - 6 * layouts[:, 1])]).abs().amax(0)
        / layouts[:, 1]
    )
    model.train()
    return f"off by {worst.mean():.3f} columns, 95 %: {worst.quantile(0.95):.3f}, worst {worst.max():.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=4000)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(2)
    paths = sorted(args.shards.glob("[0-9][0-9][0-9][0-9].npz"))
    plans, layouts = loaded(paths[1:])
    aside = loaded(paths[:1])
    model = PlanNet()
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, args.steps, pct_start=0.1)
    print(parameters(model), "parameters,", len(plans), "plans", flush=True)
    running = 0.0
    for step in range(args.steps):
        pick = torch.randint(len(plans), (24,))
        x, y = plans[pick].float(), layouts[pick]
        if torch.rand(1) < 0.5:
            x = x.flip(3)
        if torch.rand(1) < 0.5:
            x = x.flip(2)
        gain = torch.exp((torch.rand(len(x), 3, 1, 1) - 0.5) * 0.4)
        gamma = torch.exp((torch.rand(len(x), 1, 1, 1) - 0.5) * 0.5)
        x = (x / 255).clamp(min=1e-3) ** gamma * gain * 255
        x = (x + torch.randn_like(x) * 4 * torch.rand(len(x), 1, 1, 1)).clamp(0, 255)
        out = model(normalised(x))
        width = -(spread(y[:, 1], WIDTHS) * torch.log_softmax(out[:, : len(WIDTHS)], 1)).sum(1)
        edge = -(spread(y[:, 0], EDGES) * torch.log_softmax(out[:, len(WIDTHS) :], 1)).sum(1)
        loss = (width + 0.5 * edge).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        running = 0.98 * running + 0.02 * float(loss)
        if step % 500 == 499:
            print(step + 1, f"{running:.3f}", tested(model, *aside), flush=True)
    torch.save(model.state_dict(), args.out)


if __name__ == "__main__":
    main()
