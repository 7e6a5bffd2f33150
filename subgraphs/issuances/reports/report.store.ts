import { z } from 'zod';
import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import { reportSchema, type Report } from './report-schema.js';

/** A report with the moment in which it was made. */
export interface DatedReport {
  readonly report: Report;
  readonly generatedAt: Date;
}

/** The months, `YYYY-MM`, of each operation's stored reports, newest first. */
export async function storedMonthsOf(context: Context, operationIds: readonly string[]): Promise<string[][]> {
  const rows = await context.manager.query<{ operationId: string; month: string }[]>(
    `SELECT operation_id AS "operationId", to_char(month, 'YYYY-MM') AS month FROM issuances.monthly_reports AS stored
     WHERE operation_id = ANY ($1) ORDER BY stored.month DESC`,
    [operationIds],
  );
  const groups = groupBy(rows, ({ operationId }) => operationId);
  return operationIds.map((id) => (groups.get(id) ?? []).map(({ month }) => month));
}

/** Stored reports; undefined where a month has none. */
export async function storedReports(
  context: Context,
  keys: readonly { readonly operationId: string; readonly month: string }[],
): Promise<(DatedReport | undefined)[]> {
  const rows = await context.manager.query<{ key: string; report: unknown; generatedAt: Date }[]>(
    `SELECT stored.operation_id || to_char(stored.month, ' YYYY-MM') AS key, stored.report, stored.generated_at AS "generatedAt"
     FROM unnest($1::uuid[], $2::text[]) AS wanted (operation_id, month)
     JOIN issuances.monthly_reports AS stored
       ON stored.operation_id = wanted.operation_id AND to_char(stored.month, 'YYYY-MM') = wanted.month`,
    [keys.map(({ operationId }) => operationId), keys.map(({ month }) => month)],
  );
  const found = new Map(rows.map(({ key, ...row }) => [key, row]));
  return keys.map(({ operationId, month }) => {
    const row = found.get(`${operationId} ${month}`);
    return row && { report: reportSchema.parse(row.report), generatedAt: row.generatedAt };
  });
}

/** Keeps a month's report unless there is one; answers whether it was kept. */
export async function keepReport(
  context: Context,
  operationId: string,
  month: string,
  report: Report,
): Promise<boolean> {
  const rows = await context.manager.query<unknown[]>(
    `INSERT INTO issuances.monthly_reports (operation_id, month, report, generated_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING month`,
    [operationId, `${month}-01`, JSON.stringify(report), context.clock.now()],
  );
  return rows.length > 0;
}

const monthsSchema = z.array(z.string());

/** What a report could be made of that has none yet. */
export interface ReportableOperation {
  readonly operationId: string;
  /** Months up to the last ended one that positions were imported for and that have no report. */
  readonly positionMonths: readonly string[];
  /** The month of the day on which the contracts' present balances are known. */
  readonly baseMonth: string;
  /** Stored months from `baseMonth` on. */
  readonly storedMonths: readonly string[];
}

/** The operations that have contracts, with what is missing up to a month. */
export async function findReportable(context: Context, lastMonth: string): Promise<ReportableOperation[]> {
  const rows = await context.manager.query<
    { operationId: string; positionMonths: unknown; baseMonth: string; storedMonths: unknown }[]
  >(
    `SELECT contract.operation_id AS "operationId", to_char(max(contract.position_date), 'YYYY-MM') AS "baseMonth",
       ARRAY (SELECT DISTINCT to_char(month, 'YYYY-MM') FROM issuances.contract_positions AS position
         WHERE position.operation_id = contract.operation_id AND month <= ($1 || '-01')::date
         AND NOT EXISTS (SELECT FROM issuances.monthly_reports AS stored
           WHERE stored.operation_id = position.operation_id AND stored.month = position.month)) AS "positionMonths",
       ARRAY (SELECT to_char(month, 'YYYY-MM') FROM issuances.monthly_reports AS stored
         WHERE stored.operation_id = contract.operation_id) AS "storedMonths"
     FROM issuances.credit_contracts AS contract GROUP BY contract.operation_id`,
    [lastMonth],
  );
  return rows.map((row) => ({
    ...row,
    positionMonths: monthsSchema.parse(row.positionMonths),
    storedMonths: monthsSchema.parse(row.storedMonths),
  }));
}
