import type { Context } from '../../../../shared/context.js';

/** Stores an approval. Returns whether it is the operator's first for this withdrawal. */
export async function insertApproval(
  { manager, clock }: Context,
  withdrawalId: string,
  operatorId: string,
): Promise<boolean> {
  return manager.changes(
    `INSERT INTO trading.withdrawal_approvals (withdrawal_id, operator_id, approved_at) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING`,
    [withdrawalId, operatorId, clock.now()],
  );
}

/** Counts the operators who have approved each of the given withdrawals, in the order of the ids. */
export async function countApprovals({ manager }: Context, ids: readonly string[]): Promise<number[]> {
  const rows = await manager.rows<{ id: string; count: number }>(
    `SELECT withdrawal_id AS id, count(*)::integer AS count FROM trading.withdrawal_approvals
     WHERE withdrawal_id = ANY ($1::uuid[]) GROUP BY withdrawal_id`,
    [ids],
  );
  const byId = new Map(rows.map(({ id, count }) => [id, count]));
  return ids.map((id) => byId.get(id) ?? 0);
}
