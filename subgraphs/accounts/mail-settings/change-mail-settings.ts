import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { lockCaller } from '../sessions/lock-caller.js';
import { findMailSettings, storeMailSettings, type MailSettingsRow } from './mail-settings.store.js';

/** Settings to change; null or undefined keeps one. */
export type MailSettingsInput = { readonly [Name in keyof MailSettingsRow]?: MailSettingsRow[Name] | null | undefined };

export async function changeMailSettings(
  context: Context,
  { language, digest }: MailSettingsInput,
): Promise<MailSettingsRow> {
  return inTransaction(context, async (tx) => {
    const { id } = await lockCaller(tx);
    const known = await findMailSettings(tx, id);
    if (known === undefined) throw new ApiError('UNAUTHORIZED');
    const settings = { language: language ?? known.language, digest: digest ?? known.digest };
    await storeMailSettings(tx, id, settings);
    return settings;
  });
}
