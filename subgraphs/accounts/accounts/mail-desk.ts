import type { Context } from '../../../shared/kernel/context.js';
import type { Mail, QueueMail } from '../../../shared/work/mail/mail.js';
import { issueToken } from '../tokens/one-time-token.store.js';
import type { AccountRow } from './account.entity.js';
import type { confirmationMail, MailLinks } from './account.mails.js';
import { noteMail, takeNotice, type MailKind } from './account.store.js';

export interface MailDesk {
  readonly queueMail: QueueMail;
  readonly links: MailLinks;
}

/** Mails the owner of an account and counts it for the limit of the e-mail; call `mayMail` with the same kind before. */
export async function mailOwner(
  context: Context,
  desk: MailDesk,
  account: AccountRow,
  kind: MailKind,
  mail: Mail,
): Promise<void> {
  await noteMail(context, account.id, kind);
  await desk.queueMail(context, mail);
}

export async function mailConfirmation(
  context: Context,
  desk: MailDesk,
  account: AccountRow,
  mail: typeof confirmationMail,
): Promise<void> {
  const token = await issueToken(context, account.id, 'CONFIRM');
  await mailOwner(context, desk, account, 'REGISTRATION', mail(account, desk.links.verifyEmail(account, token)));
}

/** Maximum number of notices to one owner per hour: about keys, networks and webhooks, and together with those about the password and the account itself. */
const noticesPerHour = { ACCESS: 5, ACCOUNT: 10 } as const;

/** Sends nothing beyond the hourly limit; notices about access cannot use up the part of the password and the account itself. Returns whether it was sent. */
export async function notifyOwner(
  context: Context,
  desk: MailDesk,
  account: Pick<AccountRow, 'id'>,
  kind: keyof typeof noticesPerHour,
  mail: Mail,
): Promise<boolean> {
  const taken = await takeNotice(context, account.id, noticesPerHour[kind]);
  if (taken) await desk.queueMail(context, mail);
  return taken;
}
