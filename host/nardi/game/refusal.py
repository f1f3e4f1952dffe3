"""Commands that cannot be carried out, and the checks of their arguments that say so."""

from nardi.game.observation import Command, party_color
from nardi.game.ruling import Ruling
from nardi.rules.color import Color
from nardi.rules.score import Win
from nardi.text.message import Message


class Refused(Exception):
    """Raised inside a handler: the command cannot be carried out, and why."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.id)
        self.message = message


def unless(refusal: Message | None) -> None:
    """Goes on unless the rules have something against it."""
    if refusal is not None:
        raise Refused(refusal)


def player(r: Ruling, command: Command, wanted: Color) -> Color:
    """The player a command speaks for, who must be `wanted`; the referee speaks for them."""
    color = party_color(command.by)
    if color is not None and color is not wanted:
        raise Refused(Message.of("umpire.refused.not_yours", verb=command.verb))
    return wanted


def on_turn(r: Ruling) -> Color:
    if r.game.turn is None:
        raise Refused(Message.of("umpire.refused.nobody_on_turn"))
    return r.game.turn


def color_named(text: str) -> Color:
    try:
        return Color(text)
    except ValueError:
        raise Refused(Message.of("umpire.refused.no_player", text=text)) from None


def win_named(text: str) -> Win:
    wins = {"single": Win.SINGLE, "gammon": Win.GAMMON, "backgammon": Win.BACKGAMMON}
    if text not in wins:
        raise Refused(Message.of("umpire.refused.no_win", text=text))
    return wins[text]


def number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 12):
        raise Refused(Message.of("umpire.refused.no_number", text=text))
    return int(text)
