"""The methods of both clients, made of the OpenAPI document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._async import AsyncExecutor
from ._document import Method, methods
from ._sync import SyncExecutor


class SyncMethods(SyncExecutor):
    """A method for each operation."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


class AsyncMethods(AsyncExecutor):
    """A method for each operation: to be awaited, and lists to be read by `async for`."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


def _make(method: Method, owner: type) -> Any:
    operation, signature = method.operation, method.signature

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        given = signature.bind(self, *args, **kwargs).arguments
        arguments = {one.wire: given.get(one.name) for one in method.arguments if one.wire}
        if method.kind == "iterate":
            return self._iterate(operation, arguments)
        if method.kind == "frame":
            return self._frame(operation, arguments, given.get("frame", "pandas"))
        return self._call(operation, arguments, given.get("idempotency_key"))

    call.__name__, call.__qualname__ = method.name, f"{owner.__name__}.{method.name}"
    call.__module__, call.__doc__ = owner.__module__, method.doc
    vars(call)["__signature__"] = signature
    return call


for _one in methods():
    for _owner in (SyncMethods, AsyncMethods):
        if hasattr(_owner, _one.name):
            raise TypeError(f"Two methods have the name {_one.name}")
        setattr(_owner, _one.name, _make(_one, _owner))
