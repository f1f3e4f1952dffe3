"""`nardi simulate`: whole matches at a simulated table, through the very wiring that real ones take."""

import argparse
import time
from pathlib import Path

from nardi.cli.speech import say
from nardi.devices.simulator.people import Stuck
from nardi.errors import InputError
from nardi.game.event import Played
from nardi.game.match import Match
from nardi.game.umpire import begun
from nardi.journal.journal import Journal
from nardi.rules import RULESETS, ByColor, find_ruleset
from nardi.simulation import SEATING, Simulation
from nardi.text.message import Message
from nardi.wiring import unique


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("simulate", help="play whole matches at a simulated table")
    parser.add_argument("--ruleset", default="backgammon", help=f"{' | '.join(RULESETS)} | all")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same matches")
    parser.add_argument("--length", type=int, default=1, help="points of a match (default 1)")
    parser.add_argument("--matches", type=int, default=1, help="how many; seeds count on from --seed")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="where to keep the record (a number is added)")
    parser.add_argument("--speed", type=float, default=0.0, help="times real time; 0 (default): as fast as it can be")
    parser.add_argument("--eye", choices=("reports", "pixels"), default="reports", help="pixels: the real eye, drawn")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """0: every match came to its end. 1: one did not (its seed is named)."""
    if args.length < 1 or args.matches < 1 or args.speed < 0:
        raise InputError(Message.of("simulate.numbers"))
    names = list(RULESETS) if args.ruleset == "all" else [args.ruleset]
    rulesets = [find_ruleset(name) for name in names]
    stuck = 0
    for number in range(args.matches):
        seed = args.seed + number
        ruleset = rulesets[number % len(rulesets)]
        beginning = begun(ruleset, args.length, ByColor("White", "Black"), 0, seating=SEATING)
        journal = None if args.journal is None else Journal(unique(args.journal))
        simulation = Simulation(beginning, seed, record=journal, style=seed if args.eye == "pixels" else None)
        try:
            plies = play_out(simulation, args.speed)
        except Stuck as error:
            stuck += 1
            say(args, Message.of("simulate.stuck", ruleset=ruleset.name, seed=seed, reason=str(error)))
            continue
        finally:
            if journal is not None:
                journal.close()
        say(args, ended(simulation.table.match, seed, plies))
    return 1 if stuck else 0


def play_out(simulation: Simulation, speed: float) -> int:
    """Plays to the end; returns the number of plies. `speed` 0: without waiting."""
    begin_s, plies = time.monotonic(), 0
    for moment in simulation.moments():
        plies += sum(isinstance(event, Played) for event in moment.events)
        if speed > 0:
            due_s = begin_s + simulation.people.t_ms / 1000 / speed
            time.sleep(max(0.0, due_s - time.monotonic()))
    return plies


def ended(match: Match, seed: int, plies: int) -> Message:
    """How a match ended, in one line."""
    return Message.of(
        "simulate.ended",
        ruleset=match.ruleset.name,
        seed=seed,
        plies=plies,
        white=f"{match.score.white:g}",
        black=f"{match.score.black:g}",
        games=len(match.games),
    )
