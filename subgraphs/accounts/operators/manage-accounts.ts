import type { ActName } from '../../../shared/registry.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, byRule, errorAt } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { emailErrors, trimEmail } from '../accounts/account.js';
import { endSessions, type SessionEnd } from '../sessions/session.store.js';
import { disable, enable, lockNamed, type AccountName, type ManagedAccountRow } from './managed-key.store.js';

/** Identifies accounts, by exactly one of the two fields. */
export interface NamedAccounts {
  readonly id?: string | null | undefined;
  readonly email?: string | null | undefined;
}

export type ForgetSessions = (ids: readonly string[]) => void;

/** Disables one account by id, or every one with an e-mail. Their sessions end; keys are rejected meanwhile. A repetition changes nothing. @throws {ApiError} BAD_REQUEST, NOT_FOUND */
export async function disableAccount(
  context: Context,
  forgetSessions: ForgetSessions,
  { reason, ...named }: NamedAccounts & { readonly reason: string },
): Promise<ManagedAccountRow[]> {
  const text = requireReason(reason);
  return inTransaction(context, async (tx) => {
    const rows = await requireNamed(tx, named);
    await endAll(tx, forgetSessions, rows, 'DISABLED');
    return recorded(tx, 'disableAccount', rows, await disable(tx, idsOf(rows), text));
  });
}

/** Enables one account by id, or every one with an e-mail: its owner may log in, and its keys work again. @throws {ApiError} BAD_REQUEST, NOT_FOUND */
export async function enableAccount(context: Context, named: NamedAccounts): Promise<ManagedAccountRow[]> {
  return inTransaction(context, async (tx) => {
    const rows = await requireNamed(tx, named);
    return recorded(tx, 'enableAccount', rows, await enable(tx, idsOf(rows)));
  });
}

/** Ends the sessions of one account by id, or of every one with an e-mail; returns their number. Keys continue to work. @throws {ApiError} BAD_REQUEST, NOT_FOUND */
export async function endAccountSessions(
  context: Context,
  forgetSessions: ForgetSessions,
  named: NamedAccounts,
): Promise<number> {
  return inTransaction(context, async (tx) => {
    const rows = await requireNamed(tx, named);
    const ended = await endAll(tx, forgetSessions, rows, 'OPERATOR');
    for (const { id } of rows) {
      await recordAudit(tx, { action: 'endAccountSessions', subject: { type: 'account', id }, after: { ended } });
    }
    return ended;
  });
}

/** Records the outcome for each account in the audit log, by id, since the e-mail must not be kept permanently. */
async function recorded(
  tx: Context,
  action: ActName,
  before: readonly ManagedAccountRow[],
  rows: ManagedAccountRow[],
): Promise<ManagedAccountRow[]> {
  const earlier = new Map(before.map((row) => [row.id, row]));
  for (const { id, disabledAt, disabledReason } of rows) {
    const was = earlier.get(id);
    await recordAudit(tx, {
      action,
      subject: { type: 'account', id },
      before: { disabledAt: was?.disabledAt, disabledReason: was?.disabledReason },
      after: { disabledAt, disabledReason },
    });
  }
  return rows;
}

async function endAll(
  tx: Context,
  forgetSessions: ForgetSessions,
  rows: readonly ManagedAccountRow[],
  why: SessionEnd,
): Promise<number> {
  const ended: string[] = [];
  for (const { id } of rows) ended.push(...(await endSessions(tx, id, why)));
  afterCommit(tx, () => forgetSessions(ended));
  return ended.length;
}

async function requireNamed(tx: Context, { id, email }: NamedAccounts): Promise<ManagedAccountRow[]> {
  const name = nameOf(id ?? undefined, email ?? undefined);
  const rows = 'id' in name && !isUuid(name.id) ? [] : await lockNamed(tx, name);
  if (rows.length > 0) return rows;
  throw new ApiError(
    'NOT_FOUND',
    'id' in name ? byRule('ACCOUNT_ID_UNKNOWN', name) : byRule('ACCOUNT_EMAIL_UNKNOWN', name),
  );
}

function nameOf(id: string | undefined, email: string | undefined): AccountName {
  if (id !== undefined && email === undefined) return { id };
  if (email === undefined || id !== undefined)
    throw new ApiError('BAD_REQUEST', {
      details: [errorAt('', 'EITHER', { first: 'id', second: 'email' })],
    });
  refuse('BAD_REQUEST', emailErrors(email));
  return { email: trimEmail(email) };
}

function idsOf(rows: readonly ManagedAccountRow[]): string[] {
  return rows.map(({ id }) => id);
}
