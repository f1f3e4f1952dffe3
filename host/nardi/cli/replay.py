"""`nardi replay DIR`: a recording through eye, umpire and journal, as if it happened now."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from nardi.cli.speech import catalogue_of, say
from nardi.devices.recording import load_recording
from nardi.errors import InputError
from nardi.game.event import Event, FaultNoted, IllegalPlayNoticed, Played, RollRejected
from nardi.game.match import Match
from nardi.game.record import match_record
from nardi.journal.codec import as_data
from nardi.journal.journal import Journal
from nardi.rules.notation.mat import write_mat
from nardi.rules.notation.record import MatchRecord
from nardi.rules.notation.sgf import write_sgf
from nardi.table import Table
from nardi.text.catalogue import Catalogue
from nardi.text.message import Message
from nardi.views.match_page import match_page
from nardi.views.scene import scene
from nardi.views.table_picture import table_picture
from nardi.wiring import ReplaySource, begun_by, confirm_to, open_pipeline

EXPORTS: dict[str, Callable[[MatchRecord, str], str]] = {
    ".mat": lambda record, language: write_mat(record),
    ".sgf": lambda record, language: write_sgf(record),
    ".html": match_page,
}
"""How a record is written, by the file's ending; a page speaks the language given."""


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("replay", help="replay a recording: every play found, ruled and recorded")
    parser.add_argument("recording", type=Path, help="the recording's folder")
    parser.add_argument("--json", action="store_true", help="one JSON object a line per ruled event")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="where to keep the record")
    parser.add_argument(
        "--export",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help=f"{' | '.join(EXPORTS)}; may be repeated",
    )
    parser.add_argument("--screens", type=Path, metavar="DIR", help="a picture of board, lights and screen per ruling")
    parser.set_defaults(run=run)


def told(number: int, event: Event) -> dict[str, Any]:
    """An event as `--json` tells it: its number, type, time and fields."""
    return {"n": number, "type": type(event).__name__, "t_ms": event.at_ms, **as_data(event)}


class Screens:
    """Writes a picture a ruling, so that a person can watch the game back."""

    def __init__(self, folder: Path, catalogue: Catalogue) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._catalogue = catalogue
        self._count = 0

    def show(self, match: Match, events: Iterable[Event]) -> None:
        now = max((event.at_ms for event in events), default=0)
        self._count += 1
        seen = scene(match, now_ms=now, language=self._catalogue.language)
        name = "-".join(dict.fromkeys(type(event).__name__ for event in events))
        words = [self._catalogue.say(message) for message in map(said, events) if message is not None]
        table_picture(match, seen, caption="  ".join(words)).save(
            self._folder / f"{self._count:04d}-{now:08d}-{name[:80]}.png"
        )


def export(match: Match, path: Path, language: str) -> None:
    """Writes a match's record in the form that the file's ending names. Raises InputError for another ending."""
    check_exports((path,))
    text = EXPORTS[path.suffix.lower()](match_record(match), language)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(Message.of("input.unwritable", file=str(path), reason=error.strerror or "")) from error


def check_exports(paths: Iterable[Path]) -> None:
    """Raises InputError, before anything is done, for exports of no known form."""
    wrong = [path for path in paths if path.suffix.lower() not in EXPORTS]
    if wrong:
        raise InputError(*(Message.of("export.unknown", file=str(path), known=" ".join(EXPORTS)) for path in wrong))


def run(args: argparse.Namespace) -> int:
    """0: sound. 1: illegal plays, rejected throws or lost frames were found. 2: the recording cannot be used."""
    catalogue = catalogue_of(args)
    check_exports(args.export)
    recording = load_recording(args.recording)
    beginning = begun_by(recording.session)
    journal = None if args.journal is None else Journal(args.journal)
    screens = None if args.screens is None else Screens(args.screens, catalogue)
    pipeline = open_pipeline(recording.session)
    faults = 0

    def listener(match: Match, events: tuple[Event, ...]) -> None:
        nonlocal faults
        for event in events:
            told_now(event)
            faults += isinstance(event, IllegalPlayNoticed | RollRejected)
        if screens is not None:
            screens.show(match, events)

    count = 0

    def told_now(event: Event) -> None:
        nonlocal count
        count += 1
        if args.json:
            print(json.dumps(told(count, event), ensure_ascii=False))
        else:
            line = said(event)
            if line is not None:
                progress.console.print(catalogue.say(line), highlight=False)

    from rich.console import Console
    from rich.progress import Progress

    table = Table.begun(beginning, journal)
    table.listener = listener
    table.confirm = confirm_to(pipeline, lambda: table.match.seating)
    source = ReplaySource(recording, pipeline)
    console = Console(stderr=args.json)
    with Progress(console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        for event in beginning:
            told_now(event)
        task = progress.add_task("", total=len(source))
        told_faults = 0
        for observations in source.observations():
            for observation in observations:
                table.take(observation)
            progress.advance(task)
            for message in source.faults[told_faults:]:
                print(f"nardi: {catalogue.say(message)}", file=sys.stderr)
            told_faults = len(source.faults)
    if journal is not None:
        journal.close()
        if journal.trouble is not None:
            say(args, journal.trouble, sys.stderr)
    for path in args.export:
        export(table.match, path, catalogue.language)
    return 1 if faults or source.faults else 0


def said(event: Event) -> Message | None:
    """What a person following a replay wants to read of an event; None: nothing."""
    match event:
        case Played():
            key = "replay.played" if event.legal else "replay.played_illegal"
            if not event.notation:
                key = "replay.no_play"
            a, b = event.dice
            return Message.of(key, by=event.by.value, dice=f"{a}-{b}", notation=event.notation, rule=event.rule or "")
        case IllegalPlayNoticed() | RollRejected() | FaultNoted():
            return event.message
        case _:
            return None
