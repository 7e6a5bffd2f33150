import { afterAll, expect, test } from '@jest/globals';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { VenueUnknown, type VenueOrder, type VenueOrderRequest } from '../../../subgraphs/trading/venues/venue.js';
import { until } from '../../kit/until.js';
import type { TestTrader } from '../kit.js';
import { openOrders } from './kit.js';
import { createScriptedVenue, type ScriptedVenue } from '../scripted-venue.js';

/** An exchange that responds to no look-up or cancel until it is released. */
function hanging(venue: ScriptedVenue) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked: string[] = [];
  const hang = async (id: string): Promise<VenueOrder | 'absent'> => {
    asked.push(id);
    await released;
    throw new VenueUnknown(venue.name, 'no response');
  };
  return {
    venue: { ...venue, lookUp: hang, cancel: hang },
    asked,
    release: () => {
      release();
    },
  };
}

const a = createScriptedVenue('a');
const b = createScriptedVenue('b');
const silent = hanging(a);

const kit = await openOrders([silent.venue, b]);
afterAll(async () => {
  silent.release();
  await kit.close();
});

const lost = (name: string) => (): never => {
  throw new VenueUnknown(name, 'no response');
};
const rests = ({ clientOrderId }: VenueOrderRequest) =>
  ({ status: 'ACCEPTED', order: { clientOrderId, state: 'OPEN', filled: new Decimal(0), fills: [] } }) as const;

const place = async (trader: TestTrader) =>
  (await kit.place(trader, { type: 'LIMIT', price: '100', amount: '0.1' })).orderId;
const hasStatus = (orderId: string, status: string) => async () => (await kit.order(orderId)).status === status;

test('look-ups, cancellations and timers at a venue go on while more of them than a step takes wait for another one', async () => {
  const [trader, other] = [await kit.trader({ BRL: '1000000' }), await kit.trader({ BRL: '1000000' })];
  a.show([['100', '10000']], [['98', '10']]);
  b.show([['110', '10000']], [['98', '10']]);
  // All are sent before the first failure opens the circuit breaker.
  a.meet(async () => {
    await until('150 orders at the venue', () => a.received.length === 150);
    return lost('a')();
  });
  await Promise.all(Array.from({ length: 150 }, () => place(trader)));
  await until('every venue to be usable', () =>
    kit.trading.markets.data.venues(false).every((venue) => venue.isUsable()),
  );
  await until('100 look-ups at the silent venue', () => silent.asked.length >= 100);
  // Orders that rest at the venue that does not respond; the timer of their wallet is due.
  a.meet(rests);
  const stuck = await Promise.all(Array.from({ length: 3 }, () => place(trader)));
  await kit.run(trader, 'mutation { cancelAllAfter(seconds: 1) }');
  await until('the silent venue to be asked about the resting orders', async () => {
    const ids = await kit.rows<{ id: string }>('SELECT id FROM trading.executions WHERE order_id = ANY ($1)', [stuck]);
    return ids.length === 3 && ids.every(({ id }) => silent.asked.includes(id));
  });
  // The other venue.
  a.show([['120', '10000']], [['98', '10']]);
  b.show([['100', '10000']], [['98', '10']]);
  b.meet(lost('b'));
  const unknown = await place(other);
  await until('the order at the other venue to be refused', hasStatus(unknown, 'REJECTED'));
  b.meet(rests);
  const resting = await place(other);
  for (const { clientOrderId } of b.received)
    (b.orders as Map<string, VenueOrder>).set(clientOrderId, {
      ...{ clientOrderId, state: 'CANCELLED', filled: new Decimal(0), fills: [] },
    });
  await kit.run(other, 'mutation { cancelAllAfter(seconds: 1) }');
  await until('the timer to cancel the order at the other venue', hasStatus(resting, 'CANCELLED'));
  expect(await Promise.all(stuck.map((id) => hasStatus(id, 'PENDING')()))).toEqual([true, true, true]);
});
