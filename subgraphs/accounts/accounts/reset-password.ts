import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { revokeAllKeys } from '../api-keys/api-key.store.js';
import { endSessions } from '../sessions/session.store.js';
import { consumeToken } from '../tokens/one-time-token.store.js';
import { passwordErrors } from './account.js';
import { replacePassword } from './account.store.js';
import type { ChangeParts } from './change-password.js';
import { commonPasswordErrors } from './common-passwords.js';
import { notifyOwner } from './mail-desk.js';
import { passwordResetMail } from './notices.mails.js';
import { hashPassword } from './password.js';
import { uselessLink } from './useless-link.js';

export interface ResetParts extends ChangeParts {
  readonly forgetKey: (prefix: string) => void;
}

/**
 * Sets the password of the account that a reset link was mailed to. Ends every session of the account and invalidates its other reset
 * links, revokes its keys if requested, clears the failed logins of its e-mail, and notifies the owner by mail.
 * @throws {ApiError} BAD_REQUEST for a password outside the rule and UNPROCESSABLE for one of the most common, and the link stays
 *   valid; UNPROCESSABLE for a link that is unknown, used or expired.
 */
export async function resetPassword(
  context: Context,
  { desk, guard, forgetSessions, forgetKey }: ResetParts,
  { token, password, revokeKeys }: { readonly token: string; readonly password: string; readonly revokeKeys: boolean },
): Promise<void> {
  refuse('BAD_REQUEST', passwordErrors(password));
  refuse('UNPROCESSABLE', await commonPasswordErrors(password));
  const passwordHash = await hashPassword(password);
  await inTransaction(context, async (tx) => {
    const accountId = await consumeToken(tx, token, 'RESET');
    if (accountId === undefined) throw uselessLink();
    const account = await replacePassword(tx, accountId, passwordHash);
    const ended = await endSessions(tx, accountId, 'PASSWORD_RESET');
    const revoked = revokeKeys ? await revokeAllKeys(tx, accountId) : undefined;
    await guard.forgive(tx, account.email);
    const notice = passwordResetMail(account, { moment: tx.clock.now(), keys: revoked?.length });
    await notifyOwner(tx, desk, account, 'ACCOUNT', notice);
    const after = { sessionsEnded: ended.length, keysRevoked: revoked?.length ?? 0 };
    await recordAudit(tx, { action: 'resetPassword', subject: { type: 'account', id: accountId }, after });
    afterCommit(tx, () => {
      forgetSessions(ended);
      revoked?.forEach(forgetKey);
    });
  });
}
