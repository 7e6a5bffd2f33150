import { afterAll, expect, test } from '@jest/globals';
import { testContext } from '../../tests/kit/context.js';
import { openTestDatabase } from '../../tests/kit/database.js';
import { until } from '../../tests/kit/until.js';
import { fixedClock } from '../../tests/kit/clock.js';
import { requestTick } from './job-ticks.store.js';
import { retentionJob } from './retention.js';
import { createScheduler, runRequestedTopic, type Job } from './scheduler.js';

const database = await openTestDatabase();
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
});

test('retention deletes what is past its time and keeps the rest', async () => {
  await database.dataSource.query(
    `INSERT INTO shared.outbox (id, topic, key, payload, created_at, published_at)
     SELECT gen_random_uuid(), 't', n::text, '{}', now, CASE WHEN n % 3 = 0 THEN NULL ELSE now - make_interval(days => n) END
     FROM generate_series(1, 20) n, (SELECT '2026-11-20T15:00:00Z'::timestamptz AS now) clock`,
  );
  await retentionJob.run(testContext({ manager: database.dataSource.manager }));
  const rows: { key: string }[] = await database.dataSource.query('SELECT key FROM shared.outbox ORDER BY position');
  const kept = Array.from({ length: 8 }, (_, index) => String(index + 1));
  expect(rows.map((row) => row.key)).toEqual([...kept, '9', '12', '15', '18']);
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

const requestRun = (job: string, at: string) =>
  requestTick(testContext({ manager: database.dataSource.manager, clock: fixedClock(at) }), job);
const ticksOf = (job: string): Promise<{ state: string }[]> =>
  database.dataSource.query(
    `SELECT CASE WHEN started_at IS NULL THEN 'requested' WHEN finished_at IS NULL THEN 'running' ELSE 'finished' END AS state
     FROM shared.job_ticks WHERE job = $1 ORDER BY scheduled_at`,
    [job],
  );

test('a run that was requested is started once, however many instances are told of it', async () => {
  let runs = 0;
  const job: Job = { name: 'asked-for', cron: '0 0 1 1 *', run: () => Promise.resolve(void (runs += 1)) };
  const contexts = Array.from({ length: 5 }, () => testContext({ manager: database.dataSource.manager }));
  const schedulers = contexts.map((context) => createScheduler(context, [job]));
  expect(await requestRun(job.name, '2026-11-20T15:00:00Z')).toBe(true);
  expect(await requestRun(job.name, '2026-11-20T15:00:01Z')).toBe(false);
  for (const scheduler of schedulers) scheduler.start();
  await Promise.all(contexts.map(({ bus }) => bus.publish(runRequestedTopic, null)));
  await until(
    'the run to be finished',
    async () => !(await ticksOf(job.name)).some(({ state }) => state !== 'finished'),
  );
  await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
  expect(runs).toBe(1);
  expect(await ticksOf(job.name)).toEqual([{ state: 'finished' }]);
});

test('a run that was requested waits while another one is under way, but not for one whose process is gone', async () => {
  let end: () => void = () => undefined;
  let begun: () => void = () => undefined;
  const started = new Promise<void>((resolve) => (begun = resolve));
  const job: Job = {
    name: 'long',
    cron: '0 0 1 1 *',
    run: () =>
      new Promise<void>((resolve) => {
        end = resolve;
        begun();
      }),
  };
  const clock = fixedClock('2026-11-20T15:00:00Z');
  const context = testContext({ manager: database.dataSource.manager, clock });
  // Its process was killed.
  await database.dataSource.query(
    `INSERT INTO shared.job_ticks (job, scheduled_at, started_at, alive_at) SELECT $1, at, at, at
     FROM (VALUES ('2026-11-20T14:58:00Z'::timestamptz)) AS gone (at)`,
    [job.name],
  );
  await requestRun(job.name, '2026-11-20T14:59:00Z');
  const scheduler = createScheduler(context, [job]);
  scheduler.start();
  await started;
  await requestRun(job.name, '2026-11-20T14:59:30Z');
  const other = createScheduler(context, [{ ...job, run: () => Promise.reject(new Error('must not run')) }]);
  other.start();
  await other.stop();
  expect(await ticksOf(job.name)).toEqual([{ state: 'running' }, { state: 'running' }, { state: 'requested' }]);
  end();
  await scheduler.stop();
  expect(await ticksOf(job.name)).toEqual([{ state: 'running' }, { state: 'finished' }, { state: 'requested' }]);
});

test('a scheduler lists its jobs, in place of those that exist no more', async () => {
  const context = testContext({ manager: database.dataSource.manager });
  const names = ['kept', 'new', 'removed'] as const;
  const jobs = names.map((name): Job => ({ name, cron: '0 0 1 1 *', run: () => Promise.resolve() }));
  for (const listed of [jobs.slice(0, 1).concat(jobs.slice(2)), jobs.slice(0, 2)]) {
    const scheduler = createScheduler(context, listed);
    scheduler.start();
    await scheduler.stop();
  }
  expect(await database.dataSource.query('SELECT name, cron FROM shared.jobs ORDER BY name')).toEqual([
    { name: 'kept', cron: '0 0 1 1 *' },
    { name: 'new', cron: '0 0 1 1 *' },
  ]);
});
