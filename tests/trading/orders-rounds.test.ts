import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { VenueUnknown } from '../../subgraphs/trading/venues/venue.js';
import { operator } from '../kit/context.js';
import { newProfile, walletOf, type TestTrader } from './kit.js';
import { openOrders, type OrdersKit } from './orders-kit.js';
import { createScriptedVenue } from './scripted-venue.js';

const [near, far] = [createScriptedVenue('near'), createScriptedVenue('far')];
let kit: OrdersKit;
let trader: TestTrader;

beforeAll(async () => {
  kit = await openOrders([near, far]);
});
afterAll(() => kit.close());
beforeEach(async () => {
  for (const venue of [near, far]) {
    venue.meet(undefined);
    venue.forget();
  }
  trader = await kit.trader({ BRL: '1000000', BTC: '10' });
});

const create = `mutation ($side: OrderSide!, $type: OrderType!, $amount: Decimal, $quoteAmount: Decimal, $price: Decimal, $timeInForce: TimeInForce, $profileId: ID) {
  createOrder(symbol: "BTC/BRL", side: $side, type: $type, amount: $amount, quoteAmount: $quoteAmount, price: $price, timeInForce: $timeInForce, profileId: $profileId) {
    orderId status filledAmount averagePrice reason
  }
}`;

interface View {
  readonly orderId: string;
  readonly status: string;
  readonly filledAmount: string;
  readonly averagePrice: string | null;
  readonly reason: string | null;
}

async function place(input: Record<string, unknown> = {}): Promise<View> {
  const { data, errors } = await kit.run(trader, create, { side: 'BUY', type: 'MARKET', amount: '1', ...input });
  expect(errors).toBeUndefined();
  return data?.['createOrder'] as View;
}

function roundsOf(orderId: string) {
  return kit.rows(
    `SELECT round, venue, trim_scale(amount)::text AS amount, trim_scale(limit_price)::text AS "limitPrice", state
     FROM trading.executions WHERE order_id = $1 ORDER BY round, venue`,
    [orderId],
  );
}

async function inWallet() {
  const { BRL, BTC } = await kit.balances(await walletOf(trader));
  return { btc: BTC?.available, locked: [BRL?.locked, BTC?.locked] };
}

/** The best offer of the near venue is gone when an order arrives there; the far one has one at the same price by then. */
function moveAway(): void {
  near.show([['100000', '5']], [['99000', '5']]);
  far.show([['100500', '5']], [['98500', '5']]);
  near.meet(() => {
    near.show([['101000', '5']], [['98000', '5']]);
    far.show([['100000', '5']], [['99000', '5']]);
    return undefined;
  });
}

describe('a market order whose book moves away before it arrives', () => {
  test.each([
    ['BUY', '100000', '100500', '11.00000000'],
    ['SELL', '99000', '98505', '9.00000000'],
  ])('is filled by another offer within its bounds: %s', async (side, limitPrice, worstPrice, btc) => {
    moveAway();
    const order = await place({ side });
    expect(order).toMatchObject({ status: 'FILLED', filledAmount: '1.00000000', reason: null });
    expect(await roundsOf(order.orderId)).toEqual([
      { round: 1, venue: 'near', amount: '1', limitPrice, state: 'CANCELLED' },
      { round: 2, venue: 'far', amount: '1', limitPrice: worstPrice, state: 'FILLED' },
    ]);
    expect(await inWallet()).toEqual({ btc, locked: ['0.00', '0.00000000'] });
  });

  test('by a quote amount is filled within it', async () => {
    moveAway();
    const order = await place({ amount: undefined, quoteAmount: '50000' });
    expect(order).toMatchObject({ status: 'FILLED', filledAmount: '0.49850000' });
  });

  test('by a quote amount is filled for as much as the money buys at the new price', async () => {
    moveAway();
    near.meet(() => {
      near.show([['100200', '5']], [['98000', '5']]);
      return undefined;
    });
    const order = await place({ amount: undefined, quoteAmount: '50000' });
    expect(order).toMatchObject({ status: 'FILLED', filledAmount: '0.49750000', averagePrice: '100200.00' });
    expect((await inWallet()).locked).toEqual(['0.00', '0.00000000']);
  });

  test.each([
    ['BUY', '100500.00'],
    ['SELL', '98505.00'],
  ])('follows it to the worst price that the preview names, and no further: %s', async (side, worstPrice) => {
    const beyond = side === 'BUY' ? '100500.01' : '98504.99';
    for (const [price, status] of [
      [worstPrice, 'FILLED'],
      [beyond, 'CANCELLED'],
    ] as const) {
      near.meet(undefined);
      near.show([['100000', '5']], [['99000', '5']]);
      far.show([['100600', '5']], [['98500', '5']]);
      const preview = `query { previewOrder(symbol: "BTC/BRL", side: ${side}, type: MARKET, amount: "1") { worstPrice } }`;
      expect((await kit.run(trader, preview)).data).toMatchObject({
        previewOrder: { worstPrice: expect.stringMatching(new RegExp(`^${worstPrice.replace('.00', '')}`)) },
      });
      near.meet(() => {
        if (side === 'BUY') near.show([[price, '5']], [['99000', '5']]);
        else near.show([['100000', '5']], [[price, '5']]);
        return undefined;
      });
      const order = await place({ side });
      expect(order.status).toBe(status);
      expect((await inWallet()).locked).toEqual(['0.00', '0.00000000']);
      if (status === 'CANCELLED') expect(await roundsOf(order.orderId)).toMatchObject([{ round: 1, venue: 'near' }]);
    }
  });

  test('shows each round with its parts', async () => {
    moveAway();
    const { orderId } = await place();
    const { data } = await kit.run(
      trader,
      'query ($orderId: ID!) { orderExecution(orderId: $orderId) { mid children { round venue limitPrice } } }',
      { orderId },
    );
    expect(data?.['orderExecution']).toEqual({
      mid: '99500.00',
      children: [
        { round: 1, venue: 'near', limitPrice: '100000.00' },
        { round: 2, venue: 'far', limitPrice: '100500.00' },
      ],
    });
  });
});

test('a day’s limit counts an order once while its second round is under way', async () => {
  trader = await kit.trader({ BRL: '1000000' }, { terms: { maxDailyVolume: '140000', maxOpenOrders: 2 } });
  moveAway();
  let other: View | undefined;
  far.meet(async () => {
    far.meet(undefined);
    other = await place({ amount: '0.3' });
    return undefined;
  });
  expect((await place()).status).toBe('FILLED');
  expect(other?.status).toBe('FILLED');
});

test('an order has three rounds at most', async () => {
  const flee = () => {
    // What arrives finds less than it saw, and another offer shows up at once.
    near.show([['100000', '0.1']], [['99000', '5']]);
    setImmediate(() => near.show([['100000', '5']], [['99000', '5']]));
    return undefined;
  };
  near.show([['100000', '5']], [['99000', '5']]);
  far.show([]);
  near.meet(flee);
  const order = await place();
  expect(order).toMatchObject({ status: 'CANCELLED', filledAmount: '0.30000000' });
  expect(await roundsOf(order.orderId)).toMatchObject([
    { round: 1, amount: '1' },
    { round: 2, amount: '0.9' },
    { round: 3, amount: '0.8' },
  ]);
  expect(await inWallet()).toEqual({ btc: '10.30000000', locked: ['0.00', '0.00000000'] });
});

test.each([
  ['FOK', { timeInForce: 'FOK' }],
  ['an order that may rest', { type: 'LIMIT', price: '100000', timeInForce: 'GTC' }],
])('%s is sent once', async (_name, input) => {
  moveAway();
  const { orderId } = await place(input);
  expect(await roundsOf(orderId)).toMatchObject([{ round: 1 }]);
  if ('type' in input) await kit.run(trader, `mutation { cancelOrder(orderId: "${orderId}") { status } }`);
});

test.each([
  ['100400', 'FILLED'],
  ['100400.01', 'CANCELLED'],
])('a LIMIT order that may not wait follows its book up to its limit, and no further: %s', async (price, status) => {
  moveAway();
  near.meet(() => {
    near.show([[price, '5']], [['98000', '5']]);
    return undefined;
  });
  expect((await place({ type: 'LIMIT', price: '100400', timeInForce: 'IOC' })).status).toBe(status);
  expect((await inWallet()).locked).toEqual(['0.00', '0.00000000']);
});

describe('what was rejected', () => {
  beforeEach(() => {
    near.show([['100000', '5']], [['99000', '5']]);
    far.show([['100500', '5']], [['98500', '5']]);
  });
  const reject = (reason: 'INVALID' | 'RATE_LIMITED') => {
    near.meet(() => {
      far.show([['100000', '5']], [['98500', '5']]);
      return { status: 'REJECTED', reason, message: 'no' };
    });
  };

  test('for a reason of the order is not sent again', async () => {
    reject('INVALID');
    expect(await place()).toMatchObject({
      status: 'REJECTED',
      reason: 'near: The venue does not support such an order',
    });
    expect(far.received).toEqual([]);
  });

  test('for a reason of the venue is sent to another one, and not there', async () => {
    reject('RATE_LIMITED');
    const order = await place();
    expect(order).toMatchObject({ status: 'FILLED', reason: null });
    expect([near.received.length, far.received.length]).toEqual([1, 1]);
  });
});

test('while the outcome of a part is unknown nothing is sent again, and no operator’s word sends it', async () => {
  moveAway();
  near.meet(() => {
    far.show([['100000', '5']], [['99000', '5']]);
    throw new VenueUnknown('near', 'no response');
  });
  const { orderId, status } = await place();
  expect([status, far.received.length]).toEqual(['PENDING', 0]);
  await kit.rows('UPDATE trading.executions SET next_look_at = NULL WHERE order_id = $1', [orderId]);
  const [execution] = await kit.rows<{ id: string }>('SELECT id FROM trading.executions WHERE order_id = $1', [
    orderId,
  ]);
  await kit.rows('UPDATE trading.orders SET quarantined_at = now() WHERE id = $1', [orderId]);
  const resolve = `mutation { resolveExecution(id: "${execution?.id ?? ''}", outcome: CANCELLED, reason: "Not there") { status } }`;
  const { errors } = await kit.run({ context: { ...kit.context, principal: operator } }, resolve);
  expect(errors).toBeUndefined();
  expect(await kit.rows('SELECT status FROM trading.orders WHERE id = $1', [orderId])).toEqual([
    { status: 'CANCELLED' },
  ]);
  expect(far.received).toEqual([]);
});

describe('between two rounds', () => {
  /** Acts when the order has arrived at the near venue, before the venue responds. */
  const meanwhile = (act: () => Promise<unknown>) => {
    moveAway();
    near.meet(async () => {
      near.show([['101000', '5']], [['98000', '5']]);
      far.show([['100000', '5']], [['99000', '5']]);
      await act();
      return undefined;
    });
  };
  const expectOver = async (order: View) => {
    expect(order).toMatchObject({ status: 'CANCELLED', filledAmount: '0.00000000' });
    expect(far.received).toEqual([]);
    expect((await inWallet()).locked).toEqual(['0.00', '0.00000000']);
  };
  const asOperator = (document: string) => kit.run({ context: { ...kit.context, principal: operator } }, document);

  test('a cancel wins', async () => {
    meanwhile(async () => {
      const [row] = await kit.rows<{ id: string }>('SELECT id FROM trading.orders WHERE company_id = $1', [
        trader.companyId,
      ]);
      const { errors } = await kit.run(trader, `mutation { cancelOrder(orderId: "${row?.id ?? ''}") { status } }`);
      expect(errors).toBeUndefined();
    });
    await expectOver(await place());
  });

  test('a cancel of all orders wins', async () => {
    meanwhile(() => kit.run(trader, 'mutation { cancelAllOrders }'));
    await expectOver(await place());
  });

  test.each([
    ['trading', 'haltTrading(reason: "test")', 'resumeTrading'],
    ['the market', 'haltMarket(symbol: "BTC/BRL", reason: "test")', 'resumeMarket(symbol: "BTC/BRL")'],
  ])('a halt of %s wins', async (_what, halt, resume) => {
    meanwhile(async () => {
      expect((await asOperator(`mutation { ${halt} { __typename } }`)).errors).toBeUndefined();
    });
    const order = await place();
    expect((await asOperator(`mutation { ${resume} { __typename } }`)).errors).toBeUndefined();
    await expectOver(order);
  });

  test('a suspension of the company wins', async () => {
    meanwhile(() => kit.rows(`UPDATE trading.companies SET status = 'SUSPENDED' WHERE id = $1`, [trader.companyId]));
    await expectOver(await place());
  });

  test('a suspension of the profile wins', async () => {
    const { id: profileId } = await newProfile(trader, kit.trading.fundWallet);
    const wallet = await walletOf(trader, profileId);
    await kit.fund(wallet.id, { BRL: '1000000' });
    meanwhile(() => kit.run(trader, `mutation { suspendProfile(id: "${profileId}") }`));
    await expectOver(await place({ profileId }));
  });
});
