"""What people say: buttons, the referee's page, the club. Every argument is checked; a refusal says why."""

from collections.abc import Callable

from nardi.errors import InputError
from nardi.game import by_hand, clock, turn
from nardi.game import event as ruled
from nardi.game.match import PLAYING, Phase, Teach
from nardi.game.observation import Command, party_color
from nardi.game.refusal import Refused, color_named, on_turn, player, unless, win_named
from nardi.game.ruling import Ruling
from nardi.rules import cube as cubes
from nardi.rules import score
from nardi.rules.color import Color
from nardi.rules.ruleset import IllegalPlay, MovesPolicy
from nardi.rules.score import Ending, Outcome, Win
from nardi.text.message import Message

REFEREE_ONLY = {
    "set_position",
    "set_turn",
    "set_cube",
    "set_score",
    "set_clock",
    "cocked",
    "end_game",
    "end_match",
    "undo",
}
"""In club play these are the referee's alone."""


def obey(r: Ruling, command: Command) -> None:
    """Carries out a command, or rules that it is refused."""
    handler = _HANDLERS.get(command.verb)
    events, match = len(r.events), r.match
    try:
        if handler is None:
            raise Refused(Message.of("umpire.refused.unknown", verb=command.verb))
        if r.match.club and command.verb in REFEREE_ONLY and command.by != "referee":
            raise Refused(Message.of("umpire.refused.referee_only", verb=command.verb))
        if r.match.phase is Phase.MATCH_OVER and command.verb not in ("undo", "teach", "set_score"):
            raise Refused(Message.of("umpire.refused.match_over"))
        handler(r, command)
    except (Refused, InputError) as refused:
        # Nothing of a command that is refused half-way remains.
        del r.events[events:]
        r.match = match
        r.add(ruled.CommandRefused(at_ms=r.at_ms, by=command.by, verb=command.verb, message=refused.message))


# --- match and game ---------------------------------------------------------------------------------------------------


def _start(r: Ruling, command: Command) -> None:
    if r.match.phase is not Phase.SET_UP:
        raise Refused(Message.of("umpire.refused.started"))
    r.add(ruled.SetUpVerified(at_ms=r.at_ms, unseen=True))


def _next_game(r: Ruling, command: Command) -> None:
    if r.match.phase is not Phase.GAME_OVER:
        raise Refused(Message.of("umpire.refused.game_goes_on"))
    turn.next_game(r)
    if not r.match.sees:
        r.add(ruled.SetUpVerified(at_ms=r.at_ms, unseen=True))


def _confirm(r: Ruling, command: Command) -> None:
    """The play on the board stands, by the mover's word; or the board is as it should be."""
    phase = r.match.phase
    if phase is Phase.SET_UP:
        _start(r, command)
    elif phase is Phase.GAME_OVER:
        _next_game(r, command)
    elif phase in turn.IN_TURN:
        player(r, command, on_turn(r))
        legal = r.legal()
        if phase is Phase.PLAYED and r.game.provisional is not None:
            turn.finish(r, r.game.provisional, r.game.alternatives)
        elif phase is Phase.ILLEGAL or r.match.sees:
            turn.lift(r)
        elif legal.is_forced:
            turn.finish(r, next(iter(legal)))
        else:
            raise Refused(Message.of("umpire.refused.nothing_seen"))
    elif r.match.lost:
        r.add(ruled.TrackFound(at_ms=r.at_ms))
    else:
        raise Refused(Message.of("umpire.refused.nothing_to_confirm"))


def _end_game(r: Ruling, command: Command) -> None:
    """`white:gammon`, or `draw`."""
    if r.match.phase not in (*PLAYING, Phase.OFFERED, Phase.BEAVERED, Phase.RESIGNING, Phase.OPENING, Phase.SET_UP):
        raise Refused(Message.of("umpire.refused.no_game"))
    who, _, win = command.argument.partition(":")
    if who == "draw":
        turn.end_game(r, Outcome(None, Win.DRAW, Ending.DRAWN))
        return
    turn.end_game(r, Outcome(color_named(who), win_named(win or "single"), Ending.FORFEITED))


def _end_match(r: Ruling, command: Command) -> None:
    winner = None if command.argument in ("", "draw") else color_named(command.argument)
    r.add(ruled.MatchEnded(at_ms=r.at_ms, winner=winner))


# --- cube and resigning -----------------------------------------------------------------------------------------------


def _double(r: Ruling, command: Command) -> None:
    by = party_color(command.by) or on_turn(r)
    game = r.game
    if game.turn is None or r.match.phase is Phase.GAME_OVER:
        raise Refused(Message.of("umpire.refused.nobody_on_turn"))
    if by is game.turn.other and party_color(command.by) is not None:
        turn.opponent_spoke(r)
        game = r.game
    rolled = r.match.phase is not Phase.TO_ROLL
    unless(cubes.may_double(game.cube, by, r.match.ruleset, r.match.match_score, r.turn, rolled))
    r.add(ruled.Doubled(at_ms=r.at_ms, by=by, value=cubes.next_value(game.cube.value, r.match.ruleset)))


def _answering(r: Ruling, command: Command) -> Color:
    """Who must answer the offer that waits, if the command is theirs to give."""
    asked = r.game.cube.answered_by if r.match.phase in (Phase.OFFERED, Phase.BEAVERED) else None
    if asked is None:
        raise Refused(Message.of("cube.nothing_to_answer"))
    return player(r, command, asked)


def _take(r: Ruling, command: Command) -> None:
    by = _answering(r, command)
    r.add(ruled.Taken(at_ms=r.at_ms, by=by, value=cubes.taken(r.game.cube, r.match.ruleset).value))


def _pass(r: Ruling, command: Command) -> None:
    by = _answering(r, command)
    winner, _ = cubes.passed(r.game.cube)
    r.add(ruled.Passed(at_ms=r.at_ms, by=by))
    turn.end_game(r, Outcome(winner, Win.SINGLE, Ending.PASSED))


def _beaver(r: Ruling, command: Command) -> None:
    by = _answering(r, command)
    unless(cubes.may_beaver(r.game.cube, by, r.match.ruleset, r.match.match_score))
    value = cubes.taken(cubes.beavered(r.game.cube, r.match.ruleset), r.match.ruleset).value
    r.add(ruled.Beavered(at_ms=r.at_ms, by=by, value=value))


def _refuse_beaver(r: Ruling, command: Command) -> None:
    if r.match.phase is not Phase.BEAVERED:
        raise Refused(Message.of("cube.nothing_to_answer"))
    _pass(r, command)


def _resign(r: Ruling, command: Command) -> None:
    """CASES 17: what gives away more than can be lost must be said twice."""
    by = party_color(command.by)
    if by is None:
        raise Refused(Message.of("umpire.refused.players_only", verb="resign"))
    if r.match.phase not in PLAYING or r.game.turn is None:
        raise Refused(Message.of("umpire.refused.no_game"))
    position = r.game.position if r.game.turn is by else r.game.position.flipped
    ruleset = r.match.ruleset
    if command.argument:
        offered = win_named(command.argument)
    else:
        offered = score.win_of(position.flipped, ruleset)
        offered = Win(max(1, score.end_value(offered, ruleset)))
    warning = score.resign_warning(position, ruleset, offered) if command.argument else None
    key = f"resign.{by.value}.{command.argument}"
    if warning is not None and r.match.warned != key:
        r.add(ruled.Warned(at_ms=r.at_ms, message=warning, key=key))
        return
    worth = score.resign_worth(position, ruleset, offered)
    r.add(ruled.Resigned(at_ms=r.at_ms, by=by, win=int(worth)))


def _accept(r: Ruling, command: Command) -> None:
    if r.match.phase is Phase.BEAVERED:
        _take(r, command)
        return
    if r.match.phase is not Phase.RESIGNING or r.game.resign is None:
        raise Refused(Message.of("umpire.refused.nothing_to_answer"))
    resigner, win = r.game.resign
    player(r, command, resigner.other)
    turn.end_game(r, Outcome(resigner.other, win_named(win), Ending.RESIGNED))


def _decline(r: Ruling, command: Command) -> None:
    if r.match.phase is Phase.BEAVERED:
        _pass(r, command)
        return
    if r.match.phase is not Phase.RESIGNING or r.game.resign is None:
        raise Refused(Message.of("umpire.refused.nothing_to_answer"))
    by = player(r, command, r.game.resign[0].other)
    r.add(ruled.ResignationRefused(at_ms=r.at_ms, by=by))


# --- illegal plays ----------------------------------------------------------------------------------------------------


def _call(r: Ruling, command: Command) -> None:
    """E5. Under `legal` either player may call, under `responsible` only the opponent; the referee always."""
    if r.match.phase not in (Phase.ILLEGAL, Phase.CALLABLE):
        raise Refused(Message.of("umpire.refused.nothing_illegal"))
    by = party_color(command.by)
    if by is r.turn and r.match.ruleset.moves_policy is MovesPolicy.RESPONSIBLE:
        raise Refused(Message.of("umpire.refused.opponent_calls"))
    must = r.match.ruleset.illegal_play is IllegalPlay.CORRECTED or by is not r.turn.other
    r.add(ruled.IllegalPlayCalled(at_ms=r.at_ms, by=command.by, must_correct=must or r.game.called))


def _let_stand(r: Ruling, command: Command) -> None:
    if r.match.phase is not Phase.CALLABLE:
        raise Refused(Message.of("umpire.refused.nothing_illegal"))
    by = player(r, command, r.turn.other)
    if r.game.must_correct and command.by != "referee":
        raise Refused(Message.of("umpire.refused.must_correct"))
    r.add(ruled.IllegalPlayStood(at_ms=r.at_ms, by=by))
    turn.stand(r)


# --- clocks -----------------------------------------------------------------------------------------------------------


def _claim(r: Ruling, command: Command) -> None:
    """T1: the opponent's time is up: a win of two. T2: the bank was for the match, so it is the match."""
    clocks = r.match.clocks
    if clocks.rules is None or clocks.running is None:
        raise Refused(Message.of("umpire.refused.no_clock"))
    by = player(r, command, clocks.running.other)
    if not clock.is_flagged(clocks, r.at_ms):
        raise Refused(Message.of("umpire.refused.time_left", ms=clock.left_ms(clocks, clocks.running, r.at_ms)))
    delay = clocks.rules.kind == "delay"
    r.add(ruled.TimeClaimed(at_ms=r.at_ms, by=by))
    win = Win.SINGLE if delay else Win(r.match.ruleset.time_loss)
    turn.end_game(r, Outcome(by, win, Ending.TIME))
    if delay and r.match.in_match and r.match.phase is not Phase.MATCH_OVER:
        r.add(ruled.MatchEnded(at_ms=r.at_ms, winner=by))


def _pause(r: Ruling, command: Command) -> None:
    if r.match.paused:
        raise Refused(Message.of("umpire.refused.paused"))
    r.add(ruled.ClockPaused(at_ms=r.at_ms))


def _resume(r: Ruling, command: Command) -> None:
    if not r.match.paused:
        raise Refused(Message.of("umpire.refused.not_paused"))
    r.add(ruled.ClockResumed(at_ms=r.at_ms))


def _teach(r: Ruling, command: Command) -> None:
    """CASES 43: in club play help cannot be turned on, and the try is on record."""
    if command.argument not in tuple(Teach):
        raise Refused(Message.of("umpire.refused.no_teach", text=command.argument))
    if r.match.club and command.argument != Teach.OFF:
        raise Refused(Message.of("umpire.refused.club"))
    r.add(ruled.TeachSet(at_ms=r.at_ms, teach=command.argument))


_HANDLERS: dict[str, Callable[[Ruling, Command], None]] = {
    "start": _start,
    "next_game": _next_game,
    "double": _double,
    "take": _take,
    "pass": _pass,
    "beaver": _beaver,
    "refuse_beaver": _refuse_beaver,
    "resign": _resign,
    "accept": _accept,
    "refuse": _decline,
    "confirm": _confirm,
    "call": _call,
    "let_stand": _let_stand,
    "claim": _claim,
    "pause": _pause,
    "resume": _resume,
    "undo": by_hand.undo,
    "play": by_hand.play,
    "dice": by_hand.dice,
    "set_position": by_hand.set_position,
    "set_turn": by_hand.set_turn,
    "set_cube": by_hand.set_cube,
    "set_score": by_hand.set_score,
    "set_clock": by_hand.set_clock,
    "cocked": by_hand.cocked,
    "end_game": _end_game,
    "end_match": _end_match,
    "teach": _teach,
}
