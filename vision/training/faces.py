"""Trains the networks that read the top of a die and of the doubling cube.

    python vision/training/faces.py die OUT.pt --pictures 20000 --steps 4000 --rendered FOLDER CLOSEUPS
    python vision/training/faces.py cube OUT.pt --pictures 8000 --steps 2500 --rendered FOLDER CLOSEUPS

They learn from squares drawn close up and, with --rendered, from squares cut out of pictures that `rendered/render.py`
and `rendered/closeups.py` wrote, where the reader would cut them. The last tenth of each folder is kept for the test.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import torch
from board import normalised
from networks import FaceNet, parameters
from numpy.typing import NDArray
from rendered.labels import drawings
from scraps import backgrounds, scene
from torch import Tensor
from torch.nn import functional as F

from nardi_vision.classify import Reader, spots
from nardi_vision.dice import CUBE, DIE, FACE_FOLD, NO_CUBE, NO_DIE, Flat, Sight, aimed, flattened, square
from nardi_vision.rectify import Layout, Rectifier
from nardi_vision.synth.board import CheckerSpec
from nardi_vision.synth.drawing import Drawing, Labels

BATCH = 96
SIGHTS = {"die": DIE, "cube": CUBE}
LEAST_PX = 8
"""A die that is fewer pixels across is nothing to learn from."""
FAINT = 0.04
"""What the finder shows more faintly than this is nothing to learn from."""
AMISS = 0.07
"""Columns by which places are usually off."""
HIT, MISS = 0.35, 0.6
"""Within how many columns of a thing the finder has found it, and beyond how many it has found something else."""
ASKEW = 0.06
"""Radians by which what stands upright is usually taken to stand otherwise."""
MIDDLE = 2.0
"""What errors in place weigh beside errors in kind."""


Pair = tuple[float, float]
Square = tuple[NDArray[np.uint8], int, Pair]
"""A square (pixels, pixels, 3), what it shows, and where, as the network is to tell it."""
Stock = tuple[Tensor, Tensor, Tensor]
"""Squares (n, 3, pixels, pixels), what they show (n,) and where (n, 2)."""


def _cut(
    picture: NDArray[np.uint8], flat: Flat, at: Pair, middle: Pair, sight: Sight, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], Pair]:
    """Cuts a square round `at` as the reader would, with the errors it would make; and where in it `middle` is seen."""
    steps = aimed(flat, at, sight)
    angle = rng.normal(0, ASKEW)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    steps = steps @ turn * np.exp(rng.normal(0, 0.07)) * np.exp(rng.normal(0, 0.04, 2))
    x, y = (np.linalg.inv(steps) @ np.subtract(middle, at) * 2 / sight.pixels).tolist()
    return square(picture, at, steps, sight), (x, y)


def _strayed(flat: Flat, at: Pair, sight: Sight, rng: np.random.Generator) -> Pair:
    """Where the finder might see what is at a pixel."""
    far = rng.normal(0, AMISS, 2) if rng.random() < 0.85 else HIT * rng.uniform(-1, 1, 2)
    x, y = (at + aimed(flat, at, sight) @ far * (sight.pixels / 2 / sight.reach)).tolist()
    return x, y


def drawn(kind: str, count: int, seed: int) -> Stock:
    """`count` squares drawn close up."""
    rng = np.random.default_rng(seed)
    stock: list[tuple[NDArray[np.uint8], CheckerSpec]] = []
    squares = []
    for index in range(count):
        if index % 100 == 0:
            stock = [*stock[-30:], *backgrounds(rng, 4)]
        scrap = scene(rng, kind, stock)
        near = _strayed(scrap.flat, scrap.at, SIGHTS[kind], rng)
        picture, middle = _cut(scrap.picture, scrap.flat, near, scrap.at, SIGHTS[kind], rng)
        squares.append((picture, scrap.value, middle))
    return _stacked(squares)


def _stacked(squares: Iterable[Square]) -> Stock:
    pictures, values, middles = zip(*squares, strict=True)
    stacked = torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2).contiguous()
    return stacked, torch.tensor(values), torch.tensor(middles)


def cut_out(kind: str, drawing: Drawing, reader: Reader, times: int, rng: np.random.Generator) -> list[Square]:
    """Squares of a rendered picture, with the errors that the reader makes in corners, columns and places: of what it
    is to read, and of what it is not to take for that; each place `times` times."""
    labels, image, sight = drawing.labels, drawing.image, SIGHTS[kind]
    length = float(np.linalg.norm(labels.corners[1] - labels.corners[0]))
    corners = labels.corners + rng.normal(0, 0.0035 * length * rng.choice([0.3, 1.0, 1.8]), (4, 2))
    edge, width = labels.layout
    layout = Layout(edge + float(rng.normal(0, 0.04)) * width, width * (1 + float(rng.normal(0, 0.007))))
    rectifier = Rectifier(corners, (image.shape[1], image.shape[0]), layout)
    column = length * width
    # A rendered die may be sunk in a raised bar, and a hand may lie over it: nothing is learned from what lies there.
    on_board = rectifier.to_board(np.array([die.at for die in labels.dice]).reshape(-1, 2), DIE.lift)
    beside = np.abs(on_board[:, 0] - 0.5) > 0.5 - edge - 6 * width
    dice = [
        (die.at, die.value if die.flat else 0)
        for die, clear in zip(labels.dice, beside, strict=True)
        if die.size_px >= LEAST_PX and clear and not covered(labels, die.at)
    ]
    cube = []
    if labels.cube and not covered(labels, labels.cube[1]):
        cube.append((labels.cube[1], labels.cube[0].bit_length() - 1))
    wanted, other, none = (dice, cube, NO_DIE) if kind == "die" else (cube, dice, NO_CUBE)
    shown = np.array([die.at for die in labels.dice] if kind == "die" else [at for at, _ in cube]).reshape(-1, 2)

    def away(at: Pair) -> float:
        return float(np.min(np.hypot(*(shown - at).T), initial=1e9)) / column

    flat = flattened(rectifier)
    found = []
    for at, value in wanted * times:
        near = _strayed(flat, at, sight, rng)
        if np.hypot(*np.subtract(near, at)) < 1.01 * away(near) * column:  # else it is another that is seen
            picture, middle = _cut(image, flat, near, at, sight, rng)
            found.append((picture, value, middle))
    heat = reader.glance(rectifier.canvas(image)).maps[2 if kind == "die" else 3]
    lures = [spot.pixel for spot in spots(rectifier, heat, FAINT, 0.3)[:8]]
    lures += [at for at, _ in other] + [_pair(at + rng.normal(0, column, 2)) for at in shown]
    if labels.tops:
        lures += [labels.tops[int(n)].at for n in rng.integers(0, len(labels.tops), 2)]
    for lure in lures:
        near = _pair(lure + rng.normal(0, AMISS * column, 2))
        if away(near) > MISS and 0 < near[0] < image.shape[1] and 0 < near[1] < image.shape[0]:
            found.append((_cut(image, flat, near, near, sight, rng)[0], none, (0.0, 0.0)))
    return found


def _pair(at: NDArray[np.float64]) -> Pair:
    return float(at[0]), float(at[1])


def covered(labels: Labels, at: Pair) -> bool:
    """Whether a hand lies over a pixel."""
    if labels.hand is None:
        return False
    rows, columns = labels.hand.shape
    x, y = round(at[0]), round(at[1])
    return 0 <= y < rows and 0 <= x < columns and bool(labels.hand[y, x])


def rendered(kind: str, folder: Path, times: int) -> tuple[list[Square], list[Square]]:
    """Squares of a folder's pictures, each place taken `times` times; and of its last tenth, taken once."""
    rng, reader = np.random.default_rng(17), Reader()
    count = sum(len(path.read_text().splitlines()) for path in folder.glob("labels-*.jsonl"))
    learn: list[Square] = []
    test: list[Square] = []
    for index, drawing in enumerate(drawings(folder)):
        kept = index >= count * 9 // 10
        (test if kept else learn).extend(cut_out(kind, drawing, reader, 1 if kept else times, rng))
    return learn, test


def augmented(kind: str, x: Tensor, middle: Tensor) -> tuple[Tensor, Tensor]:
    """Squares mirrored where that changes nothing, in other colours, blurred and noisy; and where their things are."""
    n = len(x)
    if kind == "die" and torch.rand(1) < 0.5:
        x, middle = x.flip(3), middle * torch.tensor([-1.0, 1.0])
    if torch.rand(1) < 0.3:
        x = x[:, torch.randperm(3)]
    if torch.rand(1) < 0.2:
        x = F.avg_pool2d(F.pad(x, (1, 1, 1, 1), mode="replicate"), 3, 1)
    gain = torch.exp((torch.rand(n, 3, 1, 1) - 0.5) * 0.4)
    gamma = torch.exp((torch.rand(n, 1, 1, 1) - 0.5) * 0.5)
    x = 255 * (x / 255).clamp(min=1e-3) ** gamma
    return (x * gain + torch.randn_like(x) * 6 * torch.rand(n, 1, 1, 1)).clamp(0, 255), middle


def seen(model: FaceNet, x: Tensor) -> Tensor:
    """What the network says of squares (n, 3, pixels, pixels)."""
    return model(F.pixel_unshuffle(normalised(x), FACE_FOLD).contiguous(memory_format=torch.channels_last))


def right(model: FaceNet, kinds: int, stock: Stock) -> float:
    """The share of squares whose likeliest value is the true one."""
    x, y, _ = stock
    model.eval()
    with torch.no_grad():
        found = torch.cat([seen(model, part.float())[:, :kinds].argmax(1) for part in x.split(500)])
    model.train()
    return float((found == y).float().mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("die", "cube"))
    parser.add_argument("out", type=Path)
    parser.add_argument("--pictures", type=int, default=20000)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--resume", type=Path, help="weights to go on from")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--rendered", type=Path, nargs="*", default=[], help="folders of rendered pictures")
    parser.add_argument("--times", type=int, default=3, help="how often each place of a rendered picture is taken")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(3)
    stocks = [drawn(args.kind, args.pictures, args.seed)]
    tests = {"drawn": drawn(args.kind, 500, 6)}
    for folder in args.rendered:
        learn, test = rendered(args.kind, folder, args.times)
        stocks.append(_stacked(learn))
        tests[folder.name] = _stacked(test)
    train(args.kind, args.out, args.resume, args.steps, stocks, tests)


def train(kind: str, out: Path, resume: Path | None, steps: int, stocks: list[Stock], tests: dict[str, Stock]) -> None:
    """Learns from `stocks`, as much from each, rare kinds oftener than they are, and writes the weights to `out`."""
    sight = SIGHTS[kind]
    model = FaceNet(sight.kinds).to(memory_format=torch.channels_last)
    if resume:
        model.load_state_dict(torch.load(resume))
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, steps, pct_start=0.1)
    print(parameters(model), "parameters,", [len(x) for x, _, _ in stocks], "squares", flush=True)
    chances = [y.bincount(minlength=sight.kinds).double().rsqrt()[y] for _, y, _ in stocks]
    nothing = NO_DIE if kind == "die" else NO_CUBE
    running = 0.0
    for step in range(steps):
        picks = [torch.multinomial(chance, BATCH // len(stocks)) for chance in chances]
        x, values, middles = (
            torch.cat([stock[part][pick] for stock, pick in zip(stocks, picks, strict=True)]) for part in range(3)
        )
        squares, middles = augmented(kind, x.float(), middles)
        with torch.autocast("cpu", torch.bfloat16):  # in half the time
            answer = seen(model, squares).float()
        off = F.smooth_l1_loss(answer[:, sight.kinds :], middles, beta=0.1, reduction="none").sum(1)
        loss = F.cross_entropy(answer[:, : sight.kinds], values, label_smoothing=0.02)
        loss = loss + MIDDLE * (off * (values != nothing)).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        running = 0.98 * running + 0.02 * float(loss.detach())
        if step % 500 == 499 or step + 1 == steps:
            shares = " ".join(f"{name} {right(model, sight.kinds, stock):.4f}" for name, stock in tests.items())
            print(step + 1, f"{running:.3f} right: {shares}", flush=True)
            torch.save(model.state_dict(), out)


if __name__ == "__main__":
    main()
