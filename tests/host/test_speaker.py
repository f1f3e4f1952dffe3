"""The voice at the running table: the newest ruling, in the language of the player concerned; it holds nothing up."""

import time
from pathlib import Path

from nardi.config import Config
from nardi.devices.speaker import TableSpeaker
from nardi.devices.voice import Voice
from nardi.game.observation import Command
from nardi.game.umpire import begun
from nardi.journal.journal import Journal
from nardi.rules import ByColor, find_ruleset
from nardi.table import Table
from nardi.text.message import Message
from nardi.wiring import open_live


class Heard(Voice):
    """A voice that keeps what it was told to say."""

    said_by: list[tuple[str, str]] = []

    def __init__(self, language: str) -> None:
        super().__init__(language, program="no-such-program")
        self._language = language

    def say(self, message: Message) -> None:
        Heard.said_by.append((self._language, message.id))


def test_the_last_ruling_is_said_in_the_language_of_who_is_asked() -> None:
    Heard.said_by.clear()
    speaker = TableSpeaker(ByColor("hy", "lt"), Heard)
    table = Table.begun(begun(find_ruleset("backgammon"), 5, ByColor("Ani", "Jonas"), 0, dice="hand"))
    table.listener = lambda match, events: speaker.said(match, events)
    for verb, argument in (("dice", "31"), ("play", "8/5 6/5"), ("double", ""), ("take", "")):
        by = "referee" if verb != "take" else "white"
        table.take(Command(1, by, verb, argument))  # type: ignore[arg-type]  # words of the Literals
    speaker.close()
    # White begins; Black doubles, so White is asked; after the taking Black is to throw.
    assert Heard.said_by == [("hy", "voice.roll"), ("hy", "voice.doubled"), ("lt", "voice.taken")]


def test_a_missing_program_is_named_and_stops_nothing() -> None:
    speaker = TableSpeaker(ByColor("en", "en"), Heard)
    assert speaker.fault is not None
    assert speaker.fault.id == "voice.program_missing"
    speaker.close()


def test_the_configuration_turns_it_on(tmp_path: Path) -> None:
    with Journal(tmp_path / "match.jsonl") as journal:
        live = open_live(Config(voice=True, folder=tmp_path), {}, journal, None)
    assert isinstance(live.speaker, TableSpeaker)
    began = time.monotonic()
    live.speaker.said(live.table.match, ())
    assert time.monotonic() - began < 0.5
    live.speaker.close()
