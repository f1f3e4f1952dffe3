"""What a picture means in each phase: set-up, the turn, between turns, after the game (E3, E5, CASES 23-27)."""

from nardi.game import backlog, throw, turn
from nardi.game import event as ruled
from nardi.game.board import Board
from nardi.game.evidence import MOST_OUTSIDE, Weights, best_attempt
from nardi.game.match import Match, Phase
from nardi.game.recognise import (
    SHAKEN,
    Ambiguous,
    Clear,
    Mismatch,
    Recognition,
    Unchanged,
    Unfinished,
    as_read,
    matches,
    recognise,
    seen,
    shows,
)
from nardi.game.ruling import Ruling
from nardi.game.seating import Seating
from nardi.rules.color import Color
from nardi.rules.legal import LegalPlays
from nardi.rules.position import BAR, OFF, Position
from nardi.text.message import Message
from nardi_vision.reading import BoardReading, EyeFault

LATE_MS = 2500
"""A picture this soon after the dice were lifted still shows the play they ended, not one changed afterwards."""

UNDER_WAY_MS = 1200
"""A hand that has left the board for less than this may be back at once: the play that it makes is not over."""

SURE = 0.9
"""A slot seen past a hand counts for showing where a checker was lifted when read with at least this weight."""

_SAID = {
    EyeFault.NUDGED: Message.of("eye.nudged"),
    EyeFault.BOARD_LOST: Message.of("eye.board_lost"),
    EyeFault.LIGHT_CHANGED: Message.of("eye.light_changed"),
    EyeFault.COVERED: Message.of("eye.covered"),
    EyeFault.DARK: Message.of("eye.dark"),
    EyeFault.BLURRED: Message.of("eye.blurred"),
    EyeFault.GLARE: Message.of("eye.glare"),
    EyeFault.ASTRIDE: Message.of("eye.astride"),
    EyeFault.NO_FRAME: Message.of("eye.no_frame"),
}
"""The faults of the eye that people are told of. A hand, movement and doubt are everyday things."""


_TROUBLED = frozenset(_SAID) - {EyeFault.ASTRIDE}


def note(r: Ruling, reading: BoardReading) -> None:
    """What every picture tells, whatever the phase: hands and the eye's own troubles."""
    if reading.hand != r.match.hand:
        r.add(ruled.HandNoted(at_ms=r.at_ms, present=reading.hand))
    for fault, message in _SAID.items():
        key = f"eye.{fault.value}"
        if fault in reading.faults:
            r.trouble(key, message)
        else:
            r.mended(key)


def set_up(r: Ruling, reading: BoardReading) -> None:
    """CASES 23: the first position is verified before anything is recognised."""
    if not reading.settled or r.match.seating is None:
        return
    expected = _expected(r)
    seating = _seating_of(r.match, reading, expected)
    if seating is not None and shows(reading, expected, seating):
        r.add(ruled.SetUpVerified(at_ms=r.at_ms, seating=seating if seating != r.match.seating else None))
        return
    differences = expected.differences(as_read(reading, expected, r.match.seating))
    if differences and differences != r.match.lost:
        r.add(ruled.SetUpDiffered(at_ms=r.at_ms, differences=differences))


def _expected(r: Ruling) -> Board:
    game = r.game
    return Board.of(game.position, game.turn or Color.WHITE, r.match.ruleset)


def _seating_of(match: Match, reading: BoardReading, board: Board) -> Seating | None:
    """How the board lies if it shows `board`: as expected, or, from the second game on, any other way round."""
    seating = match.seating
    if seating is None or matches(reading, board, seating, match.ruleset):
        return seating
    if match.game is None or match.game.number == 1:
        return None
    turned = (Seating(seating.white_shade, corner) for corner in range(4) if corner != seating.white_ace_corner)
    return next((other for other in turned if matches(reading, board, other, match.ruleset)), None)


def between_turns(r: Ruling, reading: BoardReading) -> None:
    """Nothing should have changed: else a late picture, plays taken back, or a lost track (CASES 24, 25)."""
    seating = r.match.seating
    if not reading.settled or seating is None:
        return
    expected = _expected(r)
    if matches(reading, expected, seating, r.match.ruleset):
        _found(r)
        return
    plies = r.game.plies
    if plies and reading.t_ms < plies[-1].at_ms:
        return  # taken before the turn was final
    if r.match.phase is Phase.TO_ROLL and _late_picture(r, reading, seating):
        return
    if r.match.lost and _taken_back(r, reading, seating):
        return
    if not matches(reading, expected, seating, r.match.ruleset, SHAKEN):
        _differ(r, expected, seen(reading, expected, seating, r.match.ruleset))


def _late_picture(r: Ruling, reading: BoardReading, seating: Seating) -> bool:
    """Whether the picture shows that the play just finished was another legal one; then the record is set right."""
    if not r.game.plies:
        return False
    ply = r.game.plies[-1]
    if reading.t_ms - ply.at_ms > LATE_MS:
        return False
    first_turn = not any(earlier.by is ply.by for earlier in r.game.plies[:-1])
    legal = LegalPlays(ply.before, ply.roll, r.match.ruleset, first_turn)
    shown = recognise(reading, ply.before, ply.by, legal, seating, r.match.ruleset)
    if not isinstance(shown, Clear) or shown.play.after == ply.after:
        return False
    value = f"{shown.play.notation}={shown.play.after.text}"
    r.add(ruled.Corrected(at_ms=r.at_ms, what="play", value=value, by="eye"))
    return True


def _taken_back(r: Ruling, reading: BoardReading, seating: Seating) -> bool:
    """Whether the board shows the position before one of the last four plies: then those were taken back."""
    number = r.game.number
    for back, then in enumerate(reversed(r.match.earlier[-4:]), start=1):
        game = then.game
        if game is None or game.number != number or game.turn is None:
            return False
        if matches(reading, Board.of(game.position, game.turn, r.match.ruleset), seating, r.match.ruleset):
            r.add(ruled.TrackFound(at_ms=r.at_ms, plies_back=back))
            return True
    return False


def _found(r: Ruling) -> None:
    if r.match.lost:
        r.add(ruled.TrackFound(at_ms=r.at_ms))


def _differ(r: Ruling, expected: Board, shown: Board) -> None:
    differences = expected.differences(shown)
    if differences and differences != r.match.lost:
        r.add(ruled.TrackLost(at_ms=r.at_ms, differences=differences))


def in_turn(r: Ruling, reading: BoardReading) -> None:
    """A roll counts: what has been played so far?"""
    seating, game = r.match.seating, r.game
    if seating is None or reading.t_ms < game.rolled_ms:
        return
    if not reading.settled:
        _show_lifted(r, reading, seating)
        return
    if r.match.lifted_from is not None:
        r.add(ruled.CheckerLifted(at_ms=r.at_ms, by=r.turn, point=None))
    if game.lifted_ms is not None and reading.t_ms < game.lifted_ms:
        return
    if _cleared(r) and _set_up_again(r, reading):
        return
    legal = r.legal()
    shown = recognise(reading, game.position, r.turn, legal, seating, r.match.ruleset)
    if isinstance(shown, Unchanged) or not legal:
        # Nothing was moved, so nothing but the throw itself can have brought the dice to where they lie (E1).
        throw.checked(r, reading)
        if r.match.phase not in (*turn.IN_TURN, Phase.CALLABLE):
            return
    if r.match.phase is Phase.CALLABLE:
        _callable(r, reading, shown)
    elif game.lifted_ms is not None:
        _lifted(r, reading, shown)
    else:
        if isinstance(shown, Mismatch) and not _TROUBLED.isdisjoint(reading.faults):
            return  # seen through a fault of the eye: no ground for an alarm
        _provisional(r, shown, bool(legal))


def _provisional(r: Ruling, shown: Recognition, can_move: bool) -> None:
    """The dice still lie there: the play may be changed at will (E3)."""
    by = r.turn
    others: tuple[str, ...] = ()
    match shown:
        case Mismatch():
            _wrong(r, shown, final=False)
            return
        case Clear(play=play) if can_move:
            sighted = play
        case Ambiguous(plays=plays):
            kept = r.game.provisional
            sighted = kept if kept is not None and kept.after in [play.after for play in plays] else plays[0]
            others = tuple(play.notation for play in plays if play is not sighted)
        case _:
            _mended(r)
            _found(r)
            if r.match.phase is Phase.PLAYED:
                r.add(ruled.PlayWithdrawn(at_ms=r.at_ms, by=by))
            return
    _mended(r)
    if r.game.provisional is None or r.game.provisional.after != sighted.after:
        r.add(
            ruled.PlaySighted(
                at_ms=r.at_ms, by=by, notation=sighted.notation, position=sighted.after, alternatives=others
            )
        )


def _mended(r: Ruling) -> None:
    if r.match.phase in (Phase.ILLEGAL, Phase.CALLABLE):
        r.add(ruled.IllegalPlayMended(at_ms=r.at_ms, by=r.turn))


def _lifted(r: Ruling, reading: BoardReading, shown: Recognition) -> None:
    """The dice are up, and this is the first look at the board since: what stands is the play (E3)."""
    match shown:
        case Clear(play=play):
            turn.finish(r, play)
        case Ambiguous(plays=plays):
            turn.finish(r, plays[0], tuple(play.notation for play in plays[1:]))
        case _ if r.game.waiting and backlog.first_of_two(r, reading) is not None:
            _two_turns(r, reading)
        case Unchanged() if r.match.lost:
            # The board was put right, and the play is still to be made.
            _found(r)
        case Unchanged(plays=(play, *others)):
            # Dice are picked up after a play: the eye must be sure that there was none.
            turn.finish(r, play, tuple(other.notation for other in others))
        case _ if _under_way(r, reading):
            return
        case Unfinished(position=position):
            turn.notice_illegal(r, _standing(r, reading, position), final=True)
        case Unchanged():
            turn.notice_illegal(r, r.game.position, final=True)
        case Mismatch():
            _wrong(r, shown, final=True)
    if r.match.phase is Phase.CALLABLE and r.game.waiting:
        # The opponent has thrown already: nobody called in time (E5).
        r.add(ruled.IllegalPlayStood(at_ms=r.at_ms))
        turn.stand(r)


def _under_way(r: Ruling, reading: BoardReading) -> bool:
    """Whether a hand was over the board a moment ago, or has just put it right."""
    return r.match.hand_ms is not None and reading.t_ms - r.match.hand_ms < UNDER_WAY_MS


def _two_turns(r: Ruling, reading: BoardReading) -> None:
    """CASES 26: the next player had thrown and moved before the first play was ever seen: one picture shows both."""
    first = backlog.first_of_two(r, reading)
    if first is not None:
        turn.finish(r, first)
        if r.match.phase in turn.IN_TURN:
            in_turn(r, reading)


def _standing(r: Ruling, reading: BoardReading, part: Position) -> Position:
    """What stands there for good: no legal play does, so it need not be a part of one if something else fits better."""
    ruleset, seating = r.match.ruleset, r.match.seating
    if seating is None:
        return part
    best = best_attempt(Weights(reading, seating), r.game.position, r.turn, ruleset)[0]
    return best if is_attempt(r.game.position, best, ruleset.hits) else part


def _callable(r: Ruling, reading: BoardReading, shown: Recognition) -> None:
    """The illegal play is final but may still be called; if the board now shows a legal one it has been put right."""
    match shown:
        case Clear(play=play):
            _mended(r)
            turn.finish(r, play)
        case Ambiguous(plays=(play, *others)):
            _mended(r)
            turn.finish(r, play, tuple(other.notation for other in others))
        case Mismatch():
            _wrong(r, shown, final=True)
        case Unfinished(position=position):
            turn.notice_illegal(r, _standing(r, reading, position), final=True)
        case _:
            _found(r)


def _wrong(r: Ruling, shown: Mismatch, final: bool) -> None:
    """No legal play and no part of one: an illegal play, if it can be the work of one turn; else track is lost."""
    attempted = shown.seen.position(r.turn, r.match.ruleset)
    if in_hand(r.game.position, attempted) and not final:
        return
    if not r.match.lost and is_attempt(r.game.position, attempted, r.match.ruleset.hits):
        turn.notice_illegal(r, attempted, final)
    else:
        _differ(r, _expected(r), shown.seen)


def in_hand(before: Position, after: Position) -> bool:
    """Whether a checker that stands nowhere is likelier to be in a hand that was not seen than borne off."""
    return after.mine[OFF] > before.mine[OFF] and sum(after.mine[7:]) > MOST_OUTSIDE


def is_attempt(before: Position, after: Position, hits: bool) -> bool:
    """Whether somebody may have moved so and called it a play: both still have fifteen, at most four of the mover's
    checkers have moved, and of the opponent's none but to the bar."""
    moved = sum(max(0, was - now) for was, now in zip(before.mine, after.mine, strict=True))
    if sum(after.mine) != 15 or sum(after.theirs) != 15 or not 1 <= moved <= 4 or in_hand(before, after):
        return False
    hit = after.theirs[BAR] - before.theirs[BAR]
    gone = sum(max(0, was - now) for was, now in zip(before.theirs, after.theirs, strict=True))
    return gone == hit <= (4 if hits else 0) and after.mine[OFF] >= before.mine[OFF] and hit >= 0


def _show_lifted(r: Ruling, reading: BoardReading, seating: Seating) -> None:
    """A hand is over the board: from which point has it taken a checker? Only for showing where that one may go."""
    if not reading.hand or r.game.lifted_ms is not None:
        return
    by, ruleset = r.turn, r.match.ruleset
    standing = r.game.provisional.after if r.game.provisional is not None else r.game.position
    expected = Board.of(standing, by, ruleset)
    missing: list[int] = []
    for point, (color, count) in enumerate(expected.points, start=1):
        slot = reading.points[seating.slot(point)]
        if slot.occluded or color is not by or slot.confidence < SURE:
            continue
        shade, shown = slot.best
        if shown == count - 1 and shade in (None, seating.shade(by)):
            missing.append(point if by is Color.WHITE else ruleset.facing(point))
    lifted = missing[0] if len(missing) == 1 else None
    if lifted != r.match.lifted_from:
        r.add(ruled.CheckerLifted(at_ms=r.at_ms, by=by, point=lifted))


def _cleared(r: Ruling) -> bool:
    """Whether what stands on the board, legal or not, is the mover's last checker borne off."""
    game = r.game
    legal = game.provisional is not None and game.provisional.after.all_off
    return legal or (game.illegal_position is not None and game.illegal_position.all_off and not game.must_correct)


def _set_up_again(r: Ruling, reading: BoardReading) -> bool:
    """CASES 27: the last checker is off and the board is set up anew before any dice were picked up: that game is won,
    by the play that stood there, and the next may begin."""
    ahead = Ruling(r.match, r.at_ms)
    _end(ahead)
    if ahead.match.phase is not Phase.GAME_OVER:
        return False
    turn.next_game(ahead)
    if _seating_of(ahead.match, reading, _expected(ahead)) is None:
        return False
    _end(r)
    after_game(r, reading)
    return True


def _end(r: Ruling) -> None:
    """The play that stands there, legal or not, is final."""
    if r.game.provisional is not None:
        turn.finish(r, r.game.provisional)
    else:
        r.add(ruled.IllegalPlayStood(at_ms=r.at_ms))
        turn.stand(r)


def after_game(r: Ruling, reading: BoardReading) -> None:
    """CASES 27: setting up again is no play; when the next game's first position stands, that game begins."""
    if not reading.settled or r.match.seating is None:
        return
    ahead = Ruling(r.match, r.at_ms)
    turn.next_game(ahead)
    if _seating_of(ahead.match, reading, _expected(ahead)) is not None:
        turn.next_game(r)
        set_up(r, reading)
