import { z } from 'zod';
import type { Context } from '../../../shared/kernel/context.js';

/** Open amount of each pending instalment of an asset after an act of an operator, the earliest due first; in BRL. */
export const unpaidForm = z.array(z.object({ dueDate: z.iso.date(), amount: z.string() }));

/** Open amounts that an operator's act left on the asset of a receivable. */
export interface LeftOpen {
  readonly receivableId: string;
  /** Number of the event that reported the act. */
  readonly sequence: number;
  readonly unpaid: z.infer<typeof unpaidForm>;
}

/** Takes an act on a locked receivable and notes what it left open: what is due next follows from both. A repeated one notes nothing. */
export async function takeLeavingOpen(
  { manager, clock }: Context,
  { receivableId, sequence, unpaid }: LeftOpen,
  take: () => Promise<void>,
): Promise<void> {
  const isNew = await manager.changes(
    `INSERT INTO credit_assignment.left_open (receivable_id, sequence, unpaid, recorded_at)
     SELECT id, $2::bigint, $3::jsonb, $4 FROM credit_assignment.receivables WHERE id = $1 ON CONFLICT DO NOTHING`,
    [receivableId, sequence, JSON.stringify(unpaid), clock.now()],
  );
  await take();
  // The act may have changed no amount.
  if (isNew)
    await manager.execute(
      'UPDATE credit_assignment.receivables SET open_balance = open_balance, changed_at = $2 WHERE id = $1',
      [receivableId, clock.now()],
    );
}

/**
 * Builds the SQL of the instalments `due` of a row `receivable` at a moment, and what is `unpaid` of each: what the last act of an operator left open, or else
 * the contract's own. Whatever the balance fell by since covers the earliest due first.
 * @param open SQL of what is open of the receivable
 * @param moment SQL of the moment
 */
export function unpaidText(open: string, moment: string): string {
  return `SELECT due, least(amount, reached - total + ${open}) AS unpaid FROM (
    SELECT "dueDate" AS due, owed.amount, sum(owed.amount) OVER (ORDER BY "dueDate") AS reached, sum(owed.amount) OVER () AS total
    FROM jsonb_to_recordset(coalesce(
      (SELECT newer.unpaid FROM credit_assignment.left_open AS newer
       WHERE newer.receivable_id = receivable.id AND newer.recorded_at < ${moment} ORDER BY newer.sequence DESC LIMIT 1),
      receivable.installments, jsonb_build_array(jsonb_build_object('dueDate', receivable.due_date, 'amount', receivable.face_value))
    )) AS one ("dueDate" date, amount numeric, principal numeric, interest numeric)
    CROSS JOIN LATERAL (SELECT coalesce(one.amount, principal + interest) AS amount) AS owed
  ) AS installment WHERE reached > total - ${open}`;
}
