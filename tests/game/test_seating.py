"""How the board lies before the eye, and boards as they stand on the table."""

import pytest

from nardi.game.board import Board
from nardi.game.seating import Seating
from nardi.rules import RULESETS, Color

WHITE, BLACK = Color.WHITE, Color.BLACK

CORNERS = {0: (0, 11, 23, 12), 1: (11, 0, 12, 23), 2: (23, 12, 0, 11), 3: (12, 23, 11, 0)}
"""Picture slots of White's points 1, 12, 13 and 24, by the corner at the 1 point."""


@pytest.mark.parametrize("corner", range(4))
def test_slots_and_points(corner: int) -> None:
    seating = Seating("light", corner)
    assert tuple(seating.slot(point) for point in (1, 12, 13, 24)) == CORNERS[corner]
    assert [seating.point(seating.slot(point)) for point in range(1, 25)] == list(range(1, 25))


def test_shades() -> None:
    seating = Seating("dark", 0)
    assert seating.shade(WHITE) == "dark"
    assert seating.shade(BLACK) == "light"
    assert seating.color("light") is BLACK


@pytest.mark.parametrize("name", sorted(RULESETS))
@pytest.mark.parametrize("corner", range(4))
def test_swapped_colours_keep_each_players_home_where_it_was(name: str, corner: int) -> None:
    ruleset = RULESETS[name]
    seating = Seating("light", corner)
    other = seating.with_colors_swapped(ruleset.same_way)
    # Whoever had Black had their 1 point here; now that is White's 1 point.
    assert other.slot(1) == seating.slot(ruleset.facing(1))
    assert other.with_colors_swapped(ruleset.same_way) == seating


def test_swapped_sides_turn_the_board_round() -> None:
    assert Seating("light", 0).with_sides_swapped == Seating("light", 2)
    assert Seating("dark", 3).with_sides_swapped.with_sides_swapped == Seating("dark", 3)


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_board_and_position_are_the_same_thing(name: str) -> None:
    ruleset = RULESETS[name]
    for mover in Color:
        board = Board.of(ruleset.start, mover, ruleset)
        assert board.position(mover, ruleset) == ruleset.start
        assert board.position(mover.other, ruleset) == ruleset.start.flipped
        assert not board.differences(board)


def test_contents_in_picture_order_of_the_recordings() -> None:
    """backgammon-1: White plays the light checkers, 1 point at corner 1."""
    ruleset = RULESETS["backgammon"]
    contents = Board.of(ruleset.start, WHITE, ruleset).contents(Seating("light", 1))
    assert contents[0] == ("dark", 5)
    assert contents[11] == ("dark", 2)
    assert contents[23] == ("light", 2)
    assert contents[12] == ("light", 5)
