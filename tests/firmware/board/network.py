"""MicroPython's `network`, as far as the radio needs it: it goes on and off, which the log shows."""

import machine

STA_IF = 0


class WLAN:
    def __init__(self, interface):
        pass

    def active(self, on):
        machine.record(78, int(on), b"")  # N
        return on

    def config(self, **settings):
        pass
