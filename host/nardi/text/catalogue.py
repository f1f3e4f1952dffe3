"""Catalogues: every sentence shown or spoken, by message id; a language is a folder of TOML files (see README.md)."""

import re
import string
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from nardi.errors import InputError
from nardi.text.message import Message, Parameter

ENGLISH = "en"
"""The language every other falls back to, sentence by sentence."""


def _one_other(n: int) -> str:
    return "one" if n == 1 else "other"


def _zero_one_other(n: int) -> str:
    return "one" if n in (0, 1) else "other"


def _one_few_other(n: int) -> str:
    if n % 100 in range(11, 20) or n % 10 == 0:
        return "other"
    return "one" if n % 10 == 1 else "few"


PLURALS: Mapping[str, Callable[[int], str]] = {
    "one-other": _one_other,
    "zero-one-other": _zero_one_other,
    "one-few-other": _one_few_other,
}
"""The plural rules a catalogue may name, after Unicode CLDR: English, Armenian, Lithuanian."""


@dataclass(frozen=True, slots=True)
class Plural:
    """A sentence that depends on the count in parameter `count`: one wording a form of the language's plural rule."""

    count: str
    forms: Mapping[str, str]


Sentence = str | Plural


class _Filler(string.Formatter):
    """Fills `{name}`, `{name:form}` (a word in that form), `{name:play}` (a play) and `{name:.1}` (decimals)."""

    def __init__(self, words: Mapping[str, Mapping[str, str]], decimal: str) -> None:
        self._words = words
        self._decimal = decimal

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        # A caller forgot a parameter: a gap in a sentence beats a table that stops.
        return kwargs.get(str(key), "")

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "play":
            return self.play(str(value))
        if format_spec.startswith(".") and isinstance(value, int | float):
            return f"{value:{format_spec}f}".replace(".", self._decimal)
        if format_spec:
            return self._words.get(str(value), {}).get(format_spec, str(value))
        if isinstance(value, float):
            return f"{value:g}".replace(".", self._decimal)
        return str(value)

    def play(self, notation: str) -> str:
        """A play in strict notation with bar and off in this language."""
        for word in ("bar", "off"):
            notation = notation.replace(word, self._words.get(word, {}).get("at", word))
        return notation


_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


def _without_gaps(sentence: str, parameters: Mapping[str, Parameter]) -> str:
    """The sentence without the `[parts]` of which some parameter is missing or empty."""

    def kept(part: re.Match[str]) -> str:
        fields = list(string.Formatter().parse(part[1]))
        names = [name for _, name, _, _ in fields if name]
        if not names or (len(fields) == 1 and not fields[0][0]):
            # `[Y/n]` and `[{section}]` are brackets to be read: there is nothing to be left out with a parameter.
            return part[0]
        return part[1] if all(parameters.get(name, "") != "" for name in names) else ""

    return _OPTIONAL.sub(kept, sentence)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The sentences of one language. `words` holds names of things (white, gammon …) in their grammatical forms."""

    language: str
    name: str
    plural: str
    decimal: str
    sentences: Mapping[str, Sentence]
    words: Mapping[str, Mapping[str, str]]
    voice: str

    def say(self, message: Message) -> str:
        """The message in this language. Never fails: in English where this language lacks it, else the bare id."""
        parameters = dict(message.parameters)
        sentence = self.sentences.get(message.id)
        if sentence is None:
            if self.language != ENGLISH:
                return load(ENGLISH).say(message)
            given = ", ".join(f"{name}={value}" for name, value in message.parameters)
            return f"{message.id} ({given})" if given else message.id
        if isinstance(sentence, Plural):
            count = parameters.get(sentence.count, 0)
            form = PLURALS[self.plural](abs(int(count)) if isinstance(count, int | float) else 0)
            sentence = sentence.forms.get(form, sentence.forms["other"])
        return _Filler(self.words, self.decimal).vformat(_without_gaps(sentence, parameters), (), parameters)

    def has(self, id: str) -> bool:
        return id in self.sentences

    def text(self, id: str, **parameters: Parameter) -> str:
        """A sentence by its id: `say(Message.of(id, …))`."""
        return self.say(Message.of(id, **parameters))

    def play(self, notation: str) -> str:
        """A play in strict notation as this language writes it (`bar/20` is `բար/20`)."""
        return _Filler(self.words, self.decimal).play(notation)

    def word(self, word: str, form: str = "word") -> str:
        """A word of the catalogue in one form; the bare word where it has none."""
        return self.words.get(word, {}).get(form, word)


def t(message: Message, language: str) -> str:
    """The message in a language: `load(language).say(message)`."""
    return load(language).say(message)


def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    found = sorted(entry.name for entry in _folder().iterdir() if (entry / "language.toml").is_file())
    return (ENGLISH, *(language for language in found if language != ENGLISH))


def parse(language: str, texts: Mapping[str, str]) -> Catalogue:
    """A catalogue from the texts of its files, by file name; one of them is `language.toml`.

    Raises ValueError for faulty TOML, an unknown plural rule, a plural sentence without `count` or `other`, and an id
    that stands in two files.
    """
    tables = {name: tomllib.loads(text) for name, text in texts.items()}
    about = tables["language.toml"]["language"]
    if about["plural"] not in PLURALS:
        raise ValueError(f"{language}: plural rule {about['plural']!r} is none of {', '.join(PLURALS)}")
    sentences: dict[str, Sentence] = {}
    for name, table in tables.items():
        for id, value in table.get("sentences", {}).items():
            if id in sentences:
                raise ValueError(f"{language}/{name}: {id} stands in two files")
            sentences[id] = value if isinstance(value, str) else _plural(f"{language}/{name}: {id}", value)
    words = tables["language.toml"]["words"]
    return Catalogue(language, about["name"], about["plural"], about["decimal"], sentences, words, about["voice"])


def _plural(where: str, value: Mapping[str, str]) -> Plural:
    forms = {form: wording for form, wording in value.items() if form != "count"}
    if "other" not in forms or "count" not in value:
        raise ValueError(f"{where}: a plural sentence needs `count` and `other`")
    return Plural(value["count"], forms)


@cache
def load(language: str) -> Catalogue:
    """The catalogue of a language. Raises InputError for one that does not exist."""
    if language not in languages():
        known = ", ".join(languages())
        raise InputError(Message.of("text.unknown_language", language=language, known=known))
    texts = {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in sorted((_folder() / language).iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".toml")
    }
    return parse(language, texts)


def _folder() -> Traversable:
    return files("nardi.text") / "catalogues"
