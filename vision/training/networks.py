"""The eye's networks, small enough for a Raspberry Pi: what reads a canvas, a plan, a die and a cube."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nardi_vision.classify import FOLD
from nardi_vision.dice import FACE_FOLD

BOTTOM = 10  # bottom row: 0..9
TOTAL = 16  # all layers: 0..15
BAR = 6  # on the bar, of a colour: 0..5 (5: or more)
SLOT = BOTTOM + TOTAL + 2
PANES = (0, 32), (50, 82)
"""From where to where the six columns of each half lie in a row's strip; between them lies the bar."""


def conv(inputs: int, outputs: int, size: int = 3, stride: int = 1, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


def halved(inputs: int, outputs: int) -> nn.Sequential:
    """Half the scale, each two by two cells as one."""
    return nn.Sequential(nn.Conv2d(inputs, outputs, 2, 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


def pooled(inputs: int, outputs: int) -> nn.Sequential:
    """Half the scale, of each two by two cells what is strongest: a third of the time that `halved` takes."""
    return nn.Sequential(nn.MaxPool2d(2), *conv(inputs, outputs, 1))


class Thin(nn.Module):
    """A residual block of depthwise and pointwise convolutions."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *conv(channels, channels, groups=channels),
            nn.Conv2d(channels, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu_(x + self.body(x))


class Full(nn.Module):
    """A residual block with one full convolution."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu_(x + self.body(x))


class Slots(nn.Module):
    """Reads each column's strip of features, base to middle, with the same weights everywhere; then beside the others.

    The lower row is read with kernels turned upside down rather than a picture turned, which OpenCV's dnn cannot do.
    Points are of two kinds in turn, and all of a kind look alike where nothing stands on them: a ring that every base
    shows is no checker. In the end each slot is seen beside what light and what dark checkers look like here, as first
    guessed (`guessed` (n, 3, 2, 12): logits of empty, light, dark, kept for training).
    """

    LOOK = 32
    first_kind: Tensor
    second_kind: Tensor
    guessed: Tensor

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Parameter(torch.randn(48, channels, 4, 7) * (2 / (channels * 28)) ** 0.5)
        self.first_bias = nn.Parameter(torch.zeros(48))
        self.second = nn.Parameter(torch.randn(64, 48, 2, 1) * (2 / 96) ** 0.5)
        self.second_bias = nn.Parameter(torch.zeros(64))
        self.third = nn.Parameter(torch.randn(96, 64, 10, 1) * (2 / 640) ** 0.5)
        self.third_bias = nn.Parameter(torch.zeros(96))
        self.drop = nn.Dropout(0.1)
        self.last = nn.Conv2d(96, SLOT, 1)
        self.kind = nn.Conv2d(96, 48, 1)
        self.own = nn.Conv2d(96, 64, 1)
        self.same = nn.Conv2d(48, 64, 1, bias=False)
        self.other = nn.Conv2d(48, 64, 1, bias=False)
        self.compared = nn.Conv2d(64, SLOT, 1, bias=False)
        nn.init.zeros_(self.compared.weight)
        self.guess = nn.Conv2d(64, 3, 1)
        self.look = nn.Conv2d(96, self.LOOK, 1)
        self.beside = nn.Conv2d(2 * self.LOOK, 64, 1)
        self.mine = nn.Conv2d(96, 64, 1, bias=False)
        self.settled = nn.Conv2d(64, SLOT, 1, bias=False)
        nn.init.zeros_(self.settled.weight)
        kinds = (torch.arange(2)[:, None] + torch.arange(12)).remainder(2).float()[None, None]
        self.register_buffer("first_kind", kinds, persistent=False)
        self.register_buffer("second_kind", 1 - kinds, persistent=False)
        self.fixed: tuple[Tensor, ...] | None = None

    def fix(self) -> None:
        """Keeps the turned kernels as constants, for export."""
        self.fixed = tuple(w.detach().flip(2).contiguous() for w in (self.first, self.second, self.third))

    def row(self, strip: Tensor, flip: bool) -> Tensor:
        """A row's features (n, channels, 44, 84), base first or, `flip`, last, to (n, 96, 1, 12)."""
        weights: tuple[Tensor, ...] = (self.first, self.second, self.third)
        if flip:
            weights = self.fixed or tuple(w.flip(2) for w in weights)
        panels = (F.relu(F.conv2d(strip[..., a:b], weights[0], self.first_bias, stride=(4, 5))) for a, b in PANES)
        x = torch.cat(list(panels), 3)
        x = F.relu(F.conv2d(x, weights[1], self.second_bias))
        return F.relu(F.conv2d(x, weights[2], self.third_bias))

    def forward(self, fine: Tensor) -> Tensor:
        # Columns begin 4 cells into a panel, 5 cells apart.
        seen = torch.cat([self.row(fine[:, :, 2:46, 3:85], False), self.row(fine[:, :, 26:70, 3:85], True)], 2)
        seen = self.drop(seen)
        kinds = F.relu(self.kind(seen))
        first = F.adaptive_avg_pool2d(kinds * self.first_kind, 1)
        second = F.adaptive_avg_pool2d(kinds * self.second_kind, 1)
        about = self.first_kind * (self.same(first) + self.other(second))
        about = about + self.second_kind * (self.same(second) + self.other(first))
        compared = F.relu(self.own(seen) + about)
        self.guessed = self.guess(compared)
        guesses = F.softmax(self.guessed, 1)
        look = self.look(seen)
        beside = torch.cat([look - self.usual(look, guesses[:, 1:2]), look - self.usual(look, guesses[:, 2:])], 1)
        settled = self.settled(F.relu(self.beside(beside) + self.mine(seen)))
        return self.last(seen) + self.compared(compared) + settled

    @staticmethod
    def usual(look: Tensor, weights: Tensor) -> Tensor:
        """The weighted mean (n, LOOK, 1, 1) of the slots' looks (n, LOOK, 2, 12); `weights` (n, 1, 2, 12)."""
        return F.adaptive_avg_pool2d(look * weights, 1) / (F.adaptive_avg_pool2d(weights, 1) + 0.003)


class BoardNet(nn.Module):
    """Canvas in folded pixels (n, 48, 72, 88) to slots (n, 28, 2, 12), bar (n, 12) and maps (n, 5, 72, 88).

    Slots: logits of the bottom row's count, of all layers' count, of dark against light, of being covered. Maps: tops
    light and dark, dice, cube, covered. Nearly all is convolutions of 3 by 3 without stride, which OpenCV's older
    engine does by Winograd's way in a third of the time.
    """

    FINE, MIDDLE, COARSE = 24, 48, 80

    def __init__(self) -> None:
        super().__init__()
        f, m, c = self.FINE, self.MIDDLE, self.COARSE
        self.fine = nn.Sequential(conv(3 * FOLD**2, f, 1), Full(f))
        self.middle = nn.Sequential(pooled(f, m), Full(m))
        self.coarse = nn.Sequential(pooled(m, c), Full(c), Full(c))
        self.context = nn.Sequential(nn.Conv2d(c, 48, 1), nn.ReLU(), nn.Conv2d(48, c, 1), nn.Sigmoid())
        self.up_middle = nn.Sequential(nn.Conv2d(c, m, 1, bias=False), nn.BatchNorm2d(m))
        self.join_middle = Full(m)
        self.up_fine = nn.Sequential(nn.Conv2d(m, f, 1, bias=False), nn.BatchNorm2d(f))
        self.join_fine = nn.Sequential(Full(f))
        self.maps = nn.Conv2d(f, 5, 1)
        nn.init.constant_(self.maps.bias, -4.0)  # most cells hold nothing
        self.slots = Slots(f)
        self.bar_first = nn.Conv2d(f, 24, (5, 12), (3, 1))
        self.bar_second = nn.Conv2d(24, 48, (5, 3), (2, 1))
        self.bar_last = nn.Linear(48 * 2, 2 * BAR)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        fine = self.fine(x)
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        coarse = coarse * self.context(F.adaptive_avg_pool2d(coarse, 1))
        middle = self.join_middle(
            torch.relu_(middle + F.interpolate(self.up_middle(coarse), scale_factor=2, mode="nearest"))
        )
        fine = self.join_fine(torch.relu_(fine + F.interpolate(self.up_fine(middle), scale_factor=2, mode="nearest")))
        bar = F.relu(self.bar_first(fine[:, :, :, 37:51]))
        bar = F.relu(self.bar_second(bar))
        pooled = torch.cat([bar.amax((2, 3)), bar.mean((2, 3)) * 4], 1)
        return self.slots(fine), self.bar_last(pooled), self.maps(fine)


class PlanNet(nn.Module):
    """Plan (n, 3, 112, 192) to logits of the column's width (n, WIDTHS) and of the first column's edge (n, EDGES)."""

    WIDTHS, EDGES = 48, 24

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(conv(3, 12, 5, 2), conv(12, 24, 3, 2), Thin(24), conv(24, 32, 3, 2), Thin(32))
        # Down each column of cells everything is alike: only the place along the side of twelve counts.
        self.along = nn.Sequential(
            nn.Flatten(), nn.Linear(24 * 40 * 1, 96), nn.ReLU(), nn.Linear(96, self.WIDTHS + self.EDGES)
        )
        self.reduce = nn.Conv2d(32, 20, (14, 1))
        self.reduce_mean = nn.Conv2d(32, 20, 1)

    def forward(self, x: Tensor) -> Tensor:
        x = self.body(x)
        rows = F.relu(self.reduce(x))
        mean = F.relu(self.reduce_mean(x.mean(2, keepdim=True)))
        return self.along(torch.cat([rows, mean], 1))


class FaceNet(nn.Module):
    """A square in folded pixels (n, 12, 24, 24) to logits of what lies on top of a die or a cube, then where: right and
    down (n, kinds + 2)."""

    def __init__(self, kinds: int, fine: int = 24, coarse: int = 48) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3 * FACE_FOLD**2, fine),
            Full(fine),
            halved(fine, coarse),
            Full(coarse),
            Full(coarse),
            halved(coarse, coarse),
        )
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(coarse * 36, 48),
            nn.ReLU(),
            nn.Linear(48, kinds + 2),
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.body(x))


def parameters(model: nn.Module) -> int:
    return sum(p.numel() for p in model.parameters())
