"""What was thrown and played, told by hand, and what was told or seen wrongly, set right (CASES 21, 40)."""

from nardi.game import event as ruled
from nardi.game import throw, turn
from nardi.game.board import Board
from nardi.game.match import PLAYING, Phase
from nardi.game.observation import Command
from nardi.game.refusal import Refused, color_named, number, on_turn, player
from nardi.game.ruling import Ruling
from nardi.rules import score
from nardi.rules.color import ByColor, Color
from nardi.rules.legal import LegalPlays
from nardi.rules.notation.words import read_play
from nardi.rules.play import Play
from nardi.rules.position import Position
from nardi.rules.roll import Roll
from nardi.rules.score import Ending, MatchScore, Outcome
from nardi.text.message import Message


def undo(r: Ruling, command: Command) -> None:
    """CASES 21: position, cube, score, clocks and whose turn, as when that roll had been thrown."""
    plies = number(command.argument or "1")
    if not 1 <= plies <= len(r.match.earlier):
        raise Refused(Message.of("umpire.refused.undo", plies=plies, most=len(r.match.earlier)))
    standing = Board.of(r.game.position, r.game.turn or Color.WHITE, r.match.ruleset)
    r.add(ruled.Undone(at_ms=r.at_ms, plies=plies))
    if r.match.sees:
        back = Board.of(r.game.position, r.turn, r.match.ruleset)
        differences = back.differences(standing)
        if differences:
            r.add(ruled.TrackLost(at_ms=r.at_ms, differences=differences))


def play(r: Ruling, command: Command) -> None:
    """What was played: this turn's play, or, once it is over, what the last one really was (CASES 40)."""
    if r.match.phase in (*turn.IN_TURN, Phase.CALLABLE):
        player(r, command, on_turn(r))
        play = _read(command.argument, r.legal())
        if r.match.phase in (Phase.ILLEGAL, Phase.CALLABLE):
            r.add(ruled.IllegalPlayMended(at_ms=r.at_ms, by=r.turn))
        turn.finish(r, play)
        return
    if r.match.phase not in (Phase.TO_ROLL, Phase.ROLLING) or not r.game.plies:
        raise Refused(Message.of("umpire.refused.no_play"))
    ply = r.game.plies[-1]
    player(r, command, ply.by)
    first_turn = not any(earlier.by is ply.by for earlier in r.game.plies[:-1])
    play = _read(command.argument, LegalPlays(ply.before, ply.roll, r.match.ruleset, first_turn))
    value = f"{play.notation}={play.after.text}"
    r.add(ruled.Corrected(at_ms=r.at_ms, what="play", value=value, by=command.by))


def _read(text: str, legal: LegalPlays) -> Play:
    """The legal play that `text` means. Raises InputError: it is refused, never replaced by another (CASES 8)."""
    return read_play(text, legal.position, legal.roll, legal.ruleset, legal.first_turn)


def dice(r: Ruling, command: Command) -> None:
    """Two digits: the opening dice (White's first), the roll, or what the present roll really was."""
    try:
        roll = Roll.from_text(command.argument)
    except ValueError:
        raise Refused(Message.of("umpire.refused.no_roll", text=command.argument)) from None
    phase = r.match.phase
    if phase is Phase.SET_UP:
        r.add(ruled.SetUpVerified(at_ms=r.at_ms, unseen=True))
        phase = r.match.phase
    if phase is Phase.OPENING:
        throw.open_game(r, roll.a, roll.b, ())
    elif phase in (Phase.TO_ROLL, Phase.ROLLING, Phase.LAST_ROLL):
        by = player(r, command, on_turn(r))
        r.add(ruled.Rolled(at_ms=r.at_ms, by=by, dice=(roll.a, roll.b)))
    elif phase in (*turn.IN_TURN, Phase.CALLABLE):
        r.add(ruled.Corrected(at_ms=r.at_ms, what="dice", value=roll.text, by=command.by))
    else:
        raise Refused(Message.of("umpire.refused.no_roll_now"))


def cocked(r: Ruling, command: Command) -> None:
    """The referee's eye on the dice: the present roll does not count."""
    if r.match.phase not in (*turn.IN_TURN, Phase.ROLLING):
        raise Refused(Message.of("umpire.refused.no_roll_now"))
    turn.reject(r, r.turn, "called")


def set_position(r: Ruling, command: Command) -> None:
    if r.match.phase not in PLAYING:
        raise Refused(Message.of("umpire.refused.no_game"))
    position = Position.from_text(command.argument, r.match.ruleset)
    r.add(ruled.Corrected(at_ms=r.at_ms, what="position", value=command.argument, by=command.by))
    mover = on_turn(r)
    if position.all_off:
        turn.end_game(r, Outcome(mover, score.win_of(position, r.match.ruleset), Ending.BORNE_OFF))
    elif position.flipped.all_off:
        turn.end_game(r, Outcome(mover.other, score.win_of(position.flipped, r.match.ruleset), Ending.BORNE_OFF))


def set_turn(r: Ruling, command: Command) -> None:
    if r.match.phase not in (*PLAYING, Phase.OPENING):
        raise Refused(Message.of("umpire.refused.no_game"))
    r.add(ruled.Corrected(at_ms=r.at_ms, what="turn", value=color_named(command.argument).value, by=command.by))


def set_cube(r: Ruling, command: Command) -> None:
    value, _, owner = command.argument.partition(":")
    if not 1 <= number(value) <= 1 << 20:
        raise Refused(Message.of("umpire.refused.no_number", text=value))
    owner = owner or "centre"
    if owner != "centre":
        color_named(owner)
    r.add(ruled.Corrected(at_ms=r.at_ms, what="cube", value=f"{int(value)}:{owner}", by=command.by))


def set_score(r: Ruling, command: Command) -> None:
    white, _, black = command.argument.partition(":")
    value = f"{number(white)}:{number(black)}"
    match = r.match
    winner = MatchScore(match.length or None, ByColor(int(white), int(black))).winner
    if winner is not None and match.phase not in (Phase.GAME_OVER, Phase.MATCH_OVER):
        raise Refused(Message.of("umpire.refused.score_ends_match", score=value, length=match.length))
    r.add(ruled.Corrected(at_ms=r.at_ms, what="score", value=value, by=command.by))
    if winner is not None:
        r.add(ruled.MatchEnded(at_ms=r.at_ms, winner=winner))


def set_clock(r: Ruling, command: Command) -> None:
    if r.match.clocks.rules is None:
        raise Refused(Message.of("umpire.refused.no_clock"))
    who, _, left = command.argument.partition(":")
    value = f"{color_named(who).value}:{number(left)}"
    r.add(ruled.Corrected(at_ms=r.at_ms, what="clock", value=value, by=command.by))
