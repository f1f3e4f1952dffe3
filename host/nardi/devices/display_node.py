"""The display node as an adapter: scenes are painted here and shown there; its buttons come back."""

import time
from collections.abc import Callable, Iterable

from nardi.devices.node import ButtonPressed, LinkDown, LinkUp, NodeLink, NodeNews
from nardi.devices.presence import Presence
from nardi.devices.serial_line import Address, Port, plugged_ports
from nardi.devices.url import DeviceUrl
from nardi.game.seating import Seating
from nardi.ports import Clock, Post, Pushed
from nardi.views.light_places import in_image_order
from nardi.views.paint import page_bytes, paint
from nardi.views.scene import Scene


class NodeDisplay:
    """A display node named by a URL (`serial:/dev/serial/by-id/…`)."""

    def __init__(
        self,
        url: str,
        clock: Clock,
        seating: Callable[[], Seating | None],
        *,
        ports: Callable[[], Iterable[Port]] = plugged_ports,
    ) -> None:
        self._clock = clock
        self._seating = seating
        self._pushed: Pushed | None = None
        self._presence = Presence("display", clock)
        self._buzzing = False
        self._last: tuple[Scene, int] | None = None
        self.link = NodeLink(Address.from_url(DeviceUrl.parse(url, ("serial",))), self._heard, ports=ports)

    def start(self, post: Post, pushed: Pushed) -> None:
        self._pushed = pushed
        self._presence.start(post)
        self.link.start()

    def show(self, scene: Scene) -> None:
        seating = self._seating()
        corner = 0 if seating is None else seating.white_ace_corner
        if (scene, corner) == self._last:
            # The link itself shows the last one again after a cut.
            return
        self._last = scene, corner
        self.link.show(in_image_order(scene.lights, corner), page_bytes(paint(scene.screen)))
        if scene.buzz and not self._buzzing:
            self.link.buzz(880, 120)
        self._buzzing = scene.buzz

    def stop(self) -> None:
        self._presence.stop()
        self.link.stop()

    def _heard(self, news: NodeNews) -> None:
        match news:
            case ButtonPressed(button=button, press=press, at_ms=at_ms) if self._pushed is not None:
                # The link's times are the monotonic clock's: how long ago it was pressed holds on any clock.
                ago_ms = max(0, time.monotonic_ns() // 1_000_000 - at_ms)
                self._pushed(button, press, self._clock.now_ms() - ago_ms)
            case LinkUp(usable=True):
                self._presence.found()
            case LinkUp() | LinkDown():
                self._presence.lost()
            case _:
                pass
