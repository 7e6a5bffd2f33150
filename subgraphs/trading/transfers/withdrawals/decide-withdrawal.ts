import type { ActName } from '../../../../shared/registry.js';
import { recordAudit } from '../../../../shared/security/audit/record.js';
import type { Context } from '../../../../shared/kernel/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { ApiError, refuse, unless, byRule, errorAt } from '../../../../shared/kernel/errors.js';
import { isUuid } from '../../../../shared/kernel/ids.js';
import { requireReason } from '../../../../shared/kernel/reason.js';
import { wakeTransfers } from '../wake.js';
import { approvers, networksOf } from '../networks.js';
import {
  backgroundsOf,
  countApprovals,
  countReturns,
  decisionBarsOf,
  saveDecision,
  type Decision,
  lockWithdrawal,
  saveWithdrawal,
  type WithdrawalRow,
  lockDailyLimit,
  saveDailyLimit,
} from './withdrawal.store.js';
import { moveWithdrawal, type WithdrawalMove } from './send-withdrawal.js';
import { transition } from './withdrawal.js';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import { lockCompany } from '../../access/access.store.js';
import { findAllowedAddress, hasAllowList } from '../allow-list/allow-list.store.js';
import { suspensionOf } from '../transfer.store.js';

/**
 * Approves a withdrawal, for the calling operator. The last required approval releases it.
 * @throws {ApiError} NOT_FOUND; CONFLICT for a withdrawal that waits for no approval, and for the errors of `requireMayLeave`; the errors of `decide`
 */
export async function approveWithdrawal(context: Context, id: string): Promise<WithdrawalRow> {
  requirePerson(context);
  return inTransaction(context, async (tx) => {
    const row = await requireWithdrawal(tx, id);
    transition(row.state, 'APPROVE');
    await requireMayLeave(tx, row);
    await decide(tx, 'APPROVAL', row);
    const [approvals = 0] = await countApprovals(tx, [row.id]);
    const isLast = approvals >= row.approvalsNeeded;
    const after = isLast
      ? await moveWithdrawal(tx, row, { event: 'APPROVE', outcome: { dueAt: tx.clock.now() } })
      : row;
    await recordAudit(tx, {
      action: 'approveWithdrawal',
      subject: { type: 'withdrawal', id: row.id },
      before: { state: row.state, approvals: approvals - 1 },
      after: { state: after.state, approvals },
    });
    wakeTransfers(tx);
    return after;
  });
}

/** @throws {ApiError} FORBIDDEN for a shared key, or the program itself, which could count as two persons, or as none */
function requirePerson({ principal }: Context): void {
  if (principal.kind !== 'OPERATOR') throw new ApiError('FORBIDDEN', byRule('APPROVER_KEY'));
}

/**
 * Stores what the calling operator decides on a withdrawal, which is locked.
 * @throws {ApiError} FORBIDDEN for the operator who issued the credential that requested it, and for one whose key another of those who decide issued, or who
 * issued theirs, or who owns the wallet; CONFLICT for an operator who has decided already
 */
async function decide(tx: Context, decision: Decision, { id }: WithdrawalRow): Promise<void> {
  const [bar] = await decisionBarsOf(tx, decision, [id]);
  if (bar === 'ALREADY_APPROVED')
    throw new ApiError('CONFLICT', byRule(decision === 'RETURN' ? 'RETURN_REPORTED' : 'APPROVED_ALREADY'));
  if (bar != null) throw new ApiError('FORBIDDEN', byRule(bar));
  await saveDecision(tx, decision, id);
}

/**
 * Rejects a withdrawal that was not sent yet: its funds are available again.
 * @param reason for the client, 1 to 500 characters
 * @throws {ApiError} BAD_REQUEST; NOT_FOUND; CONFLICT for a withdrawal that is being sent, was sent, or is over
 */
export async function rejectWithdrawal(context: Context, id: string, reason: string): Promise<WithdrawalRow> {
  const failure = requireReason(reason);
  return operatorMoves(context, id, { action: 'rejectWithdrawal', reason: failure }, () => [
    { event: 'REJECT', outcome: { failure } },
  ]);
}

/** An operator's finding about a withdrawal in quarantine, or about one that had arrived and came back. */
export interface WithdrawalResolution {
  /**
   * SENT: it is on its way, and custody is asked for its confirmations; CONFIRMED: it has arrived, whatever custody reports; RETURNED: it
   * was sent and came back; FAILED: it was not sent, and never will be.
   */
  readonly outcome: WithdrawalOutcome;
  /** The transaction that sent it; undefined where that is already known, or it was not sent. */
  readonly transaction: string | undefined;
}

export type WithdrawalOutcome = 'SENT' | 'CONFIRMED' | 'RETURNED' | 'FAILED';

/**
 * Resolves a withdrawal whose outcome custody did not report, or which custody does not know. If it is CONFIRMED, its funds are spent; if
 * it FAILED or was RETURNED, they are available again. That a COMPLETED one was RETURNED gives a client money that custody reported as gone: it needs a second
 * operator, or custody, which is asked about it.
 * @throws {ApiError} BAD_REQUEST, also for SENT and CONFIRMED while no transaction is known; NOT_FOUND; CONFLICT for a withdrawal that is not in quarantine,
 * and for another outcome of a COMPLETED one; FORBIDDEN for the operator who issued the credential that requested it, where its funds would be available again;
 * of a COMPLETED one also the errors of `decide`
 */
export async function resolveWithdrawal(
  context: Context,
  id: string,
  resolution: WithdrawalResolution,
  reason: string,
): Promise<WithdrawalRow> {
  const failure = requireReason(reason);
  const givesBack = resolution.outcome === 'RETURNED' || resolution.outcome === 'FAILED';
  return operatorMoves(context, id, { action: 'resolveWithdrawal', reason: failure }, async (tx, row) => {
    if (row.state === 'COMPLETED' && resolution.outcome === 'RETURNED') return reportReturn(tx, row, failure);
    if (row.state !== 'QUARANTINED' && row.state !== 'UNCONFIRMED')
      throw new ApiError('CONFLICT', byRule('WITHDRAWAL_NOT_HELD'));
    const [bar] = await decisionBarsOf(tx, 'RETURN', [row.id]);
    if (givesBack && (bar === 'ISSUED_CREDENTIAL' || bar === 'OWN_WALLET'))
      throw new ApiError('FORBIDDEN', byRule(bar));
    return movesOf(row, resolution, { failure, now: tx.clock.now() });
  });
}

/** Records that the calling operator reports the withdrawal as returned. The first report makes the engine ask custody; the second completes the return. */
async function reportReturn(tx: Context, row: WithdrawalRow, failure: string): Promise<readonly WithdrawalMove[]> {
  requirePerson(tx);
  await decide(tx, 'RETURN', row);
  const [reports = 0] = await countReturns(tx, [row.id]);
  if (reports >= approvers) return [{ event: 'COME_BACK', outcome: { failure } }];
  await saveWithdrawal(tx, { ...row, attempts: 0, dueAt: tx.clock.now() });
  return [];
}

function movesOf(
  row: WithdrawalRow,
  { outcome, transaction = row.transaction ?? undefined }: WithdrawalResolution,
  { failure, now }: { readonly failure: string; readonly now: Date },
): WithdrawalMove[] {
  if (transaction === undefined && (outcome === 'SENT' || outcome === 'CONFIRMED'))
    refuse('BAD_REQUEST', [errorAt('transaction', 'REQUIRED_WITH_OUTCOME', { value: outcome })]);
  const known = transaction === undefined ? {} : { transaction };
  const isSent = row.state === 'UNCONFIRMED';
  // Accepted as if by custody: from then on the books show it as sent.
  const accepted: WithdrawalMove[] = isSent ? [] : [{ event: 'ACCEPT', outcome: known }];
  switch (outcome) {
    case 'SENT':
      return [{ event: isSent ? 'LOOK_AGAIN' : 'ACCEPT', outcome: { ...known, dueAt: now } }];
    case 'CONFIRMED':
      return [...accepted, { event: 'CONFIRM', outcome: known }];
    case 'RETURNED':
      return [...accepted, { event: 'RETURN', outcome: { ...known, failure } }];
    case 'FAILED':
      return [{ event: isSent ? 'RETURN' : 'REFUSE', outcome: { failure } }];
  }
}

async function operatorMoves(
  context: Context,
  id: string,
  { action, reason }: { readonly action: ActName; readonly reason: string },
  movesFor: (tx: Context, row: WithdrawalRow) => Promise<readonly WithdrawalMove[]> | readonly WithdrawalMove[],
): Promise<WithdrawalRow> {
  return inTransaction(context, async (tx) => {
    const row = await requireWithdrawal(tx, id);
    const moves = await movesFor(tx, row);
    const state = moves.reduce((before, { event }) => transition(before, event), row.state);
    await recordAudit(tx, {
      action,
      subject: { type: 'withdrawal', id: row.id },
      before: { state: row.state, ...(row.completedAt && { completedAt: row.completedAt.toISOString() }) },
      after: { state, reason },
    });
    const after = moves.length === 0 ? row : await moveWithdrawal(tx, row, ...moves);
    wakeTransfers(tx);
    return after;
  });
}

async function requireWithdrawal(tx: Context, id: string): Promise<WithdrawalRow> {
  const row = isUuid(id) ? await lockWithdrawal(tx, id) : undefined;
  if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such withdrawal' });
  return row;
}

/**
 * Checks again whether a withdrawal may leave, since conditions may have changed after the request. An engine checks once more when it claims it.
 * @throws {ApiError} CONFLICT while its company or its profile is suspended, and for an address that is not on the company's list, or
 * may not be used yet, and above a limit that was lowered after the request
 */
async function requireMayLeave(tx: Context, row: WithdrawalRow): Promise<void> {
  const { companySuspended, profileSuspended } = await suspensionOf(tx, row.walletId);
  if (companySuspended) throw new ApiError('CONFLICT', byRule('WITHDRAWAL_COMPANY_SUSPENDED'));
  if (profileSuspended) throw new ApiError('CONFLICT', byRule('WITHDRAWAL_PROFILE_SUSPENDED'));
  const { currency } = row;
  const [{ withdrawn, limit } = { withdrawn: '0', limit: null }] = await backgroundsOf(tx, [row.id]);
  if (limit !== null && new Decimal(withdrawn).greaterThan(limit))
    throw new ApiError('CONFLICT', byRule('WITHDRAWAL_ABOVE_LIMIT', { withdrawn, limit, currency }));
  if (!(await hasAllowList(tx, row.companyId))) return;
  const entry = await findAllowedAddress(tx, row);
  if (entry === undefined) throw new ApiError('CONFLICT', byRule('WITHDRAWAL_ADDRESS_NOT_LISTED'));
  if (entry.usableAt > tx.clock.now())
    throw new ApiError('CONFLICT', byRule('WITHDRAWAL_ADDRESS_TOO_NEW', { from: entry.usableAt.toISOString() }));
}

export interface DailyLimit {
  readonly companyId: string;
  readonly currency: string;
  /** Decimal text in the currency, not below zero; null lifts the limit. */
  readonly daily: string | null;
}

/**
 * Limits a company's withdrawals of a currency in 24 hours, for all its profiles together.
 * @throws {ApiError} BAD_REQUEST for an unknown currency or an amount out of bounds; NOT_FOUND
 */
export async function setDailyLimit(context: Context, { companyId, currency, daily }: DailyLimit): Promise<void> {
  const isBounded =
    daily === null || (new Decimal(daily).greaterThanOrEqualTo(0) && new Decimal(daily).lessThan('1e24'));
  refuse('BAD_REQUEST', [
    ...unless(networksOf(currency).length > 0, errorAt('currency', 'NOT_WITHDRAWABLE')),
    ...unless(isBounded, errorAt('daily', 'NUMBER_BELOW', { min: 0, limit: '10^24' })),
  ]);
  await inTransaction(context, async (tx) => {
    const company = await lockCompany(tx, companyId);
    const which = { companyId: company.id, currency };
    const before = await lockDailyLimit(tx, which);
    await saveDailyLimit(tx, which, daily);
    await recordAudit(tx, {
      action: 'setWithdrawalLimit',
      subject: { type: 'tradingCompany', id: company.id },
      before: { currency, daily: before ?? null },
      after: { currency, daily },
    });
  });
}
