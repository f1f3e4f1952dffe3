"""`nardi simulate`: whole matches at a simulated table, through the very wiring that real ones take."""

import argparse
import json
import time
from collections import Counter
from pathlib import Path

from nardi.cli.speech import say
from nardi.devices.simulator.habits import EVERYDAY, Habits
from nardi.devices.simulator.people import Stuck
from nardi.errors import InputError
from nardi.game.match import Match
from nardi.game.umpire import begun
from nardi.journal.journal import Journal
from nardi.rules import RULESETS, ByColor, find_ruleset
from nardi.simulation import SEATING, Simulation
from nardi.text.message import Message
from nardi.wiring import unique

DICE = ("felt", "camera", "shared")
PEOPLE = {
    "everyday": EVERYDAY,
    "plain": Habits(),
    "careful": Habits(slips=0, cocks=0, tidies=0, drops_link=0, resigns=0),
}
"""everyday: all that goes on at a real table; plain: slips, cocked dice and tidying; careful: none of it."""


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("simulate", help="play whole matches at a simulated table")
    parser.add_argument("--ruleset", default="backgammon", help=f"{' | '.join(RULESETS)} | all")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same matches")
    parser.add_argument("--length", type=int, default=1, help="points of a match (default 1)")
    parser.add_argument("--matches", type=int, default=1, help="how many; seeds count on from --seed")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="where to keep the record (a number is added)")
    parser.add_argument("--speed", type=float, default=0.0, help="times real time; 0 (default): as fast as it can be")
    parser.add_argument("--eye", choices=("reports", "pixels"), default="reports", help="pixels: the real eye, drawn")
    parser.add_argument(
        "--dice", choices=DICE, default="felt", help="felt: electronic; camera: the eye reads them; shared: one pair"
    )
    parser.add_argument(
        "--people", choices=("everyday", "plain", "careful"), default="everyday", help="how clumsy they are"
    )
    parser.add_argument("--fps", type=int, default=0, help="frames a second that the eye takes; 0: one a change")
    parser.add_argument("--json", action="store_true", help="the counts over all matches as one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """0: every match came to its end. 1: one did not (its seed is named)."""
    if args.length < 1 or args.matches < 1 or args.speed < 0 or not 0 <= args.fps <= 100:
        raise InputError(Message.of("simulate.numbers"))
    names = list(RULESETS) if args.ruleset == "all" else [args.ruleset]
    rulesets = [find_ruleset(name) for name in names]
    stuck = 0
    totals: Counter[str] = Counter()
    for number in range(args.matches):
        seed = args.seed + number
        ruleset = rulesets[number % len(rulesets)]
        dice = "camera" if args.dice == "camera" else "electronic"
        beginning = begun(ruleset, args.length, ByColor("White", "Black"), 0, seating=SEATING, dice=dice)
        journal = None if args.journal is None else Journal(unique(args.journal))
        simulation = Simulation(
            beginning,
            seed,
            record=journal,
            habits=PEOPLE[args.people],
            style=seed if args.eye == "pixels" else None,
            shared=args.dice == "shared",
            frame_ms=1000 // args.fps if args.fps else None,
        )
        try:
            counts = play_out(simulation, args.speed)
        except Stuck as error:
            stuck += 1
            say(args, Message.of("simulate.stuck", ruleset=ruleset.name, seed=seed, reason=str(error)))
            continue
        finally:
            if journal is not None:
                journal.close()
        totals.update(counts + habits_of(simulation))
        totals["matches"] += 1
        if not args.json:
            say(args, ended(simulation.table.match, seed, counts["Played"]))
    if args.json:
        print(json.dumps({"stuck": stuck, **summary(totals)}))
    return 1 if stuck else 0


def habits_of(simulation: Simulation) -> Counter[str]:
    """What the people and their dice really did: the truth that the umpire does not know."""
    people = simulation.people
    return Counter(slipped=people.slipped, cocked=people.cocked, misplaced=people.misplaced, rushed=people.rushed)


def summary(totals: Counter[str]) -> dict[str, int]:
    """What was done against what was ruled."""
    return {
        "matches": totals["matches"],
        "plies": totals["Played"],
        "slips": totals["slipped"],
        "illegal_noticed": totals["IllegalPlayNoticed"],
        "track_lost": totals["TrackLost"],
        "corrected_by_a_late_picture": totals["Corrected"],
        "cocked": totals["cocked"],
        "misplaced": totals["misplaced"],
        "rolls_rejected": totals["RollRejected"],
        "turns_in_one_picture": totals["rushed"],
    }


def play_out(simulation: Simulation, speed: float) -> Counter[str]:
    """Plays to the end; returns how many events of each kind were ruled. `speed` 0: without waiting."""
    begin_s = time.monotonic()
    counts: Counter[str] = Counter()
    for moment in simulation.moments():
        counts.update(type(event).__name__ for event in moment.events)
        if speed > 0:
            due_s = begin_s + simulation.people.t_ms / 1000 / speed
            time.sleep(max(0.0, due_s - time.monotonic()))
    return counts


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
