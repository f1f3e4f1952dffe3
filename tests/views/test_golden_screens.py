"""Every phase in every language, pixel for pixel. To look at them: `nardi screens OUT`; to renew them:

    NARDI_RENEW_GOLDEN=1 .venv/bin/python -m pytest tests/views/test_golden_screens.py

and then look at each changed picture before it is committed.
"""

import os
from pathlib import Path

import pytest
from PIL import Image, ImageChops, features

from nardi.text.catalogue import languages
from nardi.views.gallery import Exhibit, exhibits
from nardi.views.paint import paint
from nardi.views.scene import Scene, scene
from nardi.views.table_picture import table_picture

GOLDEN = Path(__file__).parents[1] / "golden" / "screens"
EXHIBITS = {exhibit.name: exhibit for exhibit in exhibits()}
TABLES = (("illegal", "hy"), ("to_play_lifted", "en"), ("lost", "lt"), ("long_to_play", "en"), ("offered_64", "hy"))
RENEW = "NARDI_RENEW_GOLDEN" in os.environ
MADE_WITH = GOLDEN / "freetype.txt"


def seen(exhibit: Exhibit, language: str) -> Scene:
    return scene(exhibit.match, now_ms=exhibit.now_ms, language=language, advice=exhibit.advice, remark=exhibit.remark)


def same(picture: Image.Image, file: Path, tolerance: float) -> None:
    """Asserts that a picture is the golden one, up to a share `tolerance` of its pixels."""
    if RENEW:
        file.parent.mkdir(parents=True, exist_ok=True)
        picture.save(file, optimize=True)
        MADE_WITH.write_text(f"{features.version('freetype2')}\n", encoding="utf-8")
    with Image.open(file) as opened:
        golden = opened.convert(picture.mode)
    assert golden.size == picture.size
    difference = ImageChops.difference(golden.convert("L"), picture.convert("L")).histogram()
    # Up to 24 of 255 is the same edge, smoothed a little otherwise.
    changed = sum(difference[25:]) / (picture.width * picture.height)
    assert changed <= tolerance, f"{file.name}: {changed:.2%} of the pixels differ"


def tolerance() -> float:
    """None with the FreeType that drew them; another version may hint a few letters otherwise."""
    return 0.0 if MADE_WITH.read_text(encoding="utf-8").strip() == features.version("freetype2") else 0.02


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", EXHIBITS)
def test_screen(name: str, language: str) -> None:
    same(paint(seen(EXHIBITS[name], language).screen), GOLDEN / language / f"{name}.png", 0 if RENEW else tolerance())


@pytest.mark.parametrize(("name", "language"), TABLES)
def test_table_picture(name: str, language: str) -> None:
    exhibit = EXHIBITS[name]
    same(table_picture(exhibit.match, seen(exhibit, language)), GOLDEN / "tables" / f"{name}-{language}.png", 0.01)


def test_no_golden_picture_is_left_over() -> None:
    for language in languages():
        assert {file.stem for file in (GOLDEN / language).glob("*.png")} == set(EXHIBITS)


def test_the_comparison_can_fail(tmp_path: Path) -> None:
    picture = paint(seen(EXHIBITS["to_play"], "en").screen)
    other = tmp_path / "other.png"
    paint(seen(EXHIBITS["to_play_double"], "en").screen).save(other)
    if not RENEW:
        with pytest.raises(AssertionError, match="differ"):
            same(picture, other, 0.02)
