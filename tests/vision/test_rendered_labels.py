"""Labels of rendered training pictures survive the way to a file and back, and `nardi appraise` can read them."""

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest

from nardi_vision.appraise.case import load_cases
from nardi_vision.synth import Drawing, draw

FILE = Path(__file__).parents[2] / "vision" / "training" / "rendered" / "labels.py"


@pytest.fixture(scope="module")
def labels() -> ModuleType:
    spec = spec_from_file_location("rendered_labels", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def drawn() -> list[Drawing]:
    # Among these are hands, cubes and dice.
    return [draw(seed=seed, size=(320, 240)) for seed in range(12)]


def test_a_picture_comes_back_as_it_was_written(labels: ModuleType, drawn: list[Drawing], tmp_path: Path) -> None:
    lines = []
    for index, drawing in enumerate(drawn):
        cv2.imwrite(str(tmp_path / f"{index}.jpg"), drawing.image)
        if drawing.labels.hand is not None:
            cv2.imwrite(str(tmp_path / f"{index}.hand.png"), drawing.labels.hand)
        lines.append(json.dumps(labels.row_of(f"{index}.jpg", drawing.labels)))
    (tmp_path / "labels-1.jsonl").write_text("\n".join(lines))
    back = list(labels.drawings(tmp_path))
    assert len(back) == len(drawn)
    assert any(one.labels.hand is not None for one in drawn)
    for one, other in zip(drawn, back, strict=True):
        a, b = one.labels, other.labels
        assert (a.slots, a.bar, a.off, a.hidden, a.trays) == (b.slots, b.bar, b.off, b.hidden, b.trays)
        assert (a.tops, a.dice, a.cube, a.layout, a.tilt_deg) == (b.tops, b.dice, b.cube, b.layout, b.tilt_deg)
        np.testing.assert_allclose(a.corners, b.corners, atol=0.006)
        np.testing.assert_array_equal(
            np.zeros(0) if a.hand is None else a.hand, np.zeros(0) if b.hand is None else b.hand
        )


def test_scenes_are_cases_of_the_appraisal(labels: ModuleType, drawn: list[Drawing], tmp_path: Path) -> None:
    lines = []
    for index, drawing in enumerate(drawn):
        cv2.imwrite(str(tmp_path / f"{index}.jpg"), drawing.image)
        lines.append(json.dumps(labels.scene_of(f"{index}.jpg", drawing.labels)))
    (tmp_path / "labels.jsonl").write_text("\n".join(lines))
    cases = load_cases(tmp_path)
    assert len(cases) == len(drawn)
    for case, drawing in zip(cases, drawn, strict=True):
        want = tuple((shade, sum(layers)) if layers else (None, 0) for shade, layers in drawing.labels.slots)
        assert case.points == want
        assert case.hidden == drawing.labels.hidden
        assert case.bar == drawing.labels.bar
