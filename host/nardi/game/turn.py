"""How a turn ends: final plays, illegal ones that stand, rolls that waited, the game's end (E3-E5, R10, V5)."""

from nardi.game import clock
from nardi.game import event as ruled
from nardi.game.match import Phase
from nardi.game.ruling import Ruling
from nardi.rules import score, series
from nardi.rules.color import Color
from nardi.rules.play import Play
from nardi.rules.position import Position
from nardi.rules.score import Ending, Outcome, Win
from nardi.rules.whynot import why_not
from nardi.text.message import Message

_REJECTED = {
    "cocked": Message.of("umpire.roll_rejected.cocked"),
    "other_half": Message.of("umpire.roll_rejected.other_half"),
    "on_checker": Message.of("umpire.roll_rejected.on_checker"),
    "off_board": Message.of("umpire.roll_rejected.off_board"),
    "early": Message.of("umpire.roll_rejected.early"),
    "again": Message.of("umpire.roll_rejected.again"),
    "set_up": Message.of("umpire.roll_rejected.set_up"),
    "not_your_turn": Message.of("umpire.roll_rejected.not_your_turn"),
    "correct_first": Message.of("umpire.roll_rejected.correct_first"),
    "paused": Message.of("umpire.roll_rejected.paused"),
    "answer_first": Message.of("umpire.roll_rejected.answer_first"),
    "called": Message.of("umpire.roll_rejected.called"),
}

IN_TURN = (Phase.TO_PLAY, Phase.PLAYED, Phase.ILLEGAL)
"""A roll counts and its dice have not been picked up."""


def finish(r: Ruling, play: Play, alternatives: tuple[str, ...] = ()) -> None:
    """The turn is over with a legal play (E3)."""
    _played(r, play.notation, play.after, None, alternatives)


def stand(r: Ruling) -> None:
    """The illegal play on the board stands, and the game goes on from the board as it is (E5)."""
    game = r.game
    if game.illegal_position is None or game.illegality is None:
        return
    notation = notation_of_change(game.position, game.illegal_position, r)
    _played(r, notation, game.illegal_position, game.illegality.rule, ())


def notation_of_change(before: Position, after: Position, r: Ruling) -> str:
    """What an illegal play did, as far as it can be written: checkers taken up and put down, matched from the back."""
    up: list[int] = []
    down: list[int] = []
    for point in range(25, -1, -1):
        change = after.mine[point] - before.mine[point]
        up += [point] * -change
        down += [point] * change
    words = []
    for source, target in zip(up, down, strict=False):
        facing = r.match.ruleset.facing(target) if 1 <= target <= 24 else 0
        hit = r.match.ruleset.hits and facing and before.theirs[facing] > after.theirs[facing]
        names = {25: "bar", 0: "off"}
        words.append(f"{names.get(source, source)}/{names.get(target, target)}{'*' if hit else ''}")
    return " ".join(words)


def _played(r: Ruling, notation: str, after: Position, rule: str | None, alternatives: tuple[str, ...]) -> None:
    game, by = r.game, r.turn
    assert game.roll is not None
    stopped = clock.stopped(r.match.clocks, r.at_ms)
    r.add(
        ruled.Played(
            at_ms=r.at_ms,
            by=by,
            dice=(game.roll.a, game.roll.b),
            notation=notation,
            position=after,
            legal=rule is None,
            rule=rule,
            clock_ms=stopped.reserve_ms if stopped.rules else None,
            alternatives=alternatives,
        )
    )
    _after_play(r, by, after)


def _after_play(r: Ruling, by: Color, after: Position) -> None:
    """Whether that ended the game; else the roll that the opponent may have thrown already is looked at."""
    game, ruleset = r.game, r.match.ruleset
    if game.last_roll:
        if after.all_off:
            end_game(r, Outcome(None, Win.DRAW, Ending.DRAWN))
        else:
            end_game(r, Outcome(by.other, score.win_of(after.flipped, ruleset), Ending.BORNE_OFF))
    elif after.all_off:
        can_clear = sum(after.theirs[1:7]) + after.theirs[0] == 15 and after.theirs[0] >= 11
        if game.starter is not None and score.may_draw(ruleset, game.starter, by) and can_clear:
            r.add(ruled.LastRollGranted(at_ms=r.at_ms, by=by.other))
            waiting_roll(r)
        else:
            end_game(r, Outcome(by, score.win_of(after, ruleset), Ending.BORNE_OFF))
    else:
        waiting_roll(r)


def end_game(r: Ruling, outcome: Outcome) -> None:
    """The game is over; the match too, when somebody has reached its points."""
    match = r.match
    gained = score.gained(outcome, r.game.cube, match.ruleset, match.in_match)
    r.add(
        ruled.GameEnded(
            at_ms=r.at_ms, winner=outcome.winner, win=int(outcome.win), ending=outcome.ending.value, gained=gained
        )
    )
    winner = r.match.match_score.winner
    if winner is not None:
        r.add(ruled.MatchEnded(at_ms=r.at_ms, winner=winner))


def next_game(r: Ruling) -> None:
    """The next game of the series is to be set up (R1, C7, L6)."""
    match, game = r.match, r.game
    winner = game.outcome.winner if game.outcome else None
    coming = series.next_game(game.starter or Color.WHITE, winner, match.ruleset)
    seating = match.seating
    if seating is not None and coming.colors_swapped:
        seating = seating.with_colors_swapped(match.ruleset.same_way)
    if seating is not None and coming.sides_swapped:
        seating = seating.with_sides_swapped
    points = max(match.score)
    crawford = (
        match.ruleset.crawford
        and match.length > 1
        and not match.crawford_done
        and match.length - 1 <= points < match.length
    )
    r.add(
        ruled.GameStarted(
            at_ms=r.at_ms,
            number=game.number + 1,
            start=match.ruleset.start,
            starter=coming.starter,
            crawford=crawford,
            colors_swapped=coming.colors_swapped,
            seating=seating,
        )
    )


def at_rest(r: Ruling, color: Color) -> tuple[tuple[str, str, int], ...]:
    """`color`'s two dice, if both lie still: their own pair, or the shared one."""
    still = [die for die in r.match.dice if die[1] in ("settled", "cocked")]
    for letter in (color.value[0], "s"):
        pair = tuple(die for die in still if die[0][0] == letter)
        if len(pair) == 2:
            return pair
    return ()


def throw(r: Ruling) -> None:
    """The player on turn has thrown: it counts when both dice lie flat (E1)."""
    pair = at_rest(r, r.turn)
    if not pair:
        return
    if any(state == "cocked" for _, state, _ in pair):
        reject(r, r.turn, "cocked")
        return
    (one, _, a), (two, _, b) = pair
    r.add(ruled.Rolled(at_ms=r.at_ms, by=r.turn, dice=(a, b), sources=(one, two)))


def waiting_roll(r: Ruling) -> None:
    """A roll made while the play before it was still to be seen counts now."""
    if r.match.phase not in (Phase.TO_ROLL, Phase.LAST_ROLL) or r.match.dice_mode != "electronic":
        return
    waiting = r.game.waiting
    if not waiting:
        throw(r)
    elif waiting[0].by is r.turn:
        first = waiting[0]
        r.add(ruled.Rolled(at_ms=r.at_ms, by=r.turn, dice=first.dice, sources=first.sources))
        if first.lifted:
            r.add(ruled.DiceLifted(at_ms=r.at_ms, by=r.turn))


def wait(r: Ruling, by: Color) -> None:
    """`by`'s throw counts when the play before it has been seen; one throw each at most."""
    pair = at_rest(r, by)
    if pair and (not r.game.waiting or r.game.waiting[-1].by is not by):
        (one, _, a), (two, _, b) = pair
        r.add(ruled.ThrowWaited(at_ms=r.at_ms, by=by, dice=(a, b), sources=(one, two)))


def reject(r: Ruling, by: Color, reason: str) -> None:
    """A throw does not count."""
    r.add(ruled.RollRejected(at_ms=r.at_ms, by=by, reason=reason, message=_REJECTED[reason]))


def notice_illegal(r: Ruling, attempted: Position, final: bool) -> bool:
    """What stands on the board is no legal play: said at once (E5). False where the rules find nothing wrong."""
    game = r.game
    if game.roll is None:
        return False
    found = why_not(game.position, attempted, game.roll, r.match.ruleset, game.first_turn)
    if found is None:
        return False
    if r.match.phase in (Phase.ILLEGAL, Phase.CALLABLE):
        if game.illegal_position != attempted:
            r.add(
                ruled.IllegalPlayChanged(
                    at_ms=r.at_ms,
                    by=r.turn,
                    rule=found.rule,
                    message=found.message,
                    steps=found.steps,
                    position=attempted,
                )
            )
        return True
    r.add(
        ruled.IllegalPlayNoticed(
            at_ms=r.at_ms,
            by=r.turn,
            rule=found.rule,
            message=found.message,
            steps=found.steps,
            position=attempted,
            final=final,
        )
    )
    return True


def lift(r: Ruling) -> None:
    """The dice are picked up: the play is final (E3), if the board has been seen since the hand was last over it."""
    game, match = r.game, r.match
    legal = r.legal()
    if not legal and match.phase is not Phase.ILLEGAL:
        finish(r, next(iter(legal)))
    elif match.phase is Phase.PLAYED and game.provisional is not None and (not match.hand or _is_last(r)):
        finish(r, game.provisional, game.alternatives)
    elif not match.sees and legal.is_forced:
        finish(r, next(iter(legal)))
    else:
        r.add(ruled.DiceLifted(at_ms=r.at_ms, by=r.turn))


def _is_last(r: Ruling) -> bool:
    """Whether the last checker was seen borne off: a hand over the board then changes no play, it sets up the next."""
    provisional = r.game.provisional
    return provisional is not None and provisional.after.all_off


def opponent_threw(r: Ruling, thrower: Color) -> None:
    """The opponent of the player on turn has thrown before that turn was final (E3 of S4, E4, E5)."""
    pair = at_rest(r, thrower)
    if not pair:
        return
    if any(state == "cocked" for _, state, _ in pair):
        reject(r, thrower, "cocked")
        return
    game, match = r.game, r.match
    if match.phase is Phase.CALLABLE:
        if game.must_correct:
            reject(r, thrower, "correct_first")
        else:
            r.add(ruled.IllegalPlayStood(at_ms=r.at_ms))
            stand(r)
        return
    if game.lifted_ms is not None:
        wait(r, thrower)
        return
    legal = r.legal()
    if match.phase is Phase.ILLEGAL and (not game.sources or match.ruleset.opponent_ends_turn):
        r.add(ruled.IllegalPlayStood(at_ms=r.at_ms))
        stand(r)
    elif match.phase is Phase.ILLEGAL:
        reject(r, thrower, "early")
    elif legal.is_forced:
        finish(r, next(iter(legal)))
    elif is_race(game.position) or not game.sources or match.ruleset.opponent_ends_turn:
        if game.provisional is not None:
            finish(r, game.provisional, game.alternatives)
        elif is_race(game.position) or not game.sources:
            r.add(ruled.DiceLifted(at_ms=r.at_ms, by=r.turn))
            wait(r, thrower)
        else:
            reject(r, thrower, "early")
    else:
        reject(r, thrower, "early")


def opponent_spoke(r: Ruling) -> None:
    """E3 (S4), E5: the opponent of the player on turn doubles: the play that stands there is accepted, if it may be."""
    game, match = r.game, r.match
    ends = match.ruleset.opponent_ends_turn or not game.sources
    wrong = match.phase is Phase.CALLABLE or (match.phase is Phase.ILLEGAL and ends)
    if wrong and not game.must_correct:
        r.add(ruled.IllegalPlayStood(at_ms=r.at_ms, by=r.turn.other))
        stand(r)
    elif match.phase is Phase.PLAYED and ends and game.provisional is not None:
        finish(r, game.provisional, game.alternatives)


def is_race(position: Position) -> bool:
    """E4: contact is over and both are bearing off."""
    return position.all_home and position.flipped.all_home


def thrower_of(r: Ruling, die: str) -> Color:
    """Whose throw a die belongs to: its owner's; of the shared pair the player's who throws next."""
    if die[0] == "w":
        return Color.WHITE
    if die[0] == "b":
        return Color.BLACK
    if r.match.phase is Phase.CALLABLE or r.game.lifted_ms is not None:
        return r.turn.other
    return r.turn
