"""The types of responses, and of objects in requests, made of the OpenAPI document."""

from __future__ import annotations

from typing import Any

from ._document import response_types

globals().update(response_types())
__all__ = sorted(response_types())


def __getattr__(name: str) -> Any:
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
