"""What a board looks like: measures in columns, materials, colours; and boards drawn by lot."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nardi_vision.synth.texture import Material, Rgb

BarKind = Literal["none", "flat", "raised", "hinge"]
PointKind = Literal["triangle", "blade", "spindle", "rounded", "bar"]
TopKind = Literal[
    "flat", "rim", "double_rim", "ridges", "dish", "dome", "button", "star", "cross", "letter", "pearl", "wood"
]
TOPS: tuple[TopKind, ...] = (
    "flat", "rim", "double_rim", "ridges", "dish", "dome", "button", "star", "cross", "letter", "pearl", "wood",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CheckerSpec:
    """One kind of checker. `radius` and `thickness` in columns; `gloss` 0..1; `ink`: the colour of what is printed on
    it."""

    tint: Rgb
    top: TopKind
    radius: float
    thickness: float
    gloss: float
    ink: Rgb
    side: float  # the side's brightness relative to the top


@dataclass(frozen=True, slots=True)
class WallFaces:
    """How the walls' inner faces look beside the frame's top: `light` of each side (0-1, 1-2, 2-3, 3-0) as a share of
    the top's, `grained` with the frame's own material or smooth, `edge` 0..1: how much shows of a line along their
    upper edge."""

    light: tuple[float, float, float, float]
    grained: bool
    edge: float


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """A board. Columns are 1 wide; `margin` lies between the frame and the first column, `gap` between the halves."""

    margin: float
    gap: float
    height: float
    bar: BarKind
    bar_width: float
    wall: float  # height of the frame over the surface
    rim: float  # width of the frame
    box: float  # height of the surface over the table
    trays: tuple[float, float]  # widths beyond corner 0-3 and corner 1-2 sides, 0: none
    surface: Material
    surface_tint: Rgb
    frame: Material
    frame_tint: Rgb
    table: Material
    table_tint: Rgb
    table_second: Rgb
    points: PointKind
    point_tints: tuple[Rgb, Rgb]
    point_length: float
    point_width: float
    point_offset: float
    outline: Rgb | None
    ornament: int  # 0 none, 1 ring near the base, 2 dots beyond the tips, 3 both
    border: Rgb | None
    emblem: int  # 0 none
    gloss: float
    light: CheckerSpec
    dark: CheckerSpec
    seed: int
    faces: WallFaces | None = None  # None: smooth, in some shade, with a line along the upper edge

    @property
    def length(self) -> float:
        """From corner 0 to corner 1, in columns."""
        return 12 + self.gap + 2 * self.margin

    @property
    def corners(self) -> NDArray[np.float64]:
        """The playing surface's corners (4, 3), from corner 0 to corner 3."""
        return np.array([[0, 0, 0], [self.length, 0, 0], [self.length, self.height, 0], [0, self.height, 0]], float)

    def column(self, index: int) -> float:
        """The middle (x) of column `index` 0..11, counted from corner 0's side."""
        return self.margin + index + 0.5 + (self.gap if index >= 6 else 0.0)

    @property
    def layout(self) -> tuple[float, float]:
        """First column's edge and one column's width, as shares of the length: what a picture's columns are fitted
        to."""
        return self.margin / self.length, 1 / self.length


WOODS: tuple[Rgb, ...] = (
    (0.80, 0.66, 0.46), (0.70, 0.54, 0.36), (0.58, 0.38, 0.22), (0.45, 0.24, 0.14), (0.35, 0.2, 0.13),
    (0.24, 0.16, 0.12), (0.15, 0.12, 0.11), (0.55, 0.25, 0.16), (0.62, 0.5, 0.38), (0.4, 0.34, 0.28), (0.75, 0.7, 0.58),
)  # fmt: skip
CLEAR: tuple[Rgb, ...] = (
    (0.93, 0.92, 0.88), (0.85, 0.82, 0.7), (0.06, 0.06, 0.07), (0.12, 0.12, 0.14), (0.72, 0.1, 0.1), (0.5, 0.05, 0.08),
    (0.1, 0.18, 0.55), (0.08, 0.12, 0.3), (0.1, 0.4, 0.2), (0.06, 0.25, 0.15), (0.85, 0.7, 0.15), (0.45, 0.25, 0.15),
    (0.3, 0.3, 0.32), (0.55, 0.55, 0.55), (0.2, 0.35, 0.45), (0.9, 0.5, 0.15), (0.45, 0.75, 0.3), (0.25, 0.15, 0.3),
)  # fmt: skip


def luminance(tint: Rgb) -> float:
    """How bright a colour looks, about 0..100 (CIE L* of a linear reading of `tint`)."""
    y = float(0.2126 * tint[0] ** 2.2 + 0.7152 * tint[1] ** 2.2 + 0.0722 * tint[2] ** 2.2)
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


def near(rng: np.random.Generator, tint: Rgb, spread: float = 0.05) -> Rgb:
    """A colour not far from `tint`."""
    shade = float(np.exp(rng.normal(0, spread * 2)))
    r, g, b = (float(np.clip(v * shade + rng.normal(0, spread * 0.6), 0.015, 0.97)) for v in tint)
    return r, g, b


def any_tint(rng: np.random.Generator, wood: float = 0.3) -> Rgb:
    """A colour that boards, checkers and tables come in."""
    roll = rng.random()
    if roll < wood:
        return near(rng, WOODS[rng.integers(len(WOODS))])
    if roll < 0.85:
        return near(rng, CLEAR[rng.integers(len(CLEAR))])
    r, g, b = (float(v) for v in rng.uniform(0.03, 0.95, 3))
    return r, g, b


def _checkers(rng: np.random.Generator, wooden: bool, surface: tuple[Rgb, ...]) -> tuple[CheckerSpec, CheckerSpec]:
    """A pair of kinds, the brighter first; sometimes in the colours of the points they stand on."""
    for _ in range(60):
        style = rng.random()
        if style < 0.3:  # the usual: something pale against something deep
            pale = near(
                rng,
                ((0.94, 0.93, 0.9), (0.88, 0.84, 0.74), (0.85, 0.75, 0.55), (0.9, 0.9, 0.92))[rng.integers(4)],
                0.03,
            )
            pair = [pale, any_tint(rng, 0.25)]
        elif style < 0.55 if wooden else style < 0.4:  # wood and wood
            pair = [near(rng, WOODS[i]) for i in rng.choice(len(WOODS), 2, replace=False)]
        elif style < 0.68:
            pair = [any_tint(rng, 0.15), any_tint(rng, 0.15)]
        else:  # the board's own colours
            pair = [near(rng, surface[rng.integers(len(surface))], 0.06), any_tint(rng, 0.2)]
        gap = luminance(pair[0]) - luminance(pair[1])
        hue = float(np.linalg.norm(np.array(pair[0]) - np.array(pair[1])))
        if abs(gap) > 9 and (abs(gap) > 22 or hue > 0.3 or (abs(gap) > 12 and rng.random() < 0.5)):
            break
    pair.sort(key=luminance, reverse=True)
    radius = float(rng.uniform(0.38, 0.495))
    thickness = float(rng.uniform(0.12, 0.36) if rng.random() < 0.8 else rng.uniform(0.04, 0.14))
    top: TopKind = TOPS[rng.integers(len(TOPS))]
    same = rng.random() < 0.85
    gloss = float(rng.choice([0.0, 0.1, 0.3, 0.6])) * float(rng.uniform(0.6, 1.2))
    specs = []
    for tint in pair:
        own: TopKind = top if same else TOPS[rng.integers(len(TOPS))]
        if wooden and rng.random() < 0.3:
            own = "wood"
        ink = (
            any_tint(rng)
            if rng.random() < 0.3
            else near(rng, (0.1, 0.08, 0.06) if luminance(tint) > 40 else (0.6, 0.55, 0.5), 0.08)
        )
        if rng.random() < 0.5:
            r, g, b = (0.45 * a + 0.55 * t for a, t in zip(ink, tint, strict=True))
            ink = (r, g, b)
        specs.append(CheckerSpec(tint, own, radius, thickness, gloss, ink, float(rng.uniform(0.45, 0.95))))
    return specs[0], specs[1]


def random_faces(rng: np.random.Generator) -> WallFaces:
    """Inner faces from deep shade to brighter than the top, often hard to tell from it."""
    level = float(rng.uniform(0.5, 1.1))
    a, b, c, d = (float(level * np.exp(rng.normal(0, 0.15))) for _ in range(4))
    return WallFaces((a, b, c, d), bool(rng.random() < 0.8), float(rng.choice([0.0, rng.uniform(0, 0.5)])))


def random_board(rng: np.random.Generator) -> BoardSpec:
    """A board by lot: folding wooden, club leather and felt, printed sheets, and mixtures of all."""
    family = rng.choice(["wooden", "club", "printed", "mixed"], p=[0.38, 0.38, 0.07, 0.17])
    wooden = family == "wooden"
    pick = rng.random
    surface: Material = "wood" if wooden else str_material(rng, ("felt", "cork", "leather", "plain", "cloth", "marble"))
    if family == "mixed":
        surface = str_material(rng, ("wood", "felt", "cork", "leather", "plain"))
    if family == "printed":
        surface = "plain"
    surface_tint = near(rng, WOODS[rng.integers(len(WOODS))]) if surface == "wood" else any_tint(rng, 0.25)
    if surface == "cork":
        surface_tint = near(rng, (0.68, 0.5, 0.3))
    if family == "printed":
        surface_tint = near(rng, (0.85, 0.83, 0.8))
    tints = [
        near(rng, WOODS[rng.integers(len(WOODS))]) if wooden and pick() < 0.75 else any_tint(rng, 0.2) for _ in range(2)
    ]
    if pick() < 0.12:  # points that hardly show
        tints[rng.integers(2)] = near(rng, surface_tint, 0.06)
    bars: list[BarKind] = ["none", "flat", "raised", "hinge"]
    weights = {
        "wooden": [0.05, 0.1, 0.25, 0.6],
        "club": [0.05, 0.4, 0.35, 0.2],
        "printed": [0.6, 0.4, 0, 0],
        "mixed": [0.1, 0.3, 0.3, 0.3],
    }
    bar: BarKind = bars[rng.choice(4, p=weights[str(family)])]
    margin = float(rng.choice([0.0, rng.uniform(0, 0.12), rng.uniform(0.05, 0.4)], p=[0.4, 0.35, 0.25]))
    gap = float(
        {"none": 0.0, "flat": rng.uniform(0.5, 1.8), "raised": rng.uniform(0.6, 1.8), "hinge": rng.uniform(0.3, 1.1)}[
            bar
        ]
    )
    inner = margin if pick() < 0.6 else 0.0
    bar_width = max(0.0, gap * float(rng.uniform(0.75, 1.0)))
    gap += 2 * inner
    wall = float(rng.uniform(0.25, 0.9)) if wooden or pick() < 0.6 else float(rng.uniform(0.0, 0.3))
    if family == "printed":
        wall = 0.0
    trays = (0.0, 0.0)
    if family != "printed" and pick() < 0.55:
        width = float(rng.uniform(1.0, 2.2))
        trays = ((width, width), (0.0, width), (width, 0.0), (width, width))[rng.integers(4)]
    light, dark = _checkers(rng, wooden, (surface_tint, tints[0], tints[1]))
    height = float(rng.uniform(9.6, 13.2) if pick() < 0.72 else rng.uniform(7.6, 9.8))
    kinds: tuple[PointKind, ...] = ("triangle", "blade", "spindle", "rounded", "bar")
    return BoardSpec(
        margin=margin,
        gap=gap,
        height=height,
        bar=bar,
        bar_width=bar_width,
        wall=wall,
        rim=float(rng.uniform(0.2, 1.2)),
        box=float(rng.uniform(0.0, 0.7)),
        trays=trays,
        surface=surface,
        surface_tint=surface_tint,
        frame=str_material(rng, ("wood", "wood", "leather", "plain", "felt")) if not wooden else "wood",
        frame_tint=near(rng, WOODS[rng.integers(len(WOODS))]) if wooden or pick() < 0.4 else any_tint(rng, 0.1),
        table=str_material(rng, ("wood", "wood", "felt", "plain", "marble", "cloth", "checked", "printed")),
        table_tint=any_tint(rng, 0.45),
        table_second=any_tint(rng, 0.1),
        points=kinds[rng.choice(5, p=[0.5, 0.15, 0.18, 0.12, 0.05])],
        point_tints=(tints[0], tints[1]),
        point_length=float(height * rng.uniform(0.33, 0.46)),
        point_width=float(rng.uniform(0.55, 1.0)) if pick() < 0.5 else 1.0,
        point_offset=float(rng.choice([0.0, rng.uniform(0.0, 0.3)], p=[0.6, 0.4])),
        outline=any_tint(rng, 0.2) if pick() < 0.3 else None,
        ornament=int(rng.choice([0, 1, 2, 3], p=[0.6, 0.14, 0.13, 0.13])),
        border=any_tint(rng, 0.2) if pick() < 0.3 else None,
        emblem=int(rng.choice([0, 1, 2, 3, 4, 5], p=[0.4, 0.12, 0.12, 0.08, 0.08, 0.2])),
        gloss=float(rng.choice([0.0, 0.1, 0.35, 0.7])) * float(rng.uniform(0.5, 1.2)),
        light=light,
        dark=dark,
        seed=int(rng.integers(1 << 31)),
    )


def str_material(rng: np.random.Generator, kinds: tuple[Material, ...]) -> Material:
    """One of `kinds` by lot."""
    return kinds[int(rng.integers(len(kinds)))]
