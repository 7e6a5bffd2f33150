import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../kit/until.js';
import { newProfile, walletOf, type TestTrader } from './kit.js';
import { openOrders, type OrdersKit } from './orders-kit.js';

let kit: OrdersKit;

beforeAll(async () => {
  kit = await openOrders();
});
afterAll(() => kit.close());

const create = `mutation ($amount: Decimal, $quoteAmount: Decimal, $synthetic: Boolean, $profileId: ID) {
  createQuote(symbol: "BTC/BRL", side: BUY, amount: $amount, quoteAmount: $quoteAmount, synthetic: $synthetic, profileId: $profileId) { quoteId }
}`;
const execute = `mutation ($quoteId: ID!, $synthetic: Boolean, $profileId: ID) {
  executeQuote(quoteId: $quoteId, synthetic: $synthetic, profileId: $profileId) { orderId }
}`;

async function quoted(trader: TestTrader, input: Record<string, unknown>): Promise<string> {
  const { data, errors } = await kit.run(trader, create, input);
  expect(errors).toBeUndefined();
  return (data?.['createQuote'] as { quoteId: string }).quoteId;
}

/** The HTTP statuses of what is asked for at once: 200 for what was done. */
function statusesOf(asked: readonly (readonly [TestTrader, string, Record<string, unknown>])[]): Promise<unknown[]> {
  return Promise.all(
    asked.map(async ([trader, document, variables]) => {
      const { errors } = await kit.run(trader, document, variables);
      return errors?.[0]?.extensions['statusCode'] ?? 200;
    }),
  );
}

test('of quotes that are executed at once each gets its own: the order, or why there is none', async () => {
  const traders = await Promise.all(
    Array.from({ length: 8 }, (_, index) => kit.trader({ BRL: index === 0 ? '10' : '100000' })),
  );
  const quotes = await Promise.all(
    traders.map((trader, index) => quoted(trader, { amount: '0.01', synthetic: index === 3 })),
  );
  await kit.database.asOwner(
    `UPDATE trading.quotes SET created_at = now() - interval '31 s', expires_at = now() - interval '1 s' WHERE id = '${quotes[1] ?? ''}'`,
  );
  const asked = traders.map(
    (trader, index) => [trader, execute, { quoteId: quotes[index], synthetic: index === 3 }] as const,
  );
  const [last] = asked.slice(-1);
  const statuses = await statusesOf([...asked, ...(last === undefined ? [] : [last])]);
  expect(statuses.sort()).toEqual([...Array<number>(6).fill(200), 400, 409, 410]);
  const counts = await Promise.all(
    traders.map(({ companyId }) => kit.rows('SELECT FROM trading.orders WHERE company_id = $1', [companyId])),
  );
  expect(counts.map((rows) => rows.length)).toEqual([0, 0, 1, 1, 1, 1, 1, 1]);
  const balances = await Promise.all(
    traders.map(async (trader, index) => {
      const { BTC } = await kit.balances(await walletOf(trader, undefined, index === 3));
      return BTC?.available;
    }),
  );
  const synthetic = '1.01000000';
  expect(balances).toEqual([
    '0.00000000',
    '0.00000000',
    '0.01000000',
    synthetic,
    ...Array<string>(4).fill('0.01000000'),
  ]);
});

test('of two quotes that are made at once one is refused where the company has room for one', async () => {
  const trader = await kit.trader();
  const profiles = await Promise.all([newProfile(trader), newProfile(trader)]);
  await kit.rows('UPDATE trading.company_terms SET max_quoted_value = 10000 WHERE company_id = $1', [trader.companyId]);
  const statuses = await statusesOf(
    profiles.map(({ id: profileId }) => [trader, create, { quoteAmount: '6000', profileId }] as const),
  );
  expect(statuses.sort()).toEqual([200, 422]);
});

test('of two quotes that are executed at once one is refused where the day has room for one', async () => {
  const trader = await kit.trader(undefined, { terms: { maxDailyVolume: '10000' } });
  const asked = await Promise.all(
    [1, 2].map(async () => [trader, execute, { quoteId: await quoted(trader, { quoteAmount: '6000' }) }] as const),
  );
  expect((await statusesOf(asked)).sort()).toEqual([200, 422]);
});

test('a hedge that cannot be settled stops no other, and is settled once when it can be', async () => {
  const traders = await Promise.all([kit.trader(), kit.trader(), kit.trader()]);
  const quotes = await Promise.all(
    traders.map((trader, index) => quoted(trader, { amount: '0.01', synthetic: index === 2 })),
  );
  const [failing = ''] = quotes;
  await kit.database.asOwner(`
    CREATE FUNCTION trading.refuse_hedge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused for a test'; END $$;
    CREATE TRIGGER refuse_hedge BEFORE UPDATE OF hedged_amount ON trading.hedges FOR EACH ROW WHEN (NEW.quote_id = '${failing}')
      EXECUTE FUNCTION trading.refuse_hedge();`);
  const asked = traders.map(
    (trader, index) => [trader, execute, { quoteId: quotes[index], synthetic: index === 2 }] as const,
  );
  expect(await statusesOf(asked)).toEqual([200, 200, 200]);
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
