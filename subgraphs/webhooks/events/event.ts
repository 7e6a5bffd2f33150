import {
  type EventType,
  data,
  day,
  flag,
  money,
  oneOf,
  price,
  text,
  whole,
  id,
  instant,
  type DataSchema,
  decimal,
} from './event-type.js';

const side = oneOf('BUY or SELL.', 'BUY', 'SELL');
const ofProfile = {
  profileId: id(
    'Id of the profile that owns the wallet, as in `X-Profile-Id`; absent for the wallet of the company itself.',
  ),
};
const ofOrder = {
  clientOrderId: text('Id that the caller gave to the order; absent when it gave none.'),
  ...ofProfile,
};

const tradingEvents: readonly EventType[] = [
  {
    name: 'order.filled',
    meaning: 'An order was filled, partially or completely.',
    surface: 'TRADING',
    data: data(
      {
        orderId: id('Id of the order.'),
        symbol: text('Symbol of the market, such as `BTC/BRL`.'),
        side,
        status: oneOf(
          'Status of the order. An order that has already ended in another way keeps that status when it is filled partially.',
          'PARTIALLY_FILLED',
          'FILLED',
          'CANCELLED',
          'REJECTED',
          'EXPIRED',
        ),
        filledAmount: decimal('Quantity filled so far, in the base currency.'),
        averagePrice: decimal('Average price of the filled quantity, in the quote currency.'),
        occurredAt: instant('Time of the event.'),
      },
      ofOrder,
    ),
  },
  {
    name: 'order.cancelled',
    meaning:
      'An order that was sent ended without being filled completely: it was cancelled, expired, or was rejected by the venues.',
    surface: 'TRADING',
    data: data(
      {
        orderId: id('Id of the order.'),
        symbol: text('Symbol of the market, such as `BTC/BRL`.'),
        side,
        status: oneOf('Status of the order: how it ended.', 'CANCELLED', 'EXPIRED', 'REJECTED'),
        filledAmount: decimal('Quantity filled before its end, in the base currency.'),
        occurredAt: instant('Time of the event.'),
      },
      ofOrder,
    ),
  },
  {
    name: 'deposit.confirmed',
    meaning: 'A deposit was confirmed.',
    surface: 'TRADING',
    data: data(
      {
        depositId: id('Id of the deposit.'),
        asset: text('Code of the currency.'),
        amount: decimal('Amount of the deposit.'),
        network: text('Network of the deposit.'),
        occurredAt: instant('Time of the confirmation.'),
      },
      {
        correction: flag(
          'true where the deposit had been credited before, with another amount or until its network reversed it; absent otherwise.',
        ),
        ...ofProfile,
      },
    ),
  },
  {
    name: 'deposit.reversed',
    meaning: 'A confirmed deposit was reversed by its network, or what was missing of it then was resolved.',
    surface: 'TRADING',
    data: data(
      {
        depositId: id('Id of the deposit.'),
        asset: text('Code of the currency.'),
        amount: decimal('Amount that was taken back from the wallet now: 0 where nothing was available.'),
        network: text('Network of the deposit.'),
        status: oneOf(
          'Status of the deposit: QUARANTINED where less was available than had been credited.',
          'REVERSED',
          'QUARANTINED',
        ),
        occurredAt: instant('Time of the reversal.'),
      },
      ofProfile,
    ),
  },
  {
    name: 'withdrawal.completed',
    meaning: 'A withdrawal was processed.',
    surface: 'TRADING',
    data: data(
      {
        withdrawalId: id('Id of the withdrawal.'),
        asset: text('Code of the currency.'),
        amount: decimal('Amount of the withdrawal, without the fee.'),
        fee: decimal('Fee, in the same currency.'),
        address: text(
          'Destination of the withdrawal: an address on a chain whole; of a PIX key or a bank account the last four characters, as `***mple` or `***.***.*47-25`. `withdrawalId` leads to all of it.',
        ),
        network: text('Network of the withdrawal.'),
        occurredAt: instant('Time of completion.'),
      },
      ofProfile,
    ),
  },
];

const batchStatuses = ['DRAFT', 'SUBMITTED', 'PROCESSING', 'PROCESSED', 'REJECTED', 'CANCELLED'];
const contractStatus = (description: string) => oneOf(description, 'ACTIVE', 'SETTLED', 'DEFAULTED', 'WRITTEN_OFF');

const creditBatch = (more: Readonly<Record<string, DataSchema>> = {}) =>
  data(
    {
      batchId: id('Id of the credit batch.'),
      patrimonyId: id('Id of the estate that receives the credits.'),
      status: oneOf('Status of the batch.', ...batchStatuses),
      receivableCount: whole('Number of receivables in the batch.'),
      totalFaceValue: money('Total face value of the receivables, in BRL.'),
      mode: oneOf('What becomes of eligible receivables where others are not.', 'ALL_OR_NOTHING', 'ELIGIBLE_ONLY'),
      occurredAt: instant('Time of the event.'),
      ...more,
    },
    { totalPurchasePrice: money('Sum of the prices of the receivables, in BRL; absent without prices.') },
  );

const decided = {
  acceptedCount: whole('Number of receivables that are assigned.'),
  acceptedFaceValue: money('Their face value, in BRL.'),
  refusedCount: whole('Number of the others.'),
  refusedFaceValue: money('Their face value, in BRL.'),
};

const settlement = (more: Readonly<Record<string, DataSchema>> = {}) =>
  data({
    settlementBatchId: id('Id of the settlement batch.'),
    creditBatchId: id('Id of the credit batch whose receivables were paid.'),
    status: oneOf('Status of the settlement batch.', ...batchStatuses),
    settlementCount: whole('Number of payments in the batch.'),
    totalSettledAmount: money(
      'Total amount of the payments and repurchases as they were sent, without surplus, in BRL: also of those that repeat a recorded one and so reduce no balance.',
    ),
    totalSurplus: money('Total late interest and fines that were received with them, in BRL.'),
    totalAbated: money('Total of the abatements, discounts and substitutions, which are no receipts, in BRL.'),
    occurredAt: instant('Time of the event.'),
    ...more,
  });

const reason = { reason: text('Reason in words.') };

const events: readonly (readonly [string, string, DataSchema])[] = [
  ['settlement.processed', 'A settlement batch was processed.', settlement()],
  ['settlement.failed', 'A settlement batch was rejected.', settlement(reason)],
  ['credit_batch.submitted', 'A credit batch was submitted.', creditBatch()],
  [
    'credit_batch.approved',
    'A credit batch passed the eligibility checks, or by ELIGIBLE_ONLY some of its receivables did.',
    creditBatch(decided),
  ],
  [
    'credit_batch.processed',
    'A credit batch was processed: its accepted receivables are assets of the estate.',
    creditBatch(decided),
  ],
  ['credit_batch.rejected', 'A credit batch was rejected.', creditBatch({ ...decided, ...reason })],
  [
    'settlement_batch.processed',
    'A settlement batch was processed; sent together with `settlement.processed`, with the same meaning.',
    settlement(),
  ],
  [
    'contract.status_changed',
    'The status of one contract changed.',
    data(
      {
        assetId: id('Id of the asset, which is that of the contract.'),
        contractId: id('Id of the contract, by which settlements name it: the same as `assetId`.'),
        externalId: text("Identifier of the contract in the originator's system."),
        patrimonyId: id('Id of its estate.'),
        previousStatus: contractStatus('Status before the change.'),
        status: contractStatus('Status since the change.'),
        currentBalance: money('Outstanding balance, in BRL.'),
      },
      { batchId: id('Id of its credit batch; absent without one.') },
    ),
  ],
];

const creditEvents: readonly EventType[] = events.map(([name, meaning, schema]) => ({
  name,
  meaning,
  surface: 'CREDIT_ASSIGNMENT',
  data: schema,
}));

const trancheStatus = (description: string) => oneOf(description, 'DRAFT', 'ACTIVE', 'FUNDRAISING', 'CLOSED');

const payment = (status: string, more: Parameters<typeof data>[1] = {}) =>
  data(
    {
      trancheTicker: text('Ticker of the series.'),
      installmentNumber: whole('Number of the instalment in the schedule, from 1; 0 for what an event pays.'),
      dueDate: day('Due date of the instalment.'),
      interestValue: money('Interest for all tokens of the series, in BRL.'),
      principalValue: money('Amortization for all tokens of the series, in BRL.'),
      totalValue: money(
        'Interest and amortization for all tokens of the series, with the premium of an event, in BRL.',
      ),
      status: oneOf('Status of the instalment.', status),
    },
    {
      correction: flag(
        'true where the instalment had been paid before, and that payment was reversed; absent otherwise.',
      ),
      event: text('Number of the event of the series that is paid, such as `E1`; absent of an instalment.'),
      premiumValue: money(
        'Premium of the event for all tokens of the series, in BRL; absent of an instalment, and while it is not known.',
      ),
      ...more,
    },
  );

const trancheEvent = data(
  {
    trancheTicker: text('Ticker of the series.'),
    patrimonyTicker: text('Ticker of the estate of the series.'),
    event: text('Number of the event, such as `E1`.'),
    kind: oneOf(
      'What happens.',
      'EXTRA_AMORTIZATION',
      'EARLY_REDEMPTION',
      'PARTIAL_REDEMPTION',
      'INCORPORATION',
      'GRACE',
      'LATE_PAYMENT',
      'WAIVER',
    ),
    date: day('Day of the event.'),
    reason: text('Reason that the operator gave.'),
  },
  {
    through: day('Last day of a GRACE; absent otherwise.'),
    installmentNumber: whole('Instalment of a LATE_PAYMENT or WAIVER; absent otherwise.'),
    percent: decimal('Amortization in percent, or the waived share; absent where it has none.'),
    quantity: decimal('Units of a PARTIAL_REDEMPTION; absent otherwise.'),
    lot: text('Units that were drawn; absent otherwise.'),
    interestEvent: oneOf(
      'Use of the interest during a GRACE; absent where it stays as it is.',
      'PAID',
      'INCORPORATED',
      'ACCRUED',
    ),
    premiumRule: oneOf('Rule of the premium; absent without one.', 'FLAT', 'YEARLY', 'MAKE_WHOLE'),
    premiumPercent: decimal('Percentage of the rule; absent without one.'),
    document: text('Document or assembly that decided it; absent without one.'),
  },
);

const tokenizationEvents: readonly EventType[] = [
  {
    name: 'payment.completed',
    meaning: 'An instalment, or what an event pays, was paid in full.',
    surface: 'TOKENIZATION',
    data: payment('PAID'),
  },
  {
    name: 'payment.overdue',
    meaning:
      'An instalment is late. Its amounts are absent while the unit price from which they are calculated is not known, because an index value has not been published.',
    surface: 'TOKENIZATION',
    data: {
      ...payment('OVERDUE', {
        openValue: money('What is not paid of totalValue, where a part is paid; absent otherwise.'),
      }),
      required: ['trancheTicker', 'installmentNumber', 'dueDate', 'status'],
    },
  },
  {
    name: 'tranche.event_declared',
    meaning: 'Something happens to a series beside its schedule: an early redemption or a grace, for example.',
    surface: 'TOKENIZATION',
    data: trancheEvent,
  },
  {
    name: 'tranche.event_withdrawn',
    meaning: 'An event of a series was withdrawn before anything of it was paid.',
    surface: 'TOKENIZATION',
    data: trancheEvent,
  },
  {
    name: 'tranche.status_changed',
    meaning: 'The status of a series changed.',
    surface: 'TOKENIZATION',
    data: data({
      trancheTicker: text('Ticker of the series.'),
      patrimonyTicker: text('Ticker of the estate of the series.'),
      previousStatus: trancheStatus('Status before the change.'),
      status: trancheStatus('Status since the change.'),
    }),
  },
  {
    name: 'tranche.unit_price_updated',
    meaning: 'The unit price of a series was recalculated.',
    surface: 'TOKENIZATION',
    data: data({
      trancheTicker: text('Ticker of the series.'),
      patrimonyTicker: text('Ticker of the estate of the series.'),
      date: day('Day to which the price applies.'),
      unitPrice: price('Price with accrued interest (dirty PU), in BRL.'),
      nominalValue: price('Price without accrued interest (clean PU), in BRL.'),
      interestJ: price('Accrued interest of a token, in BRL.'),
      projected: flag('Whether it was made with a projection of an index number that was not published.'),
      correction: flag('Whether the price of that day replaces an earlier one, because its inputs were corrected.'),
    }),
  },
];

/** Every event type that can be subscribed to, grouped by domain. */
export const eventTypes: readonly EventType[] = [...tokenizationEvents, ...creditEvents, ...tradingEvents];

export const eventNames: readonly string[] = eventTypes.map(({ name }) => name);

/** The event that `test` sends. It cannot be subscribed to; every subscription can receive it. */
export const testEventName = 'webhook.test';

/** Content of every delivery (docs/contract/webhooks.md §2.1). */
export interface Envelope {
  readonly type: string;
  readonly id: string;
  readonly createdAt: string;
  readonly data: unknown;
}

/** Returns the body of a delivery: the same bytes at each attempt and for each subscription, so that signatures can be compared. */
export function bodyOf({ type, id, createdAt, data }: Envelope): string {
  return JSON.stringify({ type, id, createdAt, data });
}
