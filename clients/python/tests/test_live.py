"""Live updates of both clients, against a server that fails on demand."""

from __future__ import annotations

import asyncio
import itertools
import random
import sys
import threading
import time
from decimal import Decimal
from typing import Any

import httpx
import pytest
from live_kit import (
    MOMENT,
    ORDER,
    TICKER,
    Socket,
    begin,
    ids,
    open_socket,
    sending,
    take,
    update_frame,
    write,
)
from websockets.sync.server import ServerConnection

from lastro import (
    AsyncClient,
    BalanceUpdate,
    Client,
    DepthUpdate,
    LastroError,
    LiveReset,
    NetworkError,
    OrdersUpdate,
    TickerUpdate,
    _live,
    _live_socket,
)


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_live, "_FIRST_PAUSE_SECONDS", 0.001)


def test_updates_have_the_types_of_the_other_calls(kind: str) -> None:
    balance = {"currency": "BRL", "available": "10.50", "locked": "0.00", "total": "10.50"}
    level = {"price": "350000.10", "amount": "0.5"}
    depth = {"symbol": "BTC/BRL", "bids": [level], "asks": [], "timestamp": MOMENT}

    def script(connection: ServerConnection, frame: dict[str, Any]) -> None:
        if frame["channel"] != "depth:BTC/BRL":
            return
        write(connection, {"type": "heartbeat", "timestamp": MOMENT})
        write(connection, {"type": "of a later server"})
        write(connection, update_frame(4, data=[ORDER, ORDER], snapshot=True, later=1))
        write(connection, update_frame(5))
        write(connection, update_frame(1, "balance", {"wallets": [balance]}))
        write(connection, update_frame(1, "ticker:BTC/BRL", TICKER))
        write(connection, update_frame(1, "depth:BTC/BRL", depth))

    channels = ["orders", "balance", "ticker:BTC/BRL", "depth:BTC/BRL"]
    with open_socket(script) as socket:
        snapshot, order, wallet, ticker, book = take(
            kind, socket, 5, channels=channels, client={"profile_id": "p1", "synthetic": True}
        )
    assert isinstance(snapshot, OrdersUpdate)
    assert (snapshot.snapshot, len(snapshot.data)) == (True, 2)
    assert isinstance(order, OrdersUpdate)
    assert (order.snapshot, order.data[0].price) == (False, Decimal("350000.10"))
    assert isinstance(wallet, BalanceUpdate)
    assert wallet.data.wallets[0].available == Decimal("10.50")
    assert isinstance(ticker, TickerUpdate)
    assert (ticker.data.last, ticker.data.ask) == (Decimal("1.15"), None)
    assert isinstance(book, DepthUpdate)
    assert book.data.bids[0].amount == Decimal("0.5")
    assert [frame["channel"] for frame in socket.frames] == channels
    assert {(frame["profileId"], frame["synthetic"], frame["token"]) for frame in socket.frames} == {
        ("p1", True, "token-1")
    }


def test_a_rejected_token_is_replaced_and_the_channel_goes_on_after_its_last_event(kind: str) -> None:
    def later(connection: ServerConnection, frame: dict[str, Any]) -> None:
        write(connection, {"type": "error", "statusCode": 503, "message": "later", "requestId": "r"})

    with open_socket(sending(7, close=4401), later, sending(8)) as socket:
        assert ids(take(kind, socket, 2)) == [7, 8]
    assert [(frame["token"], frame.get("lastEventId")) for frame in socket.frames] == [
        ("token-1", None),
        ("token-2", 7),
        ("token-2", 7),
    ]


def test_a_token_that_is_rejected_twice_in_a_row_is_an_error(kind: str) -> None:
    def reject(connection: ServerConnection, frame: dict[str, Any]) -> None:
        error = {"statusCode": 401, "code": "CAAS_AUTH_001", "message": "no", "requestId": "r", "details": [1]}
        write(connection, {"type": "error", **error})

    with open_socket(reject) as socket, pytest.raises(LastroError) as caught:
        take(kind, socket, 1)
    assert (caught.value.status, caught.value.code, caught.value.request_id) == (401, "CAAS_AUTH_001", "r")
    assert [frame["token"] for frame in socket.frames] == ["token-1", "token-2"]


@pytest.mark.parametrize("status", [400, 403, 404, 409, "503", None])
def test_an_error_that_does_not_pass_is_raised_at_once(status: Any, kind: str) -> None:
    def refuse(connection: ServerConnection, frame: dict[str, Any]) -> None:
        write(connection, {"type": "error", "statusCode": status, "message": "no", "code": "CAAS_WS_001"})

    with open_socket(refuse) as socket, pytest.raises(LastroError, match="no") as caught:
        take(kind, socket, 1)
    assert caught.value.code == "CAAS_WS_001"
    assert len(socket.frames) == 1


def test_a_wrong_credential_is_raised_at_once(kind: str) -> None:
    def rest(request: httpx.Request) -> httpx.Response:
        return httpx.Response(401, json={"message": "The key is unknown", "code": "CAAS_AUTH_002"})

    with open_socket(sending()) as socket, pytest.raises(LastroError) as caught:
        take(kind, socket, 1, client={"rest": rest})
    assert caught.value.code == "CAAS_AUTH_002"
    assert socket.frames == []


def test_each_event_comes_once_and_in_order_over_connections_that_are_lost(kind: str) -> None:
    states: list[str] = []

    def cut(connection: ServerConnection, frame: dict[str, Any]) -> None:
        begin(connection, 1, 2)
        connection.socket.shutdown(2)

    with open_socket(cut, sending(3, 4, close=4008), sending(4, 3, 5, 5, close=1001), sending(6)) as socket:
        assert ids(take(kind, socket, 6, on_state=states.append)) == [1, 2, 3, 4, 5, 6]
    assert [frame.get("lastEventId") for frame in socket.frames] == [None, 2, 4, 5]
    assert states == [*["connecting", "live", "waiting"] * 3, "connecting", "live"]


def test_goes_on_after_the_event_that_another_process_saw_last(kind: str) -> None:
    with open_socket(sending(10)) as socket:
        assert ids(take(kind, socket, 1, last_event_ids={"orders": 9, "balance": 3})) == [10]
    assert [frame["lastEventId"] for frame in socket.frames] == [9]


def test_a_reset_whose_snapshot_was_lost_is_followed_by_another_snapshot(kind: str) -> None:
    def reset(connection: ServerConnection, frame: dict[str, Any]) -> None:
        begin(connection)
        write(connection, {"type": "reset", "channel": "orders", "eventId": 4, "timestamp": MOMENT})
        connection.close(1001)

    def snapshot(connection: ServerConnection, frame: dict[str, Any]) -> None:
        begin(connection)
        write(connection, update_frame(4, data=[], snapshot=True))

    with open_socket(reset, snapshot) as socket:
        first, second = take(kind, socket, 2, last_event_ids={"orders": 1_000})
    assert isinstance(first, LiveReset)
    assert isinstance(second, OrdersUpdate)
    assert [frame.get("lastEventId") for frame in socket.frames] == [1_000, None]


def test_of_prices_a_slow_reader_gets_the_latest(kind: str) -> None:
    sent = threading.Event()

    def script(connection: ServerConnection, frame: dict[str, Any]) -> None:
        if frame["channel"] != "orders":
            return
        for event_id in range(1, 5_001):
            write(connection, update_frame(event_id, "ticker:BTC/BRL", TICKER))
        write(connection, update_frame(1))
        connection.ping().wait()
        sent.set()

    with open_socket(script) as socket:
        settings = socket.options({})
        prices: list[int] = []

        def note(update: object) -> bool:
            if isinstance(update, TickerUpdate):
                prices.append(update.event_id)
                sent.wait(30)
            return isinstance(update, OrdersUpdate)

        async def read() -> None:
            async with AsyncClient(socket.url, **settings) as client:
                async for update in client.live_updates(channels=["ticker:BTC/BRL", "orders"], max_queued=10):
                    if await asyncio.to_thread(note, update):
                        return

        if kind == "async":
            asyncio.run(read())
        else:
            with Client(socket.url, **settings) as client:
                for update in client.live_updates(channels=["ticker:BTC/BRL", "orders"], max_queued=10):
                    if note(update):
                        break
    assert prices == sorted(prices)
    assert prices[-1] == 5_000
    # Those that one read of the connection took in at once may still have been on their way.
    assert len(prices) < 2_500
    assert len(socket.frames) == 2


def test_a_reader_that_is_slower_than_the_events_loses_none_and_holds_no_more_than_its_bound(kind: str) -> None:
    def endless(connection: ServerConnection, frame: dict[str, Any]) -> None:
        begin(connection)
        for event_id in itertools.count(frame.get("lastEventId", 0) + 1):
            write(connection, update_frame(event_id))

    with open_socket(endless) as socket:
        seen = take(kind, socket, 8, max_queued=3, pause=lambda: socket.ended.acquire(timeout=30))
    assert ids(seen) == [1, 2, 3, 4, 5, 6, 7, 8]
    # One update is with the reader, and three wait.
    assert socket.frames[1]["lastEventId"] <= 4
    assert len(socket.frames) > 1


def test_what_waits_for_the_reader_is_bounded_in_bytes_too(kind: str) -> None:
    def endless(connection: ServerConnection, frame: dict[str, Any]) -> None:
        for event_id in itertools.count(frame.get("lastEventId", 0) + 1):
            write(connection, update_frame(event_id, data={**ORDER, "reason": "x" * 1_000}))

    with open_socket(endless) as socket:
        seen = take(
            kind,
            socket,
            10,
            client={"max_response_bytes": 5_000},
            pause=lambda: socket.ended.acquire(timeout=30),
        )
    assert ids(seen) == list(range(1, 11))
    assert socket.frames[1]["lastEventId"] < 6


def test_updates_of_channels_that_were_not_asked_for_are_discarded(kind: str) -> None:
    def script(connection: ServerConnection, frame: dict[str, Any]) -> None:
        for channel in ("ticker:A/B", "balance", "toString", ["orders"], None):
            write(connection, {"type": "update", "channel": channel, "eventId": 1, "timestamp": MOMENT, "data": {}})
        begin(connection, 1)

    with open_socket(script) as socket:
        assert [update.channel for update in take(kind, socket, 1)] == ["orders"]


def test_a_connection_that_is_silent_is_replaced(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_live_socket, "SILENCE_SECONDS", 0.3)
    states: list[str] = []
    with open_socket(sending(), sending(1)) as socket:
        assert ids(take(kind, socket, 1, on_state=states.append)) == [1]
    assert states == ["connecting", "live", "waiting", "connecting", "live"]


def test_a_token_is_renewed_on_the_connection(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_live_socket, "RENEWAL_SECONDS", 0.01)

    def script(connection: ServerConnection, frame: dict[str, Any]) -> None:
        if frame["token"] == "token-1":
            begin(connection, 1)
        elif frame["token"] == "token-3":
            write(connection, update_frame(2))

    with open_socket(script) as socket:
        socket.expires_in = 1
        assert ids(take(kind, socket, 2)) == [1, 2]
    assert len(socket.codes) == 1
    assert [frame["token"] for frame in socket.frames][:3] == ["token-1", "token-2", "token-3"]


def test_a_renewal_that_fails_for_the_moment_does_not_end_the_connection(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_live_socket, "RENEWAL_SECONDS", 0.01)

    def script(connection: ServerConnection, frame: dict[str, Any]) -> None:
        if frame["token"] == "token-1":
            begin(connection, 1)
        else:
            write(connection, update_frame(2))

    with open_socket(script) as socket:
        socket.expires_in = 1
        attempts = itertools.count(1)

        def rest(request: httpx.Request) -> httpx.Response:
            if next(attempts) in (2, 3):
                raise httpx.ConnectError("down")
            return socket.rest(request)

        assert ids(take(kind, socket, 2, client={"rest": rest})) == [1, 2]
    assert len(socket.codes) == 1


def test_a_server_that_cannot_be_reached_is_tried_again(kind: str) -> None:
    states: list[str] = []
    with open_socket(sending(1)) as socket:
        attempts = itertools.count(1)

        def rest(request: httpx.Request) -> httpx.Response:
            if next(attempts) < 3:
                raise httpx.ConnectError("down")
            return socket.rest(request)

        assert ids(take(kind, socket, 1, client={"rest": rest}, on_state=states.append)) == [1]
    assert states == [*["connecting", "waiting"] * 2, "connecting", "live"]


def test_a_server_that_closes_each_connection_at_once_is_asked_less_and_less_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_live, "_FIRST_PAUSE_SECONDS", 0.25)
    monkeypatch.setattr(random, "uniform", lambda low, high: 1.0)
    now = itertools.count(0, 9)
    monkeypatch.setattr(time, "monotonic", lambda: float(next(now)))
    feed = _live.Feed(_live.LiveOptions(channels=["orders"], max_queued=1))
    pauses = []
    for _ in range(8):
        feed.connecting()
        feed.read('{"type":"subscribed","channel":"orders"}')
        feed.ended(NetworkError("lost"))
        pauses.append(feed.waiting())
    assert pauses == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    now = itertools.count(0, 10)
    feed.connecting()
    feed.read('{"type":"subscribed","channel":"orders"}')
    feed.ended(NetworkError("lost"))
    assert feed.waiting() == 0.25
    feed.failed(LastroError("slower", status=429, retry_after=30))
    assert feed.waiting() == 30


def test_an_error_of_on_state_is_raised(kind: str) -> None:
    def on_state(state: str) -> None:
        if state == "live":
            raise KeyError("mine")

    with open_socket(sending(1)) as socket, pytest.raises(KeyError, match="mine"):
        take(kind, socket, 2, on_state=on_state)


def test_the_end_of_the_iteration_closes_the_connection(kind: str) -> None:
    with open_socket(sending(1)) as socket:
        take(kind, socket, 1)
        assert socket.ended.acquire(timeout=30)
    assert socket.codes == [1000]
    assert [thread.name for thread in threading.enumerate() if thread.name == "lastro-live"] == []


def test_the_connection_is_closed_also_while_frames_come(kind: str) -> None:
    def endless(connection: ServerConnection, frame: dict[str, Any]) -> None:
        begin(connection)
        for event_id in itertools.count(1):
            write(connection, update_frame(event_id))

    with open_socket(endless) as socket:
        for count in range(1, 21):
            assert len(take(kind, socket, count)) == count
            assert socket.ended.acquire(timeout=30)
    assert len(socket.codes) == 20


def test_a_cancelled_task_closes_the_connection() -> None:
    async def read(socket: Socket) -> None:
        first = asyncio.Event()

        async def follow() -> None:
            async with AsyncClient(socket.url, **socket.options({})) as client:
                async for _ in client.live_updates(channels=["orders"]):
                    first.set()

        task = asyncio.create_task(follow())
        await first.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}

    with open_socket(sending(1)) as socket:
        asyncio.run(read(socket))
        assert socket.ended.acquire(timeout=30)
    assert socket.codes == [1000]


def test_an_interrupted_reader_closes_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    import concurrent.futures

    original = concurrent.futures.Future.result

    def interrupt(future: Any, timeout: float | None = None) -> Any:
        monkeypatch.setattr(concurrent.futures.Future, "result", original)
        with pytest.raises(concurrent.futures.TimeoutError):
            original(future, 0.3)
        raise KeyboardInterrupt

    with open_socket(sending(1)) as socket, Client(socket.url, **socket.options({})) as client:
        updates = client.live_updates(channels=["orders"])
        next(updates)
        monkeypatch.setattr(concurrent.futures.Future, "result", interrupt)
        with pytest.raises(KeyboardInterrupt):
            next(updates)
        assert socket.ended.acquire(timeout=30)
    assert socket.codes == [1000]


def test_without_websockets_the_error_says_what_to_install(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "lastro._live_socket")
    monkeypatch.delattr("lastro._live_socket")
    monkeypatch.setitem(sys.modules, "websockets.asyncio.client", None)
    with open_socket(sending(1)) as socket, pytest.raises(ImportError, match=r"lastro\[live\]"):
        take(kind, socket, 1)
    assert socket.logins == 0


@pytest.mark.parametrize(
    "options",
    [
        {"channels": "orders"},
        {"channels": []},
        {"channels": ["trades"]},
        {"channels": [1]},
        {"last_event_ids": {"ticker:BTC/BRL": 1}},
        {"last_event_ids": {"orders": "1"}},
        {"last_event_ids": {"orders": True}},
        {"max_queued": 0},
        {"max_queued": 1.5},
    ],
)
def test_wrong_options_are_refused_and_nothing_is_sent(options: dict[str, Any], kind: str) -> None:
    with open_socket(sending(1)) as socket, pytest.raises((ValueError, TypeError)):
        take(kind, socket, 1, **options)
    assert socket.logins == 0


def test_without_a_credential_the_error_says_which_one_it_needs(kind: str) -> None:
    with open_socket(sending(1)) as socket, pytest.raises(ValueError, match="trading"):
        take(kind, socket, 1, client={"trading": None})
