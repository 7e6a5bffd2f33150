"""
Live updates against the running program, over connections that are cut.

`tests/clients/python.test.ts` runs it, with the address and the credential of the program in the environment.
"""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, closing, contextmanager, suppress
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

import pytest

from lastro import (
    AsyncClient,
    BalanceUpdate,
    Client,
    DepthUpdate,
    LastroError,
    LiveReset,
    LiveState,
    LiveUpdate,
    OrdersUpdate,
    TickerUpdate,
    TradingKey,
)

URL = os.environ["LASTRO_URL"]
OPTIONS: dict[str, Any] = {
    "trading": TradingKey(os.environ["LASTRO_TRADING_KEY"], os.environ["LASTRO_TRADING_SECRET"]),
    "synthetic": True,
}


class Relay:
    """A way to the program that can be cut."""

    def __init__(self, listener: socket.socket) -> None:
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._listener = listener
        self._open: list[socket.socket] = []

    def serve(self) -> None:
        program = urlsplit(URL)
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection((program.hostname, program.port))
            self._open += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=_copy, args=(source, target), daemon=True).start()

    def cut(self) -> None:
        """Ends all connections without a word."""
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open.clear()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while part := source.recv(65_536):
            target.sendall(part)
        target.shutdown(socket.SHUT_WR)


@contextmanager
def _relay() -> Iterator[Relay]:
    listener = socket.create_server(("127.0.0.1", 0))
    relay = Relay(listener)
    thread = threading.Thread(target=relay.serve)
    thread.start()
    try:
        yield relay
    finally:
        # Wakes the thread as well.
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()
        relay.cut()


@asynccontextmanager
async def _reading(kind: str, url: str, **options: Any) -> AsyncIterator[Callable[[], Awaitable[LiveUpdate]]]:
    """What reads the next update by one of the clients."""
    if kind == "async":
        async with AsyncClient(url, **OPTIONS) as client, aclosing(client.live_updates(**options)) as updates:
            yield updates.__anext__
    else:
        with Client(url, **OPTIONS) as blocking, closing(blocking.live_updates(**options)) as plain:
            yield lambda: asyncio.to_thread(next, plain)


async def _place(trader: AsyncClient) -> str:
    """Places an order far below the market, which stays open."""
    order = await trader.create_order(
        symbol="BTC/BRL", side="BUY", type="LIMIT", amount=Decimal("0.001"), price=Decimal("20000.00")
    )
    return str(order.order_id)


def test_each_event_comes_once_and_in_order_over_connections_that_are_cut(kind: str) -> None:
    async def scenario(relay: Relay) -> None:
        states: list[LiveState] = []
        seen: list[OrdersUpdate] = []
        async with AsyncClient(URL, **OPTIONS) as trader:
            async with _reading(kind, relay.url, channels=["orders"], on_state=states.append) as read:

                async def read_until(order_id: str, status: str) -> None:
                    while not seen or (seen[-1].data[0].order_id, seen[-1].data[0].status) != (order_id, status):
                        update = await read()
                        assert isinstance(update, OrdersUpdate)
                        assert not update.snapshot
                        seen.append(update)

                snapshot = await read()
                assert isinstance(snapshot, OrdersUpdate)
                assert snapshot.snapshot
                for _ in range(3):
                    order_id = await _place(trader)
                    await read_until(order_id, "PENDING")
                    relay.cut()
                    await trader.cancel_order(order_id=order_id)
                    await read_until(order_id, "CANCELLED")
            first = snapshot.event_id + 1
            assert [update.event_id for update in seen] == list(range(first, first + len(seen)))
            assert seen[0].data[0].price == Decimal("20000.00")
            assert states[:5] == ["connecting", "live", "waiting", "connecting", "live"]
            # In another process.
            async with _reading(kind, URL, channels=["orders"], last_event_ids={"orders": first}) as read:
                assert [(await read()).event_id for _ in range(2)] == [first + 1, first + 2]

    with _relay() as relay:
        asyncio.run(scenario(relay))


def test_every_channel_can_be_read(kind: str) -> None:
    async def scenario() -> None:
        missing: set[type[LiveUpdate]] = {BalanceUpdate, OrdersUpdate, TickerUpdate, DepthUpdate}
        channels = ["balance", "orders", "ticker:BTC/BRL", "depth:BTC/BRL"]
        async with _reading(kind, URL, channels=channels) as read:
            while missing:
                update = await read()
                assert update.timestamp.tzinfo is not None
                missing.discard(type(update))

    asyncio.run(scenario())


def test_an_event_that_is_unknown_leads_to_a_reset_and_a_snapshot(kind: str) -> None:
    async def scenario() -> None:
        async with _reading(kind, URL, channels=["balance"], last_event_ids={"balance": 1_000_000}) as read:
            reset, snapshot = await read(), await read()
        assert isinstance(reset, LiveReset)
        assert isinstance(snapshot, BalanceUpdate)
        assert snapshot.snapshot

    asyncio.run(scenario())


def test_a_market_that_does_not_exist_is_an_error(kind: str) -> None:
    async def scenario() -> None:
        async with _reading(kind, URL, channels=["ticker:NO/BRL"]) as read:
            await read()

    with pytest.raises(LastroError) as caught:
        asyncio.run(scenario())
    assert (caught.value.status, caught.value.code) == (400, "CAAS_WS_001")
