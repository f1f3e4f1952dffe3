"""Whatever is seen and said, in whatever order: no crash, no checker lost, and the fold of the events is the match."""

from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from game.sight import HERE, shown, slot, with_slot
from game.sitting import BLACK, WHITE
from nardi.game import clock
from nardi.game.board import Board
from nardi.game.evolve import evolve, fold
from nardi.game.match import Match, Phase
from nardi.game.observation import (
    BoardSeen,
    Command,
    DeviceFound,
    DeviceLost,
    DieLifted,
    DieLost,
    DieRolling,
    DieSettled,
    LineFaulty,
    Observation,
    Verb,
)
from nardi.game.umpire import begun, decide
from nardi.rules import RULESETS, ByColor, LegalPlays, Position

DICE = ("w1", "w2", "b1", "b2", "s1", "s2", "x9")
VERBS = get_args(Verb)
ARGUMENTS = ("", "1", "2", "31", "66", "0", "white", "black:5000", "2:white", "4:centre", "3:2", "gammon",
             "white:gammon", "8/5 6/5", "bar/24", "draw", "legal", "x", "é", "-1", "9" * 30)  # fmt: skip

Act = tuple[str, int, int, int]
acts = st.lists(
    st.tuples(
        st.sampled_from(("die", "die", "turn", "turn", "turn", "see", "see", "say", "say", "device")),
        st.integers(0, 400),
        st.integers(0, 400),
        st.integers(0, 3000),
    ),
    max_size=60,
)


def observations(match: Match, act: Act, t: int) -> list[Observation]:
    """What an act of the strategy means at the table as it is now."""
    what, a, b, _ = act
    match what:
        case "die":
            die = DICE[a % len(DICE)]
            kinds = [
                DieRolling(t, die),
                DieSettled(t, die, b % 6 + 1, 40 if b % 17 == 0 else 1),
                DieSettled(t, die, b % 6 + 1, 0),
                DieLifted(t, die),
                DieLost(t, die),
                LineFaulty(t, "checksum", "$DIE"),
            ]
            return [kinds[b % len(kinds)]]
        case "turn":
            return honest(match, a, b, t)
        case "see":
            return [BoardSeen(t, odd_reading(match, a, b, t))]
        case "say":
            by = ("white", "black", "referee")[a % 3]
            argument = ARGUMENTS[b % len(ARGUMENTS)]
            if b % 7 == 0 and match.game is not None:
                argument = match.game.position.text
            return [Command(t, by, VERBS[(a // 3) % len(VERBS)], argument)]  # type: ignore[arg-type]  # any verb
        case _:
            return [(DeviceLost if b % 2 else DeviceFound)(t, ("eye", "dice", "display")[a % 3])]


def honest(match: Match, a: int, b: int, t: int) -> list[Observation]:
    """What orderly players would do next, so that games get somewhere."""
    game = match.game
    if game is None:
        return []
    turn = game.turn or WHITE
    if match.phase is Phase.SET_UP:
        return [
            BoardSeen(t, shown(Board.of(game.position, turn, match.ruleset), t_ms=t, seating=match.seating or HERE))
        ]
    if match.phase is Phase.OPENING:
        return [DieSettled(t, "w1", a % 6 + 1, 1), DieSettled(t, "b1", b % 6 + 1, 1)]
    letter = turn.value[0]
    if match.phase in (Phase.TO_ROLL, Phase.ROLLING, Phase.LAST_ROLL):
        rolled: list[Observation] = []
        for number, value in ((1, a), (2, b)):
            die = f"{letter}{number}"
            rolled += [DieRolling(t, die), DieSettled(t, die, value % 6 + 1, 1)]
        return rolled
    if game.roll is not None and match.phase in (Phase.TO_PLAY, Phase.ILLEGAL, Phase.CALLABLE):
        plays = list(LegalPlays(game.position, game.roll, match.ruleset, game.first_turn))
        board = Board.of(plays[a % len(plays)].after, turn, match.ruleset)
        return [BoardSeen(t, shown(board, t_ms=t, seating=match.seating or HERE))]
    if match.phase is Phase.PLAYED:
        return [DieLifted(t, die) for die in (game.sources or ("w1",))]
    return []


def odd_reading(match: Match, a: int, b: int, t: int):  # type: ignore[no-untyped-def]  # a BoardReading
    """A picture of nearly the board, with one slot read as anything, sometimes with a hand."""
    game = match.game
    position = match.ruleset.start if game is None else game.position
    board = Board.of(position, WHITE if game is None else game.turn or WHITE, match.ruleset)
    seen = shown(board, t_ms=t, seating=match.seating or HERE, hand=b % 5 == 0, hidden=(a % 24,) if b % 3 == 0 else ())
    seen = with_slot(seen, a % 24, slot(("light", "dark", None)[b % 3], b % 15 + 1, weight=0.3 + (a % 7) / 10))
    return with_slot(seen, b % 24, slot(("light", "dark", None)[a % 3], a % 15 + 1))


def total(position: Position) -> tuple[int, int]:
    return sum(position.mine), sum(position.theirs)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(RULESETS)), st.sampled_from((0, 1, 5)), st.booleans(), acts)
def test_anything_in_any_order(name: str, length: int, eye: bool, happenings: list[Act]) -> None:
    ruleset = RULESETS[name]
    beginning = begun(
        ruleset,
        length,
        ByColor("A", "B"),
        0,
        seating=HERE if eye else None,
        clocks=clock.rules_of(ruleset, length),
    )
    events = list(beginning)
    match = fold(beginning)
    t = 0
    for act in happenings:
        t += act[3]
        for observation in observations(match, act, t):
            ruled = decide(match, observation)
            assert ruled == decide(match, observation)
            for event in ruled:
                assert event.at_ms == t
                match = evolve(match, event)
            events.extend(ruled)
        if match.game is not None:
            assert total(match.game.position) == (15, 15)
            for ply in match.game.plies:
                assert total(ply.after) == (15, 15)
        assert match.phase is not Phase.MATCH_OVER or match.winner in (WHITE, BLACK, None)
    assert fold(tuple(events)) == match
    assert fold(tuple(events)).earlier == match.earlier
