import type { Context } from '../../../shared/context.js';
import { refuse } from '../../../shared/errors.js';
import { emailErrors, trimEmail } from './account.js';
import { accountExistsMail, confirmationMail } from './account.mails.js';
import { findRegistered, mayMail } from './account.store.js';
import { onTurnOf, respondEvenly } from './even-response.js';
import { mailConfirmation, mailOwner, type MailDesk } from './mail-desk.js';

/**
 * Mails a new confirmation link to an unconfirmed account; notifies the owner of a confirmed one that it is already
 * confirmed. The response is the same for every e-mail.
 * @throws {ApiError} BAD_REQUEST for an invalid e-mail address.
 */
export async function resendVerification(context: Context, desk: MailDesk, given: string): Promise<void> {
  refuse('BAD_REQUEST', emailErrors(given));
  const email = trimEmail(given);
  await respondEvenly(context, () =>
    onTurnOf(context, email, async (tx) => {
      const account = await findRegistered(tx, email);
      if (account === undefined) return;
      const kind = account.confirmedAt === null ? 'REGISTRATION' : 'EXISTING';
      if (!(await mayMail(tx, email, kind))) return;
      if (kind === 'EXISTING') await mailOwner(tx, desk, account, kind, accountExistsMail(account));
      else await mailConfirmation(tx, desk, account, confirmationMail);
    }),
  );
}
