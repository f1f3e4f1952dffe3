"""`nardi plays`: the legal end positions of positions and rolls, JSON lines in and out."""

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from nardi.errors import InputError
from nardi.rules import LegalPlays, Position, Roll, find_ruleset
from nardi.text.message import Message


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("plays", help="legal end positions of positions and rolls (JSON lines)")
    parser.add_argument("file", nargs="?", default="-", help="JSON lines; '-' or nothing: standard input")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answers every good line; the faults of all bad ones are reported together at the end (exit code 2)."""
    faults: list[Message] = []
    file = "<stdin>" if arguments.file == "-" else arguments.file
    # Bytes, so that a broken character spoils one line only.
    lines = getattr(sys.stdin, "buffer", sys.stdin) if arguments.file == "-" else _lines(arguments.file)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            question = _question(line)
            answer = json.dumps({**question, "ends": _ends(question)})
        except InputError as error:
            faults += error.located(file, number)
        else:
            # At once: whoever asks over a pipe may wait for the answer before the next question.
            _write(f"{answer}\n", flush=arguments.file == "-")
    _write("", flush=True)
    if faults:
        raise InputError(*faults)
    return 0


def _write(text: str, flush: bool) -> None:
    try:
        sys.stdout.write(text)
        if flush:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(
            Message.of("input.unwritable", file="<stdout>", reason=error.strerror or str(error))
        ) from error


def _lines(file: str) -> Iterator[bytes]:
    """The lines of a file, not decoded. Raises InputError."""
    try:
        with open(file, "rb") as opened:
            yield from opened
    except FileNotFoundError as error:
        raise InputError(Message.of("input.missing_file", file=file)) from error
    except OSError as error:
        raise InputError(Message.of("input.unreadable", file=file, reason=error.strerror or str(error))) from error


def _question(line: str | bytes) -> dict[str, Any]:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError) as error:  # no JSON, no UTF-8, an endless number, too deep
        raise InputError(Message.of("plays.not_json", reason=str(error))) from error
    if not isinstance(question, dict):
        raise InputError(Message.of("plays.not_an_object"))
    missing = [key for key in ("ruleset", "position", "dice") if key not in question]
    if missing:
        raise InputError(Message.of("plays.missing", keys=", ".join(missing)))
    return question


def _ends(question: dict[str, Any]) -> list[str]:
    ruleset = find_ruleset(str(question["ruleset"]))
    position = Position.from_text(str(question["position"]), ruleset)
    dice = question["dice"]
    if not isinstance(dice, list) or len(dice) != 2 or not all(type(die) is int and 1 <= die <= 6 for die in dice):
        raise InputError(Message.of("plays.bad_dice", dice=json.dumps(dice)[:60]))
    first_turn = question.get("first_turn", False)
    if not isinstance(first_turn, bool):
        raise InputError(Message.of("plays.bad_first_turn", value=json.dumps(first_turn)[:60]))
    return sorted(end.text for end in LegalPlays(position, Roll(*dice), ruleset, first_turn).ends)
