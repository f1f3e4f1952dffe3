"""`nardi read` on files good and bad; the reader itself is scripted here, its own tests are elsewhere."""

import datetime
import json
from argparse import Namespace
from pathlib import Path

import pytest

from nardi.cli.main import main
from nardi.cli.read import _Eye
from nardi_vision.calibration import Calibration, Method
from nardi_vision.errors import EyeError
from nardi_vision.frame import encode_jpeg
from nardi_vision.geometry import text_of
from nardi_vision.locate import Found
from nardi_vision.reading import BoardReading, CubeReading, DieReading, DieState, EyeFault, Pile, Slot
from nardi_vision.start import orientations
from vision.drawn_scene import CORNERS, scene, sure

START = next(iter(orientations()))
GIVEN = ["--corners", text_of(CORNERS)]


def pile(light: int, dark: int) -> Pile:
    return Pile(tuple(float(n == light) for n in range(16)), tuple(float(n == dark) for n in range(16)))


class FakeReader:
    """Reads every picture as the start of backgammon, with dice, a cube and a doubtful slot 3."""

    points = START.points
    known: list[object] = []

    def read(self, frame, corners, *, t_ms=0, per_side=15, known=None) -> BoardReading:
        FakeReader.known.append(known)
        slots = [sure(*point) for point in self.points]
        slots[3] = Slot(0.7, (0.3, *[0.0] * 14), (0.0,) * 15)
        flat = DieReading(6, 0.99, DieState.FLAT, 1, 0.75, 0.5)
        cocked = DieReading(None, 0.3, DieState.COCKED, None, 1.1, 0.5)
        cube = CubeReading(64, 0.9, None, 0.5, 0.5)
        faults = (EyeFault.DOUBT,)
        return BoardReading(t_ms, tuple(slots), pile(1, 2), None, (flat, cocked), cube, True, False, faults, corners)

    def learn(self, frame, corners, contents) -> str:
        return "learned"


class FakeBoard:
    @staticmethod
    def from_json(data: dict[str, object]) -> object:
        return data


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nardi_vision.classify.Reader", FakeReader)
    monkeypatch.setattr("nardi_vision.classify.LearnedBoard", FakeBoard)
    FakeReader.known = []


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "a.jpg"
    path.write_bytes(encode_jpeg(scene()))
    return path


def rows(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_json_is_as_agreed(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(picture), "--json", *GIVEN]) == 0
    (row,) = rows(capsys.readouterr().out)
    assert row["image"] == str(picture)
    assert row["corners"] == [list(corner) for corner in CORNERS]
    assert row["points"] == [[shade or "none", count] for shade, count in START.points]
    assert row["bar"] == {"light": 1, "dark": 2}
    assert row["off"] is None
    assert row["dice"][0] == {
        "value": 6,
        "centre": [620.0, 360.0],
        "half": 1,
        "state": "flat",
        "confidence": 0.99,
    }
    assert row["dice"][1]["value"] is None
    assert row["cube"]["value"] == 64
    assert row["confidence"] == [0.7 if slot == 3 else 1.0 for slot in range(24)]
    assert row["faults"] == [{"fault": "doubt", "slots": [3]}]
    assert row["ms"] > 0


def test_the_drawing_shows_the_doubt(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(picture), *GIVEN]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == str(picture)
    assert lines[1].count("?") == 1
    assert "●2" in lines[1] + lines[2]
    assert "dice 6 ?" in lines[3]
    assert "cube 64" in lines[3]


def test_a_torn_picture_is_named_and_the_others_are_read(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torn = tmp_path / "torn.jpg"
    torn.write_bytes(picture.read_bytes()[:-500])
    missing = tmp_path / "missing.jpg"
    assert main(["read", str(torn), str(picture), str(missing), "--json", *GIVEN]) == 2
    out, err = capsys.readouterr()
    first, second, third = rows(out)
    assert first["error"]["reason"] == "picture_torn"
    assert "points" in second
    assert third["error"]["reason"] == "picture_missing"
    assert len(err.splitlines()) == 2


@pytest.mark.parametrize(
    "corners", ["1,2 3,4", "200,120 780,610 760,130 190,600", "200,120 760,130 780,610 5000,600", "a b c d"]
)
def test_corners_that_are_none_are_refused(picture: Path, corners: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(picture), "--json", "--corners", corners]) == 2
    assert "nardi:" in capsys.readouterr().err


def test_a_start_picture_is_learned_from(picture: Path, tmp_path: Path) -> None:
    start = tmp_path / "start.jpg"
    start.write_bytes(picture.read_bytes())
    assert main(["read", str(picture), "--start", str(start), "--json", *GIVEN]) == 0
    assert FakeReader.known == [None, "learned"]


def test_a_start_picture_that_is_no_start_is_refused_by_slot(
    picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    points = list(START.points)
    points[1] = ("light", 4)
    monkeypatch.setattr(FakeReader, "points", tuple(points))
    arguments = Namespace(per_side=15, corners=text_of(CORNERS), start=picture, start_position=None)
    with pytest.raises(EyeError) as caught:
        _Eye(arguments)
    assert caught.value.reason == "start_differs"
    assert caught.value.details["slots"] == "1"
    assert main(["read", str(picture), "--start", str(picture), *GIVEN]) == 2
    assert capsys.readouterr().err


def test_a_calibration_gives_corners_and_what_was_learned(picture: Path, tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    day = datetime.date(2026, 11, 30)
    Calibration(CORNERS, (960, 720), day, Method.GIVEN, learned={"a": 1}).save(path)
    assert main(["read", str(picture), "--start", str(path), "--json"]) == 0
    assert FakeReader.known == [{"a": 1}]
    path.write_text("{")
    assert main(["read", str(picture), "--start", str(path), "--json"]) == 2


def test_an_unsure_board_is_read_and_said_to_be_unsure(
    picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("nardi_vision.locate.locate", lambda image: Found(CORNERS, 0.05))
    assert main(["read", str(picture), "--json"]) == 0
    (row,) = rows(capsys.readouterr().out)
    assert {"fault": "board_unsure", "error": 0.05} in row["faults"]
    assert main(["read", str(picture)]) == 0
    assert "board_unsure" in capsys.readouterr().out


def test_no_board_is_refused_with_its_picture_s_name(
    picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nowhere(image: object) -> None:
        raise EyeError("board_not_found", remedy="calibrate")

    monkeypatch.setattr("nardi_vision.locate.locate", nowhere)
    assert main(["read", str(picture), "--json"]) == 2
    (row,) = rows(capsys.readouterr().out)
    assert row["error"] == {"reason": "board_not_found", "file": str(picture), "remedy": "calibrate"}


def test_a_nudge_since_the_calibration_is_followed(
    picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "calibration.json"
    Calibration(CORNERS, (960, 720), datetime.date(2026, 11, 30), Method.GIVEN).save(path)
    for shift, error, followed in ((15.0, 0.005, True), (2.0, 0.005, False), (15.0, 0.2, False), (300.0, 0.005, False)):
        moved = tuple((x + shift, y) for x, y in CORNERS)
        found = Found(moved, error)
        monkeypatch.setattr("nardi_vision.locate.refine", lambda image, corners, found=found: found)
        assert main(["read", str(picture), "--start", str(path), "--json"]) == 0
        (row,) = rows(capsys.readouterr().out)
        assert (row["corners"] != [list(corner) for corner in CORNERS]) is followed
