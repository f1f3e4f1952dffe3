"""Whole recordings through the umpire, with an eye that reads what the labels say."""

import pytest

from game.recordings import folder, labels, played_through
from nardi.game.board import Board
from nardi.game.event import IllegalPlayMended, IllegalPlayNoticed, Played, RollRejected, TrackLost
from nardi.game.match import Match

ALL = ("backgammon-1", "long-1", "disputes-1", "bearoff-1", "arena-1")


def signed(match: Match, ply: Played) -> list[int]:
    """The 24 signed counts of the labels: White's numbering, White positive."""
    board = Board.of(ply.position, ply.by, match.ruleset)
    return [count if color == "white" else -count for color, count in board.points]


@pytest.mark.parametrize("trays", [False, True])
@pytest.mark.parametrize("weight", [1.0, 0.7])
@pytest.mark.parametrize("name", ALL)
def test_every_play_of_a_recording(name: str, weight: float, trays: bool) -> None:
    where = folder(name)
    match, events = played_through(where, weight=weight, trays=trays)
    plays = [event for event in events if isinstance(event, Played)]
    wanted = labels(where)
    assert [(p.by.value, list(p.dice), signed(match, p), p.legal) for p in plays] == [
        (w["player"], w["dice"], w["after"]["points"], True) for w in wanted
    ]
    assert [p.notation == "" for p in plays] == [not w["steps"] for w in wanted]
    assert not any(isinstance(event, TrackLost) for event in events)


@pytest.mark.parametrize("name", ALL)
def test_illegal_plays_and_cocked_throws_of_a_recording(name: str) -> None:
    """E1, E5: each is noticed once, before it is taken back, and nothing else is."""
    where = folder(name)
    _, events = played_through(where)
    wanted = labels(where)
    noticed = [event for event in events if isinstance(event, IllegalPlayNoticed)]
    mended = [event for event in events if isinstance(event, IllegalPlayMended)]
    assert [event.by.value for event in noticed] == [row["player"] for row in wanted if row["illegal_first"]]
    assert [event.by for event in mended] == [event.by for event in noticed]
    assert not any(event.final for event in noticed)
    rejected = [(event.by.value, event.reason) for event in events if isinstance(event, RollRejected)]
    assert rejected == [(row["player"], "cocked") for row in wanted if row["cocked_first"]]
