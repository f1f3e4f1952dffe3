"""The networks that find the board: in a whole picture, in the board laid flat, and in that once more, larger."""

from torch import Tensor, nn

FINDER_SIZE = (256, 192)
"""(width, height) of the letterboxed picture."""
REFINER_SIZE = (192, 160)
"""(width, height) of the board laid flat by the finder, with its margins."""
PLACER_SIZE = (288, 256)
"""(width, height) of the board laid flat by the refiner, with its margins."""
STRIDE = 4
CALM = 0.05
"""What the judges' features are multiplied by: there are thousands, and an optimiser that moves all their weights alike
would otherwise have a judge leap about."""
FINDER_WIDTHS = (12, 20, 32, 48, 56)
PLACER_WIDTHS = (16, 24, 40, 64, 80)


def block(channels: int, out: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(channels, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True))


class Trunk(nn.Module):
    """Picture (n, 3, h, w) in 0..1 → features at a quarter of its size, and the deepest ones, at 1/32."""

    def __init__(self, widths: tuple[int, ...], deepest: int = 2) -> None:
        super().__init__()
        a, b, c, d, e = widths
        self.first = nn.Sequential(block(3, a, 2), block(a, b, 2), block(b, b))
        self.down3 = nn.Sequential(block(b, c, 2), block(c, c))
        self.down4 = nn.Sequential(block(c, d, 2), block(d, d))
        self.down5 = nn.Sequential(block(d, e, 2), *(block(e, e) for _ in range(deepest - 1)))
        self.side5, self.side4, self.side3 = nn.Conv2d(e, d, 1), nn.Conv2d(d, c, 1), nn.Conv2d(c, b, 1)
        self.up4, self.up3, self.up2 = block(d, d), block(c, c), block(b, b)
        self.grow = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        x2 = self.first(picture)
        x3 = self.down3(x2)
        x4 = self.down4(x3)
        x5 = self.down5(x4)
        y4 = self.up4(x4 + self.grow(self.side5(x5)))
        y3 = self.up3(x3 + self.grow(self.side4(y4)))
        return self.up2(x2 + self.grow(self.side3(y3))), x5


class Finder(nn.Module):
    """Maps (n, 4, h/4, w/4) of logits: the surface, its corners, the sides that carry points, the sides that do not."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = Trunk(FINDER_WIDTHS)
        self.head = nn.Conv2d(FINDER_WIDTHS[1], 4, 1)

    def forward(self, picture: Tensor) -> Tensor:
        maps: Tensor = self.head(self.trunk(picture)[0])
        return maps


class Corners(nn.Module):
    """Where the corners lie in a board laid flat (`size`: width, height): heat (n, 4, h/4, w/4) of each before its
    softmax, and (n, 4 + more): the corners' log errors (cells), then what else is judged."""

    def __init__(self, size: tuple[int, int], widths: tuple[int, ...], deepest: int, inner: int, more: int) -> None:
        super().__init__()
        self.trunk = Trunk(widths, deepest)
        self.head = nn.Sequential(block(widths[1], inner), nn.Conv2d(inner, 4, 1))
        cells = (size[0] // 32) * (size[1] // 32)
        self.judge = nn.Sequential(nn.Flatten(), nn.Linear(widths[4] * cells, 4 + more))

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        features, deep = self.trunk(picture)
        return self.head(features), self.judge(deep * CALM)


class Refiner(Corners):
    """Also judges (the fifth) whether the points run along the sides 0 → 1 and 3 → 2 (a logit)."""

    def __init__(self) -> None:
        super().__init__(REFINER_SIZE, FINDER_WIDTHS, deepest=2, inner=24, more=1)


class Placer(Corners):
    """Sees the board larger and nearly right, and all of it at once: a wall or a hand hides corners, the rest tells."""

    def __init__(self) -> None:
        super().__init__(PLACER_SIZE, PLACER_WIDTHS, deepest=3, inner=32, more=0)
