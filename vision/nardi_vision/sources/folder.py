"""A folder of pictures as a camera: in the order of their names, at even times."""

from collections.abc import Iterator
from pathlib import Path

from nardi_vision.errors import EyeError
from nardi_vision.frame import SUFFIXES, Frame, load_picture
from nardi_vision.sources.source import Address


def read_frame(path: Path, t_ms: int) -> Frame:
    """The picture in a file as a frame; one that cannot be used is a frame without a picture, with the reason."""
    try:
        return Frame(t_ms, load_picture(path), str(path))
    except EyeError as error:
        return Frame(t_ms, None, str(path), error)


class FolderSource:
    """`folder:DIR?interval_ms=1000`."""

    def __init__(self, address: Address) -> None:
        address.expect("interval_ms")
        self._interval_ms = address.number("interval_ms", 1000)
        folder = Path(address.place)
        if not folder.is_dir():
            raise EyeError("source_missing", source=address.text, file=str(folder), remedy="path")
        self._paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
        if not self._paths:
            raise EyeError("source_empty", source=address.text, file=str(folder), remedy="pictures_here")

    def __iter__(self) -> Iterator[Frame]:
        for index, path in enumerate(self._paths):
            yield read_frame(path, index * self._interval_ms)

    def close(self) -> None:
        pass
