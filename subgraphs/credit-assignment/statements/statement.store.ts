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

/** What became of the receivables of a client in a month. Money in BRL. */
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
const within = (name: string) => `coalesce(sum(${name}) FILTER (WHERE within), 0)::numeric(24, 2)`;

/**
 * Adds up the changes of a month and of all before it, and groups what is open at its end by the days that the oldest unpaid instalment is late: in one
 * statement, so that both say the same while receivables change.
 * @param day of the month, on which instalments are late that were due before it
 */
export async function readStatement(
  { manager }: Context,
  { originatorId, patrimonyId, month }: StatementQuery,
  day: string,
): Promise<StatementSums & { readonly groups: readonly OverdueGroup[] }> {
  const { groups, ...row } = await manager.one<
    StatementSums & { groups: (Pick<OverdueGroup, 'daysLate' | 'contracts'> & Record<'balance' | 'overdue', string>)[] }
  >(
    `WITH change AS MATERIALIZED (
       SELECT *, changed_at >= ${start} AS within, assigned + renegotiated - received + surplus - abated - written_off AS opened
       FROM credit_assignment.receivable_changes
       WHERE originator_id = $1 AND ($2::uuid IS NULL OR patrimony_id = $2) AND changed_at < ${end}
     ), late AS (
       SELECT standing.open, greatest($4::date - min(due), 0) AS days_late, coalesce(sum(unpaid) FILTER (WHERE due < $4::date), 0) AS overdue
       FROM (SELECT receivable_id, sum(opened) AS open FROM change GROUP BY receivable_id HAVING sum(opened) > 0) AS standing
       JOIN credit_assignment.receivables AS receivable ON receivable.id = standing.receivable_id
       CROSS JOIN LATERAL (${unpaidText('standing.open', end)}) AS installment
       GROUP BY receivable.id, standing.open)
     SELECT own.*, refused.*, (SELECT coalesce(json_agg(one), '[]') FROM (SELECT days_late AS "daysLate", count(*) AS contracts,
         sum(open)::text AS balance, sum(overdue)::text AS overdue FROM late GROUP BY days_late) AS one) AS groups
     FROM (
       SELECT count(*) FILTER (WHERE within AND assigned <> 0)::float8 AS "assignedCount",
         ${sums.map((name) => `${within(name)} AS ${name}`).join(', ')}, ${within('written_off')} AS "writtenOff",
         coalesce(sum(opened) FILTER (WHERE NOT within), 0)::numeric(24, 2) AS "openBefore",
         coalesce(sum(opened), 0)::numeric(24, 2) AS "openBalance" FROM change) AS own,
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
