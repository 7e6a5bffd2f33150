"""The data of each event of webhooks, made of the OpenAPI document."""

from __future__ import annotations

from typing import Any, TypeAlias

from ._document import event_types

EVENT_TYPES: dict[str, Any] = event_types()
"""The class of the data of each event, by the name of the event."""

EventData: TypeAlias = Any

globals().update({kind.__name__: kind for kind in EVENT_TYPES.values()})
__all__ = ["EVENT_TYPES", "EventData", *sorted(kind.__name__ for kind in EVENT_TYPES.values())]


def __getattr__(name: str) -> Any:
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
