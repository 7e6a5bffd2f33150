import type { SessionOwner } from '../../../shared/security/browser-session.js';
import type { Context } from '../../../shared/kernel/context.js';
import { lockAccount } from '../accounts/account.store.js';
import { notifyOwner, type MailDesk } from '../accounts/mail-desk.js';
import { lockOperator } from '../operators/operator.store.js';
import type { FactorMail } from './factor.mails.js';

export interface NoticeParts {
  readonly desk: MailDesk;
}

/** Mails the owner of second factors about a change of them, in the current transaction. A trading credential has no e-mail: it gets none. */
export async function notifyFactorOwner(
  tx: Context,
  { desk }: NoticeParts,
  { kind, id }: SessionOwner,
  mailOf: FactorMail,
): Promise<void> {
  const now = tx.clock.now();
  if (kind === 'ACCOUNT') {
    const account = await lockAccount(tx, id);
    if (account !== null) await notifyOwner(tx, desk, account, 'ACCOUNT', mailOf(account, now));
  } else if (kind === 'OPERATOR') {
    const operator = await lockOperator(tx, id);
    if (operator !== undefined) await desk.queueMail(tx, mailOf(operator, now));
  }
}
