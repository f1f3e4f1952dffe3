"""`nardi bench table` measures what it says: a play is seen within frames of standing there whole."""

import json

import pytest

from nardi.cli.main import main


@pytest.mark.slow
def test_a_play_is_shown_within_frames(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "table", "--plies", "2", "--matches", "2", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["plays"] >= 2
    # The display cannot know before the first whole frame, nor may it take more than half a second (ten a second).
    assert 1 <= result["frames_median"] <= 5
    assert result["work_to_hough"] > 0
    assert result["mb_late"] > 10
