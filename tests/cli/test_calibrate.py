"""`nardi calibrate` and `nardi record` on files; where the board is found is scripted here."""

import datetime
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from nardi.cli.corner_screen import cell
from nardi.cli.main import main
from nardi_vision.calibration import Calibration, Method
from nardi_vision.frame import encode_jpeg
from nardi_vision.geometry import text_of, turned
from nardi_vision.locate import Found
from nardi_vision.reading import Corners
from vision.drawn_scene import CORNERS, scene


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "a.jpg"
    path.write_bytes(encode_jpeg(scene()))
    return path


def found(monkeypatch: pytest.MonkeyPatch, corners: Corners, error: float = 0.003) -> None:
    monkeypatch.setattr("nardi_vision.locate.locate", lambda image: Found(corners, error))


def test_found_corners_are_kept_with_their_residual(
    picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found(monkeypatch, CORNERS)
    file = tmp_path / "calibration.json"
    assert main(["calibrate", str(picture), "--file", str(file)]) == 0
    assert text_of(CORNERS) in capsys.readouterr().out
    kept = Calibration.load(file)
    assert (kept.corners, kept.method, kept.frame_size, kept.residual) == (CORNERS, Method.FOUND, (960, 720), 0.0)


def test_given_corners_are_put_in_order(picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, CORNERS, error=0.5)
    file = tmp_path / "calibration.json"
    other_end = text_of(turned(CORNERS, 2))
    assert main(["calibrate", str(picture), "--file", str(file), "--corners", other_end]) == 0
    kept = Calibration.load(file)
    assert kept.corners == CORNERS
    assert kept.residual is None


def test_an_unsure_board_is_not_kept(
    picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found(monkeypatch, CORNERS, error=0.5)
    file = tmp_path / "calibration.json"
    assert main(["calibrate", str(picture), "--file", str(file)]) == 2
    assert not file.exists()
    assert capsys.readouterr().err


def test_the_check_names_what_no_longer_holds(picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "calibration.json"
    Calibration(CORNERS, (960, 720), datetime.date.today(), Method.FOUND).save(file)
    found(monkeypatch, CORNERS)
    assert main(["calibrate", str(picture), "--file", str(file), "--check"]) == 0
    found(monkeypatch, tuple((x + 30, y) for x, y in CORNERS))
    assert main(["calibrate", str(picture), "--file", str(file), "--check"]) == 2
    Calibration(CORNERS, (1280, 720), datetime.date.today(), Method.FOUND).save(file)
    assert main(["calibrate", str(picture), "--file", str(file), "--check"]) == 2


def calibrate(picture: Path, file: Path, corners: Corners, *options: str) -> int:
    return main(["calibrate", str(picture), "--file", str(file), "--corners", text_of(corners), *options])


def test_what_falls_short_in_the_picture_is_said_and_kept_apart(
    picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found(monkeypatch, CORNERS, error=0.5)
    file = tmp_path / "calibration.json"
    assert calibrate(picture, file, CORNERS) == 0
    said = capsys.readouterr()
    assert "nardi-60: checkers at least" in said.out
    assert said.err == ""
    small: Corners = ((400.0, 300.0), (560.0, 300.0), (560.0, 450.0), (400.0, 450.0))
    assert calibrate(picture, file, small) == 0
    said = capsys.readouterr()
    assert "lower the camera" in said.err
    assert "--board (nardi-60, case-46, travel-35)" in said.out
    aside: Corners = ((20.0, 120.0), (580.0, 120.0), (580.0, 600.0), (20.0, 600.0))
    assert calibrate(picture, file, aside) == 0
    assert "too near one edge" in capsys.readouterr().err


def test_the_named_board_is_kept_and_looked_for(
    picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found(monkeypatch, CORNERS)
    file = tmp_path / "calibration.json"
    assert calibrate(picture, file, CORNERS, "--board", "mine") == 2
    assert "nardi-60, case-46, travel-35" in capsys.readouterr().err
    assert not file.exists()
    # The drawn board has no bar at all.
    assert calibrate(picture, file, CORNERS, "--board", "case-46") == 0
    said = capsys.readouterr()
    assert "case-46: checkers" in said.out
    assert "do not lie as on case-46" in said.err
    assert Calibration.load(file).board == "case-46"
    assert main(["calibrate", str(picture), "--file", str(file), "--check"]) == 0
    assert "do not lie as on case-46" in capsys.readouterr().err


def test_tags_are_printed_and_their_lack_is_named(picture: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "deep" / "tags.png"
    assert main(["calibrate", "--print-tags", str(sheet)]) == 0
    assert min(cv2.imread(str(sheet)).shape[:2]) > 1000
    assert main(["calibrate", str(picture), "--tags", "--file", str(tmp_path / "c.json")]) == 2


def test_a_camera_that_is_not_there(tmp_path: Path) -> None:
    assert main(["calibrate", "v4l2:/dev/video999"]) == 2
    assert main(["calibrate"]) == 2
    assert main(["calibrate", str(tmp_path / "none.jpg")]) == 2


def test_terminal_colours_span_the_cube() -> None:
    assert cell(0, 0, 0) == 16
    assert cell(255, 255, 255) == 231
    assert cell(255, 0, 0) == 196


def test_record_writes_what_replay_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").mkdir()
    for index in range(4):
        image = scene(((230 + 40 * index, 150), (500, 570)))
        (tmp_path / "in" / f"{index}.jpg").write_bytes(encode_jpeg(image))
    out = tmp_path / "out"
    command = ["record", f"folder:{tmp_path / 'in'}?interval_ms=700", str(out), "--corners", text_of(CORNERS)]
    assert main([*command, "--seconds", "2", "--ruleset", "long-table", "--white-shade", "dark"]) == 0
    assert "3 frames" in capsys.readouterr().out
    rows = [json.loads(line) for line in (out / "frames.jsonl").read_text().splitlines()]
    assert [row["t_ms"] for row in rows] == [0, 700, 1400]
    assert np.asarray(cv2.imread(str(out / "frames" / rows[2]["file"]))).shape == (720, 960, 3)
    assert main(command) == 2
    assert main(["record", "folder:/none", str(tmp_path / "other"), "--corners", text_of(CORNERS)]) == 2


def test_a_recording_loads_as_the_host_reads_it(tmp_path: Path) -> None:
    from nardi.devices.recording import load_recording

    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "0.jpg").write_bytes(encode_jpeg(scene()))
    out = tmp_path / "out"
    assert main(["record", f"folder:{tmp_path / 'in'}", str(out), "--corners", text_of(CORNERS)]) == 0
    recording = load_recording(out)
    assert recording.session.corners == CORNERS
    assert len(recording.frames) == 1
