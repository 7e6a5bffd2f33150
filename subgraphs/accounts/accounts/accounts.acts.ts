import type { Context } from '../../../shared/kernel/context.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { issueToken } from '../tokens/one-time-token.store.js';
import type { AccountRow } from './account.entity.js';
import { emailErrors, trimEmail } from './account.js';
import { resetMail, accountExistsMail, confirmationMail } from './account.mails.js';
import { findRegistered, mayMail } from './account.store.js';
import { onTurnOf, respondEvenly } from './even-response.js';
import { mailOwner, type MailDesk, mailConfirmation } from './mail-desk.js';

/**
 * Mails a link that sets a new password to the account registered here with an e-mail, if there is one: portal users change
 * their password in the portal. Three an hour at most, which no other messages use up. The response is the same for every e-mail.
 * @throws {ApiError} BAD_REQUEST for an invalid e-mail address.
 */
export function forgotPassword(context: Context, desk: MailDesk, given: string): Promise<void> {
  return tellOwner(context, given, async (tx, account) => {
    if (!(await mayMail(tx, account.email, 'RESET'))) return;
    const token = await issueToken(tx, account.id, 'RESET');
    await mailOwner(tx, desk, account, 'RESET', resetMail(account, desk.links.resetPassword(token)));
  });
}

/**
 * Mails a new confirmation link to an unconfirmed account; notifies the owner of a confirmed one that it is already
 * confirmed. The response is the same for every e-mail.
 * @throws {ApiError} BAD_REQUEST for an invalid e-mail address.
 */
export function resendVerification(context: Context, desk: MailDesk, given: string): Promise<void> {
  return tellOwner(context, given, async (tx, account) => {
    const kind = account.confirmedAt === null ? 'REGISTRATION' : 'EXISTING';
    if (!(await mayMail(tx, account.email, kind))) return;
    if (kind === 'EXISTING') await mailOwner(tx, desk, account, kind, accountExistsMail(account));
    else await mailConfirmation(tx, desk, account, confirmationMail);
  });
}

/** Runs `tell` for the account registered here with an e-mail, if there is one, one at a time for each e-mail, and takes as long if there is none. */
async function tellOwner(
  context: Context,
  given: string,
  tell: (tx: Context, account: AccountRow) => Promise<void>,
): Promise<void> {
  refuse('BAD_REQUEST', emailErrors(given));
  const email = trimEmail(given);
  await respondEvenly(context, () =>
    onTurnOf(context, email, async (tx) => {
      const account = await findRegistered(tx, email);
      if (account !== undefined) await tell(tx, account);
    }),
  );
}
