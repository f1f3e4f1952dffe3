"""Nothing ever lost: torn tails, full disks, tampering, and a match that comes back whole from every line."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nardi.devices.simulator.habits import Habits
from nardi.errors import JournalError
from nardi.game.event import Undone
from nardi.game.evolve import evolve
from nardi.game.match import Match
from nardi.game.umpire import begun
from nardi.journal.journal import Journal, read_chain
from nardi.journal.restore import judge_anew, restore
from nardi.rules import RULESETS, ByColor
from nardi.simulation import SEATING, Simulation

CLUMSY = Habits(slips=0.1, cocks=0.1, drops_link=0.05, tidies=0.1)


def play(path: Path, ruleset: str = "backgammon", seed: int = 3) -> Match:
    beginning = begun(RULESETS[ruleset], 1, ByColor("Ani", "Jonas"), 0, seating=SEATING)
    with Journal(path) as journal:
        simulation = Simulation(beginning, seed, habits=CLUMSY, record=journal)
        for _ in simulation.moments():
            pass
    return simulation.table.match


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Match]:
    path = tmp_path_factory.mktemp("journal") / "match.jsonl"
    return path, play(path)


def test_the_match_comes_back_as_it_was(played: tuple[Path, Match]) -> None:
    path, match = played
    assert restore(path).match == match


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_judged_anew_every_observation_gives_the_same_rulings(ruleset: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    play(path, ruleset)
    assert judge_anew(read_chain(path)) == ()


def test_case_37_power_cut_after_every_line(played: tuple[Path, Match], tmp_path: Path) -> None:
    """Cut at every line boundary, the match is the fold of the lines before it, and goes on from there."""
    path, _ = played
    content = path.read_bytes().splitlines(keepends=True)
    chain = read_chain(path)
    match: Match | None = None
    cut = tmp_path / "cut.jsonl"
    for number, line in enumerate(chain.lines, 1):
        if line.kind == "ruled":
            match = evolve(match, line.value)  # type: ignore[arg-type]  # a ruled line holds an event
        # Folding them all anew is quadratic: every line near the beginning, then every 41st.
        if match is None or (number > 40 and number % 41):
            continue
        cut.write_bytes(b"".join(content[:number]))
        assert restore(cut).match == match


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_power_cut_in_the_middle_of_a_line_loses_that_line_only(
    played: tuple[Path, Match], data: st.DataObject
) -> None:
    path, _ = played
    content = path.read_bytes()
    at = data.draw(st.integers(200, len(content) - 1))
    cut = path.with_name("torn.jsonl")
    cut.write_bytes(content[:at])
    chain = read_chain(cut)
    assert len(chain.lines) == content[:at].count(b"\n")
    journal, again = Journal.resume(cut)
    journal.close()
    assert again.torn == content[:at].rpartition(b"\n")[2]
    assert read_chain(cut).torn == b""


def test_a_journal_that_goes_on_after_a_torn_tail_is_sound(played: tuple[Path, Match], tmp_path: Path) -> None:
    path, _ = played
    cut = tmp_path / "torn.jsonl"
    lines = read_chain(path).lines
    cut.write_bytes(path.read_bytes()[:-40])
    journal, chain = Journal.resume(cut)
    with journal:
        assert len(chain.lines) == len(lines) - 1
        last = lines[-1]
        if last.kind == "ruled":
            journal.ruled([last.value])  # type: ignore[list-item]  # a ruled line holds an event
        else:
            journal.saw(last.value)  # type: ignore[arg-type]  # and a seen one an observation
    assert cut.read_bytes() == path.read_bytes()


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_changed_byte_is_found_and_its_line_named(played: tuple[Path, Match], data: st.DataObject) -> None:
    path, _ = played
    content = bytearray(path.read_bytes())
    last_line = content.rstrip(b"\n").rfind(b"\n")
    at = data.draw(st.integers(0, last_line))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[at]))
    line = bytes(content[:at]).count(b"\n") + 1
    content[at] = other
    bad = path.with_name("bad.jsonl")
    bad.write_bytes(bytes(content))
    with pytest.raises(JournalError) as caught:
        read_chain(bad)
    # A newline lost joins two lines, a newline more makes two of one: the fault is at that line in either case.
    assert dict(caught.value.message.parameters)["line"] in (line, line + 1)


def test_a_line_left_out_is_found(played: tuple[Path, Match], tmp_path: Path) -> None:
    path, _ = played
    lines = path.read_bytes().splitlines(keepends=True)
    bad = tmp_path / "short.jsonl"
    bad.write_bytes(b"".join(lines[:10] + lines[11:]))
    with pytest.raises(JournalError) as caught:
        read_chain(bad)
    assert dict(caught.value.message.parameters)["line"] == 11


def test_rulings_that_do_not_fit_together_are_refused_with_their_line(tmp_path: Path) -> None:
    """A chain that holds, of events that no match can have: said as a broken record, not as a crash."""
    path = tmp_path / "odd.jsonl"
    beginning = begun(RULESETS["backgammon"], 1, ByColor("Ani", "Jonas"), 0, seating=SEATING)
    with Journal(path) as journal:
        journal.ruled(beginning)
        journal.ruled([Undone(at_ms=5, plies=3)])
    with pytest.raises(JournalError) as caught:
        restore(path)
    assert caught.value.message.id == "journal.unusable"
    assert dict(caught.value.message.parameters)["line"] == 3


def test_a_later_schema_is_refused_by_number(played: tuple[Path, Match], tmp_path: Path) -> None:
    path, _ = played
    first = json.loads(path.read_bytes().splitlines()[0])
    first["v"] = 99
    newer = tmp_path / "newer.jsonl"
    newer.write_text(json.dumps(first) + "\n{}\n", encoding="utf-8")
    with pytest.raises(JournalError) as caught:
        read_chain(newer)
    assert caught.value.message.id == "journal.newer"


def test_a_full_disk_stops_nothing_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk takes half a line, then nothing for a while: the match goes on, and all lines are there in the end."""
    path = tmp_path / "match.jsonl"
    real, full = os.write, [False]

    def write(file: int, data: bytes) -> int:
        if full[0] and data.startswith(b'{"'):
            return real(file, data[: len(data) // 2]) if Random(len(data)).random() < 0.3 else _no_space()
        return real(file, data)

    monkeypatch.setattr(os, "write", write)
    beginning = begun(RULESETS["backgammon"], 1, ByColor("Ani", "Jonas"), 0, seating=SEATING)
    troubles = 0
    with Journal(path) as journal:
        simulation = Simulation(beginning, 5, record=journal)
        for number, _ in enumerate(simulation.moments()):
            full[0] = 40 <= number % 100 < 80
            troubles += journal.trouble is not None
            if journal.trouble is not None and number % 10 == 0:
                read_chain(path)
        full[0] = False
    assert troubles > 20
    assert restore(path).match == simulation.table.match


def _no_space() -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_an_existing_journal_is_never_overwritten(played: tuple[Path, Match]) -> None:
    path, _ = played
    with pytest.raises(JournalError):
        Journal(path)


@given(st.binary(max_size=400))
def test_any_bytes_are_a_journal_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(content)
    try:
        chain = read_chain(path)
    except JournalError as error:
        assert dict(error.message.parameters)["line"]
    else:
        assert not chain.lines


@pytest.mark.slow
def test_case_37_killed_at_random_instants_the_same_match_comes_back(tmp_path: Path) -> None:
    """kill -9 in the middle of a simulated match, NARDI_KILLS times: what was recorded is what would have been, so far.

    The same seed makes the same match, so a journal that was cut off is the beginning of the whole one, to the byte.
    """
    random = Random(7)
    command = [sys.executable, "-m", "nardi.cli.main", "simulate", "--seed", "11", "--length", "3", "--journal"]
    whole = tmp_path / "whole.jsonl"
    subprocess.run([*command, str(whole)], check=True, stdout=subprocess.DEVNULL)
    lines = whole.read_bytes().splitlines(keepends=True)
    for number in range(int(os.environ.get("NARDI_KILLS", "12"))):
        path = tmp_path / f"{number}.jsonl"
        child = subprocess.Popen([*command, str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not path.exists() or path.read_bytes().count(b"\n") < 3:  # the match has begun
            time.sleep(0.005)
        time.sleep(random.uniform(0, 0.9))
        child.send_signal(signal.SIGKILL)
        child.wait()
        journal, chain = Journal.resume(path)
        journal.close()
        assert path.read_bytes() == b"".join(lines[: len(chain.lines)])
        assert restore(path).match.game is not None
