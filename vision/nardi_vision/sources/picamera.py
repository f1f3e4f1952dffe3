"""Raspberry Pi cameras through picamera2, which exists only there and so is imported only when asked for."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from nardi_vision.errors import EyeError
from nardi_vision.frame import Frame
from nardi_vision.sources.exposure import Settling
from nardi_vision.sources.source import Address, Clock


class PiCamera:
    """`picamera2:0?width=1280&height=720&fps=10`: exposure and white balance are locked once they have settled."""

    def __init__(self, address: Address, clock: Clock) -> None:
        address.expect("width", "height", "fps")
        number = address.place or "0"
        if not number.isdecimal():
            raise EyeError("source_option", source=address.text, option=number, remedy="source_options")
        try:
            from picamera2 import Picamera2
        except Exception as error:  # libcamera's absence shows as ImportError, RuntimeError or OSError by release
            raise EyeError("picamera2_missing", source=address.text, why=str(error), remedy="picamera2") from None
        self._address = address
        self._clock = clock
        self._settling = Settling()
        try:
            self._camera: Any = Picamera2(int(number))
            size = (address.number("width", 1280), address.number("height", 720))
            frame_us = 1_000_000 // max(1, address.number("fps", 10))
            # "RGB888" is blue-green-red in memory, as OpenCV wants it.
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": size, "format": "RGB888"},
                    controls={"FrameDurationLimits": (frame_us, frame_us)},
                    buffer_count=2,
                )
            )
            self._camera.start()
        except (RuntimeError, IndexError, OSError) as error:
            raise EyeError("source_busy", source=address.text, why=str(error), remedy="camera_busy") from None

    def __iter__(self) -> Iterator[Frame]:
        while True:
            try:
                request = self._camera.capture_request()
                image = np.ascontiguousarray(request.make_array("main")[:, :, :3])
                metadata = request.get_metadata()
                request.release()
            except (RuntimeError, OSError):
                return
            if self._settling.seen(image):
                self._lock(metadata)
            yield Frame(self._clock(), image, self._address.text)

    def _lock(self, metadata: dict[str, Any]) -> None:
        """Fix what the automatics arrived at. Setting the gains also ends the automatic white balance (libcamera)."""
        self._camera.set_controls(
            {
                "AeEnable": False,
                "AwbEnable": False,
                "ExposureTime": metadata["ExposureTime"],
                "AnalogueGain": metadata["AnalogueGain"],
                "ColourGains": metadata["ColourGains"],
            }
        )

    def close(self) -> None:
        self._camera.stop()
        self._camera.close()
