"""The description of an operation, from which the executors make requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeVar

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741 - the item of a list

Arguments: TypeAlias = Mapping[str, Any]
"""The arguments of a call by their names on the wire; None stands for one that is left out."""


@dataclass(frozen=True, kw_only=True)
class Operation(Generic[T]):
    """How an operation is called, and the type of its result."""

    name: str
    method: str
    path: str
    result: Any
    credentials: tuple[str, ...]
    """Credentials of the client that it accepts, the preferred first; none where it is public."""
    query: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    media_type: str | None = None
    whole_body: bool = False
    takes_key: bool = False
    """Whether it takes an idempotency key, so that it can be repeated."""
    accept: str = "application/json"


@dataclass(frozen=True, kw_only=True)
class ListOperation(Operation[T], Generic[T, I]):
    """An operation that returns a list of items."""

    paging: Literal["none", "token", "page"]
    items: str
    """The property of the response that has the items."""
    item: Any
