import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { continueReplay } from '../../subgraphs/webhooks/deliveries/replay.js';
import { openWebhooks, paid, type Made, type WebhooksKit } from './kit.js';

let kit: WebhooksKit;
beforeAll(async () => {
  kit = await openWebhooks();
});
afterAll(() => kit.close());

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

const replay = (id: string, since = daysAgo(10)) =>
  kit.run('mutation ($id: ID!, $since: DateTime!) { replayWebhook(id: $id, since: $since) { count } }', { id, since });

/** Replays go on until none can, as the engines do it. */
async function goOn(): Promise<void> {
  let after: string | undefined;
  do after = await continueReplay(kit.context, after);
  while (after !== undefined);
}

/** A webhook with so many skipped deliveries of one and the same moment. */
async function missed(count: number): Promise<Made> {
  const made = await kit.subscribe('http://127.0.0.1:9/');
  await kit.database.dataSource.query(
    `WITH event AS (
       INSERT INTO webhooks.events (id, type, body, created_at)
       SELECT gen_random_uuid(), 'payment.completed', '{}', now() - interval '5 days' FROM generate_series(1, $2::integer)
       RETURNING id, created_at
     )
     INSERT INTO webhooks.deliveries (event_id, subscription_id, status, created_at)
     SELECT id, $1, 'skipped', created_at FROM event`,
    [made.id, count],
  );
  return made;
}

test('what a webhook asks for no longer is not sent: neither what waits, nor what failed, nor by a replay', async () => {
  const { id } = await missed(2);
  const set = (events: readonly string[]) =>
    kit.run('mutation ($id: ID!, $events: [String!]!) { updateWebhook(id: $id, events: $events) { id } }', {
      id,
      events,
    });
  await kit.announce(paid(1));
  expect(await statuses(id)).toEqual({ skipped: 2, pending: 1 });
  await set(['order.filled']);
  expect(await statuses(id)).toEqual({ skipped: 3 });
  expect((await replay(id)).data).toEqual({ replayWebhook: { count: 0 } });
  const many = 'mutation ($id: ID!) { redeliverWebhookDeliveries(id: $id, filter: {}) { matched } }';
  expect((await kit.run(many, { id })).data).toEqual({ redeliverWebhookDeliveries: { matched: 0 } });
  await goOn();
  expect(await statuses(id)).toEqual({ skipped: 3 });
  await set(['order.filled', 'payment.completed']);
  expect((await replay(id)).data).toEqual({ replayWebhook: { count: 3 } });
  await goOn();
  expect(await statuses(id)).toEqual({ pending: 3 });
});

async function statuses(id: string): Promise<Record<string, number>> {
  const rows = await kit.database.dataSource.query<{ status: string; count: number }[]>(
    'SELECT status, count(*)::integer AS count FROM webhooks.deliveries WHERE subscription_id = $1 GROUP BY status',
    [id],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Lets what waits end. */
const end = (id: string, status: 'delivered' | 'failed') =>
  kit.database.dataSource.query(
    `UPDATE webhooks.deliveries SET status = $2, next_attempt_at = NULL WHERE subscription_id = $1 AND status = 'pending'`,
    [id, status],
  );

test.each([
  ['a moment to come', -1],
  ['what is older than the 30 days that are kept', 31],
])('of %s is refused, with the reason', async (_what, days) => {
  const { id } = await kit.subscribe('http://127.0.0.1:9/');
  const { error } = await replay(id, daysAgo(days));
  expect(error).toMatchObject({ statusCode: 422, details: [{ path: 'since' }] });
  expect(error?.details?.[0]?.message).toContain(days < 0 ? 'future' : '30 days');
});

test('of all that is kept is taken', async () => {
  const { id } = await kit.subscribe('http://127.0.0.1:9/');
  expect((await replay(id, daysAgo(30))).data).toEqual({ replayWebhook: { count: 0 } });
});

test('of much begins at once and goes on behind the answer, each delivery once, whoever does it', async () => {
  const { id } = await missed(2_500);
  expect((await replay(id)).data).toEqual({ replayWebhook: { count: 2_500 } });
  expect(await statuses(id)).toEqual({ pending: 1_000, skipped: 1_500 });
  // What has failed again meanwhile is behind.
  await end(id, 'failed');
  await Promise.all([goOn(), goOn()]);
  await goOn();
  expect(await statuses(id)).toEqual({ failed: 1_000, pending: 1_500 });
  await goOn();
  expect(await statuses(id)).toEqual({ failed: 1_000, pending: 1_500 });
});

test('that is asked for again on the way covers both', async () => {
  const { id } = await missed(2_500);
  await replay(id);
  await end(id, 'failed');
  expect((await replay(id)).data).toEqual({ replayWebhook: { count: 2_500 } });
  await goOn();
  expect(await statuses(id)).toEqual({ pending: 2_500 });
});

test('pauses while thousands wait, and lets the others go on', async () => {
  const [large, other] = [await missed(9_000), await missed(2_500)];
  for (const { id } of [large, other]) await replay(id);
  await goOn();
  expect(await statuses(other.id)).toEqual({ pending: 2_500 });
  expect(await statuses(large.id)).toEqual({ pending: 6_000, skipped: 3_000 });
  await end(large.id, 'delivered');
  await goOn();
  expect(await statuses(large.id)).toEqual({ delivered: 6_000, pending: 3_000 });
});

test('ends with a deactivation', async () => {
  const { id } = await missed(2_500);
  await replay(id);
  await kit.run('mutation ($id: ID!) { deleteWebhook(id: $id) }', { id });
  await goOn();
  expect(await statuses(id)).toEqual({ skipped: 2_500 });
});
