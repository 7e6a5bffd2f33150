import { afterAll, describe, expect, test } from '@jest/globals';
import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { fixedClock } from '../../../shared/kernel/clock.js';
import { documentKind } from '../../../shared/kernel/tax-id.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { kinds } from '../import/model/kinds.js';
import { obligationStatus, obligationStatuses, type ObligationFacts } from '../parts/obligation.js';
import { loadTokenizationDemo } from '../../tokenization/demo/demo.js';
import { loadDemo } from './demo.js';
import { generateDemo, historyDays } from './generate.js';

const today = '2026-11-20';

const database = await openTestDatabase();
afterAll(() => database.close());
const context = testContext({ manager: database.dataSource.manager, clock: fixedClock(`${today}T15:00:00Z`) });
const calendar = await loadCalendar(context.manager);
await loadTokenizationDemo(context);
await loadDemo(context);

const count = async (sql: string) => Number(await context.manager.value(`SELECT count(*) FROM ${sql}`));

describe('the demo', () => {
  test('the same day and seed make the same files, another seed makes others', () => {
    const [first, again, other] = ['a', 'a', 'b'].map((seed) =>
      JSON.stringify(generateDemo({ today, calendar, seed })),
    );
    expect(first).toBe(again);
    expect(first).not.toBe(other);
  });

  test.each(['2027-01-01', '2028-02-29'])('it can be made on %s', (day) => {
    expect(generateDemo({ today: day, calendar }).length).toBeGreaterThan(26);
  });

  test('loading it a second time does nothing', async () => {
    expect(await loadDemo(context)).toBe(false);
  }, 300_000);

  test('it has at least 24 public operations over the four types, and one that is not public', async () => {
    const rows = await database.dataSource.query<{ type: string; open: string; hidden: string }[]>(
      `SELECT type, count(*) FILTER (WHERE is_public) AS open, count(*) FILTER (WHERE NOT is_public) AS hidden
       FROM issuances.operations GROUP BY type ORDER BY type`,
    );
    expect(rows.map(({ type }) => type)).toEqual(['CR', 'CRA', 'CRI', 'DEB']);
    expect(rows.reduce((sum, { open }) => sum + Number(open), 0)).toBeGreaterThanOrEqual(24);
    expect(rows.reduce((sum, { hidden }) => sum + Number(hidden), 0)).toBe(1);
  });

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

  test('portfolios go from 30 contracts to more than the inventory threshold', async () => {
    const rows = await database.dataSource.query<{ count: string }[]>(
      'SELECT count(*) AS count FROM issuances.credit_contracts GROUP BY operation_id ORDER BY 1',
    );
    expect(rows).toHaveLength(26);
    expect(Number(rows[0]?.count)).toBe(30);
    expect(Number(rows.at(-1)?.count)).toBeGreaterThan(5000);
  });

  test('every document has right check digits', async () => {
    const rows = await database.dataSource.query<{ document: string }[]>(
      `SELECT DISTINCT debtor_document AS document FROM issuances.credit_contracts
       UNION SELECT issuer_cnpj FROM issuances.operations WHERE issuer_cnpj IS NOT NULL`,
    );
    expect(rows.filter(({ document }) => documentKind(document) === undefined)).toEqual([]);
    expect(rows.some(({ document }) => /^\d{2}[A-Z]/.test(document))).toBe(true);
  });

  test('obligations stand in every status', async () => {
    const rows = await database.dataSource.query<ObligationFacts[]>(
      `SELECT due_date::text AS "dueDate", grace_days AS "graceDays", delivered_date::text AS "deliveredDate",
         waived_date::text AS "waivedDate" FROM issuances.obligations`,
    );
    expect(new Set(rows.map((facts) => obligationStatus(facts, today)))).toEqual(new Set(obligationStatuses));
  });

  test.each([
    [500, 'payments WHERE paid_date IS NOT NULL'],
    [100, `payments WHERE paid_date IS NULL AND due_date >= '${today}'`],
    [0, `payments WHERE paid_date IS NULL AND due_date < '${today}'`],
    [0, 'payments WHERE paid_date > due_date'],
    [3, 'documents WHERE NOT is_public'],
    [50, 'documents WHERE is_public'],
    [100, 'contract_positions WHERE prepaid_principal > 0'],
  ])('it has more than %d %s', async (least, rows) => {
    expect(await count(`issuances.${rows}`)).toBeGreaterThan(least);
  });

  test('whatever may be absent is somewhere absent and somewhere there', async () => {
    const onlyOne: string[] = [];
    for (const kind of kinds) {
      const columns = kind.fields
        .filter((field) => !field.required)
        .map(({ column, fallback }) => ({ column, fallback }));
      for (const { column, fallback } of columns) {
        const empty = fallback === null ? `${column} IS NULL` : `${column} = '${fallback}'`;
        const [row] = await database.dataSource.query<{ absent: boolean; there: boolean }[]>(
          `SELECT bool_or(${empty}) AS absent, bool_or(NOT ${empty}) AS there FROM ${kind.table}`,
        );
        if (row?.absent !== true || !row.there) onlyOne.push(`${kind.name}.${column}`);
      }
    }
    // Fields that the importer fills in are always there; of payments the engine says what is open, and the units, and the demo has it pay whole.
    const filledIn = /externalId|external_id|issued_total|payments\.(open_value|units)/;
    expect(onlyOne.filter((name) => !filledIn.test(name))).toEqual([]);
  });

  test('every operation with contracts has reports of past months', async () => {
    const rows = await database.dataSource.query<{ months: string }[]>(
      `SELECT count(r.month) AS months FROM issuances.operations o LEFT JOIN issuances.monthly_reports r ON r.operation_id = o.id
       WHERE o.is_public GROUP BY o.id ORDER BY 1`,
    );
    expect(Number(rows[0]?.months)).toBeGreaterThanOrEqual(2);
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
