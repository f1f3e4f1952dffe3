"""`.mat`, the match text of Jellyfish that every program reads: written as gnubg 1.07 writes it, read more widely.

White is the player in the left column. The format has no field for clocks. An illegal play that stood is written as the
moves that were made where readers follow such moves, else in Snowie's form, `42: Illegal play (<the position>)`, which
gnubg reads too; so all later plays are intact. A header line says where it was.
"""

import re

from nardi.errors import InputError
from nardi.rules.catalogue import BACKGAMMON, RULESETS
from nardi.rules.color import ByColor, Color
from nardi.rules.notation.record import (
    Action,
    CubeDeed,
    CubeDone,
    GameRecord,
    MatchRecord,
    PlayDone,
    leads_to,
    steps_of,
)
from nardi.rules.notation.situation import SHOWN, Situation, proven
from nardi.rules.notation.words import laid, read_play, words_of
from nardi.rules.notation.xgid import situation_of_xgid, xgid
from nardi.rules.play import Step
from nardi.rules.position import BAR, OFF, Position
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset
from nardi.rules.score import Ending, Win
from nardi.text.message import Message

_LEFT = 28  # characters of the left column; the right one starts at the 34th of the line
_HEADER = re.compile(r'^;\s*\[(?P<key>[^"\]]+?)\s+"(?P<value>.*)"\]')
_LENGTH = re.compile(r"^\s*(\d{1,5})\s+point match", re.I)
_GAME = re.compile(r"^\s*Game\s+(\d+)", re.I)
_NAMES = re.compile(r"^\s*(.*?)\s*:\s*(\d{1,6})\s+(.*?)\s*:\s*(\d{1,6})\s*$")
_SET = re.compile(r"^; Set Pos=([A-Pa-p-]{26})/")
_ILLEGAL = re.compile(r"Illegal play \((.*?)\)", re.I)
_TURN = re.compile(r"^\s*\d+\)")
_CELL = re.compile(
    r"(?P<dice>[1-6]{2}):|(?P<double>(?:Re)?doubles?)(?:\s*=>\s*(?P<value>\d+))?|(?P<take>Takes?|Accepts?)|"
    r"(?P<beaver>Beavers?)(?:\s*=>\s*\d+)?|(?P<pass>Drops?|Passes)|"
    r"(?P<wins>Wins?\s+(?P<points>\d{1,6})\s+points?)|(?P<other>Resign\w*[^\n]*|Forfeits?|Lost on time)",
    re.I,
)


def write_mat(record: MatchRecord) -> str:
    """The match as text."""
    lines = [f'; [{key} "{_quoted(value)}"]' for key, value in _headers(record)]
    lines += ["", f" {record.length or 0} point match", ""]
    for number, game in enumerate(record.games, start=1):
        left = f" {_name(record.players.white)} : {_points(game.score.white)}"
        lines += [f" Game {number}", f"{left:<31} {_name(record.players.black)} : {_points(game.score.black)}"]
        if game.start is not None and game.start != record.ruleset.start:
            lines.append(f"; Set Pos={xgid(Situation(game.start))[5:31]}/0")  # eXtreme Gammon's way, gnubg reads it
        lines += _game_lines(game, record.ruleset)
        lines.append("")
    return "\n".join(lines) + "\n"


def _headers(record: MatchRecord) -> list[tuple[str, str]]:
    headers = [("Player 1", record.players.white), ("Player 2", record.players.black)]
    headers += [("Event", record.event)] if record.event else []
    headers += [("Site", record.site)] if record.site else []
    headers += [("EventDate", record.date.replace("-", "."))] if record.date else []
    if record.length:
        headers.append(("Crawford", "On" if record.ruleset.crawford else "Off"))
    else:
        headers.append(("Jacoby", "On" if record.ruleset.jacoby else "Off"))
    headers.append(("Ruleset", record.ruleset.name))
    for game, turn, play in record.illegal_plays:
        headers.append(("Illegal", f"game {game}, turn {turn}, {play.by.value}: {play.comment}".rstrip(": ")))
    return headers + list(record.comments)


def _quoted(text: str) -> str:
    return " ".join(text.replace('"', "'").split())


def _name(name: str) -> str:
    return " ".join(name.replace(":", " ").split()) or "?"


def _points(points: float) -> str:
    return str(int(points)) if points == int(points) else str(points)


def _game_lines(game: GameRecord, ruleset: Ruleset) -> list[str]:
    lines: list[str] = []
    left = ""
    number = 1
    for action in game.actions:
        cell = _cell(action, ruleset)
        if action.by is Color.WHITE:
            if left:  # the other's turn is missing: White plays twice running
                lines.append(f"{number:>3}) {left}".rstrip())
                number += 1
            left = cell or " "
        else:
            left = left if len(left) < _LEFT else f"{left} "
            lines.append(f"{number:>3}) {left:<{_LEFT}}{cell}".rstrip())
            number += 1
            left = ""
    if left:
        lines.append(f"{number:>3}) {left}".rstrip())
    if game.win is not None:
        indent = 34 if game.winner is Color.BLACK else 6
        lines.append(f"{' ' * indent}Wins {game.points} point{'' if game.points == 1 else 's'}")
    return lines


def _cell(action: Action, ruleset: Ruleset) -> str:
    if isinstance(action, CubeDone):
        match action.deed:
            case CubeDeed.DOUBLE:
                return f" Doubles => {action.value}"
            case CubeDeed.BEAVER:
                return f" Beavers => {action.value}"
            case CubeDeed.TAKE:
                return " Takes"
            case CubeDeed.PASS:
                return " Drops"
    steps = steps_of(action, ruleset)
    if not action.legal and (steps is None or not _followed(steps, action, ruleset)):
        return f"{action.roll.text}: Illegal play ({_snowie(action, ruleset)})"
    return f"{action.roll.text}: {moves_text(steps or ())}".rstrip()


def _followed(steps: tuple[Step, ...], done: PlayDone, ruleset: Ruleset) -> bool:
    """Whether gnubg, which tests steps one by one and not the play, comes to the same board by these steps."""
    if len(steps) > 4 or not leads_to(steps, done, ruleset):
        return False
    words = sorted(steps, key=lambda step: (-step.source, -step.target))
    closed = {ruleset.facing(point) for point in range(1, 25) if done.before.theirs[point] > 1}
    if any(step.pips > 6 or step.target in closed for step in words):
        return False
    if any(step.target == OFF and step.pips not in done.roll.numbers for step in words):
        return False
    if len(words) > 1:  # a first word that takes the whole roll is taken for the whole play
        numbers = done.roll.numbers
        return words[0].pips not in {sum(numbers[:count]) for count in range(2, len(numbers) + 1)}
    return True


def _snowie(done: PlayDone, ruleset: Ruleset) -> str:
    """The board after the play in Snowie's text form, the mover's numbers positive; the rest is not looked at."""
    points = [done.after.mine[point] or -done.after.theirs[ruleset.facing(point)] for point in range(1, 25)]
    board = [-done.after.theirs[BAR], *points, done.after.mine[BAR]]
    turn = "1" if done.by is Color.WHITE else "0"  # gnubg: whether the board is to be turned round
    head = ["0", "0", "0", "0", turn, "a", "b", "0", "0", "0", "1", "0"]
    fields = [*head, *map(str, board), str(done.roll.a), str(done.roll.b)]
    return ";".join(fields) + ";"


def _board_of_snowie(text: str, ruleset: Ruleset) -> Position:
    """The mover's board of Snowie's text form. Raises InputError."""
    fields = text.split(";")
    try:
        board = [int(field) for field in fields[12:38]]
    except ValueError:
        board = []
    if len(board) != 26:
        raise InputError(Message.of("notation.bad_word", text=text, word=text))
    bars = (board[0], board[25])  # the sign tells whose
    mine = [0, *(max(0, count) for count in board[1:25]), max(0, *bars)]
    theirs = [0, *(max(0, -board[ruleset.facing(point)]) for point in range(1, 25)), -min(0, *bars)]
    return proven("Snowie", mine, theirs, ruleset)


def moves_text(steps: tuple[Step, ...]) -> str:
    """Each number apart, as gnubg writes them: `24/18 18/13*`, the bar 25, off 0."""
    words = [f"{step.source}/{step.target}{'*' if step.hits else ''}" for step in steps]
    return " ".join(words)


class _Reading:
    """A game being read: the board, whose side is first, and what was done."""

    def __init__(self, score: ByColor[float], crawford: bool, ruleset: Ruleset) -> None:
        self.score = score
        self.crawford = crawford
        self.ruleset = ruleset
        self.board = ruleset.start  # White's side first
        self.start: Position | None = None
        self.cube = 1
        self.actions: list[Action] = []
        self.winner: Color | None = None
        self.points: int | None = None
        self.ending: Ending | None = None

    def begin_at(self, board: Position) -> None:
        """Another start than the ruleset's, White's side first."""
        self.start = self.board = board

    def first_turn(self, by: Color) -> bool:
        return not any(isinstance(action, PlayDone) and action.by is by for action in self.actions)

    def play(self, by: Color, roll: Roll, text: str) -> None:
        before = self.board if by is Color.WHITE else self.board.flipped
        first_turn = self.first_turn(by)
        legal = True
        if illegal := _ILLEGAL.search(text):
            after = _board_of_snowie(illegal[1], self.ruleset)
            self.actions.append(PlayDone(by, roll, before, after, False, first_turn))
            self.board = after if by is Color.WHITE else after.flipped
            return
        if set(text.strip()) <= {"?"}:
            text = ""
        try:
            after = read_play(text, before, roll, self.ruleset, first_turn).after
        except InputError:
            after = laid(before, words_of(text), self.ruleset, text.strip())  # it stood, though no play of the rules
            legal = False
        self.actions.append(PlayDone(by, roll, before, after, legal, first_turn))
        self.board = after if by is Color.WHITE else after.flipped

    def cube_done(self, by: Color, deed: CubeDeed, value: int | None) -> None:
        if deed in (CubeDeed.DOUBLE, CubeDeed.BEAVER):
            self.cube = value or self.cube * 2
        self.actions.append(CubeDone(by, deed, self.cube))

    def finished(self) -> GameRecord:
        win = ending = None
        points = self.points
        last = self.actions[-1] if self.actions else None
        if points is not None:
            taken = self._cube_taken()
            if points == 0:
                win, ending = Win.DRAW, Ending.DRAWN
                self.winner = None
            elif isinstance(last, CubeDone) and last.deed is CubeDeed.PASS:
                win, ending = Win.SINGLE, Ending.PASSED
            else:
                win = Win(min(3, max(1, points // taken)))
                done = self.board if self.winner is Color.WHITE else self.board.flipped
                ending = self.ending or (Ending.BORNE_OFF if done.all_off else Ending.RESIGNED)
        return GameRecord(
            self.score, tuple(self.actions), self.crawford, self.winner, win, ending, points or 0, self.start
        )

    def _cube_taken(self) -> int:
        """The cube the game was played to its end with."""
        value = 1
        offered = 1
        for action in self.actions:
            if isinstance(action, CubeDone):
                if action.deed in (CubeDeed.DOUBLE, CubeDeed.BEAVER):
                    value = offered if action.deed is CubeDeed.BEAVER else value
                    offered = action.value
                elif action.deed is CubeDeed.TAKE:
                    value = offered
        return value


def read_mat(text: str, file: str = "") -> MatchRecord:
    """The match of a `.mat` text. Raises InputError with file, line and reason of every line it cannot read.

    A play that the rules forbid is kept as it stands there (`legal` False); later plays follow from its board.
    """
    headers: dict[str, str] = {}
    length: int | None = None
    found_length = False
    players: ByColor[str] | None = None
    games: list[_Reading] = []
    faults: list[Message] = []
    awaiting_names = False

    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        header = _HEADER.match(line)
        if header:
            headers[header["key"]] = header["value"]
        elif games and (placed := _SET.match(line)):
            try:
                games[-1].begin_at(situation_of_xgid(f"{placed[1]}:0:0:1:00").position)
            except InputError as error:
                faults += error.located(file, number)
        elif not line.strip() or line.lstrip().startswith(";"):
            continue
        elif not found_length and (match := _LENGTH.match(line)):
            found_length = True
            length = int(match[1]) or None
        elif _GAME.match(line):
            awaiting_names = True
        elif awaiting_names and (names := _NAMES.match(line)):
            awaiting_names = False
            players = players or ByColor(names[1], names[3])
            score: ByColor[float] = ByColor(int(names[2]), int(names[4]))
            ruleset = RULESETS.get(headers.get("Ruleset", ""), BACKGAMMON)
            games.append(_Reading(score, _is_crawford(score, length, games, headers), ruleset))
        elif games and (_TURN.match(line) or _CELL.search(line)):
            try:
                _read_line(line, games[-1])
            except InputError as error:
                faults += error.located(file, number)
        else:
            faults.append(Message.of("notation.mat_line", file=file, line=number, text=line.strip()[:SHOWN]))
    if not found_length or players is None:
        faults.append(Message.of("notation.not_mat", file=file))
    if faults or players is None:
        raise InputError(*faults)
    date = headers.get("EventDate", headers.get("Date", "")).replace(".", "-")
    return MatchRecord(
        ByColor(headers.get("Player 1", players.white), headers.get("Player 2", players.black)),
        length,
        RULESETS.get(headers.get("Ruleset", ""), BACKGAMMON),
        tuple(game.finished() for game in games),
        date=date,
        event=headers.get("Event", ""),
        site=headers.get("Site", ""),
    )


def _is_crawford(score: ByColor[float], length: int | None, games: list[_Reading], headers: dict[str, str]) -> bool:
    if not length or length == 1 or headers.get("Crawford", "On").lower() == "off":
        return False
    reached = max(score) == length - 1
    return reached and not any(game.crawford for game in games)


def _read_line(line: str, game: _Reading) -> None:
    numbered = _TURN.match(line)
    start = numbered.end() if numbered else 0
    cells = list(_CELL.finditer(line, start))
    # What stands before the first cell belongs to none: dice such as 47, of which no side may silently lose its turn.
    unread = line[start : cells[0].start() if cells else len(line)].strip()
    if numbered and unread:
        raise InputError(Message.of("notation.bad_word", text=line.strip()[:SHOWN], word=unread[:SHOWN]))
    spoken = [cell for cell in cells if not cell["wins"] and not cell["other"]]
    for index, cell in enumerate(cells):
        end = cells[index + 1].start() if index + 1 < len(cells) else len(line)
        if len(spoken) > 1:
            by = Color.WHITE if cell is spoken[0] else Color.BLACK
        else:
            by = Color.WHITE if cell.start() < 25 else Color.BLACK
        if cell["wins"]:
            game.winner = Color.WHITE if cell.start() < 25 else Color.BLACK
            if numbered and spoken:
                last = game.actions[-1].by
                game.winner = last if not _is_pass(game.actions[-1]) else last.other
            game.points = int(cell["points"])
        elif cell["other"]:
            game.ending = Ending.TIME if "time" in cell[0].lower() else Ending.RESIGNED
        elif cell["dice"]:
            game.play(by, Roll.from_text(cell["dice"]), line[cell.end() : end])
        elif cell["double"]:
            game.cube_done(by, CubeDeed.DOUBLE, _cube_value(cell, line))
        elif cell["take"]:
            game.cube_done(by, CubeDeed.TAKE, None)
        elif cell["beaver"]:
            game.cube_done(by, CubeDeed.BEAVER, None)
        else:
            game.cube_done(by, CubeDeed.PASS, None)


def _cube_value(cell: re.Match[str], line: str) -> int | None:
    """What the cube is said to show, where it is said. Raises InputError."""
    value = cell["value"]
    if value is not None and not (value.isascii() and len(value) <= 6 and int(value)):
        raise InputError(Message.of("notation.bad_word", text=line.strip()[:SHOWN], word=value[:SHOWN]))
    return int(value) if value else None


def _is_pass(action: Action) -> bool:
    return isinstance(action, CubeDone) and action.deed is CubeDeed.PASS


def position_after(game: GameRecord, ruleset: Ruleset) -> Position:
    """The board at the end of a game, White's side first."""
    for action in reversed(game.actions):
        if isinstance(action, PlayDone):
            return action.after if action.by is Color.WHITE else action.after.flipped
    return game.start or ruleset.start
