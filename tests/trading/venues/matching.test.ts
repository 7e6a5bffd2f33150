import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fixedClock } from '../../kit/clock.js';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { createEngine, type Engine } from '../../../subgraphs/trading/venues/simulated/engine.js';
import { createFunds } from '../../../subgraphs/trading/venues/simulated/engine-state.js';
import type {
  Fill,
  Level,
  Side,
  TimeInForce,
  Trade,
  VenueOrderRequest,
} from '../../../subgraphs/trading/venues/venue.js';
import { btcBrl, venueOrder } from './kit.js';

const fees = { maker: new Decimal('0.0008'), taker: new Decimal('0.0025') };
const d = (text: string | number) => new Decimal(text);

interface Exchange extends Engine {
  readonly fills: Fill[];
  readonly trades: Trade[];
  total(currency: string): string;
  free(currency: string): string;
}

function exchange(funds: Readonly<Record<string, string>> = { BRL: '100000', BTC: '100' }): Exchange {
  const [fills, trades]: [Fill[], Trade[]] = [[], []];
  const owned = createFunds(funds);
  const engine = createEngine({
    name: 'x',
    epoch: 'e',
    markets: [btcBrl],
    fees,
    funds: owned,
    clock: fixedClock('2026-11-20T15:00:00Z'),
    onTrade: (trade) => trades.push(trade),
    onFill: (fill) => fills.push(fill),
  });
  const of = (currency: string) => owned.list().find((one) => one.currency === currency);
  return {
    ...engine,
    fills,
    trades,
    total: (currency) =>
      of(currency)
        ?.available.plus(of(currency)?.locked ?? 0)
        .toFixed() ?? '0',
    free: (currency) => of(currency)?.available.toFixed() ?? '0',
  };
}

function order(side: Side, amount: string, price?: string, over: Partial<VenueOrderRequest> = {}): VenueOrderRequest {
  const limit = price === undefined ? {} : ({ type: 'LIMIT', price: d(price), timeInForce: 'GTC' } as const);
  return venueOrder({ side, amount: d(amount), ...limit, ...over });
}

const stranger = (x: Exchange, quotes: readonly (readonly [Side, string, string])[]) => {
  x.quote(
    'BTC/BRL',
    quotes.map(([side, price, amount]) => ({ side, price: d(price), amount: d(amount) })),
  );
};
const state = (x: Exchange, { clientOrderId }: VenueOrderRequest) => {
  const known = x.find(clientOrderId);
  return [known?.state, known?.filled.toFixed()];
};
const shown = (levels: readonly Level[] | undefined) =>
  levels?.map(({ price, amount }) => [price.toFixed(), amount.toFixed()]);

test('orders meet at the best price first, and at one price who came first', () => {
  const x = exchange();
  const [early, late, better] = [order('SELL', '1', '100'), order('SELL', '1', '100'), order('SELL', '1', '99')];
  for (const one of [early, late, better]) x.submit(one);
  x.takeAsStranger('BTC/BRL', 'BUY', d('2.5'));
  expect([state(x, better), state(x, early), state(x, late)]).toEqual([
    ['FILLED', '1'],
    ['FILLED', '1'],
    ['OPEN', '0.5'],
  ]);
  expect(x.trades.map(({ price, amount }) => [price.toFixed(), amount.toFixed()])).toEqual([
    ['99', '1'],
    ['100', '1'],
    ['100', '0.5'],
  ]);
});

describe('an order', () => {
  test.each<[string, TimeInForce, string, [string, string]]>([
    ['IOC takes what there is, and the rest is cancelled', 'IOC', '2', ['CANCELLED', '1']],
    ['FOK is filled whole', 'FOK', '1', ['FILLED', '1']],
    ['FOK is not filled in part', 'FOK', '1.00001', ['CANCELLED', '0']],
    ['GTC rests with what was not filled', 'GTC', '2', ['OPEN', '1']],
  ])('%s', (_name, timeInForce, amount, expected) => {
    const x = exchange();
    stranger(x, [
      ['SELL', '100', '1'],
      ['SELL', '101', '5'],
    ]);
    const sent = order('BUY', amount, '100', { timeInForce });
    expect(x.submit(sent).status).toBe('ACCEPTED');
    expect(state(x, sent)).toEqual(expected);
    const rests = timeInForce === 'GTC' ? [['100', '1']] : [];
    expect(shown(x.book('BTC/BRL')?.levels('BUY', 5))).toEqual(rests);
  });

  test('that is post-only is refused where it would take, and rests where it would not', () => {
    const x = exchange();
    stranger(x, [['SELL', '100', '1']]);
    expect(x.submit(order('BUY', '1', '100', { postOnly: true }))).toMatchObject({
      status: 'REJECTED',
      reason: 'WOULD_TAKE',
    });
    expect(x.submit(order('BUY', '1', '99.99', { postOnly: true }))).toMatchObject({ order: { state: 'OPEN' } });
    expect(x.fills).toEqual([]);
  });

  test.each<[string, Partial<VenueOrderRequest>, string]>([
    ['of no market of the venue', { symbol: 'DOGE/BRL' }, 'INVALID'],
    ['of an amount with more decimals than the market has', { amount: d('1.000001') }, 'INVALID'],
    ['of a price with more decimals than the market has', { price: d('100.001') }, 'INVALID'],
    ['of nothing', { amount: d(0) }, 'INVALID'],
    ['of less than the minimum', { amount: d('0.00009') }, 'BELOW_MINIMUM'],
    ['that is post-only and not GTC', { postOnly: true, timeInForce: 'IOC' }, 'INVALID'],
    ['that is a MARKET order with a price', { type: 'MARKET' }, 'INVALID'],
    ['that the house cannot pay with its fee', { amount: d(1), price: d('100000') }, 'INSUFFICIENT_FUNDS'],
  ])('%s is rejected, and nothing is kept of it', (_name, over, reason) => {
    const x = exchange();
    const sent = order('BUY', '1', '100', over);
    expect(x.submit(sent)).toMatchObject({ status: 'REJECTED', reason });
    expect(x.find(sent.clientOrderId)).toBeUndefined();
    expect(x.free('BRL')).toBe('100000');
  });

  test('that rests locks what it may cost, and gives it back when it is cancelled; cancelling again changes nothing', () => {
    const x = exchange();
    const sent = order('BUY', '2', '100');
    x.submit(sent);
    expect(x.free('BRL')).toBe('99799.84');
    x.takeAsStranger('BTC/BRL', 'SELL', d('0.5'));
    expect(x.cancel(sent.clientOrderId)).toMatchObject({ state: 'CANCELLED', filled: d('0.5') });
    expect(x.cancel(sent.clientOrderId)).toMatchObject({ state: 'CANCELLED' });
    expect([x.free('BRL'), x.total('BRL')]).toEqual(['99949.96', '99949.96']);
    expect(x.cancel('nobody')).toBeUndefined();
  });

  test('that rested before a restart rests again, and is filled as a maker', () => {
    const x = exchange({ BRL: '1' });
    x.restore({ clientOrderId: 'old', symbol: 'BTC/BRL', side: 'BUY', price: d(100), amount: d(2), filled: d('0.5') });
    stranger(x, [['SELL', '99', '1']]);
    expect(x.find('old')).toMatchObject({ state: 'OPEN', filled: d('1.5') });
    expect(x.fills).toMatchObject([{ clientOrderId: 'old', liquidity: 'MAKER', price: d(100), amount: d(1) }]);
  });
});

type Step =
  | { readonly do: 'submit'; readonly order: Omit<VenueOrderRequest, 'clientOrderId' | 'symbol'> }
  | { readonly do: 'stranger'; readonly side: Side; readonly amount: Decimal }
  | { readonly do: 'cancel'; readonly which: number }
  | { readonly do: 'quote'; readonly quotes: readonly { side: Side; price: Decimal; amount: Decimal }[] };

const side = fc.constantFrom<Side>('BUY', 'SELL');
const price = fc.integer({ min: 9_000, max: 11_000 }).map((cents) => d(cents).dividedBy(100));
const amount = fc.integer({ min: 10, max: 300_000 }).map((lots) => d(lots).dividedBy(100_000));
const sent = fc.oneof(
  fc.record({
    side,
    type: fc.constant('LIMIT' as const),
    price,
    amount,
    timeInForce: fc.constantFrom<TimeInForce>('GTC', 'GTC', 'IOC', 'FOK'),
    postOnly: fc.boolean(),
  }),
  fc.record({
    side,
    type: fc.constant('MARKET' as const),
    amount,
    timeInForce: fc.constant('IOC' as const),
    postOnly: fc.constant(false),
  }),
);
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('submit' as const), order: sent }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('stranger' as const), side, amount }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(30) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('quote' as const),
        quotes: fc.array(fc.record({ side, price, amount }), { maxLength: 6 }),
      }),
    },
  ),
  { minLength: 1, maxLength: 40 },
);

test('whatever is sent: amounts and funds are conserved, no limit is crossed, FOK is all or nothing, post-only never takes, and no book stays crossed', () => {
  fc.assert(
    fc.property(steps, (all: readonly Step[]) => {
      const x = exchange();
      const accepted: VenueOrderRequest[] = [];
      for (const [index, step] of all.entries()) {
        if (step.do === 'stranger') x.takeAsStranger('BTC/BRL', step.side, step.amount);
        else if (step.do === 'quote') x.quote('BTC/BRL', step.quotes);
        else if (step.do === 'cancel') x.cancel(accepted[step.which]?.clientOrderId ?? '');
        else {
          const request = { ...step.order, clientOrderId: `p${index}`, symbol: 'BTC/BRL' };
          if (x.submit(request).status === 'ACCEPTED') accepted.push(request);
        }
        const [bid] = x.book('BTC/BRL')?.levels('BUY', 1) ?? [];
        const [ask] = x.book('BTC/BRL')?.levels('SELL', 1) ?? [];
        if (bid !== undefined && ask !== undefined) expect(bid.price.lessThan(ask.price)).toBe(true);
      }
      for (const request of accepted) {
        const own = x.fills.filter(({ clientOrderId }) => clientOrderId === request.clientOrderId);
        const known = x.find(request.clientOrderId);
        const filled = sum(own.map((fill) => fill.amount));
        expect(known?.filled.toFixed()).toBe(filled.toFixed());
        expect(filled.lessThanOrEqualTo(request.amount)).toBe(true);
        expect(known?.state === 'FILLED').toBe(filled.equals(request.amount));
        if (request.timeInForce === 'FOK') expect(filled.isZero() || filled.equals(request.amount)).toBe(true);
        for (const fill of own) {
          if (request.postOnly) expect(fill.liquidity).toBe('MAKER');
          const limit = request.price ?? fill.price;
          expect(
            request.side === 'BUY' ? fill.price.lessThanOrEqualTo(limit) : fill.price.greaterThanOrEqualTo(limit),
          ).toBe(true);
          const rate = fill.liquidity === 'MAKER' ? fees.maker : fees.taker;
          expect(fill.fee.toFixed()).toBe(fill.price.times(fill.amount).times(rate).toFixed());
        }
      }
      const moved = (wanted: Side) => x.fills.filter((fill) => fill.side === wanted);
      const notional = (fills: readonly Fill[]) => sum(fills.map((fill) => fill.price.times(fill.amount)));
      expect(x.total('BTC')).toBe(
        d(100)
          .plus(sum(moved('BUY').map((f) => f.amount)))
          .minus(sum(moved('SELL').map((f) => f.amount)))
          .toFixed(),
      );
      expect(x.total('BRL')).toBe(
        d(100_000)
          .plus(notional(moved('SELL')))
          .minus(notional(moved('BUY')))
          .minus(sum(x.fills.map((f) => f.fee)))
          .toFixed(),
      );
      expect(new Set(x.fills.map(({ tradeId }) => tradeId)).size).toBe(x.fills.length);
    }),
    { numRuns: 300 },
  );
});

test('what takes gets what `takeable` said, and an incoming amount is never more than what it met', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ side: fc.constant<Side>('SELL'), price, amount }), { maxLength: 12 }),
      amount,
      price,
      (quotes, wanted, limit) => {
        const x = exchange();
        x.quote('BTC/BRL', quotes);
        const book = x.book('BTC/BRL');
        const said = book?.takeable({ side: 'BUY', amount: wanted, limit });
        const got = book?.take({ side: 'BUY', amount: wanted, limit }) ?? [];
        expect(sum(got.map((match) => match.amount)).toFixed()).toBe(said?.amount.toFixed());
        expect(sum(got.map((match) => match.amount.times(match.maker.price))).toFixed()).toBe(said?.notional.toFixed());
        const prices = got.map(({ maker }) => maker.price.toNumber());
        expect(prices).toEqual([...prices].sort((left, right) => left - right));
      },
    ),
  );
});
