"""Match files: what is written is read back, others read it, and an illegal play that stood spoils nothing."""

import random
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from nardi.errors import InputError
from nardi.rules import ByColor, Color, LegalPlays, Position, Roll, Ruleset, find_ruleset
from nardi.rules.notation.gnu import position_id
from nardi.rules.notation.mat import position_after, read_mat, write_mat
from nardi.rules.notation.record import Action, CubeDeed, CubeDone, GameRecord, MatchRecord, PlayDone
from nardi.rules.notation.sgf import read_sgf, write_sgf
from nardi.rules.notation.words import laid, words_of
from nardi.rules.score import Ending, Win, win_of

BACKGAMMON = find_ruleset("backgammon")
GNUBG = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")
EXAMPLE = """\
; [EventDate "2026.11.30"]

 3 point match

 Game 1
 gnubg : 0                      root : 0
  1) 42: 8/4 6/4                 53: 13/8 13/10
  2)  Doubles => 2                Takes
  3) 61: 13/7 8/7                11: 24/23, 24/23, 6/5(2)
  4) 21: Cannot Move             64: 23/13
  5)  Doubles => 4                Drops
      Wins 2 points

 Game 2
 gnubg : 2                      root : 0
  1)                             31: 6/5 8/5
  2) 66: 24/18(2) 13/7(2)        52: ????
"""


def random_game(source: random.Random, ruleset: Ruleset, score: ByColor[float], stop: int = 400) -> GameRecord:
    """A whole game of random plays by White and Black, cube turned once or twice."""
    board, by, cube = ruleset.start, source.choice(list(Color)), 1
    owner: Color | None = None
    actions: list[Action] = []
    for turn in range(stop):
        if turn > 3 and ruleset.cube and owner is not by.other and source.random() < 0.03 and cube < 8:
            cube *= 2
            actions += [CubeDone(by, CubeDeed.DOUBLE, cube), CubeDone(by.other, CubeDeed.TAKE, cube)]
            owner = by.other
        roll = Roll(source.randint(1, 6), source.randint(1, 6))
        before = board if by is Color.WHITE else board.flipped
        after = source.choice(LegalPlays(before, roll, ruleset, turn < 2).ends)
        clocks = ByColor(120_000 - 100 * turn, 110_000)
        actions.append(PlayDone(by, roll, before, after, True, turn < 2, clocks, "a ] bracket" if turn == 2 else ""))
        board = after if by is Color.WHITE else after.flipped
        if after.all_off:
            win = win_of(after, ruleset)
            return GameRecord(score, tuple(actions), False, by, win, Ending.BORNE_OFF, int(win) * cube)
        by = by.other
    return GameRecord(score, tuple(actions))


def random_match(seed: int, games: int = 2) -> MatchRecord:
    source = random.Random(seed)
    score: ByColor[float] = ByColor(0, 0)
    played = []
    for _ in range(games):
        game = random_game(source, BACKGAMMON, score)
        played.append(game)
        assert game.winner is not None
        score = score.with_(game.winner, score[game.winner] + game.points)
    return MatchRecord(ByColor("Anna", "Boris"), 63, BACKGAMMON, tuple(played), "2026-11-30", "Club cup", "Vilnius")


def without_clocks(record: MatchRecord) -> list[list[tuple[object, ...]]]:
    """What a `.mat` can hold of the actions."""
    return [
        [
            (a.by, a.roll, a.before, a.after, a.legal) if isinstance(a, PlayDone) else (a.by, a.deed, a.value)
            for a in game.actions
        ]
        for game in record.games
    ]


@pytest.mark.parametrize("seed", range(4))
def test_mat_reads_what_it_writes(seed: int) -> None:
    record = random_match(seed)
    back = read_mat(write_mat(record))
    assert without_clocks(back) == without_clocks(record)
    assert (back.players, back.length, back.date, back.event, back.site) == (
        ByColor("Anna", "Boris"), 63, "2026-11-30", "Club cup", "Vilnius",
    )  # fmt: skip
    for one, other in zip(back.games, record.games, strict=True):
        assert (one.score, one.winner, one.win, one.ending, one.points) == (
            other.score, other.winner, other.win, other.ending, other.points,
        )  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_sgf_reads_what_it_writes_clocks_and_comments_too(seed: int) -> None:
    """Both clocks are in the record at every play."""
    record = random_match(seed)
    assert read_sgf(write_sgf(record)) == record


def test_mat_as_gnubg_writes_it_and_as_others_do() -> None:
    record = read_mat(EXAMPLE, "example.mat")
    first, second = record.games
    assert (first.winner, first.points, first.ending, first.win) == (Color.WHITE, 2, Ending.PASSED, Win.SINGLE)
    plays = [action for action in first.actions if isinstance(action, PlayDone)]
    assert [play.legal for play in plays] == [True, True, True, True, False, True]
    assert second.actions[0].by is Color.BLACK
    assert second.win is None
    assert second.score == ByColor(2, 0)


def test_the_right_column_is_where_readers_look() -> None:
    lines = write_mat(read_mat(EXAMPLE)).splitlines()
    turn = next(line for line in lines if line.startswith("  1) 42:"))
    assert turn.index("53:") == 33
    assert next(line for line in lines if " gnubg : 2" in line).index("root") == 32
    blank = next(line for line in lines if line.startswith("  1)   "))
    assert blank.index("31:") == 33


@pytest.mark.parametrize(
    "line",
    [
        "  2) nonsense",
        "what is this",
        "  2) 31: 8/5 seven/5",
        "  2) 31: 9/8 9/6",  # nobody stands on 9
        "  2) 37: 8/5 8/1                 53: 13/8 13/10",  # no silent turn lost for a roll that is none
        f"  2) Doubles => {'9' * 5000}",
    ],
)
def test_a_line_that_cannot_be_read_is_named(line: str) -> None:
    text = EXAMPLE.replace("  2)  Doubles => 2                Takes", line)
    with pytest.raises(InputError) as caught:
        read_mat(text, "broken.mat")
    parameters = dict(caught.value.message.parameters)
    assert (parameters["file"], parameters["line"]) == ("broken.mat", 8)


def test_marks_of_other_editors_are_no_fault() -> None:
    assert read_mat("\ufeff" + EXAMPLE.replace("\n", "\r\n")) == read_mat(EXAMPLE)


@pytest.mark.parametrize("text", ["", "hello", " 3 point match\n", f" {'9' * 5000} point match\n"])
def test_what_is_no_mat_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_mat(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(;FF[4]GM[6]PW[a]",
        "(;FF[4]GM[1])",
        "(;GM[6];W[31he])x",
        "()",
        "(;GM[6]MI[length:x])",
        "(;GM[6]MI[ws:nan])",
        "(;GM[6];AW[?])",
        "(;GM[6];W[31heec]WL[inf]BL[1])",
    ],
)
def test_what_is_no_sgf_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_sgf(text)


@pytest.mark.parametrize("write", [write_mat, write_sgf])
def test_garbled_files_are_refused_or_read_never_a_crash(write: Callable[[MatchRecord], str]) -> None:
    chance = random.Random(4)
    text = write(read_mat(EXAMPLE))
    for _ in range(150):
        letters = list(text)
        for _ in range(chance.randint(1, 5)):
            at = chance.randrange(len(letters))
            letters[at : at + chance.randint(0, 3)] = chance.choice("0123456789/():*- DTWabof\n;[]?=>")
        try:
            (read_mat if write is write_mat else read_sgf)("".join(letters))
        except InputError as error:
            assert error.messages


def with_an_illegal_play(words: str, roll: Roll) -> MatchRecord:
    """White's first play is illegal and stands; the game goes on from there."""
    start = BACKGAMMON.start
    stood = laid(start, words_of(words), BACKGAMMON)
    return _then_goes_on(start, stood, roll)


def _then_goes_on(start: Position, stood: Position, roll: Roll) -> MatchRecord:
    actions: list[Action] = [PlayDone(Color.WHITE, roll, start, stood, False, True)]
    board = stood.flipped
    source = random.Random(1)
    for turn in range(1, 9):
        by = Color.BLACK if turn % 2 else Color.WHITE
        rolled = Roll(source.randint(1, 6), source.randint(1, 6))
        after = source.choice(LegalPlays(board, rolled, BACKGAMMON).ends)
        actions.append(PlayDone(by, rolled, board, after, True, turn < 2))
        board = after.flipped
    return MatchRecord(ByColor("Anna", "Boris"), 5, BACKGAMMON, (GameRecord(ByColor(0, 0), tuple(actions)),))


ILLEGAL = [
    ("13/10 8/7", Roll(6, 4)),
    ("24/16 8/2", Roll(6, 2)),
    ("8/4 6/5", Roll(4, 2)),
    ("13/7", Roll(6, 1)),
    ("13/10 8/5 6/5", Roll(2, 1)),
    ("", Roll(3, 1)),
]


@pytest.mark.parametrize(("words", "roll"), ILLEGAL)
def test_case_38_an_illegal_play_that_stood_spoils_no_export(words: str, roll: Roll) -> None:
    record = with_an_illegal_play(words, roll)
    for back in (read_mat(write_mat(record)), read_sgf(write_sgf(record))):
        assert without_clocks(back) == without_clocks(record)
        assert [(game, turn) for game, turn, _ in back.illegal_plays] == [(1, 1)]
    assert "Illegal" in write_mat(record)
    assert "KO[]" in write_sgf(record)


def colours_swapped(record: MatchRecord) -> MatchRecord:
    (game,) = record.games
    actions = tuple(replace(action, by=action.by.other) for action in game.actions)
    return replace(record, games=(replace(game, actions=actions),))


def unexplained() -> MatchRecord:
    """A board that no moves of the mover explain stands after the first play."""
    start = BACKGAMMON.start
    mine, theirs = list(start.mine), list(start.theirs)
    mine[6], mine[7] = 4, 1  # backwards
    theirs[13], theirs[11] = 4, 1  # and the opponent's
    return _then_goes_on(start, Position(tuple(mine), tuple(theirs)), Roll(6, 5))


def test_case_38_even_a_board_no_moves_explain_is_whole() -> None:
    record = unexplained()
    assert without_clocks(read_sgf(write_sgf(record))) == without_clocks(record)
    assert without_clocks(read_mat(write_mat(record))) == without_clocks(record)
    assert "Illegal play (" in write_mat(record)


def gnubg(commands: str) -> str:
    if GNUBG is None:
        pytest.skip("gnubg is not installed (apt install gnubg)")
    done = subprocess.run(
        [GNUBG, "-t", "-q", "-r"], input=commands, capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout + done.stderr


COMPLAINTS = re.compile(r"warning|invalid|unrecogni[sz]ed|illegal|error", re.IGNORECASE)


def shown(output: str) -> set[str]:
    return set(re.findall(r"Position ID: (\S+)", output))


def final_ids(game: GameRecord) -> set[str]:
    """The last board's Position ID, for either side on roll."""
    board = position_after(game, BACKGAMMON)
    return {position_id(board), position_id(board.flipped)}


def complaints(output: str) -> list[str]:
    return [line for line in output.splitlines() if COMPLAINTS.search(line) and "ABSOLUTELY" not in line]


@pytest.mark.slow
@pytest.mark.parametrize("format", ["mat", "sgf"])
def test_gnubg_reads_it_without_complaint_and_ends_on_the_same_board(tmp_path: Path, format: str) -> None:
    source = random.Random(3)
    game = random_game(source, BACKGAMMON, ByColor(0, 0), stop=30)
    record = MatchRecord(ByColor("Anna", "Boris"), 7, BACKGAMMON, (game,))
    file = tmp_path / f"match.{format}"
    file.write_text(write_mat(record) if format == "mat" else write_sgf(record))
    command = "import mat" if format == "mat" else "load match"
    output = gnubg(f"{command} {file}\nshow board\n")
    assert complaints(output) == []
    assert shown(output) & final_ids(game)


@pytest.mark.slow
@pytest.mark.parametrize(("words", "roll"), [*ILLEGAL, ("?", Roll(6, 5))])
def test_case_38_gnubg_opens_what_holds_an_illegal_play(tmp_path: Path, words: str, roll: Roll) -> None:
    record = with_an_illegal_play(words, roll) if words != "?" else unexplained()
    for format, command in (("mat", "import mat"), ("mat", "import mat"), ("sgf", "load match")):
        record = colours_swapped(record)  # Black's, White's, Black's
        file = tmp_path / f"match.{format}"
        file.write_text(write_mat(record) if format == "mat" else write_sgf(record))
        output = gnubg(f"{command} {file}\nshow board\n")
        assert complaints(output) == []
        assert shown(output) & final_ids(record.games[0]), (format, output)


@pytest.mark.slow
def test_a_whole_match_goes_through_gnubg_and_back(tmp_path: Path) -> None:
    record = random_match(11)
    file, back = tmp_path / "match.mat", tmp_path / "back.mat"
    file.write_text(write_mat(record))
    assert complaints(gnubg(f"import mat {file}\nexport match mat {back}\n")) == []
    again = read_mat(back.read_text())
    assert without_clocks(again) == without_clocks(record)
    assert [game.points for game in again.games] == [game.points for game in record.games]


LATE = Position.from_text("10223340000000000000000000/20332400000000000000000010", BACKGAMMON)


@pytest.mark.slow
@pytest.mark.parametrize("first", list(Color))
def test_a_game_that_begins_elsewhere(tmp_path: Path, first: Color) -> None:
    """As a recording of a bear-off does."""
    source, board, by = random.Random(2), LATE, first
    actions = []
    for _ in range(6):
        roll = Roll(source.randint(1, 6), source.randint(1, 6))
        after = source.choice(LegalPlays(board, roll, BACKGAMMON).ends)
        actions.append(PlayDone(by, roll, board, after, True, len(actions) < 2))
        board, by = after.flipped, by.other
    start = LATE if first is Color.WHITE else LATE.flipped
    record = MatchRecord(
        ByColor("Anna", "Boris"), 5, BACKGAMMON, (GameRecord(ByColor(0, 0), tuple(actions), start=start),)
    )
    assert read_sgf(write_sgf(record)) == record
    back = read_mat(write_mat(record))
    assert without_clocks(back) == without_clocks(record)
    assert back.games[0].start == start
    file = tmp_path / "late.mat"
    file.write_text(write_mat(record))
    output = gnubg(f"import mat {file}\nshow board\n")
    assert complaints(output) == []
    assert shown(output) & final_ids(record.games[0])
