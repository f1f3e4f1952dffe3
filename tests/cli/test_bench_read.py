"""`nardi bench read` measures a reading, HoughCircles and a process that only reads, by either clock."""

import json

import pytest

from nardi.cli.main import main


@pytest.mark.parametrize("clock", ["cpu", "wall"])
def test_a_reading_is_measured_beside_hough_circles(capsys: pytest.CaptureFixture[str], clock: str) -> None:
    assert main(["bench", "read", "--boards", "1", "--rounds", "1", "--clock", clock, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["clock"] == clock
    assert report["ratio"] == pytest.approx(report["read_ms"] / report["hough_ms"], rel=0.02)
    assert report["ratio_known"] == pytest.approx(report["read_known_ms"] / report["hough_ms"], rel=0.02)
    assert 40 < report["peak_memory_mb"] < 200
