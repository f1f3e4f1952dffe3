"""The display node as an adapter: scenes are painted here and shown there; its buttons come back."""

from collections.abc import Callable

from nardi.devices.node import ButtonPressed, LinkDown, LinkUp, NodeLink, NodeNews, in_image_order
from nardi.devices.url import DeviceUrl
from nardi.game.observation import DeviceFound, DeviceLost
from nardi.game.seating import Seating
from nardi.ports import Clock, Post, Pushed
from nardi.views.paint import page_bytes, paint
from nardi.views.scene import Scene


class NodeDisplay:
    """A display node named by a URL (`serial:/dev/serial/by-id/…`)."""

    def __init__(self, url: str, clock: Clock, seating: Callable[[], Seating | None]) -> None:
        self._clock = clock
        self._seating = seating
        self._post: Post | None = None
        self._pushed: Pushed | None = None
        self._link = NodeLink.from_url(DeviceUrl.parse(url, ("serial",)), self._heard)

    def start(self, post: Post, pushed: Pushed) -> None:
        self._post, self._pushed = post, pushed
        self._link.start()

    def show(self, scene: Scene) -> None:
        seating = self._seating()
        corner = 0 if seating is None else seating.white_ace_corner
        self._link.show(in_image_order(scene.lights, corner), page_bytes(paint(scene.screen)))
        if scene.buzz:
            self._link.buzz(880, 120)

    def stop(self) -> None:
        self._link.stop()

    def _heard(self, news: NodeNews) -> None:
        if self._post is None or self._pushed is None:
            return
        match news:
            case ButtonPressed(button=button, press=press):
                self._pushed(button, press, self._clock.now_ms())
            case LinkUp():
                self._post(DeviceFound(self._clock.now_ms(), "display"))
            case LinkDown():
                self._post(DeviceLost(self._clock.now_ms(), "display"))
            case _:
                pass
