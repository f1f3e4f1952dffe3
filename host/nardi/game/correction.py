"""Going back and setting right: undo, and a referee's corrections (CASES 21, 40)."""

from dataclasses import replace

from nardi.game import clock
from nardi.game import event as ruled
from nardi.game.dice import DICE, forgotten
from nardi.game.match import Game, Match, Phase
from nardi.rules.color import ByColor, Color
from nardi.rules.cube import Cube
from nardi.rules.position import Position
from nardi.rules.roll import Roll


def as_rolled(match: Match, game: Game) -> Match:
    """The match as it stood when the present turn had been rolled and nothing was moved: what an undo returns to."""
    rolled = replace(game.bare, lifted_ms=None, must_correct=False, called=False, waiting=())
    return replace(match, phase=Phase.TO_PLAY, game=rolled, notice=None, warned="", lost=(), earlier=())


def undone(match: Match, plies: int, at_ms: int) -> Match:
    """What was `plies` turns ago, with what belongs to now: devices, faults, and time running from now on."""
    then = match.earlier[-plies]
    game = then.game
    if game is None or game.turn is None:
        raise ValueError("nothing was played there")
    # The dice of that roll were lifted long ago: the play is final by a person's word or the opponent's next throw.
    clocks = replace(then.clocks, running=game.turn, since_ms=at_ms, spent_ms=0, paused=match.clocks.paused)
    return replace(
        then,
        game=replace(game, sources=(), rolled_ms=at_ms),
        clocks=clocks if then.clocks.rules or then.clocks.running else then.clocks,
        dice=forgotten(match.dice, DICE),
        hand=match.hand,
        faults=match.faults,
        fault_keys=match.fault_keys,
        paused=match.paused,
        teach=match.teach,
        eye=match.eye,
        seating=match.seating if then.players == match.players else then.seating,
        sighted=(),
        dice_gone=False,
        dice_missed=False,
        undone=(*match.undone, plies),
        earlier=match.earlier[:-plies],
    )


def corrected(match: Match, game: Game, event: ruled.Corrected) -> Match:
    """A referee's word. `value` was checked by the umpire and is in the form in which the command writes it."""
    match = replace(match, notice=None, warned="", lost=())
    match event.what:
        case "play":
            return _corrected_play(match, game, event)
        case "dice":
            return replace(match, phase=Phase.TO_PLAY, game=replace(game.bare, roll=Roll.from_text(event.value)))
        case "position":
            position = Position.from_text(event.value, match.ruleset)
            return replace(match, game=replace(game.bare, position=position), phase=_settled_phase(match, game))
        case "turn":
            return _corrected_turn(match, game, Color(event.value), event.at_ms)
        case "cube":
            value, _, owner = event.value.partition(":")
            cube = Cube(int(value), None if owner == "centre" else Color(owner))
            phase = Phase.TO_ROLL if match.phase in (Phase.OFFERED, Phase.BEAVERED) else match.phase
            return replace(match, phase=phase, game=replace(game, cube=cube, offer_by=None))
        case "score":
            white, _, black = event.value.partition(":")
            return _corrected_score(match, game, ByColor(float(white), float(black)))
        case "clock":
            color, _, left = event.value.partition(":")
            return replace(match, clocks=clock.adjusted(match.clocks, Color(color), int(left), event.at_ms))
    raise ValueError(f"nothing called {event.what!r} can be corrected")


def _corrected_score(match: Match, game: Game, score: ByColor[float]) -> Match:
    """The score before the present game, which may make it the Crawford game (C7); or after it, where it is over."""
    if game.outcome is not None:
        return replace(match, score=score, phase=Phase.GAME_OVER, winner=None)
    earlier = any(played.crawford for played in match.games)
    crawford = match.ruleset.crawford and match.length > 1 and not earlier and max(score) == match.length - 1
    turned = game.cube != Cube() or bool(game.cube_turns)
    game = replace(game, score=score, crawford=game.crawford if turned else crawford)
    return replace(match, score=score, game=game, crawford_done=earlier or game.crawford)


def _settled_phase(match: Match, game: Game) -> Phase:
    """The phase after something about the board was set right: nothing provisional is left."""
    if match.phase in (Phase.PLAYED, Phase.ILLEGAL, Phase.CALLABLE):
        return Phase.TO_PLAY
    if match.phase is Phase.SET_UP:
        return Phase.OPENING if game.turn is None else Phase.TO_ROLL
    return match.phase


def _corrected_turn(match: Match, game: Game, turn: Color, at_ms: int) -> Match:
    position = game.position if game.turn is turn else game.position.flipped
    if game.turn is None:
        position = game.position if turn is Color.WHITE else game.position.flipped
    turned = replace(
        game.bare, position=position, turn=turn, starter=game.starter or turn, roll=None, sources=(), lifted_ms=None
    )
    return replace(match, phase=Phase.TO_ROLL, game=turned, clocks=clock.started(match.clocks, turn, at_ms))


def _corrected_play(match: Match, game: Game, event: ruled.Corrected) -> Match:
    """The last ply becomes another play of the same roll; everything later is what it was."""
    notation, _, text = event.value.partition("=")
    after = Position.from_text(text, match.ruleset)
    ply = replace(game.plies[-1], after=after, notation=notation, legal=True, rule=None)
    corrected = replace(game.bare, position=after.flipped, plies=(*game.plies[:-1], ply), alternatives=())
    return replace(match, game=corrected)
