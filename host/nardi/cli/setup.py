"""`nardi setup XGID|POSITION|start`: the lights guide the checkers onto a position until the eye sees it there."""

import argparse
import asyncio
import os
import sys
from pathlib import Path

from nardi.cli.run import read_config
from nardi.cli.speech import catalogue_of, say
from nardi.game.difference import Difference
from nardi.game.event import Event
from nardi.game.match import Match, Phase
from nardi.live import LiveTable
from nardi.rules import Color, Position, Ruleset, find_ruleset
from nardi.rules.notation.xgid import situation_of_xgid
from nardi.rules.position import BAR, OFF
from nardi.text.catalogue import Catalogue
from nardi.text.message import Message
from nardi.views.scene import Scene
from nardi.wiring import open_set_up


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("setup", help="guide checkers onto a position by lights, until the eye sees it")
    parser.add_argument("position", help="start | an XGID | a position text (White's side first)")
    parser.add_argument("--ruleset", help="default: the configuration's")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the table's configuration: eye, display, seating")
    parser.set_defaults(run=run)


def wanted(text: str, ruleset: Ruleset) -> tuple[Position, Color]:
    """The position that `text` names, its mover's side first, and who that is. Raises InputError."""
    if text == "start":
        return ruleset.start, Color.WHITE
    if "/" in text:
        return Position.from_text(text, ruleset), Color.WHITE
    situation = situation_of_xgid(text, ruleset)
    return situation.position, situation.on_roll


def told(difference: Difference) -> Message:
    """What is to be done at one place, by White's numbering."""
    (owner, count), (seen_owner, seen_count) = difference.expected, difference.seen
    place = {BAR: "bar", OFF: "off"}.get(difference.point, str(difference.point))
    if count and seen_count and owner is not seen_owner:
        return Message.of("setup.colour", place=place, count=count, color=owner.value if owner else "")
    if count > seen_count:
        return Message.of("setup.missing", place=place, count=count - seen_count, color=owner.value if owner else "")
    color = seen_owner.value if seen_owner else ""
    return Message.of("setup.extra", place=place, count=seen_count - count, color=color)


def run(args: argparse.Namespace) -> int:
    """0: the position stands on the board. 1: left before it did. 2: no such position, or no eye to see it."""
    config, clubs = read_config(args.config)
    ruleset = find_ruleset(args.ruleset or config.ruleset, clubs)
    position, mover = wanted(args.position, ruleset)
    live = open_set_up(config, ruleset, position, mover)
    catalogue = catalogue_of(args)
    coach = _Picture(live, catalogue) if _is_roomy() else _Lines(live, catalogue)
    live.shown = coach.shown
    with coach:
        asyncio.run(live.run())
    if not coach.stands:
        return 1
    say(args, Message.of("setup.done"))
    return 0


def _is_roomy() -> bool:
    size = os.get_terminal_size(sys.stdout.fileno()) if sys.stdout.isatty() else None
    return size is not None and size.columns >= 100 and size.lines >= 30 and os.environ.get("TERM") != "dumb"


class _Lines:
    """What is still wrong, a line a place, whenever that changes."""

    def __init__(self, live: LiveTable, catalogue: Catalogue) -> None:
        self.stands = False
        self._live = live
        self._catalogue = catalogue
        self._told: tuple[Difference, ...] | None = None

    def __enter__(self) -> "_Lines":
        return self

    def __exit__(self, *_: object) -> None:
        return

    def shown(self, match: Match, events: tuple[Event, ...], scene: Scene) -> None:
        if match.phase is not Phase.SET_UP:
            self.stands = True
            self._live.stop()
        elif match.lost != self._told or not events:
            self._told = match.lost
            self.tell(match, scene)

    def tell(self, match: Match, scene: Scene) -> None:
        words = [self._catalogue.say(told(difference)) for difference in match.lost]
        print(" | ".join(words) or self._catalogue.text("setup.looking"), flush=True)


class _Picture(_Lines):
    """The board with its lights, live."""

    def __enter__(self) -> "_Picture":
        from rich.live import Live

        self._screen = Live(auto_refresh=False, screen=True)
        self._screen.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._screen.stop()

    def tell(self, match: Match, scene: Scene) -> None:
        from nardi.views.terminal import render

        caption = self._catalogue.say(told(match.lost[0])) if match.lost else self._catalogue.text("setup.looking")
        self._screen.update(render(match, scene, self._catalogue.language, caption=caption), refresh=True)
