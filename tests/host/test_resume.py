"""Power cuts: killed at any instant, the same match comes back, and the board is compared with it (CASES 37)."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from nardi.devices.simulator.eye import SimulatedEye
from nardi.game.board import Board
from nardi.game.event import Played, TrackFound, TrackLost
from nardi.game.match import Match, Phase
from nardi.game.observation import BoardSeen
from nardi.game.umpire import begun
from nardi.journal.journal import Journal, read_chain
from nardi.journal.restore import restore
from nardi.rules import ByColor, Color, find_ruleset
from nardi.simulation import SEATING, Simulation
from nardi.table import Table

KILLS = int(os.environ.get("NARDI_KILLS", "5"))
"""How often a running table is killed; set it higher for a long proof."""


def seen(match: Match, board: Board, at_ms: int) -> BoardSeen:
    seating = match.seating or SEATING
    points, bar, off = board.seen_by(seating)
    return BoardSeen(at_ms, SimulatedEye(Random(1), doubt=0, error=0).read(at_ms, points, bar, off))


def resumed(tmp_path: Path) -> tuple[Table, Board, int]:
    """A table gone on with after some turns, with what its board should show, and the time."""
    path = tmp_path / "match.jsonl"
    beginning = begun(find_ruleset("backgammon"), 1, ByColor("Ani", "Jonas"), 0, seating=SEATING)
    with Journal(path) as journal:
        simulation = Simulation(beginning, 3, record=journal)
        for moment in simulation.moments():
            game = moment.match.game
            if game is not None and len(game.plies) >= 4 and moment.match.phase is Phase.TO_ROLL:
                break
    match = restore(path).match
    assert match == simulation.table.match
    assert match.game is not None
    board = Board.of(match.game.position, match.game.turn or Color.WHITE, match.ruleset)
    return Table(match, resumed=True), board, simulation.people.t_ms + 60_000


def test_case_37_a_board_that_still_shows_the_position_goes_on_and_teaches_the_eye(tmp_path: Path) -> None:
    table, board, at_ms = resumed(tmp_path)
    taught: list[Board] = []
    table.confirm = taught.append
    for later in range(3):
        table.take(seen(table.match, board, at_ms + 2500 * later))
    assert not table.match.lost
    assert taught == [board]


def test_case_37_a_board_changed_meanwhile_is_told_place_by_place(tmp_path: Path) -> None:
    table, board, at_ms = resumed(tmp_path)
    taught: list[Board] = []
    table.confirm = taught.append
    # Somebody has put two checkers elsewhere while the power was off.
    points = list(board.points)
    white = next(n for n, (color, count) in enumerate(points) if color is Color.WHITE and count >= 2)
    empty = next(n for n, (color, _) in enumerate(points) if color is None)
    points[white] = (Color.WHITE, points[white][1] - 2) if points[white][1] > 2 else (None, 0)
    points[empty] = (Color.WHITE, 2)
    changed = Board(tuple(points), board.bar, board.off)
    events = table.take(seen(table.match, changed, at_ms))
    assert [type(event) for event in events] == [TrackLost]
    assert {difference.point for difference in table.match.lost} == {white + 1, empty + 1}
    # The eye does not learn a board that is not the stored one.
    assert taught == []
    events = table.take(seen(table.match, board, at_ms + 1000))
    assert [type(event) for event in events] == [TrackFound]
    assert not table.match.lost
    assert taught == [board]


@pytest.mark.slow
def test_killed_at_random_instants_the_same_match_comes_back(tmp_path: Path) -> None:
    """Kill -9 of the whole program, again and again; what was shown before is on record, and nothing is rewritten."""
    random = Random(int(os.environ.get("NARDI_KILL_SEED", "1")))
    folder = tmp_path / "matches"
    config = tmp_path / "table.toml"
    config.write_text(
        '[match]\nlength = 999\nfolder = "matches"\n'
        '[devices]\neye = "sim:board?seed=5&speed=0&everyday=1"\ndice = "sim:board"\n'
    )
    command = [sys.executable, "-m", "nardi.cli.main", "--lang", "en", "run", str(config), "--quiet"]
    kept = b""
    plays = told_of = 0
    for kill in range(KILLS):
        with (tmp_path / "out").open("wb") as out:
            table = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
            journal = folder / "match.jsonl"
            size = journal.stat().st_size if journal.exists() else 0
            until = time.monotonic() + 60
            while (not journal.exists() or journal.stat().st_size <= size) and time.monotonic() < until:
                assert table.poll() is None, (tmp_path / "out").read_text()
                time.sleep(0.01)
            time.sleep(random.random() * 0.7)
            table.send_signal(signal.SIGKILL)
            table.wait()
        content = journal.read_bytes()
        sound = read_chain(journal)
        # Nothing that was written before has been touched, but for a torn tail.
        assert content.startswith(kept), f"kill {kill}"
        kept = content[: sound.size]
        match = restore(journal).match
        events = [line.value for line in sound.lines if line.kind == "ruled"]
        shown = (tmp_path / "out").read_text(errors="replace")
        assert "Traceback" not in shown, shown
        now = sum(isinstance(event, Played) for event in events)
        # Every play that a person was shown is on record.
        told = len(re.findall(r"^(?:White|Black): \d-\d, ", shown, re.MULTILINE))
        assert now - plays >= told
        told_of += told
        plays = now
        assert match.phase is not Phase.MATCH_OVER
    assert plays >= told_of >= KILLS
    assert list(folder.glob("*.jsonl")) == [folder / "match.jsonl"]
