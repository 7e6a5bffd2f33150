import type { Context } from '../../../shared/kernel/context.js';
import { columnsOf } from '../../../shared/database/columns.js';
import { groupsOf } from '../../../shared/kernel/group-by.js';
import type { PaymentStatus } from '../../securities/payments.js';
import type { InterestEvent } from '../unit-price/policy.js';

/** The columns of an instalment. Its amounts are what is due. */
interface ScheduleEntryColumns {
  readonly trancheId: string;
  /** From 1; what the n-th event of the series pays has the number -n. */
  readonly installmentNumber: number;
  readonly calculationDate: string;
  readonly dueDate: string;
  readonly interestEvent: InterestEvent;
  readonly amortizationPercentage: string;
  readonly interestPercentage: string | null;
  readonly principalPercentage: string | null;
  readonly status: PaymentStatus;
  readonly interestValue: string | null;
  readonly principalValue: string | null;
  /** The premium of an event; 0.00 of an instalment. */
  readonly premiumValue: string;
  readonly totalValue: string | null;
  readonly paidOn: string | null;
}

/** An instalment of a series, or what an event of it pays. */
export interface ScheduleEntryRow extends ScheduleEntryColumns {
  /** Recorded payments of its interest and principal, and of more, 2 decimals; 0.00 for an instalment that an import marked as paid. */
  readonly recordedInterest: string;
  readonly recordedPrincipal: string;
  readonly recordedPremium: string;
}

/** Returns how a row of a schedule is named: `15`, or `E1` for what the first event pays. */
export function entryName(installmentNumber: number): string {
  return installmentNumber > 0 ? String(installmentNumber) : `E${String(-installmentNumber)}`;
}

export function entryInWords(installmentNumber: number): string {
  return `${installmentNumber > 0 ? 'instalment' : 'payment of event'} ${entryName(installmentNumber)}`;
}

/** SQL of the recorded payments of a row's instalment; `row` qualifies its columns if they would be ambiguous. */
export function recordedColumns(row?: string): string {
  const own = row === undefined ? '' : `${row}.`;
  const paid = (part: string) => `(SELECT coalesce(sum(${part}), 0)::numeric(20, 2) FROM (
    SELECT tranche_id AS of_tranche, installment_number AS of_number, interest, principal, premium FROM tokenization.schedule_payments WHERE reversed_at IS NULL) AS payment
    WHERE of_tranche = ${own}tranche_id AND of_number = ${own}installment_number)`;
  return `${paid('interest')} AS "recordedInterest", ${paid('principal')} AS "recordedPrincipal", ${paid('premium')} AS "recordedPremium"`;
}

/** SQL of the units of each series that were redeemed and paid, with the last event that did. */
export const redeemedOf = `SELECT event.tranche_id, sum(event.quantity) AS units, max(event.number) AS last FROM tokenization.tranche_events AS event
  JOIN tokenization.schedule_entries AS entry ON entry.tranche_id = event.tranche_id AND entry.installment_number = -event.number AND entry.status = 'PAID'
  WHERE event.quantity IS NOT NULL AND event.withdrawn_at IS NULL GROUP BY event.tranche_id`;

/** SQL of the units that the row `e` of a schedule pays, beyond those that its series has now: those that were redeemed since, less those that are to be redeemed before it. */
export const unitsSince = `SELECT coalesce(sum(CASE WHEN paid.is_paid AND event.day >= e.calculation_date THEN event.quantity
    WHEN NOT paid.is_paid AND event.day < e.calculation_date THEN -event.quantity ELSE 0 END), 0) AS units
  FROM tokenization.tranche_events AS event CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM tokenization.schedule_entries AS r
    WHERE r.tranche_id = event.tranche_id AND r.installment_number = -event.number AND r.status = 'PAID') AS is_paid) AS paid
  WHERE event.tranche_id = e.tranche_id AND event.withdrawn_at IS NULL AND event.quantity IS NOT NULL`;

/** SQL of what recorded payments have paid of the row `row`: `own` of interest and principal, and of the premium that is due. */
export const paidParts = (row: string, condition = 'true') =>
  `SELECT coalesce(sum(p.interest + p.principal), 0) AS own, least(coalesce(sum(p.premium), 0), ${row}.premium_value) AS premium
   FROM tokenization.schedule_payments AS p WHERE p.tranche_id = ${row}.tranche_id AND p.installment_number = ${row}.installment_number
     AND p.reversed_at IS NULL AND ${condition}`;

/** SQL for whether recorded payments have paid a part of the row `e`: its amounts then stay. */
export const isPartlyPaid = `(SELECT own + premium > 0 FROM (${paidParts('e')}) AS paid)`;

/** SQL: whether the row `row` of a schedule pays something; units that are redeemed are paid without an event of the price. */
export const paysSomething = (row: string) =>
  `(${row}.interest_event = 'PAID' OR ${row}.amortization_percentage > 0 OR (${row}.installment_number < 0 AND ${row}.interest_event = 'ACCRUED'))`;

const ownColumns = columnsOf<ScheduleEntryColumns>()(
  'trancheId installmentNumber calculationDate::text dueDate::text interestEvent amortizationPercentage',
  'interestPercentage principalPercentage status interestValue principalValue premiumValue totalValue paidOn::text',
);

export const scheduleColumns = `${ownColumns}, ${recordedColumns()}`;

/** Returns the due date of the last instalment of each series, in the order of the series; null for one without instalments. */
export async function lastDueDates(context: Context, trancheIds: readonly string[]): Promise<(string | null)[]> {
  const rows = await context.manager.rows<{ last: string | null }>(
    `SELECT (SELECT max(due_date) FROM tokenization.schedule_entries WHERE tranche_id = tranche.id)::text AS last
     FROM unnest($1::uuid[]) WITH ORDINALITY AS tranche (id, position) ORDER BY position`,
    [trancheIds],
  );
  return rows.map(({ last }) => last);
}

/** Returns SQL for whether the instalment of a row `row`, which is not paid or was just paid, had been paid before, and that payment was reversed. */
export function wasReversed(row: string): string {
  return `EXISTS (SELECT FROM tokenization.schedule_entries_versions was
    WHERE was.tranche_id = ${row}.tranche_id AND was.installment_number = ${row}.installment_number AND was.status = 'PAID')`;
}

/** Maximum number of instalments that are read per series: a century of months; and of its events, withdrawn ones included. */
export const mostInstalments = 1200;
export const mostEvents = 200;

/** Returns the instalments of each series by day, an event after the instalment of its day, in the order of the series. */
export async function schedulesOf(context: Context, trancheIds: readonly string[]): Promise<ScheduleEntryRow[][]> {
  const rows = await context.manager.rows<ScheduleEntryRow>(
    `SELECT entry.* FROM unnest($1::uuid[]) AS tranche (id) CROSS JOIN LATERAL (
       SELECT ${scheduleColumns} FROM tokenization.schedule_entries
       WHERE tranche_id = tranche.id ORDER BY calculation_date, installment_number DESC LIMIT $2) AS entry`,
    [trancheIds, mostInstalments + mostEvents],
  );
  return groupsOf(trancheIds, rows, ({ trancheId }) => trancheId);
}
