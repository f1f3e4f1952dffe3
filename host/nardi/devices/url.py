"""Devices are named by URL (`serial:/dev/ttyACM0?baud=115200`, `sim:board?seed=7`, `none:`): the scheme says which."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import parse_qsl, unquote, urlsplit

from nardi.errors import InputError
from nardi.text.message import Message


@dataclass(frozen=True, slots=True)
class DeviceUrl:
    """`scheme:path?options`; nothing is known yet of what the adapter makes of path and options."""

    text: str
    scheme: str
    path: str = ""
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @staticmethod
    def parse(text: str, schemes: Collection[str]) -> "DeviceUrl":
        """The URL in `text`; `InputError` unless its scheme is one of `schemes` and its options are well formed."""
        scheme, colon, rest = text.strip().partition(":")
        if not colon or not scheme:
            raise InputError(Message.of("devices.url.no_scheme", url=text, schemes=" ".join(sorted(schemes))))
        if scheme not in schemes:
            raise InputError(
                Message.of("devices.url.unknown_scheme", url=text, scheme=scheme, schemes=" ".join(sorted(schemes)))
            )
        try:
            parts = urlsplit(rest)
            pairs = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        except ValueError:
            raise InputError(Message.of("devices.url.options", url=text)) from None
        options = dict(pairs)
        if len(options) != len(pairs):
            raise InputError(Message.of("devices.url.options", url=text))
        path = f"//{parts.netloc}{parts.path}" if parts.netloc else parts.path
        return DeviceUrl(text, scheme, unquote(path), MappingProxyType(options))

    def only(self, *names: str) -> None:
        """`InputError` naming every option that is not one of `names`."""
        strange = sorted(set(self.options) - set(names))
        if strange:
            raise InputError(
                *(Message.of("devices.url.unknown_option", url=self.text, option=name) for name in strange)
            )

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """Option `name` as an integer from `low` to `high`; `InputError` where it is something else."""
        text = self.options.get(name)
        if text is None:
            return default
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise InputError(
                Message.of("devices.url.bad_number", url=self.text, option=name, value=text, low=low, high=high)
            )
        return value
