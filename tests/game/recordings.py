"""The shared recordings as observations: dice from their lines, pictures from their labels (a perfect eye)."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from game.sight import reading
from nardi.game import clock
from nardi.game.event import Event
from nardi.game.evolve import evolve, fold
from nardi.game.match import Match
from nardi.game.observation import BoardSeen, DieLifted, DieRolling, DieSettled, Observation
from nardi.game.seating import Seating
from nardi.game.umpire import begun, decide
from nardi.rules import ByColor, Color, Position, find_ruleset

SHARED = Path(__file__).parents[3] / "shared" / "recordings"


def folder(name: str) -> Path:
    """The recording's folder; skips the test where the shared recordings are not at hand."""
    if not (SHARED / name).is_dir():
        pytest.skip(f"no shared recording {name} beside this checkout")
    return SHARED / name


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def labels(where: Path) -> list[dict[str, Any]]:
    return _rows(where / "labels.jsonl")


def beginning(where: Path) -> tuple[Event, ...]:
    """The events that begin the recorded match."""
    session = tomllib.loads((where / "session.toml").read_text())
    ruleset = find_ruleset(session["ruleset"])
    start = Position.from_text(session["start"], ruleset) if "start" in session else None
    return begun(
        ruleset,
        session["match_length"],
        ByColor(session["players"]["white"], session["players"]["black"]),
        0,
        seating=Seating(session["white_shade"], session["white_ace_corner"]),
        clocks=clock.rules_of(ruleset, session["match_length"]),
        start=start,
        turn=Color(session["turn"]) if "turn" in session else None,
    )


def observations(where: Path, *, weight: float = 1.0, trays: bool = False) -> Iterator[Observation]:
    """Dice and pictures in the order of their times."""
    dice = _rows(where / "dice.jsonl")
    happenings: list[tuple[int, int, Observation]] = [(row["t_ms"], 0, die(row["t_ms"], row["line"])) for row in dice]
    for frame, label in zip(_rows(where / "frames.jsonl"), _rows(where / "frame_labels.jsonl"), strict=True):
        contents = [(None if shade == "none" else shade, count) for shade, count in label["points"]]
        seen = reading(
            contents,
            t_ms=frame["t_ms"],
            bar=(label["bar"]["light"], label["bar"]["dark"]),
            off=(label["off"]["light"], label["off"]["dark"]) if trays and label["off"] else None,
            hand=label["hand"],
            hidden=label["hidden"],
            weight=weight,
        )
        happenings.append((frame["t_ms"], 1, BoardSeen(frame["t_ms"], seen)))
    for _, _, observation in sorted(happenings, key=lambda entry: entry[:2]):
        yield observation


def die(t_ms: int, line: str) -> Observation:
    """The observation that a (sound) line of the dice is."""
    _, name, _, what, *rest = line.partition("*")[0].split(",")
    match what:
        case "ROLLING":
            return DieRolling(t_ms, name)
        case "SETTLED":
            return DieSettled(t_ms, name, int(rest[0]), int(rest[1]))
        case _:
            return DieLifted(t_ms, name)


def played_through(where: Path, **eye: Any) -> tuple[Match, list[Event]]:
    """The recording put to the umpire: the match at its end and all that was ruled."""
    events = list(beginning(where))
    match = fold(tuple(events))
    for observation in observations(where, **eye):
        for event in decide(match, observation):
            match = evolve(match, event)
            events.append(event)
    return match, events
