import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Principal } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { postJournal } from '../../../subgraphs/trading/ledger/post-journals.js';
import { reconcileBalances } from '../../../subgraphs/trading/ledger/reconcile.js';
import type { Logger } from '../../../shared/kernel/log.js';
import { oldestHedge, overdueHedgesJob } from '../../../subgraphs/trading/jobs.js';
import { operator } from '../../kit/context.js';
import { until } from '../../kit/until.js';
import type { TestTrader } from '../kit.js';
import { statusOf, valueOf } from '../domain-kit.js';
import { asOperator, createOrder, openOrders } from '../orders/kit.js';

const kit = await openOrders();
afterAll(() => kit.close());

async function trade(trader: TestTrader, side: string, amount: string): Promise<string> {
  const { quoteId } = await kit.quote(trader, { side, amount });
  await kit.execute(trader, quoteId);
  return quoteId;
}

interface Hedge {
  readonly hedged_amount: string;
  readonly hedged_value: string;
  readonly quote_amount: string;
}

const doneHedge = (quoteId: string): Promise<Hedge> =>
  until('the hedge to be done', async () => {
    const [row] = await kit.rows<Hedge>(
      `SELECT hedged_amount, hedged_value, quote_amount FROM trading.hedges JOIN trading.quotes ON id = quote_id
       WHERE quote_id = $1 AND hedges.state = 'DONE'`,
      [quoteId],
    );
    return row;
  });

test.each(['BUY', 'SELL'])(
  'a %s that was quoted is traded at the venues once, and its gain moves from the position to SPREAD',
  async (side) => {
    const trader = await kit.trader();
    const before = await kit.platform('SPREAD', 'BRL');
    const quoteId = await trade(trader, side, '0.05');
    const hedge = await doneHedge(quoteId);
    expect(new Decimal(hedge.hedged_amount).toFixed()).toBe('0.05');
    const gain = new Decimal(hedge.quote_amount).minus(hedge.hedged_value).times(side === 'BUY' ? 1 : -1);
    expect((await kit.platform('SPREAD', 'BRL')).minus(before).toFixed()).toBe(gain.toFixed());
    expect((await kit.platform('PRINCIPAL', 'BTC')).isZero()).toBe(true);
    expect((await kit.platform('PRINCIPAL', 'BRL')).isZero()).toBe(true);
    const [traded] = await kit.rows<{ amount: string; fills: number }>(
      `SELECT sum(fill.amount) AS amount, count(*)::integer AS fills FROM trading.hedge_fills AS fill
     JOIN trading.hedge_orders AS sent ON sent.id = hedge_order_id WHERE quote_id = $1`,
      [quoteId],
    );
    expect(new Decimal(traded?.amount ?? 0).toFixed()).toBe('0.05');
  },
);

test('many quotes at once are each hedged whole, and the house is left without a position', async () => {
  const trader = await kit.trader({ BRL: '10000000', BTC: '10' });
  const quotes = await Promise.all(
    Array.from({ length: 15 }, (_, index) => trade(trader, index % 2 ? 'BUY' : 'SELL', '0.01')),
  );
  for (const quoteId of quotes) expect(new Decimal((await doneHedge(quoteId)).hedged_amount).toFixed()).toBe('0.01');
  expect((await kit.platform('PRINCIPAL', 'BTC')).isZero()).toBe(true);
  expect((await kit.platform('PRINCIPAL', 'BRL')).isZero()).toBe(true);
});

/** Lets the execution of a quote leave a child order behind unsent, as a process does that dies before it sends it. */
const leaveBehind = (quoteId: string, venue: string) =>
  kit.database.asOwner(`
    CREATE OR REPLACE FUNCTION trading.leave_behind() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO trading.hedge_orders (id, quote_id, venue, amount, limit_price, state, created_at)
      VALUES (gen_random_uuid(), NEW.quote_id, '${venue}', 0.02, 1000000, 'SENDING', now());
      RETURN NEW;
    END $$;
    CREATE OR REPLACE TRIGGER leave_behind AFTER INSERT ON trading.hedges FOR EACH ROW WHEN (NEW.quote_id = '${quoteId}')
      EXECUTE FUNCTION trading.leave_behind();`);

test('a child order that was left behind unsent is looked up, and sent again only when the venue does not have it', async () => {
  const trader = await kit.trader();
  const { quoteId } = await kit.quote(trader, { amount: '0.02' });
  await leaveBehind(quoteId, 'aurora');
  await kit.execute(trader, quoteId);
  expect(new Decimal((await doneHedge(quoteId)).hedged_amount).toFixed()).toBe('0.02');
  const states = await kit.rows<{ state: string; looks: number }>(
    'SELECT state, looks FROM trading.hedge_orders WHERE quote_id = $1 ORDER BY created_at, id',
    [quoteId],
  );
  expect(states[0]).toEqual({ state: 'REJECTED', looks: 3 });
  // Where the book moves on the way, a part of it is cancelled and sent again.
  expect(states.slice(1).filter(({ state }) => state !== 'FILLED' && state !== 'CANCELLED')).toEqual([]);
  expect(states.slice(1).length).toBeGreaterThan(0);
});

describe('a hedge', () => {
  const real = () => kit.trading.markets.data.venues(false);

  afterEach(() => {
    jest.restoreAllMocks();
    for (const exchange of kit.real) exchange.failures.clear();
  });

  test('that the venues refuse is not sent again at once, and less and less often', async () => {
    const trader = await kit.trader();
    for (const exchange of kit.real)
      exchange.failures.next('place', ...Array.from({ length: 100 }, () => 'RATE_LIMITED' as const));
    const quoteId = await trade(trader, 'BUY', '0.01');
    const rounds = async () => {
      const [row] = await kit.rows<{ rounds: number }>(
        'SELECT count(DISTINCT created_at)::integer AS rounds FROM trading.hedge_orders WHERE quote_id = $1',
        [quoteId],
      );
      return row?.rounds ?? 0;
    };
    await until('the first round of the hedge', async () => (await rounds()) !== 0);
    await sleep(5_000);
    expect(await rounds()).toBe(2);
    for (const exchange of kit.real) exchange.failures.clear();
    expect(new Decimal((await doneHedge(quoteId)).hedged_amount).toFixed()).toBe('0.01');
  });

  test('whose order cannot be found out waits for an operator, whose word settles it once, whatever the venue says later', async () => {
    const trader = await kit.trader();
    const releaseFills = kit.holdFills();
    for (const exchange of kit.real) {
      exchange.failures.next('place', 'RESET_AFTER');
      exchange.failures.next('lookUp', ...Array.from({ length: 100 }, () => 'ERROR_BEFORE' as const));
    }
    const quoteId = await trade(trader, 'BUY', '0.01');
    const unsettled = async () => {
      const open = kit.run(asOperator, '{ openHedges { quoteId orders { id looks limitPrice } } }');
      const hedges = await valueOf<{ quoteId: string; orders: { id: string; looks: number }[] }[]>(open);
      return hedges.find((one) => one.quoteId === quoteId)?.orders ?? [];
    };
    const resolve = (id: string, more: string, principal: Principal = operator) =>
      kit.run(
        { principal },
        `mutation ($id: ID!) { resolveHedgeOrder(id: $id, ${more}, reason: "Statement of the exchange") }`,
        { id },
      );
    const { id } = await until('a look for the order', async () => (await unsettled()).find(({ looks }) => looks > 0));
    const status = (more: string, principal?: Principal) => statusOf(resolve(id, more, principal));
    // It may be found yet.
    expect(await status('outcome: REJECTED')).toBe(409);
    await kit.rows('UPDATE trading.hedge_orders SET looks = 12 WHERE id = $1', [id]);
    expect(await status('outcome: REJECTED', { ...operator, scopes: ['read'] })).toBe(403);
    expect(await status('outcome: FILLED, amount: "1", price: "0.01"')).toBe(400);
    const [sent] = await kit.rows<{ amount: string; price: string }>(
      'SELECT amount::text, limit_price::text AS price FROM trading.hedge_orders WHERE id = $1',
      [id],
    );
    const filled = `outcome: FILLED, amount: "${sent?.amount ?? ''}", price: "${sent?.price ?? ''}"`;
    const both = await Promise.all([resolve(id, filled), resolve(id, filled)]);
    expect(both.filter(({ error }) => error === undefined).map(({ data }) => data['resolveHedgeOrder'])).toEqual([
      quoteId,
    ]);
    // The venue, which had filled it, reports that by itself, can be asked again, and tells the same of what else was sent.
    for (const exchange of kit.real) exchange.failures.clear();
    releaseFills();
    expect(new Decimal((await doneHedge(quoteId)).hedged_amount).toFixed()).toBe('0.01');
    const fills = await kit.rows<{ trade_id: string }>(
      'SELECT trade_id FROM trading.hedge_fills WHERE hedge_order_id = $1',
      [id],
    );
    expect(fills).toEqual([{ trade_id: `operator-${id}` }]);
    const entries = await kit.rows(
      `SELECT "after" ->> 'reason' AS reason FROM shared.audit_log WHERE action = 'resolveHedgeOrder' AND outcome = 'DONE'`,
    );
    expect(entries).toEqual([{ reason: 'Statement of the exchange' }]);
  });

  test('at a venue that does not respond holds up no other', async () => {
    const trader = await kit.trader();
    for (const exchange of kit.real) {
      exchange.failures.next('place', 'RESET_AFTER');
      exchange.failures.next('lookUp', 'HANG_AFTER');
    }
    const first = await trade(trader, 'BUY', '0.01');
    const states = () => kit.rows('SELECT FROM trading.hedge_orders WHERE quote_id = $1', [first]);
    await until('the first order of the hedge', async () => (await states()).length > 0);
    await sleep(700);
    for (const exchange of kit.real) exchange.failures.clear();
    const begunMs = performance.now();
    await doneHedge(await trade(trader, 'SELL', '0.01'));
    expect(performance.now() - begunMs).toBeLessThan(3_000);
    await doneHedge(first);
  });

  test('that is under way breaks no promise of the ledger, though the house has no coin of its own', async () => {
    const trader = await kit.trader();
    const [world] = await kit.rows<{ own: string }>(
      `SELECT sum(balance) FILTER (WHERE wallet_id IS NULL AND kind NOT IN ('VENUE', 'CUSTODY')) AS own
       FROM trading.ledger_accounts WHERE currency = 'BTC' AND NOT synthetic`,
    );
    const pay = (key: string, amount: Decimal) =>
      inTransaction(kit.context, (tx) =>
        postJournal(tx, {
          key,
          cause: 'test',
          causeId: key,
          synthetic: false,
          postings: [
            { account: { kind: 'CAPITAL', currency: 'BTC' }, amount: amount.negated() },
            { account: { kind: 'CUSTODY', currency: 'BTC' }, amount },
          ],
        }),
      );
    await pay('out', new Decimal(world?.own ?? 0));
    for (const exchange of kit.real)
      exchange.failures.next('place', ...Array.from({ length: 100 }, () => 'RATE_LIMITED' as const));
    const quoteId = await trade(trader, 'BUY', '0.01');
    expect(await reconcileBalances(kit.context)).toEqual([]);
    // One that takes too long is told of.
    await kit.database.asOwner(
      `UPDATE trading.quotes SET created_at = created_at - interval '6 minutes', executed_at = executed_at - interval '6 minutes',
         expires_at = expires_at - interval '6 minutes' WHERE id = '${quoteId}'`,
    );
    expect(await reconcileBalances(kit.context)).toMatchObject([{ invariant: 'LIABILITIES_COVERED', currency: 'BTC' }]);
    await pay('in', new Decimal(world?.own ?? 0).negated());
    await kit.database.asOwner('DELETE FROM trading.currency_halts');
    for (const exchange of kit.real) exchange.failures.clear();
    await doneHedge(quoteId);
  });

  test('that is worth less than any venue takes waits for a better price, and such an order is refused before funds are set aside', async () => {
    const trader = await kit.trader();
    const { quoteId } = await kit.quote(trader, { amount: '0.0005' });
    for (const venue of real()) {
      const markets = venue.markets().map((market) => ({ ...market, minNotional: new Decimal('10000') }));
      jest.spyOn(venue, 'markets').mockReturnValue(markets);
    }
    await kit.execute(trader, quoteId);
    const refused = await kit.run(trader, createOrder, { amount: '0.0005' });
    expect(refused.error).toMatchObject({ statusCode: 400, code: 'BELOW_MINIMUM' });
    expect(
      await kit.rows('SELECT FROM trading.orders WHERE company_id = $1 AND quote_id IS NULL', [trader.companyId]),
    ).toEqual([]);
    const hedges = () => kit.rows('SELECT state, reason FROM trading.hedges WHERE quote_id = $1', [quoteId]);
    await until('the reason of the open hedge', async () => {
      expect(await hedges()).toEqual([{ state: 'OPEN', reason: 'BELOW_MINIMUM' }]);
      return true;
    });
    jest.restoreAllMocks();
    expect(new Decimal((await doneHedge(quoteId)).hedged_amount).toFixed()).toBe('0.0005');
  });

  test('that is too little for the venues that are here waits for one that is away and takes it', async () => {
    const trader = await kit.trader();
    const [choosy, modest] = real();
    if (choosy === undefined || modest === undefined) throw new Error('There are two venues');
    const { quoteId } = await kit.quote(trader, { amount: '0.0005' });
    const markets = choosy.markets().map((market) => ({ ...market, minAmount: new Decimal('0.001') }));
    jest.spyOn(choosy, 'markets').mockReturnValue(markets);
    jest.spyOn(modest, 'isUsable').mockReturnValue(false);
    await kit.execute(trader, quoteId);
    await sleep(1_500);
    const hedges = await kit.rows('SELECT state, reason FROM trading.hedges WHERE quote_id = $1', [quoteId]);
    expect(hedges).toEqual([{ state: 'OPEN', reason: 'BELOW_MINIMUM' }]);
    jest.restoreAllMocks();
    expect(new Decimal((await doneHedge(quoteId)).hedged_amount).toFixed()).toBe('0.0005');
  });
});

test('a hedge that cannot be settled stops no other, and is settled once when it can be', async () => {
  const traders = await Promise.all([kit.trader(), kit.trader(), kit.trader()]);
  const quoted = await Promise.all(
    traders.map((trader, index) => kit.quote(trader, { amount: '0.01', synthetic: index === 2 })),
  );
  const quotes = quoted.map(({ quoteId }) => quoteId);
  const [failing = ''] = quotes;
  await kit.database.asOwner(`
    CREATE FUNCTION trading.refuse_hedge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused for a test'; END $$;
    CREATE TRIGGER refuse_hedge BEFORE UPDATE OF hedged_amount ON trading.hedges FOR EACH ROW WHEN (NEW.quote_id = '${failing}')
      EXECUTE FUNCTION trading.refuse_hedge();`);
  await Promise.all(
    traders.map((trader, index) => kit.execute(trader, quotes[index] ?? '', { synthetic: index === 2 })),
  );
  await until('the two other hedges', async () => (await doneOf(quotes)).length === 2);
  expect(await doneOf(quotes)).not.toContain(failing);
  await kit.database.asOwner('DROP TRIGGER refuse_hedge ON trading.hedges');
  await kit.rows('UPDATE trading.hedges SET due_at = now() WHERE quote_id = $1', [failing]);
  await until('the hedge that failed', async () => (await doneOf(quotes)).length === 3);
  const traded = await kit.rows(
    `SELECT sum(fill.amount)::float AS amount FROM trading.hedge_orders AS sent
     JOIN trading.hedge_fills AS fill ON hedge_order_id = sent.id WHERE quote_id = $1`,
    [failing],
  );
  expect(traded).toEqual([{ amount: 0.01 }]);
});

async function doneOf(quotes: readonly string[]): Promise<string[]> {
  const rows = await kit.rows<{ id: string }>(
    `SELECT quote_id AS id FROM trading.hedges WHERE quote_id = ANY ($1) AND state = 'DONE'`,
    [quotes],
  );
  return rows.map(({ id }) => id);
}

test('a hedge that stays open is listed with its reason, logged once, and shown in the metrics', async () => {
  const trader = await kit.trader();
  const { quoteId } = await kit.quote(trader, { amount: '0.02' });
  await leaveBehind(quoteId, 'nowhere');
  await kit.execute(trader, quoteId);
  const told: unknown[] = [];
  const log = { ...kit.context.log, error: (entry: unknown) => told.push(entry) } as unknown as Logger;
  await overdueHedgesJob.run({ ...kit.context, log });
  expect(told).toEqual([]);
  await kit.database.asOwner(
    `UPDATE trading.quotes SET created_at = created_at - interval '10 min', expires_at = expires_at - interval '10 min',
       executed_at = executed_at - interval '10 min' WHERE id = '${quoteId}'`,
  );
  await Promise.all(Array.from({ length: 4 }, () => overdueHedgesJob.run({ ...kit.context, log })));
  expect(told).toMatchObject([{ hedge: { quoteId, symbol: 'BTC/BRL' } }]);
  expect(await oldestHedge.read(kit.context)).toBeGreaterThan(600);
  const list = '{ openHedges { quoteId side symbol amount hedgedAmount since overdueSince reason } }';
  const reasons = () => valueOf<{ reason: string | null }[]>(kit.run(asOperator, list));
  await until('the reason of the open hedge', async () => (await reasons())[0]?.reason != null);
  expect(await reasons()).toEqual([
    {
      ...{ quoteId, side: 'BUY', symbol: 'BTC/BRL', amount: '0.02000000', hedgedAmount: '0.00000000' },
      ...{ since: expect.any(String), overdueSince: expect.any(String), reason: 'The venue is not connected' },
    },
  ]);
  expect(await statusOf(kit.run(trader, list))).toBe(403);
});
