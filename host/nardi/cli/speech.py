"""How commands speak: messages in the language asked for."""

import argparse
import os
import sys
from typing import TextIO

from nardi.text.catalogue import Catalogue, load
from nardi.text.message import Message


def catalogue_of(args: argparse.Namespace) -> Catalogue:
    """The catalogue of `--lang`, else of NARDI_LANG, else English. Raises InputError for an unknown language."""
    return load(args.lang or os.environ.get("NARDI_LANG") or "en")


def say(args: argparse.Namespace, message: Message, file: TextIO | None = None) -> None:
    """Prints a message in the command's language."""
    print(catalogue_of(args).say(message), file=file or sys.stdout)
