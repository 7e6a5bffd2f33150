import { identifyingText } from '../../../shared/identifying-text.js';
import type { Context } from '../../../shared/context.js';
import { refuse } from '../../../shared/errors.js';
import { registrationErrors, trimEmail, type Registration } from './account.js';
import { accountExistsMail, confirmationAgainMail, confirmationMail, portalAccountMail } from './account.mails.js';
import { addRegistered, countWaiting, findOwner, mayMail, type NewAccount } from './account.store.js';
import { commonPasswordErrors } from './common-passwords.js';
import { onTurnOf, respondEvenly } from './even-response.js';
import { mailConfirmation, mailOwner, type MailDesk } from './mail-desk.js';
import { hashPassword } from './password.js';

/**
 * Creates an unconfirmed account and mails the link that confirms it, and no other registration of the e-mail. An e-mail
 * with a confirmed account gets the same response in the same time, and its owner is notified by mail, twice an hour at most. If
 * the hourly limit of such mails is reached no account is created: nobody could confirm it.
 * @throws {ApiError} BAD_REQUEST with every error of the input; UNPROCESSABLE for one of the most common passwords.
 */
export async function register(context: Context, desk: MailDesk, input: Registration): Promise<void> {
  refuse('BAD_REQUEST', registrationErrors(input));
  refuse('UNPROCESSABLE', await commonPasswordErrors(input.password));
  await respondEvenly(context, async () => {
    const account = {
      email: trimEmail(input.email),
      name: identifyingText(input.name),
      company: identifyingText(input.company),
      passwordHash: await hashPassword(input.password),
      confirmedAt: null,
    };
    await onTurnOf(context, account.email, async (tx) => {
      await addOrTell(tx, desk, account);
    });
  });
}

async function addOrTell(context: Context, desk: MailDesk, account: NewAccount): Promise<void> {
  const owner = await findOwner(context, account.email);
  if (!(await mayMail(context, account.email, owner === undefined ? 'REGISTRATION' : 'EXISTING'))) return;
  if (owner !== undefined) {
    const mail = owner.ownerType === 'AGENT_USER' ? portalAccountMail : accountExistsMail;
    return mailOwner(context, desk, owner, 'EXISTING', mail(owner));
  }
  const waiting = await countWaiting(context, account.email);
  const added = await addRegistered(context, account);
  if (added === undefined) return;
  await mailConfirmation(context, desk, added, waiting === 0 ? confirmationMail : confirmationAgainMail);
}
