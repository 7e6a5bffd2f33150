import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Decimal } from '../../shared/kernel/decimal.js';
import type { Fill, VenueOrder } from '../../subgraphs/trading/venues/venue.js';
import { until } from '../kit/until.js';
import { openOrders, type OrdersKit } from './orders-kit.js';
import { createScriptedVenue } from './scripted-venue.js';

const venue = createScriptedVenue('a');
const known = new Map<string, VenueOrder>();
let kit: OrdersKit;

beforeAll(async () => {
  kit = await openOrders([
    {
      ...venue,
      lookUp: (id) => Promise.resolve(known.get(id) ?? 'absent'),
      cancel: (id) => {
        const order = known.get(id);
        return Promise.resolve(order === undefined ? 'absent' : { ...order, state: 'CANCELLED' });
      },
    },
  ]);
});
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
  const { data } = await kit.run(
    trader,
    'mutation { createOrder(symbol: "BTC/BRL", side: BUY, type: LIMIT, amount: "1", price: "100") { orderId } }',
  );
  const { orderId } = data?.['createOrder'] as { orderId: string };
  const [execution] = await kit.rows<{ id: string }>('SELECT id FROM trading.executions WHERE order_id = $1', [
    orderId,
  ]);
  return { trader, orderId, executionId: execution?.id ?? '' };
}

const fillOf = (clientOrderId: string): Fill => ({
  ...{ venue: 'a', tradeId: `t-${clientOrderId}`, clientOrderId, symbol: 'BTC/BRL', side: 'BUY' },
  ...{ price: d('100'), amount: d('0.2'), fee: d('0.02'), feeCurrency: 'BRL', at: new Date(), liquidity: 'TAKER' },
});

const untilFilled = (orderId: string, status: string, filled: string) =>
  until(`the order to be ${status}`, async () => {
    const text = 'SELECT status, trim_scale(filled_amount)::text AS filled FROM trading.orders WHERE id = $1';
    expect(await kit.rows(text, [orderId])).toEqual([{ status, filled }]);
    return true;
  });

test('fills that a venue counts, and does not tell, are looked up while their order rests', async () => {
  const { orderId, executionId } = await place();
  const order = known.get(executionId);
  if (order === undefined) throw new Error('The venue does not have the order');
  known.set(executionId, { ...order, fills: [fillOf(executionId)] });
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
  venue.tell(fillOf(executionId));
  await untilFilled(orderId, 'CANCELLED', '0.2');
});

test('a fill that its venue corrects stays as it was booked, and is a finding for operators, once', async () => {
  const { orderId, executionId } = await place();
  const fill = fillOf(executionId);
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
