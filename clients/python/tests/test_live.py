"""Live updates of both clients: channels, events, errors."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import httpx
import pytest
from live_kit import (
    MOMENT,
    ORDER,
    TICKER,
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
    BalanceUpdate,
    DepthUpdate,
    LastroError,
    LiveReset,
    OrdersUpdate,
    TickerUpdate,
)


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


def test_updates_of_channels_that_were_not_asked_for_are_discarded(kind: str) -> None:
    def script(connection: ServerConnection, frame: dict[str, Any]) -> None:
        for channel in ("ticker:A/B", "balance", "toString", ["orders"], None):
            write(connection, {"type": "update", "channel": channel, "eventId": 1, "timestamp": MOMENT, "data": {}})
        begin(connection, 1)

    with open_socket(script) as socket:
        assert [update.channel for update in take(kind, socket, 1)] == ["orders"]
