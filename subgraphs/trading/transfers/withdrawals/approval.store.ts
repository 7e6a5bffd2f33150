import type { Context } from '../../../../shared/kernel/context.js';
import { itemsOf } from '../../../../shared/kernel/group-by.js';

/** What two operators decide: that a withdrawal leaves, and that one which had arrived came back. */
export type Decision = 'APPROVAL' | 'RETURN';

const tables: Readonly<Record<Decision, { readonly name: string; readonly at: string }>> = {
  APPROVAL: { name: 'trading.withdrawal_approvals', at: 'approved_at' },
  RETURN: { name: 'trading.withdrawal_returns', at: 'reported_at' },
};

/** Stores the decision of an operator, of whom there is none on this withdrawal yet. */
export async function insertDecision(
  { manager, clock }: Context,
  decision: Decision,
  { withdrawalId, operatorId }: { readonly withdrawalId: string; readonly operatorId: string },
): Promise<void> {
  const { name, at } = tables[decision];
  await manager.execute(`INSERT INTO ${name} (withdrawal_id, operator_id, ${at}) VALUES ($1, $2, $3)`, [
    withdrawalId,
    operatorId,
    clock.now(),
  ]);
}

/** Why an operator may not decide on a withdrawal, though others may. */
export type ApprovalBar = 'ALREADY_APPROVED' | 'ISSUED_CREDENTIAL' | 'ISSUED_KEY';

/** SQL: what operators let others in: with a first key, or with another one. */
const letsIn = `k.action IN ('addOperator', 'addOperatorKey') AND k.outcome = 'DONE' AND k.actor_kind = 'OPERATOR' AND k.actor_id <> k.subject_id`;

/** SQL: whether one operator let another in, or one who did. */
const isAbove = (issuer: string, owner: string) =>
  `EXISTS (SELECT FROM above WHERE above.person = ${owner} AND above.issuer = ${issuer})`;

/**
 * Returns for each of the given withdrawals why the calling operator may not decide on it; null where nothing bars them. Whoever issued the credential that
 * requested it has seen its secret, and could have requested it too. Who lets somebody in may be that person, and never counts beside them.
 */
export async function decisionBarsOf(
  { manager, principal }: Context,
  decision: Decision,
  ids: readonly string[],
): Promise<(ApprovalBar | null)[]> {
  const rows = await manager.rows<{ id: string; bar: ApprovalBar | null }>(
    `WITH RECURSIVE issuer AS (
       SELECT w.id, a.actor_id FROM trading.withdrawals w JOIN shared.audit_log a ON a.subject_id = w.requested_with::text
       WHERE w.id = ANY ($1::uuid[]) AND a.action = 'addTradingCredential' AND a.outcome = 'DONE' AND a.actor_kind = 'OPERATOR'
     ), decided AS (
       SELECT withdrawal_id AS id, operator_id FROM ${tables[decision].name} WHERE withdrawal_id = ANY ($1::uuid[])
     ), above (person, issuer) AS (
       SELECT k.subject_id, k.actor_id FROM shared.audit_log k
       WHERE k.subject_id IN (SELECT $2 UNION SELECT operator_id FROM decided UNION SELECT actor_id FROM issuer) AND ${letsIn}
       UNION
       SELECT above.person, k.actor_id FROM above JOIN shared.audit_log k ON k.subject_id = above.issuer WHERE ${letsIn}
     )
     SELECT w.id, CASE
       WHEN EXISTS (SELECT FROM issuer WHERE issuer.id = w.id AND actor_id = $2) THEN 'ISSUED_CREDENTIAL'
       WHEN EXISTS (SELECT FROM decided WHERE decided.id = w.id AND operator_id = $2) THEN 'ALREADY_APPROVED'
       WHEN EXISTS (SELECT FROM issuer WHERE issuer.id = w.id
           AND (${isAbove('issuer.actor_id', '$2')} OR ${isAbove('$2', 'issuer.actor_id')}))
         OR EXISTS (SELECT FROM decided WHERE decided.id = w.id
           AND (${isAbove('decided.operator_id', '$2')} OR ${isAbove('$2', 'decided.operator_id')})) THEN 'ISSUED_KEY'
       END AS bar
     FROM unnest($1::uuid[]) AS w (id)`,
    [ids, principal.ownerId],
  );
  return itemsOf(ids, rows, ({ id }) => id).map((row) => row?.bar ?? null);
}

/** Returns for each of the given withdrawals why the calling operator may not approve it. */
export function approvalBarsOf(context: Context, ids: readonly string[]): Promise<(ApprovalBar | null)[]> {
  return decisionBarsOf(context, 'APPROVAL', ids);
}

/** Counts the operators who have decided on each of the given withdrawals, in the order of the ids. */
async function countDecisions({ manager }: Context, decision: Decision, ids: readonly string[]): Promise<number[]> {
  const rows = await manager.rows<{ id: string; count: number }>(
    `SELECT withdrawal_id AS id, count(*)::integer AS count FROM ${tables[decision].name}
     WHERE withdrawal_id = ANY ($1::uuid[]) GROUP BY withdrawal_id`,
    [ids],
  );
  return itemsOf(ids, rows, ({ id }) => id).map((row) => row?.count ?? 0);
}

/** Counts the operators who have approved each of the given withdrawals. */
export function countApprovals(context: Context, ids: readonly string[]): Promise<number[]> {
  return countDecisions(context, 'APPROVAL', ids);
}

/** Counts the operators who have said of each of the given withdrawals that it came back. */
export function countReturns(context: Context, ids: readonly string[]): Promise<number[]> {
  return countDecisions(context, 'RETURN', ids);
}
