import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { removeSessionsOf } from '../sessions/session.store.js';
import { useUpTokens } from '../tokens/one-time-token.store.js';
import { registrationErrors, trimEmail, type Registration } from './account.js';
import { accountExistsMail, confirmationAgainMail, confirmationMail, portalAccountMail } from './account.mails.js';
import { addRegistered, findOwner, mayMail, replaceWaiting, type NewAccount } from './account.store.js';
import { commonPasswordErrors } from './common-passwords.js';
import { onTurnOf, respondEvenly } from './even-response.js';
import { mailConfirmation, mailOwner, type MailDesk } from './mail-desk.js';
import { hashPassword } from './password.js';

export interface RegisterParts {
  readonly desk: MailDesk;
  /** Called after the commit of a change, so that this process does not wait to read it. */
  readonly forgetSessions: (ids: readonly string[]) => void;
}

/**
 * Creates an unconfirmed account and mails the link that confirms it. It replaces a registration of the e-mail that waits: the link of that one, its password and
 * its sessions are of no use any more, so that nothing of a stranger remains beside the password that the newest mail is about. An e-mail
 * with a confirmed account gets the same response in the same time, and its owner is notified by mail, twice an hour at most. If
 * the hourly limit of such mails is reached no account is created: nobody could confirm it.
 * @throws {ApiError} BAD_REQUEST with every error of the input; UNPROCESSABLE for one of the most common passwords.
 */
export async function register(context: Context, parts: RegisterParts, input: Registration): Promise<void> {
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
      await addOrTell(tx, parts, account);
    });
  });
}

async function addOrTell(context: Context, parts: RegisterParts, account: NewAccount): Promise<void> {
  const { desk, forgetSessions } = parts;
  const owner = await findOwner(context, account.email);
  if (!(await mayMail(context, account.email, owner === undefined ? 'REGISTRATION' : 'EXISTING'))) return;
  if (owner !== undefined) {
    const mail = owner.ownerType === 'AGENT_USER' ? portalAccountMail : accountExistsMail;
    return mailOwner(context, desk, owner, 'EXISTING', mail(owner));
  }
  const replaced = await replaceWaiting(context, account);
  if (replaced !== undefined) {
    await useUpTokens(context, replaced.id, 'CONFIRM');
    const ended = await removeSessionsOf(context, [replaced.id]);
    afterCommit(context, () => {
      forgetSessions(ended);
    });
    return mailConfirmation(context, desk, replaced, confirmationAgainMail);
  }
  const added = await addRegistered(context, account);
  if (added !== undefined) await mailConfirmation(context, desk, added, confirmationMail);
}
