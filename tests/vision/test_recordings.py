"""Nudges, lamps and hands in the recordings, where they are at hand: each noticed once, and nothing else."""

import json
from pathlib import Path

import numpy as np
import pytest

from nardi_vision.frame import load_picture
from nardi_vision.geometry import as_corners, corner_error
from nardi_vision.pipeline import UNSEEN, Pipeline
from nardi_vision.reading import BoardReading, EyeFault
from nardi_vision.sources.recording import read_index
from vision.drawn_scene import sure

RECORDINGS = Path(__file__).parents[3] / "shared" / "recordings"
EMPTY = tuple(sure(None, 0) for _ in range(24))


class Onlooker:
    """Reads nothing but whether a hand is there, as the labels have it."""

    def __init__(self, hands: list[bool]) -> None:
        self._hands = iter(hands)

    def read(self, frame, corners, *, t_ms=0, per_side=15, known=None) -> BoardReading:
        hand = next(self._hands)
        return BoardReading(t_ms, EMPTY, UNSEEN, None, (), None, not hand, hand, (), corners)


@pytest.mark.slow
@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="the recordings are not beside this checkout")
@pytest.mark.parametrize(
    ("name", "nudged", "lit"),
    [
        ("backgammon-1", [15], [21]),
        ("long-1", [16], [20]),
        ("arena-1", [], []),
        ("disputes-1", [], []),
        ("bearoff-1", [], []),
    ],
)
def test_each_nudge_and_lamp_is_noticed_once(name: str, nudged: list[int], lit: list[int]) -> None:
    folder = RECORDINGS / name
    labels = [json.loads(line) for line in (folder / "frame_labels.jsonl").read_text().splitlines()]
    eye = Pipeline(as_corners(labels[0]["corners"]), None, Onlooker([label["hand"] for label in labels]))
    seen: dict[EyeFault, list[int]] = {EyeFault.NUDGED: [], EyeFault.LIGHT_CHANGED: []}
    errors = []
    for index, ((t_ms, path), label) in enumerate(zip(read_index(folder), labels, strict=True)):
        reading = eye.see(load_picture(path), t_ms)
        for fault, frames in seen.items():
            if fault in reading.faults:
                frames.append(index)
        assert reading.corners is not None
        assert reading.settled is not label["hand"], index
        if reading.settled:
            errors.append(corner_error(reading.corners, as_corners(label["corners"])))
    assert seen == {EyeFault.NUDGED: nudged, EyeFault.LIGHT_CHANGED: lit}
    assert np.max(errors) < 0.002
