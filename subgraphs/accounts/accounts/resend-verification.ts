import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/errors.js';
import { emailFaults, trimEmail } from './account.js';
import { accountExistsMail, confirmationMail } from './account.mails.js';
import { findRegistered, mayMail } from './account.store.js';
import { answerEvenly } from './even-answer.js';
import { mailConfirmation, type MailDesk } from './register.js';

/**
 * Mails a new confirmation link to an unconfirmed account; tells the owner of a confirmed one that there is nothing to
 * confirm. The answer is the same for every e-mail.
 * @throws {Fault} BAD_REQUEST when it is no e-mail address.
 */
export async function resendVerification(context: Context, desk: MailDesk, email: string): Promise<void> {
  refuse('BAD_REQUEST', emailFaults(email));
  await answerEvenly(() =>
    inTransaction(context, async (tx) => {
      const account = await findRegistered(tx, trimEmail(email));
      if (account === undefined) return;
      if (account.confirmedAt === null) await mailConfirmation(tx, desk, account, confirmationMail);
      else if (await mayMail(tx, account.id)) await desk.queueMail(tx, accountExistsMail(account));
    }),
  );
}
