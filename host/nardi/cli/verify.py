"""`nardi verify FILE`: proves that a journal is whole and unchanged."""

import argparse
from pathlib import Path


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("verify", help="prove that a journal is whole and unchanged")
    parser.add_argument("file", type=Path, metavar="FILE", help="a match's journal")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """0: sound (a torn last line is said, and is sound); 1: broken, naming the line. Unusable files raise InputError."""
    from nardi.cli.speech import say
    from nardi.journal.restoring import restore
    from nardi.text.message import Message

    restored = restore(args.file)
    read = restored.read
    if read.broken is not None:
        say(args, read.broken)
        return 1
    if read.torn is not None:
        say(args, read.torn)
    say(args, Message.of("journal.sound", file=str(args.file), lines=len(read.lines), rulings=len(restored.events)))
    return 0
