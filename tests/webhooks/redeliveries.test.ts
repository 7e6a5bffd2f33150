import { afterAll, describe, expect, test } from '@jest/globals';
import { lowestIdAt } from '../../shared/kernel/ids.js';
import { continueRedelivery } from '../../subgraphs/webhooks/deliveries/deliveries.acts.js';
import { forgetDeliveries } from '../../subgraphs/webhooks/deliveries/delivery.jobs.js';
import { openWebhooks, paid, type Made } from './kit.js';

const kit = await openWebhooks();
afterAll(() => kit.close());
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
const fields = 'id status statuses type matched started finishedAt';

interface Redelivery {
  readonly id: string;
  readonly status: string;
  readonly matched: number;
  readonly started: number;
  readonly finishedAt: string | null;
}

const redeliver = (id: string, filter?: object, owner = 'owner') =>
  kit.run(
    `mutation ($id: ID!, $filter: WebhookRedeliveryFilter) { redeliverWebhookDeliveries(id: $id, filter: $filter) { ${fields} } }`,
    { id, filter },
    kit.developer(owner),
  );
const redelivered = async (id: string, filter?: object) => {
  const { data, error } = await redeliver(id, filter);
  if (error !== undefined) throw new Error(error.message);
  return data?.['redeliverWebhookDeliveries'] as Redelivery;
};
const progress = async (id: string) => {
  const { data } = await kit.run(`query ($id: ID!) { webhook(id: $id) { redeliveries { ${fields} } } }`, { id });
  return (data?.['webhook'] as { redeliveries: Redelivery[] }).redeliveries;
};

/** Redeliveries go on until none can, as the engines do it. */
async function goOn(): Promise<void> {
  let after: string | undefined;
  do after = await continueRedelivery(kit.context, after);
  while (after !== undefined);
}

const add = (id: string, status: string, count: number, type = 'payment.completed', days = 5) =>
  kit.database.dataSource.query(
    `WITH event AS (
       INSERT INTO webhooks.events (id, type, body, created_at)
       SELECT (left(${lowestIdAt('$5::timestamptz')}::text, 14) || right(gen_random_uuid()::text, 22))::uuid, $4, '{}', $5
       FROM generate_series(1, $2::integer) RETURNING id, created_at
     )
     INSERT INTO webhooks.deliveries (event_id, subscription_id, status, created_at)
     SELECT id, $1, $3, created_at FROM event`,
    [id, count, status, type, daysAgo(days)],
  );
const made = () => kit.subscribe('http://127.0.0.1:9/', { events: ['payment.completed', 'payment.overdue'] });

async function statuses(id: string): Promise<Record<string, number>> {
  const rows = await kit.database.dataSource.query<{ status: string; count: number }[]>(
    'SELECT status, count(*)::integer AS count FROM webhooks.deliveries WHERE subscription_id = $1 GROUP BY status',
    [id],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

describe('a redelivery by a filter', () => {
  test('sends what failed or was skipped again; its progress is stored, and each delivery is started once', async () => {
    const { id } = await made();
    await add(id, 'failed', 1_500);
    await add(id, 'skipped', 1_000);
    await add(id, 'delivered', 10);
    expect(await redelivered(id)).toMatchObject({ status: 'RUNNING', matched: 2_500, started: 0, finishedAt: null });
    const first = await continueRedelivery(kit.context, undefined);
    expect(await progress(id)).toEqual([expect.objectContaining({ id: first, status: 'RUNNING', started: 1_000 })]);
    // Those that have failed again meanwhile are behind.
    await kit.database.dataSource.query(
      `UPDATE webhooks.deliveries SET status = 'failed', next_attempt_at = NULL WHERE subscription_id = $1 AND status = 'pending'`,
      [id],
    );
    await Promise.all([goOn(), goOn(), goOn()]);
    await goOn();
    expect(await progress(id)).toEqual([
      expect.objectContaining({ status: 'DONE', matched: 2_500, started: 2_500, finishedAt: expect.any(String) }),
    ]);
    expect(await statuses(id)).toEqual({ failed: 1_000, pending: 1_500, delivered: 10 });
  });

  test('takes those of the statuses, the event and the period alone', async () => {
    const { id } = await made();
    await add(id, 'delivered', 3);
    await add(id, 'delivered', 2, 'payment.overdue');
    await add(id, 'delivered', 4, 'payment.overdue', 20);
    await add(id, 'failed', 5, 'payment.overdue');
    const filter = { statuses: ['DELIVERED'], type: 'payment.overdue', from: daysAgo(10), to: daysAgo(1) };
    expect(await redelivered(id, filter)).toMatchObject({
      matched: 2,
      statuses: ['DELIVERED'],
      type: 'payment.overdue',
    });
    await goOn();
    expect(await statuses(id)).toEqual({ delivered: 7, failed: 5, pending: 2 });
  });

  test('requested again while it runs is the same one; another filter has to wait', async () => {
    const { id } = await made();
    await add(id, 'failed', 10);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => redelivered(id)));
    expect(new Set(outcomes.map((one) => one.id)).size).toBe(1);
    expect((await redeliver(id, { statuses: ['DELIVERED'] })).error?.statusCode).toBe(409);
    await goOn();
    expect((await redelivered(id, { statuses: ['DELIVERED'] })).id).not.toBe(outcomes[0]?.id);
    await goOn();
  });

  test('arrives at the receiver, by an engine', async () => {
    const receiver = await kit.openReceiver();
    const { id } = await kit.subscribe(receiver.url);
    const engine = await kit.openEngine();
    await kit.announce(paid(7));
    await kit.untilDeliveries(id, (all) => all.length === 1 && all[0]?.status === 'DELIVERED');
    await redelivered(id, { statuses: ['DELIVERED'] });
    const [first, second] = await receiver.until(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await engine.stop();
  });

  test('ends with the webhook', async () => {
    const { id } = await made();
    await add(id, 'failed', 10);
    await redelivered(id);
    await kit.run('mutation ($id: ID!) { deleteWebhook(id: $id) }', { id });
    await goOn();
    expect(await statuses(id)).toEqual({ failed: 10 });
    const rows = await kit.database.dataSource.query<object[]>(
      'SELECT status FROM webhooks.redeliveries WHERE subscription_id = $1',
      [id],
    );
    expect(rows).toEqual([{ status: 'ended' }]);
  });

  test('is refused for an invalid filter, for another account’s webhook, and for a deactivated one', async () => {
    const { id } = await made();
    const pathsOf = async (filter: object) => (await redeliver(id, filter)).error?.details?.map(({ path }) => path);
    expect(await pathsOf({ statuses: ['PENDING'], type: 'nope', from: daysAgo(1), to: daysAgo(2) })).toEqual([
      'filter.statuses',
      'filter.type',
      'filter.to',
    ]);
    expect(await pathsOf({ statuses: [] })).toEqual(['filter.statuses']);
    expect(await pathsOf({ to: daysAgo(31) })).toEqual(['filter.to']);
    expect((await redeliver(id, {}, 'someone')).error?.statusCode).toBe(404);
    await kit.database.dataSource.query(`UPDATE webhooks.subscriptions SET status = 'deactivated' WHERE id = $1`, [id]);
    expect((await redeliver(id)).error?.statusCode).toBe(409);
  });

  test('of more than 100,000 deliveries is refused with 422', async () => {
    const { id } = await made();
    await add(id, 'failed', 100_001);
    expect((await redeliver(id)).error).toMatchObject({ statusCode: 422, details: [{ path: 'filter' }] });
  });

  test('is forgotten after 30 days', async () => {
    const { id } = await made();
    await redelivered(id);
    await goOn();
    await kit.database.dataSource.query(
      `UPDATE webhooks.redeliveries SET created_at = created_at - interval '31 days' WHERE subscription_id = $1`,
      [id],
    );
    await forgetDeliveries(kit.context);
    expect(await progress(id)).toEqual([]);
  });
});

describe('the health of a webhook', () => {
  const healthOf = async (id: string) => {
    const { data } = await kit.run(
      `query ($id: ID!) { webhook(id: $id) { health {
        attempts successShare medianMs p95Ms lastSuccessAt lastFailure { at responseStatus error }
      } } }`,
      { id },
    );
    return (data?.['webhook'] as { health: Record<string, unknown> }).health;
  };
  /** Attempts of one delivery, each with its status, duration and age. */
  const attempts = async (id: string, ...all: readonly (readonly [number | null, number, number])[]) => {
    await add(id, 'failed', 1);
    await kit.database.dataSource.query(
      `INSERT INTO webhooks.attempts (event_id, subscription_id, number, url, started_at, duration_ms, response_status, error)
       SELECT event_id, $1, n, 'u', now() - make_interval(hours => hours), ms, code, CASE WHEN code IS NULL THEN 'timeout' END
       FROM webhooks.deliveries, unnest($2::integer[], $3::integer[], $4::integer[]) WITH ORDINALITY AS t(code, ms, hours, n)
       WHERE subscription_id = $1`,
      [id, all.map(([status]) => status), all.map(([, ms]) => ms), all.map(([, , hours]) => hours)],
    );
  };

  test('is the share of successes and the latency of the last day, and the last failure', async () => {
    const { id } = await made();
    await attempts(id, [200, 10, 1], [200, 20, 2], [500, 30, 3], [null, 5_000, 4], [404, 1, 30]);
    expect(await healthOf(id)).toEqual({
      attempts: 4,
      successShare: 0.5,
      medianMs: 20,
      p95Ms: 5_000,
      lastSuccessAt: null,
      lastFailure: { at: expect.any(String), responseStatus: 500, error: null },
    });
  });

  test('of one without attempts is empty', async () => {
    const { id } = await made();
    expect(await healthOf(id)).toEqual({
      attempts: 0,
      successShare: null,
      medianMs: null,
      p95Ms: null,
      lastSuccessAt: null,
      lastFailure: null,
    });
  });
});

describe('the rotation of a secret', () => {
  const rotate = (id: string, overlapHours: number | null) =>
    kit.run(
      'mutation ($id: ID!, $overlapHours: Int) { rotateWebhookSecret(id: $id, overlapHours: $overlapHours) { formerSecretUntil } }',
      { id, overlapHours },
    );

  test.each([
    [0, 0],
    [1, 1],
    [168, 168],
    [null, 24],
  ])('with %s hours lets both secrets sign for %s', async (asked, hours) => {
    const { id } = await made();
    const before = Date.now();
    const { data } = await rotate(id, asked);
    const { formerSecretUntil } = data?.['rotateWebhookSecret'] as { formerSecretUntil: string };
    const overlapMs = Date.parse(formerSecretUntil) - before;
    expect(Math.round(overlapMs / 3_600_000)).toBe(hours);
    const { data: shown } = await kit.run('query ($id: ID!) { webhook(id: $id) { formerSecretUntil } }', { id });
    expect(shown?.['webhook']).toEqual({ formerSecretUntil });
  });

  test('takes 0 to 168 hours', async () => {
    const { id } = await made();
    for (const hours of [-1, 169]) expect((await rotate(id, hours)).error?.statusCode).toBe(400);
  });
});

describe('a replay', () => {
  const replay = (id: string, since = daysAgo(10)) =>
    kit.run('mutation ($id: ID!, $since: DateTime!) { replayWebhook(id: $id, since: $since) { count } }', {
      id,
      since,
    });

  /** A webhook with so many skipped deliveries of one and the same moment. */
  async function missed(count: number): Promise<Made> {
    const made = await kit.subscribe('http://127.0.0.1:9/');
    await add(made.id, 'skipped', count);
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

  test('since a moment that is ahead of our clock by seconds is taken', async () => {
    const { id } = await kit.subscribe('http://127.0.0.1:9/');
    expect((await replay(id, new Date(Date.now() + 3_000).toISOString())).data).toEqual({
      replayWebhook: { count: 0 },
    });
  });

  test('of a later moment, asked for on the way, does not send again what failed before', async () => {
    const { id } = await kit.subscribe('http://127.0.0.1:9/');
    await add(id, 'skipped', 2_500, 'payment.completed', 20);
    await replay(id, daysAgo(25));
    await end(id, 'failed');
    expect((await replay(id, daysAgo(1))).data).toEqual({ replayWebhook: { count: 0 } });
    await goOn();
    expect(await statuses(id)).toEqual({ failed: 1_000, pending: 1_500 });
    expect((await progress(id))[0]).toMatchObject({ status: 'DONE', matched: 2_500, started: 2_500 });
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

  test('is shown with its progress, beside a redelivery by a filter', async () => {
    const { id } = await missed(2_500);
    const { id: filtered } = await redelivered(id, { statuses: ['DELIVERED'] });
    expect((await replay(id)).data).toEqual({ replayWebhook: { count: 2_500 } });
    const [first, ...others] = await progress(id);
    expect(first).toMatchObject({ statuses: ['FAILED', 'SKIPPED'], status: 'RUNNING', matched: 2_500, started: 1_000 });
    expect(others.map((one) => one.id)).toEqual([filtered]);
  });
});
