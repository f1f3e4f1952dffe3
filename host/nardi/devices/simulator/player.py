"""A simple player: quick, plays every ruleset, no master. Good enough for a game that looks like one."""

from dataclasses import dataclass
from random import Random

from nardi.rules import LegalPlays, Play, Position, Roll, Ruleset
from nardi.rules.whynot import why_not

BAR = 25


def danger(position: Position, ruleset: Ruleset) -> float:
    """How exposed the mover's blots are: pips they would lose, weighted by the opponent's shots from behind."""
    if ruleset.same_way:
        return 0.0
    risk = 0.0
    for point in range(1, 25):
        if position.mine[point] == 1:
            shooters = sum(position.theirs[there] for there in range(25 - point + 1, min(25 - point + 12, 25) + 1))
            risk += min(shooters, 4) * (25 - point) * 0.12
    return risk


def liking(play: Play, ruleset: Ruleset) -> float:
    """How much the simple player likes where a play leads; more is better."""
    after = play.after
    made = sum(1 for point in range(1, 25) if after.mine[point] >= 2)
    home = sum(1 for point in range(1, 7) if after.mine[point] >= 2)
    hit = after.theirs[BAR] - play.before.theirs[BAR]
    heaps = sum(max(0, after.mine[point] - 4) for point in range(1, 25))
    score = 2.0 * made + 1.5 * home + 6.0 * hit + 8.0 * after.mine[0] - 1.5 * heaps - danger(after, ruleset)
    if ruleset.same_way:
        spread = sum(1 for point in range(1, 25) if after.mine[point])
        score = 2.0 * spread + 8.0 * after.mine[0] - 0.4 * sum(after.mine[19:25])
    return score


@dataclass(frozen=True, slots=True)
class SimulatedPlayer:
    """`boldness` 0..1: how readily this player doubles and takes. All chance comes from the Random given."""

    boldness: float = 0.5

    def choose(self, plays: LegalPlays, ruleset: Ruleset, random: Random) -> Play:
        """One of the legal plays (there is always at least the empty one)."""
        return max(plays, key=lambda play: liking(play, ruleset) + random.random())

    def doubles(self, position: Position, random: Random) -> bool:
        """Whether to offer the cube before this roll."""
        lead = (position.their_pips - position.pips) / max(position.pips, 8)
        return lead > 0.12 and random.random() < 0.25 + 0.5 * self.boldness

    def takes(self, position: Position, random: Random) -> bool:
        """Whether to take, seen from the doubler's side of `position`."""
        lead = (position.their_pips - position.pips) / max(position.pips, 8)
        return lead < 0.22 + 0.3 * self.boldness + 0.1 * random.random()

    def slips(
        self, position: Position, roll: Roll, ruleset: Ruleset, first_turn: bool, random: Random
    ) -> Position | None:
        """An illegal end position such as a tired player makes: one checker moved by a wrong number of points."""
        sources = [point for point in range(25, 0, -1) if position.mine[point]]
        random.shuffle(sources)
        for source in sources:
            for pips in random.sample(range(1, 7), 6):
                target = source - pips
                if target < 1 or position.theirs[ruleset.facing(target)]:
                    continue
                mine = list(position.mine)
                mine[source] -= 1
                mine[target] += 1
                wrong = Position(tuple(mine), position.theirs)
                if not is_part_of(wrong, LegalPlays(position, roll, ruleset, first_turn)) and why_not(
                    position, wrong, roll, ruleset, first_turn
                ):
                    return wrong
        return None


def is_part_of(position: Position, plays: LegalPlays) -> bool:
    """Whether `position` may come up on the way through one of the legal plays."""
    for play in plays:
        mine = list(play.before.mine)
        for step in play.steps:
            mine[step.source] -= 1
            mine[step.target] += 1
            if tuple(mine) == position.mine:
                return True
    return False
