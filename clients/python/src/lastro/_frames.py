"""Lists of objects as frames of pandas or polars."""

from __future__ import annotations

import dataclasses
import datetime as dt
import importlib
import types
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

FrameKind: TypeAlias = Literal["pandas", "polars"]

_PANDAS_TYPES = {str: "string", int: "Int64", bool: "boolean", dt.datetime: "datetime64[us, UTC]"}


@dataclasses.dataclass(frozen=True, slots=True)
class _Column:
    """A column: its name, the fields that lead to its value, and the type of the value."""

    name: str
    path: tuple[str, ...]
    type: Any

    def value_of(self, item: Any) -> Any:
        for name in self.path:
            item = None if item is None else getattr(item, name)
        return item


def frame_package(kind: FrameKind) -> Any:
    """Returns the package of a frame. Raises ImportError that says what to install."""
    if kind not in ("pandas", "polars"):
        raise ValueError(f'frame is "pandas" or "polars", not {kind!r}')
    try:
        return importlib.import_module(kind)
    except ImportError as error:
        raise ImportError(f"frame={kind!r} needs {kind}: pip install 'lastro[{kind}]'") from error


def make_frame(kind: FrameKind, item_type: Any, items: Sequence[Any]) -> Any:
    """
    Returns a frame with a row for each item and a column for each field, also where there are no items.

    The fields of an object within an item have its name before theirs: `balance_total`.
    """
    package = frame_package(kind)
    columns = list(_columns_of(item_type, ()))
    values = {column.name: [column.value_of(item) for item in items] for column in columns}
    if kind == "pandas":
        return package.DataFrame(
            {
                column.name: package.Series(values[column.name], dtype=_PANDAS_TYPES.get(column.type, "object"))
                for column in columns
            }
        )
    schema = {column.name: _polars_type(package, column.type, values[column.name]) for column in columns}
    return package.DataFrame(values, schema=schema)


def _columns_of(kind: Any, path: tuple[str, ...]) -> Iterator[_Column]:
    hints = get_type_hints(kind)
    for field in dataclasses.fields(kind):
        here = (*path, field.name)
        hint = _without_none(hints[field.name])
        if dataclasses.is_dataclass(hint):
            yield from _columns_of(hint, here)
        else:
            yield _Column("_".join(here), here, str if get_origin(hint) is Literal else hint)


def _without_none(hint: Any) -> Any:
    if get_origin(hint) not in (Union, types.UnionType):
        return hint
    others = [one for one in get_args(hint) if one is not type(None)]
    return others[0] if len(others) == 1 else Any


def _polars_type(polars: Any, kind: Any, values: Sequence[Any]) -> Any:
    if kind is Decimal:
        return polars.Decimal(precision=38, scale=max((_scale(value) for value in values), default=0))
    known = {str: polars.String, int: polars.Int64, bool: polars.Boolean, dt.date: polars.Date}
    return polars.Datetime("us", "UTC") if kind is dt.datetime else known.get(kind, polars.Object)


def _scale(value: Decimal | None) -> int:
    exponent = 0 if value is None else value.as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0
