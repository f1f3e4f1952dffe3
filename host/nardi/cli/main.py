"""The `nardi` command: finds its subcommands among the modules beside it and puts errors into words."""

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence

import nardi.cli
from nardi.errors import NardiError
from nardi.text.catalogue import languages, load
from nardi.text.message import Message

EXTRAS = {"cv2": "eye", "numpy": "eye", "serial": "devices"}
"""What a smaller installation may lack, and the extra it comes with."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="nardi", description="A companion for a real backgammon or nardi board.", allow_abbrev=False
    )
    parser.add_argument("--lang", choices=languages(), help="language of everything said to you (default: en)")
    parser.set_defaults(lang=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in sorted(info.name for info in pkgutil.iter_modules(nardi.cli.__path__) if not info.ispkg):
        register = getattr(importlib.import_module(f"nardi.cli.{module}"), "register", None)
        if register is not None:
            register(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns 0, 1 (faults found in the game) or 2 (unusable input)."""
    parsed = _parser().parse_args(arguments)
    catalogue = load(parsed.lang or os.environ.get("NARDI_LANG", "en"))
    try:
        return int(parsed.run(parsed))
    except NardiError as error:
        for message in error.messages:
            print(f"nardi: {catalogue.say(message)}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        module = error.name or ""
        if (extra := EXTRAS.get(module)) is None:
            raise
        print(
            f"nardi: {catalogue.say(Message.of('devices.extra_missing', module=module, extra=extra))}",
            file=sys.stderr,
        )
        return 2
    except BrokenPipeError:
        # The reader of our output (head, less) has left; nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
