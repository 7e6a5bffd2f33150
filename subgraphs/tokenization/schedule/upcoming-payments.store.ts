import type { Context } from '../../../shared/kernel/context.js';
import { conditionsOf, type Conditions } from '../../../shared/database/conditions.js';
import { keyset, type OpenPage } from '../../../shared/graphql/list-page.js';
import { today } from '../../../shared/kernel/today.js';
import { scheduleColumns, type ScheduleEntryRow } from './schedule.store.js';
import type { OpenInstalment, UpcomingQuery } from './upcoming-payments.js';

/** An open instalment of a list of several series. */
export type UpcomingPaymentRow = ScheduleEntryRow & { readonly ticker: string };

const from =
  'tokenization.schedule_entries AS entry JOIN tokenization.tranches AS tranche ON tranche.id = entry.tranche_id';

const open = [`entry.status <> 'PAID'`, `tranche.status IN ('FUNDRAISING', 'ACTIVE')`] as const;
const paid = [`entry.status = 'PAID'`, `tranche.status <> 'DRAFT'`] as const;
const paysSomething = `(entry.interest_event = 'PAID' OR entry.amortization_percentage > 0)`;

/** Returns the first upcoming payment of each series that is due today or later; undefined for a series without one. */
export async function nextPaymentsOf(
  context: Context,
  trancheIds: readonly string[],
): Promise<(ScheduleEntryRow | undefined)[]> {
  const rows = await context.manager.rows<ScheduleEntryRow>(
    `SELECT next.* FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
       SELECT ${scheduleColumns} FROM (
         SELECT entry.* FROM ${from}
         WHERE tranche.id = wanted.id AND entry.due_date >= $2::date AND ${[...open, paysSomething].join(' AND ')}
         ORDER BY entry.due_date, entry.installment_number LIMIT 1) AS entry) AS next`,
    [trancheIds, today(context)],
  );
  const byTranche = new Map(rows.map((row) => [row.trancheId, row]));
  return trancheIds.map((id) => byTranche.get(id));
}

/** Instalments that pay something: open ones of series that are offered or in force, or paid ones. */
function conditionsFor({ tickers, from: first, to, status, overdueUntil }: UpcomingQuery): Conditions {
  const conditions = conditionsOf(...(status === 'PAID' ? paid : open), paysSomething);
  conditions.where(status === 'OVERDUE' ? overdueUntil : null, (day) => `entry.due_date <= ${day}::date`);
  conditions.where(status === 'PENDING' ? overdueUntil : null, (day) => `entry.due_date > ${day}::date`);
  conditions.where(first, (day) => `entry.due_date >= ${day}::date`);
  conditions.where(to, (day) => `entry.due_date <= ${day}::date`);
  conditions.where(tickers, (values) => `lower(tranche.ticker) = ANY (${values})`);
  return conditions;
}

/** Returns the payments of a page by due date, ticker and number, one more than it holds if there are more. */
export function listUpcomingPayments(
  { manager }: Context,
  query: UpcomingQuery,
  page: Pick<OpenPage, 'limit' | 'position' | 'backward'>,
): Promise<UpcomingPaymentRow[]> {
  const { place, text, values } = conditionsFor(query);
  const { beyond, direction } = keyset('ASC', page);
  const [day, ticker, number] = page.position;
  const start =
    day === undefined
      ? 'true'
      : `(entry.due_date, lower(tranche.ticker), entry.installment_number) ${beyond} (${place(day)}::date, ${place(ticker)}, ${place(number)}::integer)`;
  const order = ['entry.due_date', 'lower(tranche.ticker)', 'entry.installment_number']
    .map((key) => `${key} ${direction}`)
    .join(', ');
  return manager.rows(
    `SELECT ${scheduleColumns}, ticker FROM (
       SELECT entry.*, tranche.ticker, row_number() OVER (ORDER BY ${order}) AS place FROM ${from}
       WHERE ${text()} AND ${start} ORDER BY ${order} LIMIT ${place(page.limit + 1)}) AS entry
     ORDER BY place`,
    values,
  );
}

export function countUpcomingPayments({ manager }: Context, query: UpcomingQuery): Promise<number> {
  const { text, values } = conditionsFor(query);
  return manager.countRows(`SELECT count(*)::int AS count FROM ${from} WHERE ${text()}`, values);
}

/** Returns the payments of a query to be added up, at most `limit`. */
export function openInstalments({ manager }: Context, query: UpcomingQuery, limit: number): Promise<OpenInstalment[]> {
  const { place, text, values } = conditionsFor(query);
  return manager.rows(
    `SELECT entry.tranche_id AS "trancheId", entry.installment_number AS "installmentNumber",
       entry.interest_value AS "interestValue", entry.principal_value AS "principalValue", entry.total_value AS "totalValue"
     FROM ${from} WHERE ${text()} LIMIT ${place(limit)}`,
    values,
  );
}
