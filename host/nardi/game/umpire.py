"""The umpire: one observation and the present match give events. Pure; this file is the table of who judges what."""

from nardi.game import command, picture, throw
from nardi.game import event as ruled
from nardi.game.clock import ClockRules
from nardi.game.dice import DICE
from nardi.game.event import Event
from nardi.game.match import Match, Phase
from nardi.game.observation import (
    BoardSeen,
    Command,
    DeviceFound,
    DeviceLost,
    DieLifted,
    DieLost,
    DieRolling,
    DieSettled,
    LineFaulty,
    Observation,
)
from nardi.game.ruling import Ruling
from nardi.game.seating import Seating
from nardi.rules.color import ByColor, Color
from nardi.rules.position import Position
from nardi.rules.ruleset import Ruleset
from nardi.text.message import Message
from nardi_vision.reading import BoardReading


def begun(
    ruleset: Ruleset,
    length: int,
    players: ByColor[str],
    at_ms: int,
    *,
    seating: Seating | None = None,
    dice: str = "electronic",
    clocks: ClockRules | None = None,
    club: bool = False,
    start: Position | None = None,
    turn: Color | None = None,
) -> tuple[Event, ...]:
    """The events that begin a match.

    `length` 0: a series without an end. `seating` None: no eye. `dice`: electronic, camera or hand. `start` (White's
    side first) and `turn`: where the first game does not begin at the ruleset's start.
    """
    started = ruled.MatchStarted(
        at_ms=at_ms,
        ruleset=ruleset,
        length=length,
        players=players,
        seating=seating,
        dice=dice,
        start=start,
        turn=turn,
        clocks=clocks,
        club=club,
    )
    first = ruled.GameStarted(at_ms=at_ms, number=1, start=start or ruleset.start, starter=turn, crawford=False)
    if seating is not None:
        return started, first
    return started, first, ruled.SetUpVerified(at_ms=at_ms, unseen=True)


def decide(match: Match, observation: Observation) -> tuple[Event, ...]:
    """What `observation` means for `match`: the events it brings about, in order; often none."""
    r = Ruling(match, observation.at_ms)
    match observation:
        case BoardSeen(reading=reading):
            _look(r, reading)
        case DieRolling(die=die) | DieSettled(die=die) | DieLifted(die=die) | DieLost(die=die) if die not in DICE:
            pass  # no die of this table: whoever reads the lines has counted it
        case DieRolling():
            throw.rolling(r, observation)
        case DieSettled():
            throw.settled(r, observation)
        case DieLifted():
            throw.lifted(r, observation)
        case DieLost():
            throw.lost(r, observation)
        case LineFaulty(kind=kind):
            r.add(ruled.FaultNoted(at_ms=r.at_ms, key="dice.line", message=Message.of("dice.line", kind=kind)))
        case DeviceLost(device=device):
            r.trouble(f"device.{device}", Message.of("device.lost", device=device))
        case DeviceFound(device=device):
            r.mended(f"device.{device}")
        case Command():
            command.obey(r, observation)
    return tuple(r.events)


def _look(r: Ruling, reading: BoardReading) -> None:
    picture.note(r, reading)
    if r.match.paused or not r.match.sees:
        return
    match r.match.phase:
        case Phase.SET_UP:
            picture.set_up(r, reading)
        case Phase.OPENING | Phase.TO_ROLL | Phase.ROLLING | Phase.LAST_ROLL:
            picture.between_turns(r, reading)
        case Phase.TO_PLAY | Phase.PLAYED | Phase.ILLEGAL | Phase.CALLABLE:
            picture.in_turn(r, reading)
        case Phase.GAME_OVER:
            picture.after_game(r, reading)
        case Phase.OFFERED | Phase.BEAVERED | Phase.RESIGNING | Phase.MATCH_OVER:
            pass
    if r.match.dice_mode == "camera":
        throw.sighted(r, reading)
