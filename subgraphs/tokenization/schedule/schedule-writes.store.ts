import { arraysOf } from '../../../shared/kernel/group-by.js';
import { type Context, today } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import type { TrancheRow } from '../tranches/tranche.store.js';
import type { Instalment } from '../unit-price/schedule.js';
import type { UnitPriceRow } from '../unit-price/unit-price.js';
import type { InstalmentNews } from './payment-event.js';
import { scheduleColumns, wasReversed, type ScheduleEntryRow } from './schedule.store.js';
import { selectPrice } from '../price-runs/unit-price.columns.js';
import { fromStoredRow, type StoredUnitPriceRow } from '../unit-price/stored-row.js';
import { conditionsOf, type Conditions } from '../../../shared/database/conditions.js';
import { keyset, type OpenPage } from '../../../shared/graphql/list-page.js';
import type { OpenInstalment, UpcomingQuery } from './upcoming-payments.js';

/** An instalment with the ticker of its series, as events report it. */
export type LateInstalment = ScheduleEntryRow & InstalmentNews & { readonly trancheTicker: string };

// SQL that restricts to series that are offered or in force: drafts owe nothing yet, and ended series no longer do.
const owed = `FROM tokenization.schedule_entries e JOIN tokenization.tranches t ON t.id = e.tranche_id
  WHERE e.status = 'PENDING' AND e.due_date <= $1 AND t.status IN ('FUNDRAISING', 'ACTIVE')`;
const pick = `ORDER BY e.due_date LIMIT $2 FOR NO KEY UPDATE OF e SKIP LOCKED`;

/** Marks instalments due up to a day that pay nothing as paid on their day, at most `limit`; returns how many. */
export function settleEmpty({ manager }: Context, upTo: string, limit: number): Promise<number> {
  return manager.execute(
    `WITH empty AS (SELECT e.tranche_id, e.installment_number ${owed}
       AND (e.total_value = 0 OR (e.interest_event <> 'PAID' AND e.amortization_percentage = 0)) ${pick})
     UPDATE tokenization.schedule_entries e SET status = 'PAID', paid_on = e.due_date,
       interest_value = 0, principal_value = 0, total_value = 0
     FROM empty WHERE e.tranche_id = empty.tranche_id AND e.installment_number = empty.installment_number`,
    [upTo, limit],
  );
}

/** Marks pending instalments due up to a day as overdue, at most `limit`, and returns them. */
export function markOverdue({ manager }: Context, upTo: string, limit: number): Promise<LateInstalment[]> {
  return manager.rows(
    `WITH late AS (SELECT e.tranche_id AS "lateTranche", e.installment_number AS "lateNumber", t.ticker AS "trancheTicker"
       ${owed} ${pick})
     UPDATE tokenization.schedule_entries SET status = 'OVERDUE'
     FROM late WHERE tranche_id = "lateTranche" AND installment_number = "lateNumber"
     RETURNING ${scheduleColumns}, "trancheTicker", ${wasReversed('schedule_entries')} AS correction`,
    [upTo, limit],
  );
}

/**
 * Locks an instalment of a series until the transaction ends.
 * @throws {ApiError} NOT_FOUND
 */
export async function lockInstalment(
  { manager }: Context,
  { id, ticker }: Pick<TrancheRow, 'id' | 'ticker'>,
  installmentNumber: number,
): Promise<ScheduleEntryRow> {
  const row = await manager.row<ScheduleEntryRow>(
    `SELECT ${scheduleColumns} FROM tokenization.schedule_entries
     WHERE tranche_id = $1 AND installment_number = $2 FOR NO KEY UPDATE`,
    [id, installmentNumber],
  );
  return requireFound(row, `${ticker} has no instalment ${installmentNumber}`);
}

/** Returns what the newest price of a day pays for a unit of a series; undefined while the day has no price. */
export async function findPriceOf(
  { manager }: Context,
  trancheId: string,
  date: string,
): Promise<Pick<UnitPriceRow, 'date' | 'payment' | 'amortization'> | undefined> {
  const row = await manager.row<{ payment: string; amortization: string }>(
    `SELECT payment, amortization FROM tokenization.unit_prices
     WHERE tranche_id = $1 AND date = $2::date ORDER BY version DESC LIMIT 1`,
    [trancheId, date],
  );
  return row && { date, payment: new Decimal(row.payment), amortization: new Decimal(row.amortization) };
}

/** Marks an instalment as paid, with its amounts; returns whether an earlier payment of it was reversed. */
export async function payInstalment(
  { manager }: Context,
  paid: ScheduleEntryRow,
): Promise<{ readonly correction: boolean }> {
  return manager.one(
    `UPDATE tokenization.schedule_entries SET status = 'PAID', paid_on = $3, interest_value = $4, principal_value = $5,
       total_value = $6 WHERE tranche_id = $1 AND installment_number = $2
     RETURNING ${wasReversed('schedule_entries')} AS correction`,
    [paid.trancheId, paid.installmentNumber, paid.paidOn, paid.interestValue, paid.principalValue, paid.totalValue],
  );
}

/** Replaces the schedule of a series. */
export async function replaceSchedule(
  { manager }: Context,
  trancheId: string,
  instalments: readonly Instalment[],
): Promise<void> {
  await manager.execute('DELETE FROM tokenization.schedule_entries WHERE tranche_id = $1', [trancheId]);
  await manager.execute(
    `INSERT INTO tokenization.schedule_entries (tranche_id, installment_number, calculation_date, due_date, interest_event,
       amortization_percentage, interest_percentage, principal_percentage)
     SELECT $1, * FROM unnest($2::integer[], $3::date[], $4::date[], $5::text[], $6::numeric[], $7::numeric[], $8::numeric[])`,
    [
      trancheId,
      ...arraysOf(instalments, 'installmentNumber', 'calculationDate', 'dueDate', 'interest'),
      instalments.map(({ amortizationPercentage }) => amortizationPercentage.toFixed()),
      instalments.map(({ interestPercentage }) => interestPercentage.toFixed()),
      instalments.map(({ principalPercentage }) => principalPercentage.toFixed()),
    ],
  );
}

/**
 * Returns the newest price of each series, by its id; none for series whose prices are to be computed again, and none at a past
 * moment: how far prices were valid then is not stored, and computing from the start gives the same digits.
 */
export async function newestPrices(
  { manager, asOf }: Context,
  trancheIds: readonly string[],
  calendarVersion: number,
): Promise<ReadonlyMap<string, UnitPriceRow>> {
  if (asOf !== undefined) return new Map();
  const rows = await manager.rows<StoredUnitPriceRow & { readonly id: string }>(
    `SELECT t.id, ${selectPrice('u')} FROM tokenization.tranches t
     CROSS JOIN LATERAL (SELECT * FROM tokenization.unit_prices
       WHERE tranche_id = t.id AND date <= t.priced_through ORDER BY date DESC, version DESC LIMIT 1) AS u
     WHERE t.id = ANY ($1) AND t.priced_policy_version = t.policy_version AND t.priced_calendar_version = $2`,
    [trancheIds, calendarVersion],
  );
  // A row keeps its old calendar version when another calendar changes none of its digits; it is valid for both.
  return new Map(rows.map(({ id, ...row }) => [id, fromStoredRow({ ...row, calendarVersion })]));
}

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
