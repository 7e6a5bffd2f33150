import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Decimal } from '../../shared/kernel/decimal.js';
import type { Fill } from '../../subgraphs/trading/venues/venue.js';
import { until } from '../kit/until.js';
import { openOrders, type OrdersKit } from './orders-kit.js';
import { createScriptedVenue } from './scripted-venue.js';

const venue = createScriptedVenue('a');
let kit: OrdersKit;

beforeAll(async () => {
  kit = await openOrders([venue]);
});
afterAll(() => kit.close());

const d = (text: string) => new Decimal(text);

/** The house's side of the accounts. */
async function house(): Promise<Readonly<Record<string, string>>> {
  const rows = await kit.rows<{ name: string; sum: string }>(
    `SELECT kind || ' ' || currency AS name, trim_scale(sum(balance))::text AS sum FROM trading.ledger_accounts
     WHERE kind IN ('VENUE', 'PRINCIPAL', 'VENUE_FEES') AND NOT synthetic GROUP BY kind, currency`,
  );
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}

/** The child orders of a hedge, once it has the state. */
async function childrenOf(quoteId: string, state: string) {
  await until(`the hedge to be ${state}`, async () => {
    expect(await kit.rows('SELECT state FROM trading.hedges WHERE quote_id = $1', [quoteId])).toEqual([{ state }]);
    return true;
  });
  return kit.rows<{ id: string; state: string }>(
    'SELECT id, state FROM trading.hedge_orders WHERE quote_id = $1 ORDER BY id',
    [quoteId],
  );
}

/** Executes a quote whose first child order ends without fills, by the word of the venue; all others are filled. */
async function hedgeAgain(): Promise<string> {
  const trader = await kit.trader();
  venue.show([['100', '10']], [['99', '10']]);
  let isFirst = true;
  venue.meet(({ clientOrderId }) => {
    if (!isFirst) return undefined;
    isFirst = false;
    return { status: 'ACCEPTED', order: { clientOrderId, state: 'CANCELLED', filled: d('0'), fills: [] } };
  });
  const quoted = await kit.run(
    trader,
    'mutation { createQuote(symbol: "BTC/BRL", side: BUY, amount: "0.5") { quoteId } }',
  );
  const { quoteId } = quoted.data?.['createQuote'] as { quoteId: string };
  const done = await kit.run(trader, 'mutation ($id: ID!) { executeQuote(quoteId: $id) { orderId } }', { id: quoteId });
  expect(done.errors).toBeUndefined();
  return quoteId;
}

const lateFill = (clientOrderId: string): Fill => ({
  ...{ venue: 'a', tradeId: `late-${clientOrderId}`, clientOrderId, symbol: 'BTC/BRL', side: 'BUY' },
  ...{ price: d('100'), amount: d('0.5'), fee: d('0.05'), feeCurrency: 'BRL' },
  ...{ at: new Date(), liquidity: 'TAKER' },
});

test('a fill of a child order that comes when its hedge is done is booked once, and the position stays in PRINCIPAL', async () => {
  const quoteId = await hedgeAgain();
  const [first, second] = await childrenOf(quoteId, 'DONE');
  expect([first?.state, second?.state]).toEqual(['CANCELLED', 'FILLED']);
  const before = await house();
  const fill = lateFill(first?.id ?? '');
  venue.tell(fill);
  venue.tell(fill);
  await until('the late fill to be booked', async () => (await house())['PRINCIPAL BTC'] !== before['PRINCIPAL BTC']);
  venue.tell(fill);
  await sleep(600);
  const by = (name: string, change: string) => ({
    [name]: d(before[name] ?? '0')
      .plus(change)
      .toFixed(),
  });
  expect(await house()).toMatchObject({
    ...by('PRINCIPAL BTC', '0.5'),
    ...by('PRINCIPAL BRL', '-50'),
    ...by('VENUE BTC', '-0.5'),
    ...by('VENUE BRL', '50.05'),
    ...by('VENUE_FEES BRL', '-0.05'),
  });
  venue.tell({ ...fill, fee: d('0.06') });
  const findings = () => kit.rows('SELECT actual FROM trading.reconciliation_findings');
  await until('the finding', async () => (await findings()).length > 0);
  expect(await findings()).toEqual([{ actual: `0.5 at 100, fee 0.06 BRL, order ${first?.id ?? ''}` }]);
  const [hedge] = await kit.rows('SELECT state, trim_scale(hedged_amount)::text AS amount FROM trading.hedges');
  expect(hedge).toEqual({ state: 'DONE', amount: '1' });
});
