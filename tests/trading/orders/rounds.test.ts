import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/kernel/ids.js';
import { proveLedger } from '../../../subgraphs/trading/ledger/reconcile.js';
import { createDesk } from '../../../subgraphs/trading/orders/create-desk.js';
import { createOrderEngine } from '../../../subgraphs/trading/orders/engine.js';
import { takeOver } from '../../../subgraphs/trading/orders/execution.store.js';
import { VenueUnknown } from '../../../subgraphs/trading/venues/venue.js';
import { until } from '../../kit/until.js';
import { statusOf, valueOf } from '../domain-kit.js';
import { newProfile, walletOf, type TestTrader } from '../kit.js';
import { asOperator, cancelOrder, createOrder, openOrders, type OrderView } from './kit.js';
import { createScriptedVenue } from '../scripted-venue.js';
import { fillOf } from '../venues/kit.js';

const [near, far] = [createScriptedVenue('near'), createScriptedVenue('far')];
let trader: TestTrader;

const kit = await openOrders([near, far]);
afterAll(() => kit.close());
beforeEach(async () => {
  for (const venue of [near, far]) {
    venue.meet(undefined);
    venue.forget();
  }
  trader = await kit.trader({ BRL: '1000000', BTC: '10' });
});

const place = (input: object = {}) => kit.place(trader, { amount: '1', ...input });

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
    const text =
      'query ($orderId: ID!) { orderExecution(orderId: $orderId) { mid children { round venue limitPrice } } }';
    expect(await valueOf(kit.run(trader, text, { orderId }))).toEqual({
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
  let other: OrderView | undefined;
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
  if ('type' in input) await kit.run(trader, cancelOrder, { orderId });
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
  expect(await statusOf(kit.run(asOperator, resolve))).toBeUndefined();
  expect((await kit.order(orderId)).status).toBe('CANCELLED');
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
  const expectOver = async (order: OrderView) => {
    expect(order).toMatchObject({ status: 'CANCELLED', filledAmount: '0.00000000' });
    expect(far.received).toEqual([]);
    expect((await inWallet()).locked).toEqual(['0.00', '0.00000000']);
  };
  const operate = (act: string) => statusOf(kit.run(asOperator, `mutation { ${act} { __typename } }`));

  test('a cancel wins', async () => {
    meanwhile(async () => {
      const [order] = await kit.rows<{ orderId: string }>(
        'SELECT id AS "orderId" FROM trading.orders WHERE company_id = $1',
        [trader.companyId],
      );
      expect(await statusOf(kit.run(trader, cancelOrder, order))).toBeUndefined();
    });
    await expectOver(await place());
  });

  test.each([
    ['a cancel of all orders', () => kit.run(trader, 'mutation { cancelAllOrders }')],
    [
      'a suspension of the company',
      () => kit.rows(`UPDATE trading.companies SET status = 'SUSPENDED' WHERE id = $1`, [trader.companyId]),
    ],
  ])('%s wins', async (_what, act) => {
    meanwhile(act);
    await expectOver(await place());
  });

  test.each([
    ['trading', 'haltTrading(reason: "test")', 'resumeTrading'],
    ['the market', 'haltMarket(symbol: "BTC/BRL", reason: "test")', 'resumeMarket(symbol: "BTC/BRL")'],
  ])('a halt of %s wins', async (_what, halt, resume) => {
    meanwhile(async () => {
      expect(await operate(halt)).toBeUndefined();
    });
    const order = await place();
    expect(await operate(resume)).toBeUndefined();
    await expectOver(order);
  });

  test('a suspension of the profile wins', async () => {
    const { id: profileId } = await newProfile(trader, kit.trading.fundWallet);
    const wallet = await walletOf(trader, profileId);
    await kit.fund(wallet.id, { BRL: '1000000' });
    meanwhile(() => kit.run(trader, `mutation { suspendProfile(id: "${profileId}") }`));
    await expectOver(await place({ profileId }));
  });
});

async function orderOf({ companyId }: TestTrader) {
  const [row] = await kit.rows<{ id: string; status: string; filled: string; remaining: string }>(
    `SELECT orders.id, status, trim_scale(filled_amount)::text AS filled, trim_scale(remaining)::text AS remaining
     FROM trading.orders JOIN trading.holds ON holds.id = hold_id WHERE company_id = $1`,
    [companyId],
  );
  return row;
}

async function expectProved(): Promise<void> {
  expect(await proveLedger(kit.context)).toEqual([]);
  expect(await kit.rows('SELECT * FROM trading.reconciliation_findings')).toEqual([]);
}

const never = new Promise<undefined>(() => undefined);

describe('a process that ends', () => {
  /** Another process finds this one silent, and settles what it left. */
  async function takenOver(): Promise<void> {
    const desk = createDesk(newId(), kit.trading.markets.data);
    const engine = createOrderEngine(kit.context, {
      desk,
      restore: () => undefined,
      settleOthers: () => Promise.resolve([]),
    });
    const silentSince = new Date(Date.now() + 60_000);
    await inTransaction(kit.context, (tx) => takeOver(tx, desk.session, silentSince));
    await until('the order that was left to be over', async () => {
      await engine.step();
      return (await orderOf(trader))?.status !== 'PENDING';
    });
  }

  test('when a further round is committed and not sent leaves an order that ends, and gives its funds back', async () => {
    moveAway();
    // It does not arrive, as if it had never left.
    far.meet(() => never);
    void kit.run(trader, createOrder, { amount: '1' });
    await until('the order to arrive at the venue', () => far.received.length > 0);
    await takenOver();
    expect(await orderOf(trader)).toMatchObject({ status: 'CANCELLED', filled: '0', remaining: '0' });
    expect(far.received).toHaveLength(1);
    await expectProved();
  });

  test('before the response to a further round is settled leaves an order that is filled once', async () => {
    moveAway();
    far.meet(async (order) => {
      far.meet(undefined);
      await far.place(order);
      return never;
    });
    void kit.run(trader, createOrder, { amount: '1' });
    await until('the order to be placed at the venue', () => far.orders.size > 0);
    await takenOver();
    expect(await orderOf(trader)).toMatchObject({ status: 'FILLED', filled: '1', remaining: '0' });
    const { BTC } = await kit.balances(await walletOf(trader));
    expect([BTC?.total, far.orders.size]).toEqual(['11.00000000', 1]);
    await expectProved();
  });
});

test('a round that the database did not take is decided again, and sent once at most', async () => {
  moveAway();
  await kit.database.asOwner(`
    CREATE FUNCTION trading.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.round > 1 THEN RAISE EXCEPTION 'away'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER fail BEFORE INSERT ON trading.executions FOR EACH ROW EXECUTE FUNCTION trading.fail();`);
  const { error } = await kit.run(trader, createOrder, { amount: '1' });
  await kit.database.asOwner('DROP TRIGGER fail ON trading.executions; DROP FUNCTION trading.fail()');
  expect(error).toMatchObject({ statusCode: 500 });
  expect([await orderOf(trader), far.received]).toMatchObject([{ status: 'PENDING' }, []]);
  await until('the order to be over', async () => (await orderOf(trader))?.status !== 'PENDING');
  const { status, filled, remaining } = (await orderOf(trader)) ?? {};
  // Found out in time it goes on, else it is over.
  expect(['FILLED 1', 'CANCELLED 0']).toContain(`${status ?? ''} ${filled ?? ''}`);
  expect([remaining, far.received.length]).toEqual(['0', filled === '1' ? 1 : 0]);
  await expectProved();
});

test('fills of an earlier round that come when its rest was sent again are the house’s', async () => {
  moveAway();
  const { orderId, status } = await place();
  const [sent] = near.received;
  if (sent === undefined) throw new Error('Nothing was sent');
  const { clientOrderId: id, amount, price = amount } = sent;
  near.tell(fillOf({ id, venue: 'near' }, { tradeId: 'late', amount, price, fee: amount.times(0) }));
  await until(
    'the late fill',
    async () => (await kit.rows(`SELECT FROM trading.fills WHERE trade_id = 'late'`)).length > 0,
  );
  const { BTC } = await kit.balances(await walletOf(trader));
  expect([status, (await orderOf(trader))?.filled, BTC?.total]).toEqual(['FILLED', '1', '11.00000000']);
  const causes = await kit.rows('SELECT cause FROM trading.journals WHERE cause_id = $1 ORDER BY cause', [orderId]);
  expect(causes).toEqual([{ cause: 'order' }, { cause: 'order.beyond' }, { cause: 'order.fill' }]);
  await expectProved();
});

test('cancels that meet the settlement of rounds leave every order over, and every hold released', async () => {
  const rich = await kit.trader({ BRL: '1000000000' });
  let arrivals = 0;
  near.show([['100000', '1000']], [['99000', '5']]);
  far.show([['100500', '5']], [['98500', '5']]);
  const cancel = async () => {
    const open = await kit.rows<{ id: string }>(
      `SELECT id FROM trading.orders WHERE company_id = $1 AND closed_at IS NULL ORDER BY random() LIMIT 1`,
      [rich.companyId],
    );
    for (const { id } of open) await kit.run(rich, cancelOrder, { orderId: id });
  };
  near.meet(() => {
    arrivals += 1;
    // Half of what arrives finds nothing, and another offer soon after.
    if (arrivals % 2 === 0) return undefined;
    near.show([['101000', '1000']], [['98000', '5']]);
    setImmediate(() => near.show([['100000', '1000']], [['99000', '5']]));
    return undefined;
  });
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      await Promise.all([
        kit.run(rich, createOrder, { amount: '1' }),
        ...(index % 2 === 0 ? [cancel(), sleep(5).then(cancel)] : []),
      ]);
    }),
  );
  const left = await kit.rows(
    `SELECT orders.id FROM trading.orders JOIN trading.holds ON holds.id = hold_id
     WHERE company_id = $1 AND (orders.closed_at IS NULL OR remaining <> 0 OR filled_amount > orders.amount)`,
    [rich.companyId],
  );
  const { BRL } = await kit.balances(await walletOf(rich));
  expect([left, BRL?.locked]).toEqual([[], '0.00']);
  await expectProved();
});
