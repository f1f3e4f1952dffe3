"""A recording as a camera: its frames at the times they were taken."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from nardi_vision.errors import EyeError
from nardi_vision.frame import Frame
from nardi_vision.sources.folder import read_frame
from nardi_vision.sources.source import Address


def read_index(folder: Path) -> list[tuple[int, Path]]:
    """`frames.jsonl` as (t_ms, file) in the order of the times.

    Raises EyeError `recording_missing` without the file, `recording_line` naming the file and line that cannot be used.
    """
    index = folder / "frames.jsonl"
    try:
        lines = index.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise EyeError("recording_missing", file=str(index), remedy="recording_form") from None
    except (OSError, UnicodeDecodeError) as error:
        raise EyeError("recording_line", file=str(index), line=1, why=str(error), remedy="recording_form") from None
    frames: list[tuple[int, Path]] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            t_ms, name = row["t_ms"], row["file"]
            if isinstance(t_ms, bool) or not isinstance(t_ms, int) or not isinstance(name, str):
                raise TypeError("t_ms, file")
        except (ValueError, KeyError, TypeError) as error:
            raise EyeError(
                "recording_line", file=str(index), line=number, why=str(error), remedy="recording_form"
            ) from None
        frames.append((t_ms, folder / "frames" / name))
    return sorted(frames, key=lambda frame: frame[0])


class RecordingSource:
    """`replay:DIR`; with `?pace=1` frames come at the speed at which they were taken (2: twice as fast)."""

    def __init__(self, address: Address, sleep: Callable[[float], None] = time.sleep) -> None:
        address.expect("pace")
        self._pace = address.number("pace", 0)
        self._sleep = sleep
        folder = Path(address.place)
        if not folder.is_dir():
            raise EyeError("source_missing", source=address.text, file=str(folder), remedy="path")
        self._frames = read_index(folder)
        if not self._frames:
            raise EyeError("source_empty", source=address.text, file=str(folder), remedy="recording_form")

    def __iter__(self) -> Iterator[Frame]:
        before_ms = self._frames[0][0]
        for t_ms, path in self._frames:
            if self._pace:
                self._sleep((t_ms - before_ms) / 1000 / self._pace)
                before_ms = t_ms
            yield read_frame(path, t_ms)

    def close(self) -> None:
        pass
