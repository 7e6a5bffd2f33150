import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../shared/kernel/errors.js';
import { byRule } from '../../../shared/kernel/rule-error.js';
import { eraseMailsTo } from '../../../shared/work/mail/mail.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import { eraseResponsesOf } from '../../../shared/graphql/idempotent-response.store.js';
import { givenPasswordErrors } from '../accounts/account.js';
import { findAccount } from '../accounts/account.store.js';
import { discardAccounts } from '../accounts/discard-accounts.js';
import { accountDeletedMail } from '../accounts/notices.mails.js';
import { isOwnPassword, provePassword } from '../accounts/prove-password.js';
import type { ResetParts } from '../accounts/reset-password.js';
import type { VerifyPortalUser } from '../accounts/portal.js';
import { removeKeyDays, removeKeys } from '../api-keys/api-key.store.js';
import { removeRequestsOf } from '../request-log/request-log.store.js';
import { lockCaller } from '../sessions/lock-caller.js';

export interface DeleteParts extends ResetParts {
  /** Undefined if no portal is configured. */
  readonly verifyPortalUser: VerifyPortalUser | undefined;
}

/** Kinds of credentials whose stored responses are deleted with an account. */
const kinds = ['SESSION', 'API_KEY', 'DEVELOPER_KEY'] as const;

/**
 * Deletes the calling account, at once and permanently, with all its data here, and announces `account.deleted` for the other
 * domains. Data that they keep refers to the account only by its id. Its e-mail may register again.
 * @throws {ApiError} BAD_REQUEST for an invalid password; UNPROCESSABLE for a wrong one; TOO_MANY_REQUESTS after ten failures;
 *   UNAVAILABLE when the portal, which keeps the password, does not respond; CONFLICT when the password was changed meanwhile.
 */
export async function deleteMyAccount(context: Context, parts: DeleteParts, password: string): Promise<void> {
  refuse('BAD_REQUEST', givenPasswordErrors(password));
  const account = await findAccount(context, context.principal.ownerId);
  if (account === null) throw new ApiError('UNAUTHORIZED');
  await provePassword(context, parts.guard, account, 'password', () =>
    isOwnPassword(account, parts.verifyPortalUser, password),
  );
  await inTransaction(context, async (tx) => {
    const { id, email, passwordHash } = await lockCaller(tx);
    if (passwordHash !== account.passwordHash) throw new ApiError('CONFLICT', byRule('PASSWORD_CHANGED'));
    const keys = await removeKeys(tx, id);
    await removeKeyDays(tx, id);
    await removeRequestsOf(tx, id);
    const sessions = await discardAccounts(tx, [id]);
    await parts.guard.forgive(tx, email);
    await eraseResponsesOf(tx, id, kinds);
    await eraseMailsTo(tx, email);
    await parts.desk.queueMail(tx, accountDeletedMail(account, tx.clock.now()));
    await announce(tx, { topic: 'account.deleted', key: id, payload: { accountId: id }, internal: true });
    await recordAudit(tx, { action: 'deleteMyAccount', subject: { type: 'account', id } });
    afterCommit(tx, () => {
      parts.forgetSessions(sessions);
      keys.forEach(parts.forgetKey);
    });
  });
}
