"""Whether a device is there, told once each way (DESIGN: lost devices are logged once each way)."""

import threading

from nardi.game.observation import DeviceFound, DeviceLost
from nardi.ports import Clock, Post

PATIENCE_S = 4.0
"""A device that has not shown itself for so long after the start is missing."""


class Presence:
    """`DeviceLost` and `DeviceFound` of one device; from any thread. Nothing is told before `start` or after `stop`."""

    def __init__(self, device: str, clock: Clock, patience_s: float | None = None) -> None:
        self._device = device
        self._clock = clock
        self._patience_s = PATIENCE_S if patience_s is None else patience_s
        self._lock = threading.Lock()
        self._there: bool | None = None
        self._post: Post | None = None
        self._timer: threading.Timer | None = None

    def start(self, post: Post) -> None:
        self._post = post
        self._timer = threading.Timer(self._patience_s, self._missed)
        self._timer.daemon = True
        self._timer.start()

    def found(self) -> None:
        self._tell(True)

    def lost(self) -> None:
        self._tell(False)

    def stop(self) -> None:
        self._post = None
        if self._timer is not None:
            self._timer.cancel()

    def _missed(self) -> None:
        if self._there is None:
            self.lost()

    def _tell(self, there: bool) -> None:
        with self._lock:
            if self._there is there:
                return
            self._there = there
        post, now = self._post, self._clock.now_ms()
        if post is not None:
            # The first finding matters as well: a match that is resumed may have it on record as lost.
            post(DeviceFound(now, self._device) if there else DeviceLost(now, self._device))
