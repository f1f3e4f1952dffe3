"""What lies in one place turn after turn, or alone before anything was thrown, is no die."""

from itertools import pairwise

import pytest

from nardi_vision.marks import SAME, TURNS, Marks
from nardi_vision.reading import DieReading, DieState


def die(x: float, y: float = 0.5, value: int | None = 4) -> DieReading:
    return DieReading(value, 0.9, DieState.FLAT, 0 if x < 0.5 else 1, x, y)


STAR = die(0.25, value=5)


@pytest.mark.parametrize("seen", [(STAR,), (STAR, die(0.75), die(0.4)), (STAR, die(0.75, value=None))])
def test_before_the_first_throw_lies_a_roll_or_no_die(seen: tuple[DieReading, ...]) -> None:
    marks = Marks()
    marks.met(seen)
    assert marks.without((*seen, die(0.6))) == (die(0.6),)


def test_a_roll_that_lies_there_from_the_beginning_is_one() -> None:
    marks = Marks()
    marks.met((die(0.2), die(0.8)))
    assert marks.without((die(0.2), die(0.8))) == (die(0.2), die(0.8))


def test_what_does_not_move_from_turn_to_turn_is_no_die() -> None:
    marks = Marks()
    marks.met(())
    rolls = [(die(0.1 + 0.2 * n), die(0.2 + 0.2 * n)) for n in range(TURNS)]
    for turn, (before, now) in enumerate(pairwise(((), *rolls))):
        assert set(marks.without((*before, STAR))) == {*before, STAR}, turn
        marks.met((*now, die(0.25 + SAME / 3 * (-1) ** turn, value=turn + 1)))
    assert marks.without((*rolls[-1], STAR)) == rolls[-1]


def test_a_die_that_comes_to_lie_where_one_lay_a_turn_ago_is_a_die() -> None:
    marks = Marks()
    for seen in ((), (die(0.3), die(0.7)), (die(0.3), die(0.8)), (die(0.5), die(0.8)), (die(0.3), die(0.9))):
        marks.met(seen)
        assert marks.without(seen) == seen
