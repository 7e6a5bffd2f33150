import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, round } from '../../../shared/kernel/decimal.js';
import {
  averagePriceOf,
  budgetOf,
  eventOf,
  holdOf,
  isOpen,
  moved,
  orderStatuses,
  type OrderEvent,
} from '../../../subgraphs/trading/orders/order.js';
import { settleFill, type Executed, type SettledOrder } from '../../../subgraphs/trading/orders/settlement.js';
import type { Fill, Side } from '../../../subgraphs/trading/venues/venue.js';

const nothing: Executed = {
  amount: new Decimal(0),
  exactValue: new Decimal(0),
  value: new Decimal(0),
  exactFee: new Decimal(0),
  fee: new Decimal(0),
};

const limitPrice = new Decimal('350000.00');

/** Fills at the limit or better, of some hundred-thousandths of a bitcoin each. */
const fills = (side: Side) =>
  fc.array(
    fc
      .record({
        ticks: fc.integer({ min: 0, max: 5_000_000 }),
        lots: fc.integer({ min: 1, max: 5_000 }),
        maker: fc.boolean(),
      })
      .map(({ ticks, lots, maker }): Fill => {
        const better = new Decimal(ticks).dividedBy(100);
        return {
          venue: 'aurora',
          tradeId: `t${ticks}-${lots}`,
          clientOrderId: 'x',
          symbol: 'BTC/BRL',
          side,
          price: side === 'BUY' ? limitPrice.minus(better) : limitPrice.plus(better),
          amount: new Decimal(lots).dividedBy(100_000),
          fee: new Decimal(lots).times('0.00137'),
          feeCurrency: maker ? 'BTC' : 'BRL',
          at: new Date(0),
          liquidity: maker ? 'MAKER' : 'TAKER',
        };
      }),
    { minLength: 1, maxLength: 20 },
  );

const orderOf = (side: Side, [makerFee, takerFee]: readonly [string, string]): SettledOrder => ({
  side,
  walletId: 'wallet',
  base: 'BTC',
  quote: 'BRL',
  makerFee: new Decimal(makerFee),
  takerFee: new Decimal(takerFee),
  quoteDecimals: 2,
});

const fees = fc.constantFrom(
  ['0', '0'] as const,
  ['0.1', '0.25'] as const,
  ['0.333333', '1.777777'] as const,
  ['10', '10'] as const,
);

function settleAll(order: SettledOrder, given: readonly Fill[]) {
  let executed = nothing;
  const settled = given.map((fill) => {
    const one = settleFill(order, executed, fill);
    executed = one.after;
    return one;
  });
  return { settled, executed };
}

describe.each(['BUY', 'SELL'] as const)('the fills of a %s', (side) => {
  test('each move funds that add up to zero in each currency, with what the client gives', () => {
    fc.assert(
      fc.property(fills(side), fees, (given, terms) => {
        for (const { postings, spent } of settleAll(orderOf(side, terms), given).settled) {
          const sums = new Map([[side === 'BUY' ? 'BRL' : 'BTC', spent.negated()]]);
          for (const { account, amount } of postings)
            sums.set(account.currency, (sums.get(account.currency) ?? new Decimal(0)).plus(amount));
          for (const sum of sums.values()) expect(sum.toFixed()).toBe('0');
          expect(spent.greaterThanOrEqualTo(0)).toBe(true);
          for (const { account, amount } of postings)
            if (account.kind === 'AVAILABLE') expect(new Decimal(amount).greaterThanOrEqualTo(0)).toBe(true);
        }
      }),
    );
  });

  test('come to the same value and fee as one fill of all would, however many they are', () => {
    fc.assert(
      fc.property(fills(side), fees, (given, terms) => {
        const { executed } = settleAll(orderOf(side, terms), given);
        expect(executed.value.toFixed()).toBe(round(executed.exactValue, 2).toFixed());
        const due = executed.exactFee.toDecimalPlaces(2, Decimal.ROUND_DOWN);
        expect(side === 'BUY' ? executed.fee.equals(due) : executed.fee.lessThanOrEqualTo(due)).toBe(true);
      }),
    );
  });

  test('never take more than was set aside', () => {
    fc.assert(
      fc.property(fills(side), fees, (given, terms) => {
        const { settled } = settleAll(orderOf(side, terms), given);
        const amount = Decimal.sum(0, ...given.map((fill) => fill.amount));
        const hold = holdOf(
          side,
          { base: 'BTC', quote: 'BRL' },
          { amount, notional: amount.times(limitPrice) },
          { feePercent: Decimal.max(...terms), decimals: 2 },
        );
        expect(Decimal.sum(0, ...settled.map(({ spent }) => spent)).lessThanOrEqualTo(hold.amount)).toBe(true);
      }),
    );
  });
});

describe('the states of an order', () => {
  const events: readonly OrderEvent[] = ['FILL', 'COMPLETE', 'REJECT', 'END', 'EXPIRE'];

  test('are left for good once it is over', () => {
    for (const status of orderStatuses.filter((one) => !isOpen(one)))
      for (const event of events) expect(moved(status, event)).toBe(status);
  });

  test.each([
    ['PENDING', 'FILL', 'PARTIALLY_FILLED'],
    ['PENDING', 'COMPLETE', 'FILLED'],
    ['PENDING', 'REJECT', 'REJECTED'],
    ['PENDING', 'END', 'CANCELLED'],
    ['PENDING', 'EXPIRE', 'EXPIRED'],
    ['PARTIALLY_FILLED', 'FILL', 'PARTIALLY_FILLED'],
    ['PARTIALLY_FILLED', 'COMPLETE', 'FILLED'],
    ['PARTIALLY_FILLED', 'REJECT', 'PARTIALLY_FILLED'],
    ['PARTIALLY_FILLED', 'END', 'CANCELLED'],
    ['PARTIALLY_FILLED', 'EXPIRE', 'EXPIRED'],
  ] as const)('%s, %s: %s', (status, event, next) => {
    expect(moved(status, event)).toBe(next);
  });

  test('do not move while an execution is not settled and nothing is filled', () => {
    const standing = {
      status: 'PENDING',
      filledAmount: new Decimal(0),
      placedAmount: new Decimal(1),
      amount: new Decimal(1),
    } as const;
    expect(eventOf({ ...standing, settled: false, allRejected: false, expired: true })).toBeUndefined();
    expect(eventOf({ ...standing, settled: true, allRejected: true, expired: false })).toBe('REJECT');
    expect(eventOf({ ...standing, settled: true, allRejected: false, expired: true })).toBe('EXPIRE');
  });
});

test.each([
  ['3', '2', 2, '0.66666667'],
  ['3', '1', 2, '0.33333333'],
  // Half of the last decimal, and just below it.
  ['2', '0.00000001', 2, '0.00000001'],
  ['2', '0.000000009', 2, '0.00'],
  ['8', '1.00000004', 4, '0.12500001'],
  ['0.05', '30000', 2, '600000.00'],
  ['4', '10', 4, '2.5000'],
  ['3', '2', 10, '0.6666666667'],
])(
  'an average price of %s for %s, where prices have %d or more decimals, is %s: half up',
  (filledAmount, exactValue, priceDecimals, price) => {
    expect(averagePriceOf({ filledAmount, exactValue, priceDecimals })).toBe(price);
  },
);

test('what of a quote amount is traded leaves room for the fee, and for no more than the rounding', () => {
  const percent = fc
    .integer({ min: 0, max: 5_000_000 })
    .map((millionths) => new Decimal(millionths).dividedBy(1_000_000));
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 20n), percent, fc.integer({ min: 0, max: 8 }), (units, feePercent, decimals) => {
      const unit = new Decimal(10).pow(-decimals);
      const quoteAmount = new Decimal(units.toString()).times(unit);
      const notional = budgetOf(quoteAmount, { feePercent, decimals });
      const market = { base: 'BTC', quote: 'BRL' };
      const heldFor = (value: Decimal) =>
        holdOf('BUY', market, { amount: new Decimal(1), notional: value }, { feePercent, decimals }).amount;
      expect(heldFor(notional).lessThanOrEqualTo(quoteAmount)).toBe(true);
      expect(heldFor(notional.plus(unit)).greaterThan(quoteAmount)).toBe(true);
    }),
  );
});
