"""`nardi demo`: the main job in a minute. Two simulated people play; the eye reads drawn pictures of their board."""

import argparse
import os
import sys
import tempfile
import time
from collections import deque
from pathlib import Path

from nardi.cli.replay import export, said
from nardi.cli.speech import catalogue_of, say
from nardi.devices.simulator.habits import Habits
from nardi.devices.simulator.people import Stuck
from nardi.errors import InputError
from nardi.game.event import Event, GameEnded, IllegalPlayMended, IllegalPlayNoticed, Played, RollRejected
from nardi.game.match import Match
from nardi.game.umpire import begun
from nardi.journal.journal import Journal
from nardi.rules import RULESETS, ByColor, find_ruleset
from nardi.simulation import SEATING, Simulation
from nardi.text.catalogue import Catalogue
from nardi.text.message import Message
from nardi.views.scene import scene
from nardi.views.terminal import render

MINUTE_MS = 165_000
"""The table's time that one minute of demo shows; then whoever is behind resigns."""
PACE = 3.0
"""Times real time at speed 1."""
HABITS = Habits(slips=0, cocks=0, tidies=0.1, drops_link=0, doubles=0.5, resigns=0, lets_it_stand=0, pause_ms=1400)
WIDTH, HEIGHT = 100, 34


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("demo", help="watch a simulated table for a minute: the real eye, rules and record")
    parser.add_argument("--speed", type=float, default=1.0, help="1: about a minute; 2: twice as fast; 0: no waiting")
    parser.add_argument("--seed", type=int, default=8, help="another game, another board")
    parser.add_argument("--ruleset", default="backgammon", help=" | ".join(RULESETS))
    parser.add_argument("--headless", action="store_true", help="lines instead of a live picture")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where journal and .mat are put (default: a new folder)"
    )
    parser.set_defaults(run=run)


class Log:
    """The last rulings, in words."""

    def __init__(self, catalogue: Catalogue, keep: int = 6) -> None:
        self._catalogue = catalogue
        self.lines: deque[str] = deque(maxlen=keep)

    def add(self, events: tuple[Event, ...]) -> list[str]:
        found = [message for message in map(told, events) if message is not None]
        words = [self._catalogue.say(message) for message in found]
        self.lines.extend(words)
        return words


def told(event: Event) -> Message | None:
    match event:
        case IllegalPlayMended():
            return Message.of("demo.mended", by=event.by.value)
        case GameEnded():
            if event.winner is None:
                return Message.of("demo.drawn")
            return Message.of("demo.won", by=event.winner.value, points=f"{event.gained[event.winner]:g}")
        case _:
            return said(event)


def run(args: argparse.Namespace) -> int:
    """0: the demo came to its end; it names the journal and the .mat."""
    if args.speed < 0:
        raise InputError(Message.of("demo.speed"))
    catalogue = catalogue_of(args)
    ruleset = find_ruleset(args.ruleset)
    folder = args.out or Path(tempfile.mkdtemp(prefix="nardi-demo-"))
    journal_path, mat_path = folder / "match.jsonl", folder / "match.mat"
    if journal_path.exists():
        raise InputError(Message.of("demo.exists", file=str(journal_path)))
    beginning = begun(ruleset, 1, ByColor("Ani", "Jonas"), 0, seating=SEATING)
    with Journal(journal_path) as journal:
        simulation = Simulation(beginning, args.seed, habits=HABITS, style=args.seed, record=journal)
        simulation.people.forced_slip_turn, simulation.people.forced_cocked_turn = 4, 7
        simulation.people.resigns_after_ms = MINUTE_MS
        log = Log(catalogue)
        try:
            if args.headless or not sys.stdout.isatty():
                counts = _lines(simulation, args.speed, log)
            else:
                counts = _live(simulation, args.speed, log, catalogue)
        except Stuck as error:
            say(args, Message.of("simulate.stuck", ruleset=ruleset.name, seed=args.seed, reason=str(error)), sys.stderr)
            return 1
        if journal.trouble is not None:
            say(args, journal.trouble, sys.stderr)
    export(simulation.table.match, mat_path, catalogue.language)
    plies, illegal, rejected = counts
    say(args, Message.of("demo.counts", plies=plies, illegal=illegal, rejected=rejected))
    say(args, Message.of("demo.files", journal=str(journal_path), mat=str(mat_path)))
    return 0


class _Pace:
    """Waits so that the table's time runs as fast as asked."""

    def __init__(self, speed: float) -> None:
        self._speed = speed * PACE
        self._begin_s = time.monotonic()

    def wait(self, t_ms: int) -> None:
        if self._speed > 0:
            time.sleep(max(0.0, self._begin_s + t_ms / 1000 / self._speed - time.monotonic()))


Counts = tuple[int, int, int]


def _count(counts: Counts, events: tuple[Event, ...]) -> Counts:
    plies, illegal, rejected = counts
    return (
        plies + sum(isinstance(event, Played) for event in events),
        illegal + sum(isinstance(event, IllegalPlayNoticed) for event in events),
        rejected + sum(isinstance(event, RollRejected) for event in events),
    )


def _lines(simulation: Simulation, speed: float, log: Log) -> Counts:
    counts: Counts = (0, 0, 0)
    pace = _Pace(speed)
    for moment in simulation.moments():
        counts = _count(counts, moment.events)
        for line in log.add(moment.events):
            print(line, flush=True)
        pace.wait(simulation.people.t_ms)
    return counts


def _live(simulation: Simulation, speed: float, log: Log, catalogue: Catalogue) -> Counts:
    from rich.console import Console, RenderableType
    from rich.live import Live

    console = Console()
    counts: Counts = (0, 0, 0)
    pace = _Pace(speed)

    def picture(match: Match) -> RenderableType:
        seen = scene(match, now_ms=simulation.people.t_ms, language=catalogue.language)
        return render(match, seen, catalogue.language, caption="\n".join(list(log.lines)[-2:]))

    small = console.width < WIDTH or console.height < HEIGHT
    with Live(console=console, auto_refresh=False, screen=not small and os.environ.get("TERM") != "dumb") as live:
        for moment in simulation.moments():
            counts = _count(counts, moment.events)
            log.add(moment.events)
            live.update(picture(moment.match), refresh=True)
            pace.wait(simulation.people.t_ms)
        last = picture(simulation.table.match)
    console.print(last)
    return counts
