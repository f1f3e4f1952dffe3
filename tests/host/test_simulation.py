"""Whole matches at the simulated table: no crash, no phantom, checkers conserved, every illegal play noticed."""

from collections import Counter

import pytest

from nardi.devices.simulator.habits import Habits
from nardi.game.event import Event, IllegalPlayNoticed, MatchEnded, Played, RollRejected, TrackLost
from nardi.game.match import Match, Phase
from nardi.game.umpire import begun
from nardi.rules import RULESETS, ByColor, Faults, Setup, position_of
from nardi.simulation import SEATING, Simulation

CLUMSY = Habits(slips=0.15, cocks=0.1, drops_link=0.04, tidies=0.2, resigns=0.05)


def play(name: str, seed: int, habits: Habits, length: int = 1) -> tuple[Simulation, list[Event]]:
    beginning = begun(RULESETS[name], length, ByColor("Ani", "Jonas"), 0, seating=SEATING)
    simulation = Simulation(beginning, seed, habits=habits)
    events = [event for moment in simulation.moments() for event in moment.events]
    return simulation, events


@pytest.mark.parametrize("name", sorted(RULESETS))
@pytest.mark.parametrize("seed", [1, 2])
def test_a_clumsy_match_comes_to_its_end(name: str, seed: int) -> None:
    simulation, events = play(name, seed, CLUMSY)
    match: Match = simulation.table.match
    counts = Counter(type(event) for event in events)
    assert match.phase is Phase.MATCH_OVER
    assert counts[MatchEnded] == 1
    # E1: each throw that leaned was rejected; E5: each slip was noticed, and nothing else was.
    assert counts[RollRejected] >= simulation.people.cocked
    assert counts[IllegalPlayNoticed] == simulation.people.slipped
    # CASES 24, 25: tidying, lifting and sliding lose nothing.
    assert counts[TrackLost] == 0
    for event in events:
        if isinstance(event, Played):
            setup = Setup(event.position.mine, event.position.theirs)
            assert not isinstance(position_of(setup, match.ruleset), Faults)


def test_the_same_seed_gives_the_same_match() -> None:
    (_, first), (_, second) = play("short", 5, CLUMSY), play("short", 5, CLUMSY)
    assert first == second


def test_careful_people_are_never_called_wrong() -> None:
    """Held against 1,000 plies elsewhere (`nardi simulate`); here a match of several games."""
    careful = Habits(slips=0, cocks=0, drops_link=0, resigns=0)
    _, events = play("backgammon", 21, careful, length=3)
    assert not [event for event in events if isinstance(event, IllegalPlayNoticed | RollRejected | TrackLost)]
    assert sum(isinstance(event, Played) for event in events) > 60
