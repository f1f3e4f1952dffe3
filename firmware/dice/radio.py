"""ESP-NOW: dice call to everybody on their channel, the base answers each line. No pairing; one channel a table."""

import espnow
import network
from micropython import const

EVERYBODY = b"\xff\xff\xff\xff\xff\xff"
# ESP-NOW's own limit; a line is a quarter of it.
LONGEST = const(250)


class Radio:
    def __init__(self, channel):
        station = network.WLAN(network.STA_IF)
        station.active(True)
        station.config(channel=channel)
        self._now = espnow.ESPNow()
        self._now.active(True)
        self._now.add_peer(EVERYBODY)

    def call(self, message):
        """To everybody; nobody's hardware acknowledges that, so the base does it with a message."""
        try:
            self._now.send(EVERYBODY, message, False)
        except OSError:
            # Its queue is full: the line is repeated anyway.
            return

    def heard(self):
        """The next message that has come, or None."""
        if not self._now.any():
            return None
        return self._now.recv(0)[1]
