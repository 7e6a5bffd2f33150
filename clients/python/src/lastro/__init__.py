"""Client of the Lastro API: securitization operations, tokenized series, credit assignment and trading."""

from ._frames import FrameKind
from .client import AsyncClient, Client, TradingKey
from .errors import ErrorDetail, LastroError, NetworkError
from .live import (
    BalanceUpdate,
    Depth,
    DepthLevel,
    DepthUpdate,
    LiveReset,
    LiveState,
    LiveUpdate,
    OrdersUpdate,
    TickerUpdate,
)
from .signing import Originator
from .webhooks import WebhookError, WebhookEvent, verify_webhook

__all__ = [
    "AsyncClient",
    "BalanceUpdate",
    "Client",
    "Depth",
    "DepthLevel",
    "DepthUpdate",
    "ErrorDetail",
    "FrameKind",
    "LastroError",
    "LiveReset",
    "LiveState",
    "LiveUpdate",
    "NetworkError",
    "OrdersUpdate",
    "Originator",
    "TickerUpdate",
    "TradingKey",
    "WebhookError",
    "WebhookEvent",
    "verify_webhook",
]
