"""Chouette (H): one against a team. Who sits where, who owes whom, how seats move on. Pure; totals sum to zero."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from nardi.text.message import Message

FEWEST = 3
"""Three or more players make a chouette."""


@dataclass(frozen=True, slots=True)
class Chouette:
    """`team`: the captain by seat first, then the crew in order. `out`: those of the team who passed in this game.

    `totals`: each player's points so far, in the order in which they joined; they sum to zero.
    """

    box: str
    team: tuple[str, ...]
    totals: tuple[tuple[str, float], ...]
    out: tuple[str, ...] = ()

    @property
    def playing(self) -> tuple[str, ...]:
        """Those of the team who are still in this game."""
        return tuple(name for name in self.team if name not in self.out)

    @property
    def captain(self) -> str | None:
        """Who moves the team's checkers: the first who has not passed; None when all have."""
        return next(iter(self.playing), None)

    def total(self, name: str) -> float:
        """A player's running total. Raises KeyError for nobody of this chouette."""
        return dict(self.totals)[name]


def ranked(throws: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Players by their throw, the highest first; those who tied stand together and throw again among themselves."""
    return tuple(
        tuple(name for name, value in throws.items() if value == wanted)
        for wanted in sorted(set(throws.values()), reverse=True)
    )


def seated(names: Sequence[str], rounds: Sequence[Mapping[str, int]]) -> Chouette | tuple[tuple[str, ...], ...]:
    """The seats after the throws: the highest is the box, the next the captain, then the crew in order.

    `rounds`: each round's throws, the first by all, later ones by those who tied. While ties remain: who must throw
    again, group by group. Raises ValueError for fewer than three players, or one named twice.
    """
    if len(names) < FEWEST or len(set(names)) != len(names):
        raise ValueError(f"a chouette is of three or more different players, not {', '.join(names)}")
    groups: list[tuple[str, ...]] = [tuple(names)]
    for throws in rounds:
        split: list[tuple[str, ...]] = []
        for group in groups:
            mine = {name: throws[name] for name in group if name in throws}
            split.extend(ranked(mine) if len(group) > 1 and len(mine) == len(group) else (group,))
        groups = split
    tied = tuple(group for group in groups if len(group) > 1)
    if tied:
        return tied
    order = tuple(group[0] for group in groups)
    return Chouette(order[0], order[1:], tuple((name, 0) for name in names))


def may_double_box(chouette: Chouette, agreed: Collection[str]) -> Message | None:
    """Why the team may not double the box: it must be unanimous. None if it may."""
    against = [name for name in chouette.playing if name not in agreed]
    return Message.of("chouette.not_unanimous", names=", ".join(against)) if against else None


def _paid(chouette: Chouette, payers: Collection[str], points: float) -> Chouette:
    """Each of `payers` pays the box `points` (which may be negative: the box pays)."""
    changes = dict.fromkeys(payers, -points)
    changes[chouette.box] = points * len(payers)
    totals = tuple((name, total + changes.get(name, 0)) for name, total in chouette.totals)
    return replace(chouette, totals=totals)


def box_doubled(chouette: Chouette, takers: Collection[str], stake: int) -> Chouette:
    """The box has doubled: each of the team took or passed; those who passed pay `stake`, the one before the offer.

    When nobody took, the game is over (`captain` is None): `ended` then only moves the seats.
    """
    passed = [name for name in chouette.playing if name not in takers]
    return replace(_paid(chouette, passed, stake), out=(*chouette.out, *passed))


def box_passed(chouette: Chouette, stake: int) -> Chouette:
    """The box passed the team's double: it pays each who is still in, and the team has won."""
    return ended(chouette, box_won=False, points=stake)


def ended(chouette: Chouette, *, box_won: bool, points: float) -> Chouette:
    """The game is over: the box settles with each who was still in, and the seats move on.

    The team lost: its captain goes to the end, the next is captain, the box stays. The team won: the captain becomes
    the box, the next is captain, the old box goes to the end. A draw: `drawn`.
    """
    settled = replace(_paid(chouette, chouette.playing, points if box_won else -points), out=())
    captain = chouette.captain or chouette.team[0]
    rest = tuple(name for name in chouette.team if name != captain)
    if box_won:
        return replace(settled, team=(*rest, captain))
    return replace(settled, box=captain, team=(*rest, chouette.box))


def drawn(chouette: Chouette) -> Chouette:
    """V5: nobody pays and nobody moves."""
    return replace(chouette, out=())
