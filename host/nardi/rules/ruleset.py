"""A ruleset: a value that says where the source texts differ. One generator serves them all.

Every setting is named in RULES.md. Rulesets are compared and kept as values; a club's own is another value.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from nardi.rules.position import Position


class HitAndHide(StrEnum):
    """V1: whether a checker may hit and reach the safety of its own kind in one turn."""

    FREE = "free"
    HOME = "home"
    EVERYWHERE = "everywhere"


class EndValues(StrEnum):
    """V3: which wins count: only one; one and two; one, two and three."""

    OIN = "oin"
    MARS = "mars"
    KOKS = "koks"


class HeadException(StrEnum):
    """L2: when a second checker may leave the head on the first turn."""

    OPPOSING_HEAD = "opposing-head"
    ALWAYS = "always"


class Block(StrEnum):
    """L3: when a run of six is allowed: always; with an opposing checker ahead of it; with one in its home."""

    FREE = "free"
    AHEAD = "ahead"
    HOME = "home"


class Triple(StrEnum):
    """L5: what counts three in long nardi."""

    OFF = "off"
    HOUSE = "house"
    OUTSIDE = "outside"


class LastRollDraw(StrEnum):
    """V5: whether the second player's last roll can draw, and what each then gets."""

    OFF = "off"
    NOTHING = "nothing"
    HALF = "half"
    ONE = "one"


class ResignValues(StrEnum):
    """V4: what resigning costs: what is offered (S1); what the position is worth (S2); 2 with none off, else 1 (S3)."""

    OFFERED = "offered"
    POSITION = "position"
    NONE_OFF = "none-off"


class Progression(StrEnum):
    """C5: how the cube rises."""

    GEOMETRIC = "geometric"
    ARITHMETIC = "arithmetic"


class SeriesStart(StrEnum):
    """R1: who starts the later games of a series."""

    ROLL = "roll"
    LOSER = "loser"
    WINNER = "winner"
    ALTERNATE = "alternate"


class DiceHalf(StrEnum):
    """E1: where both dice must lie: in the thrower's right half, or in one half, whichever."""

    RIGHT = "right"
    EITHER = "either"


class MovesPolicy(StrEnum):
    """E5: who has an illegal play put right before the next roll: either player must; only the opponent's call does."""

    LEGAL = "legal"
    RESPONSIBLE = "responsible"


class IllegalPlay(StrEnum):
    """E5: what calling an illegal play leads to: correction (S1); the opponent may also let it stand (S4)."""

    CORRECTED = "corrected"
    OPPONENT_CHOOSES = "opponent-chooses"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """All settings of a game. Times are in milliseconds; 0 means that clock is not used."""

    name: str
    start: Position
    # The road and the board.
    same_way: bool = False
    hits: bool = True
    # V1, V2
    hit_and_hide: HitAndHide = HitAndHide.FREE
    hitter_may_bear_off: bool = True
    least_waste: bool = False
    # L2, L3
    head: bool = False
    head_exception: HeadException = HeadException.OPPOSING_HEAD
    block: Block = Block.FREE
    block_in_passing: bool = True
    # V3-V5, L5
    end_values: EndValues = EndValues.KOKS
    triple: Triple = Triple.OFF
    last_roll_draw: LastRollDraw = LastRollDraw.OFF
    resign_values: ResignValues = ResignValues.OFFERED
    # C1-C7
    cube: bool = True
    cube_limit: int | None = None
    progression: Progression = Progression.GEOMETRIC
    automatic_doubles: int = 0
    jacoby: bool = False
    beaver: bool = False
    crawford: bool = True
    cube_with_mars: bool = True
    # R1, L6, orientation of the series
    series_start: SeriesStart = SeriesStart.ROLL
    white_starts: bool = False
    swap_colors: bool = False
    swap_sides: bool = False
    # T1, T2
    turn_ms: int = 0
    reserve_ms: int = 0
    time_loss: int = 2
    delay_ms: int = 12_000
    bank_ms_per_point: int = 120_000
    # E1-E5
    dice_half: DiceHalf = DiceHalf.EITHER
    cup: bool = True
    opponent_ends_turn: bool = False
    moves_policy: MovesPolicy = MovesPolicy.LEGAL
    illegal_play: IllegalPlay = IllegalPlay.CORRECTED
    is_plain: bool = field(init=False, repr=False, compare=False)
    """Whether R1-R9 of the hitting games are all there is to a turn."""

    def __post_init__(self) -> None:
        plain = (
            self.hits
            and not (self.same_way or self.least_waste or self.head)
            and self.hit_and_hide is HitAndHide.FREE
            and self.block is Block.FREE
        )
        object.__setattr__(self, "is_plain", plain)

    def facing(self, point: int) -> int:
        """The opponent's number of my `point` (1-24)."""
        if not self.same_way:
            return 25 - point
        return point + 12 if point <= 12 else point - 12
