"""How the people at a simulated table behave, and how they sit at it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Habits:
    """Chances, 0..1 a turn, of what people and their dice do wrong or in their own way. `pause_ms`: thinking time.

    Those at 0 by default are `EVERYDAY`'s; with them off, a seed gives the same match as it ever did.
    """

    slips: float = 0.02
    """An illegal play."""
    lets_it_stand: float = 0.3
    """The mover does not notice that it was illegal."""
    cocks: float = 0.03
    """A die leans."""
    tidies: float = 0.05
    """A hand over the board between turns that changes nothing."""
    drops_link: float = 0.01
    """The dice's link drops while they roll."""
    doubles: float = 0.6
    resigns: float = 0.01
    hurries: float = 0.1
    """The dice are picked up at once, with one look at the board between."""
    pause_ms: int = 900
    bounces: float = 0.0
    """A die rolls into the other half (E1)."""
    climbs: float = 0.0
    """A die comes to rest on a checker (E1)."""
    falls: float = 0.0
    """A die leaves the board (E1)."""
    slides: float = 0.0
    """A checker is slid slowly over the points between (CASES 25)."""
    crooked: float = 0.0
    """A checker is put down astride two points, and straightened later."""
    lingers: float = 0.0
    """A hand is left lying over several points."""
    rushes: float = 0.0
    """The next player throws and plays before anybody has seen the board (CASES 26)."""
    early: float = 0.0
    """The next player throws before the dice are up (E4)."""
    eye_drops: float = 0.0
    display_drops: float = 0.0
    refuses: float = 0.0
    """A resignation is not accepted."""
    beavers: float = 0.0


EVERYDAY = Habits(
    bounces=0.02,
    climbs=0.01,
    falls=0.01,
    slides=0.1,
    crooked=0.04,
    lingers=0.05,
    rushes=0.02,
    early=0.03,
    eye_drops=0.01,
    display_drops=0.01,
    refuses=0.3,
    beavers=0.2,
)
"""What goes on at a real table, all of it."""
