"""A plain board drawn here, and slots as sure as can be: what several tests look at."""

import cv2
import numpy as np

from nardi_vision.reading import Corners, Shade, Slot

SIZE = (960, 720)
CORNERS: Corners = ((200.0, 120.0), (760.0, 120.0), (760.0, 600.0), (200.0, 600.0))


def scene(checkers: tuple[tuple[int, int], ...] = ((230, 150), (500, 570))) -> np.ndarray:
    """A plain board: frame, two rows of twelve points, checkers; with a sensor's noise."""
    image = np.full((SIZE[1], SIZE[0], 3), (90, 110, 120), np.uint8)
    cv2.rectangle(image, (170, 90), (790, 630), (40, 60, 90), -1)
    cv2.rectangle(image, (200, 120), (760, 600), (120, 150, 170), -1)
    for index in range(12):
        x = 200 + index * 560 // 12
        shade = (40, 40, 120) if index % 2 else (200, 210, 220)
        for base, tip in ((120, 320), (600, 400)):
            cv2.fillPoly(image, [np.array([[x, base], [x + 46, base], [x + 23, tip]])], shade, cv2.LINE_AA)
    for centre in checkers:
        cv2.circle(image, centre, 21, (230, 230, 230), -1, cv2.LINE_AA)
        cv2.circle(image, centre, 15, (190, 190, 190), 1, cv2.LINE_AA)
    noise = np.random.default_rng(sum(sum(c) for c in checkers)).normal(0, 2, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def arm(image: np.ndarray) -> np.ndarray:
    out = image.copy()
    cv2.line(out, (0, 700), (300, 480), (110, 130, 190), 70, cv2.LINE_AA)
    return out


def sure(shade: Shade | None, count: int) -> Slot:
    weights = {"light": [0.0] * 15, "dark": [0.0] * 15}
    if shade is not None:
        weights[shade][count - 1] = 1.0
    return Slot(float(shade is None), tuple(weights["light"]), tuple(weights["dark"]))
