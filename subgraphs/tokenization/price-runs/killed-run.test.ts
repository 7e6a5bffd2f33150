import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fixedClock } from '../../../shared/kernel/clock.js';
import type { Manager } from '../../../shared/database/manager.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase, type TestDatabase } from '../../../tests/kit/database.js';
import { until } from '../../../tests/kit/until.js';
import { addEstate, addSeries, calendarOf } from '../../../tests/tokenization/series-kit.js';
import { repriceAll } from './reprice-all.js';

const root = new URL('../../../', import.meta.url);
const at = (path: string) => JSON.stringify(new URL(path, root).href);
const loader = `import { register } from 'node:module'; register(${at('tests/kit/typescript-loader.mjs')});`;
const now = '2026-06-10T15:00:00Z';
// Runs in a process of its own, so that it can be killed abruptly.
const program = `
  const { openDatabase } = await import(${at('shared/database/database.ts')});
  const { loadCalendar } = await import(${at('shared/kernel/calendar/calendar.ts')});
  const { testContext } = await import(${at('tests/kit/context.ts')});
  const { fixedClock } = await import(${at('shared/kernel/clock.ts')});
  const { repriceAll } = await import(${at('subgraphs/tokenization/price-runs/reprice-all.ts')});
  const { manager } = await openDatabase({ url: process.argv[1], poolSize: 2, applicationName: 'killed' });
  await repriceAll(testContext({ manager, clock: fixedClock('${now}') }), { calendar: await loadCalendar(manager) });
  await new Promise(() => setInterval(() => undefined, 1000));`;

let database: TestDatabase;
let manager: Manager;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ manager } = database.dataSource);
});
afterAll(() => database.close());

const countPrices = async (): Promise<number> => {
  const [row]: { n: number }[] = await manager.query('SELECT count(*)::int AS n FROM tokenization.unit_prices');
  return row?.n ?? 0;
};

async function killOnceSomethingIsWritten(): Promise<void> {
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(loader)}`, '--input-type=module'];
  const child = spawn(process.execPath, [...flags, '-e', program, '--', database.url], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  // eslint-disable-next-line no-restricted-syntax -- until looks too seldom for a moment that is as short as this one.
  while ((await countPrices()) === 0 && child.exitCode === null) await sleep(2);
  child.kill('SIGKILL');
  await ended;
  // PostgreSQL notices a moment later: until then the locks of the dead connections stand, and a run skips what is locked.
  await until('the connections of the killed process to end', async () => (await connectionsOf('killed')) === 0);
}

async function connectionsOf(application: string): Promise<number> {
  const [row]: { n: number }[] = await manager.query(
    'SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
    [application],
  );
  return row?.n ?? 0;
}

test('a run that is killed leaves whole series, and the next one makes the others', async () => {
  const estate = await addEstate(manager, 'PAT1');
  for (let number = 0; number < 12; number++) {
    await addSeries(manager, estate, `S${number}`, { remuneration_start_date: '2016-03-02' });
  }
  await killOnceSomethingIsWritten();
  const series: { ticker: string; prices: number; told: number }[] = await manager.query(
    `SELECT ticker, (SELECT count(*)::int FROM tokenization.unit_prices u WHERE u.tranche_id = t.id) AS prices,
       (SELECT count(*)::int FROM shared.outbox o WHERE o.key = t.ticker) AS told
     FROM tokenization.tranches t`,
  );
  const whole = Math.max(...series.map(({ prices }) => prices));
  const finished = series.filter(({ prices }) => prices > 0);
  expect(finished.length).toBeLessThan(series.length);
  for (const { prices, told } of finished) expect([prices, told]).toEqual([whole, 1]);

  const calendar = await calendarOf(manager);
  const context = testContext({ manager, clock: fixedClock(now) });
  expect(await repriceAll(context, { calendar })).toMatchObject({ series: series.length - finished.length });
  expect(await countPrices()).toBe(series.length * whole);
  expect(await manager.query('SELECT count(*)::int AS n, count(DISTINCT key)::int AS keys FROM shared.outbox')).toEqual(
    [{ n: series.length, keys: series.length }],
  );
}, 300_000);
