"""Trained networks: loaded from the package's data, run by OpenCV's dnn."""

import lzma
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from nardi_vision.errors import EyeError

DATA = Path(__file__).parent / "data"
LEVEL = 0.42
"""What the mean of every picture is brought to before a network sees it."""


class Network:
    """One network. The file is ONNX, compressed by LZMA (its weights are rounded, so it packs well)."""

    def __init__(self, path: Path, winograd: bool = False) -> None:
        """`winograd`: run by OpenCV's older engine, which knows Winograd's way of convolving 3 by 3 and is quicker
        where that is nearly all there is; what it gives is the same but for rounding.

        EyeError `weights_unreadable` if the file is none that can be unpacked.
        """
        try:
            data = lzma.decompress(path.read_bytes())
        except (OSError, EOFError, lzma.LZMAError) as error:
            raise EyeError("weights_unreadable", file=str(path), detail=str(error)) from error
        self._net: Any = _older(data) if winograd else cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))

    def run(self, blob: NDArray[np.float32], outputs: Sequence[str]) -> tuple[NDArray[np.float32], ...]:
        """The named outputs for an input (n, channels, rows, columns)."""
        self._net.setInput(blob)
        return tuple(np.asarray(out, np.float32) for out in self._net.forward(list(outputs)))


def _older(data: bytes) -> Any:
    """The network under the older engine, the only one before OpenCV 5."""
    older = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    if older is None:
        return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
    # Only for files does OpenCV 5.0 heed which engine is asked for.
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "network.onnx"
        file.write_bytes(data)
        return cv2.dnn.readNetFromONNX(str(file), older)


def blob(pictures: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
    """BGR pictures of one size as a network's input, each brought to the same mean brightness."""
    out = np.empty((len(pictures), 3, *pictures[0].shape[:2]), np.float32)
    for own, picture in zip(out, pictures, strict=True):
        own[:] = cv2.LUT(picture, _levels(picture)).transpose(2, 0, 1)
    return out


def folded_blob(picture: NDArray[np.uint8], fold: int) -> NDArray[np.float32]:
    """A BGR picture as `blob` has it, each square of `fold` by `fold` pixels as channels, first by colour, then by
    row, then by column (1, 3 * fold * fold, rows / fold, columns / fold)."""
    rows, columns = picture.shape[0] // fold, picture.shape[1] // fold
    # All first rows of squares, all second rows, …: what is left is a transposition, at which OpenCV is quick.
    apart = np.ascontiguousarray(picture.reshape(rows, fold, -1).swapaxes(0, 1))
    channels = cv2.transpose(apart.reshape(-1, 3 * fold)).reshape(fold, 3, fold, rows, columns)
    folded = np.ascontiguousarray(channels.transpose(1, 2, 0, 3, 4)).reshape(1, -1, rows, columns)
    return np.asarray(cv2.LUT(folded, _levels(picture)), np.float32)


_VALUES = np.arange(256, dtype=np.float32)


def _levels(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """What each of the 256 values (256,) of a picture's pixels becomes: looked up that takes a third of the time that
    reckoning with each pixel does."""
    mean = sum(cv2.mean(picture)[:3]) / 3
    table = np.minimum(_VALUES * np.float32(LEVEL / max(mean, 4.0)), np.float32(3.0)) - np.float32(LEVEL)
    return np.asarray(table, np.float32)
