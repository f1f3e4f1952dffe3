"""What is said to the node and when, without a line: newest wins, repeats, acknowledgements, silence (CASES 35)."""

from nardi.devices.node import (
    PING_MS,
    RESEND_MS,
    SILENCE_MS,
    Button,
    ButtonPressed,
    LinkDown,
    LinkUp,
    NodeNews,
    NodeTalk,
    Press,
    ShownScene,
)
from nardi.devices.wire.frame import Frame, FrameReader, encode_frame
from nardi.devices.wire.packet import Ack, AskStats, Buzz, Hello, HostPacket, Kind, Ping, ScenePacket, from_host
from nardi.views.light_places import in_image_order

CHIP = b"\xe6\x61\x00\xff"


class Talked:
    """A conversation with the node's part played by the test; `said` is what the host has said so far."""

    def __init__(self) -> None:
        self.news: list[NodeNews] = []
        self.talk = NodeTalk(self.news.append)
        self.frames: list[Frame] = []
        self._reader = FrameReader()
        self._keep(self.talk.up(0))

    def _keep(self, data: bytes) -> None:
        self.frames += self._reader.feed(data)

    def tick(self, now_ms: int) -> list[HostPacket | None]:
        """What the host says at `now_ms`."""
        before = len(self.frames)
        self._keep(self.talk.tick(now_ms))
        return [from_host(frame) for frame in self.frames[before:]]

    def node(self, kind: Kind, payload: bytes, now_ms: int) -> list[HostPacket | None]:
        """The node says this; what the host answers at once."""
        before = len(self.frames)
        self._keep(self.talk.received(encode_frame(Frame(kind, 1, payload)), now_ms))
        return [from_host(frame) for frame in self.frames[before:]]

    def greet(self, now_ms: int, boot: int = 7, wire: int = 1) -> None:
        self.node(Kind.I_AM, bytes((wire, 1, 0, 0, 3, 27, boot, 0, len(CHIP))) + CHIP, now_ms)

    def done(self, now_ms: int, capped: bool = False) -> None:
        seq = self.frames[-1].seq
        self.node(Kind.DONE, bytes((seq, 15 if capped else 7)) + bytes((100, 0, 0, 0, 200, 0, 0, 0)), now_ms)


def scene(level: int) -> ScenePacket:
    return ScenePacket(((level,) * 3,) * 27, bytes([level]) * 1024)  # type: ignore[arg-type]


def test_it_greets_until_it_is_answered_and_sends_nothing_else() -> None:
    it = Talked()
    assert [from_host(frame) for frame in it.frames] == [Hello()]
    it.talk.want(scene(1))
    it.talk.want(Buzz(440, 10))
    assert it.tick(10) == []
    assert it.tick(PING_MS) == [Hello()]
    it.greet(PING_MS + 5)
    assert it.news == [LinkUp((1, 0, 0), CHIP.hex(), True, True)]
    # The scene has waited; the tone was for a moment that has passed.
    assert it.tick(PING_MS + 6) == [scene(1)]


def test_while_one_scene_is_under_way_only_the_newest_of_the_others_waits() -> None:
    it = Talked()
    it.greet(1)
    it.talk.want(scene(1))
    assert it.tick(2) == [scene(1)]
    for level in range(2, 9):
        it.talk.want(scene(level))
        assert it.tick(2 + level) == []
    it.done(20)
    assert it.news[-1] == ShownScene(18, 100, 200, False)
    assert it.tick(21) == [scene(8)]
    it.done(30, capped=True)
    assert it.news[-1] == ShownScene(9, 100, 200, True)
    assert it.tick(31) == []


def test_a_scene_that_nobody_confirms_is_sent_again_as_the_newest() -> None:
    it = Talked()
    it.greet(1)
    it.talk.want(scene(1))
    it.tick(2)
    it.talk.want(scene(2))
    assert it.tick(RESEND_MS + 1) == []
    assert it.tick(RESEND_MS + 2) == [scene(2)]
    # An answer to the first one confirms nothing now.
    it.node(Kind.DONE, bytes((it.frames[-2].seq, 7)) + bytes(8), RESEND_MS + 3)
    assert not [news for news in it.news if isinstance(news, ShownScene)]
    assert it.tick(2 * RESEND_MS + 2) == [scene(2)]


def test_it_pings_when_there_is_nothing_to_say() -> None:
    it = Talked()
    it.greet(1)
    assert [it.tick(at) for at in (10, PING_MS - 1, PING_MS, PING_MS + 1, 2 * PING_MS)] == [
        [],
        [],
        [Ping()],
        [],
        [Ping()],
    ]


def test_a_node_without_a_scene_is_given_it_again() -> None:
    it = Talked()
    it.greet(1)
    it.talk.want(scene(3))
    it.tick(2)
    it.done(3)
    assert it.tick(4) == []
    it.node(Kind.HEARTBEAT, bytes((0, 1, 0, 0, 0, 3, 0)), 1000)
    assert scene(3) in it.tick(1001)


def test_every_press_is_acknowledged_and_told_once() -> None:
    it = Talked()
    it.greet(1)
    press = bytes((1, Button.TAKE, Press.SHORT, 50, 0))
    assert it.node(Kind.BUTTON, press, 1000) == [Ack(1)]
    assert it.node(Kind.BUTTON, press, 1200) == [Ack(1)]
    pressed = [news for news in it.news if isinstance(news, ButtonPressed)]
    # When it went down, not when it was heard of.
    assert pressed == [ButtonPressed(Button.TAKE, Press.SHORT, 950)]
    # The acknowledgement was lost with the link: the same press again is the same press ...
    it.talk.down(1300)
    it.talk.up(1400)
    it.greet(1410)
    it.node(Kind.BUTTON, press, 1420)
    assert len([news for news in it.news if isinstance(news, ButtonPressed)]) == 1
    # ... unless the node has started anew, and counts anew.
    it.greet(2000, boot=8)
    it.node(Kind.BUTTON, press, 2100)
    assert len([news for news in it.news if isinstance(news, ButtonPressed)]) == 2


def test_a_cut_is_told_once_and_the_whole_scene_sent_on_return() -> None:
    it = Talked()
    it.greet(1)
    it.talk.want(scene(4))
    it.tick(2)
    it.talk.down(50)
    it.talk.down(60)
    assert [news for news in it.news if isinstance(news, LinkDown)] == [LinkDown()]
    it.talk.want(AskStats())
    it._keep(it.talk.up(500))
    it.greet(510)
    assert it.tick(511) == [scene(4)]


def test_silence_closes_the_port() -> None:
    it = Talked()
    it.greet(100)
    assert not it.talk.silent(100 + SILENCE_MS - 1)
    assert it.talk.silent(100 + SILENCE_MS)


def test_a_node_of_another_wire_is_told_once_and_shown_nothing() -> None:
    it = Talked()
    it.talk.want(scene(1))
    it.greet(1, wire=2)
    it.greet(900, wire=2)
    assert it.news == [LinkUp((1, 0, 0), CHIP.hex(), False, True)]
    assert scene(1) not in it.tick(1000)


def test_lights_in_image_order() -> None:
    # Told apart by their red: White's points 1-24, bar 25, White's tray 26, Black's 27.
    lights = tuple((number, 0, 0) for number in range(1, 28))
    far_left_to_right = {0: 1, 1: 12, 2: 13, 3: 24}
    near_left_to_right = {0: 24, 1: 13, 2: 12, 3: 1}
    for corner in range(4):
        slots = [red for red, _, _ in in_image_order(lights, corner)]
        assert slots[0] == far_left_to_right[corner]
        assert slots[12] == near_left_to_right[corner]
        assert sorted(slots[:24]) == list(range(1, 25))
        # The ace is at its corner; opposite points add up to 25.
        assert slots[{0: 0, 1: 11, 2: 23, 3: 12}[corner]] == 1
        assert all(far + near == 25 for far, near in zip(slots[:12], slots[12:24], strict=True))
        assert slots[24:] == ([25, 26, 27] if corner < 2 else [25, 27, 26])
