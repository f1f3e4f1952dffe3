"""Plays as text: read leniently, written strictly.

Read are `bar/24`, `Bar/24`, `25/24`, `6/off`, `6/0`, `6/`, words in any order, `13/7(2)`, `24/18/16`, a missing `*`.
Writing is `Play.notation`. A play that is not legal is refused with its reason, never replaced by another.
"""

import re
from dataclasses import dataclass
from itertools import permutations

from nardi.errors import InputError
from nardi.rules.legal import LegalPlays
from nardi.rules.play import Play
from nardi.rules.position import BAR, OFF, Position
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset
from nardi.rules.search import single_steps
from nardi.rules.whynot import why_not
from nardi.text.message import Message

_WORD = re.compile(r"([^\s,;()]+)\s*(?:\((\d+)\)|[x×](\d)\b)?", re.IGNORECASE)
_NO_PLAY = re.compile(r"^[(\[]?(cannot move|can't move|no (play|move)|dances?|pass(es)?|fan(s|ned)?|-+|)[)\]]?$", re.I)


@dataclass(frozen=True, slots=True)
class Word:
    """One checker's move as written: its places from first to last, and which of those after the first have a `*`.

    A single place means 'a checker to here'.
    """

    places: tuple[int, ...]
    hits: frozenset[int] = frozenset()

    @property
    def pips(self) -> int:
        return self.places[0] - self.places[-1]


def words_of(text: str) -> tuple[Word, ...]:
    """The words of a play; none where it says that nothing was played.

    Raises InputError naming the word it cannot read.
    """
    bare = text.strip()
    if _NO_PLAY.match(bare):
        return ()
    words: list[Word] = []
    for match in _WORD.finditer(bare):
        if words and _NO_PLAY.match(match[1]):
            continue  # a mark of passing after the moves says only that there were no more
        times = int(match[2] or match[3] or 1)
        if not 1 <= times <= 4:
            raise InputError(Message.of("notation.bad_word", text=text, word=match[0].strip()))
        words += [_word(match[1], text)] * times
    return tuple(words)


def _word(word: str, text: str) -> Word:
    parts = re.split(r"[/\-→]", word.lower())
    places: list[int] = []
    hits: set[int] = set()
    for index, part in enumerate(parts):
        name = part.rstrip("*")
        place = _place(name, first=index == 0, last=index == len(parts) - 1 and index > 0)
        if place is None or (places and place >= places[-1]):
            raise InputError(Message.of("notation.bad_word", text=text, word=word))
        places.append(place)
        if part != name:
            hits.add(place)
    return Word(tuple(places), frozenset(hits))


def _place(name: str, first: bool, last: bool) -> int | None:
    if first and name in ("bar", "b", "25", ""):
        return BAR
    if last and name in ("off", "o", "0", ""):
        return OFF
    if name.isascii() and name.isdecimal() and 1 <= int(name) <= 24:
        return int(name)
    return None


def read_play(text: str, position: Position, roll: Roll, ruleset: Ruleset, first_turn: bool = False) -> Play:
    """The legal play that `text` says.

    Raises InputError with the reason: unreadable, no such checker, illegal, not clear.
    """
    words = tuple(_sourced(word, text, position, roll, ruleset) for word in words_of(text))
    legal = LegalPlays(position, roll, ruleset, first_turn)
    mine = moved(position.mine, words, text)
    fitting = [play for play in legal if play.after.mine == mine and _numbers_fit(words, roll)]
    if not fitting:
        wrong = why_not(position, laid(position, words, ruleset), roll, ruleset, first_turn)
        if wrong is None:  # the board could stand so, but no numbers of the roll move these checkers
            raise InputError(Message.of("notation.wrong_numbers", text=text, roll=roll.text))
        raise InputError(wrong.message)
    # A star that is written must be a hit; of what is left the play that hits where checkers are said to land is meant.
    starred = {place for word in words for place in word.hits}
    fitting = [play for play in fitting if starred <= _hit_points(play)]
    if not fitting:
        raise InputError(Message.of("notation.no_hit_there", text=text))
    meant_hits = {point for point in landings(words) - {OFF} if position.theirs[ruleset.facing(point)] == 1}
    fewest = min(len(_hit_points(play) ^ meant_hits) for play in fitting)
    fitting = [play for play in fitting if len(_hit_points(play) ^ meant_hits) == fewest]
    if len(fitting) > 1:
        meant = " | ".join(play.notation for play in fitting)
        raise InputError(Message.of("notation.ambiguous", text=text, meanings=meant))
    return fitting[0]


def sources_to(target: int, position: Position, roll: Roll, ruleset: Ruleset) -> tuple[int, ...]:
    """From where one step of the roll can bring a checker to `target`: what the text `10` may mean."""
    found = {
        step.source
        for number in set(roll.numbers)
        for step, _, _ in single_steps(position.key, number, ruleset)
        if step.target == target
    }
    return tuple(sorted(found, reverse=True))


def _sourced(word: Word, text: str, position: Position, roll: Roll, ruleset: Ruleset) -> Word:
    if len(word.places) > 1:
        return word
    sources = sources_to(word.places[0], position, roll, ruleset)
    if len(sources) != 1:
        known = " ".join(str(source) for source in sources) or "-"
        raise InputError(Message.of("notation.unclear_source", text=text, point=word.places[0], sources=known))
    return Word((sources[0], *word.places), word.hits)


def moved(mine: tuple[int, ...], words: tuple[Word, ...], text: str) -> tuple[int, ...]:
    """The mover's row after the words, in any order. Raises InputError naming a point without a checker."""
    counts = list(mine)
    for word in words:
        counts[word.places[0]] -= 1
        counts[word.places[-1]] += 1
    for place, count in enumerate(counts):
        if count < 0:
            raise InputError(Message.of("notation.no_checker", text=text, point=place))
    return tuple(counts)


def landings(words: tuple[Word, ...]) -> set[int]:
    """The points on which checkers came to rest, as written."""
    return {place for word in words for place in word.places[1:]}


def laid(position: Position, words: tuple[Word, ...], ruleset: Ruleset, text: str = "") -> Position:
    """The board after the words (of `text`), legal or not: single opposing checkers where one landed are on the bar.

    Raises InputError naming a point without a checker.
    """
    theirs = list(position.theirs)
    if ruleset.hits:
        for point in landings(words) - {OFF}:
            if theirs[ruleset.facing(point)] == 1:
                theirs[ruleset.facing(point)] = 0
                theirs[BAR] += 1
    return Position(moved(position.mine, words, text), tuple(theirs))


def _hit_points(play: Play) -> set[int]:
    return {step.target for step in play.steps if step.hits}


def _numbers_fit(words: tuple[Word, ...], roll: Roll) -> bool:
    """Whether the words can be made of the numbers of the roll, each used once."""
    spans = [(source, target) for word in words for source, target in zip(word.places, word.places[1:], strict=False)]
    return any(_made_of(spans, order) for order in dict.fromkeys(permutations(roll.numbers)))


def _made_of(spans: list[tuple[int, int]], numbers: tuple[int, ...]) -> bool:
    """Whether each span takes the next numbers exactly; the last number of bearing off may be too large."""
    left = list(numbers)
    for source, target in spans:
        at = source
        while at > target:
            if not left:
                return False
            at -= left.pop(0)
        if at < target and target != OFF:
            return False
    return True
