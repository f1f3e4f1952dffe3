"""Illegal plays that stood, in every ruleset: every export still opens and the later plays are intact (CASES 38)."""

from random import Random

import pytest

from game.sitting import Sitting
from nardi.game.match import Phase
from nardi.game.record import match_record
from nardi.rules import RULESETS, LegalPlays, Roll
from nardi.rules.notation.mat import read_mat, write_mat
from nardi.rules.notation.record import MatchRecord, PlayDone
from nardi.rules.notation.sgf import read_sgf, write_sgf
from nardi.views.match_page import match_page


def any_roll(random: Random) -> Roll:
    return Roll(random.randint(1, 6), random.randint(1, 6))


def disputed(name: str, seed: int, turns: int = 60) -> Sitting:
    """A game in which every third turn, where it can be, is played as if another roll had been thrown."""
    random = Random(seed)
    table = Sitting(name, 0)
    table.set_up()
    table.opening(*random.sample(range(1, 7), 2))
    for turn in range(turns):
        if table.match.phase is not Phase.TO_PLAY:
            break
        ruleset, game = table.match.ruleset, table.game
        play = random.choice(list(table.legal()))
        if turn % 3 == 1:
            play = random.choice(list(LegalPlays(game.position, any_roll(random), ruleset, game.first_turn)))
        for _ in range(2):  # what looks half done is judged once the dice are up
            table.show(play.after)
            if table.match.phase in (Phase.TO_PLAY, Phase.PLAYED, Phase.ILLEGAL):
                table.lift()
        if table.match.phase in (Phase.TO_ROLL, Phase.CALLABLE):
            thrower = table.turn if table.match.phase is Phase.TO_ROLL else table.turn.other
            roll = any_roll(random)
            table.throw(thrower, roll.a, roll.b)
    return table


def plays(record: MatchRecord) -> list[PlayDone]:
    return [action for game in record.games for action in game.actions if isinstance(action, PlayDone)]


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_cases_38_exports_of_a_disputed_game_open_and_hold_every_board(name: str) -> None:
    record = match_record(disputed(name, seed=5).match)
    wrong = [play for play in plays(record) if not play.legal]
    assert len(wrong) >= 5
    assert all(play.comment for play in wrong)
    for once, then in zip(plays(record), plays(record)[1:], strict=False):
        assert then.before == once.after.flipped
    for again in (read_mat(write_mat(record)), read_sgf(write_sgf(record))):
        assert [play.after for play in plays(again)] == [play.after for play in plays(record)]
    assert match_page(record, "lt").count('class="step') >= len(plays(record))
