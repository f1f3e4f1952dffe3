"""`nardi appraise` on pictures drawn here, with a reader whose mistakes are known."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from nardi.cli.main import main
from nardi_vision.appraise import appraise, appraise_play, load_cases, page
from nardi_vision.errors import EyeError
from nardi_vision.frame import encode_jpeg
from nardi_vision.pipeline import UNSEEN
from nardi_vision.reading import BoardReading, CubeReading, DieReading, DieState
from vision.drawn_scene import CORNERS, scene, sure

TRUE = [["none", 0]] * 22 + [["light", 3], ["dark", 12]]


class Reader:
    """Sees three light checkers and the bottom row of the dark heap; slot 5 wrongly, at 0.8."""

    cube: CubeReading | None = None

    def read(self, frame, corners, *, t_ms=0, per_side=15, known=None) -> BoardReading:
        slots = [sure(None, 0)] * 22 + [sure("light", 3), sure("dark", 5)]
        slots[5] = type(slots[5])(0.2, (0.8, *[0.0] * 14), (0.0,) * 15)
        dice = (DieReading(4, 0.9, DieState.FLAT, 0, 0.25, 0.5), DieReading(2, 0.9, DieState.FLAT, 1, 0.9, 0.5))
        return BoardReading(t_ms, tuple(slots), UNSEEN, None, dice, self.cube, True, False, (), corners)

    def learn(self, frame, corners, contents) -> "Reader":
        return self

    def update(self, frame, corners, contents, doubted=(), dice=()) -> None:
        pass


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "set").mkdir()
    rows = []
    for index in range(3):
        (tmp_path / "set" / f"{index}.jpg").write_bytes(encode_jpeg(scene()))
        layers = [[]] * 22 + [[3], [5, 5, 2]]
        dice = [
            {"value": 4, "centre": [340.0, 360.0], "on_board": True},
            {"value": 6, "centre": [0, 0], "on_board": False},
        ]
        row = {"image": f"{index}.jpg", "split": "easy" if index else "hard", "corners": CORNERS, "points": TRUE}
        rows.append(
            row | {"layers": layers, "hidden": [5] if index == 2 else [], "bar": None, "off": None, "dice": dice}
        )
    (tmp_path / "set" / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    return tmp_path


def test_what_is_hidden_or_lies_under_others_is_no_mistake(folder: Path) -> None:
    result = appraise(load_cases(folder), Reader(), find=False)
    assert [len(one.misses) for one in result.judged] == [1, 1, 0]
    row = result.row(None)
    assert (row["pictures"], row["exact"], row["slots"], row["slots_wrong"]) == (3, 1, 71, 2)
    assert (row["dice"], row["dice_right"], row["dice_wrong"], row["dice_false"]) == (3, 3, 0, 3)
    assert result.row("hard")["exact"] == 0
    (wrong, right) = result.calibration()
    assert wrong[2:] == (2, 0.0)
    assert right[2:] == (69, 1.0)


@pytest.mark.parametrize(
    ("label", "seen", "counts"),
    [
        ({"value": 8, "place": "centre", "centre": [480, 360]}, (8, 0.5), (1, 1, 0, 0)),
        ({"value": 8, "place": "centre", "centre": [480, 360]}, (16, 0.5), (1, 0, 1, 0)),
        ({"value": 8, "place": "top", "centre": [480, 360]}, (8, 0.8), (1, 0, 0, 1)),
        ({"value": 8, "place": "top", "centre": [480, 360]}, None, (1, 0, 0, 0)),
        ({"value": 8, "place": "off_table", "centre": [480, 360]}, (2, 0.5), (0, 0, 0, 0)),
        (None, (8, 0.5), (0, 0, 0, 1)),
        ("no label", (8, 0.5), (0, 0, 0, 0)),
    ],
)
def test_the_cube_is_counted(
    folder: Path, label: object, seen: tuple[int, float] | None, counts: tuple[int, int, int, int]
) -> None:
    file = folder / "set" / "labels.jsonl"
    row = json.loads(file.read_text().splitlines()[0])
    file.write_text(json.dumps(row if label == "no label" else row | {"cube": label}))
    reader = Reader()
    if seen is not None:
        reader.cube = CubeReading(seen[0], 0.9, None, 0.5, seen[1])
    row = appraise(load_cases(folder), reader, find=False).row(None)
    assert (row["cube"], row["cube_right"], row["cube_wrong"], row["cube_false"]) == counts


def test_a_count_under_the_bottom_row_is_a_mistake(folder: Path) -> None:
    (case, *_) = load_cases(folder)
    assert case.right(23, ("dark", 5))
    assert case.right(23, ("dark", 12))
    assert not case.right(23, ("dark", 4))
    assert not case.right(23, ("light", 5))


def test_corners_found_wrong_are_counted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nardi_vision.locate import Found

    off = tuple((x + 11.2, y) for x, y in CORNERS)
    monkeypatch.setattr("nardi_vision.appraise.appraisal.locate", lambda image: Found(off, 0.03))
    row = appraise(load_cases(folder), Reader(), find=True).row(None)
    assert row["corner_error_median"] == pytest.approx(0.02, abs=1e-4)
    assert (row["corners_good"], row["unsure"]) == (0.0, 3)


def test_recordings_are_read_as_in_play(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    (folder / "frames").mkdir(parents=True)
    shift = np.array([[1, 0, 9.0], [0, 1, 0]])
    moved = cv2.warpAffine(scene(), shift, (960, 720), borderMode=cv2.BORDER_REPLICATE)
    rows, times = [], []
    for index, image in enumerate((scene(), moved)):
        (folder / "frames" / f"{index:06d}.jpg").write_bytes(encode_jpeg(image))
        corners = [[x + 9 * index, y] for x, y in CORNERS]
        label = {"file": f"{index:06d}.jpg", "hand": False, "points": TRUE, "hidden": [], "bar": None, "off": None}
        rows.append(label | {"corners": corners})
        times.append({"t_ms": 1000 * index, "file": f"{index:06d}.jpg"})
    (folder / "frame_labels.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "frames.jsonl").write_text("\n".join(map(json.dumps, times)))
    row = appraise_play(load_cases(tmp_path), Reader()).row(None)
    assert row["hand_share"] == 1.0
    assert row["corner_error_p95"] < 0.001
    assert row["slots_wrong"] == 2


def test_the_page_shows_the_misses(folder: Path) -> None:
    text = page([appraise(load_cases(folder), Reader(), find=False)], "a <title>")
    assert "a &lt;title&gt;" in text
    assert text.count("class=crop") == 2
    assert "slot 5: empty, read 1 light at 0.800" in text
    assert "http" not in text


def test_the_command(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("nardi_vision.classify.Reader", Reader)
    out = folder / "deep" / "page.html"
    assert main(["appraise", str(folder), "--corners", "given", "--html", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["given"]["splits"][-1]["slots_wrong"] == 2
    assert told["given"]["misses"][0]["seen"] == ["light", 1]
    assert out.stat().st_size > 1000
    assert main(["appraise", str(folder), "--corners", "given", "--split", "hard"]) == 0
    assert "hard" in capsys.readouterr().out
    assert main(["appraise", str(folder / "none")]) == 2


def test_a_bad_label_is_named(folder: Path) -> None:
    file = folder / "set" / "labels.jsonl"
    file.write_text(file.read_text() + '{"image": "0.jpg", "corners": [], "points": []}\n')
    with pytest.raises(EyeError) as caught:
        load_cases(folder)
    assert (caught.value.reason, caught.value.details["line"]) == ("labels_line", 4)
    file.write_text('{"image": "0.jpg", "dice": [1, 6]}\n')  # dice alone are no board
    with pytest.raises(EyeError, match="labels_missing"):
        load_cases(folder)
    file.unlink()
    with pytest.raises(EyeError, match="labels_missing"):
        load_cases(folder)
