# ruff: noqa: SIM105 -- MicroPython has no contextlib.
"""MicroPython's `espnow` over loopback datagrams: NARDI_AIR names our port and then everybody else's.

NARDI_AIR_LOSS: how many messages in a hundred are lost on their way.
"""

import os
import random
import socket


class ESPNow:
    def __init__(self):
        own, *others = os.getenv("NARDI_AIR").split(",")
        self._loss = int(os.getenv("NARDI_AIR_LOSS") or "0")
        self._others = [socket.getaddrinfo("127.0.0.1", int(port))[0][-1] for port in others]
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(socket.getaddrinfo("127.0.0.1", int(own))[0][-1])
        self._socket.setblocking(False)
        self._next = None

        self._on = False

    def active(self, on):
        self._on = on
        return on

    def add_peer(self, mac):
        pass

    def send(self, mac, message, sync):
        if not self._on:
            raise OSError("ESPNow is not active")
        for other in self._others:
            if random.randrange(100) >= self._loss:
                try:
                    self._socket.sendto(message, other)
                except OSError:
                    # Nobody at that port (any more): radio waves do not mind.
                    pass
        return True

    def any(self):
        if not self._on:
            raise OSError("ESPNow is not active")
        if self._next is None:
            try:
                self._next = self._socket.recv(250)
            except OSError:
                return False
        return True

    def recv(self, timeout_ms):
        message = self._next if self.any() else None
        self._next = None
        return (b"\x02\x00\x00\x00\x00\x01" if message is not None else None), message
