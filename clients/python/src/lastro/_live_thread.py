"""Live updates for callers without asyncio: the loop that reads the socket runs in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import suppress
from typing import Any, TypeVar

from .live import LiveUpdate

T = TypeVar("T")


def iterate(updates: AsyncGenerator[LiveUpdate, None]) -> Generator[LiveUpdate, None, None]:
    """Yields the updates; the socket is read meanwhile. The thread ends with the iteration."""
    loop = asyncio.new_event_loop()
    # The program may end while a reader waits.
    thread = threading.Thread(target=_run, args=(loop,), name="lastro-live", daemon=True)
    reader = _Reader(updates)
    thread.start()
    try:
        while (update := asyncio.run_coroutine_threadsafe(reader.next(), loop).result()) is not None:
            yield update
    finally:
        asyncio.run_coroutine_threadsafe(reader.close(), loop)
        # The collector of garbage may run this in the thread itself.
        if threading.current_thread() is not thread:
            thread.join()


async def in_thread(call: Callable[[], T]) -> T:
    """Returns the result of a call that blocks. Whoever is cancelled does not wait for its end."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def work() -> None:
        result: Any = None
        error: BaseException | None = None
        try:
            result = call()
        except BaseException as caught:
            error = caught
        # The loop may be closed by now.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, future, result, error)

    threading.Thread(target=work, name="lastro-live-token", daemon=True).start()
    return await future


class _Reader:
    """Reads one update at a time, in the loop."""

    def __init__(self, updates: AsyncGenerator[LiveUpdate, None]) -> None:
        self._updates = updates
        self._step: asyncio.Task[Any] | None = None

    async def next(self) -> LiveUpdate | None:
        self._step = asyncio.current_task()
        return await anext(self._updates, None)

    async def close(self) -> None:
        try:
            if self._step is not None and not self._step.done():
                # The caller was interrupted, as by the keyboard.
                self._step.cancel()
                await asyncio.wait([self._step])
            await self._updates.aclose()
        finally:
            asyncio.get_running_loop().stop()


def _run(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()


def _settle(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
