"""A server of live updates that does what a script says, and both clients that read it."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing, closing, contextmanager
from typing import Any, TypeAlias

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from lastro import AsyncClient, Client, LiveUpdate, TradingKey

MOMENT = "2026-11-20T15:00:00.000Z"
ORDER: dict[str, Any] = {
    "orderId": "0190a000-0000-7000-8000-000000000005",
    "clientOrderId": None,
    "symbol": "BTC/BRL",
    "side": "BUY",
    "type": "LIMIT",
    "timeInForce": "GTC",
    "postOnly": False,
    "status": "PENDING",
    "reason": None,
    "amount": "0.10000000",
    "quoteAmount": None,
    "price": "350000.10",
    "filledAmount": "0",
    "averagePrice": None,
    "fee": "0.00",
    "feeCurrency": "BRL",
    "expiresAt": None,
    "createdAt": MOMENT,
    "filledAt": None,
}
TICKER: dict[str, Any] = {
    "symbol": "BTC/BRL",
    "bid": "1.10",
    "ask": None,
    "last": "1.15",
    "volume24h": "3",
    "change24h": "-1.25",
    "timestamp": MOMENT,
}

Script: TypeAlias = Callable[[ServerConnection, dict[str, Any]], None]
"""Is called with each frame of one connection."""


class Socket:
    """The server: what came, and where it is."""

    def __init__(self) -> None:
        self.url = ""
        self.frames: list[dict[str, Any]] = []
        self.codes: list[int] = []
        self.logins = 0
        self.expires_in = 3600
        self.unreachable: set[int] = set()
        """The numbers of the requests for a token that find no server, from 1."""
        self._requests = 0
        self.ended = threading.Semaphore(0)
        """Is released at the end of each connection."""

    def rest(self, request: httpx.Request) -> httpx.Response:
        """Gives tokens that are numbered."""
        self._requests += 1
        if self._requests in self.unreachable:
            raise httpx.ConnectError("down")
        self.logins += 1
        tokens = {"accessToken": f"token-{self.logins}", "refreshToken": "r", "expiresIn": self.expires_in}
        return httpx.Response(200, json=tokens)

    def options(self, options: dict[str, Any]) -> dict[str, Any]:
        """Returns the options of a client of this server."""
        transport = httpx.MockTransport(options.pop("rest", self.rest))
        return {"trading": TradingKey("key", "secret"), "transport": transport, "max_retries": 0} | options


@contextmanager
def open_socket(
    *scripts: Script, upgrade: Callable[[ServerConnection, Request], Response | None] | None = None
) -> Iterator[Socket]:
    """Opens a server on loopback with a script for each connection; later ones get that of the last."""
    socket = Socket()
    waiting = list(scripts)

    def handle(connection: ServerConnection) -> None:
        script = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        try:
            for message in connection:
                frame = json.loads(message)
                socket.frames.append(frame)
                script(connection, frame)
        except (ConnectionClosed, OSError):
            pass
        finally:
            close = connection.protocol.close_rcvd
            socket.codes.append(1006 if close is None else close.code)
            socket.ended.release()

    server = serve(handle, "127.0.0.1", 0, process_request=upgrade, compression=None, close_timeout=1)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    socket.url = f"http://127.0.0.1:{server.socket.getsockname()[1]}"
    try:
        yield socket
    finally:
        server.shutdown()
        thread.join()


IsDone: TypeAlias = Callable[[list[LiveUpdate]], bool]
"""Whether the updates that were read are enough."""


def read(
    kind: str,
    socket: Socket,
    is_done: IsDone,
    *,
    pause: Callable[[], object] = lambda: None,
    client: dict[str, Any] | None = None,
    **options: Any,
) -> list[LiveUpdate]:
    """Reads updates by one of the clients, pausing after the first, and closes it."""
    settings = socket.options(dict(client or {}))
    options = {"channels": ["orders"]} | options
    if kind == "async":
        return asyncio.run(_read(socket, settings, is_done, pause, options))
    taken: list[LiveUpdate] = []
    with Client(socket.url, **settings) as one, closing(one.live_updates(**options)) as updates:
        for update in updates:
            taken.append(update)
            if len(taken) == 1:
                pause()
            if is_done(taken):
                break
    return taken


async def _read(
    socket: Socket, settings: dict[str, Any], is_done: IsDone, pause: Callable[[], object], options: dict[str, Any]
) -> list[LiveUpdate]:
    taken: list[LiveUpdate] = []
    async with AsyncClient(socket.url, **settings) as one, aclosing(one.live_updates(**options)) as updates:
        async for update in updates:
            taken.append(update)
            if len(taken) == 1:
                await asyncio.to_thread(pause)
            if is_done(taken):
                break
    return taken


def take(kind: str, socket: Socket, count: int, **options: Any) -> list[LiveUpdate]:
    """Reads so many updates as `read` does."""
    return read(kind, socket, lambda taken: len(taken) == count, **options)


def write(connection: ServerConnection, frame: object) -> None:
    """Sends a frame."""
    connection.send(json.dumps(frame))


def update_frame(event_id: int, channel: str = "orders", data: object = ORDER, **others: object) -> dict[str, Any]:
    """Returns a frame with an update."""
    return {"type": "update", "channel": channel, "eventId": event_id, "timestamp": MOMENT, "data": data} | others


def begin(connection: ServerConnection, *event_ids: int) -> None:
    """Begins the orders, with events."""
    write(connection, {"type": "subscribed", "channel": "orders"})
    for event_id in event_ids:
        write(connection, update_frame(event_id))


def sending(*event_ids: int, close: int | None = None) -> Script:
    """Returns a script that sends events, and then closes where it has a code."""

    def script(connection: ServerConnection, frame: dict[str, Any]) -> None:
        begin(connection, *event_ids)
        if close is not None:
            connection.close(close)

    return script


def endless(data: object = ORDER) -> Script:
    """Returns a script that sends events as long as the connection lives."""

    def script(connection: ServerConnection, frame: dict[str, Any]) -> None:
        begin(connection)
        for event_id in itertools.count(frame.get("lastEventId", 0) + 1):
            write(connection, update_frame(event_id, data=data))

    return script


def ids(updates: Sequence[LiveUpdate]) -> list[int]:
    """Returns the ids of the events."""
    return [update.event_id for update in updates]
