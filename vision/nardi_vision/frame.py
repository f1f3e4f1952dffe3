"""Pictures, from files or bytes, with every way they can be unusable named."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.errors import EyeError

Picture = NDArray[np.uint8]
"""A colour picture as OpenCV keeps it: shape (height, width, 3), blue-green-red, 0..255."""

SMALLEST_PX = 160
"""Pictures with a shorter side than this hold too few pixels for 24 points."""
SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture and its time. `image` None: the camera gave none, or a torn one; `fault` then says why."""

    t_ms: int
    image: Picture | None
    name: str = ""
    fault: EyeError | None = None


def load_picture(path: Path, frame_size: tuple[int, int] | None = None) -> Picture:
    """The picture in a file; `frame_size` (width, height), when given, is what it must measure.

    Raises EyeError: `picture_missing`, `picture_unreadable`, and those of `decode_picture`.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise EyeError("picture_missing", file=str(path), remedy="path") from None
    except OSError as error:
        raise EyeError("picture_unreadable", file=str(path), why=error.strerror or "", remedy="path") from None
    return decode_picture(data, str(path), frame_size)


def decode_picture(data: bytes, name: str, frame_size: tuple[int, int] | None = None) -> Picture:
    """The picture in encoded bytes.

    Raises EyeError: `picture_empty`, `picture_torn` (the file ends before the picture does), `not_a_picture`,
    `picture_small`, `picture_size` (not `frame_size`).
    """
    if not data:
        raise EyeError("picture_empty", file=name, remedy="take_again")
    if _torn(data):
        raise EyeError("picture_torn", file=name, size=len(data), remedy="take_again")
    try:
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        decoded = None
    if decoded is None:
        raise EyeError("not_a_picture", file=name, remedy="picture_format")
    return check_picture(decoded, name, frame_size)


def check_picture(image: NDArray[Any], name: str = "", frame_size: tuple[int, int] | None = None) -> Picture:
    """The picture, proven to have the shape and size that the eye works with. Raises EyeError as `decode_picture`."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise EyeError("not_a_picture", file=name, shape=str(image.shape), remedy="picture_format")
    height, width = image.shape[:2]
    if min(height, width) < SMALLEST_PX:
        raise EyeError("picture_small", file=name, width=width, height=height, least=SMALLEST_PX, remedy="larger")
    if frame_size is not None and frame_size != (width, height):
        wanted = f"{frame_size[0]}x{frame_size[1]}"
        raise EyeError("picture_size", file=name, width=width, height=height, wanted=wanted, remedy="calibrate")
    return image


def encode_jpeg(image: Picture, quality: int = 90) -> bytes:
    """The picture as a JPEG file."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise EyeError("not_a_picture", shape=str(image.shape), remedy="picture_format")
    return data.tobytes()


def frame_size_of(image: Picture) -> tuple[int, int]:
    """(width, height) in px."""
    return image.shape[1], image.shape[0]


def _torn(data: bytes) -> bool:
    """Whether a JPEG or PNG file ends before its picture does; decoders fill the rest with grey and say nothing."""
    if data.startswith(b"\xff\xd8"):
        return not _jpeg_ends(data)
    if data.startswith(b"\x89PNG"):
        return b"IEND" not in data[-64:]
    return False


def _jpeg_ends(data: bytes) -> bool:
    # Header segments are skipped by their length, for an embedded preview has an end mark of its own.
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return False
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        at += 2 + length
        if marker == 0xDA:
            # Within the coded picture 0xFF is always followed by 0x00 or a restart mark: the first end mark is the end.
            return data.find(b"\xff\xd9", at) >= 0
    return False
