"""The data of each event of webhooks.

Generated from `rest/openapi.json` by `npm run generate`.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

__all__ = [
    "EVENT_TYPES",
    "ContractStatusChanged",
    "CreditBatchApproved",
    "CreditBatchProcessed",
    "CreditBatchRejected",
    "CreditBatchSubmitted",
    "DepositConfirmed",
    "DepositReversed",
    "EventData",
    "OrderCancelled",
    "OrderFilled",
    "PaymentCompleted",
    "PaymentOverdue",
    "SettlementBatchProcessed",
    "SettlementFailed",
    "SettlementProcessed",
    "TrancheStatusChanged",
    "TrancheUnitPriceUpdated",
    "WithdrawalCompleted",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentCompleted:
    """An instalment was paid."""

    tranche_ticker: str
    """Ticker of the series."""
    installment_number: int
    """Number of the instalment in the schedule, from 1."""
    due_date: dt.date
    """Due date of the instalment."""
    interest_value: Decimal
    """Interest for all tokens of the series, in BRL."""
    principal_value: Decimal
    """Amortization for all tokens of the series, in BRL."""
    total_value: Decimal
    """Interest and amortization for all tokens of the series, in BRL."""
    status: Literal["PAID"]
    """Status of the instalment."""
    correction: bool | None = None
    """true where the instalment had been paid before, and that payment was reversed; absent otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentOverdue:
    """An instalment is late. Its amounts are absent while the unit price from which they are calculated is not known,
    because an index value has not been published.
    """

    tranche_ticker: str
    """Ticker of the series."""
    installment_number: int
    """Number of the instalment in the schedule, from 1."""
    due_date: dt.date
    """Due date of the instalment."""
    interest_value: Decimal | None = None
    """Interest for all tokens of the series, in BRL."""
    principal_value: Decimal | None = None
    """Amortization for all tokens of the series, in BRL."""
    total_value: Decimal | None = None
    """Interest and amortization for all tokens of the series, in BRL."""
    status: Literal["OVERDUE"]
    """Status of the instalment."""
    correction: bool | None = None
    """true where the instalment had been paid before, and that payment was reversed; absent otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrancheStatusChanged:
    """The status of a series changed."""

    tranche_ticker: str
    """Ticker of the series."""
    patrimony_ticker: str
    """Ticker of the estate of the series."""
    previous_status: Literal["DRAFT", "ACTIVE", "FUNDRAISING", "CLOSED"]
    """Status before the change."""
    status: Literal["DRAFT", "ACTIVE", "FUNDRAISING", "CLOSED"]
    """Status since the change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrancheUnitPriceUpdated:
    """The unit price of a series was recalculated."""

    tranche_ticker: str
    """Ticker of the series."""
    patrimony_ticker: str
    """Ticker of the estate of the series."""
    date: dt.date
    """Day to which the price applies."""
    unit_price: Decimal
    """Price with accrued interest (dirty PU), in BRL."""
    nominal_value: Decimal
    """Price without accrued interest (clean PU), in BRL."""
    interest_j: Decimal
    """Accrued interest of a token, in BRL."""
    correction: bool
    """Whether the price of that day replaces an earlier one, because its inputs were corrected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementProcessed:
    """A settlement batch was processed."""

    settlement_batch_id: str
    """Id of the settlement batch."""
    credit_batch_id: str
    """Id of the credit batch whose receivables were paid."""
    status: Literal["DRAFT", "SUBMITTED", "PROCESSING", "PROCESSED", "REJECTED", "CANCELLED"]
    """Status of the settlement batch."""
    settlement_count: int
    """Number of payments in the batch."""
    total_settled_amount: Decimal
    """Total amount of the payments as they were sent, in BRL: also of those that repeat a recorded one and so reduce
    no balance.
    """
    occurred_at: dt.datetime
    """Time of the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementFailed:
    """A settlement batch was rejected."""

    settlement_batch_id: str
    """Id of the settlement batch."""
    credit_batch_id: str
    """Id of the credit batch whose receivables were paid."""
    status: Literal["DRAFT", "SUBMITTED", "PROCESSING", "PROCESSED", "REJECTED", "CANCELLED"]
    """Status of the settlement batch."""
    settlement_count: int
    """Number of payments in the batch."""
    total_settled_amount: Decimal
    """Total amount of the payments as they were sent, in BRL: also of those that repeat a recorded one and so reduce
    no balance.
    """
    occurred_at: dt.datetime
    """Time of the event."""
    reason: str
    """Reason in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditBatchSubmitted:
    """A credit batch was submitted."""

    batch_id: str
    """Id of the credit batch."""
    patrimony_id: str
    """Id of the estate that receives the credits."""
    status: Literal["DRAFT", "SUBMITTED", "PROCESSING", "PROCESSED", "REJECTED", "CANCELLED"]
    """Status of the batch."""
    receivable_count: int
    """Number of receivables in the batch."""
    total_face_value: Decimal
    """Total face value of the receivables, in BRL."""
    occurred_at: dt.datetime
    """Time of the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditBatchApproved:
    """A credit batch passed the eligibility checks."""

    batch_id: str
    """Id of the credit batch."""
    patrimony_id: str
    """Id of the estate that receives the credits."""
    status: Literal["DRAFT", "SUBMITTED", "PROCESSING", "PROCESSED", "REJECTED", "CANCELLED"]
    """Status of the batch."""
    receivable_count: int
    """Number of receivables in the batch."""
    total_face_value: Decimal
    """Total face value of the receivables, in BRL."""
    occurred_at: dt.datetime
    """Time of the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditBatchProcessed:
    """A credit batch was processed: its receivables are assets of the estate."""

    batch_id: str
    """Id of the credit batch."""
    patrimony_id: str
    """Id of the estate that receives the credits."""
    status: Literal["DRAFT", "SUBMITTED", "PROCESSING", "PROCESSED", "REJECTED", "CANCELLED"]
    """Status of the batch."""
    receivable_count: int
    """Number of receivables in the batch."""
    total_face_value: Decimal
    """Total face value of the receivables, in BRL."""
    occurred_at: dt.datetime
    """Time of the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditBatchRejected:
    """A credit batch was rejected."""

    batch_id: str
    """Id of the credit batch."""
    patrimony_id: str
    """Id of the estate that receives the credits."""
    status: Literal["DRAFT", "SUBMITTED", "PROCESSING", "PROCESSED", "REJECTED", "CANCELLED"]
    """Status of the batch."""
    receivable_count: int
    """Number of receivables in the batch."""
    total_face_value: Decimal
    """Total face value of the receivables, in BRL."""
    occurred_at: dt.datetime
    """Time of the event."""
    reason: str
    """Reason in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementBatchProcessed:
    """A settlement batch was processed; sent together with `settlement.processed`, with the same meaning."""

    settlement_batch_id: str
    """Id of the settlement batch."""
    credit_batch_id: str
    """Id of the credit batch whose receivables were paid."""
    status: Literal["DRAFT", "SUBMITTED", "PROCESSING", "PROCESSED", "REJECTED", "CANCELLED"]
    """Status of the settlement batch."""
    settlement_count: int
    """Number of payments in the batch."""
    total_settled_amount: Decimal
    """Total amount of the payments as they were sent, in BRL: also of those that repeat a recorded one and so reduce
    no balance.
    """
    occurred_at: dt.datetime
    """Time of the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractStatusChanged:
    """The status of one contract changed."""

    asset_id: str
    """Id of the asset, which is that of the contract."""
    contract_id: str
    """Id of the contract, by which settlements name it: the same as `assetId`."""
    external_id: str
    """Identifier of the contract in the originator's system."""
    patrimony_id: str
    """Id of its estate."""
    previous_status: Literal["ACTIVE", "SETTLED", "DEFAULTED", "WRITTEN_OFF"]
    """Status before the change."""
    status: Literal["ACTIVE", "SETTLED", "DEFAULTED", "WRITTEN_OFF"]
    """Status since the change."""
    current_balance: Decimal
    """Outstanding balance, in BRL."""
    batch_id: str | None = None
    """Id of its credit batch; absent without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderFilled:
    """An order was filled, partially or completely."""

    order_id: str
    """Id of the order."""
    symbol: str
    """Symbol of the market, such as `BTC/BRL`."""
    side: Literal["BUY", "SELL"]
    """BUY or SELL."""
    status: Literal["PARTIALLY_FILLED", "FILLED", "CANCELLED", "REJECTED", "EXPIRED"]
    """Status of the order. An order that has already ended in another way keeps that status when it is filled
    partially.
    """
    filled_amount: Decimal
    """Quantity filled so far, in the base currency."""
    average_price: Decimal
    """Average price of the filled quantity, in the quote currency."""
    occurred_at: dt.datetime
    """Time of the event."""
    client_order_id: str | None = None
    """Id that the caller gave to the order; absent when it gave none."""
    profile_id: str | None = None
    """Id of the profile that owns the wallet, as in `X-Profile-Id`; absent for the wallet of the company itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderCancelled:
    """An order that was sent ended without being filled completely: it was cancelled, expired, or was rejected by the
    venues.
    """

    order_id: str
    """Id of the order."""
    symbol: str
    """Symbol of the market, such as `BTC/BRL`."""
    side: Literal["BUY", "SELL"]
    """BUY or SELL."""
    status: Literal["CANCELLED", "EXPIRED", "REJECTED"]
    """Status of the order: how it ended."""
    filled_amount: Decimal
    """Quantity filled before its end, in the base currency."""
    occurred_at: dt.datetime
    """Time of the event."""
    client_order_id: str | None = None
    """Id that the caller gave to the order; absent when it gave none."""
    profile_id: str | None = None
    """Id of the profile that owns the wallet, as in `X-Profile-Id`; absent for the wallet of the company itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DepositConfirmed:
    """A deposit was confirmed."""

    deposit_id: str
    """Id of the deposit."""
    asset: str
    """Code of the currency."""
    amount: Decimal
    """Amount of the deposit."""
    network: str
    """Network of the deposit."""
    occurred_at: dt.datetime
    """Time of the confirmation."""
    correction: bool | None = None
    """true where the deposit had been credited before, with another amount or until its network reversed it; absent
    otherwise.
    """
    profile_id: str | None = None
    """Id of the profile that owns the wallet, as in `X-Profile-Id`; absent for the wallet of the company itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DepositReversed:
    """A confirmed deposit was reversed by its network, or what was missing of it then was resolved."""

    deposit_id: str
    """Id of the deposit."""
    asset: str
    """Code of the currency."""
    amount: Decimal
    """Amount that was taken back from the wallet now: 0 where nothing was available."""
    network: str
    """Network of the deposit."""
    status: Literal["REVERSED", "QUARANTINED"]
    """Status of the deposit: QUARANTINED where less was available than had been credited."""
    occurred_at: dt.datetime
    """Time of the reversal."""
    profile_id: str | None = None
    """Id of the profile that owns the wallet, as in `X-Profile-Id`; absent for the wallet of the company itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawalCompleted:
    """A withdrawal was processed."""

    withdrawal_id: str
    """Id of the withdrawal."""
    asset: str
    """Code of the currency."""
    amount: Decimal
    """Amount of the withdrawal, without the fee."""
    fee: Decimal
    """Fee, in the same currency."""
    address: str
    """Destination of the withdrawal: an address on a chain whole; of a PIX key or a bank account the last four
    characters, as `***mple` or `***.***.*47-25`. `withdrawalId` leads to all of it.
    """
    network: str
    """Network of the withdrawal."""
    occurred_at: dt.datetime
    """Time of completion."""
    profile_id: str | None = None
    """Id of the profile that owns the wallet, as in `X-Profile-Id`; absent for the wallet of the company itself."""


EventData: TypeAlias = (
    PaymentCompleted
    | PaymentOverdue
    | TrancheStatusChanged
    | TrancheUnitPriceUpdated
    | SettlementProcessed
    | SettlementFailed
    | CreditBatchSubmitted
    | CreditBatchApproved
    | CreditBatchProcessed
    | CreditBatchRejected
    | SettlementBatchProcessed
    | ContractStatusChanged
    | OrderFilled
    | OrderCancelled
    | DepositConfirmed
    | DepositReversed
    | WithdrawalCompleted
)

EVENT_TYPES: dict[str, type[EventData]] = {
    "payment.completed": PaymentCompleted,
    "payment.overdue": PaymentOverdue,
    "tranche.status_changed": TrancheStatusChanged,
    "tranche.unit_price_updated": TrancheUnitPriceUpdated,
    "settlement.processed": SettlementProcessed,
    "settlement.failed": SettlementFailed,
    "credit_batch.submitted": CreditBatchSubmitted,
    "credit_batch.approved": CreditBatchApproved,
    "credit_batch.processed": CreditBatchProcessed,
    "credit_batch.rejected": CreditBatchRejected,
    "settlement_batch.processed": SettlementBatchProcessed,
    "contract.status_changed": ContractStatusChanged,
    "order.filled": OrderFilled,
    "order.cancelled": OrderCancelled,
    "deposit.confirmed": DepositConfirmed,
    "deposit.reversed": DepositReversed,
    "withdrawal.completed": WithdrawalCompleted,
}
"""The class of the data of each event, by the name of the event."""
