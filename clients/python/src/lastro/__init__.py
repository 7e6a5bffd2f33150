"""Client of the Lastro API: securitization operations, tokenized series, credit assignment and trading."""

from ._frames import FrameKind
from .client import AsyncClient, Client, TradingKey
from .errors import ErrorDetail, LastroError, NetworkError
from .signing import Originator
from .webhooks import WebhookError, WebhookEvent, verify_webhook

__all__ = [
    "AsyncClient",
    "Client",
    "ErrorDetail",
    "FrameKind",
    "LastroError",
    "NetworkError",
    "Originator",
    "TradingKey",
    "WebhookError",
    "WebhookEvent",
    "verify_webhook",
]
