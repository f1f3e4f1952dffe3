"""The 128x64 picture: nothing cut, whatever is said in whatever language; and its bytes for the SSD1306."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from nardi.text.catalogue import Plural, languages, load
from nardi.text.message import Message, Parameter
from nardi.views.font import font
from nardi.views.gallery import exhibits
from nardi.views.paint import HEIGHT, SMALLEST, WIDTH, Box, fit, page_bytes, paint
from nardi.views.scene import scene
from nardi.views.screen import Layout, Screen

WIDEST: dict[str, Parameter] = {
    "source": 24, "target": 18, "point": 24, "number": 6, "high": 6, "low": 5, "larger": 6, "smaller": 5, "pips": 13,
    "a": 6, "b": 6, "count": 15, "allowed": 4, "played": 3, "possible": 4, "farthest": 25, "higher": 24, "hit": 20,
    "wasted": 10, "least": 10, "first": 18, "last": 13, "length": 6, "value": 64, "limit": 64, "away": 25,
    "offered": 3, "most": 3, "counts": 1, "plies": 99, "name": "Anahit", "win": "backgammon", "points": 192,
    "game": 25, "notation": "24/18(2) 13/7(2)", "place": "Off", "color": "black", "die": "w1", "device": "dice",
    "ms": 12345, "verb": "refuse_beaver", "text": "xyz", "kind": "checksum", "file": "match.jsonl", "what": "score",
    "reason": "", "waiting": 12, "black": 1, "white": 1,
}  # fmt: skip
"""The widest values that each parameter has in earnest."""


FAMILIES = ("rules.", "umpire.", "cube.", "score.resigns", "chouette.", "dice.", "device.", "eye.")


def shown_messages(language: str, families: tuple[str, ...] = FAMILIES) -> Iterator[str]:
    """Every sentence that may come onto the screen as a reason, a notice or a fault, in the form that is shown."""
    catalogue = load(language)
    for id in catalogue.sentences:
        if not id.startswith(families):
            continue
        if id.startswith("rules.remedy") or (id.startswith("eye.") and not catalogue.has(f"{id}.short")):
            continue
        if id.endswith(".short") or not catalogue.has(f"{id}.short"):
            yield catalogue.say(Message.of(id, **WIDEST))


def ink(box: Box, text: str, largest: int) -> None:
    """Asserts that every lit pixel of `text`, set as it would be, lies within its box."""
    fitted = fit((text,), box, largest=largest)
    assert not fitted.shortened, text
    face = font(fitted.size_px, fitted.bold)
    for line in fitted.lines:
        left, _, right, _ = face.getbbox(line, mode="1")
        assert right - left <= box.width, text
    assert " ".join(fitted.lines).split() == text.split(), text


@pytest.mark.parametrize("language", languages())
def test_every_reason_fits_beside_the_warning_sign(language: str) -> None:
    """In letters of 11 px at least: see `test_the_main_words_can_be_read_from_a_metre`."""
    box = Box(25, 15, WIDTH, 48)
    for text in shown_messages(language, ("rules.",)):
        ink(box, text, 20)
        assert fit((text,), box, largest=20).size_px >= 11, text


@pytest.mark.parametrize("language", languages())
def test_every_notice_fits_between_title_and_foot(language: str) -> None:
    for text in shown_messages(language):
        ink(Box(0, 15, WIDTH, 50), text, 30)


@pytest.mark.parametrize("language", languages())
def test_every_notice_fits_beside_the_dice(language: str) -> None:
    for text in shown_messages(language, ("umpire.", "cube.", "score.resigns", "chouette.")):
        fitted = fit((text,), Box(63, 15, WIDTH, 50), largest=20)
        assert not fitted.shortened, text


@pytest.mark.parametrize("language", languages())
def test_every_fault_fits_in_the_foot(language: str) -> None:
    catalogue = load(language)
    for id in catalogue.sentences:
        if id.startswith(("eye.", "dice.", "device.", "journal.")) and id.endswith(".short"):
            ink(Box(2, 52, WIDTH - 2, 63), f"! {catalogue.say(Message.of(id, **WIDEST))}", 12)


@pytest.mark.parametrize("language", languages())
def test_every_exhibit_fits(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of any phase is shortened, set below 9 px, or drawn outside the screen."""
    import nardi.views.paint as module

    seen = []

    def watched(paragraphs: tuple[str, ...], box: Box, *, largest: int, bold: bool = True) -> object:
        fitted = fit(paragraphs, box, largest=largest, bold=bold)
        seen.append((paragraphs, fitted, box))
        return fitted

    monkeypatch.setattr(module, "fit", watched)
    for exhibit in exhibits():
        seen.clear()
        paint(
            scene(
                exhibit.match, now_ms=exhibit.now_ms, language=language, advice=exhibit.advice, remark=exhibit.remark
            ).screen
        )
        for paragraphs, fitted, box in seen:
            assert not fitted.shortened, (exhibit.name, paragraphs)
            assert fitted.size_px >= SMALLEST, (exhibit.name, paragraphs)
            assert 0 <= box.left < box.right <= WIDTH, (exhibit.name, box)
            assert 0 <= box.top < box.bottom <= HEIGHT, (exhibit.name, box)


@pytest.mark.parametrize("language", languages())
def test_the_main_words_can_be_read_from_a_metre(language: str) -> None:
    """On a 1.3 inch screen a pixel is 0.23 mm: 11 px letters are 2.5 mm, and 5 arc minutes at a metre are 1.5 mm."""
    for exhibit in exhibits():
        screen = scene(exhibit.match, now_ms=exhibit.now_ms, language=language, advice=exhibit.advice).screen
        if screen.layout is Layout.LINES and screen.lines and len(screen.lines) == 1:
            fitted = fit(screen.lines, Box(0, 15, WIDTH, 50), largest=30)
            assert fitted.size_px >= 11, (exhibit.name, fitted)


def test_the_painter_marks_the_players_apart() -> None:
    """White's title is filled, Black's outlined."""
    for name, filled in (("to_play", True), ("to_play_double", False)):
        exhibit = next(exhibit for exhibit in exhibits() if exhibit.name == name)
        picture = paint(scene(exhibit.match, now_ms=0).screen)
        assert bool(picture.getpixel((4, 4))) is filled


@settings(max_examples=60, deadline=None)
@given(
    layout=st.sampled_from(Layout),
    lines=st.lists(st.text(max_size=60), max_size=4).map(tuple),
    title=st.text(max_size=60),
    alert=st.text(max_size=80),
    dice=st.lists(st.integers(0, 6), max_size=2).map(tuple),
)
def test_anything_can_be_painted(
    layout: Layout, lines: tuple[str, ...], title: str, alert: str, dice: tuple[int, ...]
) -> None:
    screen = Screen(layout, lines, "en", title=title, alert=alert, dice=dice, names=(title, alert), score=("1", "2"))
    assert paint(screen).size == (WIDTH, HEIGHT)


def test_what_is_too_long_ends_in_an_ellipsis() -> None:
    fitted = fit(("word " * 200,), Box(0, 0, 100, 30), largest=20)
    assert fitted.shortened
    assert fitted.lines[-1].endswith("…")


def test_a_word_too_wide_is_broken_not_cut() -> None:
    fitted = fit(("a" * 40,), Box(0, 0, 100, 60), largest=20)
    assert "".join(fitted.lines) == "a" * 40


def test_page_bytes_are_in_the_controllers_order() -> None:
    picture = Image.new("1", (WIDTH, HEIGHT), 0)
    for x, y in ((0, 0), (3, 9), (127, 63), (64, 31)):
        picture.putpixel((x, y), 1)
    expected = bytearray(WIDTH * HEIGHT // 8)
    expected[0] = 0b0000_0001
    expected[128 + 3] = 0b0000_0010
    expected[7 * 128 + 127] = 0b1000_0000
    expected[3 * 128 + 64] = 0b1000_0000
    assert page_bytes(picture) == bytes(expected)


@given(st.binary(min_size=1024, max_size=1024))
@settings(max_examples=20, deadline=None)
def test_page_bytes_hold_every_pixel(data: bytes) -> None:
    picture = Image.frombytes("1", (WIDTH, HEIGHT), data)
    pages = page_bytes(picture)
    for x, y in ((0, 0), (17, 5), (100, 40), (127, 63), (63, 32)):
        assert bool(pages[y // 8 * WIDTH + x] >> y % 8 & 1) == bool(picture.getpixel((x, y)))


def test_page_bytes_refuse_another_size() -> None:
    with pytest.raises(ValueError, match="128x64, not 64x128"):
        page_bytes(Image.new("1", (64, 128)))


def test_plural_sentences_of_the_screen_fit_in_every_form() -> None:
    for language in languages():
        sentence = load(language).sentences["screen.lost.more"]
        assert isinstance(sentence, Plural)
        for count in (1, 2, 11, 21, 22, 24):
            ink(Box(0, 51, WIDTH, 64), load(language).say(Message.of("screen.lost.more", count=count)), 14)


@pytest.mark.parametrize("language", languages())
def test_the_font_has_every_letter_of_the_catalogue(language: str) -> None:
    """A letter that DejaVu Sans lacks would be drawn as the same little box as U+FFFF."""
    catalogue = load(language)
    letters = {letter for id in catalogue.sentences for letter in catalogue.say(Message.of(id, **WIDEST))}
    for bold in (False, True):
        missing = bytes(font(24, bold).getmask("\uffff"))
        for letter in letters - {" ", "\u00a0"}:
            assert bytes(font(24, bold).getmask(letter)) != missing, f"{letter!r} U+{ord(letter):04X}"
