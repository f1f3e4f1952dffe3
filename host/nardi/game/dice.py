"""What the dice on the table do, as the match knows it."""

from dataclasses import replace

from nardi.game import event as ruled
from nardi.game.match import Match, Phase
from nardi.rules.color import Color

SAME_PLACE = 30
"""A die that lies within this (thousandths of the board) of where it lay has not been thrown."""

DICE = ("w1", "w2", "b1", "b2", "s1", "s2")
"""The dice there can be: White's and Black's own, or one shared pair. `Match.dice` lists them in this order."""


def owns(color: Color, die: str) -> bool:
    """Whether a die may be thrown by `color`: their own, or one of the shared pair."""
    return die[0] in (color.value[0], "s")


def forgotten(dice: tuple[tuple[str, str, int], ...], which: tuple[str, ...]) -> tuple[tuple[str, str, int], ...]:
    """The dice with the values of `which` no longer counting until thrown again."""
    return tuple(
        (die, "unknown", 0) if die in which and state in ("settled", "cocked") else (die, state, value)
        for die, state, value in dice
    )


def noted(match: Match, event: ruled.DieNoted) -> Match:
    known = {die: (die, state, value) for die, state, value in match.dice}
    known[event.die] = (event.die, event.state, event.value)
    dice = tuple(
        known[die] for die in sorted(known, key=lambda die: (DICE.index(die) if die in DICE else len(DICE), die))
    )
    phase, game = match.phase, match.game
    if event.state == "rolling" and game is not None and game.turn is not None:
        if phase is Phase.TO_ROLL and owns(game.turn, event.die):
            phase = Phase.ROLLING
        # A die of this roll that is thrown anew after it was picked up, or by the other player, is another roll's.
        anew = game.lifted_ms is not None or not owns(game.turn, event.die)
        if anew and event.die in game.sources:
            game = replace(game, sources=tuple(die for die in game.sources if die != event.die))
    if event.state == "lifted" and game is not None and game.waiting and event.die in game.waiting[-1].sources:
        last = game.waiting[-1]
        game = replace(game, waiting=(*game.waiting[:-1], replace(last, up=(*last.up, event.die))))
    return replace(match, dice=dice, phase=phase, game=game)


def sighted(match: Match, event: ruled.DiceSighted) -> Match:
    """Camera dice: those of the last roll are gone once they are missed twice running, or once and then others lie
    there, or they elsewhere; the same ones seen again had only been overlooked."""
    if not event.values:
        gone = match.dice_gone or match.dice_missed
        return replace(match, sighted=(), dice_gone=gone, dice_missed=True)
    anew = sorted(event.values) != _last_roll(match) or not _as_before(match.dice_places, event.places)
    return replace(
        match,
        sighted=event.values,
        dice_places=event.places,
        dice_gone=match.dice_gone or (match.dice_missed and anew),
        dice_missed=False,
    )


def _as_before(then: tuple[int, ...], now: tuple[int, ...]) -> bool:
    return len(then) == len(now) and all(abs(a - b) <= SAME_PLACE for a, b in zip(then, now, strict=True))


def _last_roll(match: Match) -> list[int]:
    game = match.game
    if game is None:
        return []
    roll = game.roll or (game.plies[-1].roll if game.plies else None)
    return [] if roll is None else sorted(roll)
