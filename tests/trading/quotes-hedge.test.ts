import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Principal } from '../../shared/kernel/context.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { postJournal } from '../../subgraphs/trading/ledger/post-journals.js';
import { reconcileBalances } from '../../subgraphs/trading/ledger/reconcile.js';
import { operator } from '../kit/context.js';
import { until } from '../kit/until.js';
import type { TestTrader } from './kit.js';
import { openOrders, type OrdersKit } from './orders-kit.js';

let kit: OrdersKit;

beforeAll(async () => {
  kit = await openOrders();
});
afterAll(() => kit.close());

const create =
  'mutation ($side: OrderSide!, $amount: Decimal!) { createQuote(symbol: "BTC/BRL", side: $side, amount: $amount) { quoteId quoteAmount } }';
const execute = 'mutation ($quoteId: ID!) { executeQuote(quoteId: $quoteId) { orderId } }';

async function trade(trader: TestTrader, side: string, amount: string): Promise<string> {
  const quoted = await kit.run(trader, create, { side, amount });
  const { quoteId } = quoted.data?.['createQuote'] as { quoteId: string };
  const done = await kit.run(trader, execute, { quoteId });
  expect(done.errors).toBeUndefined();
  return quoteId;
}

interface Hedge {
  readonly hedged_amount: string;
  readonly hedged_value: string;
  readonly quote_amount: string;
}

/** The hedge of a quote, once it is done. */
const doneHedge = (quoteId: string): Promise<Hedge> =>
  until('the hedge to be done', async () => {
    const [row] = await kit.rows<Hedge>(
      `SELECT hedged_amount, hedged_value, quote_amount FROM trading.hedges JOIN trading.quotes ON id = quote_id
       WHERE quote_id = $1 AND hedges.state = 'DONE'`,
      [quoteId],
    );
    return row;
  });

async function platform(kind: string, currency: string): Promise<Decimal> {
  const [row] = await kit.rows<{ sum: string }>(
    'SELECT coalesce(sum(balance), 0) AS sum FROM trading.ledger_accounts WHERE kind = $1 AND currency = $2 AND NOT synthetic',
    [kind, currency],
  );
  return new Decimal(row?.sum ?? 0);
}

test.each(['BUY', 'SELL'])(
  'a %s that was quoted is traded at the venues once, and its gain moves from the position to SPREAD',
  async (side) => {
    const trader = await kit.trader();
    const before = await platform('SPREAD', 'BRL');
    const quoteId = await trade(trader, side, '0.05');
    const hedge = await doneHedge(quoteId);
    expect(new Decimal(hedge.hedged_amount).toFixed()).toBe('0.05');
    const gain = new Decimal(hedge.quote_amount).minus(hedge.hedged_value).times(side === 'BUY' ? 1 : -1);
    expect((await platform('SPREAD', 'BRL')).minus(before).toFixed()).toBe(gain.toFixed());
    expect((await platform('PRINCIPAL', 'BTC')).isZero()).toBe(true);
    expect((await platform('PRINCIPAL', 'BRL')).isZero()).toBe(true);
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
  expect((await platform('PRINCIPAL', 'BTC')).isZero()).toBe(true);
  expect((await platform('PRINCIPAL', 'BRL')).isZero()).toBe(true);
});

test('a child order that was left behind unsent is looked up, and sent again only when the venue does not have it', async () => {
  const trader = await kit.trader();
  // A process that died between committing the child order and sending it.
  const quoted = await kit.run(trader, create, { side: 'BUY', amount: '0.02' });
  const { quoteId } = quoted.data?.['createQuote'] as { quoteId: string };
  await kit.database.asOwner(`
    CREATE FUNCTION trading.leave_behind() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO trading.hedge_orders (id, quote_id, venue, amount, limit_price, state, created_at)
      VALUES (gen_random_uuid(), NEW.quote_id, 'aurora', 0.02, 1000000, 'SENDING', now());
      RETURN NEW;
    END $$;
    CREATE TRIGGER leave_behind AFTER INSERT ON trading.hedges FOR EACH ROW WHEN (NEW.quote_id = '${quoteId}')
      EXECUTE FUNCTION trading.leave_behind();`);
  expect((await kit.run(trader, execute, { quoteId })).errors).toBeUndefined();
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
  const exchanges = () => kit.trading.markets.venues.simulated.filter(({ synthetic }) => !synthetic);

  afterEach(() => {
    jest.restoreAllMocks();
    for (const exchange of exchanges()) exchange.failures.clear();
  });

  test('that the venues refuse is not sent again at once, and less and less often', async () => {
    const trader = await kit.trader();
    for (const exchange of exchanges())
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
    for (const exchange of exchanges()) exchange.failures.clear();
    expect(new Decimal((await doneHedge(quoteId)).hedged_amount).toFixed()).toBe('0.01');
  });

  test('whose order cannot be found out waits for an operator, whose word settles it once, whatever the venue says later', async () => {
    const trader = await kit.trader();
    for (const exchange of exchanges()) {
      exchange.failures.next('place', 'RESET_AFTER');
      exchange.failures.fills('LATE');
      exchange.failures.next('lookUp', ...Array.from({ length: 100 }, () => 'ERROR_BEFORE' as const));
    }
    const quoteId = await trade(trader, 'BUY', '0.01');
    const unsettled = async () => {
      const asOperator = { context: { ...kit.context, principal: operator } };
      const { data } = await kit.run(asOperator, '{ openHedges { quoteId orders { id looks limitPrice } } }');
      const hedges = data?.['openHedges'] as { quoteId: string; orders: { id: string; looks: number }[] }[];
      return hedges.find((one) => one.quoteId === quoteId)?.orders ?? [];
    };
    const resolve = (id: string, more: string, principal: Principal = operator) =>
      kit.run(
        { context: { ...kit.context, principal } },
        `mutation ($id: ID!) { resolveHedgeOrder(id: $id, ${more}, reason: "Statement of the exchange") }`,
        { id },
      );
    const { id } = await until('a look for the order', async () => (await unsettled()).find(({ looks }) => looks > 0));
    const status = async (more: string, principal?: Principal) =>
      (await resolve(id, more, principal)).errors?.[0]?.extensions['statusCode'];
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
    expect(both.filter(({ errors }) => errors === undefined).map(({ data }) => data?.['resolveHedgeOrder'])).toEqual([
      quoteId,
    ]);
    // The venue, which had filled it, reports that by itself, can be asked again, and tells the same of what else was sent.
    for (const exchange of exchanges()) {
      exchange.failures.clear();
      exchange.releaseFills();
    }
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
    for (const exchange of exchanges()) {
      exchange.failures.next('place', 'RESET_AFTER');
      exchange.failures.next('lookUp', 'HANG_AFTER');
    }
    const first = await trade(trader, 'BUY', '0.01');
    const states = () => kit.rows('SELECT FROM trading.hedge_orders WHERE quote_id = $1', [first]);
    await until('the first order of the hedge', async () => (await states()).length > 0);
    await sleep(700);
    for (const exchange of exchanges()) exchange.failures.clear();
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
    for (const exchange of exchanges())
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
    for (const exchange of exchanges()) exchange.failures.clear();
    await doneHedge(quoteId);
  });

  test('that is worth less than any venue takes waits for a better price, and such an order is refused before funds are set aside', async () => {
    const trader = await kit.trader();
    const quoted = await kit.run(trader, create, { side: 'BUY', amount: '0.0005' });
    const { quoteId } = quoted.data?.['createQuote'] as { quoteId: string };
    for (const venue of real()) {
      const markets = venue.markets().map((market) => ({ ...market, minNotional: new Decimal('10000') }));
      jest.spyOn(venue, 'markets').mockReturnValue(markets);
    }
    expect((await kit.run(trader, execute, { quoteId })).errors).toBeUndefined();
    const refused = await kit.run(
      trader,
      'mutation { createOrder(symbol: "BTC/BRL", side: BUY, type: MARKET, amount: "0.0005") { orderId } }',
    );
    expect(refused.errors?.[0]?.extensions).toMatchObject({ statusCode: 400, code: 'BELOW_MINIMUM' });
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
    const quoted = await kit.run(trader, create, { side: 'BUY', amount: '0.0005' });
    const { quoteId } = quoted.data?.['createQuote'] as { quoteId: string };
    const markets = choosy.markets().map((market) => ({ ...market, minAmount: new Decimal('0.001') }));
    jest.spyOn(choosy, 'markets').mockReturnValue(markets);
    jest.spyOn(modest, 'isUsable').mockReturnValue(false);
    expect((await kit.run(trader, execute, { quoteId })).errors).toBeUndefined();
    await sleep(1_500);
    const hedges = await kit.rows('SELECT state, reason FROM trading.hedges WHERE quote_id = $1', [quoteId]);
    expect(hedges).toEqual([{ state: 'OPEN', reason: 'BELOW_MINIMUM' }]);
    jest.restoreAllMocks();
    expect(new Decimal((await doneHedge(quoteId)).hedged_amount).toFixed()).toBe('0.0005');
  });
});
