import type { Context } from '../../../shared/context.js';
import type { MailLanguage } from '../accounts/compose-mail.js';

export interface MailSettingsRow {
  readonly language: MailLanguage;
}

/** Returns the settings of an account; undefined when it has ended. */
export function findMailSettings({ manager }: Context, accountId: string): Promise<MailSettingsRow | undefined> {
  return manager.row('SELECT mail_language AS language FROM accounts.accounts WHERE id = $1', [accountId]);
}

export async function storeMailSettings(
  { manager }: Context,
  accountId: string,
  { language }: MailSettingsRow,
): Promise<void> {
  await manager.execute('UPDATE accounts.accounts SET mail_language = $2 WHERE id = $1', [accountId, language]);
}
