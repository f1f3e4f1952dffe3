"""The WS2812 lights, kept within a budget of current whatever the host sends."""

import micropython
from micropython import const
from neopixel import NeoPixel

_UNUSED = const(255)


@micropython.viper
def _lay(lights: ptr8, start: int, count: int, chain: ptr8, leds: int, out: ptr8) -> int:
    """Lays the lights' r, g, b out along the chain as g, r, b; the sum of all channels."""
    total = 0
    for i in range(leds):
        light = chain[i]
        at = i * 3
        if light < count:
            source = start + light * 3
            out[at] = lights[source + 1]
            out[at + 1] = lights[source]
            out[at + 2] = lights[source + 2]
            total += lights[source] + lights[source + 1] + lights[source + 2]
        else:
            out[at] = 0
            out[at + 1] = 0
            out[at + 2] = 0
    return total


@micropython.viper
def _dim(out: ptr8, count: int, share: int):
    for i in range(count):
        out[i] = (out[i] * share) >> 8


class Strip:
    """`chain`: for each LED of the data line the number of the light it shows, 255 for none."""

    def __init__(self, pin, chain, budget_ma, channel_ma, idle_ma):
        self.leds = len(chain)
        self.capped = 0
        self.dimmed = False
        self._chain = bytes(chain)
        self._pixels = NeoPixel(pin, self.leds)
        # Budget in channel steps (1/255 of a channel's current); below 2**30 for 400 LEDs at 20 mA.
        self._budget_steps = max(0, budget_ma - idle_ma * self.leds) * 255 // channel_ma

    def show(self, data, start, count):
        """Lights `count` lights, r, g, b each, from `data[start]` on; the lights beyond stay dark."""
        out = self._pixels.buf
        total = _lay(data, start, count, self._chain, self.leds, out)
        self.dimmed = total > self._budget_steps
        if self.dimmed:
            # Every channel is rounded down, so the sum cannot pass the budget.
            _dim(out, self.leds * 3, self._budget_steps * 256 // total)
            self.capped += 1
        self._pixels.write()

    def dark(self):
        self.show(self._chain, 0, 0)
