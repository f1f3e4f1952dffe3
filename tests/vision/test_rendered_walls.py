"""Walls of rendered boards stand round what is sunken and nowhere else: corners are labelled at their feet."""

import importlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from nardi_vision.synth.board import random_board
from nardi_vision.synth.surface import holes, outer

FOLDER = Path(__file__).parents[2] / "vision" / "training" / "rendered"


@pytest.fixture(scope="module")
def walls() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        return importlib.import_module("walls")


@pytest.mark.parametrize("sides_through", [False, True])
def test_walls_and_holes_share_out_the_board(walls: ModuleType, sides_through: bool) -> None:
    for seed in range(60):
        spec = random_board(np.random.default_rng(seed))
        x0, y0, x1, y1 = outer(spec)
        parts = np.array([*walls.rectangles(spec, sides_through), *holes(spec)])
        assert (parts[:, 2:] > parts[:, :2]).all()
        assert np.prod(parts[:, 2:] - parts[:, :2], axis=1).sum() == pytest.approx((x1 - x0) * (y1 - y0))
        places = np.random.default_rng(seed).uniform((x0, y0), (x1, y1), (400, 2))
        within = (places[:, None] > parts[:, :2]).all(axis=2) & (places[:, None] < parts[:, 2:]).all(axis=2)
        assert (within.sum(axis=1) == 1).all()


def test_a_beam_ends_where_its_rectangle_does(walls: ModuleType) -> None:
    spec = random_board(np.random.default_rng(3))
    x0, y0, x1, y1 = outer(spec)
    for rounding in (0.0, 0.1):
        solid = walls.beams(spec, 0.5, rounding, np.random.default_rng(1))
        np.testing.assert_allclose(solid.vertices.min(axis=0), [x0, y0, -spec.box])
        np.testing.assert_allclose(solid.vertices.max(axis=0), [x1, y1, 0.5])
        inside = solid.vertices[:, :2]
        for a, b, c, d in holes(spec):
            assert not ((inside > [a + 1e-9, b + 1e-9]) & (inside < [c - 1e-9, d - 1e-9])).all(axis=1).any()
