import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, byRule } from '../../../shared/kernel/errors.js';
import { bindSubject, subjectOf } from '../../../shared/graphql/in-steps.js';
import { lockCaller } from '../sessions/lock-caller.js';
import { endSessions } from '../sessions/session.store.js';
import { useUpTokens } from '../tokens/one-time-token.store.js';
import { givenPasswordErrors, passwordErrors } from './account.js';
import { findAccount, replacePassword } from './account.store.js';
import { commonPasswordErrors } from './common-passwords.js';
import type { LoginGuard } from './login-guard.js';
import { notifyOwner, type MailDesk } from './mail-desk.js';
import { passwordChangedMail } from './notices.mails.js';
import { hashPassword, isPassword } from './password.js';
import { provePassword, requirePasswordHere } from './prove-password.js';

export interface ChangeParts {
  readonly desk: MailDesk;
  readonly guard: LoginGuard;
  readonly forgetSessions: (ids: readonly string[]) => void;
}

export interface ChangeInput {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly keepSessions: boolean;
}

/**
 * Sets a new password for the calling account, given its current one. Ends its other sessions unless they are to continue,
 * invalidates its reset links, and notifies the owner by mail. A wrong current password counts as a failed login.
 * @throws {ApiError} BAD_REQUEST for passwords outside the rule; UNPROCESSABLE for a common one, for a wrong current one and for an
 *   account of the portal; TOO_MANY_REQUESTS after ten failures; CONFLICT when the password was changed meanwhile.
 */
export async function changePassword(context: Context, parts: ChangeParts, input: ChangeInput): Promise<void> {
  // An earlier run of the same request has changed it.
  if (subjectOf(context) !== undefined) return;
  const { currentPassword, newPassword, keepSessions } = input;
  refuse('BAD_REQUEST', [
    ...givenPasswordErrors(currentPassword, 'currentPassword'),
    ...passwordErrors(newPassword, 'newPassword'),
  ]);
  refuse('UNPROCESSABLE', await commonPasswordErrors(newPassword, 'newPassword'));
  const account = await findAccount(context, context.principal.ownerId);
  if (account === null) throw new ApiError('UNAUTHORIZED');
  requirePasswordHere(account);
  await provePassword(context, parts.guard, account, 'currentPassword', () =>
    isPassword(account.passwordHash, currentPassword),
  );
  const passwordHash = await hashPassword(newPassword);
  await inTransaction(context, async (tx) => {
    const current = await lockCaller(tx);
    if (current.passwordHash !== account.passwordHash) throw new ApiError('CONFLICT', byRule('PASSWORD_CHANGED'));
    await replacePassword(tx, current.id, passwordHash);
    await bindSubject(tx, current.id);
    await useUpTokens(tx, current.id, 'RESET');
    const ended = keepSessions ? [] : await endSessions(tx, current.id, 'PASSWORD_CHANGED', tx.principal.id);
    await notifyOwner(tx, parts.desk, current, 'ACCOUNT', passwordChangedMail(current, tx.clock.now()));
    const subject = { type: 'account', id: current.id };
    await recordAudit(tx, { action: 'changePassword', subject, after: { sessionsEnded: ended.length } });
    afterCommit(tx, () => parts.forgetSessions(ended));
  });
}
