"""The voice: rolls, reasons and offers said aloud by espeak-ng, a separate program that may be missing.

Nothing waits for it: `say` only leaves the words in a slot of one place (CASES 35); a thread of its own feeds them to
the program. What is new is said at once, whatever was being said; a program that hangs is ended after a while.
"""

import logging
import shutil
import subprocess
import threading

from nardi.game import event as ruled
from nardi.rules.color import ByColor, Color
from nardi.rules.score import Win
from nardi.text.catalogue import Catalogue, load
from nardi.text.message import Message

PROGRAM = "espeak-ng"
LONGEST_S = 15.0
"""No sentence takes longer; a program that does is frozen and is ended."""
WORDS_PER_MINUTE = 150
_log = logging.getLogger(__name__)


def spoken(event: ruled.Event, players: ByColor[str]) -> Message | None:
    """What is said aloud of an event; None for most."""

    def name(color: Color) -> str:
        return players[color] or color.value

    match event:
        case ruled.Rolled(dice=(a, b)):
            return Message.of("voice.double_roll", a=a) if a == b else Message.of("voice.roll", a=a, b=b)
        case ruled.OpeningThrown(starter=starter):
            return Message.of("voice.starts", name=name(starter))
        case ruled.RollRejected() | ruled.IllegalPlayNoticed() | ruled.IllegalPlayChanged():
            return event.message
        case ruled.Doubled(by=by, value=value):
            return Message.of("voice.doubled", name=name(by), value=value)
        case ruled.Taken():
            return Message.of("voice.taken")
        case ruled.Passed(by=by):
            return Message.of("voice.passed", name=name(by))
        case ruled.Beavered(value=value):
            return Message.of("voice.beavered", value=value)
        case ruled.Resigned(by=by, win=win):
            return Message.of("voice.resigned", name=name(by), win=Win(win).name.lower())
        case ruled.GameEnded(winner=winner, gained=gained):
            if winner is None:
                return Message.of("voice.drawn")
            return Message.of("voice.game_won", name=name(winner), points=f"{gained[winner]:g}")
        case ruled.TrackLost():
            return Message.of("voice.lost")
        case _:
            return None


class Voice:
    """Says messages in one language. `arguments`: more for the program (`-w file.wav` writes instead of speaking)."""

    def __init__(self, language: str, program: str = PROGRAM, arguments: tuple[str, ...] = ()) -> None:
        """Finds the program and starts the thread. Raises InputError for an unknown language."""
        self._catalogue: Catalogue = load(language)
        found = shutil.which(program)
        self.fault: Message | None = None
        """What a person must know: the program is missing."""
        self._command: tuple[str, ...] = ()
        if found is None:
            self.fault = Message.of("voice.program_missing", program=program, remedy=f"sudo apt-get install {program}")
        else:
            speed = str(WORDS_PER_MINUTE)
            self._command = (found, "-v", self._catalogue.voice, "-s", speed, *arguments, "--stdin")
        self._ready = threading.Condition()
        self._next: str | None = None
        self._speaking: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, message: Message) -> None:
        """Says it as soon as can be, instead of anything older. Returns at once."""
        words = self._catalogue.say(message)
        if not self._command:
            return
        with self._ready:
            self._next = words
            if self._speaking is not None:
                self._speaking.terminate()
            self._ready.notify()

    def close(self, wait_s: float = 2.0) -> None:
        """Falls silent, after what was said last where that ends within `wait_s`."""
        with self._ready:
            self._closed = True
            self._ready.notify()
        self._thread.join(wait_s)
        with self._ready:
            if self._speaking is not None:
                self._speaking.kill()
        self._thread.join(1.0)

    def _run(self) -> None:
        while True:
            with self._ready:
                while self._next is None and not self._closed:
                    self._ready.wait()
                if self._next is None:
                    return
                words, self._next = self._next, None
                try:
                    process = subprocess.Popen(
                        self._command,
                        stdin=subprocess.PIPE,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                    )
                except OSError as error:
                    _log.warning("the voice cannot be started: %s", error)
                    continue
                self._speaking = process
            try:
                process.communicate(words.encode(), timeout=LONGEST_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                _log.warning("the voice hung and was ended")
            except BrokenPipeError:
                # It was ended before it had read its words.
                process.wait()
            with self._ready:
                self._speaking = None
