"""How each operation is called.

Generated from `rest/openapi.json` by `npm run generate`.
"""

from __future__ import annotations

from typing import Any

from .._operation import ListOperation, Operation
from . import types as t

REGISTER: Operation[t.Message] = Operation(
    name="register",
    method="POST",
    path="/v1/emissoes/auth/register",
    result=t.Message,
    credentials=(),
    media_type="application/json",
    body=("name", "email", "password", "company"),
    takes_key=True,
)

VERIFY_EMAIL: Operation[t.Session] = Operation(
    name="verifyEmail",
    method="POST",
    path="/v1/emissoes/auth/verify-email",
    result=t.Session,
    credentials=(),
    media_type="application/json",
    body=("token",),
    takes_key=True,
)

RESEND_VERIFICATION: Operation[t.Message] = Operation(
    name="resendVerification",
    method="POST",
    path="/v1/emissoes/auth/resend-verification",
    result=t.Message,
    credentials=(),
    media_type="application/json",
    body=("email",),
    takes_key=True,
)

LOGIN: Operation[t.Session] = Operation(
    name="login",
    method="POST",
    path="/v1/emissoes/auth/login",
    result=t.Session,
    credentials=(),
    media_type="application/json",
    body=("email", "password"),
    takes_key=True,
)

FORGOT_PASSWORD: Operation[t.Message] = Operation(
    name="forgotPassword",
    method="POST",
    path="/v1/emissoes/auth/forgot-password",
    result=t.Message,
    credentials=(),
    media_type="application/json",
    body=("email",),
    takes_key=True,
)

RESET_PASSWORD: Operation[t.Message] = Operation(
    name="resetPassword",
    method="POST",
    path="/v1/emissoes/auth/reset-password",
    result=t.Message,
    credentials=(),
    media_type="application/json",
    body=("token", "password", "revokeKeys"),
    takes_key=True,
)

LOGOUT: Operation[None] = Operation(
    name="logout",
    method="POST",
    path="/v1/emissoes/auth/logout",
    result=None,
    credentials=("session_token",),
    takes_key=True,
)

ME: Operation[t.SessionUser] = Operation(
    name="me",
    method="GET",
    path="/v1/emissoes/auth/me",
    result=t.SessionUser,
    credentials=("session_token",),
)

API_KEYS: Operation[list[t.ApiKey]] = Operation(
    name="apiKeys",
    method="GET",
    path="/v1/emissoes/keys",
    result=list[t.ApiKey],
    credentials=("session_token",),
)

CREATE_API_KEY: Operation[t.CreatedApiKey] = Operation(
    name="createApiKey",
    method="POST",
    path="/v1/emissoes/keys",
    result=t.CreatedApiKey,
    credentials=("session_token",),
    media_type="application/json",
    body=("name",),
    takes_key=True,
)

REVOKE_API_KEY: Operation[None] = Operation(
    name="revokeApiKey",
    method="DELETE",
    path="/v1/emissoes/keys/{id}",
    result=None,
    credentials=("session_token",),
)

OPERATION_CARDS: ListOperation[t.OperationCardList, t.OperationCard] = ListOperation(
    name="operationCards",
    method="GET",
    path="/v1/emissoes/operacoes",
    result=t.OperationCardList,
    credentials=("api_key",),
    paging="none",
    items="cards",
    item=t.OperationCard,
)

OPERATION_DETAIL: Operation[t.OperationDetail] = Operation(
    name="operationDetail",
    method="GET",
    path="/v1/emissoes/operacoes/{ticker}",
    result=t.OperationDetail,
    credentials=("api_key",),
)

OPERATION_DETAIL_CSV: Operation[str] = Operation(
    name="operationDetail",
    method="GET",
    path="/v1/emissoes/operacoes/{ticker}",
    result=str,
    credentials=("api_key",),
    query=("separator",),
    accept="text/csv",
)

REPORT_MONTHS: Operation[t.ReportMonths] = Operation(
    name="reportMonths",
    method="GET",
    path="/v1/emissoes/operacoes/{ticker}/relatorio-mensal/meses",
    result=t.ReportMonths,
    credentials=("api_key",),
)

MANAGEMENT_REPORT: ListOperation[t.ManagementReport, t.CovenantLine] = ListOperation(
    name="managementReport",
    method="GET",
    path="/v1/emissoes/operacoes/{ticker}/relatorio-mensal",
    result=t.ManagementReport,
    credentials=("api_key",),
    query=("month", "versao"),
    paging="none",
    items="covenants",
    item=t.CovenantLine,
)

INVENTORY: ListOperation[t.Inventory, t.InventoryItem] = ListOperation(
    name="inventory",
    method="GET",
    path="/v1/emissoes/operacoes/{ticker}/estoque",
    result=t.Inventory,
    credentials=("api_key",),
    query=("page", "limit"),
    paging="page",
    items="items",
    item=t.InventoryItem,
)

INVENTORY_CSV: Operation[str] = Operation(
    name="inventory",
    method="GET",
    path="/v1/emissoes/operacoes/{ticker}/estoque",
    result=str,
    credentials=("api_key",),
    query=("separator",),
    accept="text/csv",
)

TRANCHE_LIST: ListOperation[t.TrancheList, t.TrancheItem] = ListOperation(
    name="trancheList",
    method="GET",
    path="/public/tranches",
    result=t.TrancheList,
    credentials=(),
    query=("status", "patrimonyTicker", "limit", "nextToken"),
    paging="token",
    items="items",
    item=t.TrancheItem,
)

TRANCHE_LIST_CSV: Operation[str] = Operation(
    name="trancheList",
    method="GET",
    path="/public/tranches",
    result=str,
    credentials=(),
    query=("status", "patrimonyTicker", "separator"),
    accept="text/csv",
)

TRANCHE_DETAILS: Operation[t.TrancheDetails] = Operation(
    name="trancheDetails",
    method="GET",
    path="/public/tranches/{ticker}/details",
    result=t.TrancheDetails,
    credentials=(),
)

UNIT_PRICE_LIST: ListOperation[t.UnitPriceList, t.UnitPriceItem] = ListOperation(
    name="unitPriceList",
    method="GET",
    path="/public/tranches/{ticker}/unit-prices",
    result=t.UnitPriceList,
    credentials=(),
    query=("from", "to", "limit", "nextToken"),
    paging="token",
    items="items",
    item=t.UnitPriceItem,
)

UNIT_PRICE_LIST_CSV: Operation[str] = Operation(
    name="unitPriceList",
    method="GET",
    path="/public/tranches/{ticker}/unit-prices",
    result=str,
    credentials=(),
    query=("from", "to", "separator"),
    accept="text/csv",
)

PAYMENT_SCHEDULE: ListOperation[t.PaymentSchedule, t.ScheduleItem] = ListOperation(
    name="paymentSchedule",
    method="GET",
    path="/public/tranches/{ticker}/payment-schedule",
    result=t.PaymentSchedule,
    credentials=(),
    paging="none",
    items="items",
    item=t.ScheduleItem,
)

PAYMENT_SCHEDULE_CSV: Operation[str] = Operation(
    name="paymentSchedule",
    method="GET",
    path="/public/tranches/{ticker}/payment-schedule",
    result=str,
    credentials=(),
    query=("separator",),
    accept="text/csv",
)

PATRIMONY_LIST: ListOperation[t.PatrimonyList, t.PatrimonyItem] = ListOperation(
    name="patrimonyList",
    method="GET",
    path="/public/patrimonies",
    result=t.PatrimonyList,
    credentials=(),
    query=("limit", "nextToken"),
    paging="token",
    items="items",
    item=t.PatrimonyItem,
)

ASSET_LIST: ListOperation[t.AssetPage, t.AssetItem] = ListOperation(
    name="assetList",
    method="GET",
    path="/public/assets",
    result=t.AssetPage,
    credentials=(),
    query=("page", "limit", "patrimonyId", "status", "type", "search"),
    paging="page",
    items="data",
    item=t.AssetItem,
)

ASSET_LIST_CSV: Operation[str] = Operation(
    name="assetList",
    method="GET",
    path="/public/assets",
    result=str,
    credentials=(),
    query=("patrimonyId", "status", "type", "search", "separator"),
    accept="text/csv",
)

ASSET_SUMMARY: Operation[t.AssetSummary] = Operation(
    name="assetSummary",
    method="GET",
    path="/public/assets/summary",
    result=t.AssetSummary,
    credentials=(),
    query=("patrimonyId",),
)

ASSET_DETAIL: ListOperation[t.AssetDetail, t.AssetPayment] = ListOperation(
    name="assetDetail",
    method="GET",
    path="/public/assets/{id}",
    result=t.AssetDetail,
    credentials=(),
    paging="none",
    items="paymentHistory",
    item=t.AssetPayment,
)

ASSET_DETAIL_CSV: Operation[str] = Operation(
    name="assetDetail",
    method="GET",
    path="/public/assets/{id}",
    result=str,
    credentials=(),
    query=("separator",),
    accept="text/csv",
)

DEVELOPER_CONTRACTS: ListOperation[t.DeveloperContractList, t.DeveloperContract] = ListOperation(
    name="developerContracts",
    method="GET",
    path="/developer/contracts",
    result=t.DeveloperContractList,
    credentials=("developer_key",),
    query=("limit", "nextToken"),
    paging="token",
    items="items",
    item=t.DeveloperContract,
)

DEVELOPER_CONTRACT: ListOperation[t.DeveloperContractDetails, t.DeveloperContractEvent] = ListOperation(
    name="developerContract",
    method="GET",
    path="/developer/contracts/{address}",
    result=t.DeveloperContractDetails,
    credentials=("developer_key",),
    query=("limit", "nextToken"),
    paging="token",
    items="events",
    item=t.DeveloperContractEvent,
)

WEBHOOKS: ListOperation[t.Webhooks, t.Webhook] = ListOperation(
    name="webhooks",
    method="GET",
    path="/developer/webhooks",
    result=t.Webhooks,
    credentials=("developer_key",),
    paging="none",
    items="items",
    item=t.Webhook,
)

CREATE_WEBHOOK: ListOperation[t.WebhookWithSecret, str] = ListOperation(
    name="createWebhook",
    method="POST",
    path="/developer/webhooks",
    result=t.WebhookWithSecret,
    credentials=("developer_key",),
    media_type="application/json",
    body=("url", "events", "description"),
    takes_key=True,
    paging="none",
    items="events",
    item=str,
)

WEBHOOK: ListOperation[t.Webhook, str] = ListOperation(
    name="webhook",
    method="GET",
    path="/developer/webhooks/{id}",
    result=t.Webhook,
    credentials=("developer_key",),
    paging="none",
    items="events",
    item=str,
)

UPDATE_WEBHOOK: ListOperation[t.Webhook, str] = ListOperation(
    name="updateWebhook",
    method="PATCH",
    path="/developer/webhooks/{id}",
    result=t.Webhook,
    credentials=("developer_key",),
    media_type="application/json",
    body=("url", "events", "description"),
    takes_key=True,
    paging="none",
    items="events",
    item=str,
)

DELETE_WEBHOOK: Operation[None] = Operation(
    name="deleteWebhook",
    method="DELETE",
    path="/developer/webhooks/{id}",
    result=None,
    credentials=("developer_key",),
)

ROTATE_WEBHOOK_SECRET: ListOperation[t.WebhookWithSecret, str] = ListOperation(
    name="rotateWebhookSecret",
    method="POST",
    path="/developer/webhooks/{id}/rotate-secret",
    result=t.WebhookWithSecret,
    credentials=("developer_key",),
    takes_key=True,
    paging="none",
    items="events",
    item=str,
)

TEST_WEBHOOK: ListOperation[t.WebhookDelivery, t.WebhookAttempt] = ListOperation(
    name="testWebhook",
    method="POST",
    path="/developer/webhooks/{id}/test",
    result=t.WebhookDelivery,
    credentials=("developer_key",),
    takes_key=True,
    paging="none",
    items="attempts",
    item=t.WebhookAttempt,
)

ACTIVATE_WEBHOOK: ListOperation[t.Webhook, str] = ListOperation(
    name="activateWebhook",
    method="POST",
    path="/developer/webhooks/{id}/activate",
    result=t.Webhook,
    credentials=("developer_key",),
    takes_key=True,
    paging="none",
    items="events",
    item=str,
)

WEBHOOK_DELIVERIES: ListOperation[t.WebhookDeliveries, t.WebhookDelivery] = ListOperation(
    name="webhookDeliveries",
    method="GET",
    path="/developer/webhooks/{id}/deliveries",
    result=t.WebhookDeliveries,
    credentials=("developer_key",),
    query=("status", "limit", "nextToken"),
    paging="token",
    items="items",
    item=t.WebhookDelivery,
)

REDELIVER_WEBHOOK: ListOperation[t.WebhookDelivery, t.WebhookAttempt] = ListOperation(
    name="redeliverWebhook",
    method="POST",
    path="/developer/webhooks/{id}/deliveries/{deliveryId}/redeliver",
    result=t.WebhookDelivery,
    credentials=("developer_key",),
    takes_key=True,
    paging="none",
    items="attempts",
    item=t.WebhookAttempt,
)

REPLAY_WEBHOOK: Operation[t.WebhookReplay] = Operation(
    name="replayWebhook",
    method="POST",
    path="/developer/webhooks/{id}/replay",
    result=t.WebhookReplay,
    credentials=("developer_key",),
    media_type="application/json",
    body=("since",),
    takes_key=True,
)

CREATE_CREDIT_BATCH: Operation[t.CreditBatchItem] = Operation(
    name="createCreditBatch",
    method="POST",
    path="/tidc/v1/credit-batches",
    result=t.CreditBatchItem,
    credentials=("signature",),
    media_type="application/json",
    body=("patrimonyId", "contracts"),
    takes_key=True,
)

CREATE_CREDIT_BATCH_CNAB444: Operation[t.CreditBatchItem] = Operation(
    name="createCreditBatch",
    method="POST",
    path="/tidc/v1/credit-batches",
    result=t.CreditBatchItem,
    credentials=("signature",),
    query=("patrimonyId",),
    media_type="text/plain; profile=cnab444",
    body=("body",),
    takes_key=True,
)

CREDIT_BATCH_LIST: ListOperation[t.CreditBatchPage, t.CreditBatchItem] = ListOperation(
    name="creditBatchList",
    method="GET",
    path="/tidc/v1/credit-batches",
    result=t.CreditBatchPage,
    credentials=("signature",),
    query=("page", "limit", "status", "patrimonyId", "from", "to"),
    paging="page",
    items="data",
    item=t.CreditBatchItem,
)

CREDIT_BATCH_DETAIL: Operation[t.CreditBatchDetail] = Operation(
    name="creditBatchDetail",
    method="GET",
    path="/tidc/v1/credit-batches/{id}",
    result=t.CreditBatchDetail,
    credentials=("signature",),
    query=("contracts",),
)

CREDIT_BATCH_CHECK: ListOperation[t.CreditBatchCheck, t.CreditBatchError] = ListOperation(
    name="creditBatchCheck",
    method="GET",
    path="/tidc/v1/credit-batches/{id}/check",
    result=t.CreditBatchCheck,
    credentials=("signature",),
    paging="none",
    items="errors",
    item=t.CreditBatchError,
)

ADD_CONTRACTS: Operation[t.CreditBatchItem] = Operation(
    name="addContracts",
    method="POST",
    path="/tidc/v1/credit-batches/{id}/contracts",
    result=t.CreditBatchItem,
    credentials=("signature",),
    media_type="application/json",
    body=("contracts",),
    takes_key=True,
)

REPLACE_CONTRACTS: Operation[t.CreditBatchItem] = Operation(
    name="replaceContracts",
    method="PUT",
    path="/tidc/v1/credit-batches/{id}/contracts",
    result=t.CreditBatchItem,
    credentials=("signature",),
    media_type="application/json",
    body=("contracts",),
    takes_key=True,
)

REMOVE_CONTRACT: Operation[t.CreditBatchItem] = Operation(
    name="removeContract",
    method="DELETE",
    path="/tidc/v1/credit-batches/{id}/contracts/{externalId}",
    result=t.CreditBatchItem,
    credentials=("signature",),
)

SUBMIT_CREDIT_BATCH: Operation[t.CreditBatchItem] = Operation(
    name="submitCreditBatch",
    method="POST",
    path="/tidc/v1/credit-batches/{id}/submit",
    result=t.CreditBatchItem,
    credentials=("signature",),
    takes_key=True,
)

CANCEL_CREDIT_BATCH: Operation[t.CreditBatchItem] = Operation(
    name="cancelCreditBatch",
    method="POST",
    path="/tidc/v1/credit-batches/{id}/cancel",
    result=t.CreditBatchItem,
    credentials=("signature",),
    takes_key=True,
)

RECEIVABLE_LIST: ListOperation[t.ReceivableList, t.ReceivableItem] = ListOperation(
    name="receivableList",
    method="GET",
    path="/tidc/v1/credit-batches/{id}/receivables",
    result=t.ReceivableList,
    credentials=("signature",),
    query=("limit", "nextToken"),
    paging="token",
    items="items",
    item=t.ReceivableItem,
)

RECEIVABLE_LOOKUP: ListOperation[t.ReceivableList, t.ReceivableItem] = ListOperation(
    name="receivableLookup",
    method="GET",
    path="/tidc/v1/receivables",
    result=t.ReceivableList,
    credentials=("signature",),
    query=("externalId", "limit", "nextToken"),
    paging="token",
    items="items",
    item=t.ReceivableItem,
)

RECEIVABLE_DETAIL: Operation[t.ReceivableItem] = Operation(
    name="receivableDetail",
    method="GET",
    path="/tidc/v1/receivables/{id}",
    result=t.ReceivableItem,
    credentials=("signature",),
)

CREATE_SETTLEMENT_BATCH: Operation[t.SettlementBatchItem] = Operation(
    name="createSettlementBatch",
    method="POST",
    path="/tidc/v1/settlement-batches",
    result=t.SettlementBatchItem,
    credentials=("signature",),
    media_type="application/json",
    body=("creditBatchId", "settlements", "draft"),
    takes_key=True,
)

CREATE_SETTLEMENT_BATCH_CNAB444: Operation[t.SettlementBatchItem] = Operation(
    name="createSettlementBatch",
    method="POST",
    path="/tidc/v1/settlement-batches",
    result=t.SettlementBatchItem,
    credentials=("signature",),
    query=("creditBatchId",),
    media_type="text/plain; profile=cnab444",
    body=("body",),
    takes_key=True,
)

SETTLEMENT_BATCH_LIST: ListOperation[t.SettlementBatchPage, t.SettlementBatchItem] = ListOperation(
    name="settlementBatchList",
    method="GET",
    path="/tidc/v1/settlement-batches",
    result=t.SettlementBatchPage,
    credentials=("signature",),
    query=("page", "limit", "status", "creditBatchId", "patrimonyId", "from", "to"),
    paging="page",
    items="data",
    item=t.SettlementBatchItem,
)

SETTLEMENT_BATCH_DETAIL: Operation[t.SettlementBatchDetail] = Operation(
    name="settlementBatchDetail",
    method="GET",
    path="/tidc/v1/settlement-batches/{id}",
    result=t.SettlementBatchDetail,
    credentials=("signature",),
    query=("settlements",),
)

SUBMIT_SETTLEMENT_BATCH: Operation[t.SettlementBatchItem] = Operation(
    name="submitSettlementBatch",
    method="POST",
    path="/tidc/v1/settlement-batches/{id}/submit",
    result=t.SettlementBatchItem,
    credentials=("signature",),
    takes_key=True,
)

CANCEL_SETTLEMENT_BATCH: Operation[t.SettlementBatchItem] = Operation(
    name="cancelSettlementBatch",
    method="POST",
    path="/tidc/v1/settlement-batches/{id}/cancel",
    result=t.SettlementBatchItem,
    credentials=("signature",),
    takes_key=True,
)

CHECK_ASSIGNMENT_FILE: Operation[t.BatchFileCheck] = Operation(
    name="checkAssignmentFile",
    method="POST",
    path="/tidc/v1/credit-batches/check-file",
    result=t.BatchFileCheck,
    credentials=("signature",),
    media_type="application/json",
    body=("patrimonyId", "format", "file", "originatorId", "errorFile", "language"),
    takes_key=True,
)

CHECK_ASSIGNMENT_FILE_FILE: Operation[t.BatchFileCheck] = Operation(
    name="checkAssignmentFile",
    method="POST",
    path="/tidc/v1/credit-batches/check-file",
    result=t.BatchFileCheck,
    credentials=("signature",),
    query=("patrimonyId", "format", "originatorId", "errorFile", "language"),
    media_type="text/plain; profile=file",
    body=("body",),
    takes_key=True,
)

CHECK_SETTLEMENT_FILE: Operation[t.BatchFileCheck] = Operation(
    name="checkSettlementFile",
    method="POST",
    path="/tidc/v1/settlement-batches/check-file",
    result=t.BatchFileCheck,
    credentials=("signature",),
    media_type="application/json",
    body=("creditBatchId", "format", "file", "originatorId", "errorFile", "language"),
    takes_key=True,
)

CHECK_SETTLEMENT_FILE_FILE: Operation[t.BatchFileCheck] = Operation(
    name="checkSettlementFile",
    method="POST",
    path="/tidc/v1/settlement-batches/check-file",
    result=t.BatchFileCheck,
    credentials=("signature",),
    query=("creditBatchId", "format", "originatorId", "errorFile", "language"),
    media_type="text/plain; profile=file",
    body=("body",),
    takes_key=True,
)

CHECK_ASSIGNMENT_FILE_AS_PERSON: Operation[t.BatchFileCheck] = Operation(
    name="checkAssignmentFileAsPerson",
    method="POST",
    path="/v1/assignment-files/check",
    result=t.BatchFileCheck,
    credentials=("session_token",),
    media_type="application/json",
    body=("patrimonyId", "format", "file", "originatorId", "errorFile", "language"),
    takes_key=True,
)

CHECK_ASSIGNMENT_FILE_AS_PERSON_FILE: Operation[t.BatchFileCheck] = Operation(
    name="checkAssignmentFileAsPerson",
    method="POST",
    path="/v1/assignment-files/check",
    result=t.BatchFileCheck,
    credentials=("session_token",),
    query=("patrimonyId", "format", "originatorId", "errorFile", "language"),
    media_type="text/plain; profile=file",
    body=("body",),
    takes_key=True,
)

CHECK_SETTLEMENT_FILE_AS_PERSON: Operation[t.BatchFileCheck] = Operation(
    name="checkSettlementFileAsPerson",
    method="POST",
    path="/v1/settlement-files/check",
    result=t.BatchFileCheck,
    credentials=("session_token",),
    media_type="application/json",
    body=("creditBatchId", "format", "file", "originatorId", "errorFile", "language"),
    takes_key=True,
)

CHECK_SETTLEMENT_FILE_AS_PERSON_FILE: Operation[t.BatchFileCheck] = Operation(
    name="checkSettlementFileAsPerson",
    method="POST",
    path="/v1/settlement-files/check",
    result=t.BatchFileCheck,
    credentials=("session_token",),
    query=("creditBatchId", "format", "originatorId", "errorFile", "language"),
    media_type="text/plain; profile=file",
    body=("body",),
    takes_key=True,
)

TRADING_LOGIN: Operation[t.TradingTokens] = Operation(
    name="tradingLogin",
    method="POST",
    path="/v1/auth/login",
    result=t.TradingTokens,
    credentials=(),
    media_type="application/json",
    body=("apiKey", "secretKey"),
    takes_key=True,
)

REFRESH_TRADING_TOKENS: Operation[t.TradingTokens] = Operation(
    name="refreshTradingTokens",
    method="PUT",
    path="/v1/auth/refresh",
    result=t.TradingTokens,
    credentials=(),
    media_type="application/json",
    body=("refreshToken",),
    takes_key=True,
)

CREATE_PROFILE: Operation[t.Profile] = Operation(
    name="createProfile",
    method="POST",
    path="/v1/account/createProfile",
    result=t.Profile,
    credentials=("access_token",),
    headers=("X-Synthetic",),
    media_type="application/json",
    body=("name", "document", "documentType", "email"),
    takes_key=True,
)

FETCH_PROFILES: ListOperation[t.ProfileList, t.Profile] = ListOperation(
    name="fetchProfiles",
    method="GET",
    path="/v1/account/fetchProfiles",
    result=t.ProfileList,
    credentials=("access_token",),
    query=("limit", "nextToken"),
    headers=("X-Synthetic",),
    paging="token",
    items="profiles",
    item=t.Profile,
)

FETCH_PROFILES_UNVERSIONED: ListOperation[t.ProfileList, t.Profile] = ListOperation(
    name="fetchProfilesUnversioned",
    method="GET",
    path="/account/fetchProfiles",
    result=t.ProfileList,
    credentials=("access_token",),
    query=("limit", "nextToken"),
    headers=("X-Synthetic",),
    paging="token",
    items="profiles",
    item=t.Profile,
)

FETCH_DEPOSITS: ListOperation[t.DepositList, t.DepositItem] = ListOperation(
    name="fetchDeposits",
    method="GET",
    path="/v1/transfers/fetchDeposits",
    result=t.DepositList,
    credentials=("access_token",),
    query=("limit", "nextToken"),
    headers=("X-Synthetic", "X-Profile-Id"),
    paging="token",
    items="deposits",
    item=t.DepositItem,
)

FETCH_WITHDRAWALS: ListOperation[t.WithdrawalList, t.WithdrawalItem] = ListOperation(
    name="fetchWithdrawals",
    method="GET",
    path="/v1/transfers/fetchWithdrawals",
    result=t.WithdrawalList,
    credentials=("access_token",),
    query=("limit", "nextToken"),
    headers=("X-Synthetic", "X-Profile-Id"),
    paging="token",
    items="withdrawals",
    item=t.WithdrawalItem,
)

FETCH_DEPOSIT_ADDRESS: ListOperation[t.DepositAddresses, t.DepositAddress] = ListOperation(
    name="fetchDepositAddress",
    method="GET",
    path="/v1/wallet/fetchDepositAddress",
    result=t.DepositAddresses,
    credentials=("access_token",),
    query=("currency", "network"),
    headers=("X-Synthetic", "X-Profile-Id"),
    paging="none",
    items="addresses",
    item=t.DepositAddress,
)

WITHDRAW: Operation[t.WithdrawalItem] = Operation(
    name="withdraw",
    method="POST",
    path="/v1/wallet/withdraw",
    result=t.WithdrawalItem,
    credentials=("access_token",),
    headers=("X-Synthetic", "X-Profile-Id"),
    media_type="application/json",
    body=("asset", "amount", "address", "network", "beneficiaryName", "beneficiaryTaxId", "selfCustody"),
    takes_key=True,
)

FETCH_BALANCE: ListOperation[t.WalletBalances, t.Balance] = ListOperation(
    name="fetchBalance",
    method="GET",
    path="/v1/wallet/fetchBalance",
    result=t.WalletBalances,
    credentials=("access_token",),
    headers=("X-Synthetic", "X-Profile-Id"),
    paging="none",
    items="wallets",
    item=t.Balance,
)

FETCH_STATEMENT: ListOperation[t.WalletStatement, t.WalletMovement] = ListOperation(
    name="fetchStatement",
    method="GET",
    path="/v1/wallet/fetchStatement",
    result=t.WalletStatement,
    credentials=("access_token",),
    query=("currency", "from", "to", "limit", "nextToken"),
    headers=("X-Synthetic", "X-Profile-Id"),
    paging="token",
    items="movements",
    item=t.WalletMovement,
)

FETCH_STATEMENT_CSV: Operation[str] = Operation(
    name="fetchStatement",
    method="GET",
    path="/v1/wallet/fetchStatement",
    result=str,
    credentials=("access_token",),
    query=("currency", "from", "to", "separator"),
    headers=("X-Synthetic", "X-Profile-Id"),
    accept="text/csv",
)

FETCH_MARKETS: ListOperation[t.MarketList, t.Market] = ListOperation(
    name="fetchMarkets",
    method="GET",
    path="/v1/market/fetchMarkets",
    result=t.MarketList,
    credentials=("access_token",),
    headers=("X-Synthetic",),
    paging="none",
    items="markets",
    item=t.Market,
)

FETCH_TICKER: Operation[t.Ticker] = Operation(
    name="fetchTicker",
    method="GET",
    path="/v1/market/fetchTicker",
    result=t.Ticker,
    credentials=("access_token",),
    query=("symbol",),
    headers=("X-Synthetic",),
)

FETCH_HISTORICAL_PRICES: ListOperation[t.HistoricalPrices, t.Candle] = ListOperation(
    name="fetchHistoricalPrices",
    method="GET",
    path="/v1/market/fetchHistoricalPrices",
    result=t.HistoricalPrices,
    credentials=("access_token",),
    query=("symbol", "interval", "limit"),
    headers=("X-Synthetic",),
    paging="none",
    items="candles",
    item=t.Candle,
)

POOLS_BALANCES: ListOperation[t.PoolList, t.Pool] = ListOperation(
    name="poolsBalances",
    method="GET",
    path="/v1/analytics/poolsBalances",
    result=t.PoolList,
    credentials=("access_token",),
    headers=("X-Synthetic",),
    paging="none",
    items="pools",
    item=t.Pool,
)

POOLS_BALANCES_UNVERSIONED: ListOperation[t.PoolList, t.Pool] = ListOperation(
    name="poolsBalancesUnversioned",
    method="GET",
    path="/analytics/poolsBalances",
    result=t.PoolList,
    credentials=("access_token",),
    headers=("X-Synthetic",),
    paging="none",
    items="pools",
    item=t.Pool,
)

CREATE_ORDER: Operation[t.Order] = Operation(
    name="createOrder",
    method="POST",
    path="/v1/orders/createOrder",
    result=t.Order,
    credentials=("access_token",),
    headers=("X-Synthetic", "X-Profile-Id"),
    media_type="application/json",
    body=(
        "symbol",
        "side",
        "type",
        "amount",
        "quoteAmount",
        "price",
        "clientOrderId",
        "timeInForce",
        "postOnly",
        "expiresAt",
    ),
    takes_key=True,
)

FETCH_ORDER: Operation[t.Order] = Operation(
    name="fetchOrder",
    method="GET",
    path="/v1/orders/fetchOrder",
    result=t.Order,
    credentials=("access_token",),
    query=("orderId",),
    headers=("X-Synthetic", "X-Profile-Id"),
)

FETCH_ORDERS: ListOperation[t.OrderList, t.Order] = ListOperation(
    name="fetchOrders",
    method="GET",
    path="/v1/orders/fetchOrders",
    result=t.OrderList,
    credentials=("access_token",),
    query=("symbol", "status", "limit", "nextToken"),
    headers=("X-Synthetic", "X-Profile-Id"),
    paging="token",
    items="orders",
    item=t.Order,
)

CANCEL_ORDER: Operation[t.Order] = Operation(
    name="cancelOrder",
    method="POST",
    path="/v1/orders/cancelOrder",
    result=t.Order,
    credentials=("access_token",),
    headers=("X-Synthetic", "X-Profile-Id"),
    media_type="application/json",
    body=("orderId",),
    takes_key=True,
)

CREATE_QUOTE: Operation[t.Quote] = Operation(
    name="createQuote",
    method="POST",
    path="/v1/orders/rfq/createQuote",
    result=t.Quote,
    credentials=("access_token",),
    headers=("X-Synthetic", "X-Profile-Id"),
    media_type="application/json",
    body=("symbol", "side", "amount", "quoteAmount"),
    takes_key=True,
)

FETCH_QUOTE: Operation[t.Quote] = Operation(
    name="fetchQuote",
    method="GET",
    path="/v1/orders/rfq/fetchQuote",
    result=t.Quote,
    credentials=("access_token",),
    query=("quoteId",),
    headers=("X-Synthetic", "X-Profile-Id"),
)

CREATE_ORDER_FROM_QUOTE: Operation[t.Order] = Operation(
    name="createOrderFromQuote",
    method="POST",
    path="/v1/orders/rfq/createOrder",
    result=t.Order,
    credentials=("access_token",),
    headers=("X-Synthetic", "X-Profile-Id"),
    media_type="application/json",
    body=("quoteId",),
    takes_key=True,
)

EXECUTE_QUOTE: Operation[t.Order] = Operation(
    name="executeQuote",
    method="POST",
    path="/v1/orders/rfq/executeQuote",
    result=t.Order,
    credentials=("access_token",),
    headers=("X-Synthetic", "X-Profile-Id"),
    media_type="application/json",
    body=("quoteId",),
    takes_key=True,
)

MCP: Operation[t.McpReply | None] = Operation(
    name="mcp",
    method="POST",
    path="/v1/emissoes/mcp",
    result=t.McpReply | None,
    credentials=("api_key", "access_token"),
    query=("structured",),
    media_type="application/json",
    body=("body",),
    whole_body=True,
)

MCP_TOOLS: ListOperation[Any, Any] = ListOperation(
    name="mcpTools",
    method="GET",
    path="/v1/emissoes/mcp/tools",
    result=Any,
    credentials=(),
    paging="none",
    items="tools",
    item=Any,
)
