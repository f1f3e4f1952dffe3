"""Motion JPEG over HTTP, as phones' camera apps and µStreamer send it: sans-I/O parsing apart from the socket."""

import http.client
import urllib.error
import urllib.request
from collections.abc import Iterator

from nardi_vision.errors import EyeError
from nardi_vision.frame import Frame, decode_picture
from nardi_vision.sources.source import Address, Clock

LARGEST_BYTES = 16 * 1024 * 1024
"""No camera's JPEG is larger; a stream that never ends a picture must not fill the memory."""
SILENCE_S = 5.0
START, END = b"\xff\xd8", b"\xff\xd9"


class MjpegParser:
    """Bytes in any pieces → whole JPEG files.

    Part headers with a length are believed; without one the picture ends at the first end mark before a boundary.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.dropped_bytes = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._buffer += data
        while (picture := self._next()) is not None:
            yield picture

    def _next(self) -> bytes | None:
        start = self._buffer.find(START)
        if start < 0:
            # Half a start mark or half a header may be at the end.
            self._drop(max(0, len(self._buffer) - 1024))
            return None
        length = _length(bytes(self._buffer[:start]))
        end = start + length if length else self._end(start)
        if end is None or end > len(self._buffer):
            if len(self._buffer) - start > LARGEST_BYTES:
                self._drop(len(self._buffer))
            return None
        picture = bytes(self._buffer[start:end])
        del self._buffer[:end]
        return picture

    def _end(self, start: int) -> int | None:
        """Where a picture without a length ends: at an end mark that a boundary or the next picture follows."""
        at = start
        while (mark := self._buffer.find(END, at)) >= 0:
            after = bytes(self._buffer[mark + 2 : mark + 6]).lstrip(b"\r\n")
            if len(self._buffer) < mark + 6:
                return None
            if after.startswith((b"-", START[:1])) or not after:
                return mark + 2
            at = mark + 2
        return None

    def _drop(self, count: int) -> None:
        self.dropped_bytes += count
        del self._buffer[:count]


def _length(header: bytes) -> int | None:
    """Content-Length of a part, from the last header before the picture."""
    for line in reversed(header.split(b"\r\n")):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
            return length if 0 < length <= LARGEST_BYTES else None
    return None


class MjpegStream:
    """`http://host/stream.mjpeg`. Ends when the server closes or falls silent: its owner opens it again."""

    def __init__(self, address: Address, clock: Clock) -> None:
        self._address = address
        self._clock = clock
        request = urllib.request.Request(address.text, headers={"User-Agent": "nardi"})
        try:
            self._answer: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=SILENCE_S)
        except urllib.error.HTTPError as error:
            error.close()
            raise EyeError("source_refused", source=address.text, why=str(error.code), remedy="stream_url") from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise EyeError("source_unreachable", source=address.text, why=str(error), remedy="stream_url") from None

    def __iter__(self) -> Iterator[Frame]:
        parser = MjpegParser()
        while True:
            try:
                data = self._answer.read1(65536)
            except (OSError, http.client.HTTPException):
                return
            if not data:
                return
            for picture in parser.feed(data):
                t_ms = self._clock()
                try:
                    yield Frame(t_ms, decode_picture(picture, self._address.text), self._address.text)
                except EyeError as error:
                    yield Frame(t_ms, None, self._address.text, error)

    def close(self) -> None:
        self._answer.close()
