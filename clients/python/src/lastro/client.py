"""The client and the asynchronous client."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from types import TracebackType

import httpx

from ._core import Core, Credentials, TradingKey
from ._live import LiveOptions
from ._live_start import begin
from ._live_thread import in_thread, iterate
from ._methods import AsyncMethods, SyncMethods
from .live import LiveUpdate, OnState
from .signing import Originator

__all__ = ["AsyncClient", "Client", "TradingKey"]


class Client(SyncMethods):
    """
    The client of the API. It may be used by several threads, and is closed by `close`, or at the end of a `with`.

    Args:
        base_url: The address of the server, such as `https://api.example.com`.
        api_key: An API key, `svcpub_…`, for operation data.
        developer_key: A key of a developer, `svc_dev_…`, for contracts on chain and webhooks.
        session_token: The access token of a session, for the account and its keys.
        trading: The credential of a company that trades.
        originator: The id and key with which requests of credit assignment are signed.
        profile_id: The profile whose wallet trading uses, where a call names none. Omitted: the company's own wallet.
        synthetic: Whether trading is simulated, where a call does not say it. A sandbox requires it.
        max_retries: How often a call is repeated that failed by network, overload or rate limit. Writes are repeated
            under one idempotency key only.
        timeout: Seconds to wait for a connection, for the headers of a response, and for its body; of a file in CSV,
            for each part of it.
        max_response_bytes: The longest body of a response, decompressed. A longer one is an error.
        transport: Another transport of httpx, for tests and proxies.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        developer_key: str | None = None,
        session_token: str | None = None,
        trading: TradingKey | None = None,
        originator: Originator | None = None,
        profile_id: str | None = None,
        synthetic: bool | None = None,
        max_retries: int = 4,
        timeout: float = 30.0,
        max_response_bytes: int = 64 * 1024 * 1024,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        credentials = Credentials(api_key, developer_key, session_token, trading, originator)
        defaults = {"X-Profile-Id": profile_id, "X-Synthetic": synthetic}
        core = Core(base_url, credentials, defaults, max_retries, timeout, max_response_bytes)
        super().__init__(core, transport)

    def live_updates(
        self,
        *,
        channels: Sequence[str],
        last_event_ids: Mapping[str, int] | None = None,
        profile_id: str | None = None,
        synthetic: bool | None = None,
        max_queued: int = 1_000,
        on_state: OnState | None = None,
    ) -> Generator[LiveUpdate, None, None]:
        """
        Yields the updates of channels; a thread reads the socket meanwhile. Needs the extra `live`.

        A lost connection is opened again, and `orders` and `balance` go on after the last update, so that each event
        comes once and in order. Of prices a slow reader gets the latest.

        Args:
            channels: `orders`, `balance`, and of markets `ticker:BTC/BRL` and `depth:BTC/BRL`.
            last_event_ids: The `event_id` of `orders` and of `balance` after which to go on, as in another process. A
                channel without one begins with a snapshot.
            profile_id: The profile whose wallet is read. Omitted: that of the client.
            synthetic: Whether the wallet and the markets are simulated. Omitted: the setting of the client.
            max_queued: How many updates of `orders` and `balance` wait for the reader. Beyond it the connection is
                closed until they are read, and the others are replayed.
            on_state: Is called with `connecting`, `live` and `waiting`, from another thread.

        Raises LastroError where connecting again does not help, such as for an unknown market or a missing scope;
        ImportError, before anything is requested, where `websockets` is not installed.
        """
        options = LiveOptions(
            channels=channels,
            last_event_ids=last_event_ids,
            profile_id=profile_id,
            synthetic=synthetic,
            max_queued=max_queued,
            on_state=on_state,
        )
        return iterate(begin(self._core, options, lambda rejected: in_thread(lambda: self._access_token(rejected))))

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(AsyncMethods):
    """The same as `Client`, for asyncio: calls are awaited, lists are read by `async for`, closed by `async with`."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        developer_key: str | None = None,
        session_token: str | None = None,
        trading: TradingKey | None = None,
        originator: Originator | None = None,
        profile_id: str | None = None,
        synthetic: bool | None = None,
        max_retries: int = 4,
        timeout: float = 30.0,
        max_response_bytes: int = 64 * 1024 * 1024,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        credentials = Credentials(api_key, developer_key, session_token, trading, originator)
        defaults = {"X-Profile-Id": profile_id, "X-Synthetic": synthetic}
        core = Core(base_url, credentials, defaults, max_retries, timeout, max_response_bytes)
        super().__init__(core, transport)

    def live_updates(
        self,
        *,
        channels: Sequence[str],
        last_event_ids: Mapping[str, int] | None = None,
        profile_id: str | None = None,
        synthetic: bool | None = None,
        max_queued: int = 1_000,
        on_state: OnState | None = None,
    ) -> AsyncGenerator[LiveUpdate, None]:
        """The same as `Client.live_updates`, for `async for`: a task reads the socket, and calls `on_state`."""
        options = LiveOptions(
            channels=channels,
            last_event_ids=last_event_ids,
            profile_id=profile_id,
            synthetic=synthetic,
            max_queued=max_queued,
            on_state=on_state,
        )
        return begin(self._core, options, self._access_token)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
