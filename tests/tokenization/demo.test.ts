import { afterAll, describe, expect, test } from '@jest/globals';
import { loadCalendar } from '../../shared/kernel/calendar/calendar.js';
import { fixedClock } from '../kit/clock.js';
import { loadDemo as loadOperations } from '../../subgraphs/issuances/demo/demo.js';
import { generateDemo as generateOperations, historyDays } from '../../subgraphs/issuances/demo/generate.js';
import { assetTypes } from '../../subgraphs/securities/asset-type.js';
import { sharedSeries } from '../../subgraphs/securities/demo/series.js';
import { riskClasses } from '../../subgraphs/securities/risk-class.js';
import { assetStatuses } from '../../subgraphs/tokenization/assets/asset.js';
import { loadTokenizationDemo as loadEstates } from '../../subgraphs/tokenization/demo/demo.js';
import type { TextFile } from '../../shared/import/import.js';
import { generateDemo as generateEstates } from '../../subgraphs/tokenization/demo/generate.js';
import { tokenizationImport } from '../../subgraphs/tokenization/import/domain.js';
import { patrimonyStatuses } from '../../subgraphs/tokenization/patrimonies/patrimony.js';
import { indexerNames, trancheStatuses } from '../../subgraphs/tokenization/tranches/tranche.js';
import { testContext } from '../kit/context.js';
import { openTestDatabase } from '../kit/database.js';
import { importTextsInto, printed } from '../kit/import.js';

const today = '2026-11-20';

const database = await openTestDatabase();
afterAll(() => database.close());
const context = testContext({ manager: database.dataSource.manager, clock: fixedClock(`${today}T15:00:00Z`) });
const calendar = await loadCalendar(context.manager);
await loadEstates(context);
await loadOperations(context, Promise.resolve());

const count = async (sql: string) => Number(await context.manager.value(`SELECT count(*) FROM ${sql}`));

describe('the demo of operations', () => {
  test('the same day and seed make the same files, another seed makes others', () => {
    const [first, again, other] = ['a', 'a', 'b'].map((seed) =>
      JSON.stringify(generateOperations({ today, calendar, seed })),
    );
    expect(first).toBe(again);
    expect(first).not.toBe(other);
  });

  test.each(['2027-01-01', '2028-02-29'])('it can be made on %s', (day) => {
    expect(generateOperations({ today: day, calendar }).length).toBeGreaterThan(26);
  });

  test('loading it a second time does nothing', async () => {
    expect(await loadOperations(context, Promise.resolve())).toBe(false);
  }, 300_000);

  test('every series that no tranche names has a price on each of its last 400 business days', async () => {
    const rows = await database.dataSource.query<{ days: string; first: string; last: string }[]>(
      `SELECT count(*) AS days, min(date)::text AS first, max(date)::text AS last
       FROM issuances.series LEFT JOIN issuances.unit_prices ON series_id = id WHERE engine_tranche IS NULL GROUP BY id`,
    );
    const last = calendar.addBusinessDays(today, -1);
    const first = calendar.addBusinessDays(last, 1 - historyDays);
    expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
      new Set([JSON.stringify({ days: String(historyDays), first, last })]),
    );
    const days = await database.dataSource.query<{ date: string }[]>(
      'SELECT DISTINCT date::text FROM issuances.unit_prices WHERE engine_version IS NULL',
    );
    expect(days.every(({ date }) => calendar.isBusinessDay(date))).toBe(true);
  });

  test('month ends follow from one another, and into what is owed now', async () => {
    const broken = await count(
      `issuances.contract_positions a JOIN issuances.contract_positions b
         ON b.contract_id = a.contract_id AND b.operation_id = a.operation_id AND b.month = a.month + interval '1 month'
       WHERE a.closing_balance <> b.opening_balance`,
    );
    expect(broken).toBe(0);
  });
});

test('a series of an operation and the tranche that names it say the same of what was issued, subscribed and is owed', async () => {
  const pairs = await context.manager.rows<{ ticker: string; series: object; tranche: object }>(
    `SELECT s.ticker,
       jsonb_build_object('operation', o.ticker, 'class', s.class, 'issued', s.issue_date, 'matures', s.maturity_date, 'value', s.unit_value, 'units', s.quantity,
         'subscribed', coalesce(s.subscribed_quotas, s.quantity) * s.unit_value, 'raised', coalesce(s.raised_amount, t.invested_amount),
         'index', s.indexer, 'rate', s.rate, 'offered', s.status = 'Em distribuição') AS series,
       jsonb_build_object('operation', e.operation_ticker, 'class', t.class_name, 'issued', t.remuneration_start_date, 'matures', coalesce(i.last, s.maturity_date),
         'value', t.issue_value, 'units', t.token_quantity, 'subscribed', t.invested_amount, 'raised', t.invested_amount,
         'index', CASE t.indexer WHEN 'DI' THEN 'CDI' WHEN 'NONE' THEN 'PREFIXED' ELSE t.indexer END, 'rate', t.rate, 'offered', t.status = 'FUNDRAISING') AS tranche
     FROM tokenization.tranches t JOIN tokenization.patrimonies e ON e.id = t.patrimony_id
     JOIN issuances.series s ON s.ticker = t.series_ticker JOIN issuances.operations o ON o.id = s.operation_id
     LEFT JOIN LATERAL (SELECT max(due_date) AS last FROM tokenization.schedule_entries WHERE tranche_id = t.id) i ON true ORDER BY s.ticker`,
  );
  expect(pairs.map(({ ticker }) => ticker)).toEqual(Object.keys(sharedSeries).sort());
  expect(pairs.map(({ series }) => series)).toEqual(pairs.map(({ tranche }) => tranche));
});

/** Returns the distinct values of a column. */
const kindsOf = (column: string, table: string) =>
  context.manager.values<string>(`SELECT DISTINCT ${column} FROM tokenization.${table}`);

const asFiles = (files: readonly TextFile[]) => Object.fromEntries(files.map(({ name, content }) => [name, content]));

describe('the demo of estates', () => {
  test('the same day and seed make the same files, another seed makes others', () => {
    const [first, again, other] = ['a', 'a', 'b'].map((seed) =>
      JSON.stringify(generateEstates({ today, calendar, seed })),
    );
    expect(first).toBe(again);
    expect(first).not.toBe(other);
  });

  test('its files are taken on a leap day', async () => {
    const day = '2028-02-29';
    const other = await openTestDatabase();
    try {
      const onDay = testContext({ manager: other.dataSource.manager, clock: fixedClock(`${day}T15:00:00Z`) });
      const { opening } = generateEstates({ today: day, calendar });
      expect(printed(await importTextsInto(onDay, [tokenizationImport], asFiles(opening)))).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('loading it a second time does nothing', async () => {
    expect(await loadEstates(context)).toBe(false);
  }, 300_000);

  test('there are at least 6 estates, 20 series and 3,000 credits, in every state, type and class', async () => {
    expect(await count('tokenization.patrimonies')).toBeGreaterThanOrEqual(6);
    expect(await count('tokenization.tranches')).toBeGreaterThanOrEqual(20);
    expect(await count('tokenization.assets')).toBeGreaterThanOrEqual(3000);
    const expected = [
      ['status', 'patrimonies', patrimonyStatuses],
      ['status', 'tranches', trancheStatuses],
      ['class_name', 'tranches', riskClasses],
      ['indexer', 'tranches', indexerNames],
      ['day_count', 'tranches', ['BUS252', 'CIVIL_360', 'CIVIL_365']],
      ['status', 'schedule_entries', ['PENDING', 'PAID', 'OVERDUE']],
      ['interest_event', 'schedule_entries', ['PAID', 'INCORPORATED', 'ACCRUED']],
      ['status', 'assets', assetStatuses],
      ['type', 'assets', assetTypes],
    ] as const;
    for (const [column, table, values] of expected)
      expect([table, (await kindsOf(column, table)).sort()]).toEqual([table, [...values].sort()]);
    expect(await count(`tokenization.tranches WHERE di_percentage <> 100`)).toBeGreaterThan(0);
    expect(await count(`tokenization.tranches WHERE indexer = 'DI' AND rate > 0`)).toBeGreaterThan(0);
  });

  const unpriced = `remuneration_start_date <= '${today}' AND (unit_price IS NULL OR (status <> 'CLOSED' AND priced_on <> '${calendar.preceding(today)}'))`;
  const creditsWhere = (having: string) =>
    `(SELECT a.id FROM tokenization.assets a JOIN tokenization.asset_installments i ON i.asset_id = a.id GROUP BY a.id HAVING ${having}) x`;
  test.each([
    ['series that has begun lacks a price of the last business day', `tokenization.tranches WHERE ${unpriced}`],
    ['series lacks a number', 'tokenization.tranches WHERE missing_input IS NOT NULL'],
    [
      'payment was worth anything but what the price of its day says',
      `tokenization.schedule_entries e JOIN tokenization.tranches t ON t.id = e.tranche_id
       JOIN tokenization.unit_prices u ON u.tranche_id = t.id AND u.date = e.calculation_date
       WHERE e.status = 'PAID' AND abs(e.total_value - trunc(u.payment * t.token_quantity, 2)) > 0.02`,
    ],
    [
      'credit has figures other than those of its instalments',
      creditsWhere(`count(*) <> a.installments OR count(*) FILTER (WHERE i.status = 'PAID') <> a.paid_installments
        OR sum(i.paid_amount) <> a.received OR max(i.due_date) <> a.final_due_date
        OR min(i.due_date) FILTER (WHERE i.status = 'PENDING') IS DISTINCT FROM a.next_due_date`),
    ],
    [
      'credit is without instalments',
      'tokenization.assets a WHERE NOT EXISTS (SELECT FROM tokenization.asset_installments i WHERE i.asset_id = a.id)',
    ],
    [
      'credit has a balance other than the part of its principal that is open',
      creditsWhere(`a.current_balance <> round(a.original_value * sum(i.amount - i.paid_amount) / sum(i.amount), 2)
        OR (a.status = 'SETTLED') <> (a.current_balance = 0) OR bool_or(i.status = 'PAID' AND i.paid_amount <> i.amount)`),
    ],
  ])('no %s', async (_, rows) => {
    expect(await count(rows)).toBe(0);
  });

  test('the newest price of a series is made with a projection, and the number of another came', async () => {
    const of = (ticker: string) =>
      context.manager.rows<{ projected: boolean }>(
        `SELECT u.projected FROM tokenization.unit_prices u JOIN tokenization.tranches t ON t.id = u.tranche_id
         WHERE t.ticker = '${ticker}' ORDER BY u.date, u.version`,
      );
    expect((await of('RODOVIA-TK1')).at(-1)?.projected).toBe(true);
    const came = (await of('RODOVIA-TK2')).map(({ projected }) => projected);
    expect([came.includes(true), came.at(-1)]).toEqual([true, false]);
  });

  test('a load that was cut short is made whole by the next one, on another day as well', async () => {
    const cut = await openTestDatabase();
    try {
      const { manager } = cut.dataSource;
      const { opening } = generateEstates({ today, calendar });
      const first = testContext({ manager, clock: fixedClock(`${today}T15:00:00Z`) });
      await importTextsInto(first, [tokenizationImport], asFiles(opening));
      const later = testContext({ manager, clock: fixedClock('2026-11-25T15:00:00Z') });
      expect(await loadEstates(later)).toBe(true);
      expect(await loadEstates(later)).toBe(false);
      const [row] = await cut.dataSource.query<unknown[]>(
        `SELECT count(*) FILTER (WHERE status = 'CLOSED')::integer AS closed FROM tokenization.tranches`,
      );
      expect(row).toEqual({ closed: 3 });
    } finally {
      await cut.close();
    }
  }, 300_000);
});
