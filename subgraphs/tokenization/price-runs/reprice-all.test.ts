import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { fixedClock } from '../../../tests/kit/clock.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { followsDi, followsIpca, plainPolicy, pricedRow } from '../../../tests/tokenization/formulas.js';
import {
  addEstate,
  addIndexValues,
  addInstalment,
  addSeries,
  calendarOf,
  diRates,
  follows,
  indexNumbers,
} from '../../../tests/tokenization/series/kit.js';
import { readIndexValues } from '../indices/index-value.store.js';
import { marketOf } from '../indices/load-market.js';
import type { UnitPricePolicy } from '../unit-price/policy.js';
import { toStoredRow } from '../unit-price/stored-row.js';
import { unitPrice } from '../unit-price/unit-price.js';
import { waitingSeries } from './unit-price.job.js';
import { repriceAll, type RepriceOptions } from './reprice-all.js';
import { selectPrice } from './unit-price.columns.js';

const today = '2026-06-10T15:00:00Z';
const clock = fixedClock(today);

const database = await openTestDatabase();
afterAll(() => database.close());
const { manager } = database.dataSource;
const calendar = await calendarOf(manager);
const context = testContext({ manager, clock });
const estate = await addEstate(manager, 'PAT1');
await addIndexValues(manager, 'DI', diRates(calendar, '2026-03-02', '2026-06-09'));
await addIndexValues(manager, 'IPCA', indexNumbers('2025-12', 6));
afterEach(async () => {
  clock.set(today);
  await database.asOwner(
    'TRUNCATE tokenization.unit_prices, tokenization.schedule_entries, tokenization.tranches CASCADE',
  );
  await database.asOwner('TRUNCATE shared.outbox');
});

const reprice = (options: Partial<RepriceOptions> = {}) => repriceAll(context, { calendar, ...options });

interface Price {
  readonly date: string;
  readonly version: number;
  readonly unitPrice: string;
}

const pricesOf = (id: string): Promise<Price[]> =>
  manager.query(
    `SELECT u.version, ${selectPrice('u')} FROM tokenization.unit_prices u WHERE tranche_id = $1 ORDER BY date, version`,
    [id],
  );

async function shownOf(id: string): Promise<Record<string, unknown>> {
  const [row]: Record<string, unknown>[] = await manager.query(
    `SELECT priced_on::text, unit_price, nominal_value, interest, missing_input FROM tokenization.tranches WHERE id = $1`,
    [id],
  );
  return row ?? {};
}

const events = async (): Promise<{ key: string; payload: { data: Record<string, unknown> } }[]> =>
  manager.query(`SELECT key, payload FROM shared.outbox WHERE topic = 'tranche.unit_price_updated' ORDER BY position`);

const forget = () => database.asOwner('TRUNCATE shared.outbox');

/** Returns the engine's digits for a day, computed from the start of the series. */
async function expected(policy: Partial<UnitPricePolicy>, day: string): Promise<object> {
  const { inputs } = marketOf(await readIndexValues(context), calendar);
  const series = { ...plainPolicy, startDate: '2026-03-02', rate: new Decimal(12), ...policy };
  return toStoredRow(pricedRow(unitPrice(series, day, inputs)));
}

const ipca = { ...followsIpca, lagMonths: 2 };

test.each(['BALANCE', 'ISSUE_VALUE'])(
  'a series that amortizes %s has the same prices day by day as at once',
  async (of) => {
    const amounts = [
      ['2026-04-15', '0', { interest_event: 'INCORPORATED' }],
      ['2026-05-15', '0', { interest_event: 'INCORPORATED' }],
      ['2026-05-25', '30', {}],
      ['2026-06-05', '50', {}],
    ] as const;
    const addAll = async (suffix: string) => {
      const ids: string[] = [];
      const ipcaBase = of === 'BALANCE' ? {} : { index_base: 'START' };
      for (const [name, columns] of Object.entries({
        fix: {},
        di: follows.di,
        ipca: { ...follows.ipca, ...ipcaBase },
      })) {
        const id = await addSeries(manager, estate, `${name}${suffix}`, { amortization_of: of, ...columns });
        for (const [index, [day, percentage, event]] of amounts.entries())
          await addInstalment(manager, id, index + 1, day, percentage, event);
        ids.push(id);
      }
      return ids;
    };
    const daily = await addAll('-DAILY');
    for (let day = '2026-03-02'; day <= '2026-06-10'; day = calendar.addBusinessDays(day, 1)) {
      clock.set(`${day}T15:00:00Z`);
      await reprice();
    }
    clock.set(today);
    const once = await addAll('-ONCE');
    await reprice();
    for (const [index, id] of daily.entries()) {
      const prices = await pricesOf(id);
      expect(prices.map(({ version }) => version)).not.toContain(2);
      expect(prices.at(-1)?.date).toBe('2026-06-10');
      expect(prices).toEqual(await pricesOf(once[index] ?? ''));
    }
  },
);

describe('a run', () => {
  test('gives every business day, and every day that pays, the digits of the engine', async () => {
    const ids = {
      fixed: await addSeries(manager, estate, 'FIX'),
      di: await addSeries(manager, estate, 'DI', follows.di),
      ipca: await addSeries(manager, estate, 'IPCA', follows.ipca),
      monthly: await addSeries(manager, estate, 'MONTHLY', {
        ...follows.ipca,
        index_base: 'ANNIVERSARY',
        index_anniversary_day: 16,
        index_pro_rata: 'CALENDAR_DAYS_FOLLOWING',
      }),
    };
    // 16 May 2026 is a Saturday.
    for (const id of Object.values(ids)) {
      await addInstalment(manager, id, 1, '2026-04-15', '10');
      await addInstalment(manager, id, 2, '2026-05-16', '0', { due_date: '2026-05-18' });
    }
    await reprice();
    const policies: Record<keyof typeof ids, Partial<UnitPricePolicy>> = {
      fixed: {},
      di: { indexer: followsDi },
      ipca: { indexer: ipca },
      monthly: {
        indexer: { ...ipca, base: 'ANNIVERSARY', anniversaryDay: 16, proRata: 'CALENDAR_DAYS_FOLLOWING' },
      },
    };
    const instalments = [
      { calculationDate: '2026-04-15', interest: 'PAID', amortizationPercentage: new Decimal(10) },
      { calculationDate: '2026-05-16', interest: 'PAID', amortizationPercentage: new Decimal(0) },
    ] as const;
    for (const [name, id] of Object.entries(ids)) {
      const prices = await pricesOf(id);
      expect(prices).toHaveLength(calendar.businessDaysBetween('2026-03-02', '2026-06-11') + 1);
      expect(prices.map(({ date }) => date)).toContain('2026-05-16');
      for (const price of prices) {
        const policy = { ...policies[name as keyof typeof ids], events: instalments };
        expect(price).toEqual({ version: 1, ...(await expected(policy, price.date)) });
      }
    }
  });

  test('shows the newest price, and announces it once', async () => {
    const id = await addSeries(manager, estate, 'ONE');
    await reprice();
    const newest = (await pricesOf(id)).at(-1);
    expect(await shownOf(id)).toEqual({
      priced_on: '2026-06-10',
      unit_price: newest?.unitPrice,
      nominal_value: '1000.00000000',
      interest: new Decimal(newest?.unitPrice ?? 0).minus(1000).toFixed(8),
      missing_input: null,
    });
    expect(await events()).toEqual([
      {
        key: 'ONE',
        payload: {
          ownerId: null,
          data: {
            trancheTicker: 'ONE',
            patrimonyTicker: 'PAT1',
            date: '2026-06-10',
            unitPrice: newest?.unitPrice,
            nominalValue: '1000.00000000',
            interestJ: new Decimal(newest?.unitPrice ?? 0).minus(1000).toFixed(8),
            projected: false,
            correction: false,
          },
        },
      },
    ]);
  });

  test('announces a price that had been another one as a correction', async () => {
    const id = await addSeries(manager, estate, 'ONE');
    await reprice();
    await manager.query('UPDATE tokenization.tranches SET rate = 13, policy_version = 2 WHERE id = $1', [id]);
    await reprice();
    expect((await events()).map(({ payload }) => payload.data['correction'])).toEqual([false, true]);
  });

  test('leaves a Sunday to the business day before it', async () => {
    const id = await addSeries(manager, estate, 'ONE');
    await reprice({ upTo: '2026-06-07' });
    expect((await shownOf(id))['priced_on']).toBe('2026-06-05');
  });

  test.each(['DRAFT', 'CLOSED'])('prices no series that is %s', async (status) => {
    const id = await addSeries(manager, estate, 'ONE', { status });
    await reprice();
    expect(await pricesOf(id)).toEqual([]);
  });

  test('ends with the day on which the series is paid off', async () => {
    const id = await addSeries(manager, estate, 'ONE');
    await addInstalment(manager, id, 1, '2026-05-15', '100');
    await reprice();
    expect((await pricesOf(id)).at(-1)).toMatchObject({ date: '2026-05-15', nextVne: '0.00000000' });
    expect(await reprice({ upTo: '2026-06-11' })).toMatchObject({ series: 0 });
  });

  test('reports what an instalment pays, once its day has a price', async () => {
    const id = await addSeries(manager, estate, 'ONE', { token_quantity: 333 });
    await addInstalment(manager, id, 1, '2026-05-15', '33.3333');
    await addInstalment(manager, id, 2, '2026-07-15', '100');
    await reprice();
    const price = (await pricesOf(id)).find(({ date }) => date === '2026-05-15');
    const interest = new Decimal(price?.unitPrice ?? 0).minus(1000).times(333).toDecimalPlaces(2, Decimal.ROUND_DOWN);
    expect(
      await manager.query(
        'SELECT interest_value, principal_value, total_value FROM tokenization.schedule_entries ORDER BY installment_number',
      ),
    ).toEqual([
      // 1000 × 33,3333 % × 333
      {
        interest_value: interest.toFixed(2),
        principal_value: '110999.88',
        total_value: interest.plus('110999.88').toFixed(2),
      },
      { interest_value: null, principal_value: null, total_value: null },
    ]);
  });

  test('a series without meaning costs the others nothing', async () => {
    const faulty = await addSeries(manager, estate, 'BAD', { rate: '999999', remuneration_start_date: '2020-01-02' });
    const id = await addSeries(manager, estate, 'ONE');
    await expect(reprice()).rejects.toThrow(/1 series could not be priced: BAD \(.*too large to be stored\)/);
    expect(await pricesOf(faulty)).toEqual([]);
    expect((await shownOf(id))['priced_on']).toBe('2026-06-10');
  });
});

describe('a number that lacks', () => {
  test('stops its series at the day before, names itself, and nothing is guessed', async () => {
    const di = await addSeries(manager, estate, 'DI', follows.di);
    const fixed = await addSeries(manager, estate, 'FIX');
    const outcome = await reprice({ upTo: '2026-06-12' });
    expect(outcome.missing).toEqual(new Map([['DI 2026-06-10', 1]]));
    expect(await shownOf(di)).toMatchObject({ priced_on: '2026-06-10', missing_input: 'DI 2026-06-10' });
    expect(await shownOf(fixed)).toMatchObject({ priced_on: '2026-06-12', missing_input: null });
    await forget();
    expect(await reprice({ upTo: '2026-06-12' })).toMatchObject({ series: 0 });
    expect(await events()).toEqual([]);
  });

  test('is made good when it comes', async () => {
    const id = await addSeries(manager, estate, 'IPCA', follows.ipca);
    await reprice({ upTo: '2026-09-01' });
    expect(await shownOf(id)).toMatchObject({ priced_on: '2026-07-15', missing_input: 'IPCA 2026-06' });
    // However often it runs: what waits is still to be seen.
    await reprice({ upTo: '2026-09-01' });
    expect(await waitingSeries.read(context)).toBe(1);
    await addIndexValues(manager, 'IPCA', { '2026-06-01': '7300', '2026-07-01': '7340' });
    await reprice({ upTo: '2026-09-01' });
    expect(await shownOf(id)).toMatchObject({ priced_on: '2026-09-01', missing_input: null });
    expect(await waitingSeries.read(context)).toBe(0);
    expect((await pricesOf(id)).at(-1)).toEqual({ version: 1, ...(await expected({ indexer: ipca }, '2026-09-01')) });
  });
});

describe('what changes under a price', () => {
  test('a corrected rate makes new versions of the days after it, and of no other series', async () => {
    const di = await addSeries(manager, estate, 'DI', follows.di);
    const fixed = await addSeries(manager, estate, 'FIX');
    await reprice();
    const before = await pricesOf(di);
    const others = await pricesOf(fixed);
    await forget();
    await addIndexValues(manager, 'DI', { '2026-05-20': '20' });
    const outcome = await reprice();
    const after = await pricesOf(di);
    expect(after.filter(({ version }) => version === 1)).toEqual(before);
    const corrected = after.filter(({ version }) => version === 2);
    expect(corrected.map(({ date }) => date)).toEqual(
      before.map(({ date }) => date).filter((date) => date > '2026-05-20'),
    );
    expect(outcome).toMatchObject({ series: 1, prices: corrected.length });
    for (const price of corrected)
      expect(price).toEqual({ version: 2, ...(await expected({ indexer: followsDi }, price.date)) });
    expect(await pricesOf(fixed)).toEqual(others);
    expect((await events()).map(({ key, payload }) => [key, payload.data['unitPrice']])).toEqual([
      ['DI', corrected.at(-1)?.unitPrice],
    ]);
  });

  test('a corrected index number does so from the first day that it counts in', async () => {
    const id = await addSeries(manager, estate, 'IPCA', follows.ipca);
    await reprice();
    await addIndexValues(manager, 'IPCA', { '2026-03-01': '7150' });
    await reprice();
    // With a lag of two months, March over February applies from 15 April on.
    const newest = new Map((await pricesOf(id)).map((price) => [price.date, price]));
    for (const price of newest.values()) {
      expect(price.version).toBe(price.date > '2026-04-15' ? 2 : 1);
      expect(price).toMatchObject(await expected({ indexer: ipca }, price.date));
    }
  });

  test('another policy starts anew, and writes where a digit differs', async () => {
    const id = await addSeries(manager, estate, 'ONE');
    await reprice();
    await manager.query('UPDATE tokenization.tranches SET rate = 13, policy_version = 2 WHERE id = $1', [id]);
    await reprice();
    const newest = new Map((await pricesOf(id)).map((price) => [price.date, price]));
    for (const price of newest.values()) {
      expect(price.version).toBe(price.date > '2026-03-02' ? 2 : 1);
      expect(price).toMatchObject(await expected({ rate: new Decimal(13) }, price.date));
    }
    await manager.query('UPDATE tokenization.tranches SET policy_version = 3 WHERE id = $1', [id]);
    expect(await reprice()).toMatchObject({ series: 1, prices: 0 });
    expect(await reprice()).toMatchObject({ series: 0 });
  });

  test('another version of the calendar does too', async () => {
    const id = await addSeries(manager, estate, 'ONE');
    await reprice();
    const before = await pricesOf(id);
    expect(await reprice({ calendar: { ...calendar, version: calendar.version + 1 } })).toMatchObject({
      series: 1,
      prices: 0,
    });
    expect(await pricesOf(id)).toEqual(before);
  });

  test('rows cannot be written over', async () => {
    await addSeries(manager, estate, 'ONE');
    await reprice();
    await expect(manager.query('UPDATE tokenization.unit_prices SET version = 2')).rejects.toThrow(/stand for ever/);
    await expect(manager.query('DELETE FROM tokenization.unit_prices')).rejects.toThrow(/stand for ever/);
  });
});

describe('several at once', () => {
  test('two runs share the series: each price once, and each announced once', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 30; number++) ids.push(await addSeries(manager, estate, `S${number}`, follows.di));
    await Promise.all([reprice(), reprice(), reprice()]);
    await reprice();
    const first = await pricesOf(ids[0] ?? '');
    for (const id of ids) expect(await pricesOf(id)).toEqual(first);
    expect((await events()).map(({ key }) => key).sort()).toEqual(ids.map((_, number) => `S${number}`).sort());
  });

  test('no price is made while index values are being added', async () => {
    const id = await addSeries(manager, estate, 'DI', follows.di);
    await reprice();
    await manager.inTransaction(async (adding) => {
      await addIndexValues(adding, 'DI', { '2026-05-21': '21' });
      expect(await reprice({ upTo: '2026-06-10' })).toMatchObject({ series: 0 });
    });
    await reprice();
    expect((await pricesOf(id)).at(-1)).toMatchObject(await expected({ indexer: followsDi }, '2026-06-10'));
  });
});
