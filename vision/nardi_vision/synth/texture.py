"""Materials made from noise: wood, felt, cork, leather, stone, cloth, pearl."""

from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]
"""Float BGR (rows, columns, 3) or grey (rows, columns), 0..1."""
Rgb = tuple[float, float, float]
"""Red, green, blue 0..1, as people name colours; pictures themselves are BGR."""
Material = Literal["plain", "wood", "felt", "cork", "leather", "marble", "cloth", "checked", "printed"]
MATERIALS: tuple[Material, ...] = ("plain", "wood", "felt", "cork", "leather", "marble", "cloth", "checked", "printed")


def noise(rng: np.random.Generator, size: tuple[int, int], cells: tuple[float, float]) -> Picture:
    """Smooth noise (rows, columns) with about `cells` (x, y) bumps across, mean 0, deviation about 1."""
    height, width = size
    grid = rng.standard_normal((max(2, round(cells[1]) + 1), max(2, round(cells[0]) + 1))).astype(np.float32)
    return np.asarray(cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def grain(rng: np.random.Generator, size: tuple[int, int], sigma: float = 0.0) -> Picture:
    """Pixel noise (rows, columns), softened by `sigma` pixels, deviation 1."""
    out = np.empty(size, np.float32)
    cv2.setRNGSeed(int(rng.integers(1 << 31)))
    cv2.randn(out, np.zeros(1), np.ones(1))
    if sigma > 0:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), sigma), np.float32)
        out /= float(out.std()) + 1e-6
    return out


def colour(rgb: Rgb) -> NDArray[np.float32]:
    """The BGR vector of `rgb`."""
    return np.array(rgb[::-1], np.float32)


def material(
    rng: np.random.Generator, kind: Material, size: tuple[int, int], tint: Rgb, px: float, second: Rgb | None = None
) -> Picture:
    """A sheet (rows, columns, 3) of a material around `tint`; `px` is pixels per column of the board."""
    height, width = size
    base = colour(tint)
    if kind == "wood":
        return _wood(rng, size, base, px)
    if kind in ("checked", "printed"):
        return _pattern(rng, kind, size, base, colour(second or (0.9, 0.9, 0.85)), px)
    fine = {"plain": 0.01, "felt": 0.05, "cork": 0.12, "leather": 0.05, "marble": 0.01, "cloth": 0.05}[kind]
    soft = {"plain": 0.5, "felt": 0.6, "cork": 1.2, "leather": 1.5, "marble": 2.0, "cloth": 0.5}[kind]
    value = 1.0 + fine * rng.uniform(0.4, 1.6) * grain(rng, size, soft * max(px, 10) / 24)
    value += rng.uniform(0.0, 0.06) * noise(rng, size, (width / px / 2, height / px / 2))
    if kind == "marble":
        veins = np.abs(
            noise(rng, size, (width / px, height / px)) + 0.5 * noise(rng, size, (width / px * 3, height / px * 3))
        )
        value = value - 0.25 * np.exp(-((veins / 0.15) ** 2))
    if kind == "cloth":
        rows, columns = np.arange(height), np.arange(width)
        weave = np.sin(rows * 2.1)[:, None] * np.sin(columns * 2.1)[None, :]
        value = value + 0.04 * weave.astype(np.float32)
    out = np.asarray(value, np.float32)[..., None] * base
    if kind == "cork":
        out += (
            rng.uniform(0.02, 0.08) * grain(rng, size, 1.5 * px / 24)[..., None] * np.array([0.6, 0.9, 1.0], np.float32)
        )
    return np.asarray(out, np.float32)


def _wood(rng: np.random.Generator, size: tuple[int, int], base: NDArray[np.float32], px: float) -> Picture:
    height, width = size
    across = rng.random() < 0.5
    shape = (width, height) if across else (height, width)
    rows, columns = shape
    # Long thin streaks with slow waves: stretched noise along the columns.
    streak = noise(rng, shape, (columns / px / 6, rows / px * rng.uniform(3, 8)))
    thin = noise(rng, shape, (columns / px / 3, rows / px * rng.uniform(12, 20)))
    wave = noise(rng, shape, (columns / px / 4, rows / px / 1.5))
    rings = np.sin(
        (wave * rng.uniform(1, 3) + np.linspace(0, rows / px * rng.uniform(1, 6), rows, dtype=np.float32)[:, None]) * 3
    )
    strength = rng.uniform(0.3, 1.6)
    value = 1 + strength * (0.05 * streak + 0.05 * thin + 0.04 * rings) + 0.01 * grain(rng, shape)
    if rng.random() < 0.3:  # planks
        plank = int(px * rng.uniform(1.5, 4))
        for top in range(0, rows, max(plank, 4)):
            value[top : top + plank] *= rng.uniform(0.85, 1.12)
            value[top : top + 1] *= 0.75
    value = value.T if across else value
    return np.ascontiguousarray(np.clip(value, 0.2, 2.0)[..., None] * base, np.float32)


def _pattern(
    rng: np.random.Generator,
    kind: Material,
    size: tuple[int, int],
    base: NDArray[np.float32],
    second: NDArray[np.float32],
    px: float,
) -> Picture:
    height, width = size
    out: Picture = np.tile(base, (height, width, 1)).astype(np.float32)
    step = max(8, int(px * rng.uniform(0.8, 3.0)))
    if kind == "checked":
        ys, xs = np.arange(height) // step % 2, np.arange(width) // step % 2
        mix = (ys[:, None] + xs[None, :]).astype(np.float32)[..., None] / 2
        out = np.asarray(out * (1 - mix) + second * mix, np.float32)
    else:
        motif = rng.integers(0, 4)
        shade: tuple[float, ...] = tuple(float(v) for v in second)
        for y in range(0, height + step, step):
            for x in range(0 if y // step % 2 else step // 2, width + step, step):
                _motif(out, (x, y), step * 0.38, int(motif), shade)
    return np.asarray(out * (1 + 0.03 * grain(rng, size, 0.6))[..., None], np.float32)


def _motif(out: Picture, at: tuple[int, int], radius: float, kind: int, shade: Any) -> None:
    x, y = at
    reach = max(2, int(radius))
    if kind in (0, 2):
        cv2.circle(out, (x, y), reach, shade, max(1, reach // 8), cv2.LINE_AA)
    if kind in (0, 1):
        for angle in np.arange(0, 2 * np.pi, np.pi / 3):
            tip = (int(x + 0.45 * reach * np.cos(angle)), int(y + 0.45 * reach * np.sin(angle)))
            cv2.ellipse(
                out,
                tip,
                (max(1, reach // 2), max(1, reach // 5)),
                float(np.rad2deg(angle)),
                0,
                360,
                shade,
                -1,
                cv2.LINE_AA,
            )
    if kind == 2:
        cv2.circle(out, (x, y), max(1, reach // 3), shade, -1, cv2.LINE_AA)
    if kind == 3:
        square = np.array([[x - reach, y], [x, y - reach], [x + reach, y], [x, y + reach]], np.int32)
        cv2.fillConvexPoly(out, square, shade, cv2.LINE_AA)


def warped(
    sheet: NDArray[Any], matrix: NDArray[np.float64], size: tuple[int, int], border: int = cv2.BORDER_CONSTANT
) -> NDArray[Any]:
    """`sheet` seen through the homography `matrix` (sheet pixels to picture pixels), `size` = (width, height)."""
    return np.asarray(cv2.warpPerspective(sheet, matrix, size, flags=cv2.INTER_LINEAR, borderMode=border))


def sheet_to(matrix: NDArray[np.float64], origin: tuple[float, float], px: float) -> NDArray[np.float64]:
    """Turns a board-plane homography into one from the pixels of a sheet whose first pixel lies at `origin` columns."""
    scale = np.array([[1 / px, 0, origin[0]], [0, 1 / px, origin[1]], [0, 0, 1]])
    return np.asarray(matrix @ scale)
