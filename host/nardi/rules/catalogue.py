"""The seven rulesets (RULES.md, S1-S4) and how one is found by name."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from nardi.errors import InputError
from nardi.rules.position import Position
from nardi.rules.ruleset import (
    Block,
    DiceHalf,
    EndValues,
    HeadException,
    HitAndHide,
    IllegalPlay,
    Progression,
    ResignValues,
    Ruleset,
    SeriesStart,
    Triple,
)
from nardi.text.message import Message


def _standing(counts: Mapping[int, int]) -> Position:
    side = tuple(counts.get(place, 0) for place in range(26))
    return Position(side, side)


CROSSING_START = _standing({24: 2, 13: 5, 8: 3, 6: 5})
LONG_START = _standing({24: 15})

BACKGAMMON = Ruleset(
    name="backgammon", start=CROSSING_START, automatic_doubles=1, jacoby=True, dice_half=DiceHalf.RIGHT
)

SHORT = Ruleset(
    name="short",
    start=CROSSING_START,
    resign_values=ResignValues.POSITION,
    cube_limit=64,
    crawford=True,
    series_start=SeriesStart.LOSER,
)

CAUCASIAN = replace(SHORT, name="caucasian", hit_and_hide=HitAndHide.HOME)

NARDI = Ruleset(
    name="nardi",
    start=CROSSING_START,
    least_waste=True,
    end_values=EndValues.MARS,
    resign_values=ResignValues.NONE_OFF,
    cube=False,
    turn_ms=11_000,
    reserve_ms=90_000,
    delay_ms=0,
    bank_ms_per_point=0,
)

SHORT_ARENA = Ruleset(
    name="short-arena",
    start=CROSSING_START,
    hit_and_hide=HitAndHide.EVERYWHERE,
    end_values=EndValues.MARS,
    cube_with_mars=False,
    beaver=True,
    progression=Progression.GEOMETRIC,
    series_start=SeriesStart.ALTERNATE,
    swap_colors=True,
    opponent_ends_turn=True,
    illegal_play=IllegalPlay.OPPONENT_CHOOSES,
)

LONG_CLASSIC = Ruleset(
    name="long-classic",
    start=LONG_START,
    same_way=True,
    hits=False,
    head=True,
    head_exception=HeadException.OPPOSING_HEAD,
    block=Block.AHEAD,
    block_in_passing=False,
    end_values=EndValues.MARS,
    triple=Triple.OFF,
    cube=False,
    series_start=SeriesStart.ALTERNATE,
    white_starts=True,
    swap_colors=True,
    opponent_ends_turn=True,
    illegal_play=IllegalPlay.OPPONENT_CHOOSES,
)

LONG_TABLE = replace(
    LONG_CLASSIC,
    name="long-table",
    head_exception=HeadException.ALWAYS,
    block=Block.HOME,
    block_in_passing=True,
    series_start=SeriesStart.WINNER,
    white_starts=False,
    swap_colors=False,
)

RULESETS: Mapping[str, Ruleset] = MappingProxyType(
    {ruleset.name: ruleset for ruleset in (BACKGAMMON, SHORT, CAUCASIAN, NARDI, SHORT_ARENA, LONG_CLASSIC, LONG_TABLE)}
)
"""The seven, by name."""

_NO_CLUBS: Mapping[str, Ruleset] = MappingProxyType({})


def find_ruleset(name: str, clubs: Mapping[str, Ruleset] = _NO_CLUBS) -> Ruleset:
    """The ruleset called `name`, a club's own first. Raises InputError that lists the names there are."""
    found = clubs.get(name) or RULESETS.get(name)
    if found is None:
        raise InputError(Message.of("ruleset.unknown", name=name[:60], known=", ".join({**RULESETS, **clubs})))
    return found
