"""The table in real time, through the very loop that `nardi run` runs: by hand, simulated, with devices that fail."""

import asyncio
import errno
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from nardi.config import Config
from nardi.devices.display_node import NodeDisplay
from nardi.devices.electronic_dice import ElectronicDice
from nardi.devices.wire.packet import Button, Press
from nardi.game.event import CommandRefused, Event, FaultCleared, FaultNoted, Played
from nardi.game.match import Match, Phase, Teach
from nardi.game.observation import BoardSeen, Command, DieSettled, LineFaulty, Observation, Verb
from nardi.game.seating import Seating
from nardi.game.umpire import begun
from nardi.journal.journal import Journal, read_chain
from nardi.journal.restore import judge_anew, restore
from nardi.live import Devices, LiveTable, SteadyClock, command_of
from nardi.ports import Post
from nardi.rules import ByColor, Color, LegalPlays, find_ruleset
from nardi.table import Table
from nardi.views.scene import Scene
from nardi.wiring import last_stamp, open_live, seat_of

NAMES = ByColor("Ani", "Jonas")


def by_hand(ruleset: str = "backgammon", length: int = 1, club: bool = False) -> tuple[Event, ...]:
    return begun(find_ruleset(ruleset), length, NAMES, 0, dice="hand", club=club)


def next_word(match: Match, random: Random) -> tuple[Verb, str]:
    """What people with nothing but a keyboard tell the table next."""
    game = match.game
    assert game is not None
    match match.phase:
        case Phase.OPENING:
            return "dice", "{}{}".format(*random.sample(range(1, 7), 2))
        case Phase.TO_ROLL | Phase.LAST_ROLL:
            return "dice", f"{random.randint(1, 6)}{random.randint(1, 6)}"
        case Phase.TO_PLAY:
            assert game.roll is not None
            plays = LegalPlays(game.position, game.roll, match.ruleset, game.first_turn)
            play = random.choice(list(plays))
            return ("play", play.notation) if play.steps else ("confirm", "")
        case Phase.GAME_OVER:
            return "next_game", ""
    raise AssertionError(match.phase)


async def talk(live: LiveTable, say: Callable[[Match], Observation | None]) -> None:
    """Runs the table; whenever it waits, `say` gives what is said next, None for nothing more."""
    running = asyncio.create_task(live.run())
    await asyncio.sleep(0.02)
    while not running.done():
        match = live.current()
        if match is not None and match.phase is not Phase.MATCH_OVER:
            word = say(match)
            if word is None:
                live.stop()
                break
            live.post(word)
        await asyncio.sleep(0)
    await asyncio.wait_for(running, 30)


@pytest.mark.parametrize("ruleset", ["backgammon", "long-table"])
def test_a_table_with_nothing_plugged_in_plays_a_whole_match(ruleset: str, tmp_path: Path) -> None:
    random = Random(4)
    events: list[Event] = []
    with Journal(tmp_path / "match.jsonl") as journal:
        live = LiveTable(Table.begun(by_hand(ruleset), journal), Devices(), SteadyClock(), ByColor("en", "en"))
        live.shown = lambda match, ruled, scene: events.extend(ruled)
        asyncio.run(
            asyncio.wait_for(
                talk(live, lambda match: Command(live.clock.now_ms(), "referee", *next_word(match, random))), 60
            )
        )
    assert live.table.match.phase is Phase.MATCH_OVER
    assert not [event for event in events if isinstance(event, CommandRefused)]
    assert sum(isinstance(event, Played) for event in events) > 30
    assert restore(tmp_path / "match.jsonl").match == live.table.match


class Screen:
    """A display that remembers what it was told to show."""

    def __init__(self) -> None:
        self.scenes: list[Scene] = []

    def start(self, post: Post, pushed: object) -> None:
        return

    def show(self, scene: Scene) -> None:
        self.scenes.append(scene)

    def stop(self) -> None:
        return


class Broken(Screen):
    """A device that throws whatever it is asked."""

    def show(self, scene: Scene) -> None:
        raise OSError("the display has burnt out")


@pytest.mark.parametrize("dice", ["sim:board", "camera:", "none:"])
def test_simulated_people_play_a_match_through_the_running_table(dice: str, tmp_path: Path) -> None:
    config = Config(match_length=1, eye="sim:board?seed=7&speed=0", dice=dice, folder=tmp_path)
    with Journal(tmp_path / "match.jsonl") as journal:
        live = open_live(config, {}, journal, None)
        screen = Screen()
        live.devices.displays = (screen,)
        asyncio.run(asyncio.wait_for(live.run(), 120))
    assert live.table.match.phase is Phase.MATCH_OVER
    assert live.not_judged == 0
    assert len(screen.scenes) > 60
    chain = read_chain(tmp_path / "match.jsonl")
    assert judge_anew(chain) == ()
    assert restore(tmp_path / "match.jsonl").match == live.table.match


# --- devices that are missing or fail --------------------------------------------------------------------------------


def test_case_35_dead_devices_are_named_and_stop_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """CASES 31, 35: neither dice nor display answer; both are said to be missing, and the match is played by hand."""
    monkeypatch.setattr("nardi.devices.presence.PATIENCE_S", 0.1)
    random = Random(2)
    clock = SteadyClock()
    table = Table.begun(by_hand(), None)
    live = LiveTable(table, Devices(), clock, ByColor("en", "en"))
    live.devices.dice = ElectronicDice("serial:/dev/no-dice", clock)
    live.devices.displays = (NodeDisplay("serial:/dev/no-display", clock, lambda: None),)
    noted: list[str] = []
    live.shown = lambda match, ruled, scene: noted.extend(e.key for e in ruled if isinstance(e, FaultNoted))

    async def play() -> None:
        running = asyncio.create_task(live.run())
        while len(noted) < 2:
            await asyncio.sleep(0.01)
        while not running.done():
            match = live.current()
            if match is not None and match.phase is not Phase.MATCH_OVER:
                live.post(Command(clock.now_ms(), "referee", *next_word(match, random)))
            await asyncio.sleep(0)
        await running

    asyncio.run(asyncio.wait_for(play(), 60))
    assert sorted(noted) == ["device.dice", "device.display"]
    assert live.table.match.phase is Phase.MATCH_OVER


def test_a_display_that_throws_does_not_end_the_match() -> None:
    random = Random(2)
    live = LiveTable(Table.begun(by_hand(), None), Devices(displays=(Broken(),)), SteadyClock(), ByColor("en", "en"))
    asyncio.run(
        asyncio.wait_for(
            talk(live, lambda match: Command(live.clock.now_ms(), "referee", *next_word(match, random))), 60
        )
    )
    assert live.table.match.phase is Phase.MATCH_OVER


def test_an_observation_that_cannot_be_judged_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    live = LiveTable(Table.begun(by_hand(), None), Devices(), SteadyClock(), ByColor("en", "en"))

    def fails(self: Table, observation: Observation) -> tuple[Event, ...]:
        raise ZeroDivisionError

    said = iter([Command(1, "referee", "dice", "31"), None])
    before = live.table.match
    monkeypatch.setattr(Table, "take", fails)
    asyncio.run(asyncio.wait_for(talk(live, lambda match: next(said)), 10))
    assert live.not_judged == 1
    assert live.table.match == before


class FullDisk:
    """`os.write` that fails as long as the disk is full."""

    def __init__(self, reason: int) -> None:
        self.full = False
        self._reason = reason
        self._write = os.write

    def __call__(self, fd: int, data: bytes) -> int:
        if self.full and len(data) > 64:
            raise OSError(self._reason, os.strerror(self._reason))
        return self._write(fd, data)


@pytest.mark.parametrize("reason", [errno.ENOSPC, errno.EROFS])
def test_trouble_with_the_record_shows_on_the_display_and_goes(
    reason: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = FullDisk(reason)
    monkeypatch.setattr("nardi.journal.journal.os.write", disk)
    random = Random(3)
    screen = Screen()
    said = 0
    alerts: list[str] = []
    path = tmp_path / "match.jsonl"
    with Journal(path) as journal:
        live = LiveTable(
            Table.begun(by_hand(), journal), Devices(displays=(screen,)), SteadyClock(), ByColor("en", "en")
        )
        live.trouble = lambda: journal.trouble

        def say(match: Match) -> Observation | None:
            nonlocal said
            said += 1
            alerts.append(screen.scenes[-1].screen.alert)
            disk.full = 6 <= said < 12
            return Command(live.clock.now_ms(), "referee", *next_word(match, random)) if said < 20 else None

        asyncio.run(asyncio.wait_for(talk(live, say), 30))
    assert alerts[:6] == [""] * 6
    assert all("journal" in alert for alert in alerts[6:12]), alerts
    assert alerts[13:] == [""] * 7
    # Nothing was lost, and each way is on record once.
    events = [line.value for line in read_chain(path).lines if line.kind == "ruled"]
    assert [type(e) for e in events if isinstance(e, FaultNoted | FaultCleared)] == [FaultNoted, FaultCleared]
    assert restore(path).match == live.table.match


class Flood:
    """Dice that say garbage a thousand times a second."""

    def __init__(self) -> None:
        self.posted: list[Observation] = []
        self.clock = StillClock()
        self.dice = ElectronicDice("serial:/dev/no-dice", self.clock)


class StillClock:
    def __init__(self) -> None:
        self.ms = 0

    def now_ms(self) -> int:
        return self.ms


def test_a_flood_of_garbage_does_not_fill_the_record() -> None:
    """CASES 34: counted, and told at most once a second for each kind."""
    from nardi.devices.dice_serial import DiceLines

    flood = Flood()
    flood.dice._post = flood.posted.append
    lines = DiceLines()
    random = Random(1)
    for flood.clock.ms in range(0, 10_000, 5):
        data = bytes(random.randrange(256) for _ in range(30)) + b"\n$DIE,w1,1,SETTLED,3,0*00\n"
        for report in lines.feed(data, flood.clock.ms):
            flood.dice._heard(report, 0)
    kinds = {observation.kind for observation in flood.posted if isinstance(observation, LineFaulty)}
    assert len(kinds) >= 2
    assert flood.dice.bad_lines == lines.faults.total() > 3000
    assert len(flood.posted) <= 10 * len(kinds)


# --- the clock -------------------------------------------------------------------------------------------------------


def test_a_computer_clock_set_back_moves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SteadyClock()
    first = clock.now_ms()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert first <= clock.now_ms() < first + 5000


def test_a_clock_set_back_while_the_table_was_off_goes_on_from_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table.begun(by_hand(), None)
    for at_ms, verb, argument in ((50_000, "dice", "31"), (9_000_000, "play", "8/5 6/5")):
        table.take(Command(at_ms, "referee", verb, argument))  # type: ignore[arg-type]  # verbs of the Literal
    monkeypatch.setattr(time, "time_ns", lambda: 1_000_000)
    assert SteadyClock(last_stamp(table.match)).now_ms() >= 9_000_000


# --- buttons, club play -----------------------------------------------------------------------------------------------


def test_buttons_belong_to_whom_the_match_asks() -> None:
    table = Table.begun(by_hand(length=5), None)
    words: Iterable[tuple[str, str]] = (("dice", "31"), ("play", "8/5 6/5"))
    for verb, argument in words:
        table.take(Command(1, "referee", verb, argument))  # type: ignore[arg-type]  # verbs of the Literal
    # Black is on turn and doubles; White is asked.
    assert command_of(table.match, Button.DOUBLE, Press.SHORT, 2) == Command(2, "white", "double") or (
        command_of(table.match, Button.DOUBLE, Press.SHORT, 2) == Command(2, "black", "double")
    )
    on_turn = table.match.game.turn if table.match.game else None
    assert on_turn is not None
    table.take(command_of(table.match, Button.DOUBLE, Press.SHORT, 3))
    assert table.match.phase is Phase.OFFERED
    # The doubler's own act is no answer (CASES 16): take and pass are the other's.
    take = command_of(table.match, Button.TAKE, Press.SHORT, 4)
    assert (take.by, take.verb) == (on_turn.other.value, "take")
    refuse = command_of(table.match, Button.PASS, Press.SHORT, 4)
    assert (refuse.by, refuse.verb) == (on_turn.other.value, "pass")
    assert command_of(table.match, Button.DOUBLE, Press.LONG, 5) == Command(5, "referee", "pause")


def test_a_resignation_is_answered_with_the_same_two_buttons() -> None:
    table = Table.begun(by_hand(), None)
    for verb, argument in (("dice", "31"), ("play", "8/5 6/5")):
        table.take(Command(1, "referee", verb, argument))  # type: ignore[arg-type]  # verbs of the Literal
    turn = table.match.game.turn if table.match.game else Color.WHITE
    assert turn is not None
    table.take(command_of(table.match, Button.PASS, Press.LONG, 2))
    assert table.match.phase is Phase.RESIGNING
    assert command_of(table.match, Button.TAKE, Press.SHORT, 3) == Command(3, turn.other.value, "accept")
    assert command_of(table.match, Button.PASS, Press.SHORT, 3) == Command(3, turn.other.value, "refuse")


def test_case_43_help_cannot_be_turned_on_in_club_play_and_the_try_is_on_record(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with Journal(path) as journal:
        live = open_live(Config(club_play=True, folder=tmp_path), {}, journal, None)
        said = iter([Command(live.clock.now_ms(), "white", "teach", "hint"), None])
        asyncio.run(asyncio.wait_for(talk(live, lambda match: next(said)), 10))
    assert live.table.match.teach is Teach.OFF
    events = [line.value for line in read_chain(path).lines]
    assert [event.verb for event in events if isinstance(event, CommandRefused)] == ["teach"]


def test_help_asked_for_in_the_configuration_is_on_and_can_be_turned_off(tmp_path: Path) -> None:
    with Journal(tmp_path / "match.jsonl") as journal:
        live = open_live(Config(teach=Teach.LEGAL, folder=tmp_path), {}, journal, None)
        assert live.table.match.teach is Teach.LEGAL
        live.table.take(Command(live.clock.now_ms(), "white", "teach", "off"))
        assert live.table.match.teach is Teach.OFF


def test_lights_lie_as_the_configuration_says_until_an_eye_has_seen_the_board(tmp_path: Path) -> None:
    told = Seating("dark", 1)
    with Journal(tmp_path / "match.jsonl") as journal:
        live = open_live(Config(folder=tmp_path), {}, journal, None)
        unseen = live.table.match
    assert seat_of(lambda: unseen)() is None
    assert seat_of(lambda: unseen, told)() == told
    seen = replace(unseen, seating=Seating("light", 3))
    assert seat_of(lambda: seen, told)() == Seating("light", 3)


# --- a hurry of threads ----------------------------------------------------------------------------------------------


def test_observations_from_many_threads_are_all_taken_in_their_order() -> None:
    live = LiveTable(Table.begun(by_hand(), None), Devices(), SteadyClock(), ByColor("en", "en"))
    taken: list[Observation] = []
    take = live.table.take

    def watched(observation: Observation) -> tuple[Event, ...]:
        taken.append(observation)
        return take(observation)

    live.table.take = watched  # type: ignore[method-assign]  # watched, not replaced

    async def flood() -> None:
        running = asyncio.create_task(live.run())
        await asyncio.sleep(0.01)
        threads = [
            threading.Thread(target=lambda n=n: [live.post(DieSettled(at, f"x{n}", 1, 0)) for at in range(300)])
            for n in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            await asyncio.to_thread(thread.join)
        live.stop()
        await running

    asyncio.run(asyncio.wait_for(flood(), 20))
    assert len(taken) == 1200
    for n in range(4):
        stamps = [seen.at_ms for seen in taken if isinstance(seen, DieSettled) and seen.die == f"x{n}"]
        assert stamps == list(range(300))
    assert not [seen for seen in taken if isinstance(seen, BoardSeen)]
