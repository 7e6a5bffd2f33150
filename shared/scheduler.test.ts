import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testContext } from '../tests/kit/context.js';
import { openTestDatabase, type TestDatabase } from '../tests/kit/database.js';
import { retentionJob } from './retention.js';
import { createScheduler, type Job } from './scheduler.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const at = new Date('2026-11-20T12:00:00Z');

test('a tick runs once, however many instances try it at once', async () => {
  let runs = 0;
  const job: Job = { name: 'once', cron: '* * * * *', run: () => Promise.resolve(void (runs += 1)) };
  const context = testContext({ manager: database.dataSource.manager });
  const ran = await Promise.all(Array.from({ length: 10 }, () => createScheduler(context, [job]).tick(job, at)));
  expect(ran.filter(Boolean)).toHaveLength(1);
  expect(runs).toBe(1);
});

test('a job that fails is on record, and does not stop the next tick', async () => {
  const job: Job = { name: 'fails', cron: '* * * * *', run: () => Promise.reject(new Error('no such index')) };
  const context = testContext({ manager: database.dataSource.manager });
  const scheduler = createScheduler(context, [job]);
  expect(await scheduler.tick(job, at)).toBe(true);
  expect(await scheduler.tick(job, new Date(at.getTime() + 60_000))).toBe(true);
  const rows: unknown[] = await database.dataSource.query(
    `SELECT error, finished_at IS NOT NULL AS finished FROM shared.job_ticks WHERE job = 'fails'`,
  );
  expect(rows).toEqual([
    { error: 'no such index', finished: true },
    { error: 'no such index', finished: true },
  ]);
});

test('a started scheduler ticks by the clock, and stop waits for the run under way', async () => {
  let finished = false;
  let begun: () => void = () => undefined;
  const started = new Promise<void>((resolve) => (begun = resolve));
  const job: Job = {
    name: 'each-second',
    cron: '* * * * * *',
    run: async () => {
      begun();
      await new Promise((resolve) => setTimeout(resolve, 100));
      finished = true;
    },
  };
  const scheduler = createScheduler(testContext({ manager: database.dataSource.manager }), [job]);
  scheduler.start();
  await started;
  await scheduler.stop();
  expect(finished).toBe(true);
});

test('a job that is to run at the start does, and is notified when the instance stops', async () => {
  let told: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (told = resolve));
  let outcome = '';
  const job: Job = {
    name: 'at-start',
    cron: '0 0 1 1 *',
    atStart: true,
    run: (_context, stopping) =>
      new Promise<void>((resolve) => {
        stopping?.addEventListener('abort', () => {
          outcome = 'stopped';
          resolve();
        });
        told();
      }),
  };
  const scheduler = createScheduler(testContext({ manager: database.dataSource.manager }), [job]);
  scheduler.start();
  await begun;
  await scheduler.stop();
  expect(outcome).toBe('stopped');
});

test('a job that lasts longer than the time between its ticks does not run twice at once', async () => {
  let [now, most, runs] = [0, 0, 0];
  const job: Job = {
    name: 'slow',
    cron: '* * * * * *',
    run: async () => {
      runs += 1;
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      now -= 1;
    },
  };
  const scheduler = createScheduler(testContext({ manager: database.dataSource.manager }), [job]);
  scheduler.start();
  await new Promise((resolve) => setTimeout(resolve, 4_500));
  await scheduler.stop();
  expect(runs).toBeGreaterThan(1);
  expect(most).toBe(1);
}, 15_000);

test('retention deletes what is past its time and keeps the rest', async () => {
  await database.dataSource.query(
    `INSERT INTO shared.outbox (id, topic, key, payload, created_at, published_at)
     SELECT gen_random_uuid(), 't', n::text, '{}', now, CASE WHEN n % 3 = 0 THEN NULL ELSE now - make_interval(days => n) END
     FROM generate_series(1, 12) n, (SELECT '2026-11-20T15:00:00Z'::timestamptz AS now) clock`,
  );
  await retentionJob.run(testContext({ manager: database.dataSource.manager }));
  const rows: { key: string }[] = await database.dataSource.query('SELECT key FROM shared.outbox ORDER BY position');
  expect(rows.map((row) => row.key)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '12']);
});

test('what one domain handed another, debtors with it, is not kept once it was consumed', async () => {
  await database.asOwner('TRUNCATE shared.outbox');
  await database.dataSource.query(
    `INSERT INTO shared.outbox (id, topic, key, payload, internal, created_at, published_at)
     SELECT gen_random_uuid(), 't', key, '{}', true, '2026-11-20T14:58:00Z', published_at
     FROM (VALUES ('consumed', '2026-11-20T14:59:00Z'::timestamptz), ('waiting', NULL)) AS event (key, published_at)`,
  );
  await retentionJob.run(testContext({ manager: database.dataSource.manager }));
  expect(await database.dataSource.query('SELECT key FROM shared.outbox')).toEqual([{ key: 'waiting' }]);
});
