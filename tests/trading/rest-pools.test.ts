import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Decimal } from '../../shared/kernel/decimal.js';
import { coarse, createPools } from '../../subgraphs/trading/markets/pools.js';
import { toPool } from '../../subgraphs/trading/markets/market.type.js';
import { superviseVenue } from '../../subgraphs/trading/venues/supervise-venue.js';
import { quietLog } from '../kit/context.js';
import { openExchange, venueOrder } from './venues/kit.js';

/** The pools over one exchange that can be made to fail, read anew at each question. */
function open(timeoutMs = 1_000) {
  const exchange = openExchange({}, 300);
  const { clock } = exchange;
  const venue = superviseVenue(exchange, { clock, log: quietLog });
  const pools = createPools({
    venues: (synthetic) => (synthetic ? [] : [venue]),
    now: () => clock.now(),
    timeoutMs,
    maxAgeMs: 1,
  });
  return {
    exchange,
    venue,
    read: async () => {
      await sleep(5);
      return pools.read(false);
    },
  };
}

test('an exchange that fails is UNAVAILABLE, with what it reported last, and ACTIVE once it responds again', async () => {
  const { exchange, read } = open();
  exchange.failures.next('balances', 'ERROR_BEFORE');
  expect(await read()).toEqual([{ exchange: 'aurora', status: 'UNAVAILABLE', balances: [], updatedAt: undefined }]);
  const [known] = await read();
  expect(known?.status).toBe('ACTIVE');
  exchange.failures.next('balances', 'RESET_AFTER');
  expect(await read()).toEqual([{ ...known, status: 'UNAVAILABLE' }]);
  expect(await read()).toEqual([known]);
});

test('a pool reveals nothing of single trades: it shows two digits of what there is, and the same for ten minutes', async () => {
  const { exchange, read } = open();
  const decimals = new Map([
    ['BRL', 2],
    ['BTC', 8],
  ]);
  const shown = async () => JSON.stringify((await read()).map((pool) => toPool(pool, decimals)));
  const before = await shown();
  await exchange.place(venueOrder({ side: 'SELL', amount: new Decimal('0.5') }));
  expect(await shown()).toBe(before);
  exchange.clock.advance(599_000);
  expect(await shown()).toBe(before);
  exchange.clock.advance(2_000);
  const [pool] = JSON.parse(await shown()) as { balances: object[] }[];
  expect(pool?.balances).toContainEqual({
    currency: 'BTC',
    available: '99.00000000',
    locked: '0.00000000',
    total: '99.00000000',
  });
  const small = coarse({ currency: 'BTC', available: new Decimal('12.3456'), locked: new Decimal('0.0123') });
  expect([small.available.toFixed(), small.locked.toFixed()]).toEqual(['12', '0']);
  const tiny = coarse({ currency: 'BTC', available: new Decimal('0.012345'), locked: new Decimal('0.0055') });
  expect([tiny.available.toFixed(), tiny.locked.toFixed()]).toEqual(['0.012', '0.005']);
});

test('an exchange that hangs is not waited for beyond the limit', async () => {
  const { exchange, read } = open(10);
  exchange.failures.next('balances', 'HANG_AFTER');
  expect(await read()).toMatchObject([{ status: 'UNAVAILABLE' }]);
});

test('an exchange whose breaker is open is not asked', async () => {
  const { exchange, venue, read } = open();
  exchange.failures.next('balances', 'ERROR_BEFORE', 'ERROR_BEFORE', 'ERROR_BEFORE');
  for (let failure = 0; failure < 3; failure += 1) await read();
  expect(venue.isUsable()).toBe(false);
  expect(await read()).toMatchObject([{ status: 'UNAVAILABLE', balances: [] }]);
  await venue.stop();
});
