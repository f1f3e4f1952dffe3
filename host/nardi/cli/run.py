"""`nardi run [CONFIG]`: the table in real time. Whatever is missing is named, and the table plays on without it."""

import argparse
import asyncio
import sys
import threading
from pathlib import Path

from nardi.cli.replay import export, said
from nardi.cli.speech import catalogue_of, say
from nardi.config import Config, parse_config
from nardi.devices.speaker import TableSpeaker
from nardi.errors import InputError
from nardi.game.event import CommandRefused, Event
from nardi.game.match import Match, Phase
from nardi.game.observation import Command, Party, Verb
from nardi.journal.journal import Journal
from nardi.journal.restore import Restored, restore
from nardi.live import LiveTable
from nardi.rules import Ruleset
from nardi.rules.club import rulesets_from_toml
from nardi.text.catalogue import Catalogue
from nardi.text.message import Message
from nardi.views.scene import Scene
from nardi.wiring import open_live, unique

PARTIES: dict[str, Party] = {"white": "white", "w": "white", "black": "black", "b": "black", "referee": "referee"}


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("run", help="run a real table from a configuration file")
    parser.add_argument("config", type=Path, nargs="?", help="TOML; without one: a table played by hand")
    parser.add_argument("--resume", type=Path, metavar="JOURNAL", help="go on with this match")
    parser.add_argument("--new", action="store_true", help="begin a new match without asking about an unfinished one")
    parser.add_argument("--quiet", action="store_true", help="no live picture: one line a ruling")
    parser.set_defaults(run=run)


def read_config(path: Path | None) -> tuple[Config, dict[str, Ruleset]]:
    """The configuration and the club's own rulesets. Raises InputError with every fault of the file."""
    if path is None:
        return Config(), {}
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(Message.of("input.unreadable", file=str(path), reason=str(error))) from error
    return parse_config(text, path), rulesets_from_toml(text, str(path))


def parse_command(line: str, at_ms: int) -> Command | None:
    """A typed command, `[white|black|referee] VERB [ARGUMENT]`; None for no known verb. No party: the referee."""
    words = line.split()
    party: Party = "referee"
    if words and words[0].lower() in PARTIES:
        party = PARTIES[words.pop(0).lower()]
    if not words or words[0].lower() not in Verb.__args__:  # type: ignore[attr-defined]  # the values of a Literal
        return None
    verb: Verb = words[0].lower()  # type: ignore[assignment]  # checked against the Literal just above
    return Command(at_ms, party, verb, " ".join(words[1:]))


def unfinished(folder: Path) -> tuple[Path, Restored] | None:
    """The newest journal in `folder`, read, if it can be and its match has not come to its end."""
    newest = max(folder.glob("*.jsonl"), key=lambda file: file.stat().st_mtime, default=None)
    if newest is None:
        return None
    try:
        restored = restore(newest)
    except (OSError, ValueError):
        return None
    return None if restored.match.phase is Phase.MATCH_OVER else (newest, restored)


def run(args: argparse.Namespace) -> int:
    """0: the match is over, or was left in good order (it can be resumed)."""
    config, clubs = read_config(args.config)
    catalogue = catalogue_of(args)
    earlier = _earlier(args, config, catalogue)
    if earlier is None:
        path = unique(config.folder / "match.jsonl")
        journal, match, since_ms = Journal(path), None, 0
    else:
        path, restored = earlier
        chain = restored.chain
        journal, match, since_ms = Journal(path, chain), restored.match, chain.lines[-1].at
        if chain.torn:
            say(args, Message.of("journal.torn", file=str(path), line=len(chain.lines) + 1, bytes=len(chain.torn)))
    live = open_live(config, clubs, journal, match, since_ms)
    reporter = _Reporter(args, catalogue)
    live.shown = reporter.shown
    if isinstance(live.speaker, TableSpeaker) and live.speaker.fault is not None:
        say(args, live.speaker.fault)
    threading.Thread(target=_listen, args=(live, catalogue), name="keyboard", daemon=True).start()
    try:
        asyncio.run(live.run())
    finally:
        journal.close()
        if journal.trouble is not None:
            say(args, journal.trouble, sys.stderr)
        export(live.table.match, path.with_suffix(".mat"), catalogue.language)
        say(args, Message.of("run.kept", journal=str(path)))
    return 0


def _earlier(args: argparse.Namespace, config: Config, catalogue: Catalogue) -> tuple[Path, Restored] | None:
    """The match to go on with, its journal read once: the one named, or an unfinished one that nobody declines."""
    if args.resume is not None:
        if not args.resume.is_file():
            raise InputError(Message.of("input.missing_file", file=str(args.resume)))
        return args.resume, restore(args.resume)
    found = None if args.new else unfinished(config.folder)
    if found is None or not sys.stdin.isatty():
        return found
    print(catalogue.say(Message.of("run.resume", file=str(found[0]))), end=" ", flush=True)
    return found if input().strip().lower()[:1] in ("", "y", "j", "t", "ա", "u") else None


def _listen(live: LiveTable, catalogue: Catalogue) -> None:
    """Typed commands, one a line; the end of input ends nothing."""
    for line in sys.stdin:
        if line.strip().lower() in ("quit", "exit"):
            live.stop()
            return
        command = parse_command(line, live.clock.now_ms())
        if command is None:
            if line.strip():
                print(catalogue.say(Message.of("run.no_command", line=line.strip()[:60])), flush=True)
            continue
        live.post(command)


class _Reporter:
    """What a terminal beside the table shows: every ruling that people want to read."""

    def __init__(self, args: argparse.Namespace, catalogue: Catalogue) -> None:
        self._args = args
        self._catalogue = catalogue
        self._last = ""

    def shown(self, match: Match, events: tuple[Event, ...], scene: Scene) -> None:
        for event in events:
            message = event.message if isinstance(event, CommandRefused) else said(event)
            if message is not None:
                print(self._catalogue.say(message), flush=True)
        screen = " | ".join(line for line in (scene.screen.title, *scene.screen.lines) if line)
        if events and screen != self._last and not self._args.quiet:
            self._last = screen
            print(f"  [{screen}]", flush=True)
