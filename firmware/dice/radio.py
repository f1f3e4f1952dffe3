"""ESP-NOW: dice call to everybody on their channel, the base answers each line. No pairing; one channel a table."""

import espnow
import network
from micropython import const

EVERYBODY = b"\xff\xff\xff\xff\xff\xff"
# ESP-NOW's own limit; a line is a quarter of it.
LONGEST = const(250)


class Radio:
    def __init__(self, channel):
        self._channel = channel
        self._station = network.WLAN(network.STA_IF)
        self._now = espnow.ESPNow()
        self._awake = False
        self._wake()

    def _wake(self):
        self._station.active(True)
        self._station.config(channel=self._channel)
        self._now.active(True)
        try:
            self._now.add_peer(EVERYBODY)
        except OSError:
            # Remembered from before the rest.
            pass
        self._awake = True

    def rest(self):
        """Off, until the next call; what is said meanwhile is not heard."""
        if self._awake:
            self._now.active(False)
            self._station.active(False)
            self._awake = False

    def call(self, message):
        """To everybody; nobody's hardware acknowledges that, so the base does it with a message."""
        if not self._awake:
            self._wake()
        try:
            self._now.send(EVERYBODY, message, False)
        except OSError:
            # Its queue is full: the line is repeated anyway.
            return

    def heard(self):
        """The next message that has come, or None."""
        if not self._awake or not self._now.any():
            return None
        return self._now.recv(0)[1]
