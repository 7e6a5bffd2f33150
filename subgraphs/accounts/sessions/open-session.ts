import type { ActName } from '../../../shared/registry.js';
import { noteAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { AccountRow } from '../accounts/account.entity.js';
import { lockAccount } from '../accounts/account.store.js';
import { notifyOwner, type MailDesk } from '../accounts/mail-desk.js';
import { newNetworkMail } from '../accounts/notices.mails.js';
import { isEnrolled, readHeldFactors } from '../second-factors/factor.store.js';
import { originOf } from './session-origin.js';
import { addSession, endOldest, noteNetwork } from './session.store.js';
import { sessionLifetimeMs } from './session-lifetime.js';
import type { Sessions } from './session.js';

export interface SessionParts {
  readonly desk: MailDesk;
  readonly sessions: Sessions;
  /** Called after the commit of a change, so that this process does not wait to read it. */
  readonly forgetSessions: (ids: readonly string[]) => void;
}

export interface OpenedSession {
  readonly id: string;
  readonly accessToken: string;
  readonly account: AccountRow;
}

/**
 * Opens a session of an account whose owner has just been authenticated. Ends the oldest of its live sessions if there are more
 * than fifty, and notifies the owner by mail if the network is new for the account.
 * @param action what opens it, for the audit log
 * @param account as read when its owner was authenticated: if the password has changed since, the authentication is void.
 * @throws {ApiError} UNAUTHORIZED when the password was changed, or the account deleted, meanwhile; FORBIDDEN when it is disabled;
 *   SECOND_FACTOR_REQUIRED when it has a second factor.
 */
export async function openSession(
  context: Context,
  { desk, sessions, forgetSessions }: SessionParts,
  action: 'login' | 'verifyEmail',
  account: AccountRow,
): Promise<OpenedSession> {
  const session = await inTransaction(context, async (tx) => {
    const current = await lockLoggedIn(tx, action, account);
    await requireNoFactor(tx, action, current.id);
    if (tx.idempotency !== undefined) tx.idempotency.about = current.id;
    const now = tx.clock.now();
    const origin = originOf(tx);
    const expiresAt = new Date(now.getTime() + sessionLifetimeMs);
    const row = { id: newId(now.getTime()), ...origin, createdAt: now, lastSeenAt: now, expiresAt };
    await addSession(tx, current.id, row);
    const displaced = await endOldest(tx, current.id);
    await noteOrigin(tx, desk, current, row);
    const actor = { kind: 'SESSION', id: row.id, ownerId: current.id } as const;
    const opened = { action, subject: { type: 'account', id: current.id }, actor, outcome: 'DONE' } as const;
    afterCommit(tx, () => {
      forgetSessions(displaced);
      noteAudit(context, opened);
    });
    return row;
  });
  return { id: session.id, accessToken: await sessions.issue({ ...session, accountId: account.id }), account };
}

/** @param account as read when its owner was authenticated @throws {ApiError} UNAUTHORIZED when the password was changed, or the account deleted, meanwhile; FORBIDDEN when it is disabled */
export async function lockLoggedIn(tx: Context, action: ActName, account: AccountRow): Promise<AccountRow> {
  const current = await lockAccount(tx, account.id);
  if (current?.passwordHash !== account.passwordHash)
    throw new ApiError('UNAUTHORIZED', { message: 'Wrong e-mail or password' });
  if (current.disabledAt === null) return current;
  const subject = { type: 'account', id: current.id };
  noteAudit(tx, { action, subject, outcome: 'REFUSED', reason: 'FORBIDDEN: the account is disabled' });
  throw new ApiError('FORBIDDEN', byRule('ACCOUNT_DISABLED'));
}

/** Refuses a token to an account with a second factor. The account is locked, so that none is added before the session is stored. */
async function requireNoFactor(tx: Context, action: ActName, id: string): Promise<void> {
  if (!isEnrolled(await readHeldFactors(tx, id))) return;
  const reason = 'SECOND_FACTOR_REQUIRED: the account has a second factor';
  noteAudit(tx, { action, subject: { type: 'account', id }, outcome: 'REFUSED', reason });
  throw new ApiError('SECOND_FACTOR_REQUIRED', {
    message: 'The account has a second factor: log in by a browser (POST /web/session), or use an API key',
  });
}

/** Records the network of a new session, and notifies the owner of the account of one that is new. */
export async function noteOrigin(
  tx: Context,
  desk: MailDesk,
  account: AccountRow,
  session: { readonly network: string; readonly createdAt: Date },
): Promise<void> {
  // Before the e-mail is confirmed, the person logging in need not be the one who reads the mail.
  if (account.confirmedAt === null || !(await noteNetwork(tx, account.id, session.network))) return;
  await notifyOwner(tx, desk, account, 'ACCESS', newNetworkMail(account, session));
}
