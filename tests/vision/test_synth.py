"""Drawn boards: what the labels say is what the picture shows, and the simulated camera holds still."""

import cv2
import numpy as np
import pytest

from nardi_vision.synth import BoardContents, Camera, CameraSpec, SimCube, SimDie, SimulatedCamera, draw, random_board
from nardi_vision.synth.board import luminance
from nardi_vision.synth.contents import BAR

EMPTY = [(None, 0)] * 24


def contents(**slots):
    points = list(EMPTY)
    for name, content in slots.items():
        points[int(name[1:])] = content
    return BoardContents(tuple(points))


def test_same_seed_draws_the_same_picture():
    first, again, other = draw(seed=4, size=(320, 240)), draw(seed=4, size=(320, 240)), draw(seed=5, size=(320, 240))
    assert np.array_equal(first.image, again.image)
    assert not np.array_equal(first.image, other.image)


@pytest.mark.parametrize("seed", range(12))
def test_labels_are_in_the_contract_order(seed):
    labels = draw(seed=seed, size=(320, 240)).labels
    corners = labels.corners
    edges = np.roll(corners, -1, axis=0) - corners
    turns = edges[:, 0] * np.roll(edges, -1, axis=0)[:, 1] - edges[:, 1] * np.roll(edges, -1, axis=0)[:, 0]
    assert (turns > 0).all(), "clockwise in the picture"
    assert corners[0, 1] <= corners[2, 1], "of the two choices corner 0 is the higher"


@pytest.mark.parametrize("seed", range(12))
def test_tops_lie_where_their_slots_are(seed):
    labels = draw(seed=seed, size=(320, 240)).labels
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_board = cv2.getPerspectiveTransform(labels.corners.astype(np.float32), square)
    edge, width = labels.layout
    for top in labels.tops:
        if top.slot >= BAR or top.layer or labels.tilt_deg > 12:
            continue
        x, y = cv2.perspectiveTransform(np.array([[top.at]], np.float32), to_board)[0, 0]
        column = (x - edge) / width if x < 0.5 else 12 - (1 - edge - x) / width
        assert abs(column - (top.slot % 12 + 0.5)) < 0.75
        assert (y < 0.62) if top.slot < 12 else (y > 0.38)


def test_counts_agree_with_the_tops_drawn():
    for seed in range(10):
        labels = draw(seed=seed, size=(320, 240)).labels
        for slot, (shade, rows) in enumerate(labels.slots):
            mine = [top for top in labels.tops if top.slot == slot]
            assert len(mine) == sum(rows)
            assert all(top.shade == shade for top in mine)


def test_light_checkers_are_the_brighter():
    for seed in range(200):
        board = random_board(np.random.default_rng(seed))
        assert luminance(board.light.tint) >= luminance(board.dark.tint)


def test_a_tilted_camera_sees_tops_lean_away():
    camera = Camera(CameraSpec(tilt_deg=40, azimuth_deg=90), 13.0, 11.0)
    foot, head = camera.project(np.array([[6.5, 2.0, 0.0], [6.5, 2.0, 0.3]]))
    assert head[1] < foot[1] - 3


def test_lens_maps_undo_what_project_bends():
    camera = Camera(CameraSpec(lens=0.12), 13.0, 11.0)
    points = np.array([[0, 0, 0], [13, 11, 0], [3, 9, 0]], float)
    bent, straight = camera.project(points), camera.flat(points)
    xs, ys = camera.lens_maps()
    for (bx, by), (sx, sy) in zip(bent, straight, strict=True):
        assert abs(xs[round(by), round(bx)] - sx) < 1.2
        assert abs(ys[round(by), round(bx)] - sy) < 1.2
    assert np.abs(bent - straight).max() > 3


def test_simulated_camera_moves_only_what_moved():
    camera = SimulatedCamera(3, (480, 360))
    before = camera.frame(contents(s0=("light", 3), s8=("dark", 2)), seed=1).astype(int)
    after = camera.frame(contents(s0=("light", 2), s8=("dark", 2), s5=("light", 1)), seed=1).astype(int)
    changed = np.abs(before - after).max(axis=2) > 40
    ys, xs = np.nonzero(changed)
    a, b, _, d = (np.array(corner) for corner in camera.corners)
    assert len(xs) > 50
    # The third checker of slot 0, the new one on slot 5 and their shadows: all in the first half's upper row.
    assert xs.max() < (a + (b - a) * 0.56)[0]
    assert ys.max() < (a + (d - a) * 0.56)[1]


@pytest.mark.parametrize("style", [3, 5, 6])
def test_a_checker_on_the_bar_lies_beside_the_cube_and_not_in_it(style):
    camera = SimulatedCamera(style, (480, 360))
    board = contents(s0=("light", 5), s23=("dark", 5))
    hit = BoardContents(board.points, 0, 1, 0, 0)

    def seen(cube):
        pair = [camera.frame(what, cube=cube, seed=1).astype(int) for what in (board, hit)]
        return (np.abs(pair[0] - pair[1]).max(axis=2) > 25).sum()

    assert seen(SimCube(64, 0.5, 0.5)) > 0.85 * seen(None) > 50


def test_simulated_camera_shows_hand_dice_cube_light_and_nudge():
    camera = SimulatedCamera(5, (480, 360))
    board = contents(s0=("light", 5), s23=("dark", 5))
    plain = camera.frame(board, seed=1)
    assert np.array_equal(plain, camera.frame(board, seed=1))
    assert not np.array_equal(plain, camera.frame(board, seed=2)), "noise differs from frame to frame"
    assert np.abs(plain.astype(int) - camera.frame(board, seed=2)).mean() < 4
    for other in (
        camera.frame(board, hand=(0.3, 0.5), seed=1),
        camera.frame(board, dice=[SimDie(3, 0.3, 0.5)], seed=1),
        camera.frame(board, cube=SimCube(2, 0.5, 0.5), seed=1),
    ):
        assert (np.abs(plain.astype(int) - other).max(axis=2) > 40).sum() > 30
    assert camera.frame(board, light=0.5, seed=1).mean() < 0.65 * plain.mean()
    warm = camera.frame(board, warmth=0.8, seed=1).astype(float).mean(axis=(0, 1))
    assert warm[2] / warm[0] > 1.3 * plain[..., 2].mean() / plain[..., 0].mean()
    nudged = camera.frame(board, shift_px=(6, 0), seed=1)
    assert np.array_equal(nudged[:, 6:], plain[:, :-6])
