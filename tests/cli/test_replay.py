"""Recordings through the whole product, from pixels and dice lines to plays, exports and pictures."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from nardi.cli.main import main
from nardi.rules import RULESETS, Position
from nardi.rules.notation.gnu import position_id

pytest.importorskip("cv2", reason="the eye needs OpenCV: pip install -e '.[eye]'")

HERE = Path(__file__).parents[1] / "fixtures" / "recording"
SHARED = Path(__file__).parents[3] / "shared" / "recordings"
GNUBG = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")
LABELLED = [HERE, *(SHARED / name for name in ("arena-1", "backgammon-1", "bearoff-1", "disputes-1", "long-1"))]


def replay(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, list[dict[str, Any]], str]:
    capsys.readouterr()
    code = main(["replay", str(folder), "--json", *options])
    said = capsys.readouterr()
    return code, [json.loads(line) for line in said.out.splitlines()], said.err


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def position_after(label: dict[str, Any], same_way: bool) -> str:
    """The contract's position text of a labelled turn, mover first."""
    sides = {"white": [0] * 26, "black": [0] * 26}
    for point, count in enumerate(label["after"]["points"], 1):
        facing = (point + 12 if point <= 12 else point - 12) if same_way else 25 - point
        sides["white" if count > 0 else "black"][point if count > 0 else facing] += abs(count)
    for color, shade in (("white", "light"), ("black", "dark")):
        sides[color][25], sides[color][0] = label["after"]["bar"][shade], label["after"]["off"][shade]
    mover = label["player"]
    other = "black" if mover == "white" else "white"
    return "/".join("".join(f"{count:x}" for count in sides[color]) for color in (mover, other))


@pytest.mark.parametrize("folder", LABELLED, ids=lambda folder: folder.name)
def test_every_turn_is_found_and_every_wrong_one_noticed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not folder.is_dir():
        pytest.skip(f"no shared recording {folder.name} beside this checkout")
    labels = rows(folder / "labels.jsonl")
    _, events, _ = replay(folder, capsys)
    played = [event for event in events if event["type"] == "Played"]
    same_way = folder.name.startswith("long")
    assert [(e["by"], sorted(e["dice"]), e["position"]) for e in played] == [
        (label["player"], sorted(label["dice"]), position_after(label, same_way)) for label in labels
    ]
    assert all(event["legal"] for event in played)
    noticed = [event for event in events if event["type"] == "IllegalPlayNoticed"]
    assert len(noticed) == sum(label["illegal_first"] is not None for label in labels)
    # Noticed while the dice still lie there: before the turn is final, and after the one before was.
    turns = [None, *(event["t_ms"] for event in played)]
    for event in noticed:
        ply = next(number for number, label in enumerate(played) if label["t_ms"] > event["t_ms"])
        assert labels[ply]["illegal_first"] and (turns[ply] is None or turns[ply] < event["t_ms"])
    rejected = [event for event in events if event["type"] == "RollRejected"]
    assert [event["reason"] for event in rejected] == ["cocked"] * sum(label["cocked_first"] for label in labels)


def test_the_record_is_sound_and_exported_in_every_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal, mat, sgf, html = (tmp_path / f"m.{ending}" for ending in ("jsonl", "mat", "sgf", "html"))
    code, events, _ = replay(
        HERE, capsys, "--journal", str(journal), "--export", str(mat), "--export", str(sgf), "--export", str(html)
    )
    assert code == 1  # faults were found in the game
    assert main(["verify", str(journal), "--rules"]) == 0
    assert "61: 13/7 7/6" in mat.read_text(encoding="utf-8")
    assert sgf.read_text(encoding="utf-8").startswith("(;")
    assert "<html" in html.read_text(encoding="utf-8")
    kept = [json.loads(line)["type"] for line in journal.read_text(encoding="utf-8").splitlines()]
    assert kept.count("Played") == sum(event["type"] == "Played" for event in events) == 3


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed: apt-get install gnubg")
def test_gnubg_reads_the_mat_and_stands_at_the_same_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mat = tmp_path / "m.mat"
    _, events, _ = replay(HERE, capsys, "--export", str(mat))
    last = [event for event in events if event["type"] == "Played"][-1]
    position = Position.from_text(last["position"], RULESETS["backgammon"])
    script = f"import mat {mat}\nend\nshow board\n"
    found = subprocess.run(
        [str(GNUBG), "-t", "-q", "-r"], input=script, capture_output=True, text=True, timeout=120, check=True
    )
    boards = [line.split(":")[1].strip() for line in found.stdout.splitlines() if "Position ID:" in line]
    assert boards[-1] == position_id(position.flipped)
    assert not [line for line in (found.stdout + found.stderr).splitlines() if "WARNING" in line or "Error" in line]


def test_a_picture_a_ruling(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replay(HERE, capsys, "--screens", str(tmp_path / "screens"))
    pictures = sorted((tmp_path / "screens").glob("*.png"))
    assert any("IllegalPlayNoticed" in picture.name for picture in pictures)
    assert len(pictures) > 20


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    shutil.copytree(HERE, tmp_path / "recording")
    return tmp_path / "recording"


def test_missing_and_torn_frames_are_named_and_passed_over(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copied / "frames" / "000009.jpg").unlink()
    torn = copied / "frames" / "000013.jpg"
    torn.write_bytes(torn.read_bytes()[:9000])
    code, events, errors = replay(copied, capsys)
    assert code == 1
    assert "000009.jpg" in errors and "000013.jpg" in errors
    assert "Traceback" not in errors
    assert sum(event["type"] == "Played" for event in events) == 3


def test_a_dice_line_with_a_wrong_checksum_is_told(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dice = copied / "dice.jsonl"
    dice.write_text(dice.read_text().replace("ROLLING*4E", "ROLLING*4F", 1))
    _, events, _ = replay(copied, capsys)
    assert any("dice" in event.get("key", "") for event in events if event["type"] == "FaultNoted")
    assert sum(event["type"] == "Played" for event in events) == 3


def test_unusable_input_is_refused_with_every_fault(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = copied / "session.toml"
    text = session.read_text().replace("match_length = 3", "match_length = -3")
    text = text.replace('white_shade = "light"', 'white_shade = "pale"').replace("[189.9, 146.7]", "[900, 600]")
    session.write_text(text)
    code, events, errors = replay(copied, capsys)
    assert code == 2 and not events
    assert "match_length" in errors and "white_shade" in errors and "corners" in errors
    assert errors.count("session.toml") == 3


def test_an_export_of_no_known_form_is_refused_before_anything_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "m.jsonl"
    code, _, errors = replay(HERE, capsys, "--journal", str(journal), "--export", str(tmp_path / "m.pdf"))
    assert code == 2 and ".pdf" in errors
    assert not journal.exists()
