"""Observations and events as plain JSON values and back, by their own type hints: no field is written twice.

Positions are their contract text, rulesets of the catalogue their name, rolls `[a, b]`; a board reading keeps only the
weights that can matter. Schema number `VERSION`; a line of a later schema is refused by number, never guessed.
"""

import dataclasses
import types
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from nardi.errors import JournalError
from nardi.game.event import Event
from nardi.game.observation import BoardSeen, Observation
from nardi.rules.catalogue import RULESETS
from nardi.rules.position import Position
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset
from nardi.text.message import Message
from nardi_vision.reading import MOST, BoardReading, EyeFault, Pile, Slot

VERSION = 1
FAINT = 5e-4
"""Weights below this say no more than "no"; they are not kept."""

T = TypeVar("T")
_OBSERVATIONS: Mapping[str, type] = {kind.__name__: kind for kind in get_args(Observation)}
_EVENTS: Mapping[str, type] = {kind.__name__: kind for kind in get_args(Event)}
KINDS: Mapping[str, Mapping[str, type]] = {"saw": _OBSERVATIONS, "ruled": _EVENTS}
"""The types that a line of each kind may hold, by name."""

_OUTSIDE = {"at_ms", "because"}
"""Fields that stand in the line itself, not in its data."""


def as_data(value: Observation | Event) -> dict[str, Any]:
    """The fields of an observation or event, but for those that stand in the line itself."""
    return {
        field.name: _encode(getattr(value, field.name))
        for field in dataclasses.fields(value)
        if field.name not in _OUTSIDE
    }


def from_data(kind: str, type_name: str, at_ms: int, because: int, data: Mapping[str, Any]) -> Observation | Event:
    """The observation (`kind` saw) or event (`ruled`) that a line holds.

    Raises:
        JournalError: an unknown type, or data that does not fit it.
    """
    found = KINDS.get(kind, {}).get(type_name)
    if found is None:
        raise JournalError(Message.of("journal.unknown_type", kind=kind, type=type_name))
    fields = {**data, "at_ms": at_ms}
    if kind == "ruled":
        fields["because"] = because
    try:
        value: Observation | Event = _dataclass(found, fields, {})
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise JournalError(Message.of("journal.bad_data", type=type_name, reason=str(error)[:120])) from error
    return value


def as_kept(observation: Observation) -> Observation:
    """The observation as the journal will give it back: what is judged is what is kept, to the last digit."""
    if not isinstance(observation, BoardSeen):
        return observation
    return BoardSeen(observation.at_ms, _reading_from(_reading(observation.reading)))


def _encode(value: Any) -> Any:
    match value:
        case None | bool() | str():
            return value.value if isinstance(value, Enum) else value
        case int() | float():
            return value.value if isinstance(value, Enum) else value
        case Position():
            return value.text
        case Roll():
            return [value.a, value.b]
        case Ruleset():
            return value.name if RULESETS.get(value.name) == value else _fields(value)
        case Message():
            return {"id": value.id, "parameters": dict(value.parameters)}
        case BoardReading():
            return _reading(value)
        case tuple():
            return [_encode(item) for item in value]
        case _ if dataclasses.is_dataclass(value):
            return _fields(value)
        case _:
            raise TypeError(f"no form for {type(value).__name__}")


def _fields(value: Any) -> dict[str, Any]:
    return {field.name: _encode(getattr(value, field.name)) for field in dataclasses.fields(value)}


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _dataclass(kind: Any, data: Mapping[str, Any], types_of: Mapping[Any, Any]) -> Any:
    names = {field.name for field in dataclasses.fields(kind)}
    strange = set(data) - names
    if strange:
        raise ValueError(f"unknown: {', '.join(sorted(strange))}")
    hints = _hints(kind)
    return kind(**{name: _decode(types_of.get(hints[name], hints[name]), value) for name, value in data.items()})


def _decode(hint: Any, value: Any) -> Any:
    origin = get_origin(hint)
    if origin is Union or origin is types.UnionType:
        return _decode_union(get_args(hint), value)
    if origin is Literal:
        if value not in get_args(hint):
            raise ValueError(f"{value!r} is none of {get_args(hint)}")
        return value
    if origin is tuple:
        return _decode_tuple(get_args(hint), value)
    if hint is Position:
        return _position(value)
    if hint is Roll:
        return Roll(*_decode_tuple((int, int), value))
    if hint is Ruleset:
        return RULESETS[value] if isinstance(value, str) else _dataclass(Ruleset, value, {})
    if hint is Message:
        return Message.of(value["id"], **value["parameters"])
    if hint is BoardReading:
        return _reading_from(value)
    if origin is not None and dataclasses.is_dataclass(origin):
        # A generic record such as ByColor[int]: its parameter takes the place of the type variable.
        variables = getattr(origin, "__parameters__", ())
        return _dataclass(origin, value, dict(zip(variables, get_args(hint), strict=True)))
    if dataclasses.is_dataclass(hint):
        return _dataclass(hint, value, {})
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(value)
    return _plain(hint, value)


def _plain(hint: Any, value: Any) -> Any:
    if hint is float and type(value) in (int, float):
        return value
    if hint in (bool, int, str, type(None)) and type(value) is hint:
        return value
    if hint is type(None) and value is None:
        return None
    raise TypeError(f"{value!r} is no {getattr(hint, '__name__', hint)}")


def _decode_union(hints: tuple[Any, ...], value: Any) -> Any:
    if value is None and type(None) in hints:
        return None
    problems = []
    for hint in hints:
        if hint is type(None):
            continue
        try:
            return _decode(hint, value)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            problems.append(str(error))
    raise ValueError("; ".join(problems))


def _decode_tuple(hints: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    if len(hints) == 2 and hints[1] is Ellipsis:
        return tuple(_decode(hints[0], item) for item in value)
    return tuple(_decode(hint, item) for hint, item in zip(hints, value, strict=True))


def _position(text: Any) -> Position:
    """A position as it was kept: also one that no play leads to (an illegal play that stood)."""
    mine, _, theirs = str(text).partition("/")
    return Position(tuple(int(digit, 16) for digit in mine), tuple(int(digit, 16) for digit in theirs))


# --- readings ---------------------------------------------------------------------------------------------------------


def _row(weights: tuple[float, ...], first: int) -> dict[str, float]:
    return {str(count): round(float(weight), 4) for count, weight in enumerate(weights, first) if weight >= FAINT}


def _slot(slot: Slot) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if slot.occluded:
        data["hidden"] = True
    else:
        if slot.empty >= FAINT:
            data["empty"] = round(float(slot.empty), 4)
        rows = {"light": _row(slot.light, 1), "dark": _row(slot.dark, 1)}
        data |= {name: row for name, row in rows.items() if row}
    if slot.fault is not None:
        data["fault"] = slot.fault.value
    return data


def _weights(row: Mapping[str, float], first: int) -> tuple[float, ...]:
    weights = [0.0] * (MOST + 1 - first)
    for count, weight in row.items():
        index = int(count) - first
        if not 0 <= index < len(weights) or not isinstance(weight, int | float):
            raise ValueError(f"weight of {count}")
        weights[index] = float(weight)
    return tuple(weights)


_FLAT = 1.0 / (2 * MOST + 1)


def _slot_from(data: Mapping[str, Any]) -> Slot:
    fault = EyeFault(data["fault"]) if "fault" in data else None
    if data.get("hidden"):
        # What is hidden could be anything.
        return Slot(_FLAT, (_FLAT,) * MOST, (_FLAT,) * MOST, True, fault)
    return Slot(
        float(data.get("empty", 0.0)),
        _weights(data.get("light", {}), 1),
        _weights(data.get("dark", {}), 1),
        False,
        fault,
    )


def _pile(pile: Pile) -> dict[str, Any]:
    if pile.occluded:
        return {"hidden": True}
    return {"light": _row(pile.light, 0), "dark": _row(pile.dark, 0)}


def _pile_from(data: Mapping[str, Any]) -> Pile:
    if data.get("hidden"):
        flat = (1.0 / (MOST + 1),) * (MOST + 1)
        return Pile(flat, flat, True)
    return Pile(_weights(data["light"], 0), _weights(data["dark"], 0))


_SPECIAL = {"points", "bar", "off"}


def _reading(reading: BoardReading) -> dict[str, Any]:
    data: dict[str, Any] = {
        field.name: _encode(getattr(reading, field.name))
        for field in dataclasses.fields(reading)
        if field.name not in _SPECIAL
    }
    for key in ("dice", "cube", "corners"):
        data[key] = _rounded(data[key])
    data["points"] = [_slot(slot) for slot in reading.points]
    data["bar"] = _pile(reading.bar)
    data["off"] = None if reading.off is None else _pile(reading.off)
    return data


def _rounded(value: Any) -> Any:
    match value:
        case float():
            return round(value, 4)
        case list():
            return [_rounded(item) for item in value]
        case dict():
            return {key: _rounded(item) for key, item in value.items()}
        case _:
            return value


def _reading_from(data: Mapping[str, Any]) -> BoardReading:
    hints = _hints(BoardReading)
    plain = {name: _decode(hints[name], value) for name, value in data.items() if name not in _SPECIAL}
    points = tuple(_slot_from(slot) for slot in data["points"])
    if len(points) != 24:
        raise ValueError(f"{len(points)} points")
    off = data["off"]
    return BoardReading(
        **plain, points=points, bar=_pile_from(data["bar"]), off=None if off is None else _pile_from(off)
    )
