import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/errors.js';
import { consumeToken } from '../tokens/one-time-token.store.js';
import { passwordFaults } from './account.js';
import { replacePassword } from './account.store.js';
import type { LoginGuard } from './login-guard.js';
import { hashPassword } from './password.js';
import { uselessLink } from './useless-link.js';

export interface ResetParts {
  readonly guard: LoginGuard;
  /** Told once the change has committed, so that this process does not wait to read it. */
  readonly forgetSessions: (accountId: string) => void;
}

export interface ResetInput {
  readonly token: string;
  readonly password: string;
}

/**
 * Sets the password of the account that a reset link was mailed to. Ends every session of the account and uses up its
 * other reset links, and clears the failed logins of its e-mail.
 * @throws {Fault} BAD_REQUEST for a password outside the rule, and the link stays good; UNPROCESSABLE for a link that is
 *   unknown, used or expired.
 */
export async function resetPassword(
  context: Context,
  { guard, forgetSessions }: ResetParts,
  { token, password }: ResetInput,
): Promise<void> {
  refuse('BAD_REQUEST', passwordFaults(password));
  const passwordHash = await hashPassword(password);
  await inTransaction(context, async (tx) => {
    const accountId = await consumeToken(tx, token, 'RESET');
    if (accountId === undefined) throw uselessLink();
    const account = await replacePassword(tx, accountId, passwordHash);
    await guard.forgive(tx, account.email);
    afterCommit(tx, () => {
      forgetSessions(accountId);
    });
  });
}
