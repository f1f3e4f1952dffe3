"""What dice report, as observations of the match."""

from nardi.devices.dice_report import Battery, DiceReport, Lifted, LineFault, Lost, Rolling, Settled
from nardi.game.observation import DieLifted, DieLost, DieRolling, DieSettled, LineFaulty, Observation


def observation_of(report: DiceReport, at_ms: int) -> Observation | None:
    """The observation that a report of a die is; None for what says nothing about the match (its battery)."""
    match report:
        case Rolling(die=die):
            return DieRolling(at_ms, die)
        case Settled(die=die, value=value, tilt_deg=tilt_deg):
            return DieSettled(at_ms, die, value, tilt_deg)
        case Lifted(die=die):
            return DieLifted(at_ms, die)
        case Lost(die=die):
            return DieLost(at_ms, die)
        case LineFault(reason=reason, text=text):
            return LineFaulty(at_ms, reason.value, text)
        case Battery():
            return None
