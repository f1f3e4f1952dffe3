"""Every message that the code can emit is in every language, with the parameters that the code gives it."""

import string
from collections.abc import Iterator

import pytest

from nardi.text.catalogue import Catalogue, Plural, languages, load
from nardi_vision.framing import FramingFault
from nardi_vision.reading import EyeFault
from text.emitted import Emitted, emitted, literals, prefixes

LANGUAGES = languages()


def wordings(catalogue: Catalogue, id: str) -> tuple[str, ...]:
    sentence = catalogue.sentences[id]
    return tuple(sentence.forms.values()) if isinstance(sentence, Plural) else (sentence,)


def parameters(catalogue: Catalogue, id: str) -> set[str]:
    sentence = catalogue.sentences[id]
    counted = {sentence.count} if isinstance(sentence, Plural) else set()
    bare = (wording.replace("[", "").replace("]", "") for wording in wordings(catalogue, id))
    return counted | {name for wording in bare for _, name, _, _ in string.Formatter().parse(wording) if name}


def optional(catalogue: Catalogue, id: str) -> set[str]:
    """Parameters that stand only within square brackets."""
    found: set[str] = set()
    for wording in wordings(catalogue, id):
        for part in wording.split("[")[1:]:
            fields = list(string.Formatter().parse(part.partition("]")[0]))
            if len(fields) > 1 or fields[0][0]:
                found.update(name for _, name, _, _ in fields if name)
    return found


def by_id() -> Iterator[Emitted]:
    yield from emitted()
    yield from literals()
    for fault in EyeFault:
        if fault not in (EyeFault.HAND, EyeFault.MOVING, EyeFault.DOUBT):
            yield Emitted(f"eye.{fault.value}", frozenset(), "vision/nardi_vision/reading.py")
    for lack in FramingFault:
        yield Emitted(f"framing.{lack.value}", None, "vision/nardi_vision/framing.py")


def test_the_code_is_read() -> None:
    """Guards the reader itself: ids made in each of the ways it knows are found."""
    found = {message.id for message in by_id()}
    for id in (
        "rules.R3.closed",
        "umpire.refused.no_clock",
        "eye.picture_torn",
        "cube.crawford",
        "screen.paused",
        "input.not_toml",
        "position.too_many",
        "notation.bad_score",
    ):
        assert id in found, id
    assert len(found) > 250


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_emitted_message_has_its_sentence(language: str) -> None:
    catalogue = load(language)
    missing = {f"{found.id} ({found.place})" for found in by_id() if not catalogue.has(found.id)}
    assert not missing, "\n".join(sorted(missing))


@pytest.mark.parametrize("language", LANGUAGES)
def test_ids_made_at_run_time_have_sentences(language: str) -> None:
    catalogue = load(language)
    for prefix, place in prefixes():
        if prefix.endswith("."):
            assert any(id.startswith(prefix) for id in catalogue.sentences), f"{prefix}… ({place})"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_sentences(language: str) -> None:
    assert set(load(language).sentences) == set(load("en").sentences)


@pytest.mark.parametrize("language", LANGUAGES)
def test_parameters_are_those_that_the_code_gives(language: str) -> None:
    catalogue = load(language)
    wrong = []
    for found in emitted():
        if found.parameters is None or not catalogue.has(found.id):
            continue
        unknown = parameters(catalogue, found.id) - found.parameters - optional(catalogue, found.id)
        if unknown:
            wrong.append(f"{found.id}: {sorted(unknown)} is not given at {found.place}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_parameters_agree_with_english(language: str) -> None:
    catalogue, english = load(language), load("en")
    for id in english.sentences:
        ours, theirs = parameters(catalogue, id), parameters(english, id)
        # A count may steer the form of a sentence in one language only.
        counts = {
            sentence.count
            for sentence in (catalogue.sentences[id], english.sentences[id])
            if isinstance(sentence, Plural)
        }
        assert ours - counts == theirs - counts, id


@pytest.mark.parametrize("language", LANGUAGES)
def test_word_forms_exist(language: str) -> None:
    """`{color:acc_one}` is of use only where white and black have that form."""
    catalogue = load(language)
    forms = {form for word in catalogue.words.values() for form in word} | {"play"}
    for id in catalogue.sentences:
        for wording in wordings(catalogue, id):
            bare = wording.replace("[", "").replace("]", "")
            for _, name, spec, _ in string.Formatter().parse(bare):
                assert not name or not spec or spec.startswith(".") or spec in forms, f"{id}: {spec}"
    of_colors = set(catalogue.words["white"])
    assert of_colors == set(catalogue.words["black"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_in_the_script_of_the_language(language: str) -> None:
    """No sentence was left in another language's letters; an Armenian one ends in an Armenian full stop."""
    for id in load(language).sentences:
        for wording in wordings(load(language), id):
            armenian = any("\u0531" <= letter <= "\u058f" for letter in wording)
            assert not any("\u0400" <= letter <= "\u04ff" for letter in wording), id
            if language != "hy":
                assert not armenian, id
            elif wording.endswith("."):
                assert not armenian, f"{id}: ends in a Latin full stop"
            # U+0589 is the Armenian full stop; a colon in its place looks alike and is read wrongly aloud.
            if language == "hy" and armenian:
                assert not wording.endswith(":"), id
