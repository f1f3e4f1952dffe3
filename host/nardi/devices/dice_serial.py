"""Dice on a serial line: `$DIE,<id>,<seq>,…*hh` → `DiceReport`, and the port's thread."""

import re
from collections import Counter
from collections.abc import Callable, Iterable

from nardi.devices.dice_report import (
    DIE_IDS,
    Battery,
    DiceReport,
    Lifted,
    LineFault,
    LineReason,
    Lost,
    Rolling,
    Settled,
    printable,
)
from nardi.devices.serial_line import Address, Port, SerialLine, plugged_ports
from nardi.devices.url import DeviceUrl

SEQ_MODULO = 65536
LONGEST_LINE = 80
ROLL_LIMIT_MS = 10000
"""A die that says it rolls and then nothing for so long is unknown: no throw lasts a quarter of that."""

_LINE = re.compile(rb"\$([^*$]*)\*([0-9A-Fa-f]{2})")


def checksum(body: str) -> str:
    """XOR of the characters between `$` and `*`, two hex digits."""
    value = 0
    for byte in body.encode("ascii"):
        value ^= byte
    return f"{value:02X}"


def dice_line(body: str) -> str:
    """`$<body>*hh`, as a die says it."""
    return f"${body}*{checksum(body)}"


class DiceLines:
    """Bytes → reports, without I/O; nothing is ever guessed.

    A line that is broken, of an unknown die or kind, or taken before, is a `LineFault` and no more. A gap in a die's
    numbers is a fault, then `Lost` (what it did meanwhile is unknown), then what the line itself says. A die that
    starts anew (number 1 after a higher one) is such a gap too. Lines that begin with `#` are remarks and are skipped.
    """

    def __init__(self) -> None:
        self.lines = 0
        self.remarks = 0
        self.faults: Counter[LineReason] = Counter()
        self._rest = bytearray()
        self._overlong = False
        self._last_seq: dict[str, int] = {}
        self._rolling_since: dict[str, int] = {}

    def feed(self, data: bytes, at_ms: int) -> list[DiceReport]:
        """What `data`, come at `at_ms`, completes. `data` may be b"": then only time passes."""
        reports: list[DiceReport] = []
        *closed, rest = data.replace(b"\r", b"\n").split(b"\n")
        for piece in closed:
            self._keep(piece)
            line, overlong = bytes(self._rest), self._overlong
            self._rest.clear()
            self._overlong = False
            if overlong:
                reports.append(self._fault(LineReason.TOO_LONG, line))
            elif line:
                reports += self._take(line, at_ms)
        self._keep(rest)
        for die, since_ms in list(self._rolling_since.items()):
            if at_ms - since_ms >= ROLL_LIMIT_MS:
                del self._rolling_since[die]
                reports.append(Lost(die))
        return reports

    def cut(self) -> list[DiceReport]:
        """The line was cut: every die that ever spoke on it is unknown, and its next number may be any."""
        self._rest.clear()
        self._overlong = False
        dice = list(self._last_seq)
        self._last_seq.clear()
        self._rolling_since.clear()
        return [Lost(die) for die in dice]

    def _keep(self, piece: bytes) -> None:
        room = LONGEST_LINE - len(self._rest)
        self._overlong = self._overlong or len(piece) > room
        self._rest += piece[:room]

    def _fault(self, reason: LineReason, line: bytes) -> LineFault:
        self.faults[reason] += 1
        return LineFault(reason, printable(line))

    def _take(self, line: bytes, at_ms: int) -> list[DiceReport]:
        if line.startswith(b"#"):
            self.remarks += 1
            return []
        match = _LINE.fullmatch(line)
        if match is None:
            return [self._fault(LineReason.SHAPE, line)]
        body, sum_given = match.groups()
        if not body.isascii() or checksum(body.decode("ascii")) != sum_given.decode("ascii").upper():
            return [self._fault(LineReason.CHECKSUM, line)]
        fields = body.decode("ascii").split(",")
        if len(fields) < 4 or fields[0] != "DIE":
            return [self._fault(LineReason.SHAPE, line)]
        report = self._report(fields[1:])
        if isinstance(report, LineReason):
            return [self._fault(report, line)]
        return self._in_order(report, line, at_ms)

    @staticmethod
    def _report(fields: list[str]) -> Rolling | Settled | Lifted | Battery | LineReason:
        die, seq_text, kind, *rest = fields
        if die not in DIE_IDS:
            return LineReason.UNKNOWN_DIE
        seq = _number(seq_text, 0, SEQ_MODULO - 1)
        if seq is None:
            return LineReason.VALUE
        match kind, rest:
            case "ROLLING", []:
                return Rolling(die, seq)
            case "LIFTED", []:
                return Lifted(die, seq)
            case "SETTLED", [value_text, tilt_text]:
                value, tilt = _number(value_text, 1, 6), _number(tilt_text, 0, 90)
                return LineReason.VALUE if value is None or tilt is None else Settled(die, seq, value, tilt)
            case "BATTERY", [percent_text]:
                percent = _number(percent_text, 0, 100)
                return LineReason.VALUE if percent is None else Battery(die, seq, percent)
            case (("ROLLING" | "LIFTED" | "SETTLED" | "BATTERY"), _):
                return LineReason.SHAPE
            case _:
                return LineReason.UNKNOWN_KIND

    def _in_order(self, report: Rolling | Settled | Lifted | Battery, line: bytes, at_ms: int) -> list[DiceReport]:
        last = self._last_seq.get(report.die)
        if last == report.seq:
            return [self._fault(LineReason.REPEAT, line)]
        self.lines += 1
        self._last_seq[report.die] = report.seq
        before: list[DiceReport] = []
        if last is not None and report.seq != (last + 1) % SEQ_MODULO:
            self._rolling_since.pop(report.die, None)
            before = [self._fault(LineReason.GAP, line), Lost(report.die)]
        if isinstance(report, Rolling):
            self._rolling_since[report.die] = at_ms
        elif not isinstance(report, Battery):
            self._rolling_since.pop(report.die, None)
        return [*before, report]


def _number(text: str, low: int, high: int) -> int | None:
    """`text` as a plain decimal from `low` to `high`, else None."""
    if not text.isascii() or not text.isdigit() or len(text) > 5:
        return None
    value = int(text)
    return value if low <= value <= high else None


class _DiceTalk:
    """The conversation with dice: they talk, we listen (a `serial_line.Talk`)."""

    def __init__(
        self, lines: DiceLines, news: Callable[[DiceReport, int], None], linked: Callable[[bool], None]
    ) -> None:
        self._lines = lines
        self._news = news
        self._linked = linked

    def up(self, now_ms: int) -> bytes:
        self._linked(True)
        return b""

    def received(self, data: bytes, now_ms: int) -> bytes:
        self._tell(self._lines.feed(data, now_ms), now_ms)
        return b""

    def tick(self, now_ms: int) -> bytes:
        self._tell(self._lines.feed(b"", now_ms), now_ms)
        return b""

    def silent(self, now_ms: int) -> bool:
        # Dice that lie still have nothing to say.
        return False

    def down(self, now_ms: int) -> None:
        self._linked(False)
        self._tell(self._lines.cut(), now_ms)

    def _tell(self, reports: Iterable[DiceReport], now_ms: int) -> None:
        for report in reports:
            self._news(report, now_ms)


class SerialDice:
    """A die or a dice base on a serial port. `news(report, at_ms)` is called from the port's own thread, and so is
    `linked`: True when the port has been opened, False when it is gone."""

    def __init__(
        self,
        address: Address,
        news: Callable[[DiceReport, int], None],
        *,
        linked: Callable[[bool], None] = lambda up: None,
        ports: Callable[[], Iterable[Port]] = plugged_ports,
    ) -> None:
        self.lines = DiceLines()
        self._line = SerialLine(address, _DiceTalk(self.lines, news, linked), ports=ports)

    @staticmethod
    def from_url(
        url: DeviceUrl, news: Callable[[DiceReport, int], None], linked: Callable[[bool], None] = lambda up: None
    ) -> "SerialDice":
        return SerialDice(Address.from_url(url), news, linked=linked)

    def start(self) -> None:
        self._line.start()

    def stop(self) -> None:
        self._line.stop()
