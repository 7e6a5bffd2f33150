"""The types of responses, and of objects in requests.

Generated from `rest/openapi.json` by `npm run generate`.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeAlias

__all__ = [
    "AgingBand",
    "AgingSection",
    "ApiKey",
    "ApiKeyStatus",
    "Assembleia",
    "AssetDetail",
    "AssetItem",
    "AssetPage",
    "AssetPayment",
    "AssetStatus",
    "AssetSummary",
    "AssetSummaryByType",
    "AssetType",
    "AssetTypeSummary",
    "Balance",
    "BatchFileCheck",
    "BatchFileError",
    "BatchFileRefusal",
    "BatchFileRefusalDetail",
    "BatchStatus",
    "BlockchainActivity",
    "BlockchainContract",
    "BlockchainData",
    "Candle",
    "ChainEventType",
    "ConcentrationSection",
    "ContractInput",
    "CovenantLine",
    "CreatedApiKey",
    "CreditBatchCheck",
    "CreditBatchContract",
    "CreditBatchDetail",
    "CreditBatchError",
    "CreditBatchItem",
    "CreditBatchPage",
    "CurrentPu",
    "DayCountBasis",
    "DepositAddress",
    "DepositAddresses",
    "DepositItem",
    "DepositList",
    "DepositStatus",
    "DetailObligation",
    "DetailPayment",
    "DeveloperContract",
    "DeveloperContractDetails",
    "DeveloperContractEvent",
    "DeveloperContractList",
    "EndedSeriesLine",
    "EventName",
    "FinanceAccount",
    "FinanceInvestment",
    "Garantia",
    "HeldBalance",
    "HistoricalPrices",
    "InputErrorValue",
    "Inventory",
    "InventoryItem",
    "InventoryPage",
    "InventorySummary",
    "InventoryUnavailable",
    "Kpi",
    "LargestDebtors",
    "LtvBand",
    "LtvSection",
    "ManagementReport",
    "Market",
    "MarketList",
    "MarketStatus",
    "McpMessage",
    "McpRefusal",
    "McpReply",
    "Message",
    "Notice",
    "OperationCard",
    "OperationCardList",
    "OperationDetail",
    "OperationFinance",
    "OperationListStats",
    "OperationParty",
    "OperationSummary",
    "OperationType",
    "Order",
    "OrderList",
    "OrderSide",
    "OrderStatus",
    "OrderStatusFilter",
    "OrderType",
    "OwnerType",
    "PatrimonyItem",
    "PatrimonyList",
    "PatrimonyStatus",
    "PaymentSchedule",
    "PaymentStatus",
    "Pool",
    "PoolBalance",
    "PoolList",
    "PoolStatus",
    "PortfolioSection",
    "PrepaymentMonthLine",
    "PrepaymentSection",
    "PricePoint",
    "Profile",
    "ProfileList",
    "ProfileStatus",
    "ProvisioningLine",
    "ProvisioningSection",
    "PublicDocument",
    "Quote",
    "QuoteStatus",
    "RateLine",
    "ReceivableItem",
    "ReceivableList",
    "ReceivableStatus",
    "RejectionRule",
    "ReportMonthDetail",
    "ReportMonths",
    "RiskClass",
    "ScheduleItem",
    "SeriesDetail",
    "SeriesPricing",
    "SeriesSummary",
    "Session",
    "SessionUser",
    "SettlementBatchDetail",
    "SettlementBatchError",
    "SettlementBatchItem",
    "SettlementBatchPage",
    "SettlementBatchPayment",
    "SettlementInput",
    "SubordinationLine",
    "SubordinationSection",
    "Ticker",
    "TimeInForce",
    "TradingTokens",
    "TrancheDetails",
    "TrancheItem",
    "TrancheList",
    "TranchePatrimony",
    "TrancheStatus",
    "TrusteeComparison",
    "UnitPriceItem",
    "UnitPriceList",
    "WalletBalances",
    "WalletMovement",
    "WalletStatement",
    "Webhook",
    "WebhookAttempt",
    "WebhookDeliveries",
    "WebhookDelivery",
    "WebhookDeliveryStatus",
    "WebhookReplay",
    "WebhookStatus",
    "WebhookWithSecret",
    "Webhooks",
    "WithdrawalItem",
    "WithdrawalList",
    "WithdrawalStatus",
]

OwnerType: TypeAlias = Literal["EMISSOES_USER", "AGENT_USER"]
"""Origin of an account."""

ApiKeyStatus: TypeAlias = Literal["ACTIVE", "REVOKED"]
"""Whether a key was revoked. Expiry is not part of the status: see `expiresAt`."""

OperationType: TypeAlias = Literal["CR", "CRI", "CRA", "DEB"]
"""Type of the securities that an operation issues."""

PaymentStatus: TypeAlias = Literal["PENDING", "PAID", "OVERDUE"]
"""Status of a payment or of an instalment."""

TrancheStatus: TypeAlias = Literal["DRAFT", "ACTIVE", "FUNDRAISING", "CLOSED"]
"""Status of a series."""

RiskClass: TypeAlias = Literal["SENIOR", "MEZZANINE", "JUNIOR", "UNIQUE"]
"""Risk class of a series, which is the order in which the series of an operation or of an estate are paid and bear
losses.
"""

DayCountBasis: TypeAlias = Literal["CIVIL", "BUS252"]
"""Days that are counted for the interest of a series."""

PatrimonyStatus: TypeAlias = Literal["DRAFT", "ACTIVE", "CLOSED"]
"""Status of an estate."""

AssetType: TypeAlias = Literal["CCB", "CRI", "CRA", "DEBENTURE", "PRECATORIO"]
"""Kind of credit right of an asset."""

AssetStatus: TypeAlias = Literal["ACTIVE", "SETTLED", "DEFAULTED", "WRITTEN_OFF"]
"""Status of an asset."""

ChainEventType: TypeAlias = Literal["MINT", "TRANSFER", "BURN"]
"""Kind of a movement of tokens."""

WebhookStatus: TypeAlias = Literal["active", "deactivated"]
"""Whether events are sent to a webhook."""

WebhookDeliveryStatus: TypeAlias = Literal["pending", "delivered", "failed", "skipped"]
"""Status of a delivery."""

BatchStatus: TypeAlias = Literal["DRAFT", "SUBMITTED", "PROCESSING", "PROCESSED", "REJECTED", "CANCELLED"]
"""Status of a batch."""

ReceivableStatus: TypeAlias = Literal["PENDING", "OPEN", "SETTLED"]
"""Status of a contract of a credit batch."""

ProfileStatus: TypeAlias = Literal["ACTIVE", "SUSPENDED"]
"""Status of a profile."""

DepositStatus: TypeAlias = Literal["PENDING", "CONFIRMED", "REVERSED", "QUARANTINED"]
"""Status of a deposit."""

WithdrawalStatus: TypeAlias = Literal["PENDING", "PROCESSING", "COMPLETED", "FAILED"]
"""Status of a withdrawal."""

MarketStatus: TypeAlias = Literal["ACTIVE", "HALTED"]
"""Status of a market."""

PoolStatus: TypeAlias = Literal["ACTIVE", "UNAVAILABLE"]
"""Availability of an exchange."""

OrderSide: TypeAlias = Literal["BUY", "SELL"]
"""Side of an order."""

OrderType: TypeAlias = Literal["MARKET", "LIMIT"]
"""Type of an order."""

TimeInForce: TypeAlias = Literal["GTC", "IOC", "FOK", "GTD"]
"""Time in force: how long an order stays open."""

OrderStatus: TypeAlias = Literal["PENDING", "PARTIALLY_FILLED", "FILLED", "CANCELLED", "REJECTED", "EXPIRED"]
"""Status of an order."""

QuoteStatus: TypeAlias = Literal["OPEN", "EXECUTED", "EXPIRED"]
"""Status of a quote."""

EventName: TypeAlias = Literal[
    "payment.completed",
    "payment.overdue",
    "tranche.status_changed",
    "tranche.unit_price_updated",
    "settlement.processed",
    "settlement.failed",
    "credit_batch.submitted",
    "credit_batch.approved",
    "credit_batch.processed",
    "credit_batch.rejected",
    "settlement_batch.processed",
    "contract.status_changed",
    "order.filled",
    "order.cancelled",
    "deposit.confirmed",
    "deposit.reversed",
    "withdrawal.completed",
]
"""A value of an argument."""

OrderStatusFilter: TypeAlias = Literal[
    "OPEN", "PENDING", "PARTIALLY_FILLED", "FILLED", "CANCELLED", "REJECTED", "EXPIRED"
]
"""A value of an argument."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Message about an account operation. It never reveals whether an e-mail has an account."""

    message: str
    """Text for the user, in English."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session, which starts with a login or the confirmation of an e-mail."""

    access_token: str
    """Session token, a JWT that is valid for 12 hours. Send it as `Authorization: Bearer <token>`. It ends early by a
    logout, when its owner ends it, when the password is changed or reset, and when it is the oldest of more than 50
    open sessions of the account.
    """
    user: SessionUser
    """Account of the session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionUser:
    """The account of a person, who is the user of a session."""

    id: str
    """Id (UUID)."""
    email: str
    """E-mail address as it was registered; compared without regard to case."""
    name: str
    """Name of the person who uses the API."""
    company: str | None
    """Company or institution; null for accounts of the issuer's portal."""
    owner_type: OwnerType
    """Origin of the account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """An API key of an account, without its secret, which is never shown again."""

    id: str
    """Id (UUID)."""
    prefix: str
    """The visible part of the key, as `svcpub_<prefix>`."""
    name: str
    """Label chosen by the user."""
    status: ApiKeyStatus
    """ACTIVE or REVOKED. An expired key is ACTIVE with an `expiresAt` in the past."""
    rate_limit: int
    """Maximum number of requests per minute with the key by REST and MCP. GraphQL has a budget of points instead."""
    expires_at: dt.datetime
    """Time at which the key expires: 365 days after its creation."""
    last_used_at: dt.datetime | None
    """Time of the last request with the key, up to some 5 seconds late; null before the first one."""
    request_count: Decimal
    """Number of requests with the key, up to some 5 seconds late."""
    created_at: dt.datetime
    """Time of creation."""
    revoked_at: dt.datetime | None
    """Time of revocation; null unless the key was revoked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedApiKey:
    """A new API key. No other response contains the complete key."""

    id: str
    """Id (UUID)."""
    prefix: str
    """The part that stays visible, as `svcpub_<prefix>`."""
    key: str
    """The complete key, as `svcpub_<prefix>.<secret>`. Store it: it cannot be read again."""
    name: str
    """Label chosen by the user."""
    expires_at: dt.datetime
    """Time at which the key expires: 365 days after its creation."""
    rate_limit: int
    """Maximum number of requests per minute with the key by REST and MCP. GraphQL has a budget of points instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationCardList:
    """All public operations."""

    cards: list[OperationCard]
    """The operations, latest issue first"""
    stats: OperationListStats
    """Totals of the operations"""
    generated_at: dt.datetime
    """Time at which the list was computed (UTC); it is recomputed when any data changes"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationCard:
    """A securitization operation in a list."""

    id: str
    """Id (UUID)"""
    href: str
    """Path of its page on the website"""
    name: str
    """Name"""
    sub: str
    """Subtitle"""
    tipo: OperationType
    """CR, CRI, CRA or DEB"""
    status: str
    """Status, a free label"""
    kpis: list[Kpi]
    """Key indicators, in this order: Volume, Remuneração, Vencimento"""
    num_emissao: str | None
    """Issuance number"""
    data_emissao: str | None
    """Issue date, `DD/MM/YYYY`"""
    series_count: int | None
    """Number of series"""
    blockchain_count: int | None
    """Number of series that are tokenized on a public chain"""
    chips: list[str]
    """Short labels"""
    pu: CurrentPu | None
    """Current unit price of its first series that has one"""
    series: list[SeriesSummary]
    """Its series, by number"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kpi:
    """A key indicator of an operation."""

    label: str
    """Label of the indicator: Volume, Remuneração or Vencimento"""
    value: str
    """Value as displayed"""
    highlight: bool
    """Whether the page displays it larger than the others"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentPu:
    """The current unit price (PU) of a series."""

    valor: str
    """The price with 8 decimals: `R$ 1.034,12345678`"""
    data: str
    """Date, `DD/MM/YYYY`"""
    serie: str
    """Number of the series"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesSummary:
    """A series in a list."""

    numero: str
    """Number within the operation"""
    ticker: str
    """Ticker of the series"""
    classe: str
    """Risk class: Sênior, Mezanino, Subordinada or Única"""
    remuneracao: str
    """Remuneration as displayed: `CDI + 3,50% a.a.`"""
    data_emissao: str
    """Issue date, `DD/MM/YYYY`"""
    data_vencimento: str
    """Maturity date, `DD/MM/YYYY`"""
    isin: str | None
    """ISIN"""
    codigo_if: str | None = field(metadata={"name": "codigoIF"})
    """Code at the depository (código IF)"""
    valor_total: str
    """Total issued amount: `R$ 1.234.567,89`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationListStats:
    """Totals of several operations."""

    volume: str
    """Total issued volume: `R$ 1.234.567,89`"""
    operacoes: int
    """Number of operations"""
    series: int
    """Number of series"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationDetail:
    """A securitization operation with all published data about it."""

    id: str
    """Id (UUID)"""
    href: str
    """Path of its page on the website"""
    name: str
    """Name"""
    sub: str
    """Subtitle"""
    tipo: OperationType
    """CR, CRI, CRA or DEB"""
    status: str
    """Status, a free label"""
    kpis: list[Kpi]
    """Key indicators, in this order: Volume, Remuneração, Vencimento"""
    num_emissao: str | None
    """Issuance number"""
    data_emissao: str | None
    """Issue date, `DD/MM/YYYY`"""
    series_count: int | None
    """Number of series"""
    blockchain_count: int | None
    """Number of series that are tokenized on a public chain"""
    chips: list[str]
    """Short labels"""
    pu: CurrentPu | None
    """Current unit price of its first series that has one"""
    series: list[SeriesDetail]
    """Its series, by number"""
    remuneracao: str
    """Remuneration in words; `—` without series"""
    emissora: str | None
    """Issuer"""
    emissora_cnpj: str | None
    """CNPJ of the issuer, `12.345.678/0001-95`"""
    agente_fiduciario: str | None
    """Trustee"""
    coordenador_lider: str | None
    """Lead coordinator"""
    escriturador: str | None
    """Bookkeeper"""
    auditor: str | None
    """Auditor"""
    lastro: str | None
    """Backing asset"""
    rating: str | None
    """Rating"""
    data_vencimento: str
    """Maturity date, `DD/MM/YYYY`: the latest of its series where none is given; `—` without series"""
    data_vencimento_raw: dt.date | None
    """The same date, `YYYY-MM-DD`; null without series"""
    data_emissao_raw: dt.date | None
    """Issue date, `YYYY-MM-DD`"""
    volume: str
    """Issued volume, which is the sum of the series: `R$ 1.234.567,89`"""
    summary: OperationSummary | None
    """Purpose of the operation"""
    garantias: list[Garantia]
    """Guarantees of the operation"""
    documents: list[PublicDocument]
    """Its public documents, newest first"""
    obligations: list[DetailObligation]
    """Deliveries that the debtors owe, by due date, with their status as of today"""
    precificacao: list[SeriesPricing]
    """Unit prices of each series: the current one, the two before it, and the history"""
    financeiro: OperationFinance
    """Accounts and permitted investments"""
    pagamentos: list[DetailPayment]
    """Payments to the holders, by due date"""
    assembleias: list[Assembleia]
    """Meetings of the holders, newest first"""
    comunicacao: list[Notice]
    """Notices and material facts, newest first"""
    blockchain: BlockchainData
    """Contracts on public chains, and their events"""
    participants: list[OperationParty]
    """Companies with a role in the operation"""
    ot_integrado: bool
    """Whether a trustee firm publishes its own unit price for the operation"""
    ot_data: list[TrusteeComparison]
    """Comparison of the unit prices of the issuer and of the trustee firm, for each series with a price of the latter"""
    generated_at: dt.datetime
    """Time at which the detail was computed (UTC); it is recomputed when any data changes"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesDetail:
    """A series in the detail of its operation."""

    numero: str
    """Number within the operation"""
    ticker: str
    """Ticker of the series"""
    classe: str
    """Risk class: Sênior, Mezanino, Subordinada or Única"""
    remuneracao: str
    """Remuneration as displayed: `CDI + 3,50% a.a.`"""
    data_emissao: str
    """Issue date, `DD/MM/YYYY`"""
    data_vencimento: str
    """Maturity date, `DD/MM/YYYY`"""
    isin: str | None
    """ISIN"""
    codigo_if: str | None = field(metadata={"name": "codigoIF"})
    """Code at the depository (código IF)"""
    valor_total: str
    """Total issued amount: `R$ 1.234.567,89`"""
    status: str
    """Status, a free label"""
    valor_nominal_unitario: str
    """Unit value at issue: `R$ 1.000,00000000`"""
    quantidade: str
    """Number of issued units: `150.000`"""
    quotas_subscritas: str | None
    """Number of subscribed units"""
    valor_captado: str | None
    """Raised amount: `R$ 1.234.567,89`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationSummary:
    """Purpose and offering of an operation."""

    descricao: str
    """Description"""
    segmento: str | None
    """Segment of the economy"""
    destinacao: str | None
    """Use of proceeds"""
    oferta: str | None
    """Offering: the rule and procedure under which the operation was placed"""
    destaques: list[str]
    """Highlights"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Garantia:
    """A guarantee of an operation."""

    tipo: str
    """Type: Alienação fiduciária, Fiança…"""
    descricao: str
    """Description"""
    status: str
    """Status, a free label"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicDocument:
    """A public document of an operation."""

    name: str | None
    """Name"""
    type: str | None
    """Type, a free label"""
    url: str | None
    """Public URL of the file"""
    created_at: dt.datetime
    """Time of publication"""
    reference_date: dt.date | None
    """Day to which the content refers, `YYYY-MM-DD`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailObligation:
    """A delivery that a debtor owes according to the deed."""

    titulo: str
    """Object of the delivery"""
    descricao: str
    """Description; may be empty"""
    responsavel: str | None
    """Party that has to deliver"""
    periodicidade: str
    """Única, Mensal, Trimestral, Semestral or Anual"""
    data_vencimento: str
    """Due date, `DD/MM/YYYY`"""
    data_entrega: str | None
    """Delivery date, `DD/MM/YYYY`; null until it is delivered"""
    status: str
    """Status as of today: Pendente, Em atraso, Entregue, Entregue com atraso or Dispensada"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPricing:
    """Unit prices of a series."""

    serie: str
    """Number of the series"""
    ticker: str
    """Ticker of the series"""
    atual: PricePoint | None
    """Current price; null while there is none"""
    d1: PricePoint | None
    """The last price before the current one (D-1)"""
    d2: PricePoint | None
    """The last price before D-1 (D-2)"""
    variacao: str | None
    """Change from D-1 to the current price: `0,0512%`"""
    historico: list[PricePoint]
    """History, oldest first: the last 756 prices (about three years of business days)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PricePoint:
    """The unit price of a day."""

    data: str
    """Date, `DD/MM/YYYY`"""
    valor: str
    """The price with 8 decimals: `R$ 1.034,12345678`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationFinance:
    """The bank accounts of an operation and its permitted investments."""

    contas: list[FinanceAccount]
    """Accounts"""
    aplicacoes_permitidas: list[FinanceInvestment]
    """Permitted investments"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinanceAccount:
    """A bank account of an operation."""

    finalidade: str
    """Purpose of the account: Conta centralizadora, Fundo de reserva…"""
    banco: str
    """Bank"""
    agencia: str | None
    """Branch"""
    conta: str | None
    """Number"""
    saldo: str | None
    """Balance: `R$ 1.234.567,89`"""
    saldo_minimo: str | None
    """Minimum balance that the deed requires"""
    data_saldo: str | None
    """Day of the balance, `DD/MM/YYYY`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinanceInvestment:
    """An investment that is permitted for the cash of an operation."""

    descricao: str
    """Kind of investment"""
    instituicao: str | None
    """Institution"""
    limite: str | None
    """Maximum share of the available cash: `50,00%`"""
    valor_aplicado: str | None
    """Invested amount: `R$ 1.234.567,89`"""
    data_posicao: str | None
    """Day of the invested amount, `DD/MM/YYYY`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailPayment:
    """A payment to the holders."""

    installment_number: int
    """Number of the instalment"""
    due_date: str
    """Due date, `DD/MM/YYYY`"""
    data_pagamento: str
    """Day of the payment, `DD/MM/YYYY`; `—` until it is made"""
    status: PaymentStatus
    """Status as of today"""
    interest_value: str
    """Interest: `R$ 1.234.567,89`; `—` while it is not known"""
    principal_value: str
    """Principal; `—` while it is not known"""
    total_value: str | None
    """Interest and principal; null while it is not known"""
    tranche_ticker: str | None
    """Ticker of the series; null for a payment of the whole operation"""
    evento: str
    """Kind of the payment, a free label: Juros, Amortização…"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembleia:
    """A meeting of the holders."""

    data: str
    """Date, `DD/MM/YYYY`"""
    tipo: str
    """Type, a free label"""
    titulo: str
    """Title"""
    convocacao: str | None
    """Call: 1ª convocação…"""
    status: str
    """Status, a free label"""
    pauta: str
    """Agenda; may be empty"""
    deliberacao: str | None
    """Resolution of the meeting"""
    quorum: str | None
    """Share of the holders present: `75,00%`"""
    url: str | None
    """URL of the minutes or the call"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A notice or material fact."""

    data: str
    """Date, `DD/MM/YYYY`"""
    titulo: str
    """Title"""
    descricao: str
    """Text; may be empty"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockchainData:
    """The contracts of an operation on public chains, and their events."""

    rede: str | None
    """Network, or networks separated by commas; null when nothing is on a chain"""
    contratos: list[BlockchainContract]
    """Contracts, oldest first"""
    atividade: list[BlockchainActivity]
    """The last 100 events, newest first"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockchainContract:
    """A contract of an operation on a public chain."""

    endereco: str
    """Address"""
    rede: str
    """Network"""
    chain_id: int
    """Chain id (EIP-155)"""
    padrao: str
    """Standard: ERC-721A…"""
    nome: str
    """Name of the token"""
    simbolo: str
    """Symbol of the token"""
    serie: str | None
    """Ticker of the series that it tokenizes"""
    quantidade_tokens: str
    """Number of tokens into which the series is divided: `150.000`"""
    total_emitido: str
    """Number of existing tokens"""
    data_implantacao: str
    """Day of deployment, `DD/MM/YYYY`"""
    explorer_url: str | None
    """The contract in a block explorer"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockchainActivity:
    """An event of a contract on its chain."""

    tipo: str
    """Type, a free label: MINT, TRANSFER…"""
    data: str
    """Date, `DD/MM/YYYY`"""
    contrato: str
    """Address of the contract"""
    transacao: str
    """Hash of the transaction"""
    bloco: str
    """Number of the block"""
    de: str | None
    """Address of the sender"""
    para: str | None
    """Address of the recipient"""
    quantidade: str | None
    """Number of tokens"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationParty:
    """A company with a role in an operation."""

    name: str
    """Name"""
    logo_url: str | None
    """URL of its logo"""
    functions: list[str]
    """Its roles in the operation"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrusteeComparison:
    """Comparison of the issuer's unit price of a series with that of the trustee firm."""

    serie: str
    """Number of the series"""
    ticker: str
    """Ticker of the series"""
    agente: str
    """The trustee firm"""
    data: str
    """Day of both prices, `DD/MM/YYYY`: the latest one that the firm published"""
    pu_emissora: str | None
    """The issuer's price: `R$ 1.034,12345678`"""
    pu_agente: str
    """Price of the trustee firm"""
    diferenca: str | None
    """Price of the issuer less that of the trustee firm"""
    diferenca_percentual: str | None
    """Difference relative to the price of the trustee firm: `0,0001%`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportMonths:
    """The months for which an operation has a management report."""

    ticker: str
    """Ticker of the operation"""
    months: list[str]
    """Months, `YYYY-MM`, newest first"""
    details: list[ReportMonthDetail]
    """The same months in the same order, with the state of each report"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportMonthDetail:
    """State of the management report of a month."""

    month: str
    """Month, `YYYY-MM`"""
    situacao: str
    """`preliminar` until the positions of the month are complete, during which it is computed at each request; then
    `final`
    """
    versao: int | None
    """Number of the newest version, from 1, which each reissue increases by one; null while the report is preliminary"""
    generated_at: dt.datetime | None
    """Time at which that version was created (UTC); null while the report is preliminary"""
    data_changed: bool
    """Whether its inputs (positions of the month, write-offs, prices in force at its end) changed after that version;
    false while the report is preliminary
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagementReport:
    """The public part of the management report of an operation."""

    ticker: str
    """Ticker of the operation"""
    month: str | None
    """Month, `YYYY-MM`; null for the live position of today"""
    situacao: str | None
    """`preliminar` until the positions of the month are complete, then `final`; null for the live position"""
    versao: int | None
    """Version of a final report, from 1, which each reissue increases by one; null otherwise"""
    motivo: str | None
    """Reason for the reissue; null for the first version"""
    data_changed: bool
    """Whether its inputs (positions of the month, write-offs, prices in force at its end) changed after this version;
    false when the report follows the data
    """
    generated_at: dt.datetime
    """Time at which it was created (UTC)"""
    position: str
    """Day of the report, `DD/MM/YYYY`: today, or the last day of the month"""
    carteira: PortfolioSection
    """Totals of the portfolio"""
    concentracao: ConcentrationSection
    """Concentration in few debtors"""
    aging: AgingSection
    """Balance by days late"""
    provisionamento: ProvisioningSection
    """Expected losses by days late"""
    ltv: LtvSection
    """Balance over the value of the collateral"""
    pre_pagamento: PrepaymentSection
    """Speed at which debtors pay ahead of schedule"""
    covenants: list[CovenantLine]
    """Tests of the covenants of the deed"""
    subordinacao: SubordinationSection
    """Subordination to the senior series"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortfolioSection:
    """Totals of a portfolio of credits."""

    data_base: str | None
    """Last day on which balances are known, `DD/MM/YYYY`; null without credits"""
    contratos: int
    """Number of credits with a balance"""
    devedores: int
    """Number of their debtors"""
    saldo_devedor: str
    """Outstanding balance: `R$ 1.234.567,89`"""
    valor_original: str
    """Total original value of these credits"""
    ticket_medio: str | None
    """Average balance of a credit"""
    prazo_medio_dias: int | None
    """Calendar days to maturity, weighted by balance"""
    saldo_vencido: str
    """Balance of the credits that are late"""
    inadimplencia: str
    """Share of the overdue balance: `4,1234%`"""
    taxas: list[RateLine]
    """Totals by indexer"""
    contratos_liquidados: int
    """Number of credits that were paid off"""
    contratos_baixados: int
    """Number of credits that were written off"""
    saldo_baixado: str
    """Written-off balance, which is not part of the portfolio"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLine:
    """Totals of the credits with one indexer."""

    indexador: str
    """Indexer: Prefixado, CDI, IPCA…"""
    saldo: str
    """Balance: `R$ 1.234.567,89`"""
    participacao: str
    """Share of the balance; the shares add up to 100,00%"""
    taxa_media: str
    """Fixed rate or spread, weighted by balance: `12,5000% a.a.`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcentrationSection:
    """Concentration of the portfolio in few debtors."""

    maiores: list[LargestDebtors]
    """Totals of the largest 1, 5, 10 and 20 debtors"""
    hhi: str
    """Herfindahl-Hirschman index, the sum of the squares of the debtors' shares in percent: from `0,00` to `10.000,00`
    (a single debtor)
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class LargestDebtors:
    """Totals of the largest debtors."""

    devedores: int
    """Number of debtors: 1, 5, 10 or 20"""
    saldo: str
    """Balance: `R$ 1.234.567,89`"""
    participacao: str
    """Their share of the portfolio: `12,3456%`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgingSection:
    """Balance by days late."""

    faixas: list[AgingBand]
    """All bands, including empty ones"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgingBand:
    """Balance in a band of days late."""

    faixa: str
    """A vencer, 1-30, 31-60, 61-90, 91-120, 121-150, 151-180, 181-360 or 360+"""
    contratos: int
    """Credits"""
    saldo: str
    """Balance: `R$ 1.234.567,89`"""
    participacao: str
    """Share of the portfolio; the shares add up to 100,00%"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvisioningSection:
    """Expected losses by days late."""

    matriz: str
    """Resolução 2.682 (risk classes AA to H of Resolução CMN 2.682/1999, the default), or Operação for a matrix of the
    operation
    """
    faixas: list[ProvisioningLine]
    """All classes, including empty ones"""
    total: str
    """Total provision"""
    percentual: str
    """Total provision relative to the balance of the portfolio: `2,3456%`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvisioningLine:
    """Provision for the credits in a band of days late."""

    classe: str
    """Risk class: AA to H, or a name from the matrix of the operation"""
    dias_de: int
    """First number of days late"""
    dias_ate: int | None
    """Last number of days late; null for the open end"""
    percentual: str
    """Provisioned share: `10,00%`"""
    contratos: int
    """Credits"""
    saldo: str
    """Balance: `R$ 1.234.567,89`"""
    provisao: str
    """Provision for these credits"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LtvSection:
    """Loan to value."""

    ltv: str | None
    """Balance over collateral: `62,5000%`; null when no credit has collateral"""
    contratos: int
    """Number of credits with collateral"""
    saldo: str
    """Balance: `R$ 1.234.567,89`"""
    valor_garantias: str
    """Value of the collateral"""
    saldo_sem_garantia: str
    """Balance of the credits without collateral"""
    faixas: list[LtvBand]
    """All bands, including empty ones"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LtvBand:
    """Credits in a band of balance relative to collateral."""

    faixa: str
    """Até 50%, 50-60%, … 90-100%, Acima de 100%; the upper bound belongs to the band"""
    contratos: int
    """Credits"""
    saldo: str
    """Balance: `R$ 1.234.567,89`"""
    participacao: str
    """Share of the balance that has collateral; the shares add up to 100,00%"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrepaymentSection:
    """Speed at which debtors pay ahead of schedule. SMM = prepaid ÷ (opening balance − scheduled principal); CPR = 1 −
    (1 − SMM)^12.
    """

    smm: str | None
    """SMM of the month of the report, null when it has no positions; for the live position, of the latest month with
    positions: `1,0000%`
    """
    cpr: str | None
    """CPR of that month"""
    cpr12_meses: str | None
    """CPR over the last 12 months, compounded; over fewer when fewer are available"""
    meses: list[PrepaymentMonthLine]
    """The last 12 months, oldest first"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrepaymentMonthLine:
    """Prepayment in one month."""

    mes: str
    """Month, `MM/YYYY`"""
    saldo_inicial: str
    """Balance at the beginning of the month: `R$ 1.234.567,89`"""
    amortizacao_programada: str
    """Principal due according to the schedule"""
    pre_pago: str
    """Principal paid ahead of schedule"""
    smm: str | None
    """Single monthly mortality: `1,0000%`; null when no balance remained after scheduled principal"""
    cpr: str | None
    """Single monthly mortality as an annual rate"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CovenantLine:
    """Test of a covenant of the deed about a figure of this report."""

    nome: str
    """Name"""
    tipo: str
    """mínimo: the figure must not be below the limit; máximo: the figure must not be above it"""
    limite: str
    """Limit: `20,0000%`"""
    valor: str | None
    """The figure; null when it cannot be computed"""
    cumprido: bool | None
    """Whether the figure is within the limit; null when it cannot be computed"""
    ressalva: str | None
    """Caveat about the test: `Indicador não calculável`, or `Preço unitário desatualizado` when the figure uses a
    price although a newer one was due; null without a caveat
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class SubordinationSection:
    """Subordination to the senior series, of the outstanding series."""

    indice: str | None
    """Balance of mezzanine and junior series relative to all series: `30,0000%`; null without outstanding series"""
    cobertura: str | None
    """Balance of the credits relative to the balance of all series: `110,0000%`"""
    saldo_total: str
    """Balance of all series: `R$ 1.234.567,89`"""
    saldo_senior: str
    """Balance of the senior series"""
    saldo_mezanino: str
    """Balance of the mezzanine series"""
    saldo_subordinado: str
    """Balance of the junior series"""
    saldo_unico: str
    """Balance of series without a class"""
    series: list[SubordinationLine]
    """The outstanding series"""
    encerradas: list[EndedSeriesLine]
    """Series that were redeemed or have matured"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubordinationLine:
    """Amount owed to the holders of a series."""

    serie: str
    """Number of the series"""
    ticker: str
    """Ticker of the series"""
    classe: str
    """Sênior, Mezanino, Subordinada or Única"""
    saldo: str
    """Number of units times unit price: `R$ 1.234.567,89`"""
    participacao: str
    """Share of all series; the shares add up to 100,00%"""
    data_pu: str | None
    """Day of the unit price, `DD/MM/YYYY`; null when it is the unit value at issue"""
    desatualizado: bool
    """Whether a newer price was due on the day of the report"""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedSeriesLine:
    """A series without any amount owed, which is not part of the figures."""

    serie: str
    """Number of the series"""
    ticker: str
    """Ticker of the series"""
    classe: str
    """Sênior, Mezanino, Subordinada or Única"""
    motivo: str
    """Resgatada or Vencida"""
    data: str | None
    """Day on which it ended, `DD/MM/YYYY`; null when only its status says that it ended"""


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryPage:
    """A page of the inventory of an operation."""

    available: bool
    """Always true in this type"""
    page: int
    """Number of this page, from 1"""
    limit: int
    """Maximum number of credits per page"""
    total: int
    """Number of credits in the whole inventory"""
    items: list[InventoryItem]
    """The credits, ordered by id. The order carries no information and changes when ids change"""


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryItem:
    """A credit of an operation, without data that identifies its debtor. All displayed values are shared by the
    credits of a group of at least 5 debtors; ranges are texts in Brazilian format, and a value that differs within
    the group is null.
    """

    id: str
    """Opaque id, from which nothing can be derived. It is stable while the members of the group of the credit are the
    same; a new credit or a corrected contract gives the credits of its group new ids
    """
    tipo: str | None
    """Type, a free label: CCB, CCI, CPR…; null when types differ"""
    valor_original: str | None
    """Original value, from the first amount up to but excluding the second: `R$ 400.000,00 a R$ 500.000,00`"""
    saldo_devedor: str | None
    """Outstanding balance, as in `valorOriginal`; `R$ 0,00` when nothing is owed"""
    taxa: str | None
    """Rate as displayed, from the first rate up to but excluding the second: `12,00% a 13,00% a.a.`, `IPCA + 8,00% a
    9,00% a.a.`; null when indexers differ
    """
    data_emissao: str | None
    """Time of issue: `05/2026`, `1º semestre de 2026`, `2026` or `2024 a 2026`"""
    data_vencimento: str | None
    """Time of maturity, in the same forms as `dataEmissao`"""
    parcelas: str | None
    """Number of instalments: `48`, or `13 a 48`, both ends included"""
    parcelas_pagas: str | None
    """Number of paid instalments, in dozens: `0`, `1 a 12`, `13 a 36`, both ends included"""
    dias_atraso: str | None
    """Calendar days since the oldest unpaid instalment fell due, by the bands of the report: `0`, `1 a 30`, `0 a 60`,
    `91 ou mais`, both ends included; null when the group spans all numbers
    """
    faixa_atraso: str | None
    """Band of the days late: A vencer, 1-30, 31-60, … 360+; null when bands differ"""
    uf: str | None
    """Federative unit (state) of the debtor; null when it differs or is not known"""
    status: str | None
    """Ativo, Liquidado, Inadimplente or Baixado; null when it differs"""


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryUnavailable:
    """Reason why the inventory is not published, with its totals."""

    available: bool
    """Always false in this type"""
    reason: str
    """Reason why the credits are not published one by one"""
    resumo: InventorySummary | None
    """Totals of the inventory; null when the operation has fewer than 5 debtors"""


@dataclass(frozen=True, slots=True, kw_only=True)
class InventorySummary:
    """Totals of an inventory."""

    contratos: int
    """Number of credits with a balance"""
    devedores: int
    """Number of their debtors"""
    saldo_devedor: str
    """Outstanding balance: `R$ 1.234.567,89`"""
    valor_original: str
    """Total original value of these credits"""
    ticket_medio: str | None
    """Average balance of a credit"""
    faixas: list[AgingBand]
    """Balance by days late"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrancheList:
    """A page of series."""

    items: list[TrancheItem]
    """The series of this page, sorted by ticker"""
    count: int
    """Number of matching series on all pages"""
    next_token: str | None = None
    """Token to pass for the next page; absent on the last page"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrancheItem:
    """A series (tranche) issued in an estate, whose units are tokens."""

    ticker: str
    """Ticker, unique without regard to case"""
    name: str
    """Name"""
    status: TrancheStatus
    """Status of the series"""
    class_name: RiskClass
    """Risk class"""
    unit_price: Decimal | None
    """Current price of a token with its accrued interest (dirty PU), 8 decimals. Until the day on which remuneration
    begins it is the issue price; 0.00000000 once the series is repaid or CLOSED; null when remuneration has begun
    and no price was calculated yet
    """
    token_quantity: str
    """Number of tokens, an integer"""
    remuneration_start_date: dt.date
    """First day of remuneration"""
    remuneration_percentage_per_year: Decimal
    """Annual rate in percent, 2 to 8 decimals; the spread when the series follows an index"""
    id: str
    """Id (UUID)"""
    patrimony_ticker: str
    """Ticker of its estate"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrancheDetails:
    """A series (tranche) issued in an estate, whose units are tokens."""

    ticker: str
    """Ticker, unique without regard to case"""
    name: str
    """Name"""
    status: TrancheStatus
    """Status of the series"""
    class_name: RiskClass
    """Risk class"""
    unit_price: Decimal | None
    """Current price of a token with its accrued interest (dirty PU), 8 decimals. Until the day on which remuneration
    begins it is the issue price; 0.00000000 once the series is repaid or CLOSED; null when remuneration has begun
    and no price was calculated yet
    """
    token_quantity: str
    """Number of tokens, an integer"""
    remuneration_start_date: dt.date
    """First day of remuneration"""
    remuneration_percentage_per_year: Decimal
    """Annual rate in percent, 2 to 8 decimals; the spread when the series follows an index"""
    nominal_value: Decimal | None
    """Unit price without accrued interest (clean PU), 8 decimals; null when `unitPrice` is"""
    interest_j: Decimal | None
    """Accrued interest of a token, 8 decimals; null when `unitPrice` is"""
    unit_price_date: dt.date | None
    """Day of `unitPrice`; null until a price was calculated"""
    stale: bool
    """Whether a newer price is due than the one that is shown: of the last business day that has begun, or of the last
    instalment that repays the series. `missingInput` names the missing number, if any
    """
    missing_input: str | None
    """Number that is missing for the newest price, such as `IPCA 2026-03` or `DI 2026-03-05`; null when none is
    missing
    """
    total_value: Decimal | None
    """`tokenQuantity` times `unitPrice`, 2 decimals; null when `unitPrice` is"""
    invested_amount: Decimal
    """Amount paid in by investors, 2 decimals"""
    day_count_basis: DayCountBasis
    """CIVIL: calendar days over 365 or 360, according to the series. BUS252: business days over 252"""
    patrimony: TranchePatrimony
    """The estate in which it was issued"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranchePatrimony:
    """An estate (patrimônio), which separates the assets and liabilities of one securitization."""

    ticker: str
    """Ticker, unique without regard to case"""
    name: str
    """Name"""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitPriceList:
    """A page of the unit prices of a series."""

    items: list[UnitPriceItem]
    """The prices of this page, oldest first"""
    count: int
    """Number of days with a price in the period, on all pages"""
    next_token: str | None = None
    """Token to pass for the next page; absent on the last page"""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitPriceItem:
    """The unit price of a series on a day."""

    date: dt.date
    """Day of the price"""
    unit_price: Decimal
    """Unit price with accrued interest (PU), before the payment of the day; in BRL with 8 decimals"""
    nominal_value: Decimal
    """Unit price without accrued interest (clean PU): the nominal value, updated by the price index if there is one;
    in BRL with 8 decimals
    """
    interest_j: Decimal
    """Accrued interest; in BRL with 8 decimals"""
    amortization: Decimal
    """Amortization of a token by an instalment of the day; in BRL with 9 decimals"""
    payment: Decimal
    """Payment of an instalment of the day for a token, interest and amortization; in BRL with 9 decimals"""
    version: int
    """Version, from 1; a correction creates a new one, and earlier ones remain"""
    calculated_at: dt.datetime
    """Time at which this version was calculated"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentSchedule:
    """The payment schedule of a series."""

    items: list[ScheduleItem]
    """The instalments, sorted by number"""
    count: int
    """Number of instalments"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleItem:
    """An instalment in a schedule of the REST API."""

    installment_number: int
    """Number, from 1"""
    due_date: dt.date
    """Business day on which it is due"""
    status: PaymentStatus
    """PENDING: not yet due. PAID: paid. OVERDUE: due and not paid"""
    interest_percentage: Decimal | None = None
    """Share of the accrued interest that is paid, in percent, 2 decimals; absent when the deed gives none"""
    principal_percentage: Decimal | None = None
    """Share of the principal that is paid, in percent, 2 decimals; absent when the deed gives none"""
    interest_value: Decimal | None = None
    """Interest for all tokens in BRL, 2 decimals; projected until its day has been priced: exactly for a fixed rate;
    for a series that follows an index, with its newest rate or index number held constant; absent when it cannot be
    projected
    """
    principal_value: Decimal | None = None
    """Principal for all tokens in BRL, 2 decimals; projected until its day has been priced: exactly for a fixed rate;
    for a series that follows an index, with its newest rate or index number held constant; absent when it cannot be
    projected
    """
    total_value: Decimal | None = None
    """Interest and principal together, 2 decimals; absent when they are"""
    projected: bool
    """Whether the values are projected, and not calculated from a price or paid"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatrimonyList:
    """A page of estates."""

    items: list[PatrimonyItem]
    """The estates of this page, sorted by ticker"""
    count: int
    """Number of estates on all pages"""
    next_token: str | None = None
    """Token to pass for the next page; absent on the last page"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatrimonyItem:
    """An estate (patrimônio), which separates the assets and liabilities of one securitization."""

    id: str
    """Id (UUID)"""
    ticker: str
    """Ticker, unique without regard to case"""
    name: str
    """Name"""
    slug: str
    """Slug, the other name of the estate; unique without regard to case"""
    status: PatrimonyStatus
    """DRAFT: being set up. ACTIVE: in force. CLOSED: ended"""
    tranche_count: int
    """Number of series issued in it"""
    asset_count: int
    """Number of assets in it"""
    total_issued: Decimal
    """Issue value times tokens of its series, without drafts; in BRL, 2 decimals"""
    created_at: dt.datetime
    """Time of registration"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetPage:
    """A page of assets."""

    data: list[AssetItem]
    """The assets of this page, in the order of their registration"""
    page: int
    """Number of this page, from 1"""
    limit: int
    """Maximum number of assets per page"""
    total: int
    """Number of matching assets on all pages. Of a `search` up to 100,000 are counted, and a number above 1,000 is
    five minutes old at most
    """
    total_pages: int
    """Number of pages of this size; 0 when nothing matches"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetItem:
    """A credit right that backs the series of an estate."""

    id: str
    """Id (UUID)"""
    external_id: str
    """Identifier in the originator's system, unique within the estate. The tax id of the debtor, and any other CPF,
    within it shows only its last digits, `CT-***.***.*47-25-001`, except to those who get the names of natural
    persons complete
    """
    type: AssetType
    """Type of the asset"""
    status: AssetStatus
    """ACTIVE: not more than 90 days late. SETTLED: all instalments are paid. DEFAULTED: more than 90 days late.
    WRITTEN_OFF: written off
    """
    debtor_name: str
    """Name of the debtor. The name of a legal person (CNPJ) is complete; of a natural person (CPF, or an individual
    entrepreneur whose registered name has the CPF or begins with the root of the CNPJ) only the initials are given,
    `L. D. O.`. Operators get all names complete, and so does an originator, with a signed request, for the credits
    that it assigned. As of an earlier moment a name is complete only if the debtor was recorded as a legal person
    then and is now
    """
    debtor_document: str
    """CPF as `***.***.*12-34`, CNPJ as `**.***.***/**12-34`, with only the last four digits"""
    original_value: Decimal
    """Original value in BRL, 2 decimals"""
    current_balance: Decimal
    """Outstanding balance in BRL, 2 decimals"""
    interest_rate: Decimal
    """Interest rate in percent per year, 2 to 8 decimals"""
    installments: int
    """Instalments"""
    paid_installments: int
    """Number of paid instalments"""
    patrimony_id: str
    """Id of its estate"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetSummary:
    """Totals of assets. The values are those of all assets, and `totalAssets` also counts written-off ones."""

    total_assets: int
    """Number of all assets, whatever their status"""
    active_assets: int
    """Number of assets that are not more than 90 days late"""
    settled_assets: int
    """Number of assets whose instalments are all paid"""
    defaulted_assets: int
    """Number of assets that are more than 90 days late"""
    total_original_value: Decimal
    """Original value of all assets in BRL, 2 decimals"""
    total_current_balance: Decimal
    """Outstanding balance of all assets, written-off ones included, in BRL, 2 decimals"""
    total_received_payments: Decimal
    """Total amount received in BRL, 2 decimals"""
    default_rate: Decimal
    """`defaultedAssets` relative to `totalAssets`, in percent with 2 decimals: 1.79 means 1.79 %; 0 without assets"""
    by_type: AssetSummaryByType
    """Number and original value of the assets by type"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetSummaryByType:
    """Assets by type."""

    ccb: AssetTypeSummary = field(metadata={"name": "CCB"})
    """Bank credit notes"""
    cri: AssetTypeSummary = field(metadata={"name": "CRI"})
    """Real-estate receivables certificates"""
    cra: AssetTypeSummary = field(metadata={"name": "CRA"})
    """Agribusiness receivables certificates"""
    debenture: AssetTypeSummary = field(metadata={"name": "DEBENTURE"})
    """Debentures"""
    precatorio: AssetTypeSummary = field(metadata={"name": "PRECATORIO"})
    """Court-ordered debts of governments"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetTypeSummary:
    """Totals of the assets of one type."""

    count: int
    """Number of assets of the type"""
    total_value: Decimal
    """Total original value in BRL, 2 decimals"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetDetail:
    """A credit right that backs the series of an estate."""

    id: str
    """Id (UUID)"""
    external_id: str
    """Identifier in the originator's system, unique within the estate. The tax id of the debtor, and any other CPF,
    within it shows only its last digits, `CT-***.***.*47-25-001`, except to those who get the names of natural
    persons complete
    """
    type: AssetType
    """Type of the asset"""
    status: AssetStatus
    """ACTIVE: not more than 90 days late. SETTLED: all instalments are paid. DEFAULTED: more than 90 days late.
    WRITTEN_OFF: written off
    """
    debtor_name: str
    """Name of the debtor. The name of a legal person (CNPJ) is complete; of a natural person (CPF, or an individual
    entrepreneur whose registered name has the CPF or begins with the root of the CNPJ) only the initials are given,
    `L. D. O.`. Operators get all names complete, and so does an originator, with a signed request, for the credits
    that it assigned. As of an earlier moment a name is complete only if the debtor was recorded as a legal person
    then and is now
    """
    debtor_document: str
    """CPF as `***.***.*12-34`, CNPJ as `**.***.***/**12-34`, with only the last four digits"""
    original_value: Decimal
    """Original value in BRL, 2 decimals"""
    current_balance: Decimal
    """Outstanding balance in BRL, 2 decimals"""
    interest_rate: Decimal
    """Interest rate in percent per year, 2 to 8 decimals"""
    installments: int
    """Instalments"""
    paid_installments: int
    """Number of paid instalments"""
    patrimony_id: str
    """Id of its estate"""
    patrimony_name: str
    """Name of its estate"""
    batch_id: str | None
    """Id of the batch that contained it; null without a batch"""
    batch_name: str | None
    """Name of that batch, with tax ids as in `externalId`"""
    next_due_date: dt.date | None
    """Due date of the next instalment; null when there is none"""
    final_due_date: dt.date
    """Due date of the last instalment"""
    payment_history: list[AssetPayment]
    """Its instalments, paid and pending, by number; at most 1,200"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetPayment:
    """An instalment of an asset, paid or open."""

    installment_number: int
    """Number, from 1"""
    due_date: dt.date
    """Due date"""
    amount: Decimal
    """Amount due, 2 decimals"""
    paid_amount: Decimal
    """Amount received for it, 2 decimals"""
    paid_on: dt.date | None
    """Day on which it was paid in full; null until then"""
    status: PaymentStatus
    """PENDING: not yet due. PAID: paid in full. OVERDUE: due and not paid in full"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeveloperContractList:
    """A page of token contracts."""

    items: list[DeveloperContract]
    """The contracts of this page, sorted by the ticker of their series"""
    count: int
    """Number of contracts on all pages"""
    next_token: str | None = None
    """Token to pass for the next page; absent on the last page"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeveloperContract:
    """The token contract of a series, in a list of the REST API."""

    address: str
    """Address, with its checksum (EIP-55)"""
    chain_id: int
    """Number of the chain (EIP-155)"""
    network: str
    """Name of the chain"""
    standard: str
    """Token standard"""
    name: str | None
    """Name of the token; null until the contract was read"""
    symbol: str | None
    """Symbol of the token; null until the contract was read"""
    tranche_ticker: str
    """Ticker of the series whose units the tokens are"""
    token_quantity: str
    """Number of units of the series, an integer"""
    total_supply: str | None
    """Number of existing tokens, an integer; null until the contract was read"""
    deployed_at: dt.datetime | None
    """Time of its deployment; null until the contract was read"""
    explorer_url: str | None
    """URL of the contract in a block explorer"""
    read_at: dt.datetime | None
    """Time at which these values were last read from the contract; null until it was read"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeveloperContractDetails:
    """A token contract with the movements of its tokens."""

    address: str
    """Address, with its checksum (EIP-55)"""
    chain_id: int
    """Number of the chain (EIP-155)"""
    network: str
    """Name of the chain"""
    standard: str
    """Token standard"""
    name: str | None
    """Name of the token; null until the contract was read"""
    symbol: str | None
    """Symbol of the token; null until the contract was read"""
    tranche_ticker: str
    """Ticker of the series whose units the tokens are"""
    token_quantity: str
    """Number of units of the series, an integer"""
    total_supply: str | None
    """Number of existing tokens, an integer; null until the contract was read"""
    deployed_at: dt.datetime | None
    """Time of its deployment; null until the contract was read"""
    explorer_url: str | None
    """URL of the contract in a block explorer"""
    read_at: dt.datetime | None
    """Time at which these values were last read from the contract; null until it was read"""
    events: list[DeveloperContractEvent]
    """A page of the movements, newest first"""
    next_token: str | None = None
    """Token to pass for earlier events; absent when there are none"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeveloperContractEvent:
    """A movement of tokens of a contract."""

    block: str
    """Number of the block"""
    transaction: str
    """Hash of the transaction"""
    log_index: int
    """Position in the block; that of the first log when several logs are combined"""
    type: ChainEventType
    """Kind of the movement"""
    from_: str
    """Previous owner; the zero address for created tokens"""
    to: str
    """New owner; the zero address for destroyed tokens"""
    token_ids: list[str]
    """The first 100 token ids, out of all from `firstTokenId` to `lastTokenId`"""
    first_token_id: str
    """Id of the first token"""
    last_token_id: str
    """Id of the last token"""
    token_quantity: str
    """Number of tokens, an integer"""
    occurred_at: dt.datetime
    """Time of the block"""
    final: bool
    """Whether the event is final; until then a reorganization of the chain may remove it"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhooks:
    """The webhooks of an account, which has at most 100."""

    items: list[Webhook]
    """All webhooks, oldest first."""
    count: int
    """Number of webhooks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """A receiver that subscribes to events."""

    id: str
    """Id (UUID)."""
    url: str
    """URL to which deliveries are posted."""
    events: list[str]
    """Names of the events to which it subscribes."""
    description: str | None
    """Description by its owner."""
    status: WebhookStatus
    """Whether events are sent to it."""
    created_at: dt.datetime
    """Time of creation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookWithSecret:
    """A webhook with its new secret. No other response contains the secret."""

    id: str
    """Id (UUID)."""
    url: str
    """URL to which deliveries are posted."""
    events: list[str]
    """Names of the events to which it subscribes."""
    description: str | None
    """Description by its owner."""
    secret: str
    """Secret with which deliveries are signed, as `whsec_<Base64>`. Store it: it cannot be read again.
    `X-Webhook-Signature` uses the complete text as the key; `webhook-signature` (Standard Webhooks) uses the bytes
    that the Base64 encodes.
    """
    status: WebhookStatus
    """Whether events are sent to it."""
    created_at: dt.datetime
    """Time of creation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDelivery:
    """An event for a webhook, with every attempt to deliver it."""

    id: str
    """Id of the event, the same for each webhook that receives it: `id` in the body, and `X-Webhook-Id`. REST shows it
    as the id of the delivery.
    """
    type: str
    """Name of the event."""
    status: WebhookDeliveryStatus
    """Status of the delivery."""
    request_body: str
    """Body of the request, byte for byte as it is sent and signed."""
    created_at: dt.datetime
    """Time of the event."""
    next_attempt_at: dt.datetime | None
    """Time of the next attempt; null when none is due."""
    attempts: list[WebhookAttempt]
    """The last 50 attempts, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookAttempt:
    """One request to a receiver, and its response."""

    number: int
    """Number of the attempt, from 1."""
    started_at: dt.datetime
    """Time at which it began; `X-Webhook-Timestamp` contains its whole seconds."""
    url: str
    """URL of the request."""
    duration_ms: int | None
    """Milliseconds until the last byte of the response, or until the failure; null while it is under way, and
    permanently when the server was stopped during the attempt.
    """
    response_status: int | None
    """HTTP status of the response; null without a complete response."""
    response_body: str | None
    """The first 2 kB of the response."""
    error: str | None
    """Reason for which there was no complete response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDeliveries:
    """A page of deliveries."""

    items: list[WebhookDelivery]
    """The deliveries of this page, newest event first."""
    count: int
    """Number of deliveries to the webhook on all pages, of the requested status if any."""
    next_token: str | None = None
    """Token to pass for the next page; absent on the last page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookReplay:
    """Result of a replay."""

    count: int
    """Number of deliveries that are sent again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditBatchItem:
    """Credits that an originator assigns to an estate together."""

    id: str
    """Id (UUID)"""
    patrimony_id: str
    """Id of the estate that receives the credits"""
    name: str
    """Name of the batch, which its assets show as `batchName`"""
    status: BatchStatus
    """Status of the batch"""
    receivable_count: int
    """Number of contracts in the batch"""
    total_face_value: Decimal
    """Total face value of the contracts, in BRL with 2 decimals"""
    created_at: dt.datetime
    """Time of creation"""
    submitted_at: dt.datetime | None
    """Time of submission; null until then"""
    processed_at: dt.datetime | None
    """Time at which the batch was processed or rejected; null until then"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditBatchPage:
    """A page of credit batches."""

    data: list[CreditBatchItem]
    """The batches of this page, newest first"""
    page: int
    """Number of this page, from 1"""
    limit: int
    """Batches per page"""
    total: int
    """Number of batches on all pages"""
    total_pages: int
    """Number of pages"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditBatchDetail:
    """Credits that an originator assigns to an estate together."""

    id: str
    """Id (UUID)"""
    patrimony_id: str
    """Id of the estate that receives the credits"""
    status: BatchStatus
    """Status of the batch"""
    receivable_count: int
    """Number of contracts in the batch"""
    total_face_value: Decimal
    """Total face value of the contracts, in BRL with 2 decimals"""
    rejection_reason: str | None
    """Reason for the rejection; null unless the batch was rejected"""
    created_at: dt.datetime
    """Time of creation"""
    submitted_at: dt.datetime | None
    """Time of submission; null until then"""
    processed_at: dt.datetime | None
    """Time at which the batch was processed or rejected; null until then"""
    errors: list[CreditBatchError]
    """Errors of its contracts, when the batch was rejected; at most 1,000"""
    contracts: list[CreditBatchContract] | None = None
    """Its receivables, in the order in which they were submitted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditBatchError:
    """An error of a contract of a batch that was rejected."""

    index: int
    """Position of the contract in the batch, from 0"""
    external_id: str
    """Identifier of the contract in the originator's system"""
    path: str
    """Path of the field with the error, such as `contracts[17].debtorDocument`"""
    message: str
    """Description of the error"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditBatchContract:
    """A contract of a credit batch, with the amount that is still to be paid."""

    id: str
    """Id (UUID), which settlements use as `contractId`; the asset has the same id"""
    external_id: str
    """Identifier of the contract in the originator's system"""
    debtor_document: str
    """CPF or CNPJ of the debtor; API keys see only its last digits"""
    face_value: Decimal
    """Face value, in BRL with 2 decimals"""
    due_date: dt.date
    """Due date"""
    status: ReceivableStatus
    """PENDING: its batch was not accepted yet. OPEN: not paid in full. SETTLED: paid in full"""
    open_balance: Decimal | None
    """Amount that is still to be paid, in BRL with 2 decimals; null where it was not assigned (PENDING) or was written
    off
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditBatchCheck:
    """The result that processing a credit batch would have now. Nothing is written."""

    id: str
    """Id of the batch (UUID)"""
    status: BatchStatus
    """Status of the batch: DRAFT or SUBMITTED"""
    eligible: bool
    """Whether the batch would be accepted"""
    rejection_reason: str | None
    """Reason for which the batch would be rejected; null when it would be accepted"""
    error_count: int
    """Number of errors of single contracts"""
    errors: list[CreditBatchError]
    """Errors of single contracts, at most 1,000"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivableList:
    """A page of receivables."""

    items: list[ReceivableItem]
    """The receivables of this page: those of a batch in the order in which they were submitted, those with an external
    id newest first
    """
    count: int
    """Number of receivables on all pages"""
    next_token: str | None = None
    """Token to pass for the next page; absent on the last page"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivableItem:
    """A contract of a credit batch, with the amount that is still to be paid."""

    id: str
    """Id (UUID), which settlements use as `contractId`; the asset has the same id"""
    batch_id: str
    """Id of its credit batch"""
    external_id: str
    """Identifier of the contract in the originator's system"""
    debtor_document: str
    """CPF or CNPJ of the debtor; API keys see only its last digits"""
    face_value: Decimal
    """Face value, in BRL with 2 decimals"""
    due_date: dt.date
    """Due date"""
    status: ReceivableStatus
    """PENDING: its batch was not accepted yet. OPEN: not paid in full. SETTLED: paid in full"""
    open_balance: Decimal | None
    """Amount that is still to be paid, in BRL with 2 decimals; null where it was not assigned (PENDING) or was written
    off
    """
    settled_at: dt.datetime | None
    """Time at which it was paid in full; null until then"""
    written_off_at: dt.datetime | None
    """Time at which an operator wrote it off; null where that did not happen. It keeps its status"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementBatchItem:
    """Payments that were received for receivables of a credit batch."""

    id: str
    """Id (UUID)"""
    credit_batch_id: str
    """Id of the credit batch whose receivables were paid"""
    patrimony_id: str
    """Id of the estate that holds the credits"""
    status: BatchStatus
    """Status of the batch"""
    settlement_count: int
    """Number of payments in the batch"""
    total_settled_amount: Decimal
    """Total amount of the payments as they were sent, in BRL with 2 decimals: also of those that are `repeated` or
    `reversed`, and so reduce no balance
    """
    rejection_reason: str | None
    """Reason for the rejection; null unless the batch was rejected"""
    created_at: dt.datetime
    """Time of creation"""
    submitted_at: dt.datetime | None
    """Time of submission; null until then"""
    processed_at: dt.datetime | None
    """Time at which the batch was processed or rejected; null until then"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementBatchPage:
    """A page of settlement batches."""

    data: list[SettlementBatchItem]
    """The batches of this page, newest first"""
    page: int
    """Number of this page, from 1"""
    limit: int
    """Batches per page"""
    total: int
    """Number of batches on all pages"""
    total_pages: int
    """Number of pages"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementBatchDetail:
    """Payments that were received for receivables of a credit batch."""

    id: str
    """Id (UUID)"""
    credit_batch_id: str
    """Id of the credit batch whose receivables were paid"""
    patrimony_id: str
    """Id of the estate that holds the credits"""
    status: BatchStatus
    """Status of the batch"""
    settlement_count: int
    """Number of payments in the batch"""
    total_settled_amount: Decimal
    """Total amount of the payments as they were sent, in BRL with 2 decimals: also of those that are `repeated` or
    `reversed`, and so reduce no balance
    """
    rejection_reason: str | None
    """Reason for the rejection; null unless the batch was rejected"""
    created_at: dt.datetime
    """Time of creation"""
    submitted_at: dt.datetime | None
    """Time of submission; null until then"""
    processed_at: dt.datetime | None
    """Time at which the batch was processed or rejected; null until then"""
    errors: list[SettlementBatchError]
    """Errors of its payments, when the batch was rejected; at most 1,000"""
    settlements: list[SettlementBatchPayment] | None = None
    """Its payments, in the order in which they were submitted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementBatchError:
    """An error of a payment of a batch that was rejected."""

    index: int
    """Position of the payment in the batch, from 0"""
    external_id: str | None
    """Identifier of the contract in the originator's system"""
    path: str
    """Path of the field with the error, such as `settlements[17].settledAmount`"""
    message: str
    """Description of the error"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementBatchPayment:
    """A payment that was received for a receivable."""

    contract_id: str
    """Id of the receivable"""
    external_id: str
    """Identifier of the contract in the originator's system"""
    settled_amount: Decimal
    """Amount received, in BRL with 2 decimals"""
    settled_date: dt.date
    """Day on which it was received"""
    payment_reference: str | None
    """Reference of the originator for the payment; null without one"""
    repeated: bool
    """Whether the payment repeats one with the same reference, in another batch or earlier in this one, and therefore
    did not reduce the balance; determined when the batch is processed
    """
    reversed: bool
    """Whether an operator reversed the payment; its amount is open again"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchFileCheck:
    """What would become of a file if it were sent now. Nothing is written."""

    line_count: int
    """Number of contracts or payments that could be read"""
    total: Decimal
    """Their total face value, or the total paid, as far as amounts can be read; in BRL, 2 decimals"""
    accepted: bool
    """Whether sending the file would create a batch"""
    refusal: BatchFileRefusal | None
    """The error that sending the file would have; null when it would create a batch"""
    eligible: bool | None
    """Whether processing would accept the batch as things are now; null when sending is refused already"""
    rejection_reason: str | None
    """Reason for which processing would reject the batch, in English; null when it would not"""
    rejection_rules: list[RejectionRule] | None
    """The rules of which `rejectionReason` is made, for texts in other languages; null where it is null"""
    error_count: int
    """Number of all errors, whatever stage would find them"""
    errors: list[BatchFileError]
    """The first errors, in the order of their lines."""
    error_file: str | None = None
    """The file with a column for the errors of each line, as CSV: a CSV file with its own columns; a CNAB 444 file,
    whose records have no room for more, as number of the line, record and errors. It has the first 10,000 errors.
    Cells that a spreadsheet would read as formulas begin with an apostrophe.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchFileRefusal:
    """The error that sending a file would have."""

    status_code: int
    """HTTP status: 400 for the form, 403, 404, 409 or 422"""
    code: str
    """Code of the error, such as `UNPROCESSABLE`"""
    message: str
    """What is wrong, in English"""
    rule: str | None
    """Stable code of the rule that is broken; null where the message is made of no rule"""
    values: list[InputErrorValue]
    """The values that the message names"""
    details: list[BatchFileRefusalDetail]
    """Its first 100 errors, as the response would list them"""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputErrorValue:
    """A value that the text of a rule names."""

    name: str
    """Name of the value, such as `max`"""
    value: str
    """The value: a number in decimal form, a moment in RFC 3339, or a text"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchFileRefusalDetail:
    """An error of an input."""

    path: str
    """Place of the error: in the file, or an argument"""
    message: str
    """What is wrong there, in English"""
    rule: str | None
    """Stable code of the rule that is broken; null where the message is made of no rule"""
    values: list[InputErrorValue]
    """The values that the message names"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectionRule:
    """A rule for which a batch is rejected as a whole."""

    rule: str
    """Stable code of the rule, such as `CONTRACTS_ASSIGNED`"""
    values: list[InputErrorValue]
    """The values that its text names, such as `count` and `total`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchFileError:
    """A rule that a value in a file breaks."""

    line: int
    """Number of the line, from 1"""
    from_column: int | None
    """First column of the value in a CNAB 444 file, from 1; null for a whole line and for CSV"""
    to_column: int | None
    """Last column of the value; null as `fromColumn`"""
    field: str | None
    """Field of the layout, or column of a CSV file; null for a whole line and for a single character"""
    value: str | None
    """The value as the file has it, without blanks around it, at most 80 characters; null for a whole line"""
    rule: str
    """Code of the rule, such as `CHECK_DIGITS`"""
    place: str
    """Place of the value as errors of sending name it: `line 17, columns 38-62`"""
    message: str
    """The rule in English: completes a sentence that begins with the place"""
    message_pt: str
    """The same in Brazilian Portuguese"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradingTokens:
    """Tokens of a trading company. They are returned only once."""

    access_token: str
    """A JWT signed with EdDSA (Ed25519), for `Authorization: Bearer`."""
    refresh_token: str
    """Refresh token, valid once and for 7 days: a JWT signed with EdDSA (Ed25519). A second use ends the whole login."""
    expires_in: int
    """Lifetime of the access token in seconds: 3600."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A client of a company, for whom the company trades."""

    id: str
    """Id (UUID), which requests send as `X-Profile-Id` or `profileId`."""
    name: str
    """Name of the person."""
    document: str
    """CPF or CNPJ, without punctuation."""
    status: ProfileStatus
    """Whether orders, quotes and withdrawals may be opened for this client."""
    wallet_id: str
    """Id of its wallet (UUID); of the synthetic wallet when the request is synthetic."""
    created_at: dt.datetime
    """Time of creation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileList:
    """A page of profiles."""

    profiles: list[Profile]
    """The profiles of this page, oldest first."""
    next_token: str | None = None
    """Token to pass for the next page; absent on the last page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DepositList:
    """A page of deposits, newest first."""

    deposits: list[DepositItem]
    """The deposits of this page."""
    next_token: str | None = None
    """Token to pass for the next page; absent on the last page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DepositItem:
    """A deposit to a wallet."""

    deposit_id: str
    """Id (UUID)."""
    asset: str
    """Code of the currency."""
    amount: Decimal
    """Credited amount, in that currency and with its decimals."""
    network: str
    """Network of the deposit."""
    address: str
    """Address to which it was sent."""
    transaction: str
    """Id of the transaction on its network."""
    output: int
    """Index of the output of the transaction, from 0."""
    confirmations: int
    """Number of confirmations at the last check."""
    status: DepositStatus
    """Status."""
    seen_at: dt.datetime
    """Time at which it was first detected."""
    confirmed_at: dt.datetime | None
    """Time at which it was last credited; null if it never was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawalList:
    """A page of withdrawals, newest first."""

    withdrawals: list[WithdrawalItem]
    """The withdrawals of this page."""
    next_token: str | None = None
    """Token to pass for the next page; absent on the last page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawalItem:
    """A withdrawal of a wallet."""

    asset: str
    """Code of the currency."""
    amount: Decimal
    """Amount that arrives, in that currency and with its decimals."""
    fee: Decimal
    """Fee in the same currency, in addition to the amount."""
    address: str
    """Destination, in the canonical form of the network."""
    network: str
    """Network of the withdrawal."""
    status: WithdrawalStatus
    """Status."""
    created_at: dt.datetime
    """Time of the request."""
    withdrawal_id: str
    """Id (UUID)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DepositAddresses:
    """Deposit addresses of a wallet for a currency."""

    currency: str
    """Code of the currency."""
    addresses: list[DepositAddress]
    """One address per network, that of the default network first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DepositAddress:
    """Deposit address of a wallet on a network."""

    network: str
    """The network."""
    address: str
    """Address: with its checksum, a PIX key, or a bank account as bank/branch/account."""
    memo: str | None = None
    """Memo that the transaction must contain; absent when none is needed."""
    confirmations: int
    """Number of confirmations after which a deposit is credited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalletBalances:
    """Balances of a wallet as the REST API returns them."""

    wallets: list[Balance]
    """One balance for every currency, sorted by code; zero for currencies without funds"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """Balance of a wallet in one currency."""

    currency: str
    """Code of the currency: `BRL`, `BTC`"""
    available: Decimal
    """Amount that can be used, in its currency and with its decimals"""
    locked: Decimal
    """Amount that is held for open orders and withdrawals, in its currency and with its decimals"""
    total: Decimal
    """Sum of available and locked, in its currency and with its decimals"""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalletStatement:
    """The statement of a wallet in one currency for a period."""

    currency: str
    """Code of the currency"""
    from_: dt.datetime
    """Start of the period, included"""
    to: dt.datetime
    """End of the period, excluded"""
    opening: HeldBalance
    """Balance at the start of the period"""
    closing: HeldBalance
    """Balance at the end of the period"""
    movements: list[WalletMovement]
    """The movements of this page, oldest first"""
    next_token: str | None = None
    """Token to pass for the next page; absent on the last page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBalance:
    """Balance of a wallet in a currency at one time."""

    available: Decimal
    """Amount that could be used, in the currency of the statement and with its decimals"""
    locked: Decimal
    """Amount that was held, in the currency of the statement and with its decimals"""
    total: Decimal
    """Sum of available and locked, in the currency of the statement and with its decimals"""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalletMovement:
    """Effect of one journal of the ledger on a wallet."""

    journal_id: str
    """Id of the journal (UUID); for a correction (cause `operator.correction`) an id for this wallet only, because the
    journal may affect two clients
    """
    posted_at: dt.datetime
    """Time of the posting"""
    available: Decimal
    """Change of the available balance, in the currency of the statement and with its decimals"""
    locked: Decimal
    """Change of the locked balance, in the currency of the statement and with its decimals"""
    cause: str
    """Kind of the cause, such as `order.fill`"""
    cause_id: str
    """Id of the cause; for a correction the same as `journalId`"""
    order_id: str | None
    """Id of the order that it belongs to, also where a quote was executed; null for everything else"""
    reason: str | None
    """Reason of the operator who corrected the ledger (cause `operator.correction`); null for all other causes"""
    balance: HeldBalance
    """Balance after the movement"""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketList:
    """All markets."""

    markets: list[Market]
    """Markets, sorted by symbol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """A pair of currencies that can be traded. The rules are the same for real and synthetic orders."""

    symbol: str
    """Symbol of the market, such as `BTC/BRL`."""
    base_currency: str
    """Currency that is bought and sold, such as `BTC`."""
    quote_currency: str
    """Currency in which it is paid, such as `BRL`."""
    min_order_size: Decimal
    """Minimum amount of an order, in the base currency."""
    price_decimals: int
    """Maximum number of decimals of a price. Prices with more decimals are rejected."""
    amount_decimals: int
    """Maximum number of decimals of an amount of the base currency. Amounts with more decimals are rejected."""
    collar_percent: Decimal
    """Maximum distance from the mid price at which a market order is executed, in percent."""
    maker_fee_percent: Decimal | None
    """Fee of the calling company for what adds liquidity to an order book, in percent of the value; null for other
    callers.
    """
    taker_fee_percent: Decimal | None
    """Fee of the calling company for what removes liquidity, and for quotes, in percent of the value; null for other
    callers.
    """
    status: MarketStatus
    """Whether new orders are accepted."""
    halt_reason: str | None
    """Reason of the halt; null while it is ACTIVE."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticker:
    """Current prices of a market, over all venues in use."""

    symbol: str
    """Symbol of the market, such as `BTC/BRL`."""
    bid: Decimal | None
    """Highest price at which someone buys, in the quote currency; null without buyers."""
    ask: Decimal | None
    """Lowest price at which someone sells, in the quote currency; null without sellers."""
    last: Decimal | None
    """Price of the last trade; null before the first one."""
    volume24h: Decimal
    """Traded amount in the last 24 hours, in the base currency."""
    change24h: Decimal | None
    """Change from the first to the last price of the last 24 hours, in percent with 2 decimals: `-1.25` is 1.25% less.
    Null without trades.
    """
    timestamp: dt.datetime
    """Time of these values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoricalPrices:
    """The candles of a market."""

    symbol: str
    """Symbol of the market, such as `BTC/BRL`."""
    interval: str
    """`1h`, `4h`, `1d` or `1w`."""
    candles: list[Candle]
    """Candles, oldest first; the last one has not ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candle:
    """Prices and volume of a market in an interval. Prices are in the quote currency."""

    timestamp: dt.datetime
    """Start of the interval in UTC; weeks start on Mondays."""
    open: Decimal
    """First price."""
    high: Decimal
    """Highest price."""
    low: Decimal
    """Lowest price."""
    close: Decimal
    """Last price."""
    volume: Decimal
    """Traded amount, in the base currency; 0 when the prices are mid prices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolList:
    """Balances of the platform at the connected exchanges."""

    pools: list[Pool]
    """Exchanges, sorted by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Balances of the platform at an exchange."""

    exchange: str
    """Name of the exchange."""
    status: PoolStatus
    """Availability of the exchange."""
    balances: list[PoolBalance]
    """Balances by currency; empty until the exchange has reported any."""
    updated_at: dt.datetime | None
    """Time at which the exchange reported them, up to ten minutes ago; null until it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolBalance:
    """Balance of the platform in one currency at an exchange."""

    currency: str
    """Code of the currency: `BRL`, `BTC`."""
    available: Decimal
    """Amount that can be used, in the currency, rounded down to the second significant digit of the sum of `available`
    and `locked`.
    """
    locked: Decimal
    """Amount that is held for open orders there, in the currency, rounded down to the second significant digit of the
    sum of `available` and `locked`.
    """
    total: Decimal
    """Sum of the two displayed amounts, in the currency."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """An order. Amounts are decimal text with the decimals of their currency, prices with those of the market."""

    order_id: str
    """Id (UUID)."""
    client_order_id: str | None
    """Id that the caller chose, unique within its wallet."""
    symbol: str
    """Symbol of the market, such as `BTC/BRL`."""
    side: OrderSide
    """BUY or SELL."""
    type: OrderType
    """MARKET or LIMIT."""
    time_in_force: TimeInForce
    """How long it stays open."""
    post_only: bool
    """Whether it was to be rejected rather than executed at once."""
    status: OrderStatus
    """Status."""
    reason: str | None
    """Reason for which it was rejected or not filled completely."""
    amount: Decimal | None
    """Requested amount, in the base currency."""
    quote_amount: Decimal | None
    """What a BUY was to spend in all, in the quote currency: the fee is within it."""
    price: Decimal | None
    """Limit price, in the quote currency per unit of the base currency."""
    filled_amount: Decimal
    """Filled amount, in the base currency."""
    average_price: Decimal | None
    """Average price of the filled amount, in the quote currency, with at least `priceDecimals` of the market, rounded
    half up to 8 decimals; null before the first fill.
    """
    fee: Decimal
    """Fee charged so far, in `feeCurrency`, rounded down to its decimals."""
    fee_currency: str
    """Currency of the fee: the quote currency."""
    expires_at: dt.datetime | None
    """Time of expiry (GTD)."""
    created_at: dt.datetime
    """Time at which it was placed."""
    filled_at: dt.datetime | None
    """Time at which it was filled completely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderList:
    """A page of orders, newest first."""

    orders: list[Order]
    """The orders of this page."""
    next_token: str | None = None
    """Token to pass for the next page; absent on the last page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A price at which the platform trades with the client until it expires. Amounts are decimal text with the
    decimals of their currency.
    """

    quote_id: str
    """Id (UUID)."""
    symbol: str
    """Symbol of the market, such as `BTC/BRL`."""
    side: OrderSide
    """BUY or SELL."""
    status: QuoteStatus
    """Status."""
    price: Decimal
    """Price of one unit of the base currency, in the quote currency, with the decimals of the market and without the
    fee. The order of the quote has it as `averagePrice`.
    """
    amount: Decimal
    """Amount in the base currency."""
    quote_amount: Decimal
    """What a BUY pays and a SELL gets in all, in the quote currency: `price` × `amount`, rounded against the client,
    and the fee, which a BUY pays besides and which is deducted from a SELL.
    """
    fee: Decimal
    """Fee within `quoteAmount`, in `feeCurrency`, rounded down to its decimals."""
    fee_currency: str
    """Currency of the fee: the quote currency."""
    spread: Decimal
    """Difference by which `price` × `amount` is worse than the order books with the fees of the venues, in percent
    with 4 decimals, rounded half up. Larger values have lower marginal rates.
    """
    expires_at: dt.datetime
    """Time until which it can be executed, by the clock of the server."""
    ttl_seconds: int
    """Validity in seconds from its creation: 30."""
    order_id: str | None
    """Id of the order that executed it; null before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpMessage:
    """A JSON-RPC 2.0 message. Revisions of the protocol before 2025-06-18 accept an array of messages."""

    jsonrpc: Literal["2.0"]
    """The version of JSON-RPC."""
    id: Any | None = None
    """The id of a request, a string or a number. A notification has no id."""
    method: str | None = None
    """The method of the protocol. A response has none."""
    params: Any | None = None
    """The parameters of the method."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpReply:
    """A JSON-RPC 2.0 response: it has `result` or `error`. The response to an array of messages is an array with one
    response for each request.
    """

    jsonrpc: Literal["2.0"]
    """The version of JSON-RPC."""
    id: Any
    """The id of the request."""
    result: Any | None = None
    """The result of the method."""
    error: Any | None = None
    """The error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpRefusal:
    """A JSON-RPC 2.0 error for the body as a whole."""

    jsonrpc: Literal["2.0"]
    """The version of JSON-RPC."""
    id: Any
    """Null, because no request could be read from the body."""
    error: Any
    """The error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractInput:
    """An item of `contracts`."""

    external_id: str
    """Id of the contract in the originator's system, 1 to 100 characters that can be seen. It is kept in Unicode's
    form NFC, with each blank as a space and none at the ends. Unique in the batch.
    """
    debtor_document: str
    """CPF (11 digits) or CNPJ (14 digits, or letters and digits in upper case) of the debtor."""
    face_value: Decimal = field(metadata={"number": True})
    """Face value in BRL, greater than 0."""
    due_date: dt.date
    """Due date: a day in the future, in São Paulo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementInput:
    """An item of `settlements`."""

    contract_id: str
    """Id of the receivable: the id of the contract in its credit batch."""
    settled_amount: Decimal = field(metadata={"number": True})
    """Amount received in BRL, greater than 0 and at most the open balance. A smaller amount is a partial payment."""
    settled_date: dt.date
    """Day on which the payment was received, in São Paulo: not before the day on which the credit batch was PROCESSED,
    and not in the future.
    """
    payment_reference: str | None = None
    """Reference of this payment of the contract, chosen by the client. A payment with a recorded reference and the
    same amount and day, in any batch, is that recorded payment (`repeated` is true) and is not deducted again. With
    another amount or day, or if that payment was `reversed`: 422. A payment that replaces a reversed one needs
    another reference.
    """


Inventory: TypeAlias = InventoryPage | InventoryUnavailable
"""The credits of an operation: in pages, or as totals when there are too many. With fewer than 5 debtors neither is
published.
"""
