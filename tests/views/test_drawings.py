"""Diagrams, the picture of the table, the terminal and the page of a match: the same board in each."""

import io
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from rich.console import Console

from nardi.errors import InputError
from nardi.game.board import Board
from nardi.game.seating import Seating
from nardi.rules import ByColor, Color, LegalPlays, Position, Roll, find_ruleset
from nardi.rules.cube import Cube
from nardi.rules.notation.record import CubeDeed, CubeDone, GameRecord, MatchRecord, PlayDone
from nardi.rules.score import Ending, Win
from nardi.text.catalogue import languages
from nardi.views.board_drawing import CHECKER, Table, draw_table, is_low, point_x, tray_of
from nardi.views.diagram import diagram, match_diagram, standing_board, table_of
from nardi.views.gallery import exhibits
from nardi.views.match_page import match_page
from nardi.views.scene import scene
from nardi.views.shapes import Circle, Label, Rectangle, picture, svg
from nardi.views.table_picture import SIZE, table_picture
from nardi.views.terminal import braille, render

EXHIBITS = {exhibit.name: exhibit for exhibit in exhibits()}
BACKGAMMON = find_ruleset("backgammon")
LONG = find_ruleset("long-classic")
NAMESPACE = "{http://www.w3.org/2000/svg}"


def checkers(table: Table) -> dict[tuple[int, str], int]:
    """How many full checkers are drawn on White's point, by point and face colour."""
    found: dict[tuple[int, str], int] = {}
    for shape in draw_table(table).shapes:
        if isinstance(shape, Circle) and shape.radius > CHECKER * 0.9:
            low = shape.y > 250
            point = next(p for p in range(1, 25) if abs(point_x(p) - shape.x) < 1 and is_low(p) == low)
            found[point, shape.fill] = found.get((point, shape.fill), 0) + 1
    return found


def test_every_checker_is_drawn_on_its_point() -> None:
    board = Board.of(BACKGAMMON.start, Color.WHITE, BACKGAMMON)
    drawn = checkers(Table(board, BACKGAMMON))
    for point, (color, count) in enumerate(board.points, start=1):
        if color is not None:
            face = "#fdf9ee" if color is Color.WHITE else "#2a2a31"
            assert drawn[point, face] == count
    assert sum(drawn.values()) == 30


def test_tall_stacks_say_their_number() -> None:
    shapes = draw_table(Table(Board.of(LONG.start, Color.WHITE, LONG), LONG)).shapes
    assert [shape.text for shape in shapes if isinstance(shape, Label) and shape.bold] == ["15", "15"]


def test_points_are_numbered_from_the_movers_side() -> None:
    """CASES 10."""
    for mover, ruleset, first in (
        (Color.WHITE, BACKGAMMON, "1"),
        (Color.BLACK, BACKGAMMON, "24"),
        (Color.BLACK, LONG, "13"),
    ):
        board = Board.of(ruleset.start, mover, ruleset)
        labels = [s for s in draw_table(Table(board, ruleset, mover)).shapes if isinstance(s, Label) and s.size == 13]
        at_white_ace = min((s for s in labels if s.y > 250), key=lambda s: abs(s.x - point_x(1)))
        assert at_white_ace.text == first
        assert {label.text for label in labels} == {str(number) for number in range(1, 25)}


def test_borne_off_checkers_lie_in_the_tray_beside_their_home() -> None:
    assert tray_of(Color.WHITE, BACKGAMMON)[0] == tray_of(Color.BLACK, BACKGAMMON)[0]
    assert tray_of(Color.BLACK, LONG)[0] < tray_of(Color.WHITE, LONG)[0]
    position = Position.from_text("c1110000000000000000000000/0a000000000000000000000005", BACKGAMMON)
    shapes = draw_table(Table(Board.of(position, Color.WHITE, BACKGAMMON), BACKGAMMON)).shapes
    assert sum(isinstance(s, Rectangle) and s.height == 9.5 and s.fill == "#fdf9ee" for s in shapes) == 12
    # Five of Black's on the bar: three drawn, the number on the last.
    assert [s.text for s in shapes if isinstance(s, Label) and s.size == 17] == ["10", "5"]


@pytest.mark.parametrize(
    ("cube", "text"), [(Cube(), "64"), (Cube(8, Color.WHITE), "8"), (Cube(2, Color.BLACK, offered_by=Color.BLACK), "4")]
)
def test_the_cube_shows_its_value_and_place(cube: Cube, text: str) -> None:
    board = Board.of(BACKGAMMON.start, Color.WHITE, BACKGAMMON)
    labels = [s for s in draw_table(Table(board, BACKGAMMON, cube=cube)).shapes if isinstance(s, Label) and s.bold]
    assert [label.text for label in labels] == [text]
    middle = draw_table(Table(board, BACKGAMMON, lights=((0, 0, 0),) * 27)).height / 2
    if cube.offered_by is None and cube.owner is Color.WHITE:
        assert labels[0].y > middle
    # CASES 18: an owned cube never looks like a centred one.
    if cube == Cube():
        assert abs(labels[0].y - middle) < 1


def test_a_diagram_is_wellformed_svg_with_a_name() -> None:
    root = ElementTree.fromstring(
        diagram(BACKGAMMON.start, Color.BLACK, BACKGAMMON, dice=(6, 1), title="6-1 & <start>")
    )
    assert root.tag == f"{NAMESPACE}svg"
    assert root.get("aria-label") == "6-1 & <start>"
    assert len(root.findall(f"{NAMESPACE}polygon")) == 24


def test_without_lights_the_rails_are_left_out() -> None:
    match = EXHIBITS["to_play_legal"].match
    lit = scene(match, now_ms=0).lights
    dark, bright = match_diagram(match), match_diagram(match, lights=lit)
    assert bright.count("<circle") > dark.count("<circle")
    box = re.search(r'viewBox="0 (\S+) \S+ (\S+)"', dark)
    whole = re.search(r'viewBox="0 (\S+) \S+ (\S+)"', bright)
    assert box is not None
    assert whole is not None
    assert float(box[1]) > 0
    assert float(box[2]) < float(whole[2])


@pytest.mark.parametrize("corner", range(4))
def test_lights_are_drawn_where_board_toml_puts_them(corner: int) -> None:
    board = Board.of(BACKGAMMON.start, Color.WHITE, BACKGAMMON)

    def drawn(index: int) -> tuple[float, float]:
        """Where the one lit light is drawn, x and y."""
        lights = tuple((200, 0, 0) if light == index else (0, 0, 0) for light in range(27))
        drawing = draw_table(Table(board, BACKGAMMON, lights=lights, ace_corner=corner))
        (spot,) = {(shape.x, shape.y) for shape in drawing.shapes if isinstance(shape, Circle) and shape.radius == 11.5}
        assert 0 < spot[0] < drawing.width
        return spot

    for point in range(1, 25):
        x, y = drawn(point - 1)
        assert x == pytest.approx(point_x(point))
        assert (y > 250) == is_low(point)
    # The bar's light lies on the far rail, the trays' at the right ends: White sits near for corners 2 and 3, and has
    # the home, which is drawn at the right, at that end for corners 1 and 2.
    (bar_x, bar_y), (white_x, white_y), (black_x, black_y) = drawn(24), drawn(25), drawn(26)
    assert point_x(7) < bar_x < point_x(6)
    assert (bar_y > 250) == (corner in (0, 1))
    assert white_x == black_x
    assert white_x > point_x(1) if corner in (1, 2) else white_x < point_x(12)
    assert white_y > 250 > black_y


def test_the_terminal_has_the_lights_where_the_drawing_has_them() -> None:
    match = EXHIBITS["to_play"].match
    lit = replace(scene(match, now_ms=0), lights=((0, 0, 0),) * 24 + ((200, 0, 0), (0, 200, 0), (0, 0, 200)))
    for corner in range(4):
        turned = replace(match, seating=Seating("light", corner))
        console = Console(width=100, file=io.StringIO(), record=True, force_terminal=True)
        console.print(render(turned, lit, "en"))
        lines = [line[:66] for line in console.export_text().splitlines()]
        far, near = (line for line in lines if line.count("●") >= 12)
        # Fourteen lights on the bar's rail, thirteen on the other.
        assert (far.count("●"), near.count("●")) == ((14, 13) if corner in (2, 3) else (13, 14))
        assert (far.index("●") < 7) == (corner in (0, 3))


def test_svg_and_pixels_are_of_the_same_shapes() -> None:
    drawing = draw_table(table_of(EXHIBITS["to_play"].match))
    image = picture(drawing, 1.0)
    assert image.size == (round(drawing.width), round(drawing.height))
    # The middle of a white checker on the 6 point, and of the surface beside it.
    x, y = round(point_x(6)), round(drawing.height - 20 - 10)
    assert image.getpixel((x, y - 9)) == (253, 249, 238)
    assert svg(drawing).count("\n") == len(drawing.shapes) + 1


def test_the_board_stands_as_the_checkers_lie() -> None:
    played = EXHIBITS["played"].match
    assert played.game is not None
    assert played.game.provisional is not None
    assert standing_board(played) == Board.of(played.game.provisional.after, Color.WHITE, BACKGAMMON)
    lost = EXHIBITS["lost"].match
    board = standing_board(lost)
    assert board.points[4] == (Color.WHITE, 3)
    assert board.bar.black == 1


def test_no_game_no_board() -> None:
    with pytest.raises(ValueError, match="no game"):
        table_of(EXHIBITS["welcome"].match)


@pytest.mark.parametrize("name", ["illegal", "match_over_25"])
def test_the_table_picture_has_its_size(name: str) -> None:
    exhibit = EXHIBITS[name]
    match = replace(exhibit.match, players=ByColor("A very long name that does not fit at all " * 2, "B"))
    caption = "A long caption that says what was ruled and why, in a few lines at most. " * 3
    image = table_picture(match, scene(exhibit.match, now_ms=0), caption=caption)
    assert image.size == SIZE


@pytest.mark.parametrize("language", languages())
def test_the_terminal_shows_everything_in_100_by_35(language: str) -> None:
    for exhibit in exhibits():
        console = Console(width=100, height=35, file=io.StringIO(), record=True, force_terminal=True)
        shown = scene(exhibit.match, now_ms=exhibit.now_ms, language=language)
        console.print(render(exhibit.match, shown, language, caption="Anahit: 24/19 13/10."))
        lines = console.export_text().splitlines()
        assert len(lines) <= 35, exhibit.name
        assert max(map(len, lines)) <= 100, exhibit.name


def test_the_terminal_draws_every_checker() -> None:
    match = EXHIBITS["long_to_play"].match
    console = Console(width=100, file=io.StringIO(), record=True, force_terminal=True)
    console.print(render(match, scene(match, now_ms=0), "en"))
    text = console.export_text()
    assert text.count("15") >= 2
    start = replace(EXHIBITS["opening"].match)
    console.print(render(start, scene(start, now_ms=0), "en"))
    assert console.export_text().count("▇▇") == 30


def test_braille_is_dot_for_dot() -> None:
    image = Image.new("1", (4, 8), 0)
    for x, y in ((0, 0), (1, 3), (2, 4), (3, 7)):
        image.putpixel((x, y), 1)
    assert braille(image).plain == "⢁⠀\n⠀⢁"


# --- the page of a match ---------------------------------------------------------------------------------------------


def record() -> MatchRecord:
    start = BACKGAMMON.start
    play = next(play for play in LegalPlays(start, Roll(3, 1), BACKGAMMON) if play.notation == "8/5 6/5")
    answer = play.after.flipped
    wrong = Position(
        tuple(count + (place == 23) - (place == 24) for place, count in enumerate(answer.mine)), answer.theirs
    )
    actions = (
        PlayDone(Color.WHITE, Roll(3, 1), play.before, play.after, clocks_ms=ByColor(600_000, 600_000)),
        PlayDone(Color.BLACK, Roll(6, 4), answer, wrong, legal=False),
        CubeDone(Color.WHITE, CubeDeed.DOUBLE, 2),
        CubeDone(Color.BLACK, CubeDeed.PASS, 2),
    )
    game = GameRecord(ByColor(0, 0), actions, winner=Color.WHITE, win=Win.SINGLE, ending=Ending.PASSED, points=1)
    return MatchRecord(ByColor("<Ana>", "Jonas"), 7, BACKGAMMON, (game, GameRecord(ByColor(1, 0), ())))


class Outside(HTMLParser):
    """Collects whatever a page would load from elsewhere, and counts its parts."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.boards = self.steps = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.loads += [
            value for name, value in attrs if name in ("src", "href") and value and not value.startswith("#")
        ]
        self.boards += given.get("class") == "board"
        self.steps += (given.get("class") or "").startswith("step")


@pytest.mark.parametrize("language", languages())
def test_the_page_is_whole_in_itself(language: str) -> None:
    page = match_page(record(), language)
    outside = Outside()
    outside.feed(page)
    assert outside.loads == []
    # Two games: a start and an end each, two plays and two deeds of the cube.
    assert outside.boards == outside.steps == 8
    assert "<Ana>" not in page
    assert "&lt;Ana&gt;" in page
    assert f'lang="{language}"' in page


def test_the_page_names_the_illegal_play_and_the_clocks() -> None:
    page = match_page(record())
    assert "not legal, but it stood" in page
    assert "10:00 10:00" in page
    assert "&lt;Ana&gt; doubles to 2" in page


def test_the_page_of_no_language() -> None:
    with pytest.raises(InputError):
        match_page(record(), "zz")


@pytest.mark.slow
def test_the_page_steps_in_a_browser(tmp_path: Path) -> None:
    """Chromium runs the page's own script: only the board asked for is shown."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("chromium is not installed: sudo apt-get install chromium")
    file = tmp_path / "match.html"
    file.write_text(match_page(record()), encoding="utf-8")
    found = subprocess.run(
        [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
            f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", f"{file.as_uri()}#2",
        ],
        capture_output=True, text=True, timeout=120, check=True,
    ).stdout  # fmt: skip
    assert re.findall(r'<g class="board shown" id="b(\d+)"', found) == ["2"]
    assert 'aria-live="polite">64: 24/23 (not legal, but it stood)<' in found
