import { z } from 'zod';
import type { Context } from '../../../shared/kernel/context.js';
import { groupsOf, itemsOf } from '../../../shared/kernel/group-by.js';
import { maskDocumentsIn } from '../../../shared/kernel/tax-id.js';
import type { KnownMonths, ReportMonth } from './report-months.js';
import { reportSchema, type Report } from './report-schema.js';

export interface DatedReport {
  readonly report: Report;
  readonly generatedAt: Date;
}

export type MonthReport = DatedReport & Omit<ReportMonth, 'generatedAt'>;

export interface MonthKey {
  readonly operationId: string;
  /** `YYYY-MM`. */
  readonly month: string;
}

interface VersionRow {
  operationId: string;
  month: string;
  version: number;
  reason: string | null;
  generatedAt: Date;
  dataChanged: boolean;
}

const versionColumns = `stored.operation_id AS "operationId", to_char(stored.month, 'YYYY-MM') AS month, stored.version, stored.reason,
  stored.generated_at AS "generatedAt", coalesce(input.changes, 0) > stored.input_changes AS "dataChanged"`;
const withInputs = `LEFT JOIN issuances.report_inputs AS input
  ON input.operation_id = stored.operation_id AND input.month = stored.month`;

export async function loadFinalMonths(context: Context, operationIds: readonly string[]): Promise<ReportMonth[][]> {
  const rows = await context.manager.rows<VersionRow>(
    `SELECT DISTINCT ON (stored.operation_id, stored.month) ${versionColumns}
     FROM issuances.monthly_reports AS stored ${withInputs}
     WHERE stored.operation_id = ANY ($1) ORDER BY stored.operation_id, stored.month, stored.version DESC`,
    [operationIds],
  );
  return groupsOf(operationIds, rows, ({ operationId }) => operationId).map((own) => own.map(toMonth));
}

function toMonth({ month, version, reason, generatedAt, dataChanged }: VersionRow): ReportMonth {
  return { month, status: 'FINAL', version, reason, generatedAt, dataChanged };
}

/** Key of a version of a final report; `version` null selects the newest. */
export type VersionKey = MonthKey & { readonly version: number | null };

/** Returns final reports; undefined if a month has no such version. */
export async function storedReports(
  context: Context,
  keys: readonly VersionKey[],
): Promise<(MonthReport | undefined)[]> {
  const rows = await context.manager.rows<VersionRow & { at: number; report: unknown }>(
    `SELECT wanted.at::int AS at, stored.report, ${versionColumns}
     FROM unnest($1::uuid[], $2::text[], $3::int[]) WITH ORDINALITY AS wanted (operation_id, month, version, at)
     CROSS JOIN LATERAL (SELECT * FROM issuances.monthly_reports AS one
       WHERE one.operation_id = wanted.operation_id AND to_char(one.month, 'YYYY-MM') = wanted.month
         AND one.version = coalesce(wanted.version, one.version)
       ORDER BY one.version DESC LIMIT 1) AS stored ${withInputs}`,
    [keys.map(({ operationId }) => operationId), keys.map(({ month }) => month), keys.map(({ version }) => version)],
  );
  const found = new Map(rows.map((row) => [row.at, row]));
  return keys.map((_key, index) => {
    const row = found.get(index + 1);
    return row && { ...toMonth(row), generatedAt: row.generatedAt, report: reportSchema.parse(row.report) };
  });
}

const monthsSchema = z.array(z.string());

/** Returns the data available for the months of operations, in their order. */
export async function loadKnownMonths(context: Context, operationIds: readonly string[]): Promise<KnownMonths[]> {
  const rows = await context.manager.rows<{ operationId: string; positionMonths: unknown; baseMonth: string | null }>(
    `SELECT wanted.id AS "operationId",
       (SELECT to_char(max(position_date), 'YYYY-MM') FROM issuances.credit_contracts
         WHERE operation_id = wanted.id AND engine_patrimony_id IS NULL) AS "baseMonth",
       ARRAY (SELECT to_char(month, 'YYYY-MM') FROM issuances.report_inputs
         WHERE operation_id = wanted.id AND has_positions ORDER BY month) AS "positionMonths"
     FROM unnest($1::uuid[]) AS wanted (id)`,
    [operationIds],
  );
  return itemsOf(operationIds, rows, ({ operationId }) => operationId).map((found) => ({
    positionMonths: monthsSchema.parse(found?.positionMonths ?? []),
    baseMonth: found?.baseMonth ?? null,
  }));
}

export async function completeMonthsWithoutReport(
  context: Context,
  operationIds: readonly string[],
): Promise<MonthKey[]> {
  return context.manager.rows<MonthKey>(
    `SELECT operation_id AS "operationId", to_char(month, 'YYYY-MM') AS month FROM issuances.complete_months
     LEFT JOIN issuances.monthly_reports USING (operation_id, month)
     WHERE operation_id = ANY ($1) AND version IS NULL ORDER BY month, operation_id`,
    [operationIds],
  );
}

/** A complete month of an input that has no final report yet, with its place in the files. */
export interface DeclaredMonth extends MonthKey {
  readonly file: number;
  readonly line: number;
  readonly path: string;
}

/** Returns the months that the input of an import declares complete and that have no final report. */
export async function declaredMonths({ manager }: Context): Promise<DeclaredMonth[]> {
  return manager.rows(
    `SELECT s.file, s.line, s.path, k.id AS "operationId", to_char(s.month, 'YYYY-MM') AS month
     FROM import_complete_months s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
     WHERE NOT EXISTS (SELECT FROM issuances.monthly_reports r WHERE r.operation_id = k.id AND r.month = s.month)
     ORDER BY s.file, s.line`,
  );
}

export interface OpenPayment {
  readonly operationId: string;
  /** Ticker of its series; null for a payment of the whole operation. */
  readonly ticker: string | null;
  /** Its names: `AURORA1S1 19 Juros`. */
  readonly payment: string;
  readonly dueDate: string;
  readonly paidDate: null;
}

/** Returns the payments of operations that were due up to a day and are not paid, by due date. */
export async function loadOpenPayments(
  { manager }: Context,
  operationIds: readonly string[],
  day: string,
): Promise<OpenPayment[]> {
  return manager.rows(
    `SELECT payment.operation_id AS "operationId", series.ticker, due_date::text AS "dueDate", paid_date AS "paidDate",
       concat_ws(' ', series.ticker, installment_number, event) AS payment
     FROM issuances.payments AS payment LEFT JOIN issuances.series ON series.id = series_id
     WHERE payment.operation_id = ANY ($1) AND due_date <= $2::date AND paid_date IS NULL
     ORDER BY due_date, series.number, installment_number, event`,
    [operationIds, day],
  );
}

export interface MissingPosition {
  readonly operationId: string;
  /** The operator's identifier of the contract. */
  readonly contract: string;
  /** How many contracts of the operation have none. */
  readonly total: number;
}

/**
 * Returns the contracts that were in the portfolios at the end of a month and have no position of it, the first 1,000 of each operation; none where the
 * month has no positions at all. A contract was there if it had a balance at the end of the month with positions before, or if it is owed now, was issued
 * by then and does not first appear in a later month. A contract that was written off before the month was not.
 */
export async function loadMissingPositions(
  { manager }: Context,
  operationIds: readonly string[],
  month: string,
): Promise<MissingPosition[]> {
  const position = (of: string) => `SELECT FROM issuances.contract_positions AS position
    WHERE position.operation_id = contract.operation_id AND position.contract_id = contract.id AND position.month = ${of}`;
  return manager.rows(
    `SELECT "operationId", contract, total FROM (
       SELECT contract.operation_id AS "operationId", external_id AS contract,
         count(*) OVER operation::int AS total, row_number() OVER (operation ORDER BY external_id COLLATE "C") AS nth
       FROM (
         SELECT operation_id, max(month) FILTER (WHERE month < $2::date) AS before, min(month) FILTER (WHERE month > $2::date) AS after
         FROM issuances.report_inputs WHERE operation_id = ANY ($1) AND has_positions
         GROUP BY operation_id HAVING bool_or(month = $2::date)
       ) AS known JOIN issuances.credit_contracts AS contract ON contract.operation_id = known.operation_id
       WHERE engine_patrimony_id IS NULL AND (written_off_date IS NULL OR written_off_date >= $2::date) AND NOT EXISTS (${position('$2::date')})
       AND (EXISTS (${position('known.before')} AND closing_balance > 0)
         OR status IN ('ACTIVE', 'DEFAULTED') AND outstanding_balance > 0 AND issue_date < $2::date + interval '1 month'
           AND NOT EXISTS (${position('known.after')}))
       WINDOW operation AS (PARTITION BY contract.operation_id)
     ) AS missing WHERE nth <= 1000 ORDER BY "operationId", nth`,
    [operationIds, `${month}-01`],
  );
}

export interface NewVersion extends MonthKey {
  readonly version: number;
  readonly report: Report;
  readonly reason: string | null;
}

/** Stores versions together with the current change counts of their data. Returns false if one of them exists already. */
export async function addVersions(context: Context, versions: readonly NewVersion[]): Promise<boolean> {
  const rows = await context.manager.rows<unknown>(
    `INSERT INTO issuances.monthly_reports (operation_id, month, version, report, reason, generated_at, input_changes)
     SELECT added.operation_id, added.month, added.version, added.report, added.reason, $6, coalesce(input.changes, 0)
     FROM unnest($1::uuid[], $2::date[], $3::int[], $4::jsonb[], $5::text[]) AS added (operation_id, month, version, report, reason)
     LEFT JOIN issuances.report_inputs AS input USING (operation_id, month)
     ON CONFLICT DO NOTHING RETURNING version`,
    [
      versions.map(({ operationId }) => operationId),
      versions.map(({ month }) => `${month}-01`),
      versions.map(({ version }) => version),
      versions.map(({ report }) => JSON.stringify(report)),
      versions.map(({ reason }) => (reason === null ? null : maskDocumentsIn(reason))),
      context.clock.now(),
    ],
  );
  return rows.length === versions.length;
}
