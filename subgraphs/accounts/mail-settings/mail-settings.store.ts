import { type Context, today } from '../../../shared/kernel/context.js';
import type { MailLanguage } from '../accounts/compose-mail.js';
import { type DigestFrequency, latestPosition } from '../digests/digest.store.js';

export interface MailSettingsRow {
  readonly language: MailLanguage;
  readonly digest: DigestFrequency;
}

export function findMailSettings({ manager }: Context, accountId: string): Promise<MailSettingsRow | undefined> {
  return manager.row('SELECT mail_language AS language, digest FROM accounts.accounts WHERE id = $1', [accountId]);
}

/** Stores the settings of an account. Digests that begin tell of what is published from now on. */
export async function storeMailSettings(
  context: Context,
  accountId: string,
  { language, digest }: MailSettingsRow,
): Promise<void> {
  await context.manager.execute(
    `UPDATE accounts.accounts SET mail_language = $2, digest = $3,
       digest_after = CASE WHEN digest = 'NONE' THEN $4::bigint ELSE digest_after END,
       digest_day = CASE WHEN digest = 'NONE' THEN $5::date ELSE digest_day END
     WHERE id = $1`,
    [accountId, language, digest, await latestPosition(context), today(context)],
  );
}
