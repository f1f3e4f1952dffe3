"""`nardi plays`, `perft` and `bench plays` as they are typed."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from nardi.cli.main import main

OWN = Path(__file__).parents[1] / "fixtures" / "rules" / "plays.jsonl"


def without_ends(row: dict[str, object]) -> str:
    return json.dumps({key: value for key, value in row.items() if key != "ends"})


def test_plays_adds_the_ends_and_keeps_the_rest(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in OWN.read_text().splitlines()]
    text = "\n".join(without_ends(row) for row in rows) + "\n\n"
    file = tmp_path / "asked.jsonl"
    file.write_text(text)
    assert main(["plays", str(file)]) == 0
    answered = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert answered == rows
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert main(["plays"]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == rows


def test_plays_answers_the_good_lines_and_names_every_bad_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    start = "00000050300005000000000020/00000050300005000000000020"
    lines = [
        {"ruleset": "backgammon", "position": start, "dice": [3, 1]},
        {"ruleset": "chess", "position": start, "dice": [3, 1]},
        {"ruleset": "backgammon", "position": "x", "dice": [3, 1]},
        {"ruleset": "backgammon", "position": start, "dice": [3, 7]},
        {"ruleset": "backgammon", "position": start, "dice": [True, 1]},
        {"ruleset": "backgammon", "position": start, "dice": [3, 1], "first_turn": "yes"},
        {"ruleset": "backgammon"},
        3,
    ]
    file = tmp_path / "asked.jsonl"
    broken = (b"{", b"\xff\xfe", b"[" * 100_000, b'{"dice": ' + b"1" * 5000 + b"}")
    file.write_bytes(b"\n".join([*(json.dumps(line).encode() for line in lines), *broken]))
    assert main(["plays", str(file)]) == 2
    out, err = capsys.readouterr()
    assert [len(json.loads(line)["ends"]) for line in out.splitlines()] == [16]
    named = [int(line.partition(", line ")[2].partition(":")[0]) for line in err.splitlines()]
    assert named == list(range(2, 13))


def many_questions(folder: Path) -> Path:
    file = folder / "many.jsonl"
    file.write_text((without_ends(json.loads(OWN.read_text().splitlines()[0])) + "\n") * 300)
    return file


def test_a_reader_that_leaves_is_no_fault(tmp_path: Path) -> None:
    """`nardi plays FILE | head -1` ends in silence."""
    command = [sys.executable, "-m", "nardi.cli.main", "plays", str(many_questions(tmp_path))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as plays:
        assert plays.stdout is not None
        assert plays.stderr is not None
        plays.stdout.readline()
        plays.stdout.close()
        assert plays.stderr.read() == ""
    assert plays.returncode == 0


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nardi.cli.main", "plays", str(many_questions(tmp_path))]
    with open("/dev/full", "w") as full:
        said = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert said.returncode == 2
    assert "cannot be written" in said.stderr.splitlines()[0]


def test_plays_without_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["plays", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl" in capsys.readouterr().err
    assert main(["plays", str(tmp_path)]) == 2


def test_perft_and_divide(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "backgammon", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:4] == ["1", "1", "447", "447"]
    assert main(["perft", "long-classic", "2", "--divide"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 23
    assert sum(int(line.split()[1]) for line in lines[1:-1]) == int(lines[-1].split()[1])
    assert main(["perft", "chess", "1"]) == 2
    with pytest.raises(SystemExit):
        main(["perft", "backgammon", "0"])
    assert "'0' is no number of plies" in capsys.readouterr().err


def test_bench_plays_reports_every_engine_and_agrees(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("bgsage", reason="bgsage has wheels for x86-64 only")
    rows = [json.loads(line) for line in OWN.read_text().splitlines()]
    few = [{**row, "count": len(row["ends"])} for row in rows if row["ruleset"] in ("backgammon", "short")]
    file = tmp_path / "few.jsonl"
    file.write_text("\n".join(map(json.dumps, few)))
    assert main(["bench", "plays", "--json", "--positions", str(file), "--only-given"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["disagreements"] == 0
    assert set(report["sets"]["given positions"]) == {"nardi", "bgsage"}
    few[0]["count"] += 1
    file.write_text("\n".join(map(json.dumps, few)))
    assert main(["bench", "plays", "--positions", str(file), "--only-given"]) == 1
    assert "disagreements about the number of end positions: 2" in capsys.readouterr().out
