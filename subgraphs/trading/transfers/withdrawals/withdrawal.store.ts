import type { Context } from '../../../../shared/kernel/context.js';
import { keyset, type PageRange } from '../../../../shared/graphql/list-page.js';
import { sqlNow, statementTime } from '../../../../shared/database/statement-time.js';
import { valuesOf, groupsOf, itemsOf } from '../../../../shared/kernel/group-by.js';
import { watched, type WatchedQueue } from '../../../../shared/work/queue/watched-queue.js';
import type { WorkTable } from '../../../../shared/work/queue/work-items.store.js';
import { transfersDueTopic } from '../wake.js';
import type { WithdrawalState } from './withdrawal.js';
import { formatAmount } from '../../format-amount.js';

/** A withdrawal, as it is stored. Amounts are decimal text in its currency. */
export interface WithdrawalRow {
  /** Also the id of its hold, and its client id at custody. */
  readonly id: string;
  readonly companyId: string;
  readonly walletId: string;
  readonly synthetic: boolean;
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  /** The amount that the recipient receives, and the house's fee. */
  readonly amount: string;
  readonly fee: string;
  readonly decimals: number;
  /** In BRL at the time of the request; null if no price was known. */
  readonly valueBrl: string | null;
  readonly approvalsNeeded: number;
  readonly requestedWith: string | null;
  readonly state: WithdrawalState;
  readonly beneficiaryName: string | null;
  readonly beneficiaryTaxId: string | null;
  readonly selfCustody: boolean | null;
  readonly transaction: string | null;
  readonly failure: string | null;
  readonly attempts: number;
  readonly dueAt: Date | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly completedAt: Date | null;
}

const columns = `w.id, w.company_id AS "companyId", w.wallet_id AS "walletId", w.synthetic, w.currency, w.network, w.address,
  trim_scale(w.amount)::text AS amount, trim_scale(w.fee)::text AS fee,
  (SELECT c.decimals FROM trading.currencies c WHERE c.code = w.currency) AS decimals, w.value_brl::text AS "valueBrl",
  w.approvals_needed AS "approvalsNeeded", w.requested_with AS "requestedWith", w.state, w.beneficiary_name AS "beneficiaryName",
  w.beneficiary_tax_id AS "beneficiaryTaxId", w.self_custody AS "selfCustody", w.transaction, w.failure, w.attempts,
  w.due_at AS "dueAt", w.created_at AS "createdAt", w.sent_at AS "sentAt", w.completed_at AS "completedAt"`;

export async function insertWithdrawal({ manager }: Context, row: WithdrawalRow): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.withdrawals (id, company_id, wallet_id, synthetic, currency, network, address, amount, fee, value_brl,
       approvals_needed, state, beneficiary_name, beneficiary_tax_id, self_custody, due_at, requested_with, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)`,
    [
      ...valuesOf(row, 'id', 'companyId', 'walletId', 'synthetic', 'currency', 'network', 'address', 'amount', 'fee'),
      ...valuesOf(row, 'valueBrl', 'approvalsNeeded', 'state', 'beneficiaryName', 'beneficiaryTaxId', 'selfCustody'),
      ...valuesOf(row, 'dueAt', 'requestedWith', 'createdAt'),
    ],
  );
}

/** Returns a withdrawal, locked until the transaction ends. @param lease the lease it must be under, if given */
export function lockWithdrawal(
  { manager }: Context,
  id: string,
  lease: string | null = null,
): Promise<WithdrawalRow | undefined> {
  return manager.row(
    `SELECT ${columns} FROM trading.withdrawals w WHERE w.id = $1 AND ($2::uuid IS NULL OR w.lease = $2) FOR NO KEY UPDATE`,
    [id, lease],
  );
}

/** Writes the mutable fields of a withdrawal, and ends its lease. */
export async function saveWithdrawal({ manager, clock }: Context, row: WithdrawalRow): Promise<void> {
  await manager.execute(
    `UPDATE trading.withdrawals SET state = $2, transaction = $3, failure = $4, attempts = $5, due_at = $6, sent_at = $7,
       completed_at = $8, updated_at = $9, lease = NULL WHERE id = $1`,
    [
      ...valuesOf(row, 'id', 'state', 'transaction', 'failure', 'attempts', 'dueAt', 'sentAt', 'completedAt'),
      clock.now(),
    ],
  );
}

export interface ClaimedWithdrawal extends WithdrawalRow {
  /** Whether it is sent for the first time, so that custody cannot have it yet. */
  readonly isFirst: boolean;
}

/** SQL: what keeps a withdrawal from leaving now, as in `requireMayLeave`. */
const waits = {
  QUARANTINE: `EXISTS (SELECT FROM trading.deposits d WHERE d.wallet_id = w.wallet_id AND d.state = 'QUARANTINED')`,
  HALT: `EXISTS (SELECT FROM trading.currency_halts h WHERE h.currency = w.currency AND h.synthetic = w.synthetic)`,
  SUSPENSION: `EXISTS (SELECT FROM trading.wallets own JOIN trading.companies c ON c.id = own.company_id
    LEFT JOIN trading.profiles p ON p.id = own.profile_id
    WHERE own.id = w.wallet_id AND 'SUSPENDED' IN (c.status, p.status))`,
  ADDRESS: `EXISTS (SELECT FROM trading.withdrawal_allow_lists l WHERE l.company_id = w.company_id)
    AND NOT EXISTS (SELECT FROM trading.withdrawal_addresses a WHERE a.company_id = w.company_id
      AND a.network = w.network AND a.address = w.address AND a.usable_at <= ${sqlNow})`,
};
export type WithdrawalWait = keyof typeof waits;

const mayLeave = Object.values(waits)
  .map((condition) => `NOT (${condition})`)
  .join(' AND ');

/** Returns the reason why each of the given withdrawals cannot leave yet, before it is sent; null if there is none. */
export async function waitsOf(context: Context, ids: readonly string[]): Promise<(WithdrawalWait | null)[]> {
  const cases = Object.entries(waits).map(([wait, condition]) => `WHEN ${condition} THEN '${wait}'`);
  const rows = await context.manager.rows<{ id: string; wait: WithdrawalWait | null }>(
    `SELECT w.id, CASE ${cases.join(' ')} END AS wait FROM trading.withdrawals w
     WHERE w.id = ANY ($2::uuid[]) AND w.state IN ('AWAITING_APPROVAL', 'READY')`,
    [statementTime(context), ids],
  );
  return itemsOf(ids, rows, ({ id }) => id).map((row) => row?.wait ?? null);
}

/**
 * Returns the withdrawals that are to be moved on; a claim makes READY ones SENDING. Nothing is started for wallets with a deposit in quarantine, in a
 * halted currency, for suspended owners, to an address that is no longer on the company's list, or without a connected custody.
 * @param worlds the values of `synthetic` with a connected custody
 */
export function dueWithdrawals(worlds: readonly boolean[]): WorkTable {
  return {
    table: 'trading.withdrawals',
    as: 'w',
    key: 'id',
    dueAt: 'due_at',
    leasedUntil: 'due_at',
    isOpen: `due_at IS NOT NULL AND (state <> 'READY' OR synthetic = ANY ('{${worlds.join()}}') AND ${mayLeave})`,
    onClaim: `updated_at = ${sqlNow}, state = CASE w.state WHEN 'READY' THEN 'SENDING' ELSE w.state END,
      attempts = w.attempts + CASE WHEN w.state IN ('SENT', 'COMPLETED') THEN 0 ELSE 1 END`,
    columns: `${columns}, was.state = 'READY' AS "isFirst"`,
  };
}

/**
 * Returns the same withdrawals as operators see them: failing ones can be moved on at once. They are not held back here: a withdrawal without an outcome
 * becomes QUARANTINED or UNCONFIRMED by itself, and funds that must not leave are stopped by halts, suspensions and approvals.
 */
export function watchedWithdrawals(worlds: readonly boolean[]): WatchedQueue {
  return watched(dueWithdrawals(worlds), {
    name: 'withdrawals',
    isFailing: `w.state = 'SENT' AND w.attempts > 0 OR w.state = 'SENDING' AND (w.attempts > 1 OR w.lease IS NULL)`,
    attempts: 'w.attempts',
    lastError: 'NULL',
    topic: transfersDueTopic,
    canRetry: true,
    canQuarantine: false,
  });
}

/** Returns the number of READY withdrawals of real funds, and the age of the oldest in seconds; 0 if there is none. */
export async function readReady({
  manager,
  clock,
}: Context): Promise<{ readonly count: number; readonly oldestSeconds: number }> {
  const row = await manager.row<{ count: number; since: Date | null }>(
    `SELECT count(*)::integer AS count, min(due_at) AS since FROM trading.withdrawals
     WHERE due_at IS NOT NULL AND state = 'READY' AND NOT synthetic`,
  );
  const sinceMs = row?.since?.getTime();
  const seconds = sinceMs === undefined ? 0 : (clock.now().getTime() - sinceMs) / 1000;
  return { count: row?.count ?? 0, oldestSeconds: Math.max(0, seconds) };
}

/** The filter of a list of withdrawals; null does not narrow it. */
export interface WithdrawalQuery {
  readonly walletId: string | null;
  readonly states: readonly WithdrawalState[] | null;
  readonly companyId?: string | null;
  /** Whether only those that an operator has said to have come back, while they are COMPLETED. */
  readonly returnReported?: boolean;
}

/** Returns SQL for the withdrawals that a query asks for: of the wallet `$1`, in one of the states `$2`, of the company `$3`, if any. */
const asked = ({ returnReported = false }: WithdrawalQuery) =>
  `($1::uuid IS NULL OR w.wallet_id = $1) AND ($2::text[] IS NULL OR w.state = ANY ($2)) AND ($3::uuid IS NULL OR w.company_id = $3)
   ${returnReported ? `AND w.state = 'COMPLETED' AND w.id IN (SELECT withdrawal_id FROM trading.withdrawal_returns)` : ''}`;

export function countWithdrawals({ manager }: Context, query: WithdrawalQuery): Promise<number> {
  return manager.countRows(`SELECT count(*)::float8 AS count FROM trading.withdrawals w WHERE ${asked(query)}`, [
    query.walletId,
    query.states,
    query.companyId ?? null,
  ]);
}

/** Lists the withdrawals of a page, newest first, and one more if there are more. */
export function listWithdrawals(
  { manager }: Context,
  query: WithdrawalQuery,
  page: PageRange,
): Promise<WithdrawalRow[]> {
  const { beyond, direction } = keyset('DESC', page);
  return manager.rows(
    `SELECT ${columns} FROM trading.withdrawals w
     WHERE ${asked(query)} AND ($4::uuid IS NULL OR w.id ${beyond} $4)
     ORDER BY w.id ${direction} LIMIT $5`,
    [query.walletId, query.states, query.companyId ?? null, page.after ?? null, page.limit + 1],
  );
}

export function findWithdrawal({ manager }: Context, walletId: string, id: string): Promise<WithdrawalRow | undefined> {
  return manager.row(`SELECT ${columns} FROM trading.withdrawals w WHERE w.id = $1 AND w.wallet_id = $2`, [
    id,
    walletId,
  ]);
}

/** Data for an operator who decides on a withdrawal. Amounts are decimal text in its currency. */
export interface BackgroundRow {
  readonly companyName: string;
  readonly profileName: string | null;
  readonly earlier: number;
  readonly withdrawn: string;
  readonly limit: string | null;
}

/** Returns the background of each of the given withdrawals, in the order of the ids. */
export async function backgroundsOf({ manager }: Context, ids: readonly string[]): Promise<BackgroundRow[]> {
  const rows = await manager.rows<BackgroundRow & { readonly id: string; readonly decimals: number }>(
    `SELECT w.id, c.name AS "companyName", p.name AS "profileName", decimals,
       count(*) FILTER (WHERE o.network = w.network AND o.address = w.address AND o.id < w.id AND o.sent_at IS NOT NULL)::integer AS earlier,
       coalesce(sum(o.amount) FILTER (WHERE o.currency = w.currency AND o.created_at > w.created_at - interval '24 hours'
         AND (o.sent_at IS NOT NULL OR o.state NOT IN ('FAILED', 'REJECTED'))), 0)::text AS withdrawn,
       (SELECT daily::text FROM trading.withdrawal_limits l WHERE l.company_id = w.company_id AND l.currency = w.currency) AS "limit"
     FROM trading.withdrawals w JOIN trading.currencies ON code = w.currency JOIN trading.companies c ON c.id = w.company_id
       JOIN trading.wallets own ON own.id = w.wallet_id LEFT JOIN trading.profiles p ON p.id = own.profile_id
       JOIN trading.withdrawals o ON o.company_id = w.company_id AND o.synthetic = w.synthetic AND o.created_at <= w.created_at
     WHERE w.id = ANY ($1::uuid[]) GROUP BY w.id, c.name, p.name, decimals`,
    [ids],
  );
  return itemsOf(ids, rows, ({ id }) => id).map((row) => {
    if (row === undefined) throw new Error('A withdrawal has no background');
    const { decimals, withdrawn, limit } = row;
    return {
      ...row,
      withdrawn: formatAmount(withdrawn, decimals),
      limit: limit === null ? null : formatAmount(limit, decimals),
    };
  });
}

/** Decisions of two operators: that a withdrawal leaves, or that a completed one came back. */
export type Decision = 'APPROVAL' | 'RETURN';

const tables: Readonly<Record<Decision, string>> = {
  APPROVAL: 'trading.withdrawal_approvals',
  RETURN: 'trading.withdrawal_returns',
};

/** Stores the decision of the calling operator, of whom none counts on this withdrawal. */
export async function saveDecision(
  { manager, principal: { ownerId, accountId } }: Context,
  decision: Decision,
  withdrawalId: string,
): Promise<void> {
  await manager.execute(
    `INSERT INTO ${tables[decision]} (withdrawal_id, operator_id, account_id) VALUES ($1, $2, $3)
     ON CONFLICT (withdrawal_id, operator_id) DO UPDATE SET account_id = excluded.account_id, decided_at = excluded.decided_at`,
    [withdrawalId, ownerId, accountId ?? null],
  );
}

/**
 * SQL: the decisions that count on the withdrawals `$1`: not of an operator who was revoked or lost the role after it, nor of one to whose account the company
 * is linked by now.
 */
const countedOf = (decision: Decision) =>
  `SELECT d.withdrawal_id AS id, d.operator_id FROM ${tables[decision]} d
   JOIN trading.withdrawals r ON r.id = d.withdrawal_id JOIN trading.companies c ON c.id = r.company_id
   WHERE r.id = ANY ($1::uuid[]) AND coalesce(d.account_id <> c.account_id, true) AND NOT EXISTS (
     SELECT FROM shared.audit_log k WHERE k.subject_id = d.operator_id AND k.outcome = 'DONE' AND k.at > d.decided_at
       AND (k.action = 'revokeOperator' OR k.action = 'changeOperatorRoles' AND NOT k.after -> 'roles' ? 'trade'))`;

/** Why an operator may not decide on a withdrawal, though others may. */
export type ApprovalBar = 'ALREADY_APPROVED' | 'ISSUED_CREDENTIAL' | 'ISSUED_KEY' | 'OWN_WALLET';

/** SQL: what operators let others in: with a first key, or with another one. */
const letsIn = `k.action IN ('addOperator', 'addOperatorKey') AND k.outcome = 'DONE' AND k.actor_kind = 'OPERATOR' AND k.actor_id <> k.subject_id`;

/** SQL: whether one operator let another in, or one who did. */
const isAbove = (issuer: string, owner: string) =>
  `EXISTS (SELECT FROM above WHERE above.person = ${owner} AND above.issuer = ${issuer})`;

/**
 * Returns for each of the given withdrawals the reason why the calling operator may not decide on it; null if there is none. The issuer of the credential
 * that requested it has seen its secret, and could have requested it too. An operator and the issuer of that operator's access may be one person, and never
 * count as two. An operator with the e-mail of the company's account or of the profile is on their side.
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
       ${countedOf(decision)}
     ), above (person, issuer) AS (
       SELECT k.subject_id, k.actor_id FROM shared.audit_log k
       WHERE k.subject_id IN (SELECT $2 UNION SELECT operator_id FROM decided UNION SELECT actor_id FROM issuer) AND ${letsIn}
       UNION
       SELECT above.person, k.actor_id FROM above JOIN shared.audit_log k ON k.subject_id = above.issuer WHERE ${letsIn}
     )
     SELECT w.id, CASE
       WHEN EXISTS (SELECT FROM issuer WHERE issuer.id = w.id AND actor_id = $2) THEN 'ISSUED_CREDENTIAL'
       WHEN EXISTS (SELECT FROM trading.withdrawals r JOIN trading.companies c ON c.id = r.company_id
           JOIN trading.wallets own ON own.id = r.wallet_id LEFT JOIN trading.profiles p ON p.id = own.profile_id
           WHERE r.id = w.id AND (c.account_id = $3 OR lower(p.email) = lower($4))) THEN 'OWN_WALLET'
       WHEN EXISTS (SELECT FROM decided WHERE decided.id = w.id AND operator_id = $2) THEN 'ALREADY_APPROVED'
       WHEN EXISTS (SELECT FROM issuer WHERE issuer.id = w.id
           AND (${isAbove('issuer.actor_id', '$2')} OR ${isAbove('$2', 'issuer.actor_id')}))
         OR EXISTS (SELECT FROM decided WHERE decided.id = w.id
           AND (${isAbove('decided.operator_id', '$2')} OR ${isAbove('$2', 'decided.operator_id')})) THEN 'ISSUED_KEY'
       END AS bar
     FROM unnest($1::uuid[]) AS w (id)`,
    [ids, principal.ownerId, principal.accountId ?? null, principal.name ?? null],
  );
  return itemsOf(ids, rows, ({ id }) => id).map((row) => row?.bar ?? null);
}

export function approvalBarsOf(context: Context, ids: readonly string[]): Promise<(ApprovalBar | null)[]> {
  return decisionBarsOf(context, 'APPROVAL', ids);
}

/** Returns a batched read of how many operators' decisions on each of the given withdrawals count, in the order of the ids. */
const counterOf =
  (decision: Decision) =>
  async ({ manager }: Context, ids: readonly string[]): Promise<number[]> => {
    const rows = await manager.rows<{ id: string; count: number }>(
      `SELECT id, count(*)::integer AS count FROM (${countedOf(decision)}) counted GROUP BY id`,
      [ids],
    );
    return itemsOf(ids, rows, ({ id }) => id).map((row) => row?.count ?? 0);
  };
export const countApprovals = counterOf('APPROVAL');
export const countReturns = counterOf('RETURN');

export interface WithdrawalLimitRow {
  readonly companyId: string;
  readonly currency: string;
  /** Decimal text in the currency. */
  readonly daily: string;
}

export async function limitsOf(
  { manager }: Context,
  companyIds: readonly string[],
): Promise<readonly WithdrawalLimitRow[][]> {
  const rows = await manager.rows<WithdrawalLimitRow & { readonly decimals: number }>(
    `SELECT company_id AS "companyId", currency, trim_scale(daily)::text AS daily, decimals
     FROM trading.withdrawal_limits JOIN trading.currencies ON code = currency
     WHERE company_id = ANY ($1::uuid[]) ORDER BY company_id, currency`,
    [companyIds],
  );
  const limits = rows.map(({ decimals, ...row }) => ({ ...row, daily: formatAmount(row.daily, decimals) }));
  return groupsOf(companyIds, limits, ({ companyId }) => companyId);
}

interface CompanyCurrency {
  readonly companyId: string;
  readonly currency: string;
}

/**
 * Returns a company's limit for withdrawals of a currency in 24 hours, locked until the transaction ends, so that two concurrent withdrawals cannot both
 * use the same remainder; undefined if there is no limit.
 */
export function lockDailyLimit(
  { manager }: Context,
  { companyId, currency }: CompanyCurrency,
): Promise<string | undefined> {
  return manager.value(
    `SELECT daily::text AS daily FROM trading.withdrawal_limits WHERE company_id = $1 AND currency = $2 FOR NO KEY UPDATE`,
    [companyId, currency],
  );
}

/** SQL: what counts in a limit of 24 hours: what was sent, though it came back, and what is still to be sent. */
const counts = `(sent_at IS NOT NULL OR state NOT IN ('FAILED', 'REJECTED'))`;

/** Sums a company's withdrawals of a currency since a time, with those that came back. */
export async function sumWithdrawn(
  { manager }: Context,
  { companyId, currency }: CompanyCurrency,
  { synthetic, since }: { readonly synthetic: boolean; readonly since: Date },
): Promise<string> {
  return (
    (await manager.value<string>(
      `SELECT coalesce(sum(amount), 0)::text AS total FROM trading.withdrawals
     WHERE company_id = $1 AND currency = $2 AND synthetic = $3 AND created_at > $4 AND ${counts}`,
      [companyId, currency, synthetic, since],
    )) ?? '0'
  );
}

/** Lets one withdrawal of a company after another be judged by what it has withdrawn. */
export async function lockCompany({ manager }: Context, companyId: string): Promise<void> {
  await manager.execute(`SELECT pg_advisory_xact_lock(hashtextextended('trading.withdrawals ' || $1, 0))`, [companyId]);
}

/**
 * Sums the values in BRL of a company's real withdrawals since a time that needed no approval, with those that came back.
 * @param currencies all that exist: the index by currency and time finds the rows of each
 */
export async function sumUnapproved(
  { manager }: Context,
  of: { readonly companyId: string; readonly currencies: readonly string[]; readonly since: Date },
): Promise<string> {
  const sum = await manager.value<string>(
    `SELECT coalesce(sum(value_brl), 0)::text AS total FROM trading.withdrawals
     WHERE company_id = $1 AND currency = ANY ($2) AND created_at > $3
       AND NOT synthetic AND approvals_needed = 0 AND ${counts}`,
    [of.companyId, of.currencies, of.since],
  );
  return sum ?? '0';
}

/** Sets a limit; null lifts it. */
export async function saveDailyLimit(
  { manager, clock }: Context,
  { companyId, currency }: CompanyCurrency,
  daily: string | null,
): Promise<void> {
  if (daily === null) {
    await manager.execute('DELETE FROM trading.withdrawal_limits WHERE company_id = $1 AND currency = $2', [
      companyId,
      currency,
    ]);
    return;
  }
  await manager.execute(
    `INSERT INTO trading.withdrawal_limits (company_id, currency, daily, updated_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (company_id, currency) DO UPDATE SET daily = excluded.daily, updated_at = excluded.updated_at`,
    [companyId, currency, daily, clock.now()],
  );
}
