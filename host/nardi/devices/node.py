"""The link to the display node: the newest scene wins, button presses come back once each, a cut heals by itself."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from nardi.devices.serial_line import Address, Port, SerialLine, plugged_ports
from nardi.devices.url import DeviceUrl
from nardi.devices.wire.frame import FrameReader, encode_frame
from nardi.devices.wire.packet import (
    WIRE_VERSION,
    Ack,
    AskStats,
    Button,
    ButtonEvent,
    Buzz,
    Done,
    Heartbeat,
    Hello,
    Hold,
    HostPacket,
    IAm,
    NodeState,
    Ping,
    Press,
    Rgb,
    ScenePacket,
    Stats,
    from_node,
    to_frame,
)

__all__ = ["Button", "ButtonPressed", "LinkDown", "LinkUp", "NodeLink", "NodeNews", "NodeTalk", "Press", "ShownScene"]

PING_MS = 800
RESEND_MS = 400
SILENCE_MS = 3000


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """`at_ms`: when the button went down, by the host's clock."""

    button: Button
    press: Press
    at_ms: int


@dataclass(frozen=True, slots=True)
class LinkUp:
    """A node answers. `usable` is False where it speaks another version of the wire: flash it."""

    version: tuple[int, int, int]
    id: str
    usable: bool
    screen_alive: bool


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The node is gone: what it shows and whether buttons are pressed is unknown."""


@dataclass(frozen=True, slots=True)
class ShownScene:
    """The newest scene is shown: `round_trip_ms` since it was sent; `whole_us` of it inside the node."""

    round_trip_ms: int
    lit_us: int
    whole_us: int
    capped: bool


NodeNews = ButtonPressed | LinkUp | LinkDown | ShownScene | Stats


class NodeTalk:
    """What is said to the node and heard from it, without I/O (a `serial_line.Talk`).

    At most one scene waits and at most one is under way: the waiting one is replaced by a newer one, and follows when
    the node says that it is done with the one before, or has not said so for `RESEND_MS`.
    """

    def __init__(self, news: Callable[[NodeNews], None]) -> None:
        self.bad_packets = 0
        self.sent_bytes = 0
        self._news = news
        self._reader = FrameReader()
        self._lock = threading.Lock()
        self._wanted: ScenePacket | None = None
        self._once: list[HostPacket] = []
        self._seq = 0
        self._linked = False
        self._waiting = False
        self._under_way: int | None = None
        self._sent_at = 0
        self._spoke_at = 0
        self._heard_at = 0
        self._last_event = 0
        self._boot = -1
        self._told_unusable = False

    @property
    def bad_frames(self) -> int:
        """Pieces of line that were no frame, since the start."""
        return self._reader.bad

    @property
    def linked(self) -> bool:
        return self._linked

    def want(self, packet: HostPacket) -> None:
        """From any thread. A scene replaces the one that waits; everything else is sent once, if anybody is there."""
        with self._lock:
            if isinstance(packet, ScenePacket):
                self._wanted = packet
                self._waiting = True
            elif self._linked:
                self._once.append(packet)

    def up(self, now_ms: int) -> bytes:
        self._heard_at = now_ms
        self._reader.forget()
        # A zero first: it ends whatever the node took for the beginning of a frame.
        return b"\0" + self._frame(Hello(), now_ms)

    def received(self, data: bytes, now_ms: int) -> bytes:
        answer = b""
        for frame in self._reader.feed(data):
            packet = from_node(frame)
            if packet is None:
                self.bad_packets += 1
            else:
                self._heard_at = now_ms
                answer += self._take(packet, now_ms)
        return answer

    def tick(self, now_ms: int) -> bytes:
        out = b""
        with self._lock:
            once, self._once = self._once, []
            wanted = self._wanted
            late = self._under_way is not None and now_ms - self._sent_at >= RESEND_MS
            due = self._linked and wanted is not None and (late or (self._waiting and self._under_way is None))
            if due:
                self._waiting = False
        for packet in once:
            out += self._frame(packet, now_ms)
        if due and wanted is not None:
            out += self._frame(wanted, now_ms)
            self._under_way = self._seq
            self._sent_at = now_ms
        if not out and now_ms - self._spoke_at >= PING_MS:
            # Until the node has said who it is, the greeting is repeated: the first may have been lost.
            out = self._frame(Ping() if self._linked else Hello(), now_ms)
        return out

    def silent(self, now_ms: int) -> bool:
        return now_ms - self._heard_at >= SILENCE_MS

    def down(self, now_ms: int) -> None:
        with self._lock:
            was_linked, self._linked = self._linked, False
            self._once.clear()
        if was_linked:
            self._news(LinkDown())

    def _take(self, packet: IAm | Heartbeat | Done | ButtonEvent | Stats, now_ms: int) -> bytes:
        match packet:
            case IAm():
                self._greet(packet)
            case Heartbeat():
                if not packet.state & NodeState.HAS_SCENE and self._under_way is None:
                    # It was reset, or thought us gone.
                    self._resend()
            case Done():
                if packet.scene == self._under_way:
                    self._under_way = None
                    self._news(
                        ShownScene(
                            now_ms - self._sent_at,
                            packet.lit_us,
                            packet.whole_us,
                            bool(packet.state & NodeState.CAPPED),
                        )
                    )
            case ButtonEvent():
                if packet.event != self._last_event:
                    self._last_event = packet.event
                    self._news(ButtonPressed(packet.button, packet.press, now_ms - packet.age_ms))
                return self._frame(Ack(packet.event), now_ms)
            case Stats():
                self._news(packet)
        return b""

    def _greet(self, who: IAm) -> None:
        usable = who.wire == WIRE_VERSION
        with self._lock:
            first = not self._linked
            self._linked = usable
        if who.boot != self._boot:
            # It has started anew, and counts its presses anew. After a mere cut it would tell the last one again.
            self._boot = who.boot
            self._last_event = 0
        self._resend()
        if first and (usable or not self._told_unusable):
            self._told_unusable = not usable
            self._news(LinkUp(who.version, who.id.hex(), usable, bool(who.state & NodeState.SCREEN_ALIVE)))

    def _resend(self) -> None:
        with self._lock:
            self._under_way = None
            self._waiting = self._wanted is not None

    def _frame(self, packet: HostPacket, now_ms: int) -> bytes:
        self._seq = (self._seq + 1) & 0xFF
        self._spoke_at = now_ms
        data = encode_frame(to_frame(packet, self._seq))
        self.sent_bytes += len(data)
        return data


class NodeLink:
    """A display node on a serial port. `news` is called from the link's own thread and must return at once."""

    def __init__(
        self,
        address: Address,
        news: Callable[[NodeNews], None],
        *,
        ports: Callable[[], Iterable[Port]] = plugged_ports,
    ) -> None:
        self.talk = NodeTalk(news)
        self._line = SerialLine(address, self.talk, ports=ports)

    @staticmethod
    def from_url(url: DeviceUrl, news: Callable[[NodeNews], None]) -> "NodeLink":
        return NodeLink(Address.from_url(url), news)

    def start(self) -> None:
        self._line.start()

    def stop(self) -> None:
        self._line.stop()

    def show(self, lights: tuple[Rgb, ...], picture: bytes) -> None:
        """Shows this as soon as may be, and again after every cut. Never blocks. `lights` in board.toml's order."""
        self.talk.want(ScenePacket(lights, picture))
        self._line.wake()

    def buzz(self, hertz: int, length_ms: int) -> None:
        self.talk.want(Buzz(hertz, length_ms))
        self._line.wake()

    def ask_stats(self) -> None:
        """The answer comes as `Stats` among the news."""
        self.talk.want(AskStats())
        self._line.wake()

    def hold(self) -> None:
        """Sends the node to its prompt, to be given new files."""
        self.talk.want(Hold())
        self._line.wake()
