import type { Context } from '../../../../shared/context.js';
import type { WithdrawalState } from './withdrawal.js';

/** A withdrawal, as it is stored. Amounts are decimal text in its currency. */
export interface WithdrawalRow {
  /** Also the id of its hold, and what custody knows it by. */
  readonly id: string;
  readonly companyId: string;
  readonly walletId: string;
  readonly synthetic: boolean;
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  /** What arrives, and what the house takes besides. */
  readonly amount: string;
  readonly fee: string;
  /** In BRL when it was asked for; null where no price was known. */
  readonly valueBrl: string | null;
  readonly approvalsNeeded: number;
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
  trim_scale(w.amount)::text AS amount, trim_scale(w.fee)::text AS fee, w.value_brl::text AS "valueBrl",
  w.approvals_needed AS "approvalsNeeded", w.state, w.beneficiary_name AS "beneficiaryName",
  w.beneficiary_tax_id AS "beneficiaryTaxId", w.self_custody AS "selfCustody", w.transaction, w.failure, w.attempts,
  w.due_at AS "dueAt", w.created_at AS "createdAt", w.sent_at AS "sentAt", w.completed_at AS "completedAt"`;

export async function insertWithdrawal({ manager }: Context, row: WithdrawalRow): Promise<void> {
  await manager.query(
    `INSERT INTO trading.withdrawals (id, company_id, wallet_id, synthetic, currency, network, address, amount, fee, value_brl,
       approvals_needed, state, beneficiary_name, beneficiary_tax_id, self_custody, due_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17)`,
    [
      row.id,
      row.companyId,
      row.walletId,
      row.synthetic,
      row.currency,
      row.network,
      row.address,
      row.amount,
      row.fee,
      row.valueBrl,
      row.approvalsNeeded,
      row.state,
      row.beneficiaryName,
      row.beneficiaryTaxId,
      row.selfCustody,
      row.dueAt,
      row.createdAt,
    ],
  );
}

/** A withdrawal, locked until the transaction ends. @param lease the claim that it must be under, where one is given */
export async function lockWithdrawal(
  { manager }: Context,
  id: string,
  lease: string | null = null,
): Promise<WithdrawalRow | undefined> {
  const [row]: WithdrawalRow[] = await manager.query(
    `SELECT ${columns} FROM trading.withdrawals w WHERE w.id = $1 AND ($2::uuid IS NULL OR w.lease = $2) FOR NO KEY UPDATE`,
    [id, lease],
  );
  return row;
}

/** Writes what may change of a withdrawal, and ends the claim that it is under. */
export async function saveWithdrawal({ manager, clock }: Context, row: WithdrawalRow): Promise<void> {
  await manager.query(
    `UPDATE trading.withdrawals SET state = $2, transaction = $3, failure = $4, attempts = $5, due_at = $6, sent_at = $7,
       completed_at = $8, updated_at = $9, lease = NULL WHERE id = $1`,
    [
      row.id,
      row.state,
      row.transaction,
      row.failure,
      row.attempts,
      row.dueAt,
      row.sentAt,
      row.completedAt,
      clock.now(),
    ],
  );
}

/** A withdrawal that an engine has taken. */
export interface ClaimedWithdrawal extends WithdrawalRow {
  /** Whether it is sent for the first time: nobody has asked custody to send it before. */
  readonly isFirst: boolean;
}

/** How an engine takes withdrawals. */
export interface Claim {
  readonly lease: string;
  readonly until: Date;
  readonly limit: number;
  /** The worlds that custody is connected of, by `synthetic`: in others nothing is begun. */
  readonly worlds: readonly boolean[];
}

/** Of a READY withdrawal: whether it may leave at a moment ($1). As `requireMayLeave` has it. */
const mayLeave = `NOT EXISTS (SELECT FROM trading.deposits d WHERE d.wallet_id = withdrawals.wallet_id AND d.state = 'QUARANTINED')
  AND NOT EXISTS (SELECT FROM trading.currency_halts h
    WHERE h.currency = withdrawals.currency AND h.synthetic = withdrawals.synthetic)
  AND NOT EXISTS (SELECT FROM trading.wallets own JOIN trading.companies c ON c.id = own.company_id
    LEFT JOIN trading.profiles p ON p.id = own.profile_id
    WHERE own.id = withdrawals.wallet_id AND 'SUSPENDED' IN (c.status, p.status))
  AND (NOT EXISTS (SELECT FROM trading.withdrawal_allow_lists l WHERE l.company_id = withdrawals.company_id)
    OR EXISTS (SELECT FROM trading.withdrawal_addresses a WHERE a.company_id = withdrawals.company_id
      AND a.network = withdrawals.network AND a.address = withdrawals.address AND a.usable_at <= $1))`;

/**
 * Takes withdrawals that are due; what was READY is SENDING from then on. A claim that is not settled runs out, and another engine
 * takes the withdrawal then. Nothing is begun of wallets with a deposit in quarantine, in a currency that is halted, of whoever is
 * suspended, nor to an address that the company's list does not have by now.
 */
export async function claimWithdrawals(
  { manager, clock }: Context,
  { lease, until, limit, worlds }: Claim,
): Promise<ClaimedWithdrawal[]> {
  return manager.query(
    `WITH due AS (
       SELECT id, state AS before FROM trading.withdrawals
       WHERE due_at <= $1 AND (state <> 'READY' OR synthetic = ANY ($5::boolean[]) AND ${mayLeave})
       ORDER BY due_at LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED
     ), claimed AS (
       UPDATE trading.withdrawals w SET lease = $2, due_at = $3, updated_at = $1,
         state = CASE w.state WHEN 'READY' THEN 'SENDING' ELSE w.state END,
         attempts = w.attempts + CASE w.state WHEN 'SENT' THEN 0 ELSE 1 END
       FROM due WHERE w.id = due.id RETURNING ${columns}, due.before = 'READY' AS "isFirst"
     ) SELECT * FROM claimed`,
    [clock.now(), lease, until, limit, worlds],
  );
}

/** When the next withdrawal is due; null when none waits. @param worlds as of `Claim` */
export async function nextDue({ manager }: Context, worlds: readonly boolean[]): Promise<Date | null> {
  const [row]: { dueAt: Date | null }[] = await manager.query(
    `SELECT min(due_at) AS "dueAt" FROM trading.withdrawals
     WHERE due_at IS NOT NULL AND (state <> 'READY' OR synthetic = ANY ($1::boolean[]))`,
    [worlds],
  );
  return row?.dueAt ?? null;
}

/** How many withdrawals of real funds are READY, and for how many seconds the oldest has been; 0 where none is. */
export async function readReady({
  manager,
  clock,
}: Context): Promise<{ readonly count: number; readonly oldestSeconds: number }> {
  const [row]: { count: number; since: Date | null }[] = await manager.query(
    `SELECT count(*)::integer AS count, min(due_at) AS since FROM trading.withdrawals
     WHERE due_at IS NOT NULL AND state = 'READY' AND NOT synthetic`,
  );
  const sinceMs = row?.since?.getTime();
  const seconds = sinceMs === undefined ? 0 : (clock.now().getTime() - sinceMs) / 1000;
  return { count: row?.count ?? 0, oldestSeconds: Math.max(0, seconds) };
}

/** Which withdrawals of a list; null does not narrow it. */
export interface WithdrawalQuery {
  readonly walletId: string | null;
  readonly states: readonly WithdrawalState[] | null;
}

/** Withdrawals, the newest first, behind one of them. */
export function listWithdrawals(
  { manager }: Context,
  { walletId, states }: WithdrawalQuery,
  after: string | null,
  limit: number,
): Promise<WithdrawalRow[]> {
  return manager.query(
    `SELECT ${columns} FROM trading.withdrawals w
     WHERE ($1::uuid IS NULL OR w.wallet_id = $1) AND ($2::text[] IS NULL OR w.state = ANY ($2)) AND ($3::uuid IS NULL OR w.id < $3)
     ORDER BY w.id DESC LIMIT $4`,
    [walletId, states, after, limit],
  );
}

/** A withdrawal of a wallet. */
export async function findWithdrawal(
  { manager }: Context,
  walletId: string,
  id: string,
): Promise<WithdrawalRow | undefined> {
  const [row]: WithdrawalRow[] = await manager.query(
    `SELECT ${columns} FROM trading.withdrawals w WHERE w.id = $1 AND w.wallet_id = $2`,
    [id, walletId],
  );
  return row;
}
