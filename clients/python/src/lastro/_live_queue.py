"""Updates between a socket and its reader."""

from __future__ import annotations

import asyncio

from ._live import EVENT_CHANNELS
from .live import LiveUpdate


class LiveQueue:
    """Holds updates until they are read, within limits. Of prices only the latest is kept."""

    def __init__(self, max_events: int, max_bytes: int) -> None:
        self._max_events = max_events
        self._max_bytes = max_bytes
        self._waiting: dict[str | int, tuple[LiveUpdate, int]] = {}
        self._bytes = 0
        self._events = 0
        self._count = 0
        self._ended = False
        self._error: Exception | None = None
        self._changed = asyncio.Event()

    def push(self, update: LiveUpdate, size: int) -> bool:
        """Returns whether the update was taken; False when the queue is full, or has ended."""
        is_event = update.channel in EVENT_CHANNELS
        if is_event:
            self._count += 1
        key = self._count if is_event else update.channel
        held = self._waiting[key][1] if key in self._waiting else 0
        if self._ended or (is_event and self._events >= self._max_events):
            return False
        if self._waiting and self._bytes - held + size > self._max_bytes:
            return False
        self._waiting[key] = (update, size)
        self._bytes += size - held
        self._events += is_event
        self._changed.set()
        return True

    def end(self, error: Exception | None) -> None:
        """Ends the queue after the updates that it holds, with an error where there is one. The first end counts."""
        if not self._ended:
            self._ended, self._error = True, error
            self._changed.set()

    async def next(self) -> LiveUpdate | None:
        """Returns the next update; None at the end. Raises the error of the end."""
        while not self._waiting:
            if self._error is not None:
                raise self._error
            if self._ended:
                return None
            self._changed.clear()
            await self._changed.wait()
        key = next(iter(self._waiting))
        update, size = self._waiting.pop(key)
        self._bytes -= size
        self._events -= isinstance(key, int)
        return update
