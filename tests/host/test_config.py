"""The table's configuration: all faults at once, by name."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardi.config import parse_config
from nardi.errors import InputError
from nardi.game.match import Teach

HERE = Path("club/table.toml")


def test_an_empty_file_is_a_table_played_by_hand() -> None:
    config = parse_config("", HERE)
    assert (config.eye, config.dice, config.display) == ("none:", "none:", "none:")
    assert config.folder == Path("club/matches")


def test_everything_can_be_set() -> None:
    text = """
    [match]
    ruleset = "short"
    length = 7
    white = "Ani"
    black = "Jonas"
    white_language = "hy"
    black_language = "lt"
    teach = "coach"
    [board]
    white_shade = "dark"
    white_ace_corner = 1
    calibration = "board.toml"
    [devices]
    eye = "v4l2:/dev/video0"
    dice = "serial:/dev/ttyACM0"
    display = "serial:/dev/ttyACM1"
    voice = true
    """
    config = parse_config(text, HERE)
    assert (config.languages.white, config.languages.black, config.teach) == ("hy", "lt", Teach.COACH)
    assert config.calibration == Path("club/board.toml")


def test_all_faults_are_reported_together() -> None:
    text = '[match]\nlength = -1\nspeed = 3\n[bord]\nx = 1\n[devices]\neye = "camera"\n'
    with pytest.raises(InputError) as caught:
        parse_config(text, HERE)
    assert [message.id for message in caught.value.messages] == [
        "config.wrong",
        "config.unknown_key",
        "config.unknown_section",
        "config.wrong",
    ]


def test_case_43_club_play_allows_no_teaching() -> None:
    with pytest.raises(InputError) as caught:
        parse_config('[match]\nclub_play = true\nteach = "legal"\n', HERE)
    assert caught.value.message.id == "config.club_teach"


@given(st.text(max_size=120))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse_config(text, HERE)
    except InputError as error:
        assert error.messages
