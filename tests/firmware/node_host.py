"""The host's side of the node tests: a `NodeLink` on a cable, with its news gathered."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from microcontroller import Cable

from nardi.devices.node import NodeLink, NodeNews
from nardi.devices.serial_line import Address, Port

News = TypeVar("News")
SERIAL_NUMBER = "E6614103E7172B2F"


class Host:
    """Finds the node by its serial number, as the names of ptys change with each plugging in."""

    def __init__(self, cable: Cable) -> None:
        self.news: list[NodeNews] = []
        self._heard = threading.Condition()

        def ports() -> list[Port]:
            path = cable.path
            return [Port(path, SERIAL_NUMBER, "2E8A:0005")] if path else []

        self.link = NodeLink(Address(serial_number=SERIAL_NUMBER), self._hear, ports=ports)
        self.link.start()

    def _hear(self, news: NodeNews) -> None:
        with self._heard:
            self.news.append(news)
            self._heard.notify_all()

    def mark(self) -> int:
        """The place in the news where they end now."""
        return len(self.news)

    def wait(self, kind: type[News], since: int = 0, seconds: float = 5.0, count: int = 1) -> list[News]:
        """The news of `kind` from `since` on, as soon as there are `count` of them."""

        def found() -> list[News]:
            return [news for news in self.news[since:] if isinstance(news, kind)]

        with self._heard:
            assert self._heard.wait_for(lambda: len(found()) >= count, seconds), (
                f"{len(found())} of {count} {kind.__name__} in {seconds} s; news: {self.news[since:][-5:]}"
            )
            return found()


def until(true: Callable[[], bool], seconds: float = 3.0) -> bool:
    """Waits until `true()`, at most `seconds`; whether it came."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True
