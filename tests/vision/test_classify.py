"""Single pictures read: drawn boards never trained on, the parts of the reader, and the pictures shared with all."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from nardi_vision.classify import Glance, Look, Reader, bearing, borne_off, counted, hand_cells, spots
from nardi_vision.errors import EyeError
from nardi_vision.reading import MOST, EyeFault, Pile, Slot
from nardi_vision.rectify import COLUMN_PX, HEIGHT_PX, TOP_PX, Layout, Rectifier, column_left
from nardi_vision.shade import SLOTS, marked, peaks, shades
from nardi_vision.synth import BoardContents, SimCube, SimDie, SimulatedCamera, draw

UNSEEN_SEED = 900_000_000
"""Training pictures are drawn from seeds far below this."""
SCENES = Path(__file__).parents[2] / ".." / "shared" / "scenes"


@pytest.fixture(scope="module")
def reader():
    return Reader()


def slot(shade=None, count=0, sure=1.0):
    weights = np.full(2 * MOST + 1, (1 - sure) / (2 * MOST))
    weights[0 if shade is None else count if shade == "light" else MOST + count] = sure
    return Slot(weights[0], tuple(weights[1 : MOST + 1]), tuple(weights[MOST + 1 :]))


def right(reading, labels):
    """Whether each slot that no hand covers is read right (the bottom row alone is right, too)."""
    for index, (shade, rows) in enumerate(labels.slots):
        if index in labels.hidden:
            continue
        seen, count = reading.points[index].best
        yield seen == shade and (count == sum(rows) or (bool(rows) and count == rows[0]))


@pytest.mark.slow
def test_drawn_boards_are_read(reader):
    results, boards = [], []
    for seed in range(UNSEEN_SEED, UNSEEN_SEED + 30):
        drawing = draw(seed=seed, size=(960, 720))
        own = list(right(reader.read(drawing.image, drawing.labels.corners), drawing.labels))
        results += own
        boards.append(all(own))
    assert np.mean(results) > 0.97
    assert np.mean(boards) > 0.6


def test_the_same_picture_is_read_the_same(reader):
    drawing = draw(seed=UNSEEN_SEED, size=(640, 480))
    assert reader.read(drawing.image, drawing.labels.corners) == reader.read(drawing.image, drawing.labels.corners)


def test_weights_are_weights(reader):
    drawing = draw(seed=UNSEEN_SEED + 1, size=(640, 480))
    reading = reader.read(drawing.image, drawing.labels.corners, t_ms=40, per_side=12)
    assert reading.t_ms == 40
    for point in reading.points:
        assert point.empty + sum(point.light) + sum(point.dark) == pytest.approx(1)
        assert sum(point.light[12:]) + sum(point.dark[12:]) < 1e-3, "no more than there are"
    assert sum(reading.bar.light) == pytest.approx(1)


def test_a_reading_holds_plain_numbers_only(reader):
    import pickle

    drawing = draw(seed=UNSEEN_SEED + 2, size=(640, 480))
    data = pickle.dumps(reader.read(drawing.image, drawing.labels.corners))
    assert b"numpy" not in data


VIEWS = {
    "from the other side": ((slice(None, None, -1), slice(None, None, -1)), lambda seen: seen.turned()),
    "in a mirror": ((slice(None), slice(None, None, -1)), lambda seen: seen.mirrored()),
}


@pytest.mark.parametrize("how", VIEWS)
def test_a_look_from_elsewhere_is_put_right(reader, how):
    view, righted = VIEWS[how]
    drawing = draw(seed=UNSEEN_SEED + 3, size=(640, 480))
    corners = drawing.labels.corners
    canvas = Rectifier(corners, (640, 480), reader.layout(drawing.image, corners)).canvas(drawing.image)
    here = reader.glance(canvas)
    there = righted(reader.glance(np.ascontiguousarray(canvas[view])))
    assert (here.bottom.argmax(axis=1) == there.bottom.argmax(axis=1)).mean() > 0.9
    assert np.corrcoef(here.maps[:2].ravel(), there.maps[:2].ravel())[0, 1] > 0.9


class Looking(Reader):
    """Counts its looks, and may doubt what it sees at the first."""

    looks = 0
    doubted = staticmethod(lambda seen: seen)

    def glance(self, canvas):
        self.looks += 1
        seen = super().glance(canvas)
        return self.doubted(seen) if self.looks == 1 else seen


def faint(seen, **parts):
    return replace(seen, **{name: 0.6 * getattr(seen, name) + part for name, part in parts.items()})


@pytest.mark.parametrize(
    ("doubted", "looks"),
    [
        (lambda seen: seen, 1),
        (lambda seen: faint(seen, bottom=0.04), 4),
        (lambda seen: faint(seen, bar=0.4 / 6), 4),
        (lambda seen: replace(seen, maps=hand_of(seen.maps, 25)), 4),
    ],
)
def test_what_is_told_with_doubt_is_looked_at_again(doubted, looks):
    camera = SimulatedCamera(4)
    frame = camera.frame(board(START))
    looking = Looking()
    looking.doubted = doubted
    assert bests(looking.read(frame, camera.corners)) == START
    assert looking.looks == looks
    known = looking.learn(frame, camera.corners, board(START))
    looking.looks = 0
    looking.read(frame, camera.corners, known=known)
    assert looking.looks == 1, "what is known of the board tells more than another look"


def hand_of(maps, cells):
    """Maps with so many cells of the surface under a hand."""
    out = maps.copy()
    out[4, 6:].ravel()[:cells] = 1.0
    return out


def test_bad_corners_are_named(reader):
    with pytest.raises(EyeError, match="corners_not_quadrangle"):
        reader.read(np.zeros((480, 640, 3), np.uint8), [[0, 0], [0, 10], [10, 10], [10, 0]])


START = {0: ("light", 5), 4: ("dark", 3), 6: ("dark", 5), 11: ("light", 2), 12: ("dark", 5), 16: ("light", 3)}
START |= {18: ("light", 5), 23: ("dark", 2)}


def board(slots, **more):
    points = [(None, 0)] * 24
    for index, content in slots.items():
        points[index] = content
    return BoardContents(tuple(points), **more)


def bests(reading):
    return {i: p.best for i, p in enumerate(reading.points) if p.best[1]}


@pytest.mark.parametrize("style", [1, 4])
def test_a_simulated_opening_is_read(reader, style):
    camera = SimulatedCamera(style)
    assert bests(reader.read(camera.frame(board(START)), camera.corners)) == START


def test_a_hand_is_seen_and_what_it_covers_is_named(reader):
    camera = SimulatedCamera(4)
    clear = reader.read(camera.frame(board(START)), camera.corners)
    reading = reader.read(camera.frame(board(START), hand=(0.2, 0.25)), camera.corners)
    assert not clear.hand
    assert reading.hand
    assert not reading.settled
    assert EyeFault.HAND in reading.faults
    assert any(reading.points[i].occluded for i in (0, 1, 2, 3))
    assert not any(p.occluded for p in clear.points)


def test_heads_of_fifteen_are_followed_from_a_known_start(reader):
    camera = SimulatedCamera(4)
    heads = {11: ("light", 15), 12: ("dark", 15)}
    learned = reader.learn(camera.frame(board(heads), seed=1), camera.corners, board(heads))
    reading = reader.read(camera.frame(board(heads), seed=2), camera.corners, known=learned)
    assert bests(reading) == heads
    moved = {11: ("light", 14), 5: ("light", 1), 12: ("dark", 15)}
    after = reader.read(camera.frame(board(moved), seed=3), camera.corners, known=learned)
    assert after.points[5].best == ("light", 1)
    assert after.points[12].best == ("dark", 15)
    assert after.points[11].weight("light", 14) > 0.02


def test_dice_and_cube_are_found_and_read(reader):
    camera = SimulatedCamera(4)
    dice = [SimDie(3, 0.2, 0.5, 20), SimDie(6, 0.8, 0.45, 70)]
    reading = reader.read(camera.frame(board(START), dice=dice, cube=SimCube(4, 0.5, 0.5)), camera.corners)
    assert sorted((d.value, d.half) for d in reading.dice) == [(3, 0), (6, 1)]
    assert all(abs(d.x - w.x) < 0.03 for d, w in zip(sorted(reading.dice, key=lambda d: d.x), dice, strict=True))
    assert reading.cube is not None
    assert reading.cube.side is None
    assert reading.cube.value == 4


def test_what_is_off_the_board_follows_from_what_is_on_it():
    slots = [slot("light", 5)] * 2 + [slot("dark", 3)] * 2 + [slot()] * 20
    nothing = Pile((1.0,) + (0.0,) * MOST, (0.0, 1.0) + (0.0,) * (MOST - 1))
    off = borne_off(slots, nothing, 15)
    assert (off.count("light"), off.count("dark")) == (5, 8)
    assert off.weight("light", 5) > 0.99


def test_what_is_off_the_board_is_counted_as_by_hand():
    rng = np.random.default_rng(1)
    weights = rng.dirichlet(np.full(2 * MOST + 1, 0.05), 24)
    slots = [Slot(w[0], tuple(w[1 : MOST + 1]), tuple(w[MOST + 1 :])) for w in weights.tolist()]
    bar = Pile(*(tuple(w) for w in rng.dirichlet(np.full(MOST + 1, 0.2), 2).tolist()))
    off = borne_off(slots, bar, MOST)
    for shade in ("light", "dark"):
        sums = np.array(getattr(bar, shade))
        for one in slots:
            own = getattr(one, shade)
            sums = np.convolve(sums, [1 - sum(own), *own])
        wanted = sums[MOST::-1] + 1e-6
        assert np.allclose(getattr(off, shade), wanted / wanted.sum(), atol=1e-6)


def test_doubt_on_the_board_is_doubt_off_it():
    unsure = [slot("light", 5, 0.6)] + [slot()] * 23
    nothing = Pile((1.0,) + (0.0,) * MOST, (1.0,) + (0.0,) * MOST)
    assert borne_off(unsure, nothing, 15).weight("light", 10) < 0.7
    covered = [Slot(1.0, (0.0,) * MOST, (0.0,) * MOST, occluded=True)] + [slot()] * 23
    assert borne_off(covered, nothing, 15) is None


def test_peaks_are_found_between_the_cells():
    heat = np.zeros((72, 88))
    heat[10, 20], heat[10, 21] = 0.8, 0.8
    heat[50, 60] = 0.3
    found = peaks(heat, 0.5)
    assert all(abs(x - 4 * 21 + 0.5) < 1.5 for x, _, _ in found)
    assert all(abs(y - 4 * 10.5 + 0.5) < 1.5 for _, y, _ in found)


def test_peaks_at_a_map_s_edge_are_found_and_the_highest_comes_first():
    heat = np.zeros((72, 88), np.float32)
    heat[0, 0], heat[71, 87], heat[30, 40] = 0.6, 0.7, 0.9
    assert np.allclose(peaks(heat, 0.5)[:, :2], [[161.5, 121.5], [349.5, 285.5], [1.5, 1.5]])


def test_tops_seen_at_the_canvas_s_edge_are_no_fault():
    maps = np.zeros((5, 72, 88), np.float32)
    for column in (6, 11, 16, 21):  # the lowest row of cells, middles a fraction of a pixel from where a patch ends
        maps[0, 71, column], maps[0, 70, column] = 0.8, 0.65
        maps[1, 20, column] = 0.8
    middles = marked(maps)
    assert len(middles) == 8
    assert 283.5 < middles[:, 1].max() < 284
    dark = shades(np.zeros((288, 352, 3), np.uint8), maps, middles, np.full(24, 0.5), np.zeros(24))
    assert np.isfinite(dark).all()


@pytest.mark.parametrize("empty", [0.0, 1.0])
def test_a_point_s_ornament_is_no_third_kind_of_checker(empty):
    """Black blots upon points taken for tops would be the dark kind, and both kinds of checkers, red and white, the
    light one."""
    ornaments = (6, 7, 8, 9, 10, 18, 19, 20, 21, 22)
    colours = {(0, 1, 2): (230, 230, 230), (12, 13, 14): (60, 60, 190), ornaments: (5, 5, 5)}
    canvas, maps = np.full((288, 352, 3), 120, np.uint8), np.zeros((5, 72, 88), np.float32)
    dark, nothing = np.full(24, 0.5), np.zeros(24)
    for own, colour in colours.items():
        for slot in own:
            x = column_left(slot) + COLUMN_PX // 2
            y = TOP_PX + 10 if slot < 12 else HEIGHT_PX - TOP_PX - 10
            cv2.circle(canvas, (x, y), 9, colour, -1)
            maps[0, y // 4, x // 4] = 0.6
            nothing[slot] = empty if slot in ornaments else 0.0
    dark[[0, 12]] = 0.02, 0.98  # the network is sure of one of each kind only
    said = shades(canvas, maps, marked(maps), dark, nothing)
    parted = bool((said[[1, 2]] < 0.4).all() and (said[[13, 14]] > 0.6).all())
    assert parted == (empty > 0.5)


def test_canvas_places_belong_to_slots():
    assert SLOTS[40, 16 + 10] == 0
    assert SLOTS[250, 16 + 110] == 12 + 5
    assert SLOTS[40, 200 + 16 + 10] == 6
    assert SLOTS[100, 176] == -1, "the bar"
    assert SLOTS[40, 4] == -1, "the frame"


def test_a_thing_seen_in_two_panels_is_one_thing():
    rectifier = Rectifier([[100, 80], [860, 80], [860, 640], [100, 640]], (960, 720), Layout(0.0, 0.08))
    heat = np.zeros((72, 88))
    pixel = np.array([[482.0, 360.0]])
    for panel in (1, 2):
        x, y = rectifier.to_canvas(pixel, panel)[0] / 4
        heat[round(y), round(x)] = 1.0
    assert len(peaks(heat, 0.5)) == 2
    assert len(spots(rectifier, heat, 0.5, 0.4)) == 1


@pytest.mark.slow
@pytest.mark.skipif(not SCENES.exists(), reason="the shared scenes lie beside the project, and are not there")
@pytest.mark.parametrize(("folder", "least"), [("rendered", 0.98), ("photos", 0.95)])
def test_shared_pictures_are_read(reader, folder, least):
    slots = []
    for line in (SCENES / folder / "labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        frame = cv2.imread(str(SCENES / folder / label["image"]))
        reading = reader.read(frame, label["corners"], per_side=label.get("per_side", 15))
        for index, (shade, count) in enumerate(label["points"]):
            if index in label["hidden"]:
                continue
            layers = label.get("layers", [[]] * 24)[index]
            wanted = {(None if shade == "none" else shade, n) for n in (count, *layers[:1])}
            slots.append(reading.points[index].best in wanted)
    assert np.mean(slots) >= least


def test_checkers_that_are_counted_lie_one_after_the_other_from_the_base():
    bottom = np.full((24, 10), 0.0)
    bottom[:, 0] = 1
    bottom[0], bottom[13], bottom[5] = np.eye(10)[2], np.eye(10)[1], np.full(10, 0.1)
    places = counted(bottom)
    assert len(places) == 3  # of what is in doubt nothing is said
    assert (places[:, 0] == [26, 26, 46]).all()
    assert places[:, 1] == pytest.approx([33.3, 51.9, 288 - 33.3])


def test_a_top_where_no_checker_is_counted_bears_no_die():
    bottom = np.zeros((24, 10))
    bottom[:, 0] = 1
    bottom[0] = [0, 0, 0.5, 0.5, 0, 0, 0, 0, 0, 0]  # two of them, or three
    bar = np.zeros((2, 6))
    bar[:, 0] = 1
    seen = Glance(bottom, np.zeros((24, 16)), np.zeros(24), np.zeros(24), bar, np.zeros((5, 72, 88)))
    second, beyond, other, barred = (26, 52), (26, 110), (66, 52), (176, 100)
    middles = np.array([(*at, 0.9) for at in (second, beyond, other, barred)], float)
    assert bearing(Look(seen, middles, np.zeros(24))).tolist() == [[26, 52]]


def test_what_lies_beside_the_board_is_no_hand_over_it():
    maps = np.zeros((5, 72, 88))
    maps[4, :6] = maps[4, 66:] = 1
    assert hand_cells(maps) == 0
    maps[4, 6:16, :10] = 1
    assert hand_cells(maps) == pytest.approx(100 / maps[4].size)
