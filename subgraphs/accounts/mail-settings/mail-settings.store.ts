import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import type { MailLanguage } from '../accounts/compose-mail.js';
import { lockCaller } from '../sessions/lock-caller.js';

export function findMailLanguage({ manager }: Context, accountId: string): Promise<MailLanguage | undefined> {
  return manager.value('SELECT mail_language FROM accounts.accounts WHERE id = $1', [accountId]);
}

export async function changeMailLanguage(context: Context, language: MailLanguage): Promise<void> {
  await inTransaction(context, async (tx) => {
    const { id } = await lockCaller(tx);
    await tx.manager.execute('UPDATE accounts.accounts SET mail_language = $2 WHERE id = $1', [id, language]);
  });
}
