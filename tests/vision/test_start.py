"""Starting positions laid over readings."""

import pytest

from nardi_vision.errors import EyeError
from nardi_vision.pipeline import BLANK, UNSEEN
from nardi_vision.reading import BoardReading, Shade
from nardi_vision.start import STARTS, layouts_of, match_start, orientations, slot_of
from vision.drawn_scene import sure


def reading(points: tuple[tuple[Shade | None, int], ...]) -> BoardReading:
    slots = tuple(sure(*point) for point in points)
    return BoardReading(0, slots, UNSEEN, None, (), None, True, False, (), None)


def test_all_ways_less_those_that_look_alike() -> None:
    ways = list(orientations())
    assert len(ways) == len(set(ways))
    # Backgammon in a mirror with its colours changed is itself, and long nardi turned half round.
    assert len(ways) == 4 + 4
    for way in ways:
        assert sum(count for shade, count in way.points if shade == "light") == 15
        assert sum(count for shade, count in way.points if shade == "dark") == 15


@pytest.mark.parametrize("corner", range(4))
def test_points_run_round_the_board_from_the_ace(corner: int) -> None:
    slots = [slot_of(point, corner) for point in range(1, 25)]
    assert sorted(slots) == list(range(24))
    ends = {0: (0, 11), 1: (11, 0), 2: (23, 12), 3: (12, 23)}[corner]
    assert (slots[0], slots[11]) == ends
    # 12 and 13 face each other across the board, as do 1 and 24.
    assert abs(slots[11] - slots[12]) == 12
    assert abs(slots[0] - slots[23]) == 12


def test_every_orientation_is_recognised_as_itself() -> None:
    for way in orientations():
        match = match_start(reading(way.points))
        assert match.differing == ()
        assert match.contents == way


def test_the_bottom_row_of_a_heap_will_do() -> None:
    way = next(way for way in orientations() if ("light", 15) in way.points)
    points = tuple((shade, min(count, 5)) for shade, count in way.points)
    assert match_start(reading(points)).contents == way


def test_slots_that_differ_are_named() -> None:
    points = list(next(iter(orientations())).points)
    points[0], points[3] = (None, 0), ("light", 2)
    assert match_start(reading(tuple(points))).differing == (0, 3)


def test_hidden_slots_do_not_count_against_a_start() -> None:
    whole = reading(next(iter(orientations())).points)
    hidden = BoardReading(0, (BLANK, *whole.points[1:]), UNSEEN, None, (), None, True, False, (), None)
    assert match_start(hidden).differing == ()


def test_position_text() -> None:
    start = "00000050300005000000000020/00000050300005000000000020"
    assert STARTS[0] in layouts_of(start)
    long = "000000000000000000000000f0/000000000000000000000000f0"
    assert STARTS[1] in layouts_of(long)
    for bad in ("", "12/34", start[:-1], start.replace("5", "x"), start[:-1] + "1"):
        with pytest.raises(EyeError, match="position_unreadable"):
            layouts_of(bad)
