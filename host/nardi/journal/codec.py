"""Observations and events as JSON and back, by the types of their fields. `SCHEMA` goes into every line.

Positions are their text, rolls their two digits' list, colours and the like their names. A reading is one short string a
slot, rounded (see `rounded`): what is judged and what is kept are the same.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from nardi.game.event import Event
from nardi.game.observation import Observation
from nardi.journal.slot_text import pile_of, pile_text, slot_of, slot_text
from nardi.rules import find_ruleset
from nardi.rules.position import Position
from nardi.rules.roll import Roll
from nardi.rules.ruleset import Ruleset
from nardi_vision.reading import BoardReading, Pile, Slot

SCHEMA = 1
"""Raised whenever an older reader would misread a line."""

Json = Any
"""What the json module reads and writes."""


class CodecError(ValueError):
    """JSON that is no value of the type wanted; the text says where and why, for a journal's error message."""


def _classes(union: Any) -> Mapping[str, type]:
    return {cls.__name__: cls for cls in get_args(union)}


EVENTS: Mapping[str, type] = _classes(Event)
OBSERVATIONS: Mapping[str, type] = _classes(Observation)


def encode(value: object) -> Json:
    """A value of the match's types as JSON."""
    match value:
        case Position():
            return value.text
        case Roll():
            return [value.a, value.b]
        case Slot():
            return slot_text(value)
        case Pile():
            return pile_text(value)
        case Ruleset():
            return _ruleset_json(value)
        case Enum():
            return value.value
        case None | bool() | int() | str():
            return value
        case float():
            return round(value, 4)
        case tuple() | list():
            return [encode(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: encode(getattr(value, field.name)) for field in fields(value)}
    raise CodecError(f"{type(value).__name__} cannot be kept")


def _ruleset_json(ruleset: Ruleset) -> Json:
    """A built-in ruleset by its name; a club's own with all settings, since the club may change them later."""
    try:
        if find_ruleset(ruleset.name) == ruleset:
            return ruleset.name
    except ValueError:
        pass
    return {field.name: encode(getattr(ruleset, field.name)) for field in fields(ruleset)}


def decode(wanted: Any, data: Json) -> Any:
    """The value of type `wanted` that `data` is. Raises CodecError."""
    try:
        return _decoder(wanted)(data)
    except CodecError:
        raise
    except (TypeError, ValueError, KeyError, AttributeError, IndexError) as error:
        raise CodecError(f"{_name(wanted)}: {error}") from error


def _name(wanted: Any) -> str:
    return getattr(wanted, "__name__", str(wanted))


@cache
def _decoder(wanted: Any) -> Callable[[Json], Any]:
    """How values of one type are read; made once a type."""
    special: dict[Any, Callable[[Json], Any]] = {
        Position: _position,
        Roll: lambda data: Roll(*data),
        Slot: slot_of,
        Pile: pile_of,
        Ruleset: _ruleset,
        type(None): _nothing,
    }
    if wanted in special:
        return special[wanted]
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin in (Union, types.UnionType):
        return _one_of(arguments)
    if origin is Literal:
        return _literal(arguments)
    if origin is tuple:
        return _tuple_of(arguments)
    base = origin or wanted
    if isinstance(base, type) and issubclass(base, Enum):
        return base
    if is_dataclass(base) and isinstance(base, type):
        return _dataclass(base, arguments)
    if base in (int, float, str, bool):
        return _plain(base)
    raise CodecError(f"{_name(wanted)} cannot be read")


def _position(data: Json) -> Position:
    mine, slash, theirs = str(data).partition("/")
    if not slash or len(mine) != 26 or len(theirs) != 26:
        raise CodecError(f"not a position: {data!r}")
    return Position(tuple(int(digit, 16) for digit in mine), tuple(int(digit, 16) for digit in theirs))


def _ruleset(data: Json) -> Ruleset:
    return find_ruleset(data) if isinstance(data, str) else _dataclass(Ruleset, ())(data)  # type: ignore[no-any-return]


def _nothing(data: Json) -> None:
    if data is not None:
        raise CodecError(f"nothing expected, not {data!r}")


def _plain(wanted: type) -> Callable[[Json], Any]:
    def read(data: Json) -> Any:
        if wanted is float and type(data) is int:
            return data
        if type(data) is not wanted:
            raise CodecError(f"{wanted.__name__} expected, not {data!r}")
        return data

    return read


def _literal(allowed: tuple[Any, ...]) -> Callable[[Json], Any]:
    def read(data: Json) -> Any:
        if data not in allowed:
            raise CodecError(f"{data!r} is none of {', '.join(map(str, allowed))}")
        return data

    return read


def _one_of(choices: tuple[Any, ...]) -> Callable[[Json], Any]:
    decoders = [_decoder(choice) for choice in choices]

    def read(data: Json) -> Any:
        reasons = []
        for decoder in decoders:
            try:
                return decoder(data)
            except (CodecError, TypeError, ValueError, KeyError) as error:
                reasons.append(str(error))
        raise CodecError("; ".join(reasons))

    return read


def _tuple_of(arguments: tuple[Any, ...]) -> Callable[[Json], Any]:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        each = _decoder(arguments[0])
        return lambda data: tuple(each(item) for item in _list(data))
    decoders = [_decoder(argument) for argument in arguments]

    def read(data: Json) -> Any:
        items = _list(data)
        if len(items) != len(decoders):
            raise CodecError(f"{len(decoders)} items expected, not {len(items)}")
        return tuple(decoder(item) for decoder, item in zip(decoders, items, strict=True))

    return read


def _list(data: Json) -> list[Json]:
    if not isinstance(data, list):
        raise CodecError(f"a list expected, not {data!r}")
    return data


def _dataclass(wanted: type, arguments: tuple[Any, ...]) -> Callable[[Json], Any]:
    hints = get_type_hints(wanted)
    parameters = getattr(wanted, "__parameters__", ())
    stands_for = dict(zip(parameters, arguments, strict=False))
    decoders = {field.name: _decoder(stands_for.get(hints[field.name], hints[field.name])) for field in fields(wanted)}
    required = {field.name for field in fields(wanted) if field.default is MISSING and field.default_factory is MISSING}

    def read(data: Json) -> Any:
        if not isinstance(data, dict):
            raise CodecError(f"{wanted.__name__} expected, not {data!r}")
        if unknown := set(data) - set(decoders):
            raise CodecError(f"{wanted.__name__} has no {', '.join(sorted(unknown))}")
        if missing := required - set(data):
            raise CodecError(f"{wanted.__name__} lacks {', '.join(sorted(missing))}")
        return wanted(**{name: decoders[name](value) for name, value in data.items()})

    return read


def event_of(type_name: str, data: Json) -> Event:
    """The event of that type. Raises CodecError."""
    if type_name not in EVENTS:
        raise CodecError(f"no event is called {type_name!r}")
    return decode(EVENTS[type_name], data)  # type: ignore[no-any-return]


def observation_of(type_name: str, data: Json) -> Observation:
    """The observation of that type. Raises CodecError."""
    if type_name not in OBSERVATIONS:
        raise CodecError(f"no observation is called {type_name!r}")
    return decode(OBSERVATIONS[type_name], data)  # type: ignore[no-any-return]


def event_json(event: Event, n: int = 0) -> dict[str, Json]:
    """An event as `nardi replay --json` writes it: `n`, `type`, `t_ms`, then its own fields."""
    data: dict[str, Json] = encode(event)
    return {"n": n, "type": type(event).__name__, "t_ms": data.pop("at_ms"), **data}


def rounded(reading: BoardReading) -> BoardReading:
    """The reading as a journal keeps it, so that what is judged now and what is judged again later are the same."""
    return decode(BoardReading, encode(reading))  # type: ignore[no-any-return]
