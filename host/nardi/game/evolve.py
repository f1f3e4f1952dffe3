"""The fold: a match and one event give the match after it. Pure; every event has its line here."""

from dataclasses import replace
from typing import assert_never

from nardi.game import clock
from nardi.game import event as ruled
from nardi.game.correction import as_rolled, corrected, undone
from nardi.game.dice import DICE, forgotten, noted, owns, sighted
from nardi.game.event import Event
from nardi.game.match import CubeTurn, Game, Match, Phase, Ply, Teach, Throw
from nardi.rules.color import ByColor, Color
from nardi.rules.cube import Cube, beavered, offered, taken
from nardi.rules.legal import LegalPlays
from nardi.rules.play import Play
from nardi.rules.roll import Roll
from nardi.rules.score import Ending, Outcome, Win
from nardi.rules.whynot import Illegality, why_not


def fold(events: tuple[Event, ...], match: Match | None = None) -> Match:
    """The match that all of `events` make. Raises ValueError when they do not begin with the match's start."""
    for event in events:
        match = evolve(match, event)
    if match is None:
        raise ValueError("no events, no match")
    return match


def evolve(match: Match | None, event: Event) -> Match:
    """The match after `event`. Raises ValueError for an event that cannot happen then (a journal out of order)."""
    if isinstance(event, ruled.MatchStarted):
        return _match_started(event)
    if match is None:
        raise ValueError(f"{type(event).__name__} before the match started")
    return _in_match(match, event)


def _in_match(match: Match, event: Event) -> Match:
    match event:
        case ruled.GameStarted():
            return _game_started(match, event)
        case ruled.FaultNoted():
            return _with_fault(_without_fault(match, event.key), event)
        case ruled.FaultCleared():
            return _without_fault(match, event.key)
        case ruled.HandNoted():
            lifted_from = match.lifted_from if event.present else None
            return replace(
                match,
                hand=event.present,
                hand_ms=event.at_ms,
                lifted=match.lifted if event.present else None,
                lifted_from=lifted_from,
            )
        case ruled.CommandRefused():
            return replace(match, notice=event.message)
        case ruled.Warned():
            return replace(match, notice=event.message, warned=event.key)
        case ruled.TeachSet():
            return replace(match, teach=Teach(event.teach))
        case ruled.ClockPaused():
            return replace(match, paused=True, clocks=clock.paused(match.clocks, event.at_ms))
        case ruled.ClockResumed():
            return replace(match, paused=False, clocks=clock.resumed(match.clocks, event.at_ms))
        case ruled.MatchEnded():
            return replace(
                match, phase=Phase.MATCH_OVER, winner=event.winner, clocks=clock.stopped(match.clocks, event.at_ms)
            )
        case ruled.Undone():
            return undone(match, event.plies, event.at_ms)
        case ruled.DieNoted():
            return noted(match, event)
        case ruled.DiceSighted():
            return sighted(match, event)
        case ruled.DiceUnclear():
            return replace(match, dice_unclear_ms=event.at_ms if event.unclear else None)
    game = match.game
    if game is None:
        raise ValueError(f"{type(event).__name__} before a game started")
    return _in_game(match, game, event)


def _in_game(match: Match, game: Game, event: Event) -> Match:
    match event:
        case ruled.SetUpDiffered():
            return replace(match, lost=event.differences)
        case ruled.SetUpVerified():
            phase = Phase.OPENING if game.turn is None else Phase.TO_ROLL
            return replace(match, phase=phase, lost=(), seating=event.seating or match.seating)
        case ruled.OpeningThrown():
            return _opening_thrown(match, game, event)
        case ruled.OpeningTied():
            return replace(match, dice=forgotten(match.dice, DICE), sighted=(), dice_gone=False, dice_missed=False)
        case ruled.AutomaticallyDoubled():
            doubled = replace(game, cube=Cube(event.value), automatic_doubles=game.automatic_doubles + 1)
            return replace(match, game=doubled)
        case ruled.Rolled():
            return _rolled(match, game, event)
        case ruled.ThrowWaited():
            throws = (*game.waiting, Throw(event.by, event.dice, event.sources))
            return replace(match, game=replace(game, waiting=throws), dice=forgotten(match.dice, event.sources))
        case ruled.RollRejected():
            return _roll_rejected(match, game, event)
        case ruled.PlaySighted():
            roll = _needed(game.roll)
            play = LegalPlays(game.position, roll, match.ruleset, game.first_turn).by_result(event.position)
            play = play or Play((), game.position, event.position)
            sighted = replace(game, provisional=play, alternatives=event.alternatives)
            return replace(match, phase=Phase.PLAYED, game=sighted, lost=(), lifted=None, lifted_from=None)
        case ruled.PlayWithdrawn():
            return replace(match, phase=Phase.TO_PLAY, game=game.bare)
        case ruled.CheckerLifted():
            color = None if event.point is None else event.by
            return replace(match, lifted=color, lifted_from=event.point)
        case ruled.DiceLifted():
            phase = Phase.CALLABLE if match.phase is Phase.ILLEGAL else match.phase
            return replace(match, phase=phase, game=replace(game, lifted_ms=event.at_ms))
        case ruled.Played():
            return _played(match, game, event)
        case ruled.IllegalPlayNoticed():
            phase = Phase.CALLABLE if event.final else Phase.ILLEGAL
            return replace(match, phase=phase, game=_wrong(match, game, event), lost=(), lifted=None, lifted_from=None)
        case ruled.IllegalPlayChanged():
            return replace(match, game=_wrong(match, game, event))
        case ruled.IllegalPlayMended():
            return replace(
                match, phase=Phase.TO_PLAY, game=replace(game.bare, must_correct=False, called=False), notice=None
            )
        case ruled.IllegalPlayCalled():
            return replace(match, game=replace(game, must_correct=event.must_correct, called=True))
        case ruled.IllegalPlayStood():
            return match
        case ruled.LastRollGranted():
            return replace(match, phase=Phase.LAST_ROLL, game=replace(game, last_roll=True))
        case ruled.Doubled():
            doubled = _turned(match, game, event, "double")
            waiting = replace(doubled, cube=offered(game.cube, event.by), offer_by=event.by)
            clocks = clock.started(match.clocks, event.by.other, event.at_ms)
            return replace(match, phase=Phase.OFFERED, game=waiting, clocks=clocks, warned="", notice=None)
        case ruled.Taken():
            accepted = replace(_turned(match, game, event, "take"), cube=taken(game.cube, match.ruleset), offer_by=None)
            return _back_to_roll(match, accepted, event.at_ms)
        case ruled.Beavered():
            waiting = replace(_turned(match, game, event, "beaver"), cube=beavered(game.cube, match.ruleset))
            clocks = clock.started(match.clocks, event.by.other, event.at_ms)
            answered = replace(waiting, offer_by=event.by)
            return replace(match, phase=Phase.BEAVERED, game=answered, clocks=clocks, notice=None)
        case ruled.Passed():
            return replace(match, game=_turned(match, game, event, "pass"), warned="", notice=None)
        case ruled.Resigned():
            resigning = replace(
                game, resign=(event.by, Win(event.win).name.lower()), before_resigning=match.phase.value
            )
            return replace(match, phase=Phase.RESIGNING, game=resigning, warned="", notice=None)
        case ruled.ResignationRefused():
            phase = Phase(game.before_resigning or Phase.TO_ROLL)
            return replace(match, phase=phase, game=replace(game, resign=None, before_resigning=""))
        case ruled.TimeClaimed():
            return match
        case ruled.GameEnded():
            return _game_ended(match, game, event)
        case ruled.TrackLost():
            return replace(match, lost=event.differences)
        case ruled.TrackFound():
            found = replace(match, lost=(), hand_ms=event.at_ms)
            return undone(found, event.plies_back, event.at_ms) if event.plies_back else found
        case ruled.Corrected():
            return corrected(match, game, event)
        case (
            ruled.MatchStarted() | ruled.GameStarted() | ruled.FaultNoted() | ruled.FaultCleared() | ruled.HandNoted()
            | ruled.CommandRefused() | ruled.Warned() | ruled.TeachSet() | ruled.ClockPaused() | ruled.ClockResumed()
            | ruled.MatchEnded() | ruled.Undone() | ruled.DieNoted() | ruled.DiceSighted() | ruled.DiceUnclear()
        ):  # fmt: skip
            raise ValueError(f"{type(event).__name__} is no event of a game")
        case _:
            assert_never(event)


def _needed(roll: Roll | None) -> Roll:
    if roll is None:
        raise ValueError("no roll to play")
    return roll


def _match_started(event: ruled.MatchStarted) -> Match:
    return Match(
        ruleset=event.ruleset,
        length=event.length,
        players=event.players,
        phase=Phase.SET_UP,
        score=ByColor(0, 0),
        clocks=clock.new_clocks(event.clocks),
        seating=event.seating,
        eye=event.seating is not None,
        dice_mode=event.dice,
        club=event.club,
        first_start=event.start,
        first_turn=event.turn,
    )


def _game_started(match: Match, event: ruled.GameStarted) -> Match:
    games = (*match.games, match.game) if match.game is not None else match.games
    if event.colors_swapped:
        match = with_colors_swapped(match)
    clocks = match.clocks if event.number == 1 else clock.refilled(match.clocks)
    first = event.start if event.starter in (None, Color.WHITE) else event.start.flipped
    game = Game(
        number=event.number,
        start=event.start,
        position=first,
        turn=event.starter,
        cube=Cube(),
        crawford=event.crawford,
        starter=event.starter,
        players=match.players,
        colors_swapped=match.colors_swapped,
        score=match.score,
    )
    return replace(
        match,
        phase=Phase.SET_UP,
        game=game,
        games=games,
        seating=event.seating or match.seating,
        clocks=clocks,
        dice=forgotten(match.dice, DICE),
        sighted=(),
        dice_gone=match.dice_mode != "camera" or event.number == 1,
        dice_missed=False,
        crawford_done=match.crawford_done or event.crawford,
        lost=(),
        notice=None,
        warned="",
    )


def with_colors_swapped(match: Match) -> Match:
    """The two people exchange checkers: names, score and clocks go with them."""
    return replace(
        match,
        players=ByColor(match.players.black, match.players.white),
        score=ByColor(match.score.black, match.score.white),
        clocks=clock.swapped(match.clocks),
        colors_swapped=not match.colors_swapped,
    )


def _opening_thrown(match: Match, game: Game, event: ruled.OpeningThrown) -> Match:
    if event.colors_swapped:
        match = with_colors_swapped(match)
    position = game.position if event.starter is Color.WHITE else game.position.flipped
    started = replace(
        game,
        turn=event.starter,
        starter=event.starter,
        position=position,
        players=match.players,
        colors_swapped=match.colors_swapped,
        score=match.score,
    )
    clocks = clock.started(match.clocks, event.starter, event.at_ms)
    return replace(match, phase=Phase.TO_ROLL, game=started, clocks=clocks)


def _rolled(match: Match, game: Game, event: ruled.Rolled) -> Match:
    rolled = replace(game.bare, roll=Roll(*event.dice), sources=event.sources, rolled_ms=event.at_ms, lifted_ms=None)
    rolled = replace(rolled, alternatives=(), must_correct=False, called=False, waiting=game.waiting[1:])
    clocks = match.clocks if match.clocks.running else clock.started(match.clocks, event.by, event.at_ms)
    return replace(
        match,
        phase=Phase.TO_PLAY,
        game=rolled,
        clocks=clocks,
        notice=None,
        warned="",
        dice=forgotten(match.dice, tuple(die for die in DICE if die not in event.sources)),
        sighted=(),
        dice_gone=False,
        dice_missed=False,
        lost=(),
    )


def _roll_rejected(match: Match, game: Game, event: ruled.RollRejected) -> Match:
    which = tuple(die for die, state, _ in match.dice if owns(event.by, die) and state == "settled")
    dice = forgotten(match.dice, which)
    rejected = replace(match, dice=dice, notice=event.message, sighted=(), dice_gone=False, dice_missed=False)
    if game.turn is event.by and match.phase in (Phase.ROLLING, Phase.TO_PLAY, Phase.PLAYED, Phase.ILLEGAL):
        plain = replace(game.bare, roll=None, sources=(), lifted_ms=None)
        phase = Phase.LAST_ROLL if game.last_roll else Phase.TO_ROLL
        return replace(rejected, phase=phase, game=plain, lifted=None, lifted_from=None)
    return rejected


def _wrong(match: Match, game: Game, event: ruled.IllegalPlayNoticed | ruled.IllegalPlayChanged) -> Game:
    """The game with an illegal play standing on the board; the rules are asked again for the way back."""
    roll = _needed(game.roll)
    found = why_not(game.position, event.position, roll, match.ruleset, game.first_turn)
    illegality = Illegality(event.rule, event.message, event.steps, None)
    if found is not None:
        illegality = replace(illegality, nearest=found.nearest, remedy=found.remedy)
    return replace(game, illegality=illegality, illegal_position=event.position, provisional=None)


def _played(match: Match, game: Game, event: ruled.Played) -> Match:
    before = as_rolled(match, game)
    other = event.by.other
    clocks = clock.started(match.clocks, other, event.at_ms)
    ply = Ply(
        by=event.by,
        roll=Roll(*event.dice),
        before=game.position,
        after=event.position,
        notation=event.notation,
        legal=event.legal,
        rule=event.rule,
        at_ms=event.at_ms,
        clocks=clocks,
        cube=game.cube,
    )
    played = replace(
        game.bare,
        position=event.position.flipped,
        turn=other,
        roll=None,
        sources=(),
        lifted_ms=None,
        plies=(*game.plies, ply),
        must_correct=False,
        called=False,
        alternatives=event.alternatives,
    )
    return replace(
        match,
        phase=Phase.TO_ROLL,
        game=played,
        clocks=clocks,
        dice=forgotten(match.dice, game.sources),
        notice=None,
        warned="",
        lost=(),
        lifted=None,
        lifted_from=None,
        earlier=(*match.earlier, before),
    )


def _turned(
    match: Match, game: Game, event: ruled.Doubled | ruled.Taken | ruled.Passed | ruled.Beavered, deed: str
) -> Game:
    """The game with one more thing done with the cube."""
    value = game.cube.value if isinstance(event, ruled.Passed) else event.value
    done = CubeTurn(len(game.plies), event.by, deed, value, event.at_ms, clock.stopped(match.clocks, event.at_ms))
    return replace(game, cube_turns=(*game.cube_turns, done))


def _back_to_roll(match: Match, game: Game, at_ms: int) -> Match:
    """A double is answered: the player on turn rolls."""
    clocks = clock.started(match.clocks, game.turn, at_ms) if game.turn else match.clocks
    return replace(match, phase=Phase.TO_ROLL, game=game, clocks=clocks, warned="", notice=None)


def _game_ended(match: Match, game: Game, event: ruled.GameEnded) -> Match:
    outcome = Outcome(event.winner, Win(event.win), Ending(event.ending))
    points = event.gained[event.winner] if event.winner else event.gained.white
    ended = replace(game.bare, outcome=outcome, points=points, offer_by=None, roll=None, sources=(), lifted_ms=None)
    ended = replace(ended, cube=replace(game.cube, offered_by=None, beaver=False))
    score = ByColor(match.score.white + event.gained.white, match.score.black + event.gained.black)
    return replace(
        match,
        phase=Phase.GAME_OVER,
        game=ended,
        score=score,
        clocks=clock.stopped(match.clocks, event.at_ms),
        lost=(),
        notice=None,
        warned="",
    )


def _with_fault(match: Match, event: ruled.FaultNoted) -> Match:
    eye = False if event.key == "device.eye" else match.eye
    return replace(match, faults=(*match.faults, event.message), fault_keys=(*match.fault_keys, event.key), eye=eye)


def _without_fault(match: Match, key: str) -> Match:
    if key not in match.fault_keys:
        return match
    kept = [(kept, message) for kept, message in zip(match.fault_keys, match.faults, strict=True) if kept != key]
    eye = match.seating is not None if key == "device.eye" else match.eye
    return replace(match, faults=tuple(m for _, m in kept), fault_keys=tuple(k for k, _ in kept), eye=eye)
