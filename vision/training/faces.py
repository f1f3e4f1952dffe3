"""Trains the networks that read the top of a die and of the doubling cube.

    python vision/training/faces.py die OUT.pt --pictures 20000 --steps 4000 --rendered FOLDER CLOSEUPS
    python vision/training/faces.py cube OUT.pt --pictures 8000 --steps 2500 --rendered FOLDER CLOSEUPS

They learn from squares drawn close up and, with --rendered, from squares cut out of pictures that `rendered/render.py`
and `rendered/closeups.py` wrote, where the reader would cut them. The last tenth of each folder is kept for the test.
"""

import argparse
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import torch
from board import normalised
from networks import FaceNet, parameters
from numpy.typing import NDArray
from rendered.labels import drawings
from rendered.numerals import cube_faces
from torch import Tensor
from torch.nn import functional as F

from nardi_vision.classify import Reader, spots
from nardi_vision.dice import CUBE, DIE, NO_CUBE, NO_DIE, Sight, quarters, square
from nardi_vision.rectify import Layout, Rectifier, mapped
from nardi_vision.synth.board import CheckerSpec, any_tint, near, random_board
from nardi_vision.synth.camera import Camera, CameraSpec
from nardi_vision.synth.checker import set_down, sprites
from nardi_vision.synth.die import SimCube, SimDie, attitude, box, die_faces
from nardi_vision.synth.drawing import Drawing, _contrast
from nardi_vision.synth.light import develop, random_light
from nardi_vision.synth.surface import fill, surface_sheet
from nardi_vision.synth.texture import Rgb, colour, sheet_to

SIDE = 5.0  # columns across the scrap of board that is drawn
FRAME = 192
BATCH = 48
SIGHTS = {"die": DIE, "cube": CUBE}
LEAST_PX = 8
"""A die that is fewer pixels across is nothing to learn from."""
FAINT = 0.04
"""What the finder shows more faintly than this is nothing to learn from."""
AMISS = 0.07
"""Columns by which places are usually off."""
HIT, MISS = 0.3, 0.6
"""Within how many columns of a thing the finder has found it, and beyond how many it has found something else."""


def backgrounds(rng: np.random.Generator, count: int) -> list[tuple[NDArray[np.uint8], CheckerSpec]]:
    """Surfaces to cut scraps from."""
    found = []
    for _ in range(count):
        spec = random_board(rng)
        sheet = np.clip(surface_sheet(spec, 26.0, 0.5) * 255, 0, 255).astype(np.uint8)
        found.append((sheet, spec.light if rng.random() < 0.5 else spec.dark))
    return found


def scene(
    rng: np.random.Generator, kind: str, stock: list[tuple[NDArray[np.uint8], CheckerSpec]]
) -> tuple[NDArray[np.uint8], int]:
    """A square round a die or cube, or what has been taken for one, and what it shows."""
    tilt = rng.uniform(0, 20) if rng.random() < 0.55 else rng.uniform(15, 50)
    camera = Camera(
        CameraSpec(
            (FRAME, FRAME),
            float(tilt),
            float(rng.uniform(0, 360)),
            float(rng.uniform(0, 360)),
            float(rng.uniform(0.75, 1.6)),
            3.5,
        ),
        SIDE,
        SIDE,
    )
    sheet, checker = stock[int(rng.integers(len(stock)))]
    px = int(SIDE * 26)
    y0, x0 = int(rng.integers(0, sheet.shape[0] - px)), int(rng.integers(0, sheet.shape[1] - px))
    picture = cv2.warpPerspective(
        sheet[y0 : y0 + px, x0 : x0 + px],
        sheet_to(camera.plane(0.0), (0, 0), 26),
        (FRAME, FRAME),
        borderMode=cv2.BORDER_REFLECT,
    )
    gloss = np.full((FRAME, FRAME), float(rng.choice([0.0, 0.2, 0.5])), np.float32)
    light = replace(random_light(rng), vignette=0.0)
    norm = np.hypot(*light.direction) + 1e-6
    towards = (-light.direction[0] / norm, -light.direction[1] / norm)
    middle = np.array([SIDE / 2, SIDE / 2])
    roll = rng.random()
    if rng.random() < 0.35:  # checkers near by
        look = sprites(replace(checker, radius=0.46), rng, towards)
        for _ in range(int(rng.integers(1, 4))):
            angle, away = rng.uniform(0, 6.28), rng.uniform(0.75, 1.6)
            set_down(
                picture,
                gloss,
                camera,
                look,
                (middle[0] + away * np.cos(angle), middle[1] + away * np.sin(angle), 0.0),
                int(rng.integers(9)),
            )
    value, lift = 0, DIE.lift if kind == "die" else CUBE.lift
    size = float(rng.uniform(0.26, 0.6)) if kind == "die" else float(rng.uniform(0.55, 1.05))
    _shadow(picture, camera, middle, size, light.direction, light.shadow, rng)
    if kind == "die":
        tint, pip = _die_colours(rng)
        radius, rounding = float(rng.uniform(0.07, 0.13)), float(rng.uniform(0.03, 0.3))
        spread = float(rng.uniform(0.19, 0.29))
        radius = min(radius, 0.46 * spread)
        lean = float(rng.uniform(17, 45)) if roll < 0.05 else 0.0
        die = SimDie(
            int(rng.integers(1, 7)),
            float(rng.random()),
            0.5,
            float(rng.uniform(0, 360)),
            size,
            tint,
            pip,
            lean,
            0.0,
            radius,
            rounding,
            spread,
        )
        if roll > 0.2:
            value = die.value
        if roll < 0.05 or roll > 0.2:
            at = (*middle, size / 2 + (0.08 if lean else 0.0))
            faces = die_faces(die, rng)
            centre = box(
                picture,
                gloss,
                camera,
                at,
                size,
                attitude(die.angle_deg, lean, float(rng.uniform(0, 360))),
                faces,
                rounding,
                towards,
            )
        else:
            value = NO_DIE
            centre = _mistakable(picture, gloss, camera, middle, towards, rng)
        if value not in (0, NO_DIE) and rng.random() < 0.12:  # the other die of the pair, close
            angle, away = rng.uniform(0, 6.28), size * rng.uniform(1.15, 1.9)
            spot = (middle[0] + away * np.cos(angle), middle[1] + away * np.sin(angle), size / 2)
            other = replace(die, value=int(rng.integers(1, 7)))
            box(
                picture,
                gloss,
                camera,
                spot,
                size,
                attitude(float(rng.uniform(0, 360)), 0),
                die_faces(other, rng),
                rounding,
                towards,
            )
    else:
        tint, ink = _cube_colours(rng)
        exponent = int(rng.integers(1, 7))
        cube = SimCube(2**exponent, 0.5, 0.5, float(rng.uniform(0, 360)), size, tint, ink)
        value = exponent
        centre = box(
            picture,
            gloss,
            camera,
            (*middle, size / 2),
            size,
            attitude(cube.angle_deg, 0),
            cube_faces(cube, rng),
            float(rng.uniform(0.03, 0.2)),
            towards,
        )
    taken = develop(picture, gloss, light, rng)
    return _cut(taken, camera, centre, lift, SIGHTS[kind], rng), value


def _mistakable(
    picture: NDArray[np.uint8],
    gloss: NDArray[np.float32],
    camera: Camera,
    middle: NDArray[np.float64],
    towards: tuple[float, float],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draws what has been taken for a die: a dot beyond a point's tip, a star, the cube, a bare patch. Its pixel."""
    kind = rng.random()
    tint = tuple(float(v) for v in colour(any_tint(rng)) * 255)
    if kind < 0.4:
        turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        ring = middle + rng.uniform(0.05, 0.16) * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        fill(picture, camera.flat(np.column_stack([ring, np.zeros(24)])), tint)
        if rng.random() < 0.6:
            angle = rng.uniform(0, 6.28)
            along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
            tip = middle + along * rng.uniform(0.1, 0.3)
            spike = np.array([tip, tip + along * 2 + across * 0.3, tip + along * 2 - across * 0.3])
            fill(picture, camera.flat(np.column_stack([spike, np.zeros(3)])), tint)
    elif kind < 0.55:
        tips = int(rng.integers(5, 10)) * 2
        reach = rng.uniform(0.3, 1.0) * np.where(np.arange(tips) % 2 == 0, 1.0, rng.uniform(0.3, 0.6))
        turn = np.arange(tips) * 2 * np.pi / tips
        star = middle + rng.normal(0, 0.3, 2) + reach[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        fill(picture, camera.flat(np.column_stack([star, np.zeros(tips)])), tint)
    elif kind < 0.85:
        pale, ink = _cube_colours(rng)
        size = float(rng.uniform(0.55, 1.0))
        cube = SimCube(2 ** int(rng.integers(1, 7)), 0.5, 0.5, float(rng.uniform(0, 360)), size, pale, ink)
        at = middle + rng.normal(0, 0.15, 2)
        faces = cube_faces(cube, rng)
        return box(picture, gloss, camera, (*at, size / 2), size, attitude(cube.angle_deg, 0), faces, 0.1, towards)
    return camera.flat(np.array([[*middle, 0.2]]))[0]


def _cut(
    picture: NDArray[np.uint8],
    camera: Camera,
    centre: NDArray[np.float64],
    lift: float,
    sight: Sight,
    rng: np.random.Generator,
) -> NDArray[np.uint8]:
    """Cuts the square as the reader would, with the errors it would make."""
    plane = camera.plane(lift)
    at = mapped(np.linalg.inv(plane), centre[None])[0] + rng.normal(0, 0.07, 2)
    reach = sight.reach * np.exp(rng.normal(0, 0.07)) * np.exp(rng.normal(0, 0.04, 2))
    unit = 2 * reach / sight.pixels
    higher = mapped(np.linalg.inv(plane), camera.flat(np.array([[*at, lift + 0.2]])))[0] - at
    angle = quarters(*higher) * np.pi / 2
    cos, sin = np.cos(angle), np.sin(angle)
    half = (sight.pixels - 1) / 2
    matrix = np.array([[cos * unit[0], -sin * unit[1], 0], [sin * unit[0], cos * unit[1], 0], [0, 0, 1]]) @ np.array(
        [[1, 0, -half], [0, 1, -half], [0, 0, 1]]
    )
    matrix[:2, 2] += at
    out = cv2.warpPerspective(
        picture,
        plane @ matrix,
        (sight.pixels, sight.pixels),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(out, np.uint8)


def _shadow(
    picture: NDArray[np.uint8],
    camera: Camera,
    middle: NDArray[np.float64],
    size: float,
    direction: tuple[float, float],
    strength: float,
    rng: np.random.Generator,
) -> None:
    mask = np.zeros(picture.shape[:2], np.float32)
    at = camera.flat(np.array([[*(middle + np.array(direction) * size * 0.7), 0.0]]))[0]
    px = float(
        np.linalg.norm(np.diff(camera.flat(np.array([[*middle, 0], [middle[0] + size * 0.6, middle[1], 0]])), axis=0))
    )
    cv2.circle(mask, (int(at[0]), int(at[1])), max(1, int(px)), float(strength), -1)
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.6, px * rng.uniform(0.15, 0.6)))
    picture[:] = (picture * (1 - mask[..., None])).astype(np.uint8)


def _die_colours(rng: np.random.Generator) -> tuple[Rgb, Rgb]:
    known = (
        ((0.93, 0.93, 0.9), (0.08, 0.08, 0.08)),
        ((0.08, 0.08, 0.09), (0.93, 0.93, 0.93)),
        ((0.72, 0.08, 0.1), (0.95, 0.93, 0.9)),
        ((0.92, 0.88, 0.75), (0.2, 0.12, 0.08)),
        ((0.85, 0.68, 0.2), (0.1, 0.08, 0.05)),
        ((0.9, 0.9, 0.9), (0.75, 0.1, 0.1)),
    )
    tint, pip = known[rng.integers(len(known))] if rng.random() < 0.75 else _contrast(rng)
    return near(rng, tint, 0.04), near(rng, pip, 0.04)


def _cube_colours(rng: np.random.Generator) -> tuple[Rgb, Rgb]:
    if rng.random() < 0.2:
        return _contrast(rng)
    pale, deep = near(rng, (0.93, 0.93, 0.9), 0.03), near(rng, (0.07, 0.07, 0.08), 0.03)
    if rng.random() < 0.2:
        deep = near(rng, any_tint(rng, 0.0))
        if sum(deep) > 1.4:
            deep = (0.1, 0.1, 0.3)
    return (pale, deep) if rng.random() < 0.6 else (deep, pale)


def drawn(kind: str, count: int, seed: int) -> tuple[Tensor, Tensor]:
    """`count` squares (n, 3, pixels, pixels) drawn close up and what they show (n,)."""
    rng = np.random.default_rng(seed)
    stock: list[tuple[NDArray[np.uint8], CheckerSpec]] = []
    pictures, values = [], []
    for index in range(count):
        if index % 100 == 0:
            stock = [*stock[-30:], *backgrounds(rng, 4)]
        picture, value = scene(rng, kind, stock)
        pictures.append(picture)
        values.append(value)
    return _stacked(zip(pictures, values, strict=True))


Square = tuple[NDArray[np.uint8], int]


def _stacked(squares: Iterable[Square]) -> tuple[Tensor, Tensor]:
    pictures, values = zip(*squares, strict=True)
    return torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2).contiguous(), torch.tensor(values)


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
    # A rendered die may be sunk in a raised bar: nothing is learned from what lies there.
    on_board = rectifier.to_board(np.array([die.at for die in labels.dice]).reshape(-1, 2), DIE.lift)
    beside = np.abs(on_board[:, 0] - 0.5) > 0.5 - edge - 6 * width
    dice = [
        (die.at, die.value if die.flat else 0)
        for die, clear in zip(labels.dice, beside, strict=True)
        if die.size_px >= LEAST_PX and clear
    ]
    cube = [(labels.cube[1], labels.cube[0].bit_length() - 1)] if labels.cube else []
    wanted, other, none = (dice, cube, NO_DIE) if kind == "die" else (cube, dice, NO_CUBE)
    shown = np.array([die.at for die in labels.dice] if kind == "die" else [at for at, _ in cube]).reshape(-1, 2)

    def away(at: NDArray[np.float64]) -> float:
        return float(np.min(np.hypot(*(shown - at).T), initial=1e9)) / column

    places = [(np.array(at), value) for at, value in wanted]
    heat = reader.glance(rectifier.canvas(image)).maps[2 if kind == "die" else 3]
    for spot in spots(rectifier, heat, FAINT, 0.3)[:8]:
        at = np.array(spot.pixel)
        if away(at) > MISS:
            places.append((at, none))
        places += [(at, value) for true, value in wanted if np.hypot(*(at - true)) < HIT * column]
    lures = [np.array(at) for at, _ in other] + [at + rng.normal(0, column, 2) for at in shown]
    if labels.tops:
        lures += [np.array(labels.tops[int(n)].at) for n in rng.integers(0, len(labels.tops), 2)]
    places += [(at, none) for at in lures if away(at) > MISS]
    found = []
    for at, value in [place for place in places for _ in range(times)]:
        x, y = (at + rng.normal(0, AMISS * column, 2)).tolist()
        if 0 < x < image.shape[1] and 0 < y < image.shape[0]:
            found.append((square(image, rectifier, (x, y), sight, float(np.exp(rng.normal(0, 0.07)))), value))
    return found


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


def augmented(kind: str, x: Tensor) -> Tensor:
    """Squares mirrored where that changes nothing, in other colours, blurred and noisy."""
    n = len(x)
    if kind == "die" and torch.rand(1) < 0.5:
        x = x.flip(3)
    if torch.rand(1) < 0.3:
        x = x[:, torch.randperm(3)]
    if torch.rand(1) < 0.2:
        x = F.avg_pool2d(F.pad(x, (1, 1, 1, 1), mode="replicate"), 3, 1)
    gain = torch.exp((torch.rand(n, 3, 1, 1) - 0.5) * 0.4)
    gamma = torch.exp((torch.rand(n, 1, 1, 1) - 0.5) * 0.5)
    x = 255 * (x / 255).clamp(min=1e-3) ** gamma
    return (x * gain + torch.randn_like(x) * 6 * torch.rand(n, 1, 1, 1)).clamp(0, 255)


def right(model: FaceNet, x: Tensor, y: Tensor) -> float:
    """The share of squares whose likeliest value is the true one."""
    model.eval()
    with torch.no_grad():
        found = torch.cat([model(normalised(part.float())).argmax(1) for part in x.split(500)])
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


def train(
    kind: str,
    out: Path,
    resume: Path | None,
    steps: int,
    stocks: list[tuple[Tensor, Tensor]],
    tests: dict[str, tuple[Tensor, Tensor]],
) -> None:
    """Learns from `stocks`, as much from each, rare kinds oftener than they are, and writes the weights to `out`."""
    sight = SIGHTS[kind]
    model = FaceNet(sight.pixels, sight.kinds, 16)
    if resume:
        model.load_state_dict(torch.load(resume))
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, steps, pct_start=0.1)
    print(parameters(model), "parameters,", [len(x) for x, _ in stocks], "squares", flush=True)
    chances = [y.bincount(minlength=sight.kinds).double().rsqrt()[y] for _, y in stocks]
    running = 0.0
    for step in range(steps):
        picks = [
            (x, y, torch.multinomial(chance, BATCH // len(stocks)))
            for (x, y), chance in zip(stocks, chances, strict=True)
        ]
        squares = augmented(kind, torch.cat([x[pick] for x, _, pick in picks]).float())
        values = torch.cat([y[pick] for _, y, pick in picks])
        loss = F.cross_entropy(model(normalised(squares)), values, label_smoothing=0.02)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        running = 0.98 * running + 0.02 * float(loss.detach())
        if step % 500 == 499 or step + 1 == steps:
            shares = " ".join(f"{name} {right(model, x, y):.4f}" for name, (x, y) in tests.items())
            print(step + 1, f"{running:.3f} right: {shares}", flush=True)
            torch.save(model.state_dict(), out)


if __name__ == "__main__":
    main()
