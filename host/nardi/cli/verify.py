"""`nardi verify JOURNAL`: proves that nothing was lost from a match's record, nor changed in it since."""

import argparse
from pathlib import Path

from nardi.cli.speech import say
from nardi.errors import InputError, JournalError
from nardi.journal.journal import read_chain
from nardi.journal.restore import judge_anew, restore
from nardi.text.message import Message


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("verify", help="prove that a match's record is whole and unchanged")
    parser.add_argument("journal", type=Path, help="the record of a match (.jsonl)")
    parser.add_argument("--rules", action="store_true", help="also judge every observation anew, and tell what differs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """0: sound (a torn last line is said, and is sound). 1: broken, naming the line. 2: no journal to read."""
    path: Path = args.journal
    if not path.is_file():
        raise InputError(Message.of("input.missing_file", file=str(path)))
    try:
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(Message.of("journal.unreadable", file=str(path), reason=reason)) from error
    if empty:
        raise InputError(Message.of("journal.empty", file=str(path)))
    try:
        chain = read_chain(path)
        if any(line.kind == "ruled" for line in chain.lines):
            restore(path)
    except JournalError as error:
        for message in error.messages:
            say(args, message)
        return 1
    if chain.torn:
        say(args, Message.of("journal.torn", file=str(path), line=len(chain.lines) + 1, bytes=len(chain.torn)))
    say(args, Message.of("journal.sound", file=str(path), lines=len(chain.lines)))
    if args.rules:
        differing = judge_anew(chain)
        for judged in differing:
            say(
                args,
                Message.of(
                    "journal.judged_otherwise",
                    line=judged.line,
                    then=" ".join(judged.then) or "-",
                    now=" ".join(judged.now) or "-",
                ),
            )
        return 1 if differing else 0
    return 0
