import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { fixedClock } from '../../../tests/kit/clock.js';
import { newId } from '../../../shared/kernel/ids.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { claimItems } from '../../../shared/work/queue/work-items.store.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { until } from '../../../tests/kit/until.js';
import { addEstate, addSeries, calendarOf } from '../../../tests/tokenization/series/kit.js';
import { createRepriceQueue } from './reprice-queue.js';
import { addRequest, finishRequest, openRequests } from './price-run.store.js';

const clock = fixedClock('2026-06-10T15:00:00Z');
const findRequest = (id: string) =>
  context().manager.row<{ readonly prices: number | null }>(
    'SELECT prices, fault, finished_at AS "finishedAt" FROM tokenization.reprice_requests WHERE id = $1',
    [id],
  );

const database = await openTestDatabase();
afterAll(() => database.close());
const { manager } = database.dataSource;
const calendar = await calendarOf(manager);
beforeEach(async () => {
  await database.asOwner('TRUNCATE tokenization.patrimonies, tokenization.reprice_requests, shared.outbox CASCADE');
  clock.set('2026-06-10T15:00:00Z');
});

const context = () => testContext({ manager, clock });
const request = () => addRequest(context(), { id: newId(), trancheId: null, series: 3 });
const claim = (lease = newId()) =>
  claimItems<{ id: string }>(context(), openRequests, { lease, leaseMs: 120_000, limit: 1 });
const countPrices = async () =>
  (await manager.value<number>('SELECT count(*)::int FROM tokenization.unit_prices')) ?? 0;

test('a run that takes longer than a lease keeps its request while it computes prices', async () => {
  const estate = await addEstate(manager, 'PAT1');
  // Each of them is a page of its own.
  for (let number = 0; number < 12; number++) {
    await addSeries(manager, estate, `S${number}`, { remuneration_start_date: '2016-03-02' });
  }
  const { id } = await request();
  const state = { isClaimed: false, isOver: false };
  const queue = createRepriceQueue(context(), () => {
    state.isClaimed = true;
    return Promise.resolve(calendar);
  });
  const run = queue.drain().then(() => {
    state.isOver = true;
  });
  // Until then the request is anybody's, and so would be this test's.
  await until('the run to claim its request', () => state.isClaimed);
  let [counted, pages] = [0, 0];
  while (!state.isOver) {
    const count = await countPrices();
    if (count > counted) {
      [counted, pages] = [count, pages + 1];
      // Three pages may be seen between two renewals: their responses, and the renewal's, come in any order.
      clock.advance(35_000);
    }
    expect(await claim()).toEqual([]);
    // oxlint-disable-next-line house/until -- A page is over before until would look again.
    await sleep(2);
  }
  await run;
  // Longer than a lease.
  expect(pages).toBeGreaterThan(3);
  // The last page may have been written after the last poll.
  expect(await findRequest(id)).toMatchObject({
    prices: await countPrices(),
    fault: null,
    finishedAt: expect.any(Date),
  });
}, 300_000);

test('a request waits for its series while another act holds it', async () => {
  const trancheId = await addSeries(manager, await addEstate(manager, 'PAT1'), 'S1');
  const { id } = await addRequest(context(), { id: newId(), trancheId, series: 1 });
  const run = await inTransaction(context(), async (tx) => {
    await tx.manager.query('SELECT FROM tokenization.tranches FOR NO KEY UPDATE');
    const drained = createRepriceQueue(context(), () => Promise.resolve(calendar)).drain();
    const waits = `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await until('the run to wait', async () => (await manager.value<number>(waits)) === 1);
    return { drained };
  });
  await run.drained;
  expect((await findRequest(id))?.prices).toBeGreaterThan(0);
});

test('a run that lost its request does not write over what the next one wrote', async () => {
  const { id } = await request();
  const [stale, next] = [newId(), newId()];
  expect(await claim(stale)).toMatchObject([{ id }]);
  clock.advance(121_000);
  expect(await claim(next)).toMatchObject([{ id }]);
  expect(await finishRequest(context(), { id, lease: stale }, { prices: 1, missing: [], fault: null })).toBe(false);
  expect(await finishRequest(context(), { id, lease: next }, { prices: 2, missing: [], fault: null })).toBe(true);
  expect(await finishRequest(context(), { id, lease: stale }, { prices: 1, missing: [], fault: null })).toBe(false);
  expect(await findRequest(id)).toMatchObject({ prices: 2 });
});

test('a run that lost its request ends at the next page, and leaves the rest to the next one', async () => {
  const estate = await addEstate(manager, 'PAT1');
  for (let number = 0; number < 4; number++) {
    await addSeries(manager, estate, `S${number}`, { remuneration_start_date: '2016-03-02' });
  }
  const { id } = await request();
  const queue = createRepriceQueue(context(), () => Promise.resolve(calendar));
  const run = queue.drain();
  await until('the first price', async () => (await countPrices()) !== 0);
  await manager.query('UPDATE tokenization.reprice_requests SET lease = gen_random_uuid(), due_at = $1', [
    new Date(clock.now().getTime() + 120_000),
  ]);
  await run;
  const left = await countPrices();
  expect(await findRequest(id)).toMatchObject({ prices: null, finishedAt: null });
  clock.advance(121_000);
  await createRepriceQueue(context(), () => Promise.resolve(calendar)).drain();
  expect(await countPrices()).toBeGreaterThan(left);
  expect(await findRequest(id)).toMatchObject({ finishedAt: expect.any(Date) });
});
