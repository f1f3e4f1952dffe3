"""The display node's real firmware in a real MicroPython on a pty, the host's real link at the other end."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from microcontroller import Cable, Microcontroller, needs_micropython
from node_host import Host, until

from nardi.devices.node import Button, ButtonPressed, LinkDown, LinkUp, Press, ShownScene
from nardi.devices.node_trial import trial
from nardi.devices.serial_line import Port
from nardi.devices.wire.frame import FrameReader, encode_frame
from nardi.devices.wire.packet import Hello, Hold, Rgb, Stats, to_frame
from nardi_vision.sizes import load_sizes

pytestmark = [needs_micropython, pytest.mark.slow]

Boot = Callable[..., Microcontroller]
Lay = Callable[[Microcontroller], Cable]
PINS = {Button.DOUBLE: 10, Button.TAKE: 11, Button.PASS: 12, Button.CONFIRM: 13}


@contextmanager
def hosting(cable: Cable) -> Iterator[Host]:
    host = Host(cable)
    try:
        yield host
    finally:
        host.link.stop()


def some_scene(seed: int, brightest: int = 60) -> tuple[tuple[Rgb, ...], bytes]:
    """Lights that stay within the current budget, and a picture with runs and noise."""
    chance = random.Random(seed)
    lights = tuple(tuple(chance.randrange(brightest) for _ in range(3)) for _ in range(27))
    picture = b"".join(bytes([chance.randrange(256)]) * chance.choice((1, 1, 2, 40)) for _ in range(1024))[:1024]
    return lights, picture  # type: ignore[return-value]


def visible(memory: bytes, first_column: int = 0) -> bytes:
    """The 1024 bytes on the glass out of a controller's 8 pages of 132."""
    return b"".join(memory[page * 132 + first_column :][:128] for page in range(8))


def strip_of(lights: tuple[Rgb, ...], root_toml: dict) -> bytes:
    """What the data line must carry: g, r, b along the chain of node.toml."""
    names = load_sizes().order
    return b"".join(bytes((g, r, b)) for r, g, b in (lights[names.index(name)] for name in root_toml["lights"]["chain"]))


def test_a_scene_reaches_lights_and_screen_and_is_acknowledged(boot: Boot, cable: Lay, node_toml: dict) -> None:
    node = boot("node")
    with hosting(cable(node)) as host:
        host.wait(LinkUp)
        for seed in range(5):
            lights, picture = some_scene(seed)
            mark = host.mark()
            host.link.show(lights, picture)
            host.wait(ShownScene, mark)
            assert node.log.lights()[-1] == strip_of(lights, node_toml)
            assert visible(node.log.panel()) == picture


def test_an_sh1106_shows_the_same_picture_two_columns_on(boot: Boot, cable: Lay) -> None:
    node = boot("node", settings={"SCREEN_CONTROLLER": "sh1106"})
    with hosting(cable(node)) as host:
        host.wait(LinkUp)
        lights, picture = some_scene(3)
        host.link.show(lights, picture)
        host.wait(ShownScene)
        assert visible(node.log.panel(), 2) == picture


def test_the_newest_scene_wins(boot: Boot, cable: Lay, node_toml: dict) -> None:
    """CASES 35: no queue of pictures."""
    node = boot("node")
    with hosting(cable(node)) as host:
        host.wait(LinkUp)
        scenes = [some_scene(seed) for seed in range(300)]
        for lights, picture in scenes:
            host.link.show(lights, picture)
        assert until(lambda: visible(node.log.panel()) == picture)
        assert node.log.lights()[-1] == strip_of(lights, node_toml)
        # Most were overtaken: no queue of pictures.
        assert len(node.log.lights()) < 150


def test_current_stays_within_the_budget(boot: Boot, cable: Lay, node_toml: dict) -> None:
    """CASES 36: whatever is sent."""
    node = boot("node")
    limits = node_toml["lights"]
    with hosting(cable(node)) as host:
        host.wait(LinkUp)
        for level in (255, 200, 90, 40):
            mark = host.mark()
            host.link.show(((level,) * 3,) * 27, bytes(1024))
            (shown,) = host.wait(ShownScene, mark)
            sent = node.log.lights()[-1]
            draw_ma = len(limits["chain"]) * limits["idle_ma"] + sum(sent) * limits["channel_ma"] / 255
            assert draw_ma <= limits["budget_ma"]
            assert shown.capped == (level > 58)
            # Dimmed no further than needed: the two roundings lose less than one step each, of 81 channels.
            if shown.capped:
                assert draw_ma > limits["budget_ma"] - 2 * 81 * limits["channel_ma"] / 255
    assert 27 * (1 + 3 * 20 * 58 / 255) < limits["budget_ma"] < 27 * (1 + 3 * 20 * 59 / 255)


def test_after_three_seconds_of_silence_no_link_and_dark(boot: Boot, cable: Lay, no_link_picture: bytes) -> None:
    node = boot("node")
    line = cable(node)
    with hosting(line) as host:
        host.wait(LinkUp)
        lights, picture = some_scene(1)
        host.link.show(lights, picture)
        host.wait(ShownScene)
        line.pull()
        # Not before its time...
        assert not until(lambda: visible(node.log.panel()) != picture, 2.0)
        # ... but then.
        assert until(lambda: visible(node.log.panel()) == no_link_picture, 2.0)
        assert not any(node.log.lights()[-1])
        host.wait(LinkDown)
        mark = host.mark()
        line.plug_in()
        host.wait(ShownScene, mark)
        assert visible(node.log.panel()) == picture


def test_a_cut_link_comes_back_twenty_times(boot: Boot, cable: Lay, node_toml: dict) -> None:
    node = boot("node", settings={"LINK_SILENCE_MS": 200})
    line = cable(node)
    with hosting(line) as host:
        host.wait(LinkUp)
        for turn in range(20):
            lights, picture = some_scene(turn)
            mark = host.mark()
            host.link.show(lights, picture)
            host.wait(ShownScene, mark)
            mark = host.mark()
            line.pull()
            host.wait(LinkDown, mark)
            if turn % 2:
                # Long enough for the node to notice.
                assert until(lambda: not any(node.log.lights()[-1]))
                lights, picture = some_scene(100 + turn)
                host.link.show(lights, picture)
            line.plug_in()
            host.wait(ShownScene, mark)
            assert visible(node.log.panel()) == picture
            assert node.log.lights()[-1] == strip_of(lights, node_toml)


def test_another_host_takes_over_after_the_first_has_gone(boot: Boot, cable: Lay) -> None:
    node = boot("node")
    line = cable(node)
    for seed in range(3):
        with hosting(line) as host:
            host.wait(LinkUp)
            lights, picture = some_scene(seed)
            host.link.show(lights, picture)
            host.wait(ShownScene)
            assert visible(node.log.panel()) == picture


def test_a_node_that_was_reset_is_given_the_scene_again(boot: Boot, cable: Lay) -> None:
    node = boot("node")
    with hosting(cable(node)) as host:
        host.wait(LinkUp)
        lights, picture = some_scene(5)
        host.link.show(lights, picture)
        host.wait(ShownScene)
        node.stop()
        node.start()
        mark = host.mark()
        host.wait(ShownScene, mark)
        assert visible(node.log.panel()) == picture


def test_presses_short_and_long_come_once_each_in_their_order(boot: Boot, cable: Lay) -> None:
    node = boot("node", settings={"LONG_PRESS_MS": 250})
    with hosting(cable(node)) as host:
        host.wait(LinkUp)
        for pin in PINS.values():
            node.press(pin, True)
            until(lambda: False, 0.08)
            node.press(pin, False)
            until(lambda: False, 0.06)
        node.press(PINS[Button.PASS], True)
        host.wait(ButtonPressed, count=5)
        until(lambda: False, 0.6)
        node.press(PINS[Button.PASS], False)
        until(lambda: False, 0.4)
        pressed = [(news.button, news.press) for news in host.wait(ButtonPressed)]
        assert pressed == [(button, Press.SHORT) for button in PINS] + [(Button.PASS, Press.LONG)]


def test_a_bouncing_contact_is_one_press(boot: Boot, cable: Lay) -> None:
    node = boot("node")
    with hosting(cable(node)) as host:
        host.wait(LinkUp)
        for _ in range(8):
            node.press(PINS[Button.TAKE], True)
            until(lambda: False, 0.003)
            node.press(PINS[Button.TAKE], False)
            until(lambda: False, 0.003)
        node.press(PINS[Button.TAKE], True)
        until(lambda: False, 0.1)
        node.press(PINS[Button.TAKE], False)
        host.wait(ButtonPressed)
        until(lambda: False, 0.3)
        assert len(host.wait(ButtonPressed)) == 1


def test_a_press_that_nobody_could_see_take_effect_is_forgotten(boot: Boot, cable: Lay) -> None:
    node = boot("node", settings={"LINK_SILENCE_MS": 300})
    line = cable(node)
    line.pull()
    until(lambda: False, 0.5)
    node.press(PINS[Button.PASS], True)
    until(lambda: False, 0.1)
    node.press(PINS[Button.PASS], False)
    until(lambda: False, 0.1)
    line.plug_in()
    with hosting(line) as host:
        host.wait(LinkUp)
        until(lambda: False, 0.5)
        assert not [news for news in host.news if isinstance(news, ButtonPressed)]


def test_a_dead_screen_stops_nothing_and_is_found_again(boot: Boot, cable: Lay, node_toml: dict) -> None:
    """CASES 35: neither the lights nor the newest picture wait for it."""
    node = boot("node")
    with hosting(cable(node)) as host:
        host.wait(LinkUp)
        node.plug()
        lights, picture = some_scene(8)
        host.link.show(lights, picture)
        host.wait(ShownScene)
        assert node.log.lights()[-1] == strip_of(lights, node_toml)
        assert visible(node.log.panel()) != picture
        node.plug(0x3C)
        assert until(lambda: visible(node.log.panel()) == picture, 4.0)


def test_a_tone_sounds_and_ends_by_itself(boot: Boot, cable: Lay) -> None:
    node = boot("node")
    with hosting(cable(node)) as host:
        host.wait(LinkUp)
        host.link.buzz(880, 80)

        def tones() -> list[tuple[int, int]]:
            return [(on, int.from_bytes(data, "little")) for letter, on, data in node.log.records() if letter == "B"]

        assert until(lambda: tones()[-1:] == [(1, 880)])
        assert until(lambda: tones()[-1:] == [(0, 880)])


def test_a_whole_match_worth_of_scenes_uses_no_more_memory(boot: Boot, cable: Lay) -> None:
    node = boot("node")
    with hosting(cable(node)) as host:
        host.wait(LinkUp)

        def heap() -> Stats:
            mark = host.mark()
            host.link.ask_stats()
            return host.wait(Stats, mark)[0]

        peaks = []
        for seed in range(300):
            mark = host.mark()
            host.link.show(*some_scene(seed))
            host.wait(ShownScene, mark)
            if seed in (50, 299):
                peaks.append(heap())
        assert peaks[1].bad_frames == 0
        assert peaks[1].scenes >= 300
        # The heartbeat's clock may box a number now and then; a scene allocates nothing.
        assert peaks[1].heap_peak - peaks[0].heap_peak < 4096


def test_asked_to_hold_it_stops_and_stays_stopped_until_the_update_is_whole(boot: Boot) -> None:
    node = boot("node")
    node.may_end = True

    def ended() -> bool:
        return node.process is not None and node.process.poll() is not None

    node.write(encode_frame(to_frame(Hold(), 1)))
    assert until(ended)
    assert (node.home / "hold").exists()
    assert node.log.records()[-1][0] == "R"
    node.start()
    assert until(ended)
    assert b"held for an update" in node.read(0.2)
    (node.home / "hold").unlink()
    node.start()
    node.write(encode_frame(to_frame(Hello(), 1)))
    assert until(lambda: bool(FrameReader().feed(node.read(0.1))))
    assert not ended()


def test_the_trial_finds_lights_screen_and_buttons(boot: Boot, cable: Lay) -> None:
    node = boot("node")
    line = cable(node)

    def plugged() -> list[Port]:
        return [Port(line.path, "E66", "2E8A:0005")] if line.path else []

    told = []
    for good, message in trial(None, ports=plugged, light_s=0, buttons_s=1.5):
        told.append((good, message.id))
        if message.id == "doctor.node.press":
            for pin in PINS.values():
                if pin != PINS[Button.PASS]:
                    node.press(pin, True)
                    until(lambda: False, 0.06)
                    node.press(pin, False)
    assert told == [
        (True, "doctor.node.link"),
        (True, "doctor.node.screen"),
        (True, "doctor.node.lights"),
        (True, "doctor.node.speed"),
        (True, "doctor.node.capped"),
        (True, "doctor.node.press"),
        *[(True, "doctor.node.pressed.short")] * 3,
        (False, "doctor.node.not_pressed"),
        (True, "doctor.node.heap"),
    ]


def test_the_trial_of_an_absent_node_says_so(tmp_path: Path) -> None:
    (said,) = trial(str(tmp_path / "no-port"), patience_s=0.3)
    assert (said[0], said[1].id) == (False, "doctor.node.silent")
