"""The games: positions, rolls, legal plays, cube and score. Pure: no clock, no dice, no input or output."""

from nardi.rules.catalogue import RULESETS, find_ruleset
from nardi.rules.color import ByColor, Color
from nardi.rules.legal import LegalPlays
from nardi.rules.play import Play, Step
from nardi.rules.position import Fault, Faults, Position, Setup, position_of
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset

__all__ = [
    "RULESETS",
    "ByColor",
    "Color",
    "Fault",
    "Faults",
    "LegalPlays",
    "Play",
    "Position",
    "Roll",
    "Ruleset",
    "Setup",
    "Step",
    "find_ruleset",
    "position_of",
]
