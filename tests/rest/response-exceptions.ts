const generalized =
  'null where a group of credits has nothing in common: subgraphs/issuances/inventory/generalize.test.ts';
const counted = 'the contract lets it be null; the house always counts';

/** Of a credit in the inventory, which of them are null depends on the day: the demo is made for it. */
const ofCredit = [
  'dataEmissao',
  'dataVencimento',
  'diasAtraso',
  'faixaAtraso',
  'parcelas',
  'parcelasPagas',
  'saldoDevedor',
  'status',
  'taxa',
  'tipo',
  'uf',
  'valorOriginal',
];

const ofEvent = 'of an event of a series, of which the demo has none: tests/tokenization/events.test.ts';

const overdue =
  'of a series with an overdue payment whose amount is not known: subgraphs/issuances/unit-prices/returns.test.ts';

const notWrittenOff = 'no credit of the house is written off: tests/credit-assignment/assigned-again.test.ts';
const unpriced = 'of a series without a price, which an import has computed at once: tests/tokenization/reads.test.ts';

const renegotiated =
  'of a renegotiated receivable, of which the demo has none: tests/credit-assignment/statement.test.ts';

/** What no response of the demo house has to show, each with the reason. */
export const shownElsewhere: Readonly<Record<string, string>> = {
  'SettlementBatchPayment.substituteId value': 'of a substitution: tests/credit-assignment/statement.test.ts',
  ...Object.fromEntries(
    [
      'dayCount null',
      'dayCount value',
      'id value',
      'installments value',
      'interestRate null',
      'interestRate value',
      'raised value',
      'reason value',
      'recordedAt value',
      'revertedAt null',
      'revertedAt value',
    ].map((sight) => [`ReceivableRenegotiation.${sight}`, renegotiated]),
  ),
  ...Object.fromEntries(ofCredit.map((name) => [`InventoryItem.${name} null`, generalized])),
  'CurrentPu.projected value': 'of a price that an index projection made: subgraphs/issuances/cards/card.test.ts',
  'SeriesPricing.overdueValue null': overdue,
  'SubordinationLine.emAtraso null': overdue,
  'DepositList.nextToken value': 'of a wallet with more deposits than a page: tests/trading/rest-wallet.test.ts',
  'DepositItem.missing value': 'of a deposit in quarantine: tests/trading/transfers/deposits.test.ts',
  'DepositItem.quarantinedAt value': 'of a deposit in quarantine: tests/trading/transfers/deposits.test.ts',
  'DepositAddress.memo value': 'no network of the house has a memo',
  'InventorySummary.ticketMedio null': 'of a summary without credits, and such an inventory is no summary',
  'Market.makerFeePercent null': 'of a caller of the graph that does not trade',
  'Market.takerFeePercent null': 'of a caller of the graph that does not trade',
  'OperationCard.blockchainCount null': counted,
  'OperationCard.seriesCount null': counted,
  'OperationDetail.blockchainCount null': counted,
  'OperationDetail.dataVencimentoRaw null':
    'of an operation without a date and without series: subgraphs/issuances/operations/operation.test.ts',
  'OperationDetail.seriesCount null': counted,
  'ScheduleItem.event value': ofEvent,
  'ScheduleItem.premiumValue value': ofEvent,
  'TrancheDetails.interestJ null': unpriced,
  'TrancheDetails.nominalValue null': unpriced,
  'TrancheDetails.totalValue null': unpriced,
  'TrancheDetails.unitPrice null': unpriced,
  'TrancheItem.unitPrice null': unpriced,
  'TrancheDetails.overdueValue null':
    'of an overdue instalment without amounts: the demo has a price of each: tests/tokenization/partial-payments.test.ts',
  'UnitPriceItem.overdueValue null':
    'of an overdue instalment without amounts: the demo has a price of each: tests/tokenization/partial-payments.test.ts',
  'PrepaymentSection.cpr12Meses value':
    'of a portfolio with 12 months of positions: subgraphs/issuances/reports/report.test.ts',
  'McpRefusal.id value': 'a body that is refused as a whole has no id',
  'Pool.updatedAt null': 'of an exchange that never responded: tests/trading/rest-pools.test.ts',
  'ScheduleItem.interestPercentage absent': 'it follows from the event of an instalment, so that every schedule has it',
  'ReceivableDetail.writtenOffAt value': notWrittenOff,
  'ReceivableItem.writtenOffAt value': notWrittenOff,
  'SettlementBatchError.externalId null':
    'of a payment whose contract is not known, which a batch refuses when it is created',
  'Ticker.ask null': 'of a market without orders: tests/trading/markets/markets.test.ts',
  'Ticker.bid null': 'of a market without orders: tests/trading/markets/markets.test.ts',
  'Ticker.change24h null': 'of a market without trades',
  'Ticker.last null': 'of a market without trades',
  'WithdrawalList.nextToken value': 'of a wallet with more withdrawals than a page: tests/trading/rest-wallet.test.ts',
  'TrancheDetails.missingInput value':
    'of a series that was priced before an index number was late: tests/tokenization/provenance.test.ts',
};
