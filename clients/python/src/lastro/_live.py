"""
What a feed of live updates knows apart from its socket: subscriptions, frames, and when to connect again.

`gateway/live/socket/PROTOCOL.md` describes the frames.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._values import decode, parse_json
from .errors import LastroError, NetworkError, error_of_frame
from .live import BalanceUpdate, DepthUpdate, LiveReset, LiveUpdate, OnState, OrdersUpdate, TickerUpdate

EVENT_CHANNELS = ("orders", "balance")
"""The channels of which no update may be left out."""
_FIRST_PAUSE_SECONDS = 0.25
_LONGEST_PAUSE_SECONDS = 8.0
_LONGEST_RETRY_AFTER_SECONDS = 60
_SETTLED_SECONDS = 10.0
"""A connection that was live for less is a failure like those before it: a server that closes at once is not asked
again at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveOptions:
    """What the caller asks for."""

    channels: Sequence[str]
    last_event_ids: Mapping[str, int] | None = None
    profile_id: str | None = None
    synthetic: bool | None = None
    max_queued: int
    on_state: OnState | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSettings:
    """What the client knows of the socket."""

    url: str
    timeout: float
    max_bytes: int
    """The longest message, and the most that waits for the reader."""


class Feed:
    """The state of one iteration, over all of its connections. Raises ValueError or TypeError for wrong options."""

    def __init__(self, options: LiveOptions) -> None:
        self._channels = _checked_channels(options.channels)
        self._last_event_ids = _checked_event_ids(options.last_event_ids or {})
        if isinstance(options.max_queued, bool) or not isinstance(options.max_queued, int) or options.max_queued < 1:
            raise ValueError("max_queued is an integer from 1 on")
        self.max_queued = options.max_queued
        self._wallet: dict[str, Any] = {}
        if options.profile_id is not None:
            self._wallet["profileId"] = options.profile_id
        if options.synthetic:
            self._wallet["synthetic"] = True
        self._on_state = options.on_state
        self._pending: set[str] = set()
        self._live_at: float | None = None
        self._failures = 0
        self._was_rejected = False
        self._retry_after = 0

    def connecting(self) -> None:
        """Begins a connection."""
        self._pending = set(self._channels)
        self._live_at = None
        self._retry_after = 0
        if self._on_state is not None:
            self._on_state("connecting")

    def subscriptions(self, token: str) -> list[dict[str, Any]]:
        """Returns the frames that begin the channels, or renew their token."""
        frames = []
        for channel in self._channels:
            frame = {"action": "subscribe", "channel": channel, "token": token, **self._wallet}
            if channel in self._last_event_ids:
                frame["lastEventId"] = self._last_event_ids[channel]
            frames.append(frame)
        return frames

    def read(self, frame: str | bytes) -> LiveUpdate | None:
        """Reads a frame; None where it has no update for the caller. Raises LastroError for an error."""
        content = _object_of(frame)
        kind, channel = content.get("type"), content.get("channel")
        if kind == "error":
            raise error_of_frame(content)
        if not isinstance(channel, str) or channel not in self._channels:
            # A channel that nobody asked for is no part of the queue's bound.
            return None
        if kind == "subscribed":
            self._begun(channel)
        if kind not in ("update", "reset"):
            return None
        try:
            update = _update_of(kind, channel, content)
        except ValueError as error:
            raise LastroError(f"An update of {channel} cannot be read: {error}", code="INVALID_RESPONSE") from error
        return None if self._is_repeated(update) else update

    def taken(self, update: LiveUpdate) -> None:
        """Notes an update that the reader gets: the next connection goes on after it."""
        if isinstance(update, LiveReset):
            # Without its snapshot there is nothing to go on from.
            self._last_event_ids.pop(update.channel, None)
        elif update.channel in EVENT_CHANNELS:
            self._last_event_ids[update.channel] = update.event_id

    def ended(self, error: LastroError | None) -> bool:
        """
        Takes the end of a connection; None where the reader was slower than the events.

        Returns whether its token was rejected. Raises the error where another connection does not help.
        """
        if error is None:
            # The server has not failed, whatever happened before.
            self._failures = 0
            return False
        if self._live_at is not None and time.monotonic() - self._live_at >= _SETTLED_SECONDS:
            self._failures = 0
        if error.status != 401:
            self.failed(error)
            return False
        # One more login; a second rejection is final.
        if self._was_rejected:
            raise error
        self._was_rejected = True
        self._failures += 1
        return True

    def failed(self, error: LastroError) -> None:
        """Takes a failure. Raises it where another attempt does not help."""
        if not may_pass(error):
            raise error
        self._failures += 1
        self._retry_after = min(error.retry_after or 0, _LONGEST_RETRY_AFTER_SECONDS)

    def waiting(self) -> float:
        """Returns the seconds until the next connection."""
        if self._on_state is not None:
            self._on_state("waiting")
        if self._failures == 0:
            return 0.0
        longest = min(_FIRST_PAUSE_SECONDS * 2.0 ** min(self._failures - 1, 10), _LONGEST_PAUSE_SECONDS)
        # Partly at random, so that clients that lost their connections together do not return together.
        return max(longest * random.uniform(0.5, 1.0), self._retry_after)

    def _begun(self, channel: str) -> None:
        self._pending.discard(channel)
        if self._pending or self._live_at is not None:
            return
        self._live_at = time.monotonic()
        self._was_rejected = False
        if self._on_state is not None:
            self._on_state("live")

    def _is_repeated(self, update: LiveUpdate) -> bool:
        if not isinstance(update, (OrdersUpdate, BalanceUpdate)) or update.snapshot:
            return False
        return update.event_id <= self._last_event_ids.get(update.channel, -1)


def may_pass(error: LastroError) -> bool:
    """Whether the next attempt may succeed."""
    return isinstance(error, NetworkError) or error.status == 429 or (error.status or 0) >= 500


def _update_of(kind: str, channel: str, content: Mapping[str, Any]) -> LiveUpdate:
    form: Any = TickerUpdate if channel.startswith("ticker:") else DepthUpdate
    if channel in EVENT_CHANNELS:
        form = LiveReset if kind == "reset" else OrdersUpdate if channel == "orders" else BalanceUpdate
    if form is OrdersUpdate and isinstance(content.get("data"), dict):
        content = {**content, "data": [content["data"]]}
    update: LiveUpdate = decode(form, content)
    return update


def _object_of(frame: str | bytes) -> Mapping[str, Any]:
    if isinstance(frame, bytes):
        raise LastroError("The socket sent a binary message", code="INVALID_RESPONSE")
    try:
        content = parse_json(frame)
    except ValueError as error:
        raise LastroError(f"A frame cannot be read: {error}", code="INVALID_RESPONSE") from error
    if not isinstance(content, dict):
        raise LastroError("A frame cannot be read: it is no object", code="INVALID_RESPONSE")
    return content


def _checked_channels(channels: Sequence[str]) -> tuple[str, ...]:
    if isinstance(channels, str) or not all(isinstance(one, str) for one in channels):
        raise TypeError('channels is a list of names, such as ["orders", "ticker:BTC/BRL"]')
    for channel in channels:
        if channel not in EVENT_CHANNELS and not channel.startswith(("ticker:", "depth:")):
            raise ValueError(f"{channel!r} is no channel: orders, balance, ticker:BTC/BRL, depth:BTC/BRL")
    if not channels:
        raise ValueError("channels has no channel")
    return tuple(dict.fromkeys(channels))


def _checked_event_ids(given: Mapping[str, int]) -> dict[str, int]:
    for channel, event_id in given.items():
        if channel not in EVENT_CHANNELS:
            raise ValueError(f"last_event_ids has {channel!r}: only orders and balance go on after an event")
        if isinstance(event_id, bool) or not isinstance(event_id, int):
            raise TypeError(f"last_event_ids[{channel!r}] is not an integer")
    return dict(given)
