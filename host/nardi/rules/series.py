"""Who starts, and with which checkers: the opening throw and the next game of a series (RULES.md R1, L6)."""

from dataclasses import dataclass

from nardi.rules.color import Color
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset, SeriesStart


@dataclass(frozen=True, slots=True)
class Opening:
    """The opening throw decided: who starts with which roll (the starter's own die first).

    `colors_swapped`: the winner of the throw was to play White and had Black (`white_starts`); `starter` is then the
    starter's colour after the swap.
    """

    starter: Color
    roll: Roll
    colors_swapped: bool = False


def opening(white_die: int, black_die: int, ruleset: Ruleset) -> Opening | None:
    """R1: the higher die starts and plays both numbers; None for a tie, which is thrown again. Raises ValueError."""
    if white_die == black_die:
        Roll(white_die, black_die)
        return None
    if white_die > black_die:
        return Opening(Color.WHITE, Roll(white_die, black_die))
    if ruleset.white_starts:
        return Opening(Color.WHITE, Roll(black_die, white_die), colors_swapped=True)
    return Opening(Color.BLACK, Roll(black_die, white_die))


@dataclass(frozen=True, slots=True)
class NextGame:
    """How the next game of a series begins. `starter` None: the opening is thrown; else in the *new* game's colours."""

    starter: Color | None
    colors_swapped: bool
    sides_swapped: bool


def next_game(starter: Color, winner: Color | None, ruleset: Ruleset) -> NextGame:
    """R1, L6: the game after one that `starter` began and `winner` won (None: drawn, when the other starts)."""
    match ruleset.series_start:
        case SeriesStart.ROLL:
            begins = None
        case SeriesStart.ALTERNATE:
            begins = starter.other
        case SeriesStart.WINNER:
            begins = winner or starter.other
        case SeriesStart.LOSER:
            begins = winner.other if winner else starter.other
    if begins and ruleset.swap_colors:
        begins = begins.other
    return NextGame(begins, ruleset.swap_colors, ruleset.swap_sides)
