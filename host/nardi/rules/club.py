"""A club's own rulesets, from TOML: one of the seven (or another of the club's) with settings changed.

    [ruleset.thursday]
    base = "short"
    end_values = "mars"
    cube_limit = 8

What cannot be is refused by the setting's name, every fault of the file at once.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any, get_type_hints

from nardi.errors import InputError
from nardi.rules.catalogue import RULESETS
from nardi.rules.ruleset import Block, EndValues, HitAndHide, Progression, Ruleset, Triple
from nardi.text.message import Message

_FIXED = {"name", "start", "is_plain", "hits", "same_way", "head"}  # what makes a game that game
_TYPES: dict[str, Any] = {
    field.name: get_type_hints(Ruleset)[field.name] for field in fields(Ruleset) if field.name not in _FIXED
}
_LONG_ONLY = ("head_exception", "block", "block_in_passing", "triple")
_HITTING_ONLY = ("hit_and_hide", "hitter_may_bear_off")
_CUBE_ONLY = (
    "cube_limit",
    "progression",
    "automatic_doubles",
    "jacoby",
    "beaver",
    "crawford",
    "cube_with_mars",
)  # fmt: skip
_AT_LEAST = {"cube_limit": 2, "time_loss": 1}


def rulesets_from_toml(text: str, file: str) -> dict[str, Ruleset]:
    """The rulesets of the `[ruleset.*]` tables of `text`, by name; other tables are left to others.

    Raises InputError with every fault at once; `file` is what messages call the file.
    """
    try:
        tables = tomllib.loads(text).get("ruleset", {})
    except tomllib.TOMLDecodeError as error:
        raise InputError(Message.of("ruleset.not_toml", file=file, reason=str(error))) from error
    return rulesets_of(tables, file)


def rulesets_of(tables: object, file: str) -> dict[str, Ruleset]:
    """The rulesets of already parsed `[ruleset.*]` tables. Raises InputError with every fault at once."""
    if not isinstance(tables, Mapping):
        raise InputError(Message.of("ruleset.not_a_table", file=file, name="ruleset"))
    faults: list[Message] = []
    found: dict[str, Ruleset] = {}
    waiting: dict[str, Mapping[str, Any]] = {}
    for name, table in tables.items():
        if name in RULESETS:
            faults.append(Message.of("ruleset.name_taken", file=file, name=name))
        elif not isinstance(table, Mapping):
            faults.append(Message.of("ruleset.not_a_table", file=file, name=name))
        else:
            waiting[name] = table
    # Those whose base is known first; what is left over stands on nothing, or on itself in a circle.
    while ready := [name for name, table in waiting.items() if str(table.get("base")) in {**RULESETS, **found}]:
        for name in ready:
            table = waiting.pop(name)
            base = {**RULESETS, **found}[str(table["base"])]
            ruleset, wrong = _changed(name, base, table, file)
            faults += wrong
            found[name] = ruleset
    known = ", ".join({**RULESETS, **found})
    for name, table in waiting.items():
        if "base" not in table:
            faults.append(Message.of("ruleset.no_base", file=file, name=name, known=known))
        else:
            faults.append(
                Message.of("ruleset.unknown_base", file=file, name=name, base=str(table["base"]), known=known)
            )
    if faults:
        raise InputError(*faults)
    return found


def _changed(name: str, base: Ruleset, table: Mapping[str, Any], file: str) -> tuple[Ruleset, list[Message]]:
    """`base` under a new name with the table's settings, and what is wrong with them."""
    faults: list[Message] = []
    changes: dict[str, Any] = {}
    for setting, given in table.items():
        if setting == "base":
            continue
        if setting in _FIXED:
            faults.append(Message.of("ruleset.fixed_setting", file=file, name=name, setting=setting, base=base.name))
        elif setting not in _TYPES:
            faults.append(Message.of("ruleset.unknown_setting", file=file, name=name, setting=setting))
        else:
            try:
                changes[setting] = _value(setting, given)
            except ValueError as error:
                faults.append(
                    Message.of(
                        "ruleset.bad_value",
                        file=file,
                        name=name,
                        setting=setting,
                        value=str(given),
                        allowed=str(error),
                    )
                )
    # A club names the one clock it plays with; the other kind, inherited, then stops.
    if (changes.get("turn_ms") or changes.get("reserve_ms")) and not {"delay_ms", "bank_ms_per_point"} & changes.keys():
        changes |= {"delay_ms": 0, "bank_ms_per_point": 0}
    if (changes.get("delay_ms") or changes.get("bank_ms_per_point")) and not {"turn_ms", "reserve_ms"} & changes.keys():
        changes |= {"turn_ms": 0, "reserve_ms": 0}
    ruleset = replace(base, name=name, **changes)
    for one, other in _contradictions(ruleset, changes):
        faults.append(Message.of("ruleset.contradiction", file=file, name=name, setting=one, other=other))
    return ruleset, faults


def _value(setting: str, given: object) -> object:
    """The value of a setting as the ruleset keeps it. Raises ValueError naming what is allowed."""
    wanted = _TYPES[setting]
    if wanted is bool:
        if not isinstance(given, bool):
            raise ValueError("true, false")
        return given
    if isinstance(wanted, type) and issubclass(wanted, StrEnum):
        if given not in list(wanted):
            raise ValueError(", ".join(wanted))
        return wanted(str(given))
    if setting == "cube_limit" and given == "none":
        return None
    least = _AT_LEAST.get(setting, 0)
    if not isinstance(given, int) or isinstance(given, bool) or given < least or (setting == "time_loss" and given > 3):
        allowed = "1, 2, 3" if setting == "time_loss" else f">= {least}"
        raise ValueError(f"none, {allowed}" if setting == "cube_limit" else allowed)
    return given


def _contradictions(ruleset: Ruleset, changes: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Pairs of settings that cannot be together: the one the club set, and what it disagrees with."""
    pairs: list[tuple[str, str]] = []
    if ruleset.hits:
        pairs += [(setting, "hits = true") for setting in _LONG_ONLY if setting in changes]
    else:
        pairs += [(setting, "hits = false") for setting in _HITTING_ONLY if setting in changes]
        if ruleset.end_values is EndValues.KOKS:
            pairs.append(("end_values", f"triple = {ruleset.triple}"))
    if ruleset.triple is not Triple.OFF and ruleset.end_values is EndValues.OIN:
        pairs.append(("triple", "end_values = oin"))
    if "hitter_may_bear_off" in changes and ruleset.hit_and_hide is HitAndHide.FREE and ruleset.hits:
        pairs.append(("hitter_may_bear_off", "hit_and_hide = free"))
    if not ruleset.block_in_passing and ruleset.block is Block.FREE:
        pairs.append(("block_in_passing", "block = free"))
    if not ruleset.cube:
        pairs += [(setting, "cube = false") for setting in _CUBE_ONLY if setting in changes]
    elif ruleset.progression is Progression.GEOMETRIC and (ruleset.cube_limit or 1).bit_count() > 1:
        pairs.append(("cube_limit", "progression = geometric"))
    if ruleset.cube and ruleset.jacoby and not ruleset.cube_with_mars and "jacoby" in changes:
        pairs.append(("jacoby", "cube_with_mars = false"))
    if (ruleset.turn_ms or ruleset.reserve_ms) and (ruleset.delay_ms or ruleset.bank_ms_per_point):
        pairs.append(("turn_ms", "delay_ms"))
    if ruleset.reserve_ms and not ruleset.turn_ms:
        pairs.append(("reserve_ms", "turn_ms = 0"))
    if ruleset.delay_ms and not ruleset.bank_ms_per_point:
        pairs.append(("delay_ms", "bank_ms_per_point = 0"))
    return pairs
