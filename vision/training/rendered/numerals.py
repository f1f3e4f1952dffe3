"""The faces of doubling cubes in many typefaces: OpenCV's own and those that the system has."""

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.synth.die import FACE, SimCube
from nardi_vision.synth.texture import colour

SYSTEM = Path("/usr/share/fonts/truetype")
"""Where Debian keeps the typefaces of fonts-dejavu and fonts-liberation."""
LARGE = 240


@lru_cache(maxsize=1)
def typefaces() -> tuple[str, ...]:
    """Names and files of typefaces with figures as they are printed on cubes."""
    files = (str(path) for kind in ("dejavu", "liberation") for path in sorted((SYSTEM / kind).glob("*.ttf")))
    return ("sans", "italic", *(file for file in files if "Math" not in file))


@lru_cache(maxsize=512)
def _number(typeface: str, weight: int, value: int) -> NDArray[np.uint8]:
    """How much ink (rows, columns; 0..255) a number is, without room round it."""
    ink = np.zeros((LARGE, LARGE), np.uint8)
    cv2.putText(ink, str(value), (40, 160), (255, 255, 255), cv2.FontFace(typeface), 100, weight)
    x, y, width, height = cv2.boundingRect(ink)
    return ink[y : y + height, x : x + width]


def cube_faces(cube: SimCube, rng: np.random.Generator) -> tuple[NDArray[np.uint8], ...]:
    """The five faces that can be seen, its value on top, in one typeface by lot, each any way up."""
    others = [v for v in (2, 4, 8, 16, 32, 64) if v != cube.value]
    known = typefaces()
    typeface, weight = known[int(rng.integers(len(known)))], int(rng.choice([400, 600, 800]))
    tall, wide = rng.uniform(0.36, 0.62), rng.uniform(0.5, 0.8)
    paper, ink = (np.clip(colour(tint) * 255, 0, 255).astype(np.float32) for tint in (cube.tint, cube.ink))
    faces = []
    for value in (cube.value, *(int(v) for v in rng.choice(others, 4, replace=False))):
        number = _number(typeface, weight, value)
        scale = min(tall * FACE / number.shape[0], wide * FACE / number.shape[1])
        size = (max(1, round(number.shape[1] * scale)), max(1, round(number.shape[0] * scale)))
        share = np.zeros((FACE, FACE), np.float32)
        y, x = (FACE - size[1]) // 2, (FACE - size[0]) // 2
        share[y : y + size[1], x : x + size[0]] = cv2.resize(number, size, interpolation=cv2.INTER_AREA) / 255
        face = paper + (ink - paper) * share[..., None]
        faces.append(np.ascontiguousarray(np.rot90(face.astype(np.uint8), int(rng.integers(4)))))
    return tuple(faces)
