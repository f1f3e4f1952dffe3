"""Illegal plays that stood, in every ruleset: every export still opens and the later plays are intact (CASES 38)."""

import re
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from game.sitting import Sitting
from nardi.game.match import Phase
from nardi.game.record import match_record
from nardi.rules import RULESETS, LegalPlays, Roll
from nardi.rules.notation.gnu import position_id
from nardi.rules.notation.mat import read_mat, write_mat
from nardi.rules.notation.record import MatchRecord, PlayDone
from nardi.rules.notation.sgf import read_sgf, write_sgf
from nardi.views.match_page import match_page

GNUBG = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")


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


@pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed: apt-get install gnubg")
@pytest.mark.parametrize(("name", "seed"), [("backgammon", 2), ("caucasian", 0), ("short-arena", 0)])
def test_cases_38_gnubg_comes_to_the_same_board_with_checkers_on_the_bar(name: str, seed: int, tmp_path: Path) -> None:
    record = match_record(disputed(name, seed, turns=80).match)
    assert any("Illegal play" in line for line in write_mat(record).splitlines())
    file = tmp_path / "disputed.mat"
    file.write_text(write_mat(record), encoding="utf-8")
    assert GNUBG is not None
    said = subprocess.run(
        [GNUBG, "-t", "-q"],
        input=f"import mat {file}\nnext 500\nshow board\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"HOME": str(tmp_path), "LANG": "C.UTF-8"},
    ).stdout
    last = plays(record)[-1].after
    assert re.findall(r"Position ID: (\S+)", said)[-1] in (position_id(last), position_id(last.flipped))
