"""What the small screen says in each phase, already in words. `paint` turns it into 128x64 pixels.

Designed to be read from a metre: one thing large, few words, the same places for the same things. The title bar names
the player of whom something is wanted (filled for White, outlined for Black); the middle says or shows it; the foot
holds both clocks, or the score and the cube where no clock is used.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from nardi.game.clock import left_ms
from nardi.game.difference import Difference
from nardi.game.match import Game, Match, Phase, Teach
from nardi.rules.color import Color
from nardi.rules.cube import next_value
from nardi.rules.legal import LegalPlays
from nardi.rules.play import Play
from nardi.rules.position import BAR, OFF
from nardi.rules.score import Win
from nardi.text.catalogue import Catalogue, load
from nardi.text.message import Message, Parameter
from nardi.views.lights import addressed


class Layout(StrEnum):
    """How the 128x64 screen is divided; `paint` knows each."""

    DICE = "dice"  # two dice drawn large, the lines beneath or beside them
    LINES = "lines"  # the lines, as large as they go
    CUBE = "cube"  # a cube drawn large beside the lines
    SCORE = "score"  # two names, two numbers, the match length
    WRONG = "wrong"  # a warning sign, what is wrong, the way back


@dataclass(frozen=True, slots=True)
class Foot:
    """The bottom line: White's on the left, Black's on the right. `running`: whose clock runs; it is shown inverted."""

    white: str
    middle: str
    black: str
    running: Color | None = None


@dataclass(frozen=True, slots=True)
class Screen:
    """What the 128x64 picture says. `lines` are top to bottom; `language` en, hy, lt …

    `dice`: two values, 0 for a die not known (yet). `alert`: a fault that a person must know now; it takes the foot's
    place.
    """

    layout: Layout
    lines: tuple[str, ...]
    language: str
    title: str = ""
    side: Color | None = None
    dice: tuple[int, ...] = ()
    cube: int | None = None
    names: tuple[str, str] = ("", "")
    score: tuple[str, str] = ("", "")
    foot: Foot | None = None
    alert: str = ""


def screen(
    match: Match,
    *,
    now_ms: int,
    language: str,
    teach: Teach,
    advice: Play | None = None,
    remark: Message | None = None,
) -> Screen:
    """The screen of `match` at `now_ms`. `advice` and `remark` are shown where `teach` allows."""
    words = _Words(match, load(language))
    shown = _phase_screen(match, words, teach, advice, remark)
    alert = words.brief(match.faults[0]) if match.faults else ""
    # A wrong play or board needs the whole screen; the clocks come back as soon as it is mended.
    foot = None if shown.layout is Layout.WRONG else _foot(match, words, now_ms)
    return replace(shown, foot=foot, alert=alert)


@dataclass(frozen=True, slots=True)
class _Words:
    """The sentences of one language, about one match."""

    match: Match
    catalogue: Catalogue

    def say(self, id: str, **parameters: Parameter) -> str:
        return self.catalogue.text(id, **parameters)

    def brief(self, message: Message) -> str:
        """The message in its short form where the catalogue has one (`….short`)."""
        short = replace(message, id=f"{message.id}.short")
        return self.catalogue.say(short if self.catalogue.has(short.id) else message)

    def name(self, color: Color) -> str:
        """What to call a player: by name, else by colour."""
        return self.match.players[color] or self.catalogue.word(color)

    def number(self, value: float) -> str:
        """A score: whole, or with its half."""
        return f"{int(value)}" if value == int(value) else f"{value:g}".replace(".", self.catalogue.decimal)


def _phase_screen(match: Match, words: _Words, teach: Teach, advice: Play | None, remark: Message | None) -> Screen:
    language = words.catalogue.language
    game = match.game
    if game is None:
        return Screen(Layout.LINES, (words.say("screen.welcome"),), language)
    if match.paused:
        return Screen(Layout.LINES, (words.say("screen.paused"),), language)
    if match.lost:
        return _lost(match, game, words)
    asked = addressed(match)
    plain = Screen(
        Layout.LINES, (), language, title=words.name(asked) if asked is not None else "", side=asked, dice=_dice(match)
    )
    notice = (words.brief(match.notice),) if match.notice is not None else ()
    match match.phase:
        case Phase.SET_UP:
            return replace(plain, title="", side=None, lines=notice or (words.say("screen.set_up", game=game.number),))
        case Phase.OPENING:
            return replace(
                plain, layout=Layout.DICE, title="", side=None, lines=notice or (words.say("screen.opening"),)
            )
        case Phase.TO_ROLL | Phase.LAST_ROLL:
            last = game.last_roll or match.phase is Phase.LAST_ROLL
            wish = words.say("screen.last_roll" if last else "screen.roll")
            said = (words.brief(remark),) if remark is not None and teach is Teach.COACH else ()
            return replace(plain, lines=notice or said or (wish,))
        case Phase.ROLLING:
            return replace(plain, layout=Layout.DICE)
        case Phase.TO_PLAY:
            return replace(plain, layout=Layout.DICE, lines=notice or _to_play(match, game, words, teach, advice))
        case Phase.PLAYED:
            played = words.catalogue.play(game.provisional.notation) if game.provisional is not None else ""
            return replace(plain, layout=Layout.DICE, lines=(played or words.say("screen.no_play"),))
        case Phase.ILLEGAL:
            return replace(plain, layout=Layout.WRONG, lines=_illegal(game, words, teach))
        case Phase.CALLABLE:
            if game.must_correct:
                return replace(plain, layout=Layout.WRONG, lines=_illegal(game, words, teach))
            ask = words.say("screen.called" if game.called else "screen.callable")
            return replace(plain, layout=Layout.WRONG, lines=(_illegal(game, words, teach)[0], ask))
        case Phase.OFFERED:
            return replace(
                plain,
                layout=Layout.CUBE,
                cube=next_value(game.cube.value, match.ruleset),
                lines=(words.say("screen.offered"),),
            )
        case Phase.BEAVERED:
            return replace(
                plain,
                layout=Layout.CUBE,
                cube=next_value(game.cube.value, match.ruleset),
                lines=(words.say("screen.beavered"),),
            )
        case Phase.RESIGNING if game.resign is not None:
            resigner, win = game.resign
            return replace(plain, lines=(words.say("screen.resigning", name=words.name(resigner), win=win),))
        case Phase.GAME_OVER | Phase.MATCH_OVER:
            return _over(match, game, words)
        case _:
            return plain


def _to_play(match: Match, game: Game, words: _Words, teach: Teach, advice: Play | None) -> tuple[str, ...]:
    if game.turn is None or game.roll is None:
        return ()
    if not LegalPlays(game.position, game.roll, match.ruleset, first_turn=game.first_turn):
        return (words.say("screen.no_play"),)
    if advice is not None and teach in (Teach.HINT, Teach.COACH):
        return (words.catalogue.play(advice.notation),)
    return ()


def _illegal(game: Game, words: _Words, teach: Teach) -> tuple[str, ...]:
    """What is wrong, and the way: back for all, the nearest legal play only for learners."""
    if game.illegality is None:
        return (words.say("screen.illegal"), words.say("screen.take_back"))
    said = words.brief(game.illegality.message)
    nearest = game.illegality.nearest
    if teach is not Teach.OFF and nearest is not None and nearest.notation:
        return (said, f"→ {words.catalogue.play(nearest.notation)}")
    return (said, words.say("screen.take_back"))


def _lost(match: Match, game: Game, words: _Words) -> Screen:
    """The first place that differs, in words, and how many more there are."""
    setting_up = match.phase is Phase.SET_UP
    line = difference_text(match.lost[0], match, words.catalogue)
    more = len(match.lost) - 1
    lines = (line, words.say("screen.lost.more", count=more)) if more else (line,)
    title = words.say("screen.lost.set_up" if setting_up else "screen.lost.title")
    return Screen(Layout.LINES if setting_up else Layout.WRONG, lines, words.catalogue.language, title=title)


def difference_text(difference: Difference, match: Match, catalogue: Catalogue) -> str:
    """One difference in words, its point numbered from the side of the player on turn (White's while nobody is)."""
    side = match.game.turn if match.game is not None else None
    (expected, wanted), (seen, there) = difference.expected, difference.seen
    color = expected or seen or Color.WHITE
    if difference.point == BAR:
        place = catalogue.word("bar")
    elif difference.point == OFF:
        place = catalogue.word("off")
    else:
        place = str(difference.point if side is not Color.BLACK else match.ruleset.facing(difference.point))
    if wanted and there and expected is not seen:
        return catalogue.text("screen.lost.wrong_color", place=place, color=color, count=wanted)
    id = "screen.lost.missing" if wanted > there else "screen.lost.extra"
    return catalogue.text(id, place=place, color=color, count=abs(wanted - there))


def _over(match: Match, game: Game, words: _Words) -> Screen:
    outcome = game.outcome
    winner = match.winner if match.phase is Phase.MATCH_OVER else outcome.winner if outcome is not None else None
    if winner is None:
        line = words.say("screen.draw")
    elif match.phase is Phase.MATCH_OVER:
        line = words.say("screen.match_over", name=words.name(winner))
    else:
        win = WIN_WORDS[outcome.win] if outcome is not None else "single"
        line = words.say("screen.game_over", name=words.name(winner), win=win, points=game.points)
    return Screen(
        Layout.SCORE,
        (line,),
        words.catalogue.language,
        side=winner,
        names=(words.name(Color.WHITE), words.name(Color.BLACK)),
        score=shown_score(match, words.catalogue),
    )


WIN_WORDS = {Win.DRAW: "draw", Win.SINGLE: "single", Win.GAMMON: "gammon", Win.BACKGAMMON: "backgammon"}
"""The catalogue word of each win."""


def shown_score(match: Match, catalogue: Catalogue) -> tuple[str, str]:
    """Both scores, White's first, stopping at the match length (CASES 13)."""
    words = _Words(match, catalogue)
    white, black = (min(score, match.length) if match.length else score for score in match.score)
    return words.number(white), words.number(black)


def _dice(match: Match) -> tuple[int, ...]:
    """The two dice to draw: the roll, else what each die says so far, 0 where it is not known."""
    game = match.game
    if game is None:
        return ()
    if game.roll is not None:
        return game.roll.a, game.roll.b
    values = {die: value if state == "settled" else 0 for die, state, value in match.dice}
    if match.phase is Phase.OPENING:
        return values.get("w1", values.get("s1", 0)), values.get("b1", values.get("s2", 0))
    side = "w" if game.turn is Color.WHITE else "b"
    own = f"{side}1" in values
    return values.get(f"{side}1" if own else "s1", 0), values.get(f"{side}2" if own else "s2", 0)


def _foot(match: Match, words: _Words, now_ms: int) -> Foot | None:
    if match.game is None:
        return None
    white, black = shown_score(match, words.catalogue)
    cube = match.game.cube.value
    if match.clocks.rules is not None:
        running = None if match.clocks.paused or match.paused else match.clocks.running
        return Foot(
            clock_text(left_ms(match.clocks, Color.WHITE, now_ms)),
            f"{white}–{black}",
            clock_text(left_ms(match.clocks, Color.BLACK, now_ms)),
            running,
        )
    if match.phase in (Phase.GAME_OVER, Phase.MATCH_OVER):
        return None
    middle = words.say("screen.crawford") if match.game.crawford else f"×{cube}" if cube > 1 else ""
    if match.length and not middle:
        middle = words.say("screen.to", length=match.length)
    return Foot(white, middle, black)


def clock_text(ms: int) -> str:
    """`12:05`; hours as minutes, `95:00`. Rounded up, so that 0:00 means that nothing is left."""
    seconds = -(-ms // 1000)
    return f"{seconds // 60}:{seconds % 60:02d}"
