"""A 128x64 OLED with SSD1306 or SH1106 on I2C: shows a picture of eight pages of 128 bytes, bit 0 uppermost.

Ours because micropython-lib's `ssd1306` knows no SH1106, sends the whole picture at once (25 ms in which nothing else
happens) and gives up at the first I2C error. This one sends one changed page a step, and finds a panel again that was
unplugged. Both controllers are driven in page addressing mode, the only one that the SH1106 has.
"""

import micropython
from micropython import const

WIDTH = const(128)
HEIGHT = const(64)
PAGES = const(8)
SIZE = const(1024)

_COMMANDS = const(0x00)  # control byte: commands follow
_DATA = const(0x40)  # control byte: picture bytes follow
_SET_COLUMN_LOW = const(0x00)
_SET_COLUMN_HIGH = const(0x10)
_SET_PAGE = const(0xB0)
_RETRY_MS = const(2000)

# Display off, clock, 64 rows, no offset, start line 0, the controller's own pump, rows and columns turned so that the
# connector is uppermost, pins, contrast, precharge, level, follow RAM, not inverse, display on.
_START = {
    # 0x8D 0x14: charge pump on; 0x20 0x02: page addressing.
    "ssd1306": bytes((_COMMANDS, 0xAE, 0xD5, 0x80, 0xA8, 0x3F, 0xD3, 0x00, 0x40, 0x8D, 0x14, 0x20, 0x02, 0xA1, 0xC8,
                      0xDA, 0x12, 0x81, 0xCF, 0xD9, 0xF1, 0xDB, 0x40, 0xA4, 0xA6, 0xAF)),
    # 0xAD 0x8B: converter on.
    "sh1106": bytes((_COMMANDS, 0xAE, 0xD5, 0x80, 0xA8, 0x3F, 0xD3, 0x00, 0x40, 0xAD, 0x8B, 0xA1, 0xC8,
                     0xDA, 0x12, 0x81, 0x80, 0xD9, 0x22, 0xDB, 0x35, 0xA4, 0xA6, 0xAF)),
}
# The SH1106 has 132 columns; the glass shows 2 to 129.
_FIRST_COLUMN = {"ssd1306": 0, "sh1106": 2}


@micropython.viper
def _take_page(wanted: ptr8, shown: ptr8, start: int, out: ptr8) -> int:
    """Copies a page to `out[1:]` and to `shown`; 0 where it was shown already."""
    changed = 0
    for i in range(128):
        byte = wanted[start + i]
        out[i + 1] = byte
        if shown[start + i] != byte:
            shown[start + i] = byte
            changed = 1
    return changed


class Panel:
    """`picture` is what shall be shown: fill it, then call `refresh` and `step` until it says it is done."""

    def __init__(self, i2c, address, controller):
        self.picture = bytearray(SIZE)
        self.alive = False
        self.errors = 0
        self._shown = bytearray(SIZE)
        self._i2c = i2c
        self._address = address
        self._start = _START[controller]
        self._column = _FIRST_COLUMN[controller]
        self._where = bytearray((_COMMANDS, _SET_PAGE, _SET_COLUMN_LOW, _SET_COLUMN_HIGH))
        self._page = bytearray(WIDTH + 1)
        self._page[0] = _DATA
        self._next = 0
        self._stale = PAGES
        self._retry_in = 0

    def refresh(self, everything=False):
        """The picture has changed; `everything`: send also what seems to be shown already."""
        self._next = 0
        if everything:
            self._stale = PAGES

    def step(self, elapsed_ms):
        """Sends at most one page; true when nothing is left to send, or nobody there to send it to."""
        if not self.alive:
            self._retry_in -= elapsed_ms
            if self._retry_in > 0:
                return True
            self._wake()
            if not self.alive:
                return True
        while self._next < PAGES:
            page = self._next
            changed = _take_page(self.picture, self._shown, page * WIDTH, self._page)
            if changed or self._stale:
                self._write(page)
                return self._next >= PAGES
            self._next += 1
        return True

    def _write(self, page):
        where = self._where
        where[1] = _SET_PAGE | page
        where[2] = _SET_COLUMN_LOW | (self._column & 15)
        where[3] = _SET_COLUMN_HIGH | (self._column >> 4)
        try:
            self._i2c.writeto(self._address, where)
            self._i2c.writeto(self._address, self._page)
        except OSError:
            self._failed()
            return
        self._next = page + 1
        if self._stale:
            self._stale -= 1

    def _wake(self):
        try:
            self._i2c.writeto(self._address, self._start)
        except OSError:
            self._failed()
            return
        self.alive = True
        self._next = 0
        self._stale = PAGES

    def _failed(self):
        self.alive = False
        self.errors += 1
        self._retry_in = _RETRY_MS
