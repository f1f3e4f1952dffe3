"""Catalogues: plurals, forms, optional parts, and that nothing a program does with them can fail at the table."""

import pytest

from nardi.errors import InputError
from nardi.text.catalogue import PLURALS, languages, load, parse, t
from nardi.text.message import Message

ABOUT = '[language]\nname = "X"\nplural = "one-few-other"\ndecimal = ","\nvoice = "lt"\n[words.white]\nof = "baltų"\n'


def sentence(wording: str) -> str:
    return f'[sentences]\n"a.b" = {wording}\n'


def say(wording: str, **parameters: str | int | float) -> str:
    catalogue = parse("xx", {"language.toml": ABOUT, "one.toml": sentence(wording)})
    return catalogue.say(Message.of("a.b", **parameters))


def test_languages_english_first() -> None:
    assert languages()[0] == "en"
    assert set(languages()) == {"en", "hy", "lt"}


@pytest.mark.parametrize(
    ("count", "form"),
    [(0, "other"), (1, "one"), (2, "few"), (9, "few"), (10, "other"), (11, "other"), (12, "other"), (19, "other"),
     (20, "other"), (21, "one"), (22, "few"), (101, "one"), (111, "other"), (112, "other")],
)  # fmt: skip
def test_lithuanian_plurals(count: int, form: str) -> None:
    assert PLURALS["one-few-other"](count) == form
    wording = '{ count = "n", one = "{n} one", few = "{n} few", other = "{n} other" }'
    assert say(wording, n=count) == f"{count} {form}"


def test_plurals_of_english_and_armenian() -> None:
    assert [PLURALS["one-other"](n) for n in (0, 1, 2)] == ["other", "one", "other"]
    assert [PLURALS["zero-one-other"](n) for n in (0, 1, 2)] == ["one", "one", "other"]


def test_words_in_their_forms() -> None:
    assert say('"{by:of} eilė"', by="white") == "baltų eilė"
    # A word that is none of the catalogue's stays as it is.
    assert say('"{by:of} eilė"', by="Jonas") == "Jonas eilė"


def test_numbers_with_the_decimal_sign_of_the_language() -> None:
    assert say('"{x:.2} {y} {z}"', x=1.5, y=2.5, z=3) == "1,50 2,5 3"


def test_optional_parts_go_when_a_parameter_is_missing_or_empty() -> None:
    wording = '"[{file}, line {line}: ]wrong[: {why}]"'
    assert say(wording, file="a.toml", line=3, why="x") == "a.toml, line 3: wrong: x"
    assert say(wording, file="a.toml", why="") == "wrong"


def test_brackets_that_hold_nothing_optional_are_read_as_they_are() -> None:
    assert say('"[Y/n] [{section}] four corners [x, y]"', section="eye") == "[Y/n] [eye] four corners [x, y]"


def test_a_forgotten_parameter_does_not_stop_the_table() -> None:
    assert say('"x {gone} y"') == "x  y"


def test_plays_in_the_words_of_the_language() -> None:
    assert load("hy").play("bar/20 6/off(2)") == "բար/20 6/դուրս(2)"
    assert load("en").play("bar/20 6/off(2)") == "bar/20 6/off(2)"


def test_braces_in_parameters_are_not_filled_again() -> None:
    assert say('"{a}"', a="{b} [c]") == "{b} [c]"


def test_an_unknown_id_is_said_in_english_or_bare() -> None:
    assert t(Message.of("no.such", n=1), "hy") == "no.such (n=1)"
    english = parse("xx", {"language.toml": ABOUT})
    assert english.say(Message.of("screen.paused")) == "Paused"


@pytest.mark.parametrize(
    "files",
    [
        {"language.toml": ABOUT.replace("one-few-other", "none")},
        {"language.toml": ABOUT, "one.toml": sentence('{ one = "x" }')},
        {"language.toml": ABOUT, "one.toml": sentence('"x"'), "two.toml": sentence('"y"')},
        {"language.toml": "["},
    ],
)
def test_faulty_catalogues_are_refused(files: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"xx|Expected|Invalid|line"):
        parse("xx", files)


def test_unknown_language() -> None:
    with pytest.raises(InputError) as caught:
        load("zz")
    assert caught.value.message == Message.of("text.unknown_language", language="zz", known="en, hy, lt")
