"""The one door to every camera, folder, recording and stream."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import parse_qsl

from nardi_vision.errors import EyeError
from nardi_vision.frame import Frame

Clock = Callable[[], int]
"""Milliseconds from any fixed instant, never backwards."""


def monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Source(Protocol):
    """Frames, one after the other, until the source ends. A frame that could not be had is one with `image` None."""

    def __iter__(self) -> Iterator[Frame]: ...

    def close(self) -> None:
        """Give the device back. Closing twice does no harm."""
        ...


@dataclass(frozen=True, slots=True)
class Address:
    """A source's URL in its parts: `scheme:place?name=value&…`."""

    text: str
    scheme: str
    place: str
    options: dict[str, str]

    @staticmethod
    def parse(text: str) -> "Address":
        """Raises EyeError `source_unknown` when there is no scheme, `source_option` for a repeated option."""
        scheme, colon, rest = text.partition(":")
        if not colon or not scheme.isidentifier():
            raise EyeError("source_unknown", source=text, known=", ".join(SCHEMES), remedy="source_schemes")
        place, _, query = rest.partition("?")
        pairs = parse_qsl(query, keep_blank_values=True)
        options = dict(pairs)
        if len(options) != len(pairs):
            raise EyeError("source_option", source=text, option=query, remedy="source_options")
        return Address(text, scheme, place, options)

    def number(self, name: str, default: int) -> int:
        """A whole number ≥ 0 among the options. Raises EyeError `source_option`."""
        text = self.options.get(name, "")
        if not text:
            return default
        if not text.isdecimal():
            raise EyeError("source_option", source=self.text, option=f"{name}={text}", remedy="source_options")
        return int(text)

    def expect(self, *names: str) -> None:
        """Raises EyeError `source_option` when there is an option of another name: a misspelt one is never ignored."""
        for name in self.options:
            if name not in names:
                raise EyeError("source_option", source=self.text, option=name, remedy="source_options")


SCHEMES = ("folder", "replay", "file", "v4l2", "picamera2", "http", "https")


def open_source(url: str, clock: Clock = monotonic_ms) -> Source:
    """The source that a URL names.

    `folder:DIR?interval_ms=1000` pictures in the order of their names · `replay:DIR` a recording (`?pace=1`: at its own
    speed) · `file:VIDEO` · `v4l2:/dev/video0?width=1280&height=720&fps=10` · `picamera2:0?width=…&height=…&fps=…` ·
    `http://host/stream.mjpeg`. `clock` stamps the frames of live cameras.
    Raises EyeError: `source_unknown`, `source_option`, and what each kind names when it cannot be opened.
    """
    address = Address.parse(url)
    # Imported here, so that a table with one camera never loads the others' libraries.
    match address.scheme:
        case "folder":
            from nardi_vision.sources.folder import FolderSource

            return FolderSource(address)
        case "replay":
            from nardi_vision.sources.recording import RecordingSource

            return RecordingSource(address)
        case "file":
            from nardi_vision.sources.video import VideoFile

            return VideoFile(address)
        case "v4l2":
            from nardi_vision.sources.video import VideoDevice

            return VideoDevice(address, clock)
        case "picamera2":
            from nardi_vision.sources.picamera import PiCamera

            return PiCamera(address, clock)
        case "http" | "https":
            from nardi_vision.sources.mjpeg import MjpegStream

            return MjpegStream(address, clock)
        case _:
            raise EyeError("source_unknown", source=url, known=", ".join(SCHEMES), remedy="source_schemes")
