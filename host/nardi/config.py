"""The table's configuration: one TOML file; all of its faults are reported together."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nardi.errors import InputError
from nardi.game.match import Teach
from nardi.rules import ByColor
from nardi.text.catalogue import languages
from nardi.text.message import Message
from nardi_vision.reading import Shade


@dataclass(frozen=True, slots=True)
class Config:
    """What `nardi run` needs to know. Devices are URLs; `none:` is a device that is not there.

    `match_length` 0: a series without end. `white_ace_corner`: the corner (image order, 0-3) nearest White's 1 point.
    """

    ruleset: str = "backgammon"
    match_length: int = 5
    players: ByColor[str] = ByColor("White", "Black")
    languages: ByColor[str] = ByColor("en", "en")
    teach: Teach = Teach.OFF
    club_play: bool = False
    white_shade: Shade = "light"
    white_ace_corner: int = 2
    calibration: Path | None = None
    eye: str = "none:"
    dice: str = "none:"
    display: str = "none:"
    voice: bool = False
    folder: Path = Path("matches")
    file: Path | None = None


Check = Callable[[Any], bool]

_TEXT: Check = lambda value: isinstance(value, str) and value.strip() != ""  # noqa: E731  # a table of one-line checks reads best
_SWITCH: Check = lambda value: isinstance(value, bool)  # noqa: E731  # see above
_URL: Check = lambda value: isinstance(value, str) and ":" in value  # noqa: E731  # see above


def _whole(low: int, high: int) -> Check:
    return lambda value: type(value) is int and low <= value <= high


def _one_of(*values: str) -> Check:
    return lambda value: value in values


def _keys() -> Mapping[tuple[str, str], tuple[Check, str]]:
    known = _one_of(*languages())
    return {
        ("match", "ruleset"): (_TEXT, '"backgammon"'),
        ("match", "length"): (_whole(0, 999), "0 to 999"),
        ("match", "white"): (_TEXT, '"Ani"'),
        ("match", "black"): (_TEXT, '"Jonas"'),
        ("match", "language"): (known, " | ".join(languages())),
        ("match", "white_language"): (known, " | ".join(languages())),
        ("match", "black_language"): (known, " | ".join(languages())),
        ("match", "teach"): (_one_of(*Teach), " | ".join(Teach)),
        ("match", "club_play"): (_SWITCH, "true | false"),
        ("match", "folder"): (_TEXT, '"matches"'),
        ("board", "white_shade"): (_one_of("light", "dark"), "light | dark"),
        ("board", "white_ace_corner"): (_whole(0, 3), "0 to 3"),
        ("board", "calibration"): (_TEXT, '"calibration.json"'),
        ("devices", "eye"): (_URL, '"v4l2:/dev/video0" | "none:"'),
        ("devices", "dice"): (_URL, '"serial:/dev/serial/by-id/…" | "camera:" | "none:"'),
        ("devices", "display"): (_URL, '"serial:/dev/serial/by-id/…" | "none:"'),
        ("devices", "voice"): (_SWITCH, "true | false"),
    }


def parse_config(text: str, file: Path) -> Config:
    """The configuration in `text`. Club rulesets (`[ruleset.NAME]`) are read by `rules`, not here.

    Raises:
        InputError: one message for every fault: bad TOML, unknown section or key, wrong value.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(Message.of("input.not_toml", file=str(file), reason=str(error))) from error
    keys = _keys()
    sections = {section for section, _ in keys}
    faults: list[Message] = []
    found: dict[tuple[str, str], Any] = {}
    for section, content in table.items():
        if section == "ruleset":
            continue
        if section not in sections or not isinstance(content, dict):
            faults.append(
                Message.of("config.unknown_section", file=str(file), section=section, known=", ".join(sorted(sections)))
            )
            continue
        for key, value in content.items():
            if (section, key) not in keys:
                known = ", ".join(name for place, name in keys if place == section)
                faults.append(Message.of("config.unknown_key", file=str(file), section=section, key=key, known=known))
                continue
            check, form = keys[section, key]
            if not check(value):
                faults.append(
                    Message.of(
                        "config.wrong", file=str(file), section=section, key=key, value=repr(value)[:60], form=form
                    )
                )
            found[section, key] = value
    if found.get(("match", "club_play")) is True and found.get(("match", "teach"), "off") != "off":
        faults.append(Message.of("config.club_teach", file=str(file)))
    if faults:
        raise InputError(*faults)
    here = file.parent

    def get(section: str, key: str, default: Any) -> Any:
        return found.get((section, key), default)

    language = get("match", "language", "en")
    calibration = get("board", "calibration", None)
    return Config(
        ruleset=get("match", "ruleset", "backgammon"),
        match_length=get("match", "length", 5),
        players=ByColor(get("match", "white", "White"), get("match", "black", "Black")),
        languages=ByColor(get("match", "white_language", language), get("match", "black_language", language)),
        teach=Teach(get("match", "teach", "off")),
        club_play=get("match", "club_play", False),
        white_shade=get("board", "white_shade", "light"),
        white_ace_corner=get("board", "white_ace_corner", 2),
        calibration=None if calibration is None else here / calibration,
        eye=get("devices", "eye", "none:"),
        dice=get("devices", "dice", "none:"),
        display=get("devices", "display", "none:"),
        voice=get("devices", "voice", False),
        folder=here / get("match", "folder", "matches"),
        file=file,
    )
