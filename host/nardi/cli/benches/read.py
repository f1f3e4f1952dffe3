"""`nardi bench read`: one reading of a board beside one `cv2.HoughCircles` on the same frame, one run, one thread.

Memory is that of a process of its own which does nothing but read, as the eye's process does.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nardi.cli.bench_clock import CLOCKS, add_clock

NAME = "read"
HELP = "one reading of a picture beside one cv2.HoughCircles on the same frame"
_ALONE = """
import io
import sys
import cv2
import numpy as np
from nardi_vision.classify import Reader
cv2.setNumThreads(1)
with np.load(io.BytesIO(sys.stdin.buffer.read())) as kept:
    frame, corners = kept["frame"], kept["corners"]
reader = Reader()
for _ in range(5):
    reader.read(frame, corners)
# (getrusage would count what the process that started this one had in memory.)
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(peak.split()[1]) / 1024)
"""


def register(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", type=int, default=15, help="measurements of each, of which the median counts")
    parser.add_argument("--boards", type=int, default=12, help="drawn boards to read")
    add_clock(parser)
    parser.add_argument("--frames", type=Path, help="a folder with labels.jsonl instead of drawn boards")


def run(arguments: argparse.Namespace) -> int:
    import cv2

    from nardi_vision.classify import Reader

    cv2.setNumThreads(1)
    reader = Reader()
    pairs = _labelled(arguments.frames) if arguments.frames else _drawn(arguments.boards)
    rows = []
    for frame, corners in pairs:
        grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        known = reader.learn(frame, corners, _as_read(reader.read(frame, corners)))
        # Taken in turn, so that whatever else the machine does meets all three alike.
        times = _in_turn(
            arguments.rounds,
            CLOCKS[arguments.clock],
            lambda grey=grey: cv2.HoughCircles(  # type: ignore[misc]
                cv2.medianBlur(grey, 5), cv2.HOUGH_GRADIENT, 1, 20, param1=100, param2=30, minRadius=12, maxRadius=30
            ),
            lambda frame=frame, corners=corners: reader.read(frame, corners),  # type: ignore[misc]
            lambda frame=frame, corners=corners, known=known: reader.read(frame, corners, known=known),  # type: ignore[misc]
        )
        rows.append([statistics.median(column) / 1e6 for column in times])
    hough, unknown, known_ms = (statistics.median(column) for column in zip(*rows, strict=True))
    # HoughCircles takes three times as long over one picture as over another: each is measured against its own.
    ratio, ratio_known = (statistics.median(row[which] / row[0] for row in rows) for which in (1, 2))
    memory = _memory_mb(*pairs[0])
    result = {
        "clock": arguments.clock,
        "hough_ms": round(hough, 2),
        "read_ms": round(unknown, 2),
        "read_known_ms": round(known_ms, 2),
        "ratio": round(ratio, 2),
        "ratio_known": round(ratio_known, 2),
        "boards": len(rows),
        "peak_memory_mb": round(memory, 1),
    }
    if arguments.json:
        print(json.dumps(result))
    else:
        print(f"one reading {unknown:.1f} ms, of a learned board {known_ms:.1f} ms; HoughCircles {hough:.1f} ms")
        print(f"that is {ratio:.2f} and {ratio_known:.2f} times, picture by picture ({arguments.clock} clock)")
        print(f"a process that does nothing else peaks at {memory:.0f} MB")
    return 0


def _in_turn(rounds: int, clock: Callable[[], int], *calls: Callable[[], Any]) -> list[list[int]]:
    for call in calls:
        call()
    times: list[list[int]] = [[] for _ in calls]
    for _ in range(rounds):
        for column, call in zip(times, calls, strict=True):
            began = clock()
            call()
            column.append(clock() - began)
    return times


def _memory_mb(frame: Any, corners: Any) -> float:
    """Peak memory of a process that reads this frame and does nothing else, MB."""
    import io

    import numpy as np

    kept = io.BytesIO()
    np.savez(kept, frame=frame, corners=corners)
    alone = subprocess.run([sys.executable, "-c", _ALONE], input=kept.getvalue(), capture_output=True, check=True)
    return float(alone.stdout)


def _as_read(reading: Any) -> Any:
    from nardi_vision.synth import BoardContents

    return BoardContents(tuple(slot.best for slot in reading.points))


def _drawn(boards: int) -> list[tuple[Any, Any]]:
    from nardi_vision.synth import draw

    drawings = [draw(seed=seed, size=(960, 720)) for seed in range(boards)]
    return [(drawing.image, drawing.labels.corners) for drawing in drawings]


def _labelled(folder: Path) -> list[tuple[Any, Any]]:
    import cv2
    import numpy as np

    pairs = []
    for line in (folder / "labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        frame = cv2.imread(str(folder / label["image"]))
        if frame is not None and frame.shape[:2] == (720, 960):
            pairs.append((frame, np.array(label["corners"], float)))
    return pairs
