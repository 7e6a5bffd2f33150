"""The updates of `live_updates`. Amounts and prices are `Decimal`, moments `datetime` with a time zone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from .types import Order, Ticker, WalletBalances

__all__ = [
    "BalanceUpdate",
    "Depth",
    "DepthLevel",
    "DepthUpdate",
    "LiveReset",
    "LiveState",
    "LiveUpdate",
    "OnState",
    "OrdersUpdate",
    "TickerUpdate",
]

LiveState: TypeAlias = Literal["connecting", "live", "waiting"]
"""`live`: every channel has begun. `waiting`: there is no connection, and what was shown is stale."""

OnState: TypeAlias = Callable[[LiveState], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthLevel:
    """A level of an order book."""

    price: Decimal
    """In the quote currency per unit of the base currency."""
    amount: Decimal
    """In the base currency."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Depth:
    """The order book of a market."""

    symbol: str
    """Symbol of the market, such as `BTC/BRL`."""
    bids: list[DepthLevel]
    """Who buys, the highest price first."""
    asks: list[DepthLevel]
    """Who sells, the lowest price first."""
    timestamp: dt.datetime
    """Time of these values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TickerUpdate:
    """The latest prices of a market. Prices between two updates may be missing."""

    channel: str
    """`ticker:` and the symbol."""
    event_id: int
    timestamp: dt.datetime
    data: Ticker


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthUpdate:
    """The present order book of a market. Books between two updates may be missing."""

    channel: str
    """`depth:` and the symbol."""
    event_id: int
    timestamp: dt.datetime
    data: Depth


@dataclass(frozen=True, slots=True, kw_only=True)
class OrdersUpdate:
    """What happened to an order, or all open orders."""

    channel: str
    event_id: int
    """Grows by one; keep it to go on after it."""
    timestamp: dt.datetime
    data: list[Order]
    """In a snapshot the open orders, the newest first and at most 1,000; else the one order that changed."""
    snapshot: bool = False
    """Whether `data` replaces what came before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BalanceUpdate:
    """What a wallet holds."""

    channel: str
    event_id: int
    """Grows by one; keep it to go on after it."""
    timestamp: dt.datetime
    data: WalletBalances
    """In a snapshot every currency; else those that changed."""
    snapshot: bool = False
    """Whether `data` replaces what came before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveReset:
    """
    Events of `orders` or `balance` were lost, because the last one is unknown or older than 24 hours.

    Discard the earlier state of the channel: a snapshot follows.
    """

    channel: str
    event_id: int
    """Not to be kept: only what follows the snapshot can go on."""
    timestamp: dt.datetime


LiveUpdate: TypeAlias = TickerUpdate | DepthUpdate | OrdersUpdate | BalanceUpdate | LiveReset
