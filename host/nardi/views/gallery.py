"""One match in every state a table can be in: for the page of all screens, for tests, for translators to look at."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from nardi.game.clock import ClockRules, Clocks
from nardi.game.difference import Difference
from nardi.game.match import Game, Match, Phase, Ply, Teach
from nardi.rules import ByColor, Color, LegalPlays, Play, Position, Roll, Step, find_ruleset
from nardi.rules.cube import Cube
from nardi.rules.score import Ending, Outcome, Win
from nardi.rules.whynot import Illegality, why_not
from nardi.text.message import Message


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A match to be shown, with the tutor's words where there are some."""

    name: str
    match: Match
    now_ms: int = 100_000
    advice: Play | None = None
    remark: Message | None = None


BACKGAMMON = find_ruleset("backgammon")
LONG = find_ruleset("long-classic")
NAMES = ByColor("Anahit", "Jonas")
CLOCKS = Clocks(ClockRules(12_000, 600_000), ByColor(583_000, 412_000), Color.WHITE, since_ms=60_000)
DICE = (("w1", "settled", 3), ("w2", "settled", 1), ("b1", "lifted", 0), ("b2", "lifted", 0))


def _move(position: Position, *steps: tuple[int, int]) -> Position:
    """The position after checkers were moved, legally or not; hits are not made."""
    mine = list(position.mine)
    for source, target in steps:
        mine[source] -= 1
        mine[target] += 1
    return Position(tuple(mine), position.theirs)


def _play(position: Position, roll: Roll, *steps: tuple[int, int]) -> Play:
    found = LegalPlays(position, roll, BACKGAMMON).by_result(_move(position, *steps))
    if found is None:
        raise ValueError(f"the exhibit's play {steps} is not legal")
    return found


def _ply(by: Color, roll: Roll, before: Position, after: Position, notation: str, legal: bool = True) -> Ply:
    rule = None if legal else "R3"
    return Ply(by, roll, before, after, notation, legal, rule, at_ms=90_000, clocks=CLOCKS, cube=Cube())


def exhibits() -> Iterator[Exhibit]:
    """Every phase, and the states that look different within one."""
    start = BACKGAMMON.start
    game = Game(number=2, start=start, position=start, turn=None, cube=Cube())
    match = Match(BACKGAMMON, 7, NAMES, Phase.SET_UP, ByColor(3, 1), Clocks(), game, dice=DICE)

    def at(phase: Phase, base: Match = match, **game_changes: object) -> Match:
        changed = replace(base.game or game, **game_changes)  # type: ignore[arg-type]  # names are the fields'
        return replace(base, phase=phase, game=changed)

    yield Exhibit("welcome", replace(match, game=None))
    yield Exhibit("set_up", match)
    missing = (
        Difference(13, (Color.WHITE, 5), (Color.WHITE, 3)),
        Difference(19, (Color.BLACK, 5), (Color.WHITE, 1)),
        Difference(2, (None, 0), (Color.BLACK, 1)),
    )
    yield Exhibit("set_up_coach", replace(match, lost=missing))
    yield Exhibit("opening", at(Phase.OPENING, replace(match, dice=(("w1", "settled", 4), ("b1", "rolling", 0)))))

    reply = _play(start, Roll(3, 1), (8, 5), (6, 5))
    answer_board = reply.after.flipped
    black = _play(answer_board, Roll(6, 4), (24, 18), (18, 14))
    plies = (
        _ply(Color.WHITE, Roll(3, 1), start, reply.after, reply.notation),
        _ply(Color.BLACK, Roll(6, 4), answer_board, black.after, black.notation),
    )
    board = black.after.flipped
    turn = at(Phase.TO_ROLL, turn=Color.WHITE, position=board, plies=plies)
    yield Exhibit("to_roll", turn)
    yield Exhibit("to_roll_clock", replace(turn, clocks=CLOCKS))
    yield Exhibit("to_roll_crawford", at(Phase.TO_ROLL, turn, crawford=True))
    yield Exhibit("to_roll_fault", replace(turn, faults=(Message.of("eye.dark"),)))
    yield Exhibit("to_roll_notice", replace(turn, notice=Message.of("umpire.roll_rejected.cocked")))
    yield Exhibit("rolling", replace(at(Phase.ROLLING, turn), dice=(("w1", "rolling", 0), ("w2", "settled", 5))))

    roll = Roll(5, 3)
    playing = at(Phase.TO_PLAY, turn, roll=roll)
    yield Exhibit("to_play", playing)
    yield Exhibit("to_play_clock", replace(playing, clocks=CLOCKS))
    yield Exhibit("to_play_legal", replace(playing, teach=Teach.LEGAL))
    yield Exhibit("to_play_lifted", replace(playing, teach=Teach.LEGAL, lifted=Color.WHITE, lifted_from=13))
    advice = _play(board, roll, (13, 8), (13, 10))
    yield Exhibit("to_play_hint", replace(playing, teach=Teach.HINT), advice=advice)
    yield Exhibit(
        "to_roll_coach", replace(turn, teach=Teach.COACH), remark=Message.of("tutor.better", notation="13/8 13/10")
    )
    shut = Position.from_text("000000000000000000000000e1/00022323300000000000000000", BACKGAMMON)
    yield Exhibit("to_play_no_move", at(Phase.TO_PLAY, turn, position=shut, roll=Roll(3, 5)))
    double = at(Phase.TO_PLAY, turn, roll=Roll(4, 4), turn=Color.BLACK, position=board.flipped)
    yield Exhibit("to_play_double", double)
    yield Exhibit("played", at(Phase.PLAYED, turn, roll=roll, provisional=advice))
    long_play = LegalPlays(start, Roll(1, 1), BACKGAMMON).by_result(_move(start, (24, 23), (24, 23), (8, 7), (6, 5)))
    yield Exhibit("played_long", at(Phase.PLAYED, turn, roll=Roll(1, 1), position=start, provisional=long_play))

    wrong = _move(board, (24, 19), (13, 10))
    fault = why_not(board, wrong, roll, BACKGAMMON) or _unexplained(wrong, board)
    illegal = at(Phase.ILLEGAL, turn, roll=roll, illegality=fault, illegal_position=wrong)
    yield Exhibit("illegal", illegal)
    yield Exhibit("illegal_legal", replace(illegal, teach=Teach.LEGAL))
    callable_ = replace(illegal, phase=Phase.CALLABLE)
    yield Exhibit("callable", callable_)
    yield Exhibit("callable_called", at(Phase.CALLABLE, callable_, called=True))
    yield Exhibit("callable_must_correct", at(Phase.CALLABLE, callable_, called=True, must_correct=True))

    yield Exhibit("offered", at(Phase.OFFERED, turn, cube=Cube(offered_by=Color.WHITE), offer_by=Color.WHITE))
    yield Exhibit(
        "offered_64",
        at(Phase.OFFERED, turn, cube=Cube(32, Color.BLACK, offered_by=Color.BLACK), offer_by=Color.BLACK),
    )
    yield Exhibit(
        "beavered",
        at(Phase.BEAVERED, turn, cube=Cube(2, Color.BLACK, offered_by=Color.BLACK, beaver=True), offer_by=Color.BLACK),
    )
    yield Exhibit("resigning", at(Phase.RESIGNING, turn, resign=(Color.BLACK, "gammon")))
    yield Exhibit("last_roll", at(Phase.LAST_ROLL, turn, last_roll=True, turn=Color.BLACK, position=board.flipped))

    lost = (
        Difference(6, (Color.WHITE, 4), (Color.WHITE, 3)),
        Difference(5, (Color.WHITE, 2), (Color.WHITE, 3)),
        Difference(25, (Color.BLACK, 0), (Color.BLACK, 1)),
    )
    yield Exhibit("lost", replace(turn, lost=lost))
    yield Exhibit("lost_one", replace(double, lost=(Difference(19, (Color.BLACK, 5), (Color.WHITE, 2)),)))
    yield Exhibit("paused", replace(turn, paused=True, clocks=replace(CLOCKS, paused=True, spent_ms=5_000)))

    won = Outcome(Color.WHITE, Win.GAMMON, Ending.BORNE_OFF)
    over = replace(at(Phase.GAME_OVER, turn, outcome=won, points=4), score=ByColor(7, 1))
    yield Exhibit("game_over", replace(over, score=ByColor(5, 1)))
    yield Exhibit("game_over_drawn", at(Phase.GAME_OVER, turn, outcome=Outcome(None, Win.DRAW, Ending.DRAWN)))
    yield Exhibit("match_over", replace(over, phase=Phase.MATCH_OVER, winner=Color.WHITE))
    many = at(Phase.MATCH_OVER, over, points=192, outcome=Outcome(Color.BLACK, Win.BACKGAMMON, Ending.BORNE_OFF))
    yield Exhibit("match_over_25", replace(many, length=25, score=ByColor(18, 209), winner=Color.BLACK))

    long = Game(number=1, start=LONG.start, position=LONG.start, turn=Color.WHITE, cube=Cube(), roll=Roll(6, 6))
    first = Match(LONG, 0, ByColor("", ""), Phase.TO_PLAY, ByColor(0.5, 1.5), Clocks(), long, teach=Teach.LEGAL)
    yield Exhibit("long_to_play", first)


def _unexplained(wrong: Position, before: Position) -> Illegality:
    steps = tuple(Step(point, 0) for point in range(1, 26) if wrong.mine[point] < before.mine[point])
    return Illegality("R2", Message.of("rules.R2.their_checkers_only"), steps, None)
