"""How the pages of a list follow each other."""

from __future__ import annotations

from typing import Any

from ._operation import Arguments, ListOperation

PAGE_SIZE = 100
"""The size of a page where the caller names none: the largest."""


def first_page(operation: ListOperation[Any, Any], arguments: Arguments) -> Arguments:
    """Returns the arguments for the first page."""
    if operation.paging == "none":
        return arguments
    size = "first" if operation.paging == "connection" else "limit"
    defaults = {size: PAGE_SIZE} | ({"page": 1} if operation.paging == "page" else {})
    given = {name: value for name, value in arguments.items() if value is not None}
    return defaults | given


def items_of(operation: ListOperation[Any, Any], body: Any) -> list[Any]:
    """Returns the items of a page; none where the response is of a form without them."""
    items = body.get(operation.items) if isinstance(body, dict) else None
    return items if isinstance(items, list) else []


def next_page(operation: ListOperation[Any, Any], arguments: Arguments, body: Any) -> Arguments | None:
    """Returns the arguments for the page after one; None after the last."""
    if not isinstance(body, dict):
        return None
    if operation.paging == "token":
        token = body.get("nextToken")
        return {**arguments, "nextToken": token} if isinstance(token, str) else None
    if operation.paging == "connection":
        info = body.get("pageInfo", {})
        return {**arguments, "after": info["endCursor"]} if info.get("hasNextPage") is True else None
    if operation.paging == "page":
        page, limit, total = arguments["page"], arguments["limit"], body.get("total", 0)
        is_last = not items_of(operation, body) or page * limit >= total
        return None if is_last else {**arguments, "page": page + 1}
    return None
