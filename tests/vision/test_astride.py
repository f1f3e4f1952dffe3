"""Checkers that stand on no point are told."""

import numpy as np
import pytest

from nardi_vision.astride import astride
from nardi_vision.classify import Reader
from nardi_vision.learned import Changes
from nardi_vision.reading import EyeFault
from nardi_vision.rectify import COLUMN_PX, HEIGHT_PX, PANELS, SIDE_PX, TOP_PX
from nardi_vision.shade import marked
from nardi_vision.synth import BoardContents, SimulatedCamera
from nardi_vision.synth.contents import Placed

START = {0: ("light", 5), 4: ("dark", 3), 6: ("dark", 5), 11: ("light", 2), 12: ("dark", 5), 16: ("light", 3)}
START |= {18: ("light", 5), 23: ("dark", 2)}
CHANGED = Changes(np.full(24, 9.0), np.full((24, 68), 9.0, np.float32))
NONE_LAYERED = np.zeros(24, bool)


class Crooked(SimulatedCamera):
    """A table on which one checker more is put down anywhere."""

    def add(self, shade, column, y):
        """`column` 0..11, in halves; `y` in columns from the side of slots 0-11."""
        low, high = int(np.floor(column)), int(np.ceil(column))
        x = (self._spec.column(low) + self._spec.column(high)) / 2
        self.stray = [Placed(shade, x, y, 0.0, low, 0, 5)]

    def _places(self, contents, cube):
        return super()._places(contents, cube) + getattr(self, "stray", [])


def contents():
    points = [(None, 0)] * 24
    for slot, content in START.items():
        points[slot] = content
    return BoardContents(tuple(points))


def maps(*tops, kind=0):
    """`tops`: x in columns from the first column's edge of panel 0, y in columns from the surface's edge."""
    out = np.zeros((5, 72, 88))
    for x, y in tops:
        row, column = (TOP_PX + COLUMN_PX * y - 1.5) / 4, (SIDE_PX + COLUMN_PX * x - 1.5) / 4
        out[kind, round(row), round(column)] = 1.0
    return out


def told(maps, layered, changes=CHANGED):
    return astride(maps, marked(maps), layered, changes)


def test_a_top_between_two_columns_is_on_neither():
    assert told(maps((3.0, 0.5)), NONE_LAYERED) == {2, 3}
    assert told(maps((3.0, 11.5)), NONE_LAYERED) == {14, 15}


def test_what_was_there_when_the_board_was_known_is_an_ornament():
    windows = np.zeros((24, 68), np.float32)
    changes = Changes(np.full(24, 9.0), windows)
    assert not told(maps((3.0, 2.5)), NONE_LAYERED, changes)
    windows[3, 25] = 9.0
    assert not told(maps((3.0, 2.5)), NONE_LAYERED, changes), "one was taken from beside"
    windows[2, 25] = 9.0
    assert told(maps((3.0, 2.5)), NONE_LAYERED, changes) == {2, 3}


def test_a_top_on_its_column_is_not_astride():
    assert not told(maps(*((n + 0.5, 0.5) for n in range(6))), NONE_LAYERED)
    assert not told(maps((2.7, 1.5)), NONE_LAYERED), "put down a little crooked"


def test_a_top_on_the_rail_is_astride():
    assert told(maps((3.5, 0.0)), NONE_LAYERED) == {3}
    assert told(maps((3.5, 12.0)), NONE_LAYERED) == {15}
    assert told(maps((3.5, -0.3)), NONE_LAYERED) == {3}, "most of it lies on the rail"
    assert not told(maps((3.5, -0.7)), NONE_LAYERED), "set aside on a broad frame"


def test_what_is_beside_the_columns_is_a_tray_or_the_bar():
    assert not told(maps((0.0, 3.0), (6.0, 3.0), (6.6, 0.0)), NONE_LAYERED)


def test_the_second_half_has_columns_of_its_own():
    out = np.zeros((5, 72, 88))
    out[1, round((HEIGHT_PX - TOP_PX - 12) / 4), (PANELS[2][0] + SIDE_PX + COLUMN_PX) // 4] = 1.0
    assert told(out, NONE_LAYERED) == {18, 19}


def test_a_checker_that_lies_on_others_is_seen_aside_from_where_it_stands():
    layered = NONE_LAYERED.copy()
    layered[2] = True
    assert not told(maps((3.0, 0.5)), layered)


@pytest.mark.parametrize("kind", [2, 3, 4])
def test_what_may_be_a_die_or_a_hand_is_no_checker_astride(kind):
    both = maps((3.0, 2.5)) + maps((3.0, 2.5), kind=kind)
    assert not told(both, NONE_LAYERED)


@pytest.fixture(scope="module")
def reader():
    return Reader()


def test_drawn_checkers_between_points_are_told_and_straight_ones_are_not(reader):
    told, false = [], []
    for style in range(8):
        camera = Crooked(style, (640, 480))
        learned = reader.learn(camera.frame(contents()), camera.corners, contents())
        straight = reader.read(camera.frame(contents(), seed=1), camera.corners, known=learned)
        false.append(EyeFault.ASTRIDE in straight.faults)
        camera.add("light", 2.5, 2.0)
        reading = reader.read(camera.frame(contents(), seed=1), camera.corners, known=learned)
        told.append({n for n, s in enumerate(reading.points) if s.fault is EyeFault.ASTRIDE} == {2, 3})
        assert told[-1] == (EyeFault.ASTRIDE in reading.faults)
    assert sum(told) >= 6
    assert not any(false)
