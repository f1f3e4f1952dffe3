"""Recordings as they come from outside: every fault named, nothing guessed, no traceback."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardi.devices.recording import DiceLine, FrameLine, is_quadrangle, load_recording, parse_session
from nardi.errors import InputError
from nardi.rules import Color

GOOD = """
ruleset = "backgammon"
match_length = 5
frame_size = [960, 720]
corners = [[108.4, 160.2], [687.9, 83.6], [774.6, 560.0], [144.0, 646.5]]
white_shade = "light"
white_ace_corner = 2
[players]
white = "Ani"
black = "Jonas"
"""


def lay(folder: Path, session: str = GOOD, frames: str = "", dice: str = "") -> Path:
    (folder / "session.toml").write_text(session, encoding="utf-8")
    (folder / "frames.jsonl").write_text(frames, encoding="utf-8")
    (folder / "dice.jsonl").write_text(dice, encoding="utf-8")
    return folder


def test_a_session_is_read(tmp_path: Path) -> None:
    session = parse_session(GOOD, tmp_path / "session.toml")
    assert session.players.black == "Jonas"
    assert session.corners[3] == (144.0, 646.5)
    assert session.turn is None


def test_three_faults_are_reported_together(tmp_path: Path) -> None:
    bad = GOOD.replace("match_length = 5", 'match_length = "five"').replace("white_ace_corner = 2", "")
    bad = bad.replace("[774.6, 560.0]", "[300, 300]")
    with pytest.raises(InputError) as caught:
        parse_session(bad, tmp_path / "session.toml")
    named = [dict(message.parameters) for message in caught.value.messages]
    assert {entry.get("key") for entry in named} == {"match_length", "white_ace_corner", None}
    assert any(message.id == "input.session.corners" for message in caught.value.messages)
    assert all(entry["file"] == str(tmp_path / "session.toml") for entry in named)


def test_a_start_needs_a_turn(tmp_path: Path) -> None:
    start = 'start = "10223340000000000000000000/20332400000000000000000010"\n'
    with pytest.raises(InputError):
        parse_session(start + GOOD, tmp_path / "s")
    assert parse_session('turn = "black"\n' + start + GOOD, tmp_path / "s").turn is Color.BLACK


def test_crossed_corners_are_no_quadrangle() -> None:
    assert is_quadrangle(((0, 0), (100, 0), (100, 80), (0, 80)))
    assert not is_quadrangle(((0, 0), (100, 80), (100, 0), (0, 80)))
    assert not is_quadrangle(((0, 80), (100, 80), (100, 0), (0, 0)))  # counter-clockwise
    assert not is_quadrangle(((0, 0), (1, 0), (1, 1), (0, 1)))  # a speck


def test_happenings_come_in_the_order_of_their_times(tmp_path: Path) -> None:
    frames = "\n".join(json.dumps({"t_ms": t, "file": f"{t:06d}.jpg"}) for t in (1000, 2800))
    dice = "\n".join(json.dumps({"t_ms": t, "line": f"$DIE,w1,{t},ROLLING*00"}) for t in (1700, 2800))
    found = list(load_recording(lay(tmp_path, frames=frames, dice=dice)).in_time())
    assert [(type(one), one.t_ms) for one in found] == [
        (FrameLine, 1000),
        (DiceLine, 1700),
        (DiceLine, 2800),
        (FrameLine, 2800),
    ]


def test_bad_lines_are_named_by_file_and_line(tmp_path: Path) -> None:
    frames = '{"t_ms": 5, "file": "a.jpg"}\n{"t_ms": 4, "file": "b.jpg"}\nnonsense\n'
    dice = '{"t_ms": "now", "line": 3}\n'
    with pytest.raises(InputError) as caught:
        load_recording(lay(tmp_path, frames=frames, dice=dice))
    places = [(Path(str(dict(m.parameters)["file"])).name, dict(m.parameters)["line"]) for m in caught.value.messages]
    assert places == [("frames.jsonl", 2), ("frames.jsonl", 3), ("dice.jsonl", 1)]


def test_a_frame_name_may_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_recording(lay(tmp_path, frames='{"t_ms": 5, "file": "../../secret.jpg"}'))
    assert caught.value.message.id == "input.outside"


def test_no_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_recording(tmp_path / "none")
    assert caught.value.message.id == "input.no_recording"


@given(st.text(max_size=200))
def test_any_text_as_a_session_is_read_or_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_session(text, Path("session.toml"))


@given(st.sampled_from(GOOD.splitlines()[1:]), st.text(max_size=30))
def test_any_damage_to_one_line_is_read_or_refused(line: str, instead: str) -> None:
    try:
        session = parse_session(GOOD.replace(line, instead), Path("session.toml"))
    except InputError as error:
        assert error.messages
    else:
        assert is_quadrangle(session.corners)
