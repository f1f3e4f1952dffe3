"""MicroPython's `network`, as far as the radio needs it."""

STA_IF = 0


class WLAN:
    def __init__(self, interface):
        pass

    def active(self, on):
        return on

    def config(self, **settings):
        pass
