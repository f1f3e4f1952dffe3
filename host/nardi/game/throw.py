"""What dice do, felt by themselves or seen by the eye: openings, rolls, throws that do not count (R1, E1, E4)."""

from nardi.game import event as ruled
from nardi.game import turn
from nardi.game.dice import owns
from nardi.game.match import Phase
from nardi.game.observation import DieLifted, DieLost, DieRolling, DieSettled
from nardi.game.ruling import Ruling
from nardi.rules import cube, series
from nardi.rules.color import Color
from nardi.text.message import Message
from nardi_vision.reading import BoardReading, DieReading, DieState

MOST_TILT_DEG = 10
"""A die that leans more than this is cocked (E1)."""

SEEN_DICE = ("c1", "c2")
"""What a roll read by the eye lies in."""

SURE = 0.8
"""A die in the picture counts when it is read with at least this weight."""

UNCLEAR = "dice.unclear"
UNCLEAR_MS = 3000
"""How long dice that are awaited may lie there and make no roll before people are told: longer than they roll."""


def rolling(r: Ruling, seen: DieRolling) -> None:
    r.add(ruled.DieNoted(at_ms=r.at_ms, die=seen.die, state="rolling"))


def lost(r: Ruling, seen: DieLost) -> None:
    """Its value is unknown until it is thrown again (CASES 32)."""
    r.add(ruled.DieNoted(at_ms=r.at_ms, die=seen.die, state="unknown"))
    r.add(ruled.FaultNoted(at_ms=r.at_ms, key=f"die.{seen.die}", message=Message.of("dice.lost", die=seen.die)))


def lifted(r: Ruling, seen: DieLifted) -> None:
    """E3: with the last of its dice a turn is over."""
    r.add(ruled.DieNoted(at_ms=r.at_ms, die=seen.die, state="lifted"))
    if r.match.phase not in turn.IN_TURN or seen.die not in r.game.sources:
        return
    states = {die: state for die, state, _ in r.match.dice}
    if all(states.get(die) in ("lifted", "unknown") for die in r.game.sources) and r.game.lifted_ms is None:
        turn.lift(r)


def settled(r: Ruling, seen: DieSettled) -> None:
    r.mended("dice.line")
    state = "cocked" if seen.tilt_deg > MOST_TILT_DEG else "settled"
    r.add(ruled.DieNoted(at_ms=r.at_ms, die=seen.die, state=state, value=seen.value))
    r.mended(f"die.{seen.die}")
    if r.match.dice_mode == "electronic":
        judge(r, seen.die)


def judge(r: Ruling, die: str) -> None:
    """What a throw means that has just come to rest."""
    phase = r.match.phase
    if phase is Phase.SET_UP:
        if len({difference.point for difference in r.match.lost if 1 <= difference.point <= 24}) > 1:
            refuse(r, die, "set_up")
            return
        # Nothing is said against the board, or one point only, in which the eye may err: whoever throws answers for it.
        r.add(ruled.SetUpVerified(at_ms=r.at_ms, unseen=True))
        phase = r.match.phase
    if r.match.paused:
        refuse(r, die, "paused")
    elif phase is Phase.OPENING:
        opening(r, die)
    elif phase in (Phase.TO_ROLL, Phase.ROLLING, Phase.LAST_ROLL):
        if owns(r.turn, die):
            turn.throw(r)
        else:
            refuse(r, die, "not_your_turn")
    elif phase in turn.IN_TURN or phase is Phase.CALLABLE:
        in_turn(r, die)
    elif phase in (Phase.OFFERED, Phase.BEAVERED, Phase.RESIGNING):
        refuse(r, die, "answer_first")


def refuse(r: Ruling, die: str, reason: str) -> None:
    """A throw out of turn, once it is complete."""
    by = turn.thrower_of(r, die) if die[0] != "s" or r.game.turn is not None else Color.WHITE
    if r.game.turn is None or turn.at_rest(r, by):
        turn.reject(r, by, reason)


def in_turn(r: Ruling, die: str) -> None:
    """A throw while a turn goes on: the opponent's, or the mover's own once more."""
    thrower = turn.thrower_of(r, die)
    game = r.game
    if thrower is not r.turn:
        turn.opponent_threw(r, thrower)
    elif game.waiting:
        turn.wait(r, thrower)
    elif game.lifted_ms is not None and r.match.phase is Phase.TO_PLAY and turn.at_rest(r, thrower):
        # Picked up with nothing played and thrown again: the players agree that the first throw was none.
        again(r)
        turn.throw(r)


def opening(r: Ruling, die: str) -> None:
    """R1: each throws one die. A cocked one is thrown again by itself."""
    color = _opening_owner(die)
    if next(state for known, state, _ in r.match.dice if known == die) == "cocked":
        turn.reject(r, color, "cocked")
        return
    thrown: dict[Color, tuple[str, int]] = {}
    for known, state, value in r.match.dice:
        if state == "settled":
            thrown.setdefault(_opening_owner(known), (known, value))
    if len(thrown) == 2:
        (one, white), (two, black) = thrown[Color.WHITE], thrown[Color.BLACK]
        open_game(r, white, black, (one, two))


def _opening_owner(die: str) -> Color:
    """Whose opening die it is: of a shared pair the first is White's."""
    return Color.WHITE if die in ("w1", "w2", "s1") else Color.BLACK


def open_game(r: Ruling, white: int, black: int, sources: tuple[str, ...]) -> None:
    """R1, C6: the higher die starts and plays both; equal dice are thrown again and may double the cube."""
    found = series.opening(white, black, r.match.ruleset)
    if found is None:
        r.add(ruled.OpeningTied(at_ms=r.at_ms, value=white))
        doubled = cube.automatic_double(r.game.cube, r.game.automatic_doubles, r.match.ruleset, r.match.match_score)
        if doubled is not None:
            r.add(ruled.AutomaticallyDoubled(at_ms=r.at_ms, value=doubled.value))
        return
    r.add(
        ruled.OpeningThrown(
            at_ms=r.at_ms, white=white, black=black, starter=found.starter, colors_swapped=found.colors_swapped
        )
    )
    dice = (found.roll.a, found.roll.b)
    r.add(ruled.Rolled(at_ms=r.at_ms, by=found.starter, dice=dice, sources=sources))


# --- dice in the picture ----------------------------------------------------------------------------------------------


def sighted(r: Ruling, reading: BoardReading) -> None:
    """`dice = "camera"`: two dice flat in one half, alike in two readings, are a roll; when they go, it is over."""
    if not reading.settled:
        return
    lying = [die for die in reading.dice if die.confidence >= SURE and die.value is not None]
    phase = r.match.phase
    roll = len(lying) == len(reading.dice) == 2
    # In the opening, the other player's die is still to come.
    first = phase is Phase.OPENING and len(lying) == len(reading.dice) == 1
    _unclear(r, _awaited(r) and bool(reading.dice) and not roll and not first)
    if not reading.dice:
        gone(r)
        return
    if not roll:
        return
    values = tuple(die.value for die in lying if die.value is not None)
    if r.match.dice_missed and not r.match.dice_gone:
        r.add(ruled.DiceSighted(at_ms=r.at_ms, values=values, places=_places(lying)))
        _picked_up(r)
        return
    if not _awaited(r):
        return
    if r.match.sighted != values:
        r.add(ruled.DiceSighted(at_ms=r.at_ms, values=values, places=_places(lying)))
        return
    if phase is Phase.OPENING:
        open_game(r, *_by_side(r, lying), sources=SEEN_DICE)
        return
    reason = lie(lying)
    if reason is not None:
        turn.reject(r, r.turn, reason)
    else:
        r.add(ruled.Rolled(at_ms=r.at_ms, by=r.turn, dice=(values[0], values[1]), sources=SEEN_DICE))


def _awaited(r: Ruling) -> bool:
    """Whether dice that come to lie in the picture are the next roll."""
    return r.match.dice_gone and r.match.phase in (Phase.OPENING, Phase.TO_ROLL, Phase.ROLLING, Phase.LAST_ROLL)


def _unclear(r: Ruling, unclear: bool) -> None:
    """People are told when dice that are awaited lie there for a while and make no roll: else they wait for the eye,
    which waits for them."""
    since = r.match.dice_unclear_ms
    if unclear != (since is not None):
        r.add(ruled.DiceUnclear(at_ms=r.at_ms, unclear=unclear))
    if not unclear:
        r.mended(UNCLEAR)
    elif since is not None and r.at_ms - since >= UNCLEAR_MS:
        r.trouble(UNCLEAR, Message.of(UNCLEAR))


def _places(lying: list[DieReading]) -> tuple[int, ...]:
    """Where the dice lie, the lower first: x and y of each in thousandths of the board."""
    in_order = sorted(lying, key=lambda die: (die.value or 0, die.x, die.y))
    return tuple(round(1000 * at) for die in in_order for at in (die.x, die.y))


def gone(r: Ruling) -> None:
    """No die lies in the picture any more. A complete play ends at once; else they may have been overlooked."""
    if r.match.sighted or not (r.match.dice_gone and r.match.dice_missed):
        r.add(ruled.DiceSighted(at_ms=r.at_ms, values=()))
    _picked_up(r)


def _picked_up(r: Ruling) -> None:
    """E3: the present roll's dice are not there any more."""
    over = r.match.dice_gone or (r.match.dice_missed and r.match.phase is Phase.PLAYED)
    if over and r.match.phase in turn.IN_TURN and r.game.sources == SEEN_DICE and r.game.lifted_ms is None:
        turn.lift(r)


def _by_side(r: Ruling, lying: list[DieReading]) -> tuple[int, int]:
    """Which of two opening dice is whose: White's is the one nearer White's home row."""
    seating = r.match.seating
    near_top = seating is None or seating.white_ace_corner in (0, 1)
    first, second = sorted(lying, key=lambda die: die.y)
    white, black = (first, second) if near_top else (second, first)
    return white.value or 1, black.value or 1


def lie(lying: list[DieReading]) -> str | None:
    """E1: what is wrong with how two dice lie; None where nothing is."""
    for state, reason in (
        (DieState.OFF_BOARD, "off_board"),
        (DieState.ON_CHECKER, "on_checker"),
        (DieState.COCKED, "cocked"),
    ):
        if any(die.state is state for die in lying):
            return reason
    if len({die.half for die in lying}) > 1:
        return "other_half"
    return None


def checked(r: Ruling, reading: BoardReading) -> None:
    """The eye's second opinion on electronic dice: a roll whose two dice are seen to lie wrongly does not count (E1).

    Only before anything is moved, and only where exactly two dice lie in the picture and show the roll's own numbers.
    """
    roll = r.game.roll
    if r.match.phase is not Phase.TO_PLAY or roll is None or len(reading.dice) != 2 or len(r.game.sources) != 2:
        return
    if r.game.lifted_ms is not None or r.game.sources == SEEN_DICE or r.game.sources[0][0] != r.game.sources[1][0]:
        return
    if any(die.confidence < SURE for die in reading.dice):
        return
    if sorted(die.value or 0 for die in reading.dice) != sorted(roll):
        return
    reason = lie(list(reading.dice))
    if reason == "other_half":
        turn.reject(r, r.turn, reason)


def again(r: Ruling) -> None:
    """The mover's own roll is taken as not thrown; what lies there now is the roll."""
    still = turn.at_rest(r, r.turn)
    turn.reject(r, r.turn, "again")
    for die, state, value in still:
        r.add(ruled.DieNoted(at_ms=r.at_ms, die=die, state=state, value=value))
