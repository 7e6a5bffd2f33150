import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import { newId } from '../../shared/kernel/ids.js';
import { proveLedger } from '../../subgraphs/trading/ledger/reconcile.js';
import { createDesk } from '../../subgraphs/trading/orders/create-desk.js';
import { createOrderEngine } from '../../subgraphs/trading/orders/engine.js';
import { takeOver } from '../../subgraphs/trading/orders/execution.store.js';
import { until } from '../kit/until.js';
import { walletOf, type TestTrader } from './kit.js';
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

const create = `mutation { createOrder(symbol: "BTC/BRL", side: BUY, type: MARKET, amount: "1") { orderId status } }`;

/** The near venue's offer is gone when an order arrives, and the far one has it. */
function moveAway(): void {
  near.show([['100000', '5']], [['99000', '5']]);
  far.show([['100500', '5']], [['98500', '5']]);
  near.meet(() => {
    near.show([['101000', '5']], [['98000', '5']]);
    far.show([['100000', '50']], [['99000', '5']]);
    return undefined;
  });
}

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
    void kit.run(trader, create);
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
    void kit.run(trader, create);
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
  const { errors } = await kit.run(trader, create);
  await kit.database.asOwner('DROP TRIGGER fail ON trading.executions; DROP FUNCTION trading.fail()');
  expect(errors?.[0]?.extensions).toMatchObject({ statusCode: 500 });
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
  const { data } = await kit.run(trader, create);
  const { orderId, status } = data?.['createOrder'] as { orderId: string; status: string };
  const [sent] = near.received;
  if (sent === undefined) throw new Error('Nothing was sent');
  const { clientOrderId, symbol, side, amount, price = amount } = sent;
  near.tell({
    ...{ venue: 'near', tradeId: 'late', clientOrderId, symbol, side, amount, price, fee: amount.times(0) },
    ...{ feeCurrency: 'BRL', at: new Date(), liquidity: 'TAKER' },
  });
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
    for (const { id } of open) await kit.run(rich, `mutation { cancelOrder(orderId: "${id}") { status } }`);
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
      await Promise.all([kit.run(rich, create), ...(index % 2 === 0 ? [cancel(), sleep(5).then(cancel)] : [])]);
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
