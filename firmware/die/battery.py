"""The charge of a single lithium cell from its voltage at light load: percent, along a usual discharge curve."""

_CURVE = ((3300, 0), (3500, 5), (3600, 10), (3700, 25), (3800, 50), (3900, 70), (4000, 85), (4150, 100))


def percent(millivolts):
    low = _CURVE[0]
    if millivolts <= low[0]:
        return 0
    for high in _CURVE[1:]:
        if millivolts <= high[0]:
            return low[1] + (high[1] - low[1]) * (millivolts - low[0]) // (high[0] - low[0])
        low = high
    return 100


class Battery:
    def __init__(self, adc, divider):
        self._adc = adc
        self._divider = divider
        if hasattr(adc, "atten"):
            # An ESP32 measures no more than 1 V unless told.
            adc.atten(adc.ATTN_11DB)

    def percent(self):
        adc = self._adc
        # Only an ESP32 knows its own calibration; a Pico's full scale is its 3.3 V.
        microvolts = adc.read_uv() if hasattr(adc, "read_uv") else adc.read_u16() * 3300 // 65535 * 1000
        return percent(int(microvolts * self._divider) // 1000)
