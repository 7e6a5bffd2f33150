import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase, type TestDatabase } from '../../../tests/kit/database.js';
import { factsOf } from '../../../tests/issuances/portfolio.js';
import { add, addContract, addOperation } from '../../../tests/issuances/fixtures.js';
import { computeReport } from './report.js';
import { loadFinalMonths, storedReports } from './report.store.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** SQL that removes the results of this and later migrations. */
const before = `
  DROP FUNCTION issuances.credit_contracts(timestamptz), issuances.monthly_reports(timestamptz), issuances.complete_months(timestamptz);
  DROP TRIGGER "0_stamp_version" ON issuances.credit_contracts;
  DROP TRIGGER "0_refuse_forged" ON issuances.credit_contracts;
  DROP TABLE issuances.complete_months_versions;
  DROP INDEX issuances.credit_contracts_written_off;
  DROP TABLE issuances.complete_months, issuances.report_inputs;
  DROP FUNCTION issuances.count_position_changes, issuances.count_price_changes, issuances.date_write_off,
    issuances.count_write_offs CASCADE;
  ALTER TABLE issuances.credit_contracts DROP COLUMN written_off_date;
  ALTER TABLE issuances.monthly_reports DROP CONSTRAINT monthly_reports_pkey, DROP COLUMN version, DROP COLUMN reason,
    DROP COLUMN input_changes, ADD PRIMARY KEY (operation_id, month)`;

test('stored reports become first versions, those whose positions came later say so, and write-offs get a day', async () => {
  const { manager } = database.dataSource;
  await database.asOwner(before);
  const id = await addOperation(manager, 'OLD');
  const contract = await addContract(manager, id, { status: 'WRITTEN_OFF', position_date: '2026-09-28' });
  for (const [month, baseDate] of [
    ['2026-07', '2026-07-31'],
    ['2026-08', '2026-08-20'],
    ['2026-09', '2026-08-20'],
  ] as const) {
    const { subordination, ...report } = computeReport(factsOf([], `${month}-28`));
    // An earlier report has no data on ended series.
    const old = { ...subordination, ended: undefined };
    const stored = { ...report, portfolio: { ...report.portfolio, baseDate }, subordination: old };
    await add(manager, 'monthly_reports', {
      operation_id: id,
      month: `${month}-01`,
      report: JSON.stringify(stored),
      generated_at: '2026-10-01T03:00:00Z',
    });
    if (month === '2026-09') continue;
    await add(manager, 'contract_positions', {
      operation_id: id,
      contract_id: contract,
      month: `${month}-01`,
      opening_balance: '10',
      scheduled_principal: '0',
      prepaid_principal: '0',
      closing_balance: '10',
      days_late: 0,
    });
  }
  await database.asOwner(await readFile(new URL('../migrations/0004-report-versions.sql', import.meta.url), 'utf8'));
  await database.asOwner(
    'GRANT SELECT, INSERT, UPDATE, DELETE ON issuances.report_inputs, issuances.complete_months TO PUBLIC',
  );
  const context = testContext({ manager });
  const [months = []] = await loadFinalMonths(context, [id]);
  expect(months.map(({ month, version, dataChanged }) => [month, version, dataChanged])).toEqual([
    ['2026-07', 1, false],
    ['2026-08', 1, true],
    ['2026-09', 1, false],
  ]);
  const [july] = await storedReports(context, [{ operationId: id, month: '2026-07', version: 1 }]);
  expect(july).toMatchObject({ reason: null, report: { position: '2026-07-28', subordination: { ended: [] } } });
  expect(await manager.query('SELECT written_off_date::text AS day FROM issuances.credit_contracts')).toEqual([
    { day: '2026-09-28' },
  ]);
});
