"""Electronic dice of any make as an adapter: their reports become observations."""

from nardi.devices.ble import BleDice
from nardi.devices.dice_observation import observation_of
from nardi.devices.dice_report import DiceReport
from nardi.devices.dice_serial import SerialDice
from nardi.devices.url import DeviceUrl
from nardi.ports import Clock, Post

SCHEMES = ("serial", "ble")


class ElectronicDice:
    """Dice named by a URL: `serial:/dev/…` (a die or a dice base) or `ble:godice?w1=…` (see `ble`)."""

    def __init__(self, url: str, clock: Clock) -> None:
        self._clock = clock
        self._post: Post | None = None
        parsed = DeviceUrl.parse(url, SCHEMES)
        self._link = (SerialDice if parsed.scheme == "serial" else BleDice).from_url(parsed, self._heard)

    def start(self, post: Post) -> None:
        self._post = post
        self._link.start()

    def stop(self) -> None:
        self._link.stop()

    def _heard(self, report: DiceReport, _at_ms: int) -> None:
        observation = observation_of(report, self._clock.now_ms())
        if observation is not None and self._post is not None:
            self._post(observation)
