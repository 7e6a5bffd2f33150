import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { newId } from '../../shared/kernel/ids.js';
import { forgetDeliveries } from '../../subgraphs/webhooks/deliveries/delivery.jobs.js';
import { attempt } from '../../subgraphs/webhooks/engine/attempt.js';
import { claimDue, type Claimed, type Outcome } from '../../subgraphs/webhooks/engine/claim.store.js';
import { settle } from '../../subgraphs/webhooks/engine/engine.js';
import { testKeyRing } from '../kit/context.js';
import { countQueries } from '../kit/count-queries.js';
import { isBlocked } from '../kit/database.js';
import { until } from '../kit/until.js';
import { claimOf, openWebhooks, paid } from './kit.js';

const kit = await openWebhooks();
afterAll(() => kit.close());

/** A webhook of an account of its own, with events that are under way. */
let accounts = 0;
async function underWay(events: number) {
  const owner = `settled-${++accounts}`;
  const principal = kit.developer(owner);
  const { id } = await kit.subscribe('http://127.0.0.1:9/', {}, principal);
  await kit.announce(...Array.from({ length: events }, (_, index) => paid(index, owner)));
  const lease = newId();
  const after = id.replace(/.{12}$/, '0'.repeat(12));
  const claimed = await claimDue(kit.context, claimOf({ lease, limit: events, perSubscription: events, after }));
  const mine = claimed.filter(({ subscriptionId }) => subscriptionId === id);
  expect(mine).toHaveLength(events);
  const status = () => kit.statusOf(id, principal);
  const statuses = async () => (await kit.deliveries(id, principal)).map((one) => one.status);
  return { id, principal, lease, claimed: mine, status, statuses };
}

const ended = (claimed: Claimed | undefined, lease: string, status: number, afterMs: number): Outcome => {
  if (claimed === undefined) throw new Error('Nothing was claimed');
  const delivered = status === 200;
  return {
    claimed,
    lease,
    result: { status, durationMs: afterMs },
    verdict: delivered
      ? { status: 'delivered', failures: 0, byPrevious: false }
      : { status: 'failed', failures: 3, byPrevious: false, deactivates: 'exhausted' },
    endedAt: new Date(claimed.startedAt.getTime() + afterMs),
  };
};

// The first: nothing is to be sent yet.
test('an engine that has nothing to send and no replay to go on with looks each second, and not again and again', async () => {
  const engine = await kit.openEngine();
  const asked = await countQueries(kit.database.dataSource, () => delay(1_500));
  await engine.stop();
  // Two looks of one statement each; one that does not rest makes hundreds.
  expect(asked).toBeLessThan(12);
});

test('a success counts, also when a failure that ended later is written with it', async () => {
  const { claimed, lease, status, statuses } = await underWay(2);
  await settle(kit.context, [ended(claimed[0], lease, 200, 10), ended(claimed[1], lease, 500, 20)]);
  expect((await statuses()).sort()).toEqual(['DELIVERED', 'FAILED']);
  expect(await status()).toBe('ACTIVE');
});

test('a receiver that is gone takes nobody with it whose attempts are written at the same time', async () => {
  const [gone, well, failing, exhausted] = [await underWay(1), await underWay(1), await underWay(1), await underWay(1)];
  const retried = ended(failing.claimed[0], failing.lease, 500, 10);
  await settle(kit.context, [
    {
      ...ended(gone.claimed[0], gone.lease, 410, 10),
      verdict: { status: 'failed', failures: 1, byPrevious: false, deactivates: 'gone' },
    },
    ended(well.claimed[0], well.lease, 200, 10),
    { ...retried, verdict: { status: 'pending', failures: 1, byPrevious: false, waitMs: 60_000 } },
    ended(exhausted.claimed[0], exhausted.lease, 500, 10),
  ]);
  const all = [gone, well, failing, exhausted];
  expect(await Promise.all(all.map(({ status }) => status()))).toEqual([
    'DEACTIVATED',
    'ACTIVE',
    'ACTIVE',
    'DEACTIVATED',
  ]);
  expect((await Promise.all(all.map(({ statuses }) => statuses()))).flat()).toEqual([
    'FAILED',
    'DELIVERED',
    'PENDING',
    'FAILED',
  ]);
  const told = await kit.database.dataSource.query<{ key: string; reason: string }[]>(
    `SELECT key, payload->'data'->>'reason' AS reason FROM shared.outbox
     WHERE topic = 'webhook.deactivated' AND key = ANY ($1)`,
    [all.map(({ id }) => id)],
  );
  expect(new Map(told.map(({ key, reason }) => [key, reason]))).toEqual(
    new Map([
      [gone.id, 'GONE'],
      [exhausted.id, 'FAILED'],
    ]),
  );
});

test('a last attempt whose lease is no longer held deactivates nothing', async () => {
  const { claimed, status, statuses } = await underWay(1);
  await settle(kit.context, [ended(claimed[0], newId(), 500, 10)]);
  expect(await status()).toBe('ACTIVE');
  expect(await statuses()).toEqual(['PENDING']);
});

test('what cannot be signed was not attempted: it waits as it did, and counts against nobody', async () => {
  const { id, claimed, lease, principal } = await underWay(1);
  const [one] = claimed;
  if (one === undefined) throw new Error('Nothing was claimed');
  const sender = { send: () => Promise.reject(new Error('It was sent')), close: () => Promise.resolve() };
  const parts = { keyRing: testKeyRing, sender, retryDelaysMs: [1_000], chance: () => 0 };
  await settle(kit.context, [
    await attempt(kit.context, parts, { ...one, secret: Buffer.from('nonsense') }, lease),
    await attempt(kit.context, parts, { ...one, secret: Buffer.from('nonsense') }, newId()),
  ]);
  expect(await kit.deliveries(id, principal)).toMatchObject([{ status: 'PENDING', attempts: [] }]);
  const [row] = await kit.database.dataSource.query<unknown[]>(
    `SELECT delivery.attempts, failures, begun_at, lease, failing, subscription.status
     FROM webhooks.deliveries AS delivery JOIN webhooks.subscriptions AS subscription ON subscription.id = subscription_id
     WHERE subscription_id = $1`,
    [id],
  );
  const untouched = { attempts: 0, failures: 0, begun_at: null, lease: null };
  expect(row).toEqual({ ...untouched, failing: false, status: 'active' });
});

test('what waits for a webhook that is deactivated or deleted is skipped by the retention, but for what is under way', async () => {
  const [lost, live, deleted] = [await underWay(1), await underWay(1), await underWay(1)];
  const { dataSource } = kit.database;
  await dataSource.query(`UPDATE webhooks.subscriptions SET status = 'deactivated' WHERE id = ANY ($1::uuid[])`, [
    [lost.id, live.id],
  ]);
  await kit.run('mutation ($id: ID!) { deleteWebhook(id: $id) }', { id: deleted.id }, deleted.principal);
  await dataSource.query(
    `UPDATE webhooks.deliveries SET next_attempt_at = now() - interval '1 second' WHERE subscription_id = ANY ($1::uuid[])`,
    [[lost.id, deleted.id]],
  );
  await forgetDeliveries(kit.context);
  const rows = await dataSource.query<{ status: string; lease: string | null }[]>(
    'SELECT status, lease FROM webhooks.deliveries WHERE subscription_id = ANY ($1::uuid[])',
    [[lost.id, deleted.id]],
  );
  expect(rows).toEqual([
    { status: 'skipped', lease: null },
    { status: 'skipped', lease: null },
  ]);
  expect(await live.statuses()).toEqual(['PENDING']);
});

/** Whether a statement under way ends by itself, rather than waits for a lock that another transaction holds. */
async function endsByItself(work: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  const over = () => (isOver = true);
  void work.then(over, over);
  await until('the statement to end or to wait', () => isOver || isBlocked(kit.database.dataSource));
  return isOver;
}

/** Begins a transaction that holds a webhook as every act on one does, before anything else. */
async function holding(id: string) {
  const runner = kit.database.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query('SELECT FROM webhooks.subscriptions WHERE id = $1 FOR NO KEY UPDATE', [id]);
  return {
    query: (text: string) => runner.query(text, [id]),
    commit: async () => {
      await runner.commitTransaction();
      await runner.release();
    },
  };
}

test('an outcome that changes nothing about its webhook waits for nobody who holds the webhook', async () => {
  const { id, claimed, lease, statuses } = await underWay(2);
  await settle(kit.context, [ended(claimed[0], lease, 200, 10)]);
  const holder = await holding(id);
  const written = settle(kit.context, [ended(claimed[1], lease, 200, 20)]);
  const byItself = await endsByItself(written);
  await holder.commit();
  await written;
  expect(byItself).toBe(true);
  expect(await statuses()).toEqual(['DELIVERED', 'DELIVERED']);
});

test('a last attempt waits for who holds its webhook before it takes the delivery: none waits for the other in a ring', async () => {
  const { id, claimed, lease, status, statuses } = await underWay(2);
  const retried = ended(claimed[0], lease, 500, 10);
  await settle(kit.context, [
    { ...retried, verdict: { status: 'pending', failures: 1, byPrevious: false, waitMs: 60_000 } },
  ]);
  const holder = await holding(id);
  const written = settle(kit.context, [ended(claimed[1], lease, 500, 20)]);
  expect(await endsByItself(written)).toBe(false);
  await holder.query('UPDATE webhooks.deliveries SET failures = failures WHERE subscription_id = $1');
  await holder.commit();
  await written;
  expect(await status()).toBe('DEACTIVATED');
  expect((await statuses()).sort()).toEqual(['FAILED', 'SKIPPED']);
});

test('what could not be signed is skipped where its webhook is deactivated meanwhile', async () => {
  const { id, claimed, lease, statuses } = await underWay(1);
  const [one] = claimed;
  if (one === undefined) throw new Error('Nothing was claimed');
  const holder = await holding(id);
  await holder.query(`UPDATE webhooks.subscriptions SET status = 'deactivated' WHERE id = $1`);
  const written = settle(kit.context, [{ claimed: one, lease, result: undefined, cause: new Error('sealed') }]);
  await endsByItself(written);
  await holder.commit();
  await written;
  expect(await statuses()).toEqual(['SKIPPED']);
});

test('an event that comes in while its webhook is being deactivated is skipped', async () => {
  const owner = 'meanwhile';
  const principal = kit.developer(owner);
  const { id } = await kit.subscribe('http://127.0.0.1:9/', {}, principal);
  const holder = await holding(id);
  await holder.query(`UPDATE webhooks.subscriptions SET status = 'deactivated' WHERE id = $1`);
  const announced = kit.announce(paid(1, owner));
  await endsByItself(announced);
  await holder.commit();
  await announced;
  expect((await kit.deliveries(id, principal)).map(({ status }) => status)).toEqual(['SKIPPED']);
});

test('of deliveries under one lease each gets its own outcome: by its event and its subscription', async () => {
  const owner = `settled-${++accounts}`;
  const principal = kit.developer(owner);
  const [a, b] = [
    await kit.subscribe('http://127.0.0.1:9/a', {}, principal),
    await kit.subscribe('http://127.0.0.1:9/b', {}, principal),
  ];
  await kit.announce(paid(1, owner), paid(2, owner));
  const lease = newId();
  const all = await claimDue(kit.context, claimOf({ lease, limit: 100, perSubscription: 2 }));
  const claimed = all.filter(({ subscriptionId }) => [a.id, b.id].includes(subscriptionId));
  expect(claimed).toHaveLength(4);
  const [first, second] = [...new Set(claimed.map(({ eventId }) => eventId))].sort();
  const of = (webhook: string, event: string | undefined) =>
    claimed.find(({ subscriptionId, eventId }) => subscriptionId === webhook && eventId === event);
  const known = async () =>
    Object.fromEntries(
      (
        await Promise.all(
          [a, b].map(async ({ id }, index) =>
            (await kit.deliveries(id, principal)).map((one) => {
              const name = `${index === 0 ? 'a' : 'b'} ${one.eventId === first ? 1 : 2}`;
              return [name, [one.status, one.attempts[0]?.responseStatus, one.attempts[0]?.durationMs]] as const;
            }),
          ),
        )
      ).flat(),
    );
  const waiting = ['PENDING', null, null];

  await settle(kit.context, [ended(of(a.id, first), lease, 200, 11)]);
  expect(await known()).toEqual({ 'a 1': ['DELIVERED', 200, 11], 'a 2': waiting, 'b 1': waiting, 'b 2': waiting });

  const retried: Outcome = {
    ...ended(of(a.id, second), lease, 500, 12),
    verdict: { status: 'pending', failures: 1, byPrevious: false, waitMs: 60_000 },
  };
  const failed: Outcome = {
    ...ended(of(b.id, second), lease, 501, 14),
    verdict: { status: 'failed', failures: 3, byPrevious: false },
  };
  await settle(kit.context, [failed, ended(of(b.id, first), lease, 200, 13), retried]);
  expect(await known()).toEqual({
    'a 1': ['DELIVERED', 200, 11],
    'a 2': ['PENDING', 500, 12],
    'b 1': ['DELIVERED', 200, 13],
    'b 2': ['FAILED', 501, 14],
  });
});
