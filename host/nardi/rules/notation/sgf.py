"""SGF for backgammon (GM[6]) as gnubg reads it: one game tree a game, both clocks in BL and WL, comments in C.

Points are the letters a-x for White's 1-24, for both colours; y is the bar, z is off; a hit has no mark. An illegal
play that stood is written with the property KO ("execute it though it is illegal"). Where its moves alone would not
lead to the board that stood, a node that sets up that board follows.
"""

import re
from collections.abc import Iterator

from nardi.errors import InputError
from nardi.rules.catalogue import BACKGAMMON, RULESETS
from nardi.rules.color import ByColor, Color
from nardi.rules.cube import next_value
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
from nardi.rules.position import BAR, OFF, Position
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset
from nardi.rules.score import Ending, Win
from nardi.text.message import Message

_LETTERS = "zabcdefghijklmnopqrstuvwxy"  # off, White's 1-24, the bar
_WHO = {Color.WHITE: "W", Color.BLACK: "B"}
_DEEDS = {CubeDeed.DOUBLE: "double", CubeDeed.BEAVER: "double", CubeDeed.TAKE: "take", CubeDeed.PASS: "drop"}
_ENDINGS = {Ending.RESIGNED: "R", Ending.TIME: "T", Ending.FORFEITED: "F"}

Node = dict[str, list[str]]


def write_sgf(record: MatchRecord) -> str:
    """The match as a collection of game trees."""
    return "\n".join(_game_text(record, number, game) for number, game in enumerate(record.games)) + "\n"


def _game_text(record: MatchRecord, number: int, game: GameRecord) -> str:
    ruleset = record.ruleset
    white, black = (f"{score:g}" for score in game.score)
    root = [
        "FF[4]GM[6]CA[UTF-8]AP[Nardi]",
        f"MI[length:{record.length or 0}][game:{number}][ws:{white}][bs:{black}]",
        f"PW[{_escaped(record.players.white)}]PB[{_escaped(record.players.black)}]",
    ]
    root += [f"{key}[{_escaped(text)}]" for key, text in (("DT", record.date), ("EV", record.event)) if text]
    root += [f"PC[{_escaped(record.site)}]"] if record.site else []
    if record.length and ruleset.crawford:
        root.append("RU[Crawford:CrawfordGame]" if game.crawford else "RU[Crawford]")
    elif not record.length and ruleset.jacoby:
        root.append("RU[Jacoby]")
    if game.win is not None:
        root.append(f"RE[{_result(game)}]")
    comments = [f"Ruleset: {ruleset.name}", *(f"{name}: {text}" for name, text in record.comments)]
    root.append(f"C[{_escaped(chr(10).join(comments))}]")
    nodes = ["".join(root)]
    if game.start is not None and game.start != ruleset.start:
        nodes.append(_setup(game.start, ruleset))
    for action in game.actions:
        nodes += _nodes(action, ruleset)
    return "(;" + "\n;".join(nodes) + ")"


def _result(game: GameRecord) -> str:
    if game.winner is None:
        return "0"
    return f"{_WHO[game.winner]}+{game.points}{_ENDINGS.get(game.ending, '') if game.ending else ''}"


def _nodes(action: Action, ruleset: Ruleset) -> list[str]:
    who = _WHO[action.by]
    extra = ""
    if action.clocks_ms is not None:
        extra = "".join(
            f"{key}[{ms / 1000:.3f}]" for key, ms in (("WL", action.clocks_ms.white), ("BL", action.clocks_ms.black))
        )
    extra += f"C[{_escaped(action.comment)}]" if action.comment else ""
    if isinstance(action, CubeDone):
        return [f"{who}[{_DEEDS[action.deed]}]{extra}"]
    steps = steps_of(action, ruleset)
    moves = "".join(
        _letter(step.source, action.by, ruleset) + _letter(step.target, action.by, ruleset) for step in steps or ()
    )
    nodes = [f"{who}[{action.roll.text}{moves}]{'' if action.legal else 'KO[]'}{extra}"]
    if not leads_to(steps or (), action, ruleset):
        stood = action.after if action.by is Color.WHITE else action.after.flipped
        nodes.append(f"{_setup(stood, ruleset)}PL[{_WHO[action.by.other]}]")
    return nodes


def _amount(text: str, file: str) -> float:
    """A number of points or seconds. Raises InputError."""
    if not re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", text.strip(), re.ASCII):
        raise InputError(Message.of("notation.not_sgf", file=file, reason=text))
    return float(text)


def _letter(place: int, by: Color, ruleset: Ruleset) -> str:
    if by is Color.WHITE or place in (OFF, BAR):
        return _LETTERS[place]
    return _LETTERS[ruleset.facing(place)]


def _setup(board: Position, ruleset: Ruleset) -> str:
    """The properties that clear the board and put `board` (White's side first) on it."""
    white = "".join(f"[{_LETTERS[place]}]" * board.mine[place] for place in range(1, 26))
    black = "".join(f"[{_letter(place, Color.BLACK, ruleset)}]" * board.theirs[place] for place in range(1, 26))
    return f"AE[a:y]{'AW' + white if white else ''}{'AB' + black if black else ''}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def read_sgf(text: str, file: str = "") -> MatchRecord:
    """The match of an SGF collection, main lines only. Raises InputError naming the game and what is wrong."""
    trees = list(_trees(text, file))
    if not trees:
        raise InputError(Message.of("notation.not_sgf", file=file, reason="(;"))
    first = trees[0][0]
    if first.get("GM", ["6"])[0] != "6":
        raise InputError(Message.of("notation.not_sgf", file=file, reason=f"GM[{first['GM'][0]}]"))
    named = re.match(r"Ruleset: (\S+)", first.get("C", [""])[0])
    ruleset = RULESETS.get(named[1], BACKGAMMON) if named else BACKGAMMON
    length = int(_amount(_match_info(first).get("length", "0"), file)) or None
    return MatchRecord(
        ByColor(first.get("PW", ["?"])[0], first.get("PB", ["?"])[0]),
        length,
        ruleset,
        tuple(_game(nodes, ruleset, file, number) for number, nodes in enumerate(trees, start=1)),
        date=first.get("DT", [""])[0],
        event=first.get("EV", [""])[0],
        site=first.get("PC", [""])[0],
    )


def _match_info(root: Node) -> dict[str, str]:
    return dict(pair.split(":", 1) for pair in root.get("MI", []) if ":" in pair)


_TOKEN = re.compile(r"\s*(?:(?P<mark>[(;)])|(?P<key>[A-Za-z]+)|\[(?P<value>(?:\\.|[^\]\\])*)\])", re.DOTALL)


def _trees(text: str, file: str) -> Iterator[list[Node]]:
    """The nodes of the main line of each game tree."""
    nodes: list[Node] = []
    depth = 0
    left_main = False  # in a later branch: the first branch is the main line
    key = ""
    at = 0
    text = text.strip()
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None or (depth == 0 and token["mark"] != "("):
            raise InputError(Message.of("notation.not_sgf", file=file, reason=text[at : at + 20]))
        at = token.end()
        if token["mark"] == "(":
            depth += 1
        elif token["mark"] == ")":
            depth -= 1
            left_main = True
            if depth == 0:
                if not nodes:
                    raise InputError(Message.of("notation.not_sgf", file=file, reason="()"))
                yield nodes
                nodes, left_main = [], False
        elif token["mark"] == ";":
            if not left_main:
                nodes.append({})
        elif token["key"]:
            key = "".join(letter for letter in token["key"] if letter.isupper())
        elif nodes and not left_main:
            nodes[-1].setdefault(key, []).append(re.sub(r"\\(.)", r"\1", token["value"], flags=re.DOTALL))
    if depth:
        raise InputError(Message.of("notation.not_sgf", file=file, reason=")"))


def _game(nodes: list[Node], ruleset: Ruleset, file: str, number: int) -> GameRecord:
    root = nodes[0]
    info = _match_info(root)
    board = ruleset.start
    start: Position | None = None
    actions: list[Action] = []
    cube = 1
    for node in nodes[1:]:
        if "AE" in node or "AW" in node or "AB" in node:
            try:
                board = _set_up(node, board, ruleset)
            except ValueError as error:
                raise InputError(Message.of("notation.sgf_move", file=file, game=number, text="AE AW AB")) from error
            if actions and isinstance(actions[-1], PlayDone):
                last = actions.pop()
                assert isinstance(last, PlayDone)
                after = board if last.by is Color.WHITE else board.flipped
                actions.append(
                    PlayDone(
                        last.by, last.roll, last.before, after, False, last.first_turn, last.clocks_ms, last.comment
                    )
                )
            else:
                start = board
        by = Color.WHITE if "W" in node else Color.BLACK
        if by is Color.BLACK and "B" not in node:
            continue
        said = node[_WHO[by]][0]
        clocks = _clocks(node, file)
        comment = node.get("C", [""])[0]
        if said[:1].isdigit():
            first_turn = not any(isinstance(action, PlayDone) and action.by is by for action in actions)
            before = board if by is Color.WHITE else board.flipped
            try:
                roll = Roll.from_text(said[:2])
                after = _moved(before, said[2:], by, ruleset)
            except ValueError as error:
                raise InputError(Message.of("notation.sgf_move", file=file, game=number, text=said)) from error
            actions.append(PlayDone(by, roll, before, after, "KO" not in node, first_turn, clocks, comment))
            board = after if by is Color.WHITE else after.flipped
        else:
            deed = next((deed for deed, word in _DEEDS.items() if word == said.lower()), None)
            if deed is None:
                raise InputError(Message.of("notation.sgf_move", file=file, game=number, text=said))
            last_done = actions[-1] if actions else None
            if deed is CubeDeed.DOUBLE:
                cube = next_value(cube, ruleset)
                if isinstance(last_done, CubeDone) and last_done.deed is CubeDeed.DOUBLE and last_done.by is not by:
                    deed = CubeDeed.BEAVER
            actions.append(CubeDone(by, deed, cube, clocks, comment))
    return _with_result(
        GameRecord(
            ByColor(_amount(info.get("ws", "0"), file), _amount(info.get("bs", "0"), file)),
            tuple(actions),
            "CrawfordGame" in root.get("RU", [""])[0],
            start=start,
        ),
        root.get("RE", [""])[0],
        board,
    )


def _with_result(game: GameRecord, result: str, board: Position) -> GameRecord:
    if result == "0":
        return GameRecord(game.score, game.actions, game.crawford, None, Win.DRAW, Ending.DRAWN, 0, game.start)
    found = re.match(r"([WB])\+(\d{1,6})([RTF]?)", result)
    if found is None:
        return game
    winner = Color.WHITE if found[1] == "W" else Color.BLACK
    points = int(found[2])
    cube = 1
    offered = 1
    passed = False
    for action in game.actions:
        if isinstance(action, CubeDone):
            cube = offered if action.deed in (CubeDeed.TAKE, CubeDeed.BEAVER) else cube
            offered = action.value
            passed = action.deed is CubeDeed.PASS
    side = board if winner is Color.WHITE else board.flipped
    ending = {text: ending for ending, text in _ENDINGS.items()}.get(found[3]) or (
        Ending.PASSED if passed else Ending.BORNE_OFF if side.all_off else Ending.RESIGNED
    )
    win = Win.SINGLE if passed else Win(min(3, max(1, points // cube)))
    return GameRecord(game.score, game.actions, game.crawford, winner, win, ending, points, game.start)


def _clocks(node: Node, file: str) -> ByColor[int] | None:
    if "WL" not in node or "BL" not in node:
        return None
    return ByColor(round(_amount(node["WL"][0], file) * 1000), round(_amount(node["BL"][0], file) * 1000))


def _moved(before: Position, letters: str, by: Color, ruleset: Ruleset) -> Position:
    """The mover's board after the letters, single opposing checkers hit. Raises ValueError."""
    if len(letters) % 2:
        raise ValueError(letters)
    mine, theirs = list(before.mine), list(before.theirs)
    for source_letter, target_letter in zip(letters[::2], letters[1::2], strict=True):
        source, target = _place(source_letter, by, ruleset), _place(target_letter, by, ruleset)
        mine[source] -= 1
        mine[target] += 1
        if ruleset.hits and target != OFF and theirs[ruleset.facing(target)] == 1:
            theirs[ruleset.facing(target)] = 0
            theirs[BAR] += 1
    return Position(tuple(mine), tuple(theirs))


def _place(letter: str, by: Color, ruleset: Ruleset) -> int:
    place = _LETTERS.index(letter)
    return place if by is Color.WHITE or place in (OFF, BAR) else ruleset.facing(place)


def _set_up(node: Node, board: Position, ruleset: Ruleset) -> Position:
    """The board (White's side first) after AE, AW and AB of a node."""
    sides = {Color.WHITE: list(board.mine), Color.BLACK: list(board.theirs)}
    if "AE" in node:
        sides = {Color.WHITE: [0] * 26, Color.BLACK: [0] * 26}
    for color, key in ((Color.WHITE, "AW"), (Color.BLACK, "AB")):
        row = sides[color]
        for letter in node.get(key, []):
            row[_place(letter, color, ruleset)] += 1
        row[OFF] = 15 - sum(row[1:])
    return Position(tuple(sides[Color.WHITE]), tuple(sides[Color.BLACK]))
