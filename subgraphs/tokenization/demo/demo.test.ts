import { afterAll, describe, expect, test } from '@jest/globals';
import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { fixedClock } from '../../../shared/kernel/clock.js';
import { documentKind } from '../../../shared/kernel/tax-id.js';
import { riskClasses } from '../../securities/risk-class.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { importTextsInto, printed } from '../../../tests/kit/import.js';
import { assetStatuses } from '../assets/asset.js';
import { assetTypes } from '../../securities/asset-type.js';
import { tokenizationImport } from '../import/domain.js';
import { patrimonyStatuses } from '../patrimonies/patrimony.js';
import { indexerNames, trancheStatuses } from '../tranches/tranche.js';
import { loadTokenizationDemo } from './demo.js';
import { generateDemo, type DemoFile } from './generate.js';

const today = '2026-11-20';

const database = await openTestDatabase();
afterAll(() => database.close());
const context = testContext({ manager: database.dataSource.manager, clock: fixedClock(`${today}T15:00:00Z`) });
const calendar = await loadCalendar(context.manager);
await loadTokenizationDemo(context);

const count = async (sql: string) => Number(await context.manager.value(`SELECT count(*) FROM ${sql}`));

/** Returns the distinct values of a column. */
const kindsOf = (column: string, table: string) =>
  context.manager.values<string>(`SELECT DISTINCT ${column} FROM tokenization.${table}`);

const asFiles = (files: readonly DemoFile[]) => Object.fromEntries(files.map(({ name, content }) => [name, content]));

describe('the demo', () => {
  test('the same day and seed make the same files, another seed makes others', () => {
    const [first, again, other] = ['a', 'a', 'b'].map((seed) =>
      JSON.stringify(generateDemo({ today, calendar, seed })),
    );
    expect(first).toBe(again);
    expect(first).not.toBe(other);
  });

  test.each(['2027-01-01', '2028-02-29'])('its files are taken on %s', async (day) => {
    const other = await openTestDatabase();
    try {
      const onDay = testContext({ manager: other.dataSource.manager, clock: fixedClock(`${day}T15:00:00Z`) });
      const { opening } = generateDemo({ today: day, calendar });
      expect(printed(await importTextsInto(onDay, [tokenizationImport], asFiles(opening)))).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('loading it a second time does nothing', async () => {
    expect(await loadTokenizationDemo(context)).toBe(false);
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

  test.each([
    [80, 'payments of interest', `tokenization.schedule_entries WHERE status = 'PAID' AND interest_value > 0`],
    [10, 'instalments paid in part', `tokenization.asset_installments WHERE status = 'PENDING' AND paid_amount > 0`],
    [50, 'late credits', `tokenization.assets WHERE status = 'ACTIVE' AND next_due_date < '${today}'`],
    [
      10,
      'balances reduced by a payment in part',
      `tokenization.assets a WHERE EXISTS (
         SELECT FROM tokenization.asset_installments i WHERE i.asset_id = a.id AND i.status = 'PENDING' AND i.paid_amount > 0
           AND a.current_balance < a.original_value * (a.installments - a.paid_installments) / a.installments)`,
    ],
  ])('there are more than %d %s', async (least, _, rows) => {
    expect(await count(rows)).toBeGreaterThan(least);
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

  test('every document has right check digits', async () => {
    const documents = await kindsOf('debtor_document', 'assets');
    expect(documents.filter((document) => documentKind(document) === undefined)).toEqual([]);
    expect(documents.some((document) => /^\d{2}[A-Z]/.test(document))).toBe(true);
  });

  test('a load that was cut short is made whole by the next one, on another day as well', async () => {
    const cut = await openTestDatabase();
    try {
      const { manager } = cut.dataSource;
      const { opening } = generateDemo({ today, calendar });
      const first = testContext({ manager, clock: fixedClock(`${today}T15:00:00Z`) });
      await importTextsInto(first, [tokenizationImport], asFiles(opening));
      const later = testContext({ manager, clock: fixedClock('2026-11-25T15:00:00Z') });
      expect(await loadTokenizationDemo(later)).toBe(true);
      expect(await loadTokenizationDemo(later)).toBe(false);
      const [row] = await cut.dataSource.query<unknown[]>(
        `SELECT count(*) FILTER (WHERE status = 'CLOSED')::integer AS closed FROM tokenization.tranches`,
      );
      expect(row).toEqual({ closed: 3 });
    } finally {
      await cut.close();
    }
  }, 300_000);
});
