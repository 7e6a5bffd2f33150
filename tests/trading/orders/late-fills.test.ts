import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { Decimal } from '../../../shared/kernel/decimal.js';
import type { VenueOrder } from '../../../subgraphs/trading/venues/venue.js';
import { until } from '../../kit/until.js';
import { openOrders } from './kit.js';
import { createScriptedVenue } from '../scripted-venue.js';
import { fillOf } from '../venues/kit.js';

const venue = createScriptedVenue('a');
const known = new Map<string, VenueOrder>();

const kit = await openOrders([
  {
    ...venue,
    lookUp: (id) => Promise.resolve(known.get(id) ?? 'absent'),
    cancel: (id) => {
      const order = known.get(id);
      return Promise.resolve(order === undefined ? 'absent' : { ...order, state: 'CANCELLED' });
    },
  },
]);
afterAll(() => kit.close());

const d = (text: string) => new Decimal(text);

/** Places an order that rests at its venue, filled in part, whose fills the venue does not tell. */
async function place() {
  const trader = await kit.trader();
  venue.show([['100', '10']], [['99', '10']]);
  venue.meet(({ clientOrderId }) => {
    const order = { clientOrderId, state: 'OPEN', filled: d('0.2'), fills: [] } as const;
    known.set(clientOrderId, order);
    return { status: 'ACCEPTED', order };
  });
  const { orderId } = await kit.place(trader, { type: 'LIMIT', amount: '1', price: '100' });
  const [execution] = await kit.rows<{ id: string }>('SELECT id FROM trading.executions WHERE order_id = $1', [
    orderId,
  ]);
  return { trader, orderId, executionId: execution?.id ?? '' };
}

const lateFill = (id: string, amount = '0.2', fee = '0.02') =>
  fillOf({ id, venue: 'a' }, { price: d('100'), amount: d(amount), fee: d(fee), liquidity: 'TAKER' });

const untilFilled = (orderId: string, status: string, filled: string) =>
  until(`the order to be ${status}`, async () => {
    expect(await kit.order(orderId)).toMatchObject({ status, filled });
    return true;
  });

test('fills that a venue counts, and does not tell, are looked up while their order rests', async () => {
  const { orderId, executionId } = await place();
  const order = known.get(executionId);
  if (order === undefined) throw new Error('The venue does not have the order');
  known.set(executionId, { ...order, fills: [lateFill(executionId)] });
  await untilFilled(orderId, 'PARTIALLY_FILLED', '0.2');
});

test('a timer cancels an order whose fills are missing, and counts them once they are there', async () => {
  const { trader, orderId, executionId } = await place();
  await kit.run(trader, 'mutation { cancelAllAfter(seconds: 1) }');
  const states = () => kit.rows('SELECT state FROM trading.executions WHERE id = $1', [executionId]);
  await until('the execution to be cancelled', async () => {
    expect(await states()).toEqual([{ state: 'CANCELLED' }]);
    return true;
  });
  expect(await kit.rows('SELECT status FROM trading.orders WHERE id = $1', [orderId])).toEqual([{ status: 'PENDING' }]);
  venue.tell(lateFill(executionId));
  await untilFilled(orderId, 'CANCELLED', '0.2');
});

test('a fill that its venue corrects stays as it was booked, and is a finding for operators, once', async () => {
  const { orderId, executionId } = await place();
  const fill = lateFill(executionId);
  venue.tell(fill);
  await untilFilled(orderId, 'PARTIALLY_FILLED', '0.2');
  venue.tell({ ...fill, fee: d('0.03') });
  const findings = () =>
    kit.rows('SELECT subject, expected, actual FROM trading.reconciliation_findings WHERE subject LIKE $1', [
      `%${fill.tradeId}`,
    ]);
  await until('the finding', async () => (await findings()).length > 0);
  venue.tell({ ...fill, amount: d('0.1') });
  const isCorrected = async () => JSON.stringify(await findings()).includes('0.1 at');
  await until('the correction', isCorrected);
  venue.tell(fill);
  expect(await findings()).toEqual([
    {
      subject: `venue a, trade ${fill.tradeId}`,
      expected: `0.2 at 100, fee 0.02 BRL, order ${executionId}`,
      actual: `0.1 at 100, fee 0.02 BRL, order ${executionId}`,
    },
  ]);
  await untilFilled(orderId, 'PARTIALLY_FILLED', '0.2');
  expect(await kit.rows('SELECT FROM trading.currency_halts')).toEqual([]);
});

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
  const { quoteId } = await kit.quote(trader, { amount: '0.5' });
  await kit.execute(trader, quoteId);
  return quoteId;
}

test('a fill of a child order that comes when its hedge is done is booked once, and the position stays in PRINCIPAL', async () => {
  const quoteId = await hedgeAgain();
  const [first, second] = await childrenOf(quoteId, 'DONE');
  expect([first?.state, second?.state]).toEqual(['CANCELLED', 'FILLED']);
  const before = await house();
  const fill = lateFill(first?.id ?? '', '0.5', '0.05');
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
  const findings = () =>
    kit.rows('SELECT actual FROM trading.reconciliation_findings WHERE subject LIKE $1', [`%${fill.tradeId}`]);
  await until('the finding', async () => (await findings()).length > 0);
  expect(await findings()).toEqual([{ actual: `0.5 at 100, fee 0.06 BRL, order ${first?.id ?? ''}` }]);
  const [hedge] = await kit.rows('SELECT state, trim_scale(hedged_amount)::text AS amount FROM trading.hedges');
  expect(hedge).toEqual({ state: 'DONE', amount: '1' });
});
