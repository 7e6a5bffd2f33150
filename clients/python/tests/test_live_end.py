"""How live updates end, and how they do not begin."""

from __future__ import annotations

import asyncio
import sys
import threading
from typing import Any

import pytest
from live_kit import Socket, endless, open_socket, sending, take

from lastro import AsyncClient, Client


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
    with open_socket(endless()) as socket:
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
