"""Live updates against a server that means no good."""

from __future__ import annotations

import itertools
import json
from typing import Any

import httpx
import pytest
from live_kit import ORDER, TICKER, begin, ids, open_socket, sending, take, update_frame, write
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection

from lastro import LastroError


def test_frames_of_another_form_are_errors(kind: str) -> None:
    wrong: list[str | bytes] = [
        b"{}",
        "",
        "no JSON",
        "[]",
        "null",
        '{"type":NaN}',
        "[" * 100_000,
        '{"eventId":' + "9" * 5_000 + "}",
        *(
            json.dumps(frame)
            for frame in (
                update_frame(1) | {"eventId": "1"},
                update_frame(1) | {"eventId": True},
                update_frame(1) | {"eventId": None},
                update_frame(1) | {"timestamp": "yesterday"},
                update_frame(1, data=None),
                update_frame(1, data=1),
                update_frame(1, data=[1]),
                update_frame(1, data={**ORDER, "price": "NaN"}),
                update_frame(1, data={**ORDER, "price": "1e999999999"}),
                update_frame(1, data={**ORDER, "price": True}),
                update_frame(1, snapshot="yes"),
                {"type": "update", "channel": "orders"},
                {"type": "reset", "channel": "orders"},
                update_frame(1, "ticker:BTC/BRL", {**TICKER, "bid": []}),
                {"type": "reset", "channel": "ticker:BTC/BRL", "eventId": 1, "timestamp": TICKER["timestamp"]},
            )
        ),
    ]
    for frame in wrong:

        def script(connection: ServerConnection, _: dict[str, Any], frame: str | bytes = frame) -> None:
            connection.send(frame)

        with open_socket(script) as socket, pytest.raises(LastroError) as caught:
            take(kind, socket, 1, channels=["orders", "ticker:BTC/BRL"])
        assert caught.value.code == "INVALID_RESPONSE", frame


def test_error_frames_of_another_form_are_errors_without_what_is_wrong_in_them(kind: str) -> None:
    def script(connection: ServerConnection, frame: dict[str, Any]) -> None:
        wrong = {"statusCode": "400", "message": 1, "code": [], "details": {"path": 1}, "requestId": {}}
        write(connection, {"type": "error", **wrong})

    with open_socket(script) as socket, pytest.raises(LastroError, match="no message") as caught:
        take(kind, socket, 1)
    error = caught.value
    assert (error.status, error.code, error.details, error.request_id) == (None, None, (), None)


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"\x83\x00", id="an unknown kind of frame"),
        pytest.param(b"\xf1\x00", id="reserved bits"),
        pytest.param(b"\x81\x81\x00\x00\x00\x00x", id="a masked frame"),
        pytest.param(b"\x81\x01\xff", id="no UTF-8"),
        pytest.param(b"\x80\x00", id="a continuation of nothing"),
        pytest.param(b"\x89\x7e\x00\x7e" + b"x" * 126, id="a ping that is too long"),
        pytest.param(b"\x88\x02\x00\x01", id="a close code that does not exist"),
        pytest.param(b"HTTP/1.1 400 Bad Request\r\n" + b"x" * 200, id="no frame"),
    ],
)
def test_a_broken_connection_is_opened_again(raw: bytes, kind: str) -> None:
    def script(connection: ServerConnection, frame: dict[str, Any]) -> None:
        begin(connection, 1)
        connection.socket.sendall(raw)

    with open_socket(script, sending(2)) as socket:
        assert ids(take(kind, socket, 2)) == [1, 2]
    assert socket.frames[1]["lastEventId"] == 1


@pytest.mark.parametrize("is_fragmented", [False, True])
def test_a_message_without_an_end_is_read_up_to_the_limit(is_fragmented: bool, kind: str) -> None:
    def script(connection: ServerConnection, frame: dict[str, Any]) -> None:
        connection.send(itertools.repeat("x" * 1_000) if is_fragmented else "x" * 10_001)

    with open_socket(script) as socket, pytest.raises(LastroError) as caught:
        take(kind, socket, 1, client={"max_response_bytes": 10_000})
    assert caught.value.code == "RESPONSE_TOO_LARGE"


def test_a_flood_of_frames_that_mean_nothing_does_not_keep_the_reader_from_its_updates(kind: str) -> None:
    def script(connection: ServerConnection, frame: dict[str, Any]) -> None:
        for number in range(4_000):
            connection.send('{"type":"unknown","channel":"orders"}')
            if number % 2_000 == 1_999:
                write(connection, update_frame(number))

    with open_socket(script) as socket:
        assert ids(take(kind, socket, 2)) == [1_999, 3_999]


def test_a_redirect_is_an_error_with_its_status_and_the_other_address_gets_nothing(kind: str) -> None:
    with open_socket(sending(1)) as other:

        def upgrade(connection: ServerConnection, request: Request) -> Response:
            return Response(307, "Temporary Redirect", Headers(Location=other.url.replace("http", "ws") + "/ws"))

        with open_socket(sending(1), upgrade=upgrade) as socket, pytest.raises(LastroError) as caught:
            take(kind, socket, 1)
    assert caught.value.status == 307
    assert other.frames == []


def test_an_upgrade_that_is_refused_for_the_moment_is_tried_again_and_another_is_an_error(kind: str) -> None:
    statuses = [503, 429, 404]

    def upgrade(connection: ServerConnection, request: Request) -> Response:
        body = json.dumps({"message": "no", "code": "X", "requestId": "r"}).encode()
        return Response(statuses.pop(0), "No", Headers({"Content-Length": str(len(body))}), body)

    with open_socket(sending(1), upgrade=upgrade) as socket, pytest.raises(LastroError) as caught:
        take(kind, socket, 1)
    assert (caught.value.status, caught.value.code, caught.value.request_id) == (404, "X", "r")
    assert statuses == []


def test_a_login_of_another_form_is_an_error(kind: str) -> None:
    with open_socket(sending(1)) as socket, pytest.raises(LastroError, match="cannot be read"):
        take(kind, socket, 1, client={"rest": lambda request: httpx.Response(200, json={"accessToken": 1})})


def test_tokens_are_in_no_error(kind: str) -> None:
    def script(connection: ServerConnection, frame: dict[str, Any]) -> None:
        connection.send("no JSON")

    with open_socket(script) as socket, pytest.raises(LastroError) as caught:
        take(kind, socket, 1)
    assert "token-1" not in f"{caught.value!r} {caught.value}"
