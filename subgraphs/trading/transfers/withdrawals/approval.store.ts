import type { Context } from '../../../../shared/context.js';
import { itemsOf } from '../../../../shared/group-by.js';

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

/** Why an operator may not approve a withdrawal, though others may. */
export type ApprovalBar = 'ALREADY_APPROVED' | 'ISSUED_CREDENTIAL';

/**
 * Returns for each of the given withdrawals why the calling operator may not approve it; null where nothing bars them. Whoever issued the credential that
 * requested it has seen its secret, and could have requested it too.
 */
export async function approvalBarsOf(
  { manager, principal }: Context,
  ids: readonly string[],
): Promise<(ApprovalBar | null)[]> {
  const rows = await manager.rows<{ id: string; approved: boolean; issued: boolean }>(
    `SELECT w.id,
       EXISTS (SELECT FROM trading.withdrawal_approvals p WHERE p.withdrawal_id = w.id AND p.operator_id = $2) AS approved,
       EXISTS (SELECT FROM shared.audit_log a WHERE a.subject_id = w.requested_with::text AND a.action = 'addTradingCredential'
         AND a.outcome = 'DONE' AND a.actor_kind = 'OPERATOR' AND a.actor_id = $2) AS issued
     FROM trading.withdrawals w WHERE w.id = ANY ($1::uuid[])`,
    [ids, principal.ownerId],
  );
  return itemsOf(ids, rows, ({ id }) => id).map((row) => {
    if (row?.issued === true) return 'ISSUED_CREDENTIAL';
    return row?.approved === true ? 'ALREADY_APPROVED' : null;
  });
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
