"""A match as match files hold it: what was done, in order; neutral between the formats and the journal."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from nardi.rules.attempt import attempts
from nardi.rules.color import ByColor, Color
from nardi.rules.legal import LegalPlays
from nardi.rules.play import Step
from nardi.rules.position import OFF, Position
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset
from nardi.rules.score import Ending, Win
from nardi.rules.whynot import likeliest_pairs


@dataclass(frozen=True, slots=True)
class PlayDone:
    """A turn as it stands in the end: `before` and `after` with the mover's side first, equal where nothing was played.

    `legal` False: an illegal play that stood. `clocks_ms`: what both had left when it became final.
    """

    by: Color
    roll: Roll
    before: Position
    after: Position
    legal: bool = True
    first_turn: bool = False
    clocks_ms: ByColor[int] | None = None
    comment: str = ""


class CubeDeed(StrEnum):
    """What can be done with the cube."""

    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    BEAVER = "beaver"


@dataclass(frozen=True, slots=True)
class CubeDone:
    """Something done with the cube; `value`: what it shows once the double is taken."""

    by: Color
    deed: CubeDeed
    value: int
    clocks_ms: ByColor[int] | None = None
    comment: str = ""


Action = PlayDone | CubeDone


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game. `score`: before it. `win` None: not finished (yet); `winner` None with a win: drawn.

    `points` are the true ones, not cut at the length of the match (CASES 13).
    """

    score: ByColor[float]
    actions: tuple[Action, ...]
    crawford: bool = False
    winner: Color | None = None
    win: Win | None = None
    ending: Ending | None = None
    points: int = 0
    start: Position | None = None  # White's side first; None: the ruleset's


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A whole match. `length` None: money. `date`: ISO, or empty. `comments`: (name, text), kept where a format can."""

    players: ByColor[str]
    length: int | None
    ruleset: Ruleset
    games: tuple[GameRecord, ...]
    date: str = ""
    event: str = ""
    site: str = ""
    comments: tuple[tuple[str, str], ...] = ()

    @property
    def illegal_plays(self) -> Iterator[tuple[int, int, PlayDone]]:
        """(game, turn, play) of every illegal play that stood, counted from 1."""
        for game_number, game in enumerate(self.games, start=1):
            plays = [action for action in game.actions if isinstance(action, PlayDone)]
            for turn, play in enumerate(plays, start=1):
                if not play.legal:
                    yield game_number, turn, play


def steps_of(done: PlayDone, ruleset: Ruleset) -> tuple[Step, ...] | None:
    """The steps from `before` to `after`: those of the legal play, else the likeliest that lead there.

    None where no forward moves of the mover's checkers explain the board.
    """
    if done.before == done.after:
        return ()
    play = LegalPlays(done.before, done.roll, ruleset, done.first_turn).by_result(done.after)
    if play is not None:
        return play.steps
    ways = attempts(done.before, done.after, done.roll, ruleset, done.first_turn)
    if ways:
        return min(ways, key=lambda way: way.doubtfulness).steps
    pairs = likeliest_pairs(done.before, done.after, done.roll)
    if not pairs or len(pairs) > 4 or any(source <= target for source, target in pairs):
        return None
    steps = []
    theirs = list(done.before.theirs)
    for source, target in pairs:
        hits = bool(ruleset.hits and target != OFF and theirs[ruleset.facing(target)] == 1)
        if hits:
            theirs[ruleset.facing(target)] = 0
        steps.append(Step(source, target, hits))
    return tuple(steps)


def leads_to(steps: tuple[Step, ...], done: PlayDone, ruleset: Ruleset) -> bool:
    """Whether the steps, made by a program that hits single checkers by itself, lead to the board that stood."""
    mine, theirs = list(done.before.mine), list(done.before.theirs)
    for step in steps:
        mine[step.source] -= 1
        mine[step.target] += 1
        if ruleset.hits and step.target != OFF and theirs[ruleset.facing(step.target)] == 1:
            theirs[ruleset.facing(step.target)] = 0
            theirs[25] += 1
    return tuple(mine) == done.after.mine and tuple(theirs) == done.after.theirs
