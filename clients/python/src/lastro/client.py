"""The client and the asynchronous client."""

from __future__ import annotations

from types import TracebackType

import httpx

from ._core import Core, Credentials, TradingKey
from ._generated.async_methods import AsyncMethods
from ._generated.sync_methods import SyncMethods
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

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
