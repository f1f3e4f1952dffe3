"""Only readings that say something new are judged and kept."""

from dataclasses import replace

from game.sight import HERE, pile, shown, slot, with_slot
from nardi.game.board import Board
from nardi.game.noteworthy import AGAIN_MS, is_noteworthy
from nardi.rules import Color, find_ruleset
from nardi_vision.reading import DieReading, DieState, EyeFault

RULES = find_ruleset("backgammon")
FIRST = shown(Board.of(RULES.start, Color.WHITE, RULES), t_ms=0, weight=0.95)


def test_the_first_reading_is_and_the_same_again_is_not() -> None:
    assert is_noteworthy(None, FIRST)
    assert not is_noteworthy(FIRST, replace(FIRST, t_ms=100))


def test_a_still_picture_is_heard_again_after_a_while() -> None:
    assert is_noteworthy(FIRST, replace(FIRST, t_ms=AGAIN_MS))
    waved = replace(FIRST, settled=False, hand=True)
    assert not is_noteworthy(waved, replace(waved, t_ms=AGAIN_MS))


def test_what_is_new() -> None:
    die = DieReading(3, 0.9, DieState.FLAT, 1, 0.5, 0.5)
    for new in (
        with_slot(FIRST, 5, slot("light", 2)),
        with_slot(FIRST, 5, replace(FIRST.points[5], occluded=True)),
        with_slot(FIRST, 0, slot("light", 2, weight=0.7)),
        replace(FIRST, hand=True),
        replace(FIRST, settled=False),
        replace(FIRST, faults=(EyeFault.GLARE,)),
        replace(FIRST, bar=pile(1, 0)),
        replace(FIRST, off=pile(0, 0)),
        replace(FIRST, dice=(die,)),
    ):
        assert is_noteworthy(FIRST, new)


def test_what_is_not() -> None:
    die = DieReading(3, 0.9, DieState.FLAT, 1, 0.5, 0.5)
    rolled = replace(FIRST, dice=(die,))
    shifted = replace(FIRST, dice=(replace(die, x=0.51, confidence=0.8),))
    assert not is_noteworthy(rolled, shifted)
    assert not is_noteworthy(FIRST, with_slot(FIRST, 0, slot(*HERE_CONTENT, weight=0.9)))


HERE_CONTENT = Board.of(RULES.start, Color.WHITE, RULES).contents(HERE)[0]
