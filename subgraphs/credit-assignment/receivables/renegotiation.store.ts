import type { Context } from '../../../shared/kernel/context.js';
import { groupsOf } from '../../../shared/kernel/group-by.js';
import type { DayCount } from '../../securities/day-count.js';
import type { Installment } from '../credit-batches/check-contracts.js';

/** A schedule that took the place of what was open of a receivable. */
export interface Renegotiation {
  readonly id: string;
  readonly receivableId: string;
  readonly installments: readonly Installment[];
  /** Percent a year; null where the rate did not change. */
  readonly interestRate: string | null;
  readonly dayCount: DayCount | null;
  /** Increase of the amount due, in BRL. */
  readonly raised: string;
  readonly reason: string;
}

export interface RenegotiationRow extends Renegotiation {
  readonly recordedAt: Date;
  readonly revertedAt: Date | null;
}

/** Adds a renegotiation to a receivable that is locked; a repeated one changes nothing. */
export async function takeRenegotiation(context: Context, renegotiation: Renegotiation): Promise<void> {
  const { id, receivableId, installments, interestRate, dayCount, raised, reason } = renegotiation;
  const isNew = await context.manager.changes(
    `INSERT INTO credit_assignment.renegotiations (id, receivable_id, installments, interest_rate, day_count, raised, reason, recorded_at)
     SELECT $1, id, $3::jsonb, $4::numeric, $5, $6::numeric, $7, $8 FROM credit_assignment.receivables WHERE id = $2 ON CONFLICT DO NOTHING`,
    [id, receivableId, JSON.stringify(installments), interestRate, dayCount, raised, reason, context.clock.now()],
  );
  if (isNew) await raise(context, receivableId, raised);
}

/** Reverts a renegotiation of a receivable that is locked; a repeated reversion changes nothing. */
export async function takeReversion(
  context: Context,
  { id, receivableId }: Pick<Renegotiation, 'id' | 'receivableId'>,
): Promise<void> {
  const reverted = await context.manager.row<{ lowered: string }>(
    `UPDATE credit_assignment.renegotiations SET reverted_at = $2 WHERE id = $1 AND reverted_at IS NULL RETURNING -raised AS lowered`,
    [id, context.clock.now()],
  );
  if (reverted !== undefined) await raise(context, receivableId, reverted.lowered);
}

/** Raises the amount due of a receivable, and its open balance: payments are not decided meanwhile (`lockSchedules`). The last due date is the last one of the schedule in force. */
async function raise({ manager, clock }: Context, receivableId: string, amount: string): Promise<void> {
  await manager.execute(
    `UPDATE credit_assignment.receivables SET amount_due = amount_due + raised, renegotiated = renegotiated + raised,
       open_balance = open_balance + raised, status = CASE WHEN open_balance + raised = 0 THEN 'SETTLED' ELSE 'OPEN' END,
       settled_at = CASE WHEN open_balance + raised = 0 THEN coalesce(settled_at, $3) END, changed_at = $3,
       renegotiated_due_date = (SELECT (installments -> -1 ->> 'dueDate')::date FROM credit_assignment.renegotiations
         WHERE receivable_id = $1 AND reverted_at IS NULL ORDER BY recorded_at DESC, id DESC LIMIT 1)
     FROM (SELECT $2::numeric AS raised) AS change WHERE id = $1`,
    [receivableId, amount, clock.now()],
  );
}

/** Loads the renegotiations of each given receivable, the newest first, in the order of the keys. */
export async function renegotiationsOf({ manager }: Context, ids: readonly string[]): Promise<RenegotiationRow[][]> {
  const rows = await manager.rows<RenegotiationRow>(
    `SELECT id, receivable_id AS "receivableId", installments, trim_scale(interest_rate) AS "interestRate", day_count AS "dayCount", raised, reason,
       recorded_at AS "recordedAt", reverted_at AS "revertedAt"
     FROM credit_assignment.renegotiations WHERE receivable_id = ANY ($1::uuid[]) ORDER BY recorded_at DESC, id DESC`,
    [ids],
  );
  return groupsOf(ids, rows, ({ receivableId }) => receivableId);
}
