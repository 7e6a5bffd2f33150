import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import type { Clock } from '../../kernel/clock.js';
import { inTransaction } from '../../database/transaction.js';
import { newId } from '../../kernel/ids.js';
import { quarantineWork, retryWork } from './steer-items.js';
import { watched } from './watched-queue.js';
import { countWork } from './watched-queue.store.js';
import { claimItems, endClaim, type WorkTable } from './work-items.store.js';

const items: WorkTable = {
  table: 'public.steered',
  as: 'item',
  key: 'id',
  dueAt: 'due_at',
  leasedUntil: 'due_at',
  isOpen: 'done_at IS NULL AND quarantined_at IS NULL',
  onClaim: 'attempts = item.attempts + 1',
  columns: 'item.id',
};
const queue = watched(items, {
  name: 'steered',
  isFailing: 'item.last_error IS NOT NULL',
  attempts: 'item.attempts',
  lastError: 'item.last_error',
  topic: 'steered.due',
  hasUuids: false,
  canRetry: true,
  canQuarantine: true,
});

const database = await openTestDatabase({ poolSize: 16 });
await database.asOwner(
  `CREATE TABLE public.steered (id text PRIMARY KEY, due_at timestamptz NOT NULL, lease uuid, last_error text,
       attempts integer NOT NULL DEFAULT 0, done_at timestamptz, quarantined_at timestamptz)`,
);
const clock: Clock = { now: () => new Date(), followsDatabase: true };
const context = testContext({ manager: database.dataSource.manager, clock });
afterAll(() => database.close());
beforeEach(() => database.asOwner('TRUNCATE public.steered'));

async function addFailing(...ids: readonly string[]): Promise<void> {
  await context.manager.execute(
    `INSERT INTO public.steered (id, due_at, attempts, last_error)
     SELECT id, now() + interval '1 hour', 1, 'no luck' FROM unnest($1::text[]) AS id`,
    [ids],
  );
}
const claim = (limit = 100, leaseMs = 60_000, lease = newId()) =>
  claimItems<{ id: string }>(context, items, { lease, leaseMs, limit });
const retry = (id: string | null = null) =>
  inTransaction(context, (tx) => retryWork(tx, queue, { action: 'retryPlatformWork', id }));
const hold = (id: string) =>
  inTransaction(context, (tx) =>
    quarantineWork(tx, queue, { action: 'quarantinePlatformWork', id, reason: 'Kills the worker' }),
  );
const conflict = expect.objectContaining({ code: 'CONFLICT' });

describe('a retry', () => {
  test('makes what failed due at once, and leaves the rest alone', async () => {
    await addFailing('a', 'b');
    await context.manager.execute(
      `INSERT INTO public.steered (id, due_at) VALUES ('grace', now() + interval '1 hour'), ('due', now())`,
    );
    expect(await claim()).toEqual([{ id: 'due' }]);
    expect(await retry()).toBe(2);
    expect(await countWork(context, queue)).toMatchObject({ due: 2, claimed: 1, waiting: 1, failing: 2 });
    expect(await retry()).toBe(0);
    await expect(retry('grace')).rejects.toEqual(conflict);
    await expect(retry('due')).rejects.toEqual(conflict);
    await expect(retry('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('of two operators at once makes each item due once, and each item is worked on once', async () => {
    const ids = Array.from({ length: 40 }, (_, at) => `item-${at}`);
    await addFailing(...ids);
    const retries = Array.from({ length: 6 }, () => retry());
    const claims = Array.from({ length: 6 }, () => claim(10));
    const counted = await Promise.all(retries);
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(40);
    const early = (await Promise.all(claims)).flat();
    const late = await claim();
    expect([...early, ...late].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  test('tells the workers after its commit', async () => {
    await addFailing('a');
    let due: unknown;
    const stop = await context.bus.listen('steered.due', () => {
      due ??= claim();
    });
    await retry('a');
    expect(await due).toEqual([{ id: 'a' }]);
    await stop();
  });

  test('that is rolled back changes nothing', async () => {
    await addFailing('a');
    const failing = inTransaction(context, async (tx) => {
      await retryWork(tx, queue, { action: 'retryPlatformWork', id: null });
      throw new Error('killed here');
    });
    await expect(failing).rejects.toThrow('killed here');
    expect(await claim()).toEqual([]);
  });
});

describe('a quarantine', () => {
  test('fences off a worker whose lease has run out', async () => {
    await addFailing('a');
    await retry();
    const lease = newId();
    await claim(1, -1, lease);
    await hold('a');
    expect(await endClaim(context, items, { id: 'a', lease }, { set: `done_at = now()` })).toBe(false);
    expect(await countWork(context, queue)).toMatchObject({ quarantined: 1 });
  });

  test('and a claim at the same moment exclude each other', async () => {
    for (let round = 0; round < 30; round++) {
      const id = `round-${round}`;
      await addFailing(id);
      await context.manager.execute(`UPDATE public.steered SET due_at = now() WHERE id = $1`, [id]);
      const [claimed, held] = await Promise.all([claim(), hold(id).then(Boolean, () => false)]);
      const isClaimed = claimed.some((item) => item.id === id);
      const [row] = await context.manager.rows<{ held: boolean }>(
        'SELECT quarantined_at IS NOT NULL AS held FROM public.steered WHERE id = $1',
        [id],
      );
      expect([isClaimed, held]).toEqual([isClaimed, row?.held]);
      // Each may find the row locked by the other, but never do both succeed.
      expect(isClaimed && held).toBe(false);
    }
  });
});

test('acts on items are in the audit log, with what they did', async () => {
  await addFailing('a', 'b');
  await retry();
  await context.manager.execute(`UPDATE public.steered SET due_at = now() + interval '1 hour'`);
  await hold('a');
  expect(
    await context.manager.rows(
      `SELECT action, subject_id AS subject, after, reason FROM shared.audit_log
       WHERE subject_type = 'workQueue' AND (subject_id = 'steered a' OR action = 'retryPlatformWork') ORDER BY at DESC LIMIT 2`,
    ),
  ).toEqual([
    {
      action: 'quarantinePlatformWork',
      subject: 'steered a',
      after: { quarantined: true, isNew: true },
      reason: 'Kills the worker',
    },
    {
      action: 'retryPlatformWork',
      subject: 'steered',
      after: { retried: 2, items: expect.arrayContaining(['a', 'b']) },
      reason: null,
    },
  ]);
});
