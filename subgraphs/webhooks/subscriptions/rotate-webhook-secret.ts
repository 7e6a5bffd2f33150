import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import type { KeyRing } from '../../../shared/crypto.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import type { NewSubscription } from './create-webhook.js';
import { lockOwnWebhook } from './own-webhook.js';
import { mintSecret, sealedSecret } from './secret.js';
import { overlapMs } from './subscription.js';
import { replaceSecret } from './subscription.store.js';

/**
 * Gives a subscription a new secret. The old one stays valid for signing for 24 hours; one from an earlier rotation ends.
 * @throws {ApiError} NOT_FOUND
 */
export async function rotateWebhookSecret(context: Context, keyRing: KeyRing, id: string): Promise<NewSubscription> {
  return inTransaction(context, async (tx) => {
    const row = await lockOwnWebhook(tx, id);
    const secret = mintSecret();
    const until = new Date(tx.clock.now().getTime() + overlapMs);
    await replaceSecret(tx, row.id, keyRing.seal(sealedSecret, secret), until);
    await recordAudit(tx, {
      action: 'rotateWebhookSecret',
      subject: { type: 'webhook', id: row.id },
      after: { formerSignsUntil: until },
    });
    return { ...row, secret };
  });
}
