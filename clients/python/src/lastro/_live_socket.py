"""The socket of live updates: one connection, and the loop that opens the next one. Needs the extra `live`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeAlias

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from ._live import Feed, LiveSettings, may_pass
from ._live_queue import LiveQueue
from ._values import write_json
from .errors import LastroError, NetworkError, error_of
from .live import LiveUpdate

SILENCE_SECONDS = 70.0
"""The server sends a heartbeat every 30 seconds: a connection that is silent for longer is dead."""
RENEWAL_SECONDS = 15.0
"""How often the client looks for a new token."""
_CLOSE_SECONDS = 1.0
_TOO_LARGE = 1009
_TOKEN_REJECTED = 4401

AccessToken: TypeAlias = Callable[[str | None], Awaitable[str]]
"""Returns a valid access token, which is another than the one that was rejected."""


async def follow(feed: Feed, settings: LiveSettings, access_token: AccessToken) -> AsyncGenerator[LiveUpdate, None]:
    """
    Yields the updates of a feed over as many connections as it takes.

    Raises LastroError where connecting again does not help: a wrong credential, an unknown market, a missing scope.
    """
    rejected: str | None = None
    while True:
        feed.connecting()
        try:
            token = await access_token(rejected)
        except LastroError as error:
            feed.failed(error)
        else:
            end: LastroError | None = None
            try:
                connection = Connection(await _open(settings), feed, settings, token, access_token)
                try:
                    while (update := await connection.next()) is not None:
                        yield update
                finally:
                    await connection.close()
            except LastroError as error:
                end = error
            rejected = token if feed.ended(end) else None
        await asyncio.sleep(feed.waiting())


class Connection:
    """A connection that is read at once, however slow its reader is, and whose token is renewed."""

    def __init__(
        self, socket: ClientConnection, feed: Feed, settings: LiveSettings, token: str, access_token: AccessToken
    ) -> None:
        self._socket = socket
        self._feed = feed
        self._token = token
        self._access_token = access_token
        self._queue = LiveQueue(feed.max_queued, settings.max_bytes)
        self._heard_at = time.monotonic()
        works = (self._read(), self._renew(), self._watch())
        self._tasks = [asyncio.create_task(self._end_with(work)) for work in works]

    async def next(self) -> LiveUpdate | None:
        """Returns the next update; None where the reader was too slow, and the rest is to be replayed."""
        return await self._queue.next()

    async def close(self) -> None:
        """Closes the connection."""
        for task in self._tasks:
            task.cancel()
        try:
            await asyncio.gather(*self._tasks, return_exceptions=True)
        finally:
            await self._socket.close()

    async def _end_with(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
            self._queue.end(None)
        except ConnectionClosed as closed:
            self._queue.end(_error_of_close(closed))
        except Exception as error:
            self._queue.end(error)

    async def _read(self) -> None:
        try:
            await self._read_updates()
        finally:
            # Also while the reader is busy with what came before.
            await self._leave()

    async def _leave(self) -> None:
        """Closes the socket. What still comes is replayed on the next connection, but hides the end of this one."""
        closing = asyncio.create_task(self._socket.close())
        try:
            with suppress(ConnectionClosed):
                while True:
                    await self._socket.recv()
        finally:
            await closing

    async def _read_updates(self) -> None:
        await self._subscribe()
        while True:
            frame = await self._socket.recv()
            self._heard_at = time.monotonic()
            update = self._feed.read(frame)
            if update is None:
                continue
            if not self._queue.push(update, len(frame)):
                return
            self._feed.taken(update)

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(RENEWAL_SECONDS)
            try:
                current = await self._access_token(None)
            except LastroError as error:
                if not may_pass(error):
                    raise
                # The token is still valid for a while.
                continue
            if current != self._token:
                self._token = current
                await self._subscribe()

    async def _watch(self) -> None:
        # Not by `asyncio.wait_for` around each read, which before Python 3.12 may lose a cancellation.
        while (seconds := self._heard_at + SILENCE_SECONDS - time.monotonic()) > 0:
            await asyncio.sleep(seconds)
        raise NetworkError(f"The socket was silent for {SILENCE_SECONDS:g} seconds")

    async def _subscribe(self) -> None:
        for frame in self._feed.subscriptions(self._token):
            await self._socket.send(write_json(frame))


class _Connect(connect):
    """A redirect is an error: the other address must not get the token."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


async def _open(settings: LiveSettings) -> ClientConnection:
    # The authorities that the other calls of the client trust.
    tls: dict[str, Any] = {"ssl": httpx.create_ssl_context()} if settings.url.startswith("wss:") else {}
    try:
        return await _Connect(
            settings.url,
            user_agent_header="lastro-python",
            compression=None,
            open_timeout=settings.timeout,
            # The server sends pings and heartbeats.
            ping_interval=None,
            close_timeout=_CLOSE_SECONDS,
            max_size=settings.max_bytes,
            **tls,
        )
    except InvalidStatus as error:
        response = error.response
        headers = httpx.Headers(list(response.headers.raw_items()))
        raise error_of(response.status_code, headers, bytes(response.body or b"")) from error
    except (OSError, EOFError, asyncio.TimeoutError, WebSocketException) as error:
        raise NetworkError(f"The socket cannot be opened: {error or type(error).__name__}") from error


def _error_of_close(closed: ConnectionClosed) -> LastroError:
    if closed.rcvd is not None and closed.rcvd.code == _TOKEN_REJECTED:
        return LastroError(
            "The socket was closed with code 4401: the token has expired or was revoked",
            status=401,
            code="CAAS_AUTH_001",
        )
    if closed.sent is not None and closed.sent.code == _TOO_LARGE and not closed.rcvd_then_sent:
        return LastroError("The socket sent a message that is too long", code="RESPONSE_TOO_LARGE")
    code = 1006 if closed.rcvd is None else closed.rcvd.code
    return NetworkError(f"The socket was closed with code {code}")
