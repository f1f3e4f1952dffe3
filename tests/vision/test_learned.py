"""What is learned of one board: colours, and that a slot which looks as it did holds what it held."""

import numpy as np
import pytest

from nardi_vision.errors import EyeError
from nardi_vision.learned import LearnedBoard, strips
from nardi_vision.reading import MOST, DieReading, DieState, Slot
from nardi_vision.rectify import HEIGHT_PX, WIDTH_PX, Layout, Rectifier
from nardi_vision.synth import BoardContents, SimulatedCamera, random_board
from nardi_vision.synth.die import SimDie

STYLE = 3
START = {0: ("light", 5), 4: ("dark", 3), 6: ("dark", 5), 11: ("light", 15), 12: ("dark", 5), 18: ("light", 5)}
FLAT = Slot(1 / 31, (1 / 31,) * MOST, (1 / 31,) * MOST)


def contents(slots):
    points = [(None, 0)] * 24
    for slot, content in slots.items():
        points[slot] = content
    return BoardContents(tuple(points))


def layout():
    return Layout(*random_board(np.random.default_rng(STYLE)).layout)


@pytest.fixture(scope="module")
def camera():
    return SimulatedCamera(STYLE, (640, 480))


@pytest.fixture
def learned(camera):
    board = LearnedBoard(layout())
    board.update(camera.frame(contents(START), seed=1), camera.corners, contents(START))
    return board


def canvas(camera, slots, **how):
    frame = camera.frame(contents(slots), **how)
    return Rectifier(camera.corners, (640, 480), layout()).canvas(frame)


def test_strips_begin_at_the_base_of_their_slot():
    canvas = np.zeros((HEIGHT_PX, WIDTH_PX, 3), np.uint8)
    canvas[16:40, :] = 200  # the frame's upper end
    found = strips(canvas)
    assert found[:12, :10].mean() > 0.9 * found.max() > 0
    assert found[12:].max() == 0


def test_an_unchanged_board_has_not_changed(camera, learned):
    assert learned.changes(canvas(camera, START, seed=2)).slots.max() < 1.3


@pytest.mark.parametrize("light", [0.75, 1.2])
def test_other_light_is_no_change(camera, learned, light):
    assert learned.changes(canvas(camera, START, seed=2, light=light)).slots.max() < 2


def test_what_moved_has_changed_and_nothing_else(camera, learned):
    moved = START | {0: ("light", 4), 3: ("light", 1), 11: ("light", 14)}
    changes = learned.changes(canvas(camera, moved, seed=2)).slots
    still = [s for s in range(24) if s not in (0, 3, 11)]
    assert min(changes[[0, 3, 11]]) > 2
    assert max(changes[still]) < 2.5


def test_a_head_of_fifteen_keeps_its_count_while_it_looks_the_same(camera, learned):
    steadied = learned.steadied(learned.changes(canvas(camera, START, seed=2)), [FLAT] * 24)
    assert steadied[11].best == ("light", 15)
    assert steadied[2].best == (None, 0)
    assert sum(steadied[11].light) + sum(steadied[11].dark) + steadied[11].empty == pytest.approx(1)


def test_a_covered_slot_is_not_steadied(camera, learned):
    covered = Slot(FLAT.empty, FLAT.light, FLAT.dark, occluded=True)
    assert learned.steadied(learned.changes(canvas(camera, START, seed=2)), [covered] * 24)[11] == covered


def test_a_head_that_lost_one_is_more_likely_near_its_old_count(camera, learned):
    now = canvas(camera, START | {11: ("light", 14)}, seed=2)
    slot = learned.steadied(learned.changes(now), [FLAT] * 24)[11]
    assert slot.light[13] > slot.light[7] > 0


def test_learned_colours_tell_light_from_dark_where_the_network_cannot(camera, learned):
    dark = learned.shades(canvas(camera, START, seed=2), np.full(24, 0.5))
    for slot, (shade, _) in START.items():
        assert (dark[slot] > 0.6) == (shade == "dark")
        assert (dark[slot] < 0.4) == (shade == "light")


def test_learned_colours_outweigh_a_network_that_takes_one_kind_for_the_other(camera, learned):
    wrong = np.full(24, 0.5)
    for slot, (shade, _) in START.items():
        wrong[slot] = 0.002 if shade == "dark" else 0.998
    dark = learned.shades(canvas(camera, START, seed=2), wrong)
    for slot, (shade, _) in START.items():
        assert (dark[slot] > 0.5) == (shade == "dark")


def test_colours_bear_out_a_parting_in_two_kinds_and_no_other(camera):
    def coherent(contents_of):
        board = LearnedBoard(layout())
        board.update(camera.frame(contents(START), seed=1), camera.corners, contents(contents_of))
        return board.coherent

    assert coherent(START)
    swapped = {"light": "dark", "dark": "light"}
    assert not coherent({slot: (swapped[shade], count) for slot, (shade, count) in START.items()})
    assert not coherent(START | {0: ("dark", 5), 4: ("light", 3)})


def test_a_picture_that_contradicts_news_teaches_nothing_of_that_slot(camera, learned):
    now = START | {0: ("light", 4), 3: ("light", 1)}
    learned.update(camera.frame(contents(START), seed=2), camera.corners, contents(now), doubted={0, 3, 6})
    assert learned.contents[0] is None
    assert learned.contents[3] is None
    assert learned.contents[6] == ("dark", 5)
    flat = learned.steadied(learned.changes(canvas(camera, START, seed=3)), [FLAT] * 24)
    assert flat[0].light == pytest.approx(FLAT.light)
    assert LearnedBoard.from_json(learned.to_json()).contents == learned.contents


def test_what_is_told_twice_is_learned_however_the_eye_reads_it(camera, learned):
    """An empty point that the network takes for a checker would else never be known again."""
    now = START | {3: ("light", 1)}
    for _ in range(2):
        learned.update(camera.frame(contents(now), seed=2), camera.corners, contents(now), doubted={3})
    assert learned.contents[3] == ("light", 1)


@pytest.mark.parametrize(("y", "sure"), [(0.48, True), (0.7, False)])
def test_a_die_is_no_part_of_a_slots_look(camera, learned, y, sure):
    """At the heap's end it hides nothing; upon the heap it leaves the count that was known likelier than others."""
    left = layout()
    at = left.edge + 5.5 * left.width
    slots = START | {17: ("light", 12)}
    taught = camera.frame(contents(slots), dice=(SimDie(3, at, y),), seed=2)
    learned.update(taught, camera.corners, contents(slots), dice=(DieReading(3, 1.0, DieState.FLAT, 0, at, y),))
    slot = learned.steadied(learned.changes(canvas(camera, slots, seed=3)), [FLAT] * 24)[17]
    assert slot.best == ("light", 12)
    assert (slot.confidence > 0.6) == sure


def test_it_can_be_kept_and_found_again(camera, learned):
    import json

    again = LearnedBoard.from_json(json.loads(json.dumps(learned.to_json())))
    assert again.contents == learned.contents
    assert again.changes(canvas(camera, START, seed=2)).slots.max() < 1.5


@pytest.mark.parametrize("broken", [{}, {"layout": [0, 0.07]}, {"layout": "x"}])
def test_what_is_no_learned_board_is_refused(broken):
    with pytest.raises(EyeError, match="learned_unreadable"):
        LearnedBoard.from_json(broken)


def test_where_nothing_has_changed_there_is_no_hand(camera, learned):
    """Bare cloth that a network takes for a hand; a real one changes what is under it."""
    still = learned.changes(canvas(camera, START, seed=2)).alike()
    assert still.shape == (72, 88)
    assert still[10:62, 8:30].mean() > 0.95
    assert not still[:, 38:50].any(), "of the bar and the frame nothing is known"
    covered = canvas(camera, START, seed=2)
    covered[100:180, 40:110] = (120, 150, 200)
    seen = learned.changes(covered).alike()
    assert not seen[28:43, 12:25].any()
    assert seen[10:20, 8:30].mean() > 0.9
