import { afterAll, describe, expect, test } from '@jest/globals';
import { fixedClock } from '../kit/clock.js';
import { addUpAllTallies } from '../../subgraphs/webhooks/deliveries/delivery.jobs.js';
import { forgetDeliveries } from '../../subgraphs/webhooks/deliveries/delivery.jobs.js';
import { countQueries } from '../kit/count-queries.js';
import { openWebhooks, paid } from './kit.js';
import { readAll, type Page } from '../kit/pages.js';

const statuses = ['PENDING', 'DELIVERED', 'FAILED', 'SKIPPED'];

// No engine runs: the tests write the statuses of deliveries.
const kit = await openWebhooks();
const first = await kit.subscribe('https://first.example/hook');
const second = await kit.subscribe('https://second.example/hook');
await kit.announce(...Array.from({ length: 12 }, (_, number) => paid(number)));
// Of the first webhook each status has three deliveries; those of the second stay pending.
await kit.database.dataSource.query(
  `UPDATE webhooks.deliveries AS delivery SET status = ($2::text[])[1 + numbered.place % 4],
       next_attempt_at = CASE WHEN numbered.place % 4 = 0 THEN next_attempt_at END
     FROM (SELECT event_id, row_number() OVER (ORDER BY event_id) - 1 AS place FROM webhooks.deliveries
           WHERE subscription_id = $1) AS numbered
     WHERE delivery.subscription_id = $1 AND delivery.event_id = numbered.event_id`,
  [first.id, statuses.map((status) => status.toLowerCase())],
);
afterAll(() => kit.close());

type Listed = Page<{ readonly id: string; readonly eventId: string; readonly status: string }>;

const text = `query ($status: WebhookDeliveryStatus, $first: Int, $after: String) {
  webhooks { items { id deliveries(status: $status, first: $first, after: $after) {
    nodes { id eventId status attempts { number } } totalCount pageInfo { hasNextPage endCursor }
  } } } }`;

const one = (id: string) => text.replace('webhooks { items { id', `webhook(id: "${id}") {`).replace(/\} \} \}$/, '} }');

async function listsOf(variables: Record<string, unknown> = {}): Promise<readonly Listed[]> {
  const { data, error } = await kit.run(text, variables);
  expect(error).toBeUndefined();
  return (data?.['webhooks'] as { items: { deliveries: Listed }[] }).items.map(({ deliveries }) => deliveries);
}

async function listOf(id: string, variables: Record<string, unknown>): Promise<Listed> {
  const { data, error } = await kit.run(one(id), variables);
  expect(error).toBeUndefined();
  return (data?.['webhook'] as { deliveries: Listed }).deliveries;
}

describe('deliveries of one event to two webhooks', () => {
  test('have ids of their own, and the same event', async () => {
    const [ofFirst, ofSecond] = await listsOf();
    expect(ofFirst?.nodes.map(({ eventId }) => eventId)).toEqual(ofSecond?.nodes.map(({ eventId }) => eventId));
    const ids = [...(ofFirst?.nodes ?? []), ...(ofSecond?.nodes ?? [])].map(({ id }) => id);
    expect(new Set(ids).size).toBe(24);
    expect(ofSecond?.nodes.every(({ id, eventId }) => id === `${second.id}_${eventId}`)).toBe(true);
  });

  test('are read for all webhooks at once, with their attempts', async () => {
    const alone = await countQueries(kit.database.dataSource, () => listOf(first.id, {}));
    const together = await countQueries(kit.database.dataSource, () => listsOf());
    expect(together).toBe(alone);
  });
});

describe('a status', () => {
  test.each(statuses)('narrows deliveries and their number: %s', async (status) => {
    const all = await listOf(first.id, {});
    const { nodes, totalCount } = await listOf(first.id, { status });
    expect(nodes).toEqual(all.nodes.filter((node) => node.status === status));
    expect(nodes).toHaveLength(3);
    expect(totalCount).toBe(3);
    expect(all.totalCount).toBe(12);
    const root = `query ($id: ID!, $status: WebhookDeliveryStatus) {
      webhookDeliveries(id: $id, status: $status) { items { id } count } }`;
    expect((await kit.run(root, { id: first.id, status })).data).toEqual({
      webhookDeliveries: { items: nodes.map(({ id }) => ({ id })), count: 3 },
    });
  });

  test.each([undefined, 'FAILED'])('is kept from page to page: %s', async (status) => {
    const whole = (await listOf(first.id, { status })).nodes;
    const pages = await readAll((after) => listOf(first.id, { status, first: 2, after }));
    expect(pages).toEqual(whole);
  });

  test('belongs to a cursor, as the webhook does', async () => {
    const { pageInfo } = await listOf(first.id, { status: 'FAILED', first: 1 });
    const after = pageInfo.endCursor;
    const wrong: readonly [string, Record<string, unknown>][] = [
      [first.id, { after }],
      [first.id, { after, status: 'SKIPPED' }],
      [second.id, { after, status: 'FAILED' }],
      [first.id, { first: 0 }],
      [first.id, { first: 101 }],
    ];
    for (const [id, variables] of wrong) {
      const { error } = await kit.run(one(id), variables);
      expect(error).toMatchObject({
        statusCode: 400,
        details: [{ path: 'after' in variables ? 'after' : 'first' }],
      });
    }
  });
});

const dayMs = 86_400_000;
const inDays = (days: number) => fixedClock(new Date(Date.now() + days * dayMs).toISOString());

const countOf = async (id: string, status = '') => {
  const { data } = await kit.run(`{ webhookDeliveries(id: "${id}"${status}) { count } }`);
  return (data as { webhookDeliveries: { count: number } }).webhookDeliveries.count;
};
const rowsOf = (table: string) =>
  kit.context.manager.countRows(`SELECT count(*)::integer AS count FROM webhooks.${table}`);
const settle = () =>
  kit.context.manager.execute(`UPDATE webhooks.deliveries SET status = 'delivered', next_attempt_at = NULL`);

test('numbers of deliveries are exact while they are added up, and when others write at the same time', async () => {
  const [{ id }, other] = [await kit.subscribe('http://127.0.0.1:9/'), await kit.subscribe('http://127.0.0.1:9/')];
  const counts = async () => [await countOf(id), await countOf(other.id)];
  await kit.announce(paid(1), paid(2));
  expect(await counts()).toEqual([2, 2]);
  await Promise.all([addUpAllTallies(kit.context), addUpAllTallies(kit.context), kit.announce(paid(3))]);
  expect(await counts()).toEqual([3, 3]);
  await addUpAllTallies(kit.context);
  expect(await counts()).toEqual([3, 3]);
  expect(await countOf(id, ', status: DELIVERED')).toBe(0);
  await settle();
  expect(await countOf(id, ', status: DELIVERED')).toBe(3);
});

test('deliveries past their retention are dropped with events and attempts, and are no longer counted; a pending one keeps its week', async () => {
  const { id } = await kit.subscribe('http://127.0.0.1:9/');
  await kit.announce(paid(4));
  const before = await rowsOf('deliveries');
  expect(before).toBeGreaterThan(0);
  const later = { ...kit.context, clock: inDays(29) };
  await forgetDeliveries(later);
  expect(await rowsOf('deliveries')).toBe(before);
  // Within the week after.
  await forgetDeliveries({ ...kit.context, clock: inDays(38) });
  expect(await countOf(id)).toBe(1);
  await settle();
  await addUpAllTallies(kit.context);
  await forgetDeliveries({ ...kit.context, clock: inDays(38) });
  expect([await rowsOf('deliveries'), await rowsOf('events'), await rowsOf('attempts')]).toEqual([0, 0, 0]);
  expect(await countOf(id)).toBe(0);
  await addUpAllTallies(kit.context);
  expect(await countOf(id)).toBe(0);
  // What comes next finds its place.
  await kit.announce(paid(5));
  expect(await countOf(id)).toBe(1);
});
