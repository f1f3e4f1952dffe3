"""`nardi bench plays`: the move generator beside bgsage's and open_spiel's, in C++ both, in one run.

Every position once, each engine in a pass of its own, nothing kept from one position to the next. bgsage answers the
1,000 positions kept beside this file (or `--positions FILE`). open_spiel cannot be given a position, so it is measured
on 1,000 of its own, reached by random plays, and ours on the same; what it takes to have the distinct end positions in
hand is counted: every action's child (both halves of a double) and its board.
"""

import argparse
import gc
import json
import random
import statistics
import sys
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any

from nardi.cli.bench_clock import CLOCKS, add_clock
from nardi.errors import InputError
from nardi.rules import LegalPlays, Position, Roll, find_ruleset
from nardi.text.message import Message

NAME = "plays"
HELP = "legal end positions: time per position beside bgsage and open_spiel"

Times = dict[str, list[float]]  # seconds, by "all", "non-doubles", "doubles"


def register(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--positions", metavar="FILE", help="JSON lines with ruleset, position, dice, count")
    add_clock(parser)
    parser.add_argument("--only-given", action="store_true", help="leave out open_spiel and its positions")
    parser.add_argument(
        "--rounds", type=int, default=1, help="passes; the least time of each position counts (default 1)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Returns 1 where an engine disagrees about the number of end positions."""
    rows = _rows(arguments.positions)
    report: dict[str, Any] = {"positions": len(rows), "clock": arguments.clock, "missing": [], "sets": {}}
    wrong = 0
    wrong += _beside_bgsage(rows, arguments, report)
    if not arguments.only_given:
        wrong += _beside_open_spiel(arguments, report)
    report["disagreements"] = wrong
    print(json.dumps(report)) if arguments.json else _print(report)
    return 1 if wrong else 0


def _rows(file: str | None) -> list[dict[str, Any]]:
    try:
        if file is None:
            text = files("nardi.cli.benches").joinpath("positions.jsonl").read_text(encoding="utf-8")
        else:
            with open(file, encoding="utf-8") as source:
                text = source.read()
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except OSError as error:
        raise InputError(Message.of("input.unreadable", file=str(file), reason=str(error))) from error
    except json.JSONDecodeError as error:
        raise InputError(Message.of("input.unreadable", file=str(file), reason=str(error))) from error


def _beside_bgsage(rows: Sequence[dict[str, Any]], options: argparse.Namespace, report: dict[str, Any]) -> int:
    ruleset = find_ruleset(rows[0]["ruleset"])
    rolls = [Roll(*row["dice"]) for row in rows]
    positions = [Position.from_text(row["position"], ruleset) for row in rows]
    boards = [_signed_board(position) for position in positions]
    # A position that has shown its rows keeps them; the generator gets fresh ones.
    positions = [Position.of_key(position.key) for position in positions]
    questions = list(zip(positions, rolls, strict=True))

    def ours(index: int) -> int:
        position, roll = questions[index]
        return len(LegalPlays(position, roll, ruleset).ends)

    engines: dict[str, Callable[[int], int]] = {"nardi": ours}
    try:
        import bgsage
    except ImportError:
        report["missing"].append("bgsage")
    else:
        dice = [(roll.a, roll.b) for roll in rolls]

        def theirs(index: int) -> int:
            return len(bgsage.possible_moves(boards[index], *dice[index]))

        engines["bgsage"] = theirs
    counts = [row["count"] for row in rows] if "count" in rows[0] else None
    return _measure("given positions", engines, rolls, options, report, counts)


def _signed_board(position: Position) -> list[int]:
    """The 26 numbers that bgsage takes: mine positive, theirs negative, place 0 their bar, 25 my bar."""
    board = list(position.mine)
    board[0] = position.theirs[25]
    for point in range(1, 25):
        board[25 - point] -= position.theirs[point]
    return board


def _beside_open_spiel(options: argparse.Namespace, report: dict[str, Any]) -> int:
    try:
        import pyspiel
    except ImportError:
        report["missing"].append("open_spiel")
        return 0
    ruleset = find_ruleset("backgammon")
    states = _open_spiel_states(pyspiel, 1000, seed=1)
    rolls = [roll for _, roll in states]
    positions = [_open_spiel_position(state) for state, _ in states]

    def ours(index: int) -> int:
        return len(LegalPlays(positions[index], rolls[index], ruleset).ends)

    def theirs(index: int) -> int:
        return len(_open_spiel_ends(states[index][0]))

    engines: dict[str, Callable[[int], int]] = {"nardi": ours, "open_spiel": theirs}
    return _measure("open_spiel's positions", engines, rolls, options, report, None)


def _open_spiel_states(pyspiel: Any, count: int, seed: int) -> list[tuple[Any, Roll]]:
    """States at the beginning of a turn, with their roll, from random plays."""
    random_source = random.Random(seed)
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    found: list[tuple[Any, Roll]] = []
    while len(found) < count:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(random_source.choice(state.chance_outcomes())[0])
                roll = _open_spiel_roll(state)
                if random_source.random() < 0.2 and not state.is_terminal():
                    found.append((state.clone(), roll))
                continue
            state.apply_action(random_source.choice(state.legal_actions()))
    return found[:count]


def _open_spiel_roll(state: Any) -> Roll:
    line = next(line for line in str(state).splitlines() if line.startswith("Dice:"))
    digits = [int(digit) for digit in line if digit.isdigit()]
    return Roll(digits[0], digits[1])


def _open_spiel_position(state: Any) -> Position:
    """The position with the player to move first. Player 0 (x) moves up open_spiel's 24 places, player 1 down."""
    mover = state.current_player()
    sides = []
    for player in (mover, 1 - mover):
        row = [0] * 26
        for place in range(24):
            row[24 - place if player == 0 else place + 1] = state.board(player, place)
        row[25] = state.board(player, 100)  # its bar
        row[0] = 15 - sum(row)
        sides.append(tuple(row))
    return Position(sides[0], sides[1])


def _open_spiel_ends(state: Any) -> set[str]:
    """The distinct boards after the whole turn, both halves of a double."""
    mover = state.current_player()
    ends: set[str] = set()
    for action in state.legal_actions():
        child = state.child(action)
        if not child.is_terminal() and child.current_player() == mover:
            ends.update(_open_spiel_board(grandchild) for grandchild in map(child.child, child.legal_actions()))
        else:
            ends.add(_open_spiel_board(child))
    return ends


def _open_spiel_board(state: Any) -> str:
    """The picture of the board, bar and men off: what tells two ends apart."""
    text: str = str(state)
    return text[: text.index("Turn:")] + text[text.index("Bar:") :]


def _measure(
    name: str,
    engines: dict[str, Callable[[int], int]],
    rolls: Sequence[Roll],
    options: argparse.Namespace,
    report: dict[str, Any],
    counts: Sequence[int] | None,
) -> int:
    """Time each engine over all positions, and count the positions on which they disagree."""
    clock = CLOCKS[options.clock]
    answers: dict[str, list[int]] = {}
    table: dict[str, Any] = {}
    for engine, answer in engines.items():
        best = [float("inf")] * len(rolls)
        found = [0] * len(rolls)
        for _ in range(max(1, options.rounds)):
            gc.collect()
            for index in range(len(rolls)):
                began = clock()
                found[index] = answer(index)
                best[index] = min(best[index], (clock() - began) / 1e9)
        answers[engine] = found
        table[engine] = {kind: _summary(times) for kind, times in _by_kind(best, rolls).items()}
        if sys.stderr.isatty():
            print(f"{name}: {engine} measured", file=sys.stderr)
    report["sets"][name] = table
    expected = list(counts) if counts is not None else answers["nardi"]
    return sum(found[index] != expected[index] for found in answers.values() for index in range(len(rolls)))


def _by_kind(times: Sequence[float], rolls: Sequence[Roll]) -> Times:
    kinds: Times = {"all": list(times), "non-doubles": [], "doubles": []}
    for seconds, roll in zip(times, rolls, strict=True):
        kinds["doubles" if roll.is_double else "non-doubles"].append(seconds)
    return {kind: seconds for kind, seconds in kinds.items() if seconds}


def _summary(seconds: Sequence[float]) -> dict[str, float]:
    """Mean, median and 99th percentile, in microseconds."""
    ordered = sorted(seconds)
    return {
        "mean_us": round(statistics.fmean(ordered) * 1e6, 2),
        "median_us": round(statistics.median(ordered) * 1e6, 2),
        "p99_us": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] * 1e6, 2),
    }


def _print(report: dict[str, Any]) -> None:
    for name, table in report["sets"].items():
        print(f"{name}, microseconds a position")
        print(f"  {'':12}{'':12}{'mean':>10}{'median':>10}{'p99':>10}   nardi is faster by (mean, median, p99)")
        for engine, kinds in table.items():
            for kind, values in kinds.items():
                ours = table["nardi"][kind]
                ratios = (
                    ""
                    if engine == "nardi"
                    else "   "
                    + "  ".join(f"{values[key] / ours[key]:.2f}x" for key in ("mean_us", "median_us", "p99_us"))
                )
                print(
                    f"  {engine:12}{kind:12}{values['mean_us']:>10.2f}{values['median_us']:>10.2f}"
                    f"{values['p99_us']:>10.2f}{ratios}"
                )
    print(f"clock: {report['clock']}")
    for missing in report["missing"]:
        print(f"not measured: {missing} is not installed (pip install --group dev; open_spiel: pip install open_spiel)")
    print(f"disagreements about the number of end positions: {report['disagreements']}")
