"""Video files and V4L2/UVC cameras, both through OpenCV."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from nardi_vision.errors import EyeError
from nardi_vision.frame import Frame
from nardi_vision.sources.exposure import Settling
from nardi_vision.sources.source import Address, Clock


class VideoFile:
    """`file:VIDEO`: each frame at its own time in the film."""

    def __init__(self, address: Address) -> None:
        address.expect()
        path = Path(address.place)
        if not path.is_file():
            raise EyeError("source_missing", source=address.text, file=str(path), remedy="path")
        self._name = str(path)
        self._capture = cv2.VideoCapture(self._name, cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            raise EyeError("source_unreadable", source=address.text, file=str(path), remedy="video_format")

    def __iter__(self) -> Iterator[Frame]:
        while True:
            done, image = self._capture.read()
            if not done:
                return
            t_ms = round(self._capture.get(cv2.CAP_PROP_POS_MSEC))
            yield Frame(t_ms, np.asarray(image, np.uint8), self._name)

    def close(self) -> None:
        self._capture.release()


MISSES = 20
"""Reads in a row that may fail before a camera counts as lost."""


class VideoDevice:
    """`v4l2:/dev/video0?width=1280&height=720&fps=10`: exposure and white balance are locked once they have settled.

    Ends (the iterator stops) when the camera gives nothing any more: its owner opens it again.
    """

    def __init__(self, address: Address, clock: Clock) -> None:
        address.expect("width", "height", "fps")
        self._address = address
        self._clock = clock
        place = address.place or "/dev/video0"
        if not Path(place).exists():
            raise EyeError("source_missing", source=address.text, file=place, remedy="camera_plugged")
        self._capture = cv2.VideoCapture(place, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise EyeError("source_busy", source=address.text, file=place, remedy="camera_busy")
        # MJPG first: most UVC cameras give more than 5 fps at full size only in it.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, address.number("width", 1280))
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, address.number("height", 720))
        self._capture.set(cv2.CAP_PROP_FPS, address.number("fps", 10))
        # An old frame is worth nothing: keep one.
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._settling = Settling()

    def __iter__(self) -> Iterator[Frame]:
        misses = 0
        while misses < MISSES:
            done, image = self._capture.read()
            t_ms = self._clock()
            if not done:
                misses += 1
                yield Frame(t_ms, None, self._address.text, EyeError("no_frame", source=self._address.text))
                continue
            misses = 0
            picture = np.asarray(image, np.uint8)
            if self._settling.seen(picture):
                self._lock()
            yield Frame(t_ms, picture, self._address.text)

    def _lock(self) -> None:
        """Keep exposure, gain, white balance and focus as they are now."""
        for automatic, off, value in (
            # V4L2's menu: 1 is manual. What the automatic arrived at is written back as the fixed value.
            (cv2.CAP_PROP_AUTO_EXPOSURE, 1, cv2.CAP_PROP_EXPOSURE),
            (cv2.CAP_PROP_AUTO_WB, 0, cv2.CAP_PROP_WB_TEMPERATURE),
            (cv2.CAP_PROP_AUTOFOCUS, 0, cv2.CAP_PROP_FOCUS),
        ):
            present = self._capture.get(value)
            if self._capture.set(automatic, off) and present > 0:
                self._capture.set(value, present)

    def close(self) -> None:
        self._capture.release()
