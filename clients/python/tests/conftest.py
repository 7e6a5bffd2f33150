"""What the tests share: the vectors, and both clients behind one face, against a server that is a function."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest

from lastro import AsyncClient, Client, Originator, TradingKey, _live
from lastro._document import Operation, operations

VECTORS = Path(__file__).resolve().parents[2] / "vectors"

Handler = Callable[[httpx.Request], httpx.Response]


def vectors(name: str) -> dict[str, Any]:
    """Reads a file of test vectors."""
    content: dict[str, Any] = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
    return content


def cases(name: str) -> list[Any]:
    """Returns the cases of a file as parameters of a test."""
    return [pytest.param(case, id=case["name"]) for case in vectors(name)["cases"]]


def operation_of(name: str) -> Operation:
    """Returns the operation with an operationId, in its form of JSON."""
    return next(one for one in operations() if one.id == name)


@cache
def originator() -> Originator:
    """Returns an originator with the private key of the vectors."""
    return Originator("0190a000-0000-7000-8000-000000000001", vectors("signatures")["privateKey"])


class Face:
    """One of the two clients; calls of the asynchronous one run to their end."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def run(self, handler: Handler, action: Callable[[Any], Any], **options: Any) -> Any:
        """Runs an action with a client that has every credential, and returns its result."""
        settings: dict[str, Any] = {
            "api_key": "svcpub_test.secret",
            "developer_key": "svc_dev_test",
            "session_token": "session",
            "trading": TradingKey("key", "secret"),
            "originator": originator(),
            "transport": httpx.MockTransport(handler),
        } | options
        if self.kind == "sync":
            with Client("https://api.example.com", **settings) as client:
                return action(client)
        return asyncio.run(self._run_async(action, settings))

    async def _run_async(self, action: Callable[[Any], Any], settings: dict[str, Any]) -> Any:
        async with AsyncClient("https://api.example.com", **settings) as client:
            result = action(client)
            if isinstance(result, Awaitable):
                return await result
            return [item async for item in result]


@pytest.fixture(params=["sync", "async"])
def face(request: pytest.FixtureRequest) -> Face:
    return Face(request.param)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Returns the waits of both clients, which end at once."""
    seen: list[float] = []

    async def sleep(seconds: float) -> None:
        seen.append(seconds)

    monkeypatch.setattr(time, "sleep", seen.append)
    monkeypatch.setattr(asyncio, "sleep", sleep)
    return seen


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Returns which client reads live updates. Its pauses before it connects again are short."""
    monkeypatch.setattr(_live, "_FIRST_PAUSE_SECONDS", 0.001)
    kind: str = request.param
    return kind
