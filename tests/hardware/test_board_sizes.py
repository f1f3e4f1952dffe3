"""board.toml: sizes that agree with each other, with node.toml and with the eye's order of places."""

import dataclasses
import itertools
import tomllib
from importlib.resources import files
from pathlib import Path

import electronics
import measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardi_vision import sizes
from nardi_vision.errors import EyeError

M = measures.load()


@pytest.mark.parametrize("name", M.boards)
def test_every_board_adds_up(name: str) -> None:
    board = M.boards[name]
    assert board.faults() == []
    assert len(board.point_centres_mm) == 12
    assert list(board.point_centres_mm) == sorted(board.point_centres_mm)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"pitch_mm": 46}, "add up to"),
        ({"bar_centre_mm": 400}, "not between the halves"),
        ({"point_centres_mm": M.boards["nardi-60"].point_centres_mm[1:]}, "has 11 points"),
        ({"checker_mm": 60}, "does not fit a point"),
        ({"checker_mm": 58, "pitch_mm": 45}, "two columns"),
        ({"point_centres_mm": (30.0, *M.boards["nardi-60"].point_centres_mm[1:])}, "point_centres_mm[0]"),
    ],
)
def test_sizes_that_contradict_each_other_are_named(change: dict[str, object], word: str) -> None:
    board = dataclasses.replace(M.boards["nardi-60"], **change)  # type: ignore[arg-type]
    assert any(word in fault for fault in board.faults())


def test_missing_and_unknown_keys_are_refused_together(tmp_path: Path) -> None:
    text = measures.BOARD_FILE.read_text(encoding="utf-8").replace("tube_mm = 32 ", "tubes_mm = 32 ")
    (tmp_path / "board.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"\[mast\]: missing tube_mm, unknown tubes_mm"):
        measures.load(tmp_path / "board.toml")


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("outer_mm = [600, 600]", "outer_mm = [600]", r"\[boards.nardi-60\]: wrong outer_mm = \[600\]"),
        ("outer_mm = [600, 600]", "outer_mm = 600", r"\[boards.nardi-60\]: wrong outer_mm = 600"),
        ("pitch_mm = 37", 'pitch_mm = "37"', r"\[boards.case-46\]: wrong pitch_mm = '37'"),
        ("frame_mm = 10", "frame_mm = -10", r"\[boards.travel-35\]: wrong frame_mm = -10"),
        ("bar_mm = 46", "bar_mm = 47", r"\[boards.case-46\] .* add up to 571 mm"),
        ("margin = 0.03", "margins = 0.03", r"\[eye\]: missing margin, unknown margins"),
        ("plug_mm = [2, 1.2]", "plug_mm = [2, true]", r"\[die\]: wrong plug_mm"),
        ('default_board = "nardi-60"', 'default_board = "mine"', "default_board 'mine' is none of nardi-60"),
        ('"0", "1", "2",', '"1", "0", "2",', r"\[slots\] order is not 0 to 23 as the eye counts them"),
        ('"bar", "far_tray",', '"bar",', r"\[slots\] order"),
        ("[rails]", "[rail]", "missing rails; unknown rail"),
        ("[eye]", "[eye", "board_sizes_unreadable"),
    ],
)
def test_what_is_wrong_is_named_by_its_key(tmp_path: Path, old: str, new: str, named: str) -> None:
    text = measures.BOARD_FILE.read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "board.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=named):
        measures.load(tmp_path / "board.toml")


@given(st.data())
def test_any_value_is_read_or_refused(data: st.DataObject) -> None:
    tables = sizes.tables_of(measures.BOARD_FILE)
    table, name = tables, data.draw(st.sampled_from(sorted(tables)))
    while isinstance(table[name], dict) and data.draw(st.booleans()):
        table = table[name]
        name = data.draw(st.sampled_from(sorted(table)))
    table[name] = data.draw(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.floats()) | st.just({})
    )
    try:
        sizes.sizes_of(tables, measures.BOARD_FILE)
    except EyeError as error:
        assert error.reason == "board_sizes_wrong"
        assert error.details["faults"]


def test_the_eye_reads_the_very_file() -> None:
    # In a checkout the packaged file is a link: there is no second copy to fall behind.
    assert (files("nardi_vision") / "data" / "board.toml").read_bytes() == measures.BOARD_FILE.read_bytes()
    assert sizes.BOARD_FILE.samefile(measures.BOARD_FILE)
    assert sizes.load_sizes().boards == M.boards


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    text = measures.BOARD_FILE.read_text(encoding="utf-8").replace("schema = 1", "schema = 2")
    (tmp_path / "board.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="schema 2"):
        measures.load(tmp_path / "board.toml")


def test_places_are_those_of_node_toml() -> None:
    lights = electronics.load()["lights"]
    assert set(lights["chain"]) - {"-"} == set(M.order)


def test_places_lie_where_the_eye_counts_them() -> None:
    # 0-11 along the far side, 12-23 along the near side, both from left to right.
    board = M.board
    assert board.place_mm("0") == (board.point_centres_mm[0], board.outer_mm[1] - board.frame_mm / 2)
    assert board.place_mm("12")[0] == board.place_mm("0")[0]
    assert board.place_mm("23") == (board.point_centres_mm[11], board.frame_mm / 2)
    assert board.place_mm("near_tray")[0] > board.place_mm("23")[0]
    assert len({board.place_mm(name) for name in M.order}) == 27


def test_rails_fit_every_boards_frame_and_no_two_chambers_meet() -> None:
    rails = M.rails
    for board in M.boards.values():
        assert rails.on_frame_mm <= board.frame_mm
        far = sorted(board.place_mm(name)[0] for name in M.order if board.place_mm(name)[1] > board.outer_mm[1] / 2)
        gaps = [b - a for a, b in itertools.pairwise(far)]
        assert min(gaps) >= rails.led_mm[0] + rails.cross_wall_mm
        end = board.outer_mm[0] + board.rail_overhang_mm
        assert far[-1] + rails.led_mm[0] / 2 + rails.cross_wall_mm <= end


def test_the_die_holds_its_parts() -> None:
    die = M.die
    assert die.edge_range_mm[0] <= die.edge_mm <= die.edge_range_mm[1]
    length, width, height = die.board_mm
    assert max(length, width, die.cell_mm[0]) <= die.cavity_mm
    stack = die.edge_mm - die.wall_mm - die.lid_mm
    assert height + 1.5 + die.cell_mm[1] <= stack  # 1.5: the accelerometer's board
    assert die.wall_mm - die.pip_depth_mm >= M.printer.min_wall_mm


def test_board_toml_holds_nothing_that_is_not_read() -> None:
    with measures.BOARD_FILE.open("rb") as file:
        tables = set(tomllib.load(file))
    known = {field.name for field in dataclasses.fields(measures.Measures)} - {"order"}
    assert {*sizes.PARTS} < known
    assert tables == known | {"schema", "slots"}
