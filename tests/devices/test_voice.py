"""The voice: what is said of which event, through the real espeak-ng, and that nothing waits for it (CASES 35)."""

import shutil
import stat
import time
import wave
from pathlib import Path

import pytest

from nardi.devices.voice import Voice, spoken
from nardi.game import event as ruled
from nardi.rules import ByColor, Color
from nardi.text.catalogue import languages, load
from nardi.text.message import Message

PLAYERS = ByColor("Anahit", "")
ESPEAK = shutil.which("espeak-ng")
needs_espeak = pytest.mark.skipif(ESPEAK is None, reason="espeak-ng is not installed: sudo apt-get install espeak-ng")


def seconds(file: Path) -> float:
    with wave.open(str(file)) as sound:
        frames = sound.readframes(sound.getnframes())
        assert any(frames), "the file is silent"
        return sound.getnframes() / sound.getframerate()


@needs_espeak
@pytest.mark.parametrize("language", languages())
def test_espeak_says_it_in_every_language(language: str, tmp_path: Path) -> None:
    file = tmp_path / "said.wav"
    voice = Voice(language, arguments=("-w", str(file)))
    assert voice.fault is None
    voice.say(Message.of("rules.R3.closed", point=19, number=5, source=24))
    voice.close(10)
    assert 1.5 < seconds(file) < 15


@needs_espeak
def test_what_is_said_is_the_text_and_not_an_option(tmp_path: Path) -> None:
    file = tmp_path / "said.wav"
    voice = Voice("en", arguments=("-w", str(file)))
    voice.say(Message.of("umpire.refused.not_legal", text="--version"))
    voice.close(10)
    assert seconds(file) > 1


def program(tmp_path: Path, body: str) -> str:
    """A stand-in for espeak-ng that notes what it hears."""
    script = tmp_path / "speaker"
    script.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script)


def test_a_frozen_speaker_holds_nothing_up_and_the_newest_wins(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    voice = Voice("en", program(tmp_path, f"cat >> {heard}; echo >> {heard}; exec sleep 60"))
    began = time.monotonic()
    for number in range(1, 7):
        voice.say(Message.of("voice.double_roll", a=number))
    assert time.monotonic() - began < 0.5
    deadline = time.monotonic() + 10
    while "Double 6" not in (heard.read_text() if heard.exists() else "") and time.monotonic() < deadline:
        time.sleep(0.02)
    voice.close(0.1)
    said = heard.read_text().split("\n")
    assert said[-2] == "Double 6"
    assert len(said) < 7, "old words were said although newer ones waited"


def test_a_program_that_is_missing_is_told_once_and_silence_is_kept() -> None:
    voice = Voice("en", "no-such-program-here")
    assert voice.fault is not None
    assert "no-such-program-here" in load("en").say(voice.fault)
    voice.say(Message.of("voice.taken"))
    voice.close()


def test_a_program_that_fails_does_not_end_the_voice(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    voice = Voice("en", program(tmp_path, f"cat >> {heard}; exit 1"))
    for _ in range(3):
        voice.say(Message.of("voice.taken"))
        time.sleep(0.2)
    voice.close(5)
    assert "The double is taken." in heard.read_text()


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (ruled.Rolled(at_ms=1, by=Color.WHITE, dice=(3, 1)), "3, 1"),
        (ruled.Rolled(at_ms=1, by=Color.WHITE, dice=(4, 4)), "Double 4"),
        (ruled.Doubled(at_ms=1, by=Color.BLACK, value=2), "Black doubles to 2. Take or pass?"),
        (ruled.Passed(at_ms=1, by=Color.WHITE), "Anahit passes."),
        (ruled.Resigned(at_ms=1, by=Color.WHITE, win=2), "Anahit resigns: gammon. Accept?"),
        (
            ruled.RollRejected(
                at_ms=1, by=Color.WHITE, reason="cocked", message=Message.of("umpire.roll_rejected.cocked")
            ),
            "A die is not lying flat: throw again.",
        ),
        (
            ruled.GameEnded(at_ms=1, winner=Color.WHITE, win=2, ending="borne-off", gained=ByColor(4, 0)),
            "Anahit wins, 4.",
        ),
        (ruled.TrackLost(at_ms=1, differences=()), "The board differs from the match."),
    ],
)
def test_what_is_spoken(event: ruled.Event, words: str) -> None:
    message = spoken(event, PLAYERS)
    assert message is not None
    assert load("en").say(message) == words


def test_most_events_are_silent() -> None:
    assert spoken(ruled.HandNoted(at_ms=1, present=True), PLAYERS) is None
    assert spoken(ruled.DiceLifted(at_ms=1, by=Color.WHITE), PLAYERS) is None
