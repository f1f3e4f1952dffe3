"""The simulated people and dice: they throw what dice throw and play what the rules allow."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from nardi.devices.simulator.dice import SimulatedDie, dice_line
from nardi.devices.simulator.player import SimulatedPlayer, is_part_of
from nardi.rules import RULESETS, LegalPlays, Roll
from nardi.rules.whynot import why_not


def test_a_line_carries_the_checksum_of_the_contract() -> None:
    assert dice_line("w1", 2, "SETTLED", 6, 1) == "$DIE,w1,2,SETTLED,6,1*4C"
    assert dice_line("b1", 1, "ROLLING") == "$DIE,b1,1,ROLLING*5B"


def test_thrown_dice_tumble_before_they_rest_and_cock_as_often_as_told() -> None:
    die, random = SimulatedDie("w1"), Random(1)
    cocked, values = 0, Counter[int]()
    for _ in range(1200):
        lines = [text for _, text in die.throw(random, half=1, cocks=0.25)]
        assert "ROLLING" in lines[0] and "SETTLED" in lines[-1]
        assert die.lie is not None and 0.5 < die.lie.x < 1
        cocked += die.lie.cocked
        values[die.lie.value] += 1
        die.lift()
    assert 240 < cocked < 360
    assert min(values.values()) > 150


@given(st.sampled_from(sorted(RULESETS)), st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32))
def test_players_choose_among_the_legal_plays_and_slip_outside_of_them(name: str, a: int, b: int, seed: int) -> None:
    ruleset, roll, random = RULESETS[name], Roll(a, b), Random(seed)
    plays = LegalPlays(ruleset.start, roll, ruleset, True)
    assert SimulatedPlayer().choose(plays, ruleset, random) in plays
    wrong = SimulatedPlayer().slips(ruleset.start, roll, ruleset, True, random)
    if wrong is not None:
        assert why_not(ruleset.start, wrong, roll, ruleset, True) is not None
        assert not is_part_of(wrong, plays)
