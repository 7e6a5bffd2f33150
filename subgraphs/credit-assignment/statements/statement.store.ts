import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import type { LatenessGroup } from '../../securities/aging.js';
import { unpaidText } from '../receivables/schedule.js';

/** A month of a client, in one estate or in all. */
export interface StatementQuery {
  readonly originatorId: string;
  readonly patrimonyId: string | null;
  /** `YYYY-MM` */
  readonly month: string;
}

/** Changes of the receivables of a client in a month. Money in BRL. */
export interface StatementSums {
  /** Contracts that became receivables, and what was due of them. */
  readonly assignedCount: number;
  readonly assigned: string;
  /** Contracts of batches that were decided, and were not assigned; by their face value. */
  readonly refusedCount: number;
  readonly refused: string;
  readonly openBefore: string;
  readonly renegotiated: string;
  readonly received: string;
  readonly surplus: string;
  readonly repurchased: string;
  readonly abated: string;
  readonly discounted: string;
  readonly substituted: string;
  readonly writtenOff: string;
  readonly openBalance: string;
}

const start = `(($3 || '-01')::date::timestamp AT TIME ZONE 'America/Sao_Paulo')`;
const end = `((($3 || '-01')::date + interval '1 month') AT TIME ZONE 'America/Sao_Paulo')`;

/** Receivables whose oldest unpaid instalment is as many days late, and what of them is due. */
export type OverdueGroup = LatenessGroup & { readonly overdue: Decimal };

const sums = ['assigned', 'renegotiated', 'received', 'surplus', 'repurchased', 'abated', 'discounted', 'substituted'];
const summed = (name: string) => `coalesce(sum(${name}), 0)::numeric(24, 2)`;

/** SQL of the changes since the month began: `opened` is by how much they raised what is open. */
const changes = `
  SELECT *, assigned + renegotiated - received + surplus - abated - written_off AS opened FROM credit_assignment.receivable_changes
  WHERE originator_id = $1 AND ($2::uuid IS NULL OR patrimony_id = $2) AND changed_at >= ${start}`;

/**
 * SQL of the open amounts at the end of the month. For a receivable without a later change: its present open amount and earliest due
 * date. For others: the present open amount minus the later changes, and the earliest due date possible at the time.
 */
const standing = `
  SELECT receivable.*, open_balance AS open, next_due_date AS earliest FROM credit_assignment.receivables AS receivable
  JOIN credit_assignment.credit_batches AS batch ON batch.id = receivable.batch_id
  WHERE batch.originator_id = $1 AND ($2::uuid IS NULL OR receivable.patrimony_id = $2) AND receivable.status = 'OPEN' AND written_off_at IS NULL
    AND NOT EXISTS (SELECT FROM later WHERE later.receivable_id = receivable.id)
  UNION ALL SELECT receivable.*, CASE WHEN written_off_at IS NULL THEN open_balance ELSE 0 END - opened,
    CASE WHEN EXISTS (SELECT FROM credit_assignment.renegotiations WHERE receivable_id = receivable.id) THEN '-infinity'
      ELSE coalesce((installments -> 0 ->> 'dueDate')::date, due_date) END
  FROM later JOIN credit_assignment.receivables AS receivable ON receivable.id = later.receivable_id`;

/** Reads in one statement, so that both say the same while receivables change. @param day of the month, on which instalments are late that were due before it */
export async function readStatement(
  { manager }: Context,
  { originatorId, patrimonyId, month }: StatementQuery,
  day: string,
): Promise<StatementSums & { readonly groups: readonly OverdueGroup[] }> {
  const { groups, ...row } = await manager.one<
    StatementSums & { groups: (Pick<OverdueGroup, 'daysLate' | 'contracts'> & Record<'balance' | 'overdue', string>)[] }
  >(
    `WITH change AS MATERIALIZED (${changes}), later AS MATERIALIZED (
       SELECT receivable_id, sum(opened) AS opened FROM change WHERE changed_at >= ${end} GROUP BY receivable_id
     ), late AS MATERIALIZED (
       SELECT days_late AS "daysLate", count(*) AS contracts, sum(open) AS balance, sum(overdue) AS overdue FROM (
         SELECT open, 0 AS days_late, 0 AS overdue FROM (${standing}) AS receivable WHERE earliest >= $4::date AND open > 0
         UNION ALL SELECT open, greatest($4::date - min(due), 0), coalesce(sum(unpaid) FILTER (WHERE due < $4::date), 0)
         FROM (${standing}) AS receivable CROSS JOIN LATERAL (${unpaidText('open', end)}) AS installment
         WHERE earliest < $4::date AND open > 0 GROUP BY receivable.id, open) AS one
       GROUP BY days_late)
     SELECT own.*, refused.*, "openBalance" - own.opened AS "openBefore", "openBalance", groups FROM (
       SELECT count(*) FILTER (WHERE assigned <> 0)::float8 AS "assignedCount", ${sums.map((name) => `${summed(name)} AS ${name}`).join(', ')},
         ${summed('written_off')} AS "writtenOff", ${summed('opened')} AS opened FROM change WHERE changed_at < ${end}) AS own,
       (SELECT coalesce(sum(balance), 0)::numeric(24, 2) AS "openBalance", coalesce(json_agg(json_build_object('daysLate', "daysLate",
          'contracts', contracts, 'balance', balance::text, 'overdue', overdue::text)), '[]') AS groups FROM late) AS aging,
       (SELECT coalesce(sum(receivable_count - coalesce(accepted_count, 0)), 0)::float8 AS "refusedCount",
          coalesce(sum(total_face_value - coalesce(accepted_face_value, 0)), 0)::numeric(24, 2) AS refused
        FROM credit_assignment.credit_batches WHERE originator_id = $1 AND ($2::uuid IS NULL OR patrimony_id = $2)
          AND status IN ('PROCESSED', 'REJECTED') AND processed_at >= ${start} AND processed_at < ${end}) AS refused`,
    [originatorId, patrimonyId, month, day],
  );
  const amounts = ({ balance, overdue }: Record<'balance' | 'overdue', string>) => ({
    balance: new Decimal(balance),
    overdue: new Decimal(overdue),
  });
  return { ...row, groups: groups.map((group) => ({ ...group, ...amounts(group) })) };
}
