"""Shapes and colours laid on pictures, with smooth edges."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.synth.texture import Picture

SHIFT = 4
"""Fixed-point bits of OpenCV's sub-pixel drawing."""


def fixed(points: Any) -> NDArray[np.int32]:
    """Pixel coordinates as OpenCV's fixed-point integers (for `shift=SHIFT`)."""
    return np.round(np.asarray(points, float) * (1 << SHIFT)).astype(np.int32)


def fill(image: NDArray[Any], points: Any, shade: Any) -> None:
    """Fills a polygon given in pixels, with smooth edges (which OpenCV itself draws on bytes only)."""
    if image.dtype == np.uint8:
        cv2.fillPoly(image, [fixed(points)], shade, cv2.LINE_AA, SHIFT)
        return
    points = np.asarray(points, float)
    x0, y0 = np.maximum(np.floor(points.min(axis=0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(points.max(axis=0)).astype(int) + 2, [image.shape[1], image.shape[0]])
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(mask, [fixed(points - [x0, y0])], 255, cv2.LINE_AA, SHIFT)
    alpha = mask.astype(np.float32) / 255
    part = image[y0:y1, x0:x1]
    if image.ndim == 3:
        part += (np.asarray(shade, np.float32) - part) * alpha[..., None]
    else:
        part += (float(shade) - part) * alpha


def circle(mask: NDArray[np.uint8], centre: Any, radius: float, shade: int = 255, thick: int = -1) -> None:
    """Draws a circle given in pixels, with a smooth edge: filled, or a line so many pixels `thick`."""
    cv2.circle(mask, fixed(centre).tolist(), int(radius * (1 << SHIFT)), shade, thick, cv2.LINE_AA, SHIFT)


def blend(picture: Picture, over: Picture, alpha: NDArray[np.uint8]) -> None:
    picture += (over - picture) * (alpha.astype(np.float32)[..., None] / 255)
