import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/errors.js';
import type { QueueMail } from '../../../shared/mail/mail.js';
import { issueToken } from '../tokens/one-time-token.store.js';
import { registrationFaults, trimEmail, type Registration } from './account.js';
import type { AccountRow } from './account.entity.js';
import {
  accountExistsMail,
  confirmationAgainMail,
  confirmationMail,
  portalAccountMail,
  type MailLinks,
} from './account.mails.js';
import { addRegistered, findByEmail, mayMail } from './account.store.js';
import { answerEvenly } from './even-answer.js';
import { hashPassword } from './password.js';

export interface MailDesk {
  readonly queueMail: QueueMail;
  readonly links: MailLinks;
}

/**
 * Makes an unconfirmed account and mails the link that confirms it. An e-mail that has an account already gets the same
 * answer, in the same time, and its owner is told by mail.
 * @throws {Fault} BAD_REQUEST with every fault of the input.
 */
export async function register(context: Context, desk: MailDesk, input: Registration): Promise<void> {
  refuse('BAD_REQUEST', registrationFaults(input));
  const email = trimEmail(input.email);
  await answerEvenly(async () => {
    const passwordHash = await hashPassword(input.password);
    await inTransaction(context, async (tx) => {
      const [known] = await findByEmail(tx, email);
      if (known !== undefined) return tellOwner(tx, desk, known);
      const added = await addRegistered(tx, {
        email,
        name: input.name.trim(),
        company: input.company.trim(),
        passwordHash,
        confirmedAt: null,
      });
      if (added !== undefined) return mailConfirmation(tx, desk, added, confirmationMail);
      // Someone else registered the e-mail in between: by now that account can be seen.
      const [rival] = await findByEmail(tx, email);
      if (rival !== undefined) await tellOwner(tx, desk, rival);
    });
  });
}

/** Mails a new confirmation link, unless the owner got too much mail in the last hour. */
export async function mailConfirmation(
  context: Context,
  { queueMail, links }: MailDesk,
  account: AccountRow,
  mail: typeof confirmationMail,
): Promise<void> {
  if (!(await mayMail(context, account.id))) return;
  const token = await issueToken(context, account.id, 'CONFIRM');
  await queueMail(context, mail(account, links.verifyEmail(token)));
}

/** Tells the owner of an account that its e-mail was registered again. */
async function tellOwner(context: Context, desk: MailDesk, account: AccountRow): Promise<void> {
  if (account.confirmedAt === null) return mailConfirmation(context, desk, account, confirmationAgainMail);
  if (!(await mayMail(context, account.id))) return;
  const mail = account.ownerType === 'AGENT_USER' ? portalAccountMail : accountExistsMail;
  await desk.queueMail(context, mail(account));
}
