"""A match as one HTML page: its boards turn by turn, to be stepped through. It needs nothing from outside itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from nardi.game.board import Board
from nardi.game.record import BOARD_SET
from nardi.rules.color import ByColor, Color
from nardi.rules.cube import Cube
from nardi.rules.notation.record import CubeDeed, CubeDone, GameRecord, MatchRecord, PlayDone, steps_of
from nardi.rules.play import Step, notation_of
from nardi.rules.position import Position
from nardi.rules.score import Win
from nardi.text.catalogue import Catalogue, load
from nardi.views.board_drawing import HEIGHT, RAIL, WIDTH, Table, ground, pieces
from nardi.views.screen import WIN_WORDS, clock_text
from nardi.views.shapes import elements


@dataclass(frozen=True, slots=True)
class _Moment:
    """One picture of the page: the table, and what happened just before it."""

    game: int
    words: str
    table: Table
    by: Color | None = None
    wrong: bool = False
    clocks_ms: ByColor[int] | None = None


def match_page(record: MatchRecord, language: str = "en") -> str:
    """The page in a language. Raises InputError for a language that there is not."""
    catalogue = load(language)
    moments = [
        moment
        for number, game in enumerate(record.games, start=1)
        for moment in _moments(number, game, record, catalogue)
    ]
    title = " – ".join(_name(record, color, catalogue) for color in Color)
    return _PAGE.format(
        language=language,
        title=escape(title),
        about=escape(_about(record, catalogue)),
        style=_STYLE,
        script=_SCRIPT,
        box=f"0 {RAIL:g} {WIDTH:g} {HEIGHT - 2 * RAIL:g}",
        grounds="\n".join(_ground(record, color) for color in Color),
        boards="\n".join(_board(index, moment) for index, moment in enumerate(moments)),
        list="\n".join(_list(record, moments, catalogue)),
        previous=escape(catalogue.text("page.previous")),
        next=escape(catalogue.text("page.next")),
        keys=escape(catalogue.text("page.keys")),
    )


def _name(record: MatchRecord, color: Color, catalogue: Catalogue) -> str:
    return record.players[color] or catalogue.word(color)


def _about(record: MatchRecord, catalogue: Catalogue) -> str:
    kind = catalogue.text("page.to", length=record.length) if record.length else catalogue.text("page.money")
    return " · ".join(part for part in (kind, record.ruleset.name, record.event, record.site, record.date) if part)


def _moments(number: int, game: GameRecord, record: MatchRecord, catalogue: Catalogue) -> Iterator[_Moment]:
    ruleset = record.ruleset
    cube, side = Cube(), Color.WHITE
    position: Position = game.start or ruleset.start

    def table(dice: tuple[int, ...] = ()) -> Table:
        return Table(Board.of(position, side, ruleset), ruleset, side, cube, dice, side if dice else None)

    yield _Moment(number, catalogue.text("page.start"), table())
    for action in game.actions:
        name = _name(record, action.by, catalogue)
        match action:
            case PlayDone():
                position, side = action.after, action.by
                played = _played(steps_of(action, ruleset), catalogue)
                words = f"{action.roll.text}: {played}"
                if not action.legal:
                    said = "page.board_set" if action.comment == BOARD_SET else "page.illegal"
                    words = f"{words} ({catalogue.text(said)})"
                dice = (action.roll.a, action.roll.b)
                yield _Moment(number, words, table(dice), action.by, not action.legal, action.clocks_ms)
            case CubeDone():
                cube = _cube_after(cube, action)
                words = catalogue.text(f"page.{action.deed.value}", name=name, value=action.value)
                yield _Moment(number, words, table(), action.by, clocks_ms=action.clocks_ms)
    yield _Moment(number, _ending(game, record, catalogue), table(), game.winner)


def _played(steps: tuple[Step, ...] | None, catalogue: Catalogue) -> str:
    """The steps in words; where no steps lead to what stood on the board, only that."""
    if steps is None:
        return "…"
    return catalogue.play(notation_of(steps)) if steps else catalogue.text("page.no_play")


def _cube_after(cube: Cube, action: CubeDone) -> Cube:
    match action.deed:
        case CubeDeed.DOUBLE:
            return Cube(cube.value, cube.owner, offered_by=action.by)
        case CubeDeed.TAKE:
            return Cube(action.value, action.by)
        case CubeDeed.BEAVER:
            return Cube(action.value, action.by, offered_by=None)
        case CubeDeed.PASS:
            return Cube(cube.value, cube.owner)


def _ending(game: GameRecord, record: MatchRecord, catalogue: Catalogue) -> str:
    if game.win is None:
        return catalogue.text("page.unfinished")
    if game.winner is None or game.win is Win.DRAW:
        return catalogue.text("page.drawn")
    name = _name(record, game.winner, catalogue)
    return catalogue.text("page.won", name=name, win=WIN_WORDS[game.win], points=game.points)


def _ground(record: MatchRecord, numbering: Color) -> str:
    """The board without checkers, numbered from one side; every picture of the page uses one of the two."""
    board = Board.of(record.ruleset.start, Color.WHITE, record.ruleset)
    return f'<g id="{numbering.value}">\n{elements(ground(Table(board, record.ruleset, numbering)))}\n</g>'


def _board(index: int, moment: _Moment) -> str:
    under = f'<use href="#{moment.table.numbering.value}"/>'
    return f'<g class="board" id="b{index}">{under}\n{elements(pieces(moment.table))}\n</g>'


def _list(record: MatchRecord, moments: list[_Moment], catalogue: Catalogue) -> Iterator[str]:
    number = 0
    for index, moment in enumerate(moments):
        if moment.game != number:
            number = moment.game
            score = "–".join(f"{points:g}" for points in record.games[number - 1].score)
            yield f"<h2>{escape(catalogue.text('page.game', number=number))} · {score}</h2>"
        side = f" {moment.by.value}" if moment.by is not None else ""
        wrong = " wrong" if moment.wrong else ""
        clocks = ""
        if moment.clocks_ms is not None:
            clocks = f'<span class="clocks">{" ".join(clock_text(ms) for ms in moment.clocks_ms)}</span>'
        yield f'<button class="step{side}{wrong}" data-to="{index}">{escape(moment.words)}{clocks}</button>'


_PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
<noscript><style>.board {{ display: inline }}</style></noscript>
</head>
<body>
<header><h1>{title}</h1><p>{about}</p></header>
<main>
<section>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" aria-label="{title}"
 font-family="DejaVu Sans, Noto Sans, Noto Sans Armenian, sans-serif">
<defs>
{grounds}
</defs>
{boards}
</svg>
<p id="said" aria-live="polite"></p>
<nav><button id="previous">◀ {previous}</button><button id="next">{next} ▶</button><span>{keys}</span></nav>
</section>
<aside>
{list}
</aside>
</main>
<script>{script}</script>
</body>
</html>
"""

_STYLE = """
:root { color-scheme: light dark; --ink: #22262d; --paper: #f6f4ef; --line: #d6d0c4; --mark: #1c5fd4 }
@media (prefers-color-scheme: dark) { :root { --ink: #e9ebef; --paper: #1d2026; --line: #3a3f49; --mark: #6ea0ff } }
* { box-sizing: border-box }
body { margin: 0; padding: 1rem 1.5rem; background: var(--paper); color: var(--ink);
  font: 16px/1.4 "DejaVu Sans", "Noto Sans", "Noto Sans Armenian", sans-serif }
h1 { font-size: 1.5rem; margin: 0 } header p { margin: .2rem 0 1rem; opacity: .75 }
main { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start }
section { flex: 1 1 34rem; max-width: 62rem; position: sticky; top: 1rem }
svg { width: 100%; height: auto; display: block }
.board { display: none } .board.shown { display: inline }
#said { font-size: 1.2rem; min-height: 1.6em; margin: .6rem 0 }
nav { display: flex; gap: .6rem; align-items: center; flex-wrap: wrap } nav span { opacity: .7; font-size: .85rem }
button { font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: .4rem;
  padding: .35rem .8rem; cursor: pointer }
button:focus-visible { outline: 2px solid var(--mark) }
aside { flex: 1 1 17rem; max-width: 30rem; max-height: 92vh; overflow: auto; border-left: 1px solid var(--line);
  padding-left: 1rem }
h2 { font-size: 1rem; margin: 1rem 0 .3rem }
.step { display: flex; width: 100%; border: 0; text-align: left; padding: .2rem .5rem; gap: .5rem }
.step::before { content: ""; flex: none; width: .8rem; height: .8rem; margin-top: .3rem; border-radius: 50% }
.step.white::before { background: #fdf9ee; border: 1px solid #8a7a5e } .step.black::before { background: #2a2a31;
  border: 1px solid #8d8d99 }
.step.wrong { color: #c92a2a } .step.now { background: var(--mark); color: #fff }
.clocks { margin-left: auto; opacity: .6; font-variant-numeric: tabular-nums }
@media (max-width: 50rem) { section { position: static } aside { border: 0; padding: 0; max-height: none } }
"""

_SCRIPT = """
const boards = [...document.querySelectorAll('.board')], steps = [...document.querySelectorAll('.step')];
const said = document.getElementById('said');
let at = 0;
function show(index) {
  at = Math.max(0, Math.min(boards.length - 1, index));
  boards.forEach((board, number) => board.classList.toggle('shown', number === at));
  steps.forEach((step, number) => step.classList.toggle('now', number === at));
  if (steps[at]) { said.textContent = steps[at].firstChild.textContent; steps[at].scrollIntoView({block: 'nearest'}); }
  history.replaceState(null, '', '#' + at);
}
steps.forEach((step, number) => step.addEventListener('click', () => show(number)));
document.getElementById('previous').addEventListener('click', () => show(at - 1));
document.getElementById('next').addEventListener('click', () => show(at + 1));
document.addEventListener('keydown', event => {
  const by = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1}[event.key];
  if (by) { event.preventDefault(); show(at + by); }
  if (event.key === 'Home') show(0);
  if (event.key === 'End') show(boards.length - 1);
});
show(Number(location.hash.slice(1)) || 0);
"""
