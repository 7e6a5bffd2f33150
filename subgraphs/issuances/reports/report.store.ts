import { z } from 'zod';
import type { Context } from '../../../shared/kernel/context.js';
import { groupsOf, itemsOf } from '../../../shared/kernel/group-by.js';
import type { KnownMonths, ReportMonth } from './report-months.js';
import { reportSchema, type Report } from './report-schema.js';

/** A report with the time at which it was computed. */
export interface DatedReport {
  readonly report: Report;
  readonly generatedAt: Date;
}

/** The report of a month. */
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

/** Returns the final months of each operation, each with its newest version. */
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
       (SELECT to_char(max(position_date), 'YYYY-MM') FROM issuances.credit_contracts WHERE operation_id = wanted.id) AS "baseMonth",
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

/** Returns the months of some operations that are declared complete and have no final report. */
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

/** A version to be stored. */
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
      versions.map(({ reason }) => reason),
      context.clock.now(),
    ],
  );
  return rows.length === versions.length;
}
