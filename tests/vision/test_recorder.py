"""Recordings as they are written: whole at every moment, within their budget, readable again."""

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from nardi_vision.errors import EyeError
from nardi_vision.frame import Frame
from nardi_vision.recorder import Limits, Session, record
from nardi_vision.sources import open_source
from vision.drawn_scene import CORNERS, SIZE, arm, scene

SESSION = Session("long-table", 3, CORNERS, "dark", 1, 'Ašot "A"', "Միհրան")


def frames(count: int) -> list[Frame]:
    """A frame a second, the board changing with each."""
    return [Frame(5000 + 1000 * i, scene(((230 + 30 * i, 150), (500, 570)))) for i in range(count)]


def test_a_recording_reads_back(tmp_path: Path) -> None:
    summary = record(frames(3), tmp_path / "game", SESSION)
    assert (summary.frames, summary.missing, summary.ended) == (3, 0, "source")
    session = tomllib.loads((tmp_path / "game" / "session.toml").read_text(encoding="utf-8"))
    assert session["corners"] == [list(corner) for corner in CORNERS]
    assert session["frame_size"] == list(SIZE)
    assert session["players"] == {"white": 'Ašot "A"', "black": "Միհրան"}
    back = list(open_source(f"replay:{tmp_path / 'game'}"))
    assert [frame.t_ms for frame in back] == [0, 1000, 2000]
    assert back[1].image is not None
    assert np.abs(back[1].image.astype(int) - frames(2)[1].image).mean() < 4


def test_an_unchanged_picture_is_kept_only_now_and_then_and_a_missing_one_not_at_all(tmp_path: Path) -> None:
    still = [Frame(100 * i, scene()) for i in range(25)] + [Frame(2500, None), Frame(2600, arm(scene()))]
    summary = record(still, tmp_path / "game", SESSION)
    assert (summary.frames, summary.skipped, summary.missing) == (3, 23, 1)
    rows = [json.loads(line) for line in (tmp_path / "game" / "frames.jsonl").read_text().splitlines()]
    assert [row["t_ms"] for row in rows] == [0, 2000, 2600]


def test_budget_and_time_end_it(tmp_path: Path) -> None:
    summary = record(frames(16), tmp_path / "a", SESSION, Limits(budget_mb=1))
    assert summary.ended == "budget"
    assert 0 < summary.bytes <= 1024 * 1024
    assert len(list((tmp_path / "a" / "frames").iterdir())) == summary.frames
    assert record(frames(9), tmp_path / "b", SESSION, Limits(seconds=2.5)).frames == 3
    assert record(frames(1), tmp_path / "c", SESSION).frames == 1
    with pytest.raises(EyeError, match="no_frames"):
        record(frames(3), tmp_path / "d", SESSION, Limits(free_mb=10**9))


def test_a_folder_in_use_and_a_source_without_pictures_are_refused(tmp_path: Path) -> None:
    record(frames(1), tmp_path / "game", SESSION)
    with pytest.raises(EyeError, match="recording_exists"):
        record(frames(1), tmp_path / "game", SESSION)
    with pytest.raises(EyeError, match="no_frames"):
        record([Frame(0, None)], tmp_path / "other", SESSION)
    (tmp_path / "file").write_text("")
    with pytest.raises(EyeError, match="recording_unwritable"):
        record(frames(1), tmp_path / "file", SESSION)
