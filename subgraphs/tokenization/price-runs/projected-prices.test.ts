import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fixedClock } from '../../../tests/kit/clock.js';
import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import {
  addEstate,
  addIndexValues,
  addInstalment,
  addSeries,
  calendarOf,
  follows,
} from '../../../tests/tokenization/series/kit.js';
import { repriceAll } from './reprice-all.js';
import { selectPrice } from './unit-price.columns.js';

const database = await openTestDatabase();
afterAll(() => database.close());
const { manager } = database.dataSource;
const clock = fixedClock('2026-11-30T15:00:00Z');
const context = testContext({ manager, clock });
const calendar = await calendarOf(manager);

const november = '2026-11-01';
const october = '6897.3477';

beforeEach(async () => {
  await database.asOwner(`TRUNCATE tokenization.unit_prices, tokenization.schedule_entries, tokenization.tranches, tokenization.patrimonies,
    tokenization.index_values, tokenization.projected_index_values, shared.outbox CASCADE`);
  await addIndexValues(manager, 'IPCA', { '2026-09-01': '6862.10', '2026-10-01': october }, '2026-11-10');
});

/** Adds a series with a lag of one month that begins on 16 November 2026, the business day of the anniversary. */
async function addIpca(columns: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const estate = await addEstate(manager, 'PAT1');
  const start = { remuneration_start_date: '2026-11-16', rate: '8.5' };
  return addSeries(manager, estate, 'IPCA', { ...follows.ipca, ...start, index_lag_months: 1, ...columns });
}

const addProjection = (percent: string | null, publishedOn: string, version = 1) =>
  manager.query(
    `INSERT INTO tokenization.projected_index_values (index_name, month, published_on, version, percent, source, recorded_at)
     VALUES ('IPCA', $1, $2, $3, $4, 'ANBIMA', '2026-01-01T00:00:00Z')`,
    [november, publishedOn, version, percent],
  );

async function priceUpTo(day: string) {
  clock.set(`${day}T15:00:00Z`);
  return repriceAll(context, { calendar });
}

interface Price {
  readonly date: string;
  readonly version: number;
  readonly projected: boolean;
  readonly indexFactor: string;
  readonly vne: string;
  readonly nextVne: string;
}

const pricesOf = (id: string): Promise<Price[]> =>
  manager.query(
    `SELECT u.version, ${selectPrice('u')} FROM tokenization.unit_prices u WHERE tranche_id = $1 ORDER BY date, version`,
    [id],
  );
const before = (prices: readonly Price[], day: string) => prices.filter(({ date }) => date < day);
const on = (prices: readonly Price[], day: string) => prices.filter(({ date }) => date === day);

/** The factor of the days since 16 November by the whole variation of the month, as the formula of the deeds has it. */
function factorOf(variation: Decimal, day: string): string {
  const share = new Decimal(calendar.businessDaysBetween('2026-11-15', day)).div(
    calendar.businessDaysBetween('2026-11-15', '2026-12-15'),
  );
  return truncate(variation.pow(share), 8).toFixed(8);
}

describe('until an index number is published', () => {
  test('every day is priced with the newest projection that was published by then, and says so', async () => {
    const id = await addIpca();
    expect((await priceUpTo('2026-11-30')).missing).toEqual(new Map([['IPCA 2026-11', 1]]));
    await addProjection('0.50', '2026-11-10');
    await addProjection('0.46', '2026-11-25');
    expect((await priceUpTo('2026-11-30')).missing).toEqual(new Map());
    const prices = await pricesOf(id);
    expect(prices).toHaveLength(calendar.businessDaysBetween('2026-11-16', '2026-12-01'));
    expect(prices.map(({ projected }) => projected)).toEqual(prices.map(({ date }) => date !== '2026-11-16'));
    for (const { date, indexFactor } of prices)
      expect([date, indexFactor]).toEqual([
        date,
        factorOf(new Decimal(date < '2026-11-25' ? '1.005' : '1.0046'), date),
      ]);
    const [event] = await manager.query<{ data: Record<string, unknown> }[]>(
      `SELECT payload -> 'data' AS data FROM shared.outbox WHERE topic = 'tranche.unit_price_updated' ORDER BY position DESC LIMIT 1`,
    );
    expect(event?.data).toMatchObject({ date: '2026-11-30', projected: true });
    expect(await manager.query('SELECT projected FROM tokenization.tranches')).toEqual([{ projected: true }]);
  });

  test('a projection that was withdrawn makes no later price', async () => {
    const id = await addIpca();
    await addProjection('0.50', '2026-11-10');
    await addProjection('5', '2026-11-25');
    await priceUpTo('2026-11-30');
    await addProjection(null, '2026-11-25', 2);
    await priceUpTo('2026-11-30');
    const newest = (await pricesOf(id)).filter(({ date, version }) => date >= '2026-11-25' && version === 2);
    expect(newest.map(({ date }) => date)).toEqual(['2026-11-25', '2026-11-26', '2026-11-27', '2026-11-30']);
    for (const { date, indexFactor } of newest) expect(indexFactor).toBe(factorOf(new Decimal('1.005'), date));
  });

  test('a projection on a projection makes no price', async () => {
    await database.asOwner('TRUNCATE tokenization.index_values');
    await addIndexValues(manager, 'IPCA', { '2026-09-01': '6862.10' }, '2026-10-10');
    await addProjection('0.50', '2026-11-10');
    await addIpca();
    expect((await priceUpTo('2026-11-30')).missing).toEqual(new Map([['IPCA 2026-10', 1]]));
  });

  test('a series without projections has no price', async () => {
    const id = await addIpca({ projection: 'NONE' });
    await addProjection('0.50', '2026-11-10');
    expect((await priceUpTo('2026-11-30')).missing).toEqual(new Map([['IPCA 2026-11', 1]]));
    await addIndexValues(manager, 'IPCA', { [november]: '6925.9999' }, '2026-12-10');
    await priceUpTo('2026-12-10');
    expect((await pricesOf(id)).map(({ version, projected }) => [version, projected])).not.toContainEqual([1, true]);
  });
});

describe('once it is published', () => {
  test('days from then on use it, days before and what was paid stay to the last byte, also in a run from the start', async () => {
    const id = await addIpca();
    await addInstalment(manager, id, 1, '2026-11-24', '10');
    await addProjection('0.50', '2026-11-10');
    await priceUpTo('2026-12-09');
    await manager.query(`UPDATE tokenization.schedule_entries SET status = 'PAID', paid_on = '2026-11-24'`);
    const [paid] = await manager.query<unknown[]>('SELECT * FROM tokenization.schedule_entries');
    const made = await pricesOf(id);

    await addIndexValues(manager, 'IPCA', { [november]: '6925.9999' }, '2026-12-10');
    await priceUpTo('2026-12-10');
    const after = await pricesOf(id);
    expect(before(after, '2026-12-10')).toEqual(made);
    const [tenth] = on(after, '2026-12-10');
    const [event] = on(after, '2026-11-24');
    expect(tenth).toMatchObject({ version: 1, projected: false, vne: event?.nextVne });
    // The whole factor since the event of 24 November is of the number.
    const elapsed = calendar.businessDaysBetween('2026-11-24', '2026-12-10');
    const share = new Decimal(elapsed).div(calendar.businessDaysBetween('2026-11-15', '2026-12-15'));
    const ratio = new Decimal('6925.9999').div(october);
    expect(tenth?.indexFactor).toBe(truncate(ratio.pow(share), 8).toFixed(8));
    expect(await manager.query('SELECT * FROM tokenization.schedule_entries')).toEqual([paid]);

    await manager.query('UPDATE tokenization.tranches SET policy_version = policy_version + 1');
    expect(await priceUpTo('2026-12-10')).toMatchObject({ series: 1, prices: 0 });
    expect(await pricesOf(id)).toEqual(after);
  });

  test('the day itself is corrected if it was priced in the morning, and so are days of a late import', async () => {
    const id = await addIpca();
    await addProjection('0.50', '2026-11-10');
    await priceUpTo('2026-12-14');
    const made = await pricesOf(id);
    await addIndexValues(manager, 'IPCA', { [november]: '6925.9999' }, '2026-12-10');
    await priceUpTo('2026-12-14');
    const after = await pricesOf(id);
    expect(after.filter(({ version }) => version === 1)).toEqual(made);
    expect(after.filter(({ version }) => version === 2).map(({ date, projected }) => [date, projected])).toEqual([
      ['2026-12-10', false],
      ['2026-12-11', false],
      ['2026-12-14', false],
    ]);
  });

  test('a correction of it changes the prices that it made, and none that a projection made', async () => {
    const id = await addIpca();
    await addProjection('0.50', '2026-11-10');
    await addIndexValues(manager, 'IPCA', { [november]: '6925.9999' }, '2026-12-10');
    await priceUpTo('2026-12-11');
    await addIndexValues(manager, 'IPCA', { [november]: '6926.9999' }, '2026-12-10');
    await priceUpTo('2026-12-11');
    const corrected = (await pricesOf(id)).filter(({ version }) => version === 2);
    expect(corrected.map(({ date }) => date)).toEqual(['2026-12-10', '2026-12-11']);
  });

  test('the days before are corrected where differences are settled', async () => {
    const id = await addIpca({ projection: 'SETTLED_BY_DIFFERENCE' });
    await addProjection('0.50', '2026-11-10');
    await priceUpTo('2026-12-09');
    const made = await pricesOf(id);
    await addIndexValues(manager, 'IPCA', { [november]: '6925.9999' }, '2026-12-10');
    await priceUpTo('2026-12-10');
    const after = await pricesOf(id);
    expect(before(after, '2026-12-10').filter(({ version }) => version === 1)).toEqual(made);
    const ratio = new Decimal('6925.9999').div(october);
    for (const { date } of made.slice(1))
      expect(on(after, date).at(-1)).toMatchObject({
        version: 2,
        projected: false,
        indexFactor: factorOf(ratio, date),
      });
  });
});
