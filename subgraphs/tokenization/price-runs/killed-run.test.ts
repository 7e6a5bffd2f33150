import { afterAll, expect, test } from '@jest/globals';
import { fixedClock } from '../../../tests/kit/clock.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { killWhen, moduleAt } from '../../../tests/kit/killed-process.js';
import { addEstate, addSeries, calendarOf } from '../../../tests/tokenization/series/kit.js';
import { repriceAll } from './reprice-all.js';

const now = '2026-06-10T15:00:00Z';
// Runs in a process of its own, so that it can be killed abruptly.
const program = `
  const { openDatabase } = await import(${moduleAt('shared/database/database.ts')});
  const { loadCalendar } = await import(${moduleAt('shared/kernel/calendar/calendar.ts')});
  const { testContext } = await import(${moduleAt('tests/kit/context.ts')});
  const { fixedClock } = await import(${moduleAt('tests/kit/clock.ts')});
  const { repriceAll } = await import(${moduleAt('subgraphs/tokenization/price-runs/reprice-all.ts')});
  const { manager } = await openDatabase({ url: process.argv[1], poolSize: 2, applicationName: 'killed' });
  await repriceAll(testContext({ manager, clock: fixedClock('${now}') }), { calendar: await loadCalendar(manager) });
  await new Promise(() => setInterval(() => undefined, 1000));`;

const database = await openTestDatabase();
afterAll(() => database.close());
const { manager } = database.dataSource;

const countPrices = () => manager.value<number>('SELECT count(*)::int FROM tokenization.unit_prices');

test('a run that is killed leaves whole series, and the next one makes the others', async () => {
  const estate = await addEstate(manager, 'PAT1');
  for (let number = 0; number < 12; number++) {
    await addSeries(manager, estate, `S${number}`, { remuneration_start_date: '2016-03-02' });
  }
  await killWhen(manager, program, [database.url], async () => (await countPrices()) !== 0);
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
