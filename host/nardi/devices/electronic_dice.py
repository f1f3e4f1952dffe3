"""Electronic dice of any make as an adapter: their reports become observations."""

from nardi.devices.ble import BleDice
from nardi.devices.dice_observation import observation_of
from nardi.devices.dice_report import DiceReport, LineFault, LineReason
from nardi.devices.dice_serial import SerialDice
from nardi.devices.presence import Presence
from nardi.devices.url import DeviceUrl
from nardi.ports import Clock, Post

SCHEMES = ("serial", "godice", "pixels")
FAULT_EVERY_MS = 1000
"""Of a kind of bad line at most one in this time is told: a flood must not fill the disk. All are counted."""


class ElectronicDice:
    """Dice named by a URL: `serial:/dev/…` (a die or a dice base), `godice:?w1=…` or `pixels:?…` (see `ble`)."""

    def __init__(self, url: str, clock: Clock) -> None:
        self.bad_lines = 0
        self._clock = clock
        self._post: Post | None = None
        self._told_at: dict[LineReason, int] = {}
        self._presence = Presence("dice", clock)
        parsed = DeviceUrl.parse(url, SCHEMES)
        self._link: SerialDice | BleDice
        if parsed.scheme == "serial":
            self._link = SerialDice.from_url(parsed, self._heard, self._linked)
        else:
            self._link = BleDice.from_url(parsed, self._heard)

    def start(self, post: Post) -> None:
        self._post = post
        self._presence.start(post)
        self._link.start()

    def stop(self) -> None:
        self._presence.stop()
        self._link.stop()

    def _linked(self, up: bool) -> None:
        if up:
            self._presence.found()
        else:
            self._presence.lost()

    def _heard(self, report: DiceReport, _at_ms: int) -> None:
        now = self._clock.now_ms()
        if isinstance(report, LineFault):
            self.bad_lines += 1
            last = self._told_at.get(report.reason)
            if last is not None and now - last < FAULT_EVERY_MS:
                return
            self._told_at[report.reason] = now
        elif isinstance(self._link, BleDice):
            # Radio dice have no common line: what any of them says shows that they are there.
            self._presence.found()
        observation = observation_of(report, now)
        if observation is not None and self._post is not None:
            self._post(observation)
