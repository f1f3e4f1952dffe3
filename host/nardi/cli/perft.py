"""`nardi perft`: how many end positions the legal plays of a ruleset reach, ply by ply."""

import argparse
import time

from nardi.rules import find_ruleset
from nardi.rules.perft import divide, perft


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("perft", help="count the end positions that the legal plays reach, ply by ply")
    parser.add_argument("ruleset", help="name of the ruleset")
    parser.add_argument("depth", type=_depth, help="plies to count")
    parser.add_argument("--divide", action="store_true", help="the last count for each roll of the first ply apart")
    parser.set_defaults(run=run)


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of plies: 1, 2, 3 …")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    ruleset = find_ruleset(arguments.ruleset)
    if arguments.divide:
        total = 0
        print(f"{'roll':>4} {'ends':>14}")
        for roll, ends in divide(ruleset, arguments.depth):
            total += ends
            print(f"{roll.text:>4} {ends:>14}", flush=True)
        print(f"{'sum':>4} {total:>14}")
        return 0
    print(f"{'ply':>3} {'positions':>12} {'ends':>12} {'with repeats':>14} {'seconds':>9}")
    began = time.perf_counter()
    for ply in perft(ruleset, arguments.depth):
        seconds = time.perf_counter() - began
        print(f"{ply.number:>3} {ply.positions:>12} {ply.ends:>12} {ply.with_repeats:>14} {seconds:>9.2f}", flush=True)
    return 0
