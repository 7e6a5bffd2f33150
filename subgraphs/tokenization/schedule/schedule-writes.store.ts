import { arraysOf, groupBy } from '../../../shared/kernel/group-by.js';
import { type Context, today } from '../../../shared/kernel/context.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import type { TrancheRow } from '../tranches/tranche.store.js';
import type { Instalment } from '../unit-price/schedule.js';
import type { UnitPriceRow } from '../unit-price/unit-price.js';
import type { EntryValue } from '../events/entry-values.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { PaidInstalment, PaymentRow } from './payment.js';
import type { InstalmentNews } from './payment-event.js';
import {
  entryInWords,
  paidParts,
  paysSomething,
  recordedColumns,
  scheduleColumns,
  unitsSince,
  wasReversed,
  type ScheduleEntryRow,
} from './schedule.store.js';
import { selectPrice } from '../price-runs/unit-price.columns.js';
import { fromStoredRow, type StoredUnitPriceRow } from '../unit-price/stored-row.js';
import { conditionsOf, type Conditions } from '../../../shared/database/conditions.js';
import { keyset, type OpenPage } from '../../../shared/graphql/list-page.js';
import type { OpenInstalment, UpcomingQuery } from './upcoming-payments.js';

export type LateInstalment = ScheduleEntryRow & InstalmentNews & { readonly trancheTicker: string };

// SQL that restricts to series that are offered or in force: drafts owe nothing yet, and ended series no longer do.
const owed = `FROM tokenization.schedule_entries e JOIN tokenization.tranches t ON t.id = e.tranche_id
  WHERE e.status = 'PENDING' AND e.due_date <= $1 AND t.status IN ('FUNDRAISING', 'ACTIVE')`;
const pick = `ORDER BY e.due_date LIMIT $2 FOR NO KEY UPDATE OF e SKIP LOCKED`;

/** Marks instalments due up to a day that pay nothing as paid on their day, at most `limit`, and locks their series; returns the series, one for each. */
export function settleEmpty({ manager }: Context, upTo: string, limit: number): Promise<string[]> {
  return manager.values(
    `WITH empty AS (SELECT e.tranche_id, e.installment_number ${owed}
       AND (e.total_value = 0 OR NOT ${paysSomething('e')})
       ORDER BY e.due_date LIMIT $2 FOR NO KEY UPDATE OF t, e SKIP LOCKED)
     UPDATE tokenization.schedule_entries e SET status = 'PAID', paid_on = e.due_date,
       interest_value = 0, principal_value = 0, premium_value = 0, total_value = 0
     FROM empty WHERE e.tranche_id = empty.tranche_id AND e.installment_number = empty.installment_number RETURNING e.tranche_id`,
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

/** @throws {ApiError} NOT_FOUND */
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
  return requireFound(row, `${ticker} has no ${entryInWords(installmentNumber)}`);
}

/** Returns the newest price of the day of each instalment; undefined for a day without one. */
export async function pricesOfDays(
  { manager }: Context,
  rows: readonly Pick<ScheduleEntryRow, 'trancheId' | 'calculationDate'>[],
): Promise<(UnitPriceRow | undefined)[]> {
  const found = await manager.rows<StoredUnitPriceRow & { readonly place: number }>(
    `SELECT wanted.place::integer AS place, ${selectPrice('u')}
     FROM unnest($1::uuid[], $2::date[]) WITH ORDINALITY AS wanted (tranche_id, day, place) CROSS JOIN LATERAL (
       SELECT * FROM tokenization.unit_prices WHERE tranche_id = wanted.tranche_id AND date = wanted.day ORDER BY version DESC LIMIT 1) AS u`,
    [...arraysOf(rows, 'trancheId', 'calculationDate')],
  );
  const byPlace = new Map(found.map(({ place, ...row }) => [place, fromStoredRow(row)]));
  return rows.map((_row, index) => byPlace.get(index + 1));
}

const paymentColumns = `payment.id, payment.paid_on::text AS "paidOn", payment.amount, payment.expenses, payment.fine, payment.mora, payment.remuneration,
  payment.interest, payment.principal, payment.premium, payment.reference, payment.recorded_at AS "recordedAt", payment.reversed_at AS "reversedAt",
  payment.reversal_reason AS "reversalReason"`;

/** How many payments of an instalment are recorded at most, reversed ones included. */
export const mostRecordedPayments = 200;

export type RecordedPayment = PaymentRow & { readonly id: string };

/** Returns the recorded payments of each instalment in the order of their records, reversed ones included. */
export async function recordedPayments(
  { manager }: Context,
  instalments: readonly Pick<ScheduleEntryRow, 'trancheId' | 'installmentNumber'>[],
): Promise<RecordedPayment[][]> {
  const rows = await manager.rows<RecordedPayment & { readonly place: number }>(
    `SELECT wanted.place::integer AS place, ${paymentColumns}
     FROM unnest($1::uuid[], $2::integer[]) WITH ORDINALITY AS wanted (tranche_id, installment_number, place)
     JOIN tokenization.schedule_payments AS payment USING (tranche_id, installment_number) ORDER BY payment.recorded_at, payment.id`,
    [...arraysOf(instalments, 'trancheId', 'installmentNumber')],
  );
  const byPlace = groupBy(rows, ({ place }) => place);
  return instalments.map((_instalment, index) => byPlace.get(index + 1) ?? []);
}

/** Returns the payment of a series that stands under a reference, with the number of its instalment. */
export function findByReference(
  { manager }: Context,
  trancheId: string,
  reference: string,
): Promise<(RecordedPayment & Pick<ScheduleEntryRow, 'installmentNumber'>) | undefined> {
  return manager.row(
    `SELECT payment.installment_number AS "installmentNumber", ${paymentColumns} FROM tokenization.schedule_payments AS payment
     WHERE tranche_id = $1 AND reference = $2`,
    [trancheId, reference],
  );
}

export async function addPayment(
  { manager, clock }: Context,
  { trancheId, installmentNumber }: ScheduleEntryRow,
  payment: NonNullable<PaidInstalment['payment']>,
): Promise<void> {
  const { paidOn, amount, expenses, fine, mora, remuneration, interest, principal, premium, reference } = payment;
  await manager.execute(
    `INSERT INTO tokenization.schedule_payments (id, tranche_id, installment_number, paid_on, amount, expenses, fine, mora, remuneration, interest,
       principal, premium, reference) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      newId(clock.now().getTime()),
      trancheId,
      installmentNumber,
      ...[paidOn, amount, expenses, fine, mora, remuneration, interest, principal, premium, reference],
    ],
  );
}

export async function endPayment({ manager }: Context, id: string, reason: string): Promise<void> {
  await manager.execute(
    `UPDATE tokenization.schedule_payments SET reversed_at = shared.version_moment(), reversed_by = shared.version_act(), reversal_reason = $2
     WHERE id = $1`,
    [id, reason],
  );
}

/** Sets the amounts due of an instalment without a payment. */
export async function setDue(
  { manager }: Context,
  { trancheId, installmentNumber }: ScheduleEntryRow,
  { interestValue, principalValue, premiumValue }: EntryValue,
): Promise<void> {
  await manager.execute(
    `UPDATE tokenization.schedule_entries SET interest_value = $3, principal_value = $4, premium_value = $5,
       total_value = $3::numeric + $4::numeric + $5::numeric WHERE tranche_id = $1 AND installment_number = $2`,
    [trancheId, installmentNumber, interestValue, principalValue, premiumValue],
  );
}

/** A series, or its price, on a day, and the last due day of which an instalment was overdue then. */
export interface OverdueKey {
  readonly trancheId: string;
  readonly date: string;
  readonly until: string;
}

/** Returns the overdue amount on a unit, in reais with 8 decimals, truncated; null while the amount of an overdue instalment is not known, and for a series without units. */
export async function overdueValues({ manager }: Context, keys: readonly OverdueKey[]): Promise<(string | null)[]> {
  const rows = await manager.rows<{ value: string | null }>(
    `SELECT CASE WHEN t.token_quantity > 0 AND NOT coalesce(late.is_unknown, false)
       THEN trunc(greatest(coalesce(late.open, 0), 0), 8)::numeric(24, 8) END AS value
     FROM unnest($1::uuid[], $2::date[], $3::date[]) WITH ORDINALITY AS wanted (tranche_id, day, until, place)
     LEFT JOIN tokenization.tranches AS t ON t.id = wanted.tranche_id
     CROSS JOIN LATERAL (
       -- Amounts over the same units are divided together: a sum of rounded quotients may end below what is exact.
       SELECT bool_or(is_unknown) AS is_unknown, sum(open / nullif(units, 0)) AS open FROM (
       SELECT t.token_quantity + gone.units AS units, bool_or(e.total_value IS NULL) AS is_unknown,
         sum(e.total_value - paid.own - paid.premium) AS open
       FROM tokenization.schedule_entries AS e CROSS JOIN LATERAL (${unitsSince}) AS gone
       CROSS JOIN LATERAL (${paidParts('e', 'p.paid_on <= wanted.day')}) AS paid
       WHERE e.tranche_id = wanted.tranche_id AND e.due_date <= wanted.until AND (e.paid_on IS NULL OR e.paid_on > wanted.day)
         AND (t.status IN ('FUNDRAISING', 'ACTIVE') OR (t.status = 'CLOSED' AND e.status = 'PAID'))
         AND (e.interest_event = 'PAID' OR e.amortization_percentage > 0) GROUP BY gone.units) AS owed) AS late
     ORDER BY wanted.place`,
    [...arraysOf(keys, 'trancheId', 'date', 'until')],
  );
  return rows.map(({ value }) => value);
}

/** Marks an instalment as paid in full, with its amounts; returns whether an earlier payment of it was reversed. */
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

/** Returns none for series that are to be priced again, and at a past moment: how far prices were valid then is not stored, and computing from the start gives the same digits. */
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

export type UpcomingPaymentRow = ScheduleEntryRow & { readonly ticker: string };

const from =
  'tokenization.schedule_entries AS entry JOIN tokenization.tranches AS tranche ON tranche.id = entry.tranche_id';

const open = [`entry.status <> 'PAID'`, `tranche.status IN ('FUNDRAISING', 'ACTIVE')`] as const;
const paid = [`entry.status = 'PAID'`, `tranche.status <> 'DRAFT'`] as const;

/** Returns the first upcoming payment of each series that is due today or later; undefined for a series without one. */
export async function nextPaymentsOf(
  context: Context,
  trancheIds: readonly string[],
): Promise<(ScheduleEntryRow | undefined)[]> {
  const rows = await context.manager.rows<ScheduleEntryRow>(
    `SELECT next.* FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
       SELECT ${scheduleColumns} FROM (
         SELECT entry.* FROM ${from}
         WHERE tranche.id = wanted.id AND entry.due_date >= $2::date AND ${[...open, paysSomething('entry')].join(' AND ')}
         ORDER BY entry.due_date, entry.installment_number DESC LIMIT 1) AS entry) AS next`,
    [trancheIds, today(context)],
  );
  const byTranche = new Map(rows.map((row) => [row.trancheId, row]));
  return trancheIds.map((id) => byTranche.get(id));
}

/** Instalments that pay something: open ones of series that are offered or in force, or paid ones. */
function conditionsFor({ tickers, from: first, to, status, overdueUntil }: UpcomingQuery): Conditions {
  const conditions = conditionsOf(...(status === 'PAID' ? paid : open), paysSomething('entry'));
  conditions.where(status === 'OVERDUE' ? overdueUntil : null, (day) => `entry.due_date <= ${day}::date`);
  conditions.where(status === 'PENDING' ? overdueUntil : null, (day) => `entry.due_date > ${day}::date`);
  conditions.where(first, (day) => `entry.due_date >= ${day}::date`);
  conditions.where(to, (day) => `entry.due_date <= ${day}::date`);
  conditions.where(tickers, (values) => `lower(tranche.ticker) = ANY (${values})`);
  return conditions;
}

/** Returns the payments of a page by due date and ticker, events after the instalment of their day, one more than it holds if there are more. */
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
      : `(entry.due_date, lower(tranche.ticker), -entry.installment_number) ${beyond} (${place(day)}::date, ${place(ticker)}, ${place(number)}::integer)`;
  const order = ['entry.due_date', 'lower(tranche.ticker)', '-entry.installment_number']
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
       entry.interest_value AS "interestValue", entry.principal_value AS "principalValue", entry.premium_value AS "premiumValue", entry.total_value AS "totalValue", entry.status,
       ${recordedColumns('entry')}
     FROM ${from} WHERE ${text()} LIMIT ${place(limit)}`,
    values,
  );
}
