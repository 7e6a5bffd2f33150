import { columnsOf } from '../../../shared/database/columns.js';
import type { Context } from '../../../shared/kernel/context.js';
import { arraysOf, groupsOf, valuesOf } from '../../../shared/kernel/group-by.js';
import { scheduleColumns, type ScheduleEntryRow } from '../schedule/schedule.store.js';
import type { InterestEvent } from '../unit-price/policy.js';

export type EventKind =
  | 'EXTRA_AMORTIZATION'
  | 'EARLY_REDEMPTION'
  | 'PARTIAL_REDEMPTION'
  | 'INCORPORATION'
  | 'GRACE'
  | 'LATE_PAYMENT'
  | 'WAIVER';

export type PremiumRule = 'FLAT' | 'YEARLY' | 'MAKE_WHOLE';

/** The terms of an event, as they are declared. Days are `YYYY-MM-DD`, percentages percent numbers. */
export interface EventTerms {
  readonly kind: EventKind;
  readonly day: string;
  readonly through: string | null;
  readonly installmentNumber: number | null;
  readonly percent: string | null;
  /** Principal for all units in BRL, if an amortization was stated by it and not by its percentage. */
  readonly amount: string | null;
  readonly quantity: string | null;
  readonly lot: string | null;
  readonly interestEvent: InterestEvent | null;
  readonly premiumRule: PremiumRule | null;
  readonly premiumPercent: string | null;
  readonly reason: string;
  readonly document: string | null;
}

/** Columns of an instalment that prices and events need. */
export type PlannedInstalment = Pick<
  ScheduleEntryRow,
  | 'installmentNumber'
  | 'calculationDate'
  | 'dueDate'
  | 'interestEvent'
  | 'amortizationPercentage'
  | 'interestPercentage'
  | 'principalPercentage'
  | 'status'
>;

export interface TrancheEventRow extends EventTerms {
  readonly trancheId: string;
  readonly number: number;
  /** The instalments that it changed or ended, as they were. */
  readonly replaced: readonly PlannedInstalment[];
  /** Instalments after its day, where its premium is made of them, with percentages of the balance. */
  readonly remaining: readonly PlannedInstalment[];
  /** Null in a preview. */
  readonly declaredAt: Date | null;
  readonly withdrawnAt: Date | null;
  readonly withdrawalReason: string | null;
  /** Whether all that it pays is paid. */
  readonly isPaid: boolean;
}

const stored = columnsOf<Omit<TrancheEventRow, 'isPaid'>>()(
  'trancheId number kind day::text through::text installmentNumber percent amount quantity lot interestEvent premiumRule premiumPercent',
  'reason document replaced remaining declaredAt withdrawnAt withdrawalReason',
);
const columns = `${stored}, EXISTS (SELECT FROM tokenization.schedule_entries AS entry
  WHERE entry.tranche_id = event.tranche_id AND entry.installment_number = -event.number AND entry.status = 'PAID') AS "isPaid"`;

/** Returns the events of each series by number, withdrawn ones included, in the order of the series. */
export async function eventsOf({ manager }: Context, trancheIds: readonly string[]): Promise<TrancheEventRow[][]> {
  const rows = await manager.rows<TrancheEventRow>(
    `SELECT ${columns} FROM tokenization.tranche_events AS event WHERE tranche_id = ANY ($1::uuid[]) ORDER BY number`,
    [trancheIds],
  );
  return groupsOf(trancheIds, rows, ({ trancheId }) => trancheId);
}

export async function standingEvents(context: Context, trancheIds: readonly string[]): Promise<TrancheEventRow[][]> {
  const all = await eventsOf(context, trancheIds);
  return all.map((events) => events.filter(({ withdrawnAt }) => withdrawnAt === null));
}

export function lockSchedule({ manager }: Context, trancheId: string): Promise<ScheduleEntryRow[]> {
  return manager.rows(
    `SELECT ${scheduleColumns} FROM tokenization.schedule_entries WHERE tranche_id = $1
     ORDER BY calculation_date, installment_number DESC FOR NO KEY UPDATE`,
    [trancheId],
  );
}

export async function addEvent(
  { manager }: Context,
  event: Omit<TrancheEventRow, 'declaredAt' | 'withdrawnAt' | 'withdrawalReason' | 'isPaid'>,
): Promise<TrancheEventRow> {
  return manager.one(
    `INSERT INTO tokenization.tranche_events AS event (tranche_id, number, kind, day, through, installment_number, percent, amount, quantity, lot,
       interest_event, premium_rule, premium_percent, reason, document, replaced, remaining)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) RETURNING ${columns}`,
    [
      ...valuesOf(event, 'trancheId', 'number', 'kind', 'day', 'through', 'installmentNumber', 'percent', 'amount'),
      ...valuesOf(event, 'quantity', 'lot', 'interestEvent', 'premiumRule', 'premiumPercent', 'reason', 'document'),
      JSON.stringify(event.replaced),
      JSON.stringify(event.remaining),
    ],
  );
}

export async function endEvent(
  { manager }: Context,
  { trancheId, number }: TrancheEventRow,
  reason: string,
): Promise<TrancheEventRow> {
  return manager.one(
    `UPDATE tokenization.tranche_events AS event SET withdrawn_at = shared.version_moment(), withdrawn_by = shared.version_act(), withdrawal_reason = $3
     WHERE tranche_id = $1 AND number = $2 RETURNING ${columns}`,
    [trancheId, number, reason],
  );
}

/** Writes rows of a schedule; amounts, payments and status of those that exist stay. */
export async function putEntries(
  { manager }: Context,
  trancheId: string,
  rows: readonly PlannedInstalment[],
): Promise<void> {
  await manager.execute(
    `INSERT INTO tokenization.schedule_entries (tranche_id, installment_number, calculation_date, due_date, interest_event, amortization_percentage,
       interest_percentage, principal_percentage, status)
     SELECT $1, * FROM unnest($2::integer[], $3::date[], $4::date[], $5::text[], $6::numeric[], $7::numeric[], $8::numeric[], $9::text[])
     ON CONFLICT (tranche_id, installment_number) DO UPDATE SET interest_event = excluded.interest_event,
       amortization_percentage = excluded.amortization_percentage, interest_percentage = excluded.interest_percentage,
       principal_percentage = excluded.principal_percentage`,
    [
      trancheId,
      ...arraysOf(rows, 'installmentNumber', 'calculationDate', 'dueDate', 'interestEvent', 'amortizationPercentage'),
      ...arraysOf(rows, 'interestPercentage', 'principalPercentage', 'status'),
    ],
  );
}

export async function removeEntries({ manager }: Context, tranche: string, numbers: readonly number[]): Promise<void> {
  await manager.execute(
    'DELETE FROM tokenization.schedule_entries WHERE tranche_id = $1 AND installment_number = ANY ($2::integer[])',
    [tranche, numbers],
  );
}
