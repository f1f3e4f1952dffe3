"""From the direction of gravity to the face that lies on top."""

import math
from collections.abc import Mapping

Vector = tuple[int, int, int]


def nearest_face(vector: Vector, faces: Mapping[int, Vector]) -> tuple[int, int] | None:
    """(face, degrees off it) of the face whose direction is nearest to `vector`; None where `vector` has no direction.

    Lengths do not matter; `faces` are the directions measured with each face on top.
    """
    length = math.hypot(*vector)
    if length == 0:
        return None
    best: tuple[float, int] | None = None
    for face, direction in faces.items():
        cosine = sum(a * b for a, b in zip(vector, direction, strict=True)) / (length * math.hypot(*direction))
        if best is None or cosine > best[0]:
            best = (cosine, face)
    if best is None:
        return None
    return best[1], round(math.degrees(math.acos(max(-1.0, min(1.0, best[0])))))
