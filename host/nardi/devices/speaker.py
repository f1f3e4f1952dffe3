"""The voice at the table: what was ruled just now, in the language of the player from whom something is wanted."""

from collections.abc import Callable

from nardi.devices.voice import Voice, spoken
from nardi.game.event import Event
from nardi.game.match import Match
from nardi.rules.color import ByColor
from nardi.text.message import Message
from nardi.views.lights import addressed


class TableSpeaker:
    """One voice a language. Never blocks: of what was ruled together the last is said, and the newest wins."""

    def __init__(self, languages: ByColor[str], voice: Callable[[str], Voice] = Voice) -> None:
        self._languages = languages
        self._voices = {language: voice(language) for language in dict.fromkeys(languages)}

    @property
    def fault(self) -> Message | None:
        """What a person must know: the program that speaks is missing."""
        return next((voice.fault for voice in self._voices.values() if voice.fault is not None), None)

    def said(self, match: Match, events: tuple[Event, ...]) -> None:
        words = [message for event in events if (message := spoken(event, match.players)) is not None]
        if words:
            asked = addressed(match)
            language = self._languages.white if asked is None else self._languages[asked]
            self._voices[language].say(words[-1])

    def close(self) -> None:
        for voice in self._voices.values():
            voice.close()
