import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/errors.js';
import { issueToken } from '../tokens/one-time-token.store.js';
import { emailFaults, trimEmail } from './account.js';
import { resetMail } from './account.mails.js';
import { findRegistered, mayMail } from './account.store.js';
import { answerEvenly } from './even-answer.js';
import type { MailDesk } from './register.js';

/**
 * Mails a link that sets a new password to the account registered here with an e-mail, if there is one: the portal's users
 * change theirs in the portal. The answer is the same for every e-mail.
 * @throws {Fault} BAD_REQUEST when it is no e-mail address.
 */
export async function forgotPassword(context: Context, { queueMail, links }: MailDesk, email: string): Promise<void> {
  refuse('BAD_REQUEST', emailFaults(email));
  await answerEvenly(() =>
    inTransaction(context, async (tx) => {
      const account = await findRegistered(tx, trimEmail(email));
      if (account === undefined || !(await mayMail(tx, account.id))) return;
      const token = await issueToken(tx, account.id, 'RESET');
      await queueMail(tx, resetMail(account, links.resetPassword(token)));
    }),
  );
}
