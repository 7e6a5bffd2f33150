"""Live updates for slow readers, and over connections that are silent, renewed or lost again and again."""

from __future__ import annotations

import itertools
import random
import threading
import time
from typing import Any

import pytest
from live_kit import (
    ORDER,
    TICKER,
    begin,
    endless,
    ids,
    open_socket,
    read,
    sending,
    take,
    update_frame,
    write,
)
from websockets.sync.server import ServerConnection

from lastro import LastroError, NetworkError, OrdersUpdate, TickerUpdate, _live, _live_socket


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
        seen = read(
            kind,
            socket,
            lambda taken: isinstance(taken[-1], OrdersUpdate),
            channels=["ticker:BTC/BRL", "orders"],
            max_queued=10,
            pause=lambda: sent.wait(30),
        )
    prices = [update.event_id for update in seen if isinstance(update, TickerUpdate)]
    assert prices == sorted(prices)
    assert prices[-1] == 5_000
    # Those that one read of the connection took in at once may still have been on their way.
    assert len(prices) < 2_500
    assert len(socket.frames) == 2


def test_a_reader_that_is_slower_than_the_events_loses_none_and_holds_no_more_than_its_bound(kind: str) -> None:
    with open_socket(endless()) as socket:
        seen = take(kind, socket, 8, max_queued=3, pause=lambda: socket.ended.acquire(timeout=30))
    assert ids(seen) == [1, 2, 3, 4, 5, 6, 7, 8]
    # One update is with the reader, and three wait.
    assert socket.frames[1]["lastEventId"] <= 4
    assert len(socket.frames) > 1


def test_what_waits_for_the_reader_is_bounded_in_bytes_too(kind: str) -> None:
    with open_socket(endless({**ORDER, "reason": "x" * 1_000})) as socket:
        seen = take(
            kind,
            socket,
            10,
            client={"max_response_bytes": 5_000},
            pause=lambda: socket.ended.acquire(timeout=30),
        )
    assert ids(seen) == list(range(1, 11))
    assert socket.frames[1]["lastEventId"] < 6


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
        socket.unreachable = {2, 3}
        assert ids(take(kind, socket, 2)) == [1, 2]
    assert len(socket.codes) == 1


def test_a_server_that_cannot_be_reached_is_tried_again(kind: str) -> None:
    states: list[str] = []
    with open_socket(sending(1)) as socket:
        socket.unreachable = {1, 2}
        assert ids(take(kind, socket, 1, on_state=states.append)) == [1]
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


def test_a_reader_that_was_too_slow_does_not_wait_for_failures_before_and_later_ones_begin_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_live, "_FIRST_PAUSE_SECONDS", 0.25)
    monkeypatch.setattr(random, "uniform", lambda low, high: 1.0)
    feed = _live.Feed(_live.LiveOptions(channels=["orders"], max_queued=1))
    pauses = []
    for end in (NetworkError("lost"), NetworkError("lost"), None, NetworkError("lost")):
        feed.connecting()
        feed.ended(end)
        pauses.append(feed.waiting())
    assert pauses == [0.25, 0.5, 0.0, 0.25]
