"""Finds every message id that the code can emit, by reading the code: what the catalogues must hold."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOST = ROOT / "host" / "nardi"
VISION = ROOT / "vision" / "nardi_vision"


@dataclass(frozen=True, slots=True)
class Emitted:
    """One place that makes a message. `parameters` None: they are made at run time."""

    id: str
    parameters: frozenset[str] | None
    place: str


# Functions of the code that put an id together from their arguments: name -> (template, argument index or indices,
# parameters that they add themselves).
_MAKERS: dict[str, tuple[str, tuple[int, ...], tuple[str, ...]]] = {
    "Message.of": ("{0}", (0,), ()),
    "Refused": ("{0}", (0,), ()),
    "Trouble": ("{0}", (0,), ()),
    "flaw": ("rules.{0}.{1}", (0, 1), ()),
    "refusal": ("notation.{0}", (1,), ("notation",)),
    "fault": ("{0}", (1,), ()),
    "faults.add": ("{0}", (0,), ("file",)),
    "EyeError": ("eye.{0}", (0,), ()),
    ".fault": ("{0}", (0,), ("key",)),
    "words.say": ("{0}", (0,), ()),
    "catalogue.text": ("{0}", (0,), ()),
}


@cache
def _nodes(folder: Path) -> tuple[tuple[ast.Call | ast.Constant, str], ...]:
    """Every call and every constant of the code in a folder, each with its place."""
    return tuple(
        (node, f"{file.relative_to(ROOT)}:{node.lineno}")
        for file in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call | ast.Constant)
    )


@cache
def emitted() -> tuple[Emitted, ...]:
    """Every call with a literal id."""
    return tuple(
        found
        for folder in (HOST, VISION)
        for node, place in _nodes(folder)
        if isinstance(node, ast.Call)
        for found in _of_call(node, place)
    )


def _of_call(call: ast.Call, place: str) -> Iterator[Emitted]:
    name = ast.unparse(call.func)
    maker = _MAKERS.get(name) or _MAKERS.get(".fault" if name.endswith(".fault") else "")
    if maker is None:
        return
    template, indices, added = maker
    options: list[tuple[str, ...]] = [()]
    for index in indices:
        if index >= len(call.args):
            return
        values = tuple(_strings(call.args[index]))
        options = [(*option, value) for option in options for value in values]
    given: set[str] | None = set(added)
    for keyword in call.keywords:
        if keyword.arg is None:
            given = None
        elif given is not None and not (name == "EyeError" and keyword.arg == "remedy"):
            given.add(keyword.arg)
    for option in options:
        id = template.format(*option)
        if "." in id:
            yield Emitted(id, frozenset(given) if given is not None else None, place)


def _strings(node: ast.expr) -> Iterator[str]:
    """The literal strings that an expression may be: itself, or either branch of a conditional."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _strings(node.body)
        yield from _strings(node.orelse)


def literals() -> Iterator[Emitted]:
    """Every string of the host's code that looks like an id of a known family, wherever it stands."""
    for node, place in _nodes(HOST):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _ID.fullmatch(node.value):
            yield Emitted(node.value, None, place)


_FAMILIES = (
    "chouette", "config", "cube", "demo", "devices", "doctor", "eye", "export", "flash", "font", "input", "journal",
    "legend", "notation", "page", "plays", "position", "replay", "rules", "ruleset", "run", "score", "screen",
    "simulate", "text", "tutor", "umpire", "voice",
)  # fmt: skip
_ID = re.compile(rf"({'|'.join(_FAMILIES)})(\.[A-Za-z0-9_-]+)+")


def prefixes() -> Iterator[tuple[str, str]]:
    """(prefix, place) of every id that is put together at run time: `Message.of(f"prefix.{…}")`."""
    for node, place in _nodes(HOST):
        if not (isinstance(node, ast.Call) and ast.unparse(node.func) in ("Message.of", "catalogue.text")):
            continue
        first = node.args[0] if node.args else None
        if isinstance(first, ast.JoinedStr) and isinstance(first.values[0], ast.Constant):
            yield str(first.values[0].value), place
