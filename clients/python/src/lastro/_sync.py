"""Carries out requests and waits with httpx's client."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any, TypeVar

import httpx

from ._core import Core, Steps, Wait, body_of, is_rejected_token, item_of, result_of
from ._document import Arguments, Operation
from ._frames import FrameKind, frame_package, make_frame
from ._paging import first_page, items_of, next_page, paging_of
from ._receive import Received
from .errors import LastroError

T = TypeVar("T")


class SyncExecutor:
    """The part of the client that sends."""

    def __init__(self, core: Core, transport: httpx.BaseTransport | None) -> None:
        self._core = core
        self._http = httpx.Client(transport=transport)
        self._token_lock = threading.Lock()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def _call(self, operation: Operation, arguments: Arguments, key: str | None = None) -> Any:
        return result_of(operation, self._respond(operation, arguments, key))

    def _iterate(self, operation: Operation, arguments: Arguments) -> Iterator[Any]:
        for item in self._raw_items(operation, arguments):
            yield item_of(operation, item)

    def _raw_items(self, operation: Operation, arguments: Arguments) -> Iterator[Any]:
        page: Arguments | None = first_page(operation, arguments)
        while page is not None:
            body = body_of(self._respond(operation, page, None))
            yield from items_of(operation, body)
            page = next_page(operation, page, body)

    def _frame(self, operation: Operation, arguments: Arguments, kind: FrameKind) -> Any:
        frame_package(kind)
        return make_frame(kind, paging_of(operation).item, list(self._iterate(operation, arguments)))

    def _respond(self, operation: Operation, arguments: Arguments, key: str | None) -> Received:
        prepared = self._core.prepare(operation, arguments, key)
        if prepared.credential != "access_token":
            return self._run(self._core.send(prepared, None))
        token = self._access_token()
        try:
            return self._run(self._core.send(prepared, token))
        except LastroError as error:
            if not is_rejected_token(error):
                raise
        return self._run(self._core.send(prepared, self._access_token(token)))

    def _access_token(self, rejected: str | None = None) -> str:
        with self._token_lock:
            return self._run(self._core.access_token(rejected))

    def _run(self, steps: Steps[T]) -> T:
        outcome: Received | httpx.RequestError | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as stop:
                result: T = stop.value
                return result
            outcome = None
            if isinstance(step, Wait):
                time.sleep(step.seconds)
                continue
            try:
                outcome = self._receive(step)
            except httpx.RequestError as error:
                outcome = error

    def _receive(self, request: httpx.Request) -> Received:
        response = self._http.send(request, stream=True)
        try:
            receiver = self._core.receiver(response)
            for part in response.iter_bytes():
                receiver.add(part)
        finally:
            response.close()
        return receiver.received()
