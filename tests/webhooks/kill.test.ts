import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import { announceAll } from '../../shared/events/outbox/outbox.js';
import { random } from '../kit/random.js';
import { until } from '../kit/until.js';
import { openWebhooks, paid } from './kit.js';
import { startWorker } from './start-worker.js';

// The whole promise is 10,000 events over 50 subscriptions: KILL_EVENTS=10000 KILL_SUBSCRIPTIONS=50 KILLS=20.
const events = Number(process.env['KILL_EVENTS'] ?? 300);
const subscriptions = Number(process.env['KILL_SUBSCRIPTIONS'] ?? 8);
const kills = Number(process.env['KILLS'] ?? 3);

const kit = await openWebhooks();
const receiver = await kit.openReceiver((response, { event }) => {
  // Answers take their time, so that a kill finds requests under way.
  setTimeout(() => response.end(), Number.parseInt(event.id.slice(-2), 16) % 30);
});
afterAll(() => kit.close());

/** Commits events a few at a time, as the domains would. */
async function announceAllOf(): Promise<void> {
  for (let from = 0; from < events; from += 50) {
    const batch = Array.from({ length: Math.min(50, events - from) }, (_, index) => paid(from + index));
    await inTransaction(kit.context, (tx) => announceAll(tx, batch));
    await delay(20);
  }
}

test('a worker that is killed at random moments loses nothing, invents nothing, and leaves every attempt on record', async () => {
  for (let index = 0; index < subscriptions; index += 1) {
    await kit.subscribe(receiver.url.replace('hook', String(index)));
  }
  const announcing = announceAllOf();
  for (let round = 0; round < kills; round += 1) {
    const worker = await startWorker(kit.database.url);
    await delay(100 + random() * 900);
    await worker.kill();
  }
  const survivor = await startWorker(kit.database.url);
  await announcing;
  const query = <T>(text: string) => kit.database.dataSource.query<T[]>(text);
  const left = async () => {
    const [row] = await query<{ count: number }>(
      `SELECT (SELECT count(*) FROM shared.outbox WHERE published_at IS NULL)::integer +
         (SELECT count(*) FROM webhooks.deliveries WHERE status <> 'delivered')::integer AS count`,
    );
    return row?.count;
  };
  await until('every delivery to be made', async () => (await left()) === 0, { within: 240_000 });
  await survivor.kill();

  const seen = new Map<string, number>();
  for (const { path, event } of receiver.received) {
    const key = `${event.id} ${path}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  // Everything arrived, and nothing that nobody announced.
  expect(seen.size).toBe(events * subscriptions);
  const announced = await query<{ id: string }>('SELECT id FROM shared.outbox WHERE NOT internal');
  expect(new Set(receiver.received.map(({ event }) => event.id))).toEqual(new Set(announced.map(({ id }) => id)));
  const recorded = await query<{ key: string; attempts: number }>(
    `SELECT event_id || ' ' || regexp_replace(url, '^.*(/[0-9]+)$', '\\1') AS key, count(*)::integer AS attempts
     FROM webhooks.attempts GROUP BY 1`,
  );
  const attempts = new Map(recorded.map(({ key, attempts: count }) => [key, count]));
  const unrecorded = [...seen].filter(([key, count]) => count > (attempts.get(key) ?? 0));
  expect(unrecorded).toEqual([]);
  // Each delivery ends with an attempt that got its 200.
  const [ended] = await query<{ count: number }>(
    'SELECT count(DISTINCT (event_id, subscription_id))::integer AS count FROM webhooks.attempts WHERE response_status = 200',
  );
  expect(ended?.count).toBe(events * subscriptions);
}, 1_800_000);
