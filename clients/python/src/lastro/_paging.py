"""How the pages of a list follow each other."""

from __future__ import annotations

from typing import Any

from ._document import Arguments, Operation, Paging
from .errors import LastroError

PAGE_SIZE = 100
"""The size of a page where the caller names none: the largest."""


def paging_of(operation: Operation) -> Paging:
    """Returns how a list is paged."""
    if operation.paging is None:
        raise TypeError(f"{operation.id} is no list")
    return operation.paging


def first_page(operation: Operation, arguments: Arguments) -> Arguments:
    """Returns the arguments for the first page."""
    form = paging_of(operation).form
    if form == "none":
        return arguments
    defaults = {"limit": PAGE_SIZE} | ({"page": 1} if form == "page" else {})
    given = {name: value for name, value in arguments.items() if value is not None}
    return defaults | given


def items_of(operation: Operation, body: Any) -> list[Any]:
    """Returns the items of a page; none where the response is of a form without them."""
    if not isinstance(body, dict):
        raise _invalid("the page is no object")
    items = body.get(paging_of(operation).items)
    return items if isinstance(items, list) else []


def next_page(operation: Operation, arguments: Arguments, body: Any) -> Arguments | None:
    """
    Returns the arguments for the page after one; None after the last.

    Raises LastroError where the response does not lead to another page, and reading on would not end.
    """
    form = paging_of(operation).form
    if form == "token":
        token = body.get("nextToken")
        return None if token is None else _moved(arguments, token)
    if form == "page":
        if not items_of(operation, body):
            return None
        page, limit, total = arguments["page"], arguments["limit"], body.get("total")
        if not isinstance(total, int):
            raise _invalid("total is no number")
        return None if page * limit >= total else {**arguments, "page": page + 1}
    return None


def _moved(arguments: Arguments, cursor: Any) -> Arguments:
    if not isinstance(cursor, str) or cursor in ("", arguments.get("nextToken")):
        raise _invalid("the cursor does not move on")
    return {**arguments, "nextToken": cursor}


def _invalid(reason: str) -> LastroError:
    return LastroError(f"The list cannot be read: {reason}", code="INVALID_RESPONSE")
