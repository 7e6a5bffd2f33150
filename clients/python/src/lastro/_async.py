"""Carries out requests and waits with httpx's asynchronous client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, TypeVar

import httpx

from ._core import Core, Steps, Wait, body_of, is_rejected_token, item_of, result_of
from ._document import Arguments, Operation
from ._frames import FrameKind, frame_package, make_frame
from ._paging import first_page, items_of, next_page, paging_of
from ._receive import Received
from .errors import LastroError

T = TypeVar("T")


class AsyncExecutor:
    """The part of the client that sends."""

    def __init__(self, core: Core, transport: httpx.AsyncBaseTransport | None) -> None:
        self._core = core
        self._http = httpx.AsyncClient(transport=transport)
        self._token_lock = asyncio.Lock()

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def _call(self, operation: Operation, arguments: Arguments, key: str | None = None) -> Any:
        return result_of(operation, await self._respond(operation, arguments, key))

    async def _iterate(self, operation: Operation, arguments: Arguments) -> AsyncIterator[Any]:
        async for item in self._raw_items(operation, arguments):
            yield item_of(operation, item)

    async def _raw_items(self, operation: Operation, arguments: Arguments) -> AsyncIterator[Any]:
        page: Arguments | None = first_page(operation, arguments)
        while page is not None:
            body = body_of(await self._respond(operation, page, None))
            for item in items_of(operation, body):
                yield item
            page = next_page(operation, page, body)

    async def _frame(self, operation: Operation, arguments: Arguments, kind: FrameKind) -> Any:
        frame_package(kind)
        return make_frame(kind, paging_of(operation).item, [item async for item in self._iterate(operation, arguments)])

    async def _respond(self, operation: Operation, arguments: Arguments, key: str | None) -> Received:
        prepared = self._core.prepare(operation, arguments, key)
        if prepared.credential != "access_token":
            return await self._run(self._core.send(prepared, None))
        token = await self._access_token()
        try:
            return await self._run(self._core.send(prepared, token))
        except LastroError as error:
            if not is_rejected_token(error):
                raise
        return await self._run(self._core.send(prepared, await self._access_token(token)))

    async def _access_token(self, rejected: str | None = None) -> str:
        async with self._token_lock:
            return await self._run(self._core.access_token(rejected))

    async def _run(self, steps: Steps[T]) -> T:
        outcome: Received | httpx.RequestError | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as stop:
                result: T = stop.value
                return result
            outcome = None
            if isinstance(step, Wait):
                await asyncio.sleep(step.seconds)
                continue
            try:
                outcome = await self._receive(step)
            except httpx.RequestError as error:
                outcome = error

    async def _receive(self, request: httpx.Request) -> Received:
        response = await self._http.send(request, stream=True)
        try:
            receiver = self._core.receiver(response)
            async for part in response.aiter_bytes():
                receiver.add(part)
        finally:
            await response.aclose()
        return receiver.received()
