import { afterAll, expect, test } from '@jest/globals';
import { claimDue, type Lane, settleAttempts } from '../../subgraphs/webhooks/engine/claim.store.js';
import { forgetDeliveries } from '../../subgraphs/webhooks/deliveries/delivery.jobs.js';
import { watchStatements, type Statement } from '../kit/count-queries.js';
import { claimOf, openWebhooks, paid } from './kit.js';

let statements: Statement[] = [];

const kit = await openWebhooks();
const id = (await kit.subscribe('http://127.0.0.1:9/')).id;
await kit.database.asOwner(`
    INSERT INTO webhooks.subscriptions (id, owner_id, url, events, secret, status, created_at)
      SELECT gen_random_uuid(), 'owner-' || n, 'https://receiver.example/', ARRAY[CASE WHEN n % 50 = 0 THEN 'payment.completed' ELSE 'order.filled' END], '\\x00', 'active', now()
      FROM generate_series(1, 5000) n;
    INSERT INTO webhooks.events (id, type, body, created_at)
      SELECT (lpad(to_hex((extract(epoch FROM now() - n * interval '1 minute') * 1000)::bigint), 12, '0') || right(replace(gen_random_uuid()::text, '-', ''), 20))::uuid,
        'payment.completed', '{}', now() - n * interval '1 minute' FROM generate_series(1, 40000) n;
    INSERT INTO webhooks.deliveries (event_id, subscription_id, status, next_attempt_at, attempts, created_at)
      SELECT event.id, subscription.id, status, CASE status WHEN 'pending' THEN now() - interval '1 minute' END, 1, event.created_at
      FROM (SELECT id, created_at, CASE WHEN random() < 0.01 THEN 'pending' WHEN random() < 0.02 THEN 'skipped' ELSE 'delivered' END AS status FROM webhooks.events) event
      CROSS JOIN (SELECT id FROM webhooks.subscriptions WHERE events @> ARRAY['payment.completed'] LIMIT 5) subscription;
    INSERT INTO webhooks.attempts (event_id, subscription_id, number, url, started_at, duration_ms, response_status)
      SELECT event_id, subscription_id, 1, 'https://receiver.example/', now(), 10, 200 FROM webhooks.deliveries;
    ANALYZE webhooks.subscriptions, webhooks.events, webhooks.deliveries, webhooks.attempts;
  `);
watchStatements(kit.database.dataSource, (one) => statements.push(one));
afterAll(() => kit.close());

/** The tables of webhooks with many rows: one with few is read as fast by its pages as by an index. */
async function largeTables(most: number): Promise<ReadonlySet<string>> {
  const rows = await kit.database.dataSource.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'webhooks'::regnamespace AND relkind = 'r' AND reltuples > $1`,
    [most],
  );
  return new Set(rows.map(({ name }) => name));
}

/** The statements of some work that read a table of webhooks from end to end. */
async function scansOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  statements = [];
  await work();
  const ran = statements.filter(
    ({ text }) => /^\s*(SELECT|UPDATE|DELETE|INSERT|WITH)/.test(text) && text.includes('webhooks.'),
  );
  expect(ran).not.toEqual([]);
  const scanned = new RegExp(`Seq Scan on (${[...(await largeTables(1000))].join('|')}) `);
  const scans: string[] = [];
  for (const { text, values } of ran) {
    const rows = await kit.database.dataSource.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, [...values]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    if (scanned.test(`${plan} `)) scans.push(`${text}\n${plan}`);
  }
  return scans;
}

test('an event finds its subscriptions by an index', async () => {
  expect(await scansOf(() => kit.announce(paid(1)))).toEqual([]);
});

test('due deliveries are claimed and settled by indexes, however many have ended', async () => {
  const lanes: Lane[] = ['first', 'later'];
  for (const lane of lanes) {
    const claim = claimOf({ lane, underWay: new Map([[id, 3]]), after: id });
    const claimed = await claimDue(kit.context, claim);
    if (lane === 'first') expect(claimed.length).toBe(50);
    expect(await scansOf(() => claimDue(kit.context, claim))).toEqual([]);
    const outcomes = claimed.map((one) => ({
      claimed: one,
      lease: claim.lease,
      result: { status: 200, response: 'ok', durationMs: 1 },
      verdict: { status: 'delivered', failures: 0, byPrevious: false } as const,
      endedAt: new Date(),
    }));
    if (outcomes.length > 0) expect(await scansOf(() => settleAttempts(kit.context, outcomes))).toEqual([]);
  }
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many rows of deliveries a plan looked at. */
function lookedAt(node: PlanNode, large: ReadonlySet<string>): number {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const below = (node.Plans ?? []).map((one) => lookedAt(one, large));
  const name = node['Relation Name'] ?? '';
  return below.reduce((sum, rows) => sum + rows, name.startsWith('deliveries') && large.has(name) ? own : 0);
}

/** How many deliveries a claim of a lane looks at. */
async function look(lane: Lane): Promise<number> {
  statements = [];
  await claimDue(kit.context, claimOf({ lane, after: id }));
  const [{ text, values } = { text: '', values: [] }] = statements;
  const rows = await kit.database.dataSource.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
    [...values],
  );
  const [found] = rows;
  if (found === undefined) throw new Error('There is no plan');
  return lookedAt(found['QUERY PLAN'][0].Plan, await largeTables(5000));
}

test('neither lane looks at what waits for the other, however much that is', async () => {
  const { dataSource } = kit.database;
  await kit.database.asOwner(`UPDATE webhooks.subscriptions SET failing = false`);
  // Some two thousand wait.
  expect(await look('later')).toBeLessThan(500);
  await kit.database.asOwner(`
    UPDATE webhooks.deliveries SET status = 'pending', next_attempt_at = now() - interval '1 minute', lease = NULL, failures = 0
      WHERE subscription_id IN (SELECT subscription_id FROM webhooks.deliveries GROUP BY 1 ORDER BY count(*) DESC LIMIT 2);
    ANALYZE webhooks.deliveries`);
  // One for each subscription that something waits for.
  expect(await look('later')).toBeLessThan(500);
  await dataSource.query(`UPDATE webhooks.deliveries SET failures = 1 WHERE status = 'pending'`);
  expect(await look('first')).toBeLessThan(500);
});

test('what waits for a later time costs a claim some 200 of it, however many webhooks it is of', async () => {
  await kit.database.asOwner(`
    UPDATE webhooks.deliveries SET next_attempt_at = now() + interval '1 day' WHERE status = 'pending';
    INSERT INTO webhooks.deliveries (event_id, subscription_id, status, next_attempt_at, failures, attempts, created_at)
      SELECT event.id, subscription.id, 'pending', now() + interval '1 day', 3, 3, now()
      FROM (SELECT id FROM webhooks.subscriptions WHERE owner_id LIKE 'owner-%' ORDER BY id LIMIT 1000) AS subscription
        CROSS JOIN (SELECT id FROM webhooks.events ORDER BY id LIMIT 1) AS event
      ON CONFLICT DO NOTHING;
    ANALYZE webhooks.deliveries`);
  for (const lane of ['first', 'later'] as const) expect(await look(lane)).toBeLessThan(250);
});

test('what an owner asks for is found by indexes', async () => {
  const read = `{ webhooks { count items { health { attempts lastFailure { at } } redeliveries { id } } } webhookDeliveries(id: "${id}") { count items { id attempts { number } } } }`;
  expect(await scansOf(() => kit.run(read))).toEqual([]);
  const [{ id: event } = { id: '' }] = await kit.deliveries(id);
  expect(event).not.toBe('');
  for (const act of [
    `redeliverWebhook(id: "${id}", deliveryId: "${event}") { id }`,
    `replayWebhook(id: "${id}", since: "${new Date(Date.now() - 20 * 86_400_000).toISOString()}") { count }`,
    `testWebhook(id: "${id}") { id }`,
    `rotateWebhookSecret(id: "${id}") { id }`,
    `redeliverWebhookDeliveries(id: "${id}", filter: { statuses: [FAILED] }) { id }`,
    `deleteWebhook(id: "${id}")`,
  ]) {
    expect(await scansOf(() => kit.run(`mutation { ${act} }`))).toEqual([]);
  }
});

test('what is older than thirty days is forgotten by indexes, but for what still waits', async () => {
  const count = async () =>
    (
      await kit.database.dataSource.query<{ events: number; waiting: number }[]>(
        `SELECT (SELECT count(*) FROM webhooks.events WHERE created_at < now() - interval '30 days')::integer AS events,
           (SELECT count(DISTINCT event_id) FROM webhooks.deliveries
            WHERE status = 'pending' AND created_at < now() - interval '30 days')::integer AS waiting`,
      )
    )[0];
  await kit.database.asOwner(
    `UPDATE webhooks.events SET created_at = created_at - interval '28 days' WHERE created_at < now() - interval '20 days';
     UPDATE webhooks.deliveries SET created_at = event.created_at FROM webhooks.events AS event WHERE event.id = event_id;
     ANALYZE webhooks.events, webhooks.deliveries`,
  );
  expect((await count())?.events).toBeGreaterThan(5_000);
  const scans = await scansOf(() => forgetDeliveries(kit.context));
  // Deleted subscriptions are so few that PostgreSQL may read them all.
  expect(scans.filter((scan) => !scan.includes('DELETE FROM webhooks.subscriptions'))).toEqual([]);
  const left = await count();
  expect(left?.events).toBe(left?.waiting);
});
