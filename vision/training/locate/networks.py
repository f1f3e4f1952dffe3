"""The corner networks: the board in a whole picture, its corners in the rectified board, one corner close by."""

from torch import Tensor, nn

WIDTHS = (12, 20, 32, 48, 56)
FINDER_SIZE = (256, 192)
"""(width, height) of the letterboxed picture."""
REFINER_SIZE = (192, 160)
"""(width, height) of the rectified board with its margins."""
CORNER_PX = 80
"""Side of the square around one corner."""
STRIDE = 4


def block(channels: int, out: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(channels, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True))


class Trunk(nn.Module):
    """Picture (n, 3, h, w) in 0..1 → features at a quarter of its size, and the deepest ones, at 1/32."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d, e = WIDTHS
        self.first = nn.Sequential(block(3, a, 2), block(a, b, 2), block(b, b))
        self.down3 = nn.Sequential(block(b, c, 2), block(c, c))
        self.down4 = nn.Sequential(block(c, d, 2), block(d, d))
        self.down5 = nn.Sequential(block(d, e, 2), block(e, e))
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
        self.trunk = Trunk()
        self.head = nn.Conv2d(WIDTHS[1], 4, 1)

    def forward(self, picture: Tensor) -> Tensor:
        maps: Tensor = self.head(self.trunk(picture)[0])
        return maps


class Refiner(nn.Module):
    """Heat (n, 4, h/4, w/4) of each corner before its softmax, and (n, 5): log errors (cells) of the corners, and
    the logit of the points running along the sides 0 → 1 and 3 → 2."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = Trunk()
        self.head = nn.Sequential(block(WIDTHS[1], 24), nn.Conv2d(24, 4, 1))
        self.judge = nn.Sequential(nn.Flatten(), nn.Linear(WIDTHS[4] * 30, 5))

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        features, deep = self.trunk(picture)
        return self.head(features), self.judge(deep)


class Corner(nn.Module):
    """The neighbourhood of one corner, turned so that the surface lies to the lower right, its points along the upper
    edge: heat (n, 1, 20, 20) before its softmax, and (n, 1): its log error (cells)."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Sequential(block(3, 16, 2), block(16, 24, 2), block(24, 24))
        self.down = nn.Sequential(block(24, 40, 2), block(40, 40))
        self.deep = nn.Sequential(block(40, 56, 2), block(56, 56))
        self.side4, self.side3 = nn.Conv2d(56, 40, 1), nn.Conv2d(40, 24, 1)
        self.up3, self.up2 = block(40, 40), block(24, 24)
        self.grow = nn.Upsample(scale_factor=2, mode="nearest")
        self.head = nn.Sequential(block(24, 24), nn.Conv2d(24, 1, 1))
        self.judge = nn.Sequential(nn.Flatten(), nn.Linear(56 * 25, 1))

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        x2 = self.first(picture)
        x3 = self.down(x2)
        x4 = self.deep(x3)
        y3 = self.up3(x3 + self.grow(self.side4(x4)))
        y2 = self.up2(x2 + self.grow(self.side3(y3)))
        return self.head(y2), self.judge(x4)
