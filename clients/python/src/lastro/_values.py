"""Values on the wire and in Python: decimals are `Decimal`, days `date`, moments `datetime` with a time zone."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import re
import types
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

Decoder: TypeAlias = Callable[[Any, str], Any]

_MOMENT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_DECIMAL = re.compile(r"-?\d+(\.\d+)?", re.ASCII)


def parse_json(text: bytes | str) -> Any:
    """Reads JSON. Numbers with decimals become `Decimal`; NaN and Infinity are errors."""

    def refuse(constant: str) -> Any:
        raise ValueError(f"{constant} is no JSON")

    try:
        return json.loads(text, parse_float=Decimal, parse_constant=refuse)
    except RecursionError as error:
        raise ValueError("The JSON is nested too deeply") from error


def decode(hint: Any, value: Any) -> Any:
    """
    Makes a value of a type from JSON. Fields that the type does not have are left out.

    Raises ValueError, with the place, where the value has another form.
    """
    return _decoder(hint)(value, "")


def parse_moment(text: str) -> dt.datetime:
    """Reads a moment of RFC 3339; more than six decimals of a second are cut. Raises ValueError for another text."""
    match = _MOMENT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no moment")
    seconds, fraction, zone = match.groups()
    micros = (fraction or "0")[:6].ljust(6, "0")
    return dt.datetime.fromisoformat(f"{seconds}.{micros}{'+00:00' if zone == 'Z' else zone}")


def wire_name(field: dataclasses.Field[Any]) -> str:
    """Returns the name of a field on the wire: `next_token` is `nextToken`."""
    name = field.metadata.get("name")
    if isinstance(name, str):
        return name
    first, *others = field.name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in others)


def to_text(value: Any) -> str:
    """Returns a value as it is written in an address or a header."""
    encoded = encode(value)
    if isinstance(encoded, bool):
        return "true" if encoded else "false"
    if isinstance(encoded, (str, int)):
        return str(encoded)
    raise TypeError(f"{type(value).__name__} cannot be written in an address")


def encode(value: Any) -> Any:
    """
    Returns a value as JSON holds it; a `Decimal` becomes text. Objects leave out what is None.

    Raises TypeError for a float, which cannot hold an amount exactly, and ValueError for a moment without a time zone.
    """
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, Decimal):
        return _decimal_text(value)
    if isinstance(value, dt.datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value.isoformat()} needs a time zone")
        return value.astimezone(dt.timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, dt.date):
        return value.isoformat()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _encode_fields(value)
    if isinstance(value, Mapping):
        return {str(key): encode(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [encode(one) for one in value]
    raise TypeError(f"{type(value).__name__} cannot be sent: amounts are Decimal, moments are datetime")


class Number:
    """A decimal that JSON holds as a number instead of text."""

    def __init__(self, value: Decimal) -> None:
        self.text = _decimal_text(value)


def write_json(value: Any) -> str:
    """Writes encoded values as JSON; unlike `json.dumps` it writes a `Number` with all of its digits."""
    if isinstance(value, Number):
        return value.text
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{json.dumps(key)}:{write_json(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(write_json(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def _encode_fields(value: Any) -> dict[str, Any]:
    fields = [(field, getattr(value, field.name)) for field in dataclasses.fields(value)]
    return {
        wire_name(field): Number(one) if field.metadata.get("number") and isinstance(one, Decimal) else encode(one)
        for field, one in fields
        if one is not None
    }


def _decimal_text(value: Decimal) -> str:
    if not value.is_finite():
        raise ValueError(f"{value} is no amount")
    return format(value, "f")


@cache
def _decoder(hint: Any) -> Decoder:
    if hint is Any:
        return lambda value, path: value
    if hint is None or hint is type(None):
        return _nothing
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _union_decoder(arguments)
    if origin is Literal:
        # A value that a later version of the server adds is text as well.
        return _decoder(str)
    if origin is list:
        return _list_decoder(_decoder(arguments[0]))
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _object_decoder(hint)
    return _SCALARS[hint]


def _wrong(expected: str, path: str) -> ValueError:
    return ValueError(f"{path or 'The response'} is not {expected}")


def _nothing(value: Any, path: str) -> None:
    if value is not None:
        raise _wrong("empty", path)


def _text(value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise _wrong("text", path)
    return value


def _integer(value: Any, path: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong("an integer", path)
    return value


def _boolean(value: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong("true or false", path)
    return value


def _decimal(value: Any, path: str) -> Decimal:
    if isinstance(value, str) and _DECIMAL.fullmatch(value):
        return Decimal(value)
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return Decimal(value)
    raise _wrong("a decimal", path)


def _day(value: Any, path: str) -> dt.date:
    if isinstance(value, str) and _DAY.fullmatch(value):
        try:
            return dt.date.fromisoformat(value)
        except ValueError:
            pass
    raise _wrong("a day", path)


def _moment(value: Any, path: str) -> dt.datetime:
    try:
        return parse_moment(_text(value, path))
    except ValueError:
        raise _wrong("a moment", path) from None


_SCALARS: dict[Any, Decoder] = {
    str: _text,
    int: _integer,
    bool: _boolean,
    Decimal: _decimal,
    dt.date: _day,
    dt.datetime: _moment,
}


def _list_decoder(item: Decoder) -> Decoder:
    def decode_list(value: Any, path: str) -> list[Any]:
        if not isinstance(value, list):
            raise _wrong("a list", path)
        return [item(one, f"{path}[{index}]") for index, one in enumerate(value)]

    return decode_list


def _object_decoder(kind: type[Any]) -> Decoder:
    hints = get_type_hints(kind)
    fields = [
        (field.name, wire_name(field), _decoder(hints[field.name]), field.default is dataclasses.MISSING)
        for field in dataclasses.fields(kind)
    ]

    def decode_object(value: Any, path: str) -> Any:
        if not isinstance(value, dict):
            raise _wrong("an object", path)
        prefix = f"{path}." if path else ""
        missing = [name for _, name, _, required in fields if required and name not in value]
        if missing:
            raise ValueError(f"{prefix}{missing[0]} is missing")
        found = {
            attribute: decoder(value[name], prefix + name) for attribute, name, decoder, _ in fields if name in value
        }
        return kind(**found)

    return decode_object


def _union_decoder(alternatives: tuple[Any, ...]) -> Decoder:
    """Objects are told apart by their required fields: the first alternative that has them all is taken."""
    others = [one for one in alternatives if one is not type(None)]
    nullable = len(others) < len(alternatives)
    choices = [(_decoder(one), _required_names(one)) for one in others]

    def decode_union(value: Any, path: str) -> Any:
        if value is None and nullable:
            return None
        names = set(value) if isinstance(value, dict) else set()
        for decoder, required in choices:
            if len(choices) == 1 or required <= names:
                return decoder(value, path)
        raise _wrong("of a known form", path)

    return decode_union


def _required_names(hint: Any) -> set[str]:
    if not dataclasses.is_dataclass(hint):
        return set()
    return {wire_name(field) for field in dataclasses.fields(hint) if field.default is dataclasses.MISSING}
