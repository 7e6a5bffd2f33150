import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';
import { notifyOwner, type MailDesk } from '../accounts/mail-desk.js';
import { newKeyMail } from '../accounts/notices.mails.js';
import { lockCaller } from '../sessions/lock-caller.js';
import type { ApiKeyRow } from './api-key.entity.js';
import type { KeyKind } from './key-kind.js';
import type { ApiKeyText } from './key-form.js';
import { keyLifetimeMs } from './api-key.js';
import { newId } from '../../../shared/kernel/ids.js';
import { countWorkingKeys } from './api-key.store.js';
import { requireFewNewKeys } from './new-keys.js';

/**
 * Creates a key of a kind for the calling account, and notifies its owner by mail.
 * @param mint stores the key
 * @param audited what the audit log shows besides its prefix and expiry
 * @throws {ApiError} FORBIDDEN before the e-mail is confirmed, CONFLICT when the account has as many working keys as it may have, TOO_MANY_REQUESTS when it has made
 *   30 in the last hour.
 */
export async function createKey<Key extends Pick<ApiKeyRow, 'id' | 'prefix' | 'createdAt' | 'expiresAt'>>(
  context: Context,
  { kind, desk, audited }: { readonly kind: KeyKind; readonly desk: MailDesk; readonly audited?: object },
  mint: (tx: Context, accountId: string) => Promise<Key>,
): Promise<Key> {
  return inTransaction(context, async (tx) => {
    const account = await lockCaller(tx);
    if (account.confirmedAt === null) throw new ApiError('FORBIDDEN', byRule('EMAIL_UNCONFIRMED'));
    if ((await countWorkingKeys(tx, kind.table, account.id)) >= kind.maxWorking)
      throw new ApiError('CONFLICT', byRule('KEYS_FULL', { max: kind.maxWorking }));
    await requireFewNewKeys(tx, kind, account.id);
    const key = await mint(tx, account.id);
    await notifyOwner(tx, desk, account, 'ACCESS', newKeyMail(account, key));
    const { id, prefix, expiresAt } = key;
    const subject = { type: kind.subject, id };
    await recordAudit(tx, { action: kind.created, subject, after: { prefix, expiresAt, ...audited } });
    return key;
  });
}

/** Returns what is stored and shown of a key that is made now, with the given fields. */
export function freshKey<Fields extends object>({ clock }: Context, { prefix }: ApiKeyText, fields: Fields) {
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + keyLifetimeMs);
  return { id: newId(createdAt.getTime()), prefix, ...fields, createdAt, expiresAt };
}
