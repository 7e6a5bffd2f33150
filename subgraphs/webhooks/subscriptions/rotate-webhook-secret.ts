import { recordAudit } from '../../../shared/audit/record.js';
import { requireBounds } from '../../../shared/bounds.js';
import type { Context } from '../../../shared/context.js';
import type { KeyRing } from '../../../shared/crypto.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import type { NewSubscription } from './create-webhook.js';
import { lockOwnWebhook } from './own-webhook.js';
import { mintSecret, sealedSecret } from './secret.js';
import { overlapHours } from './subscription.js';
import { replaceSecret } from './subscription.store.js';

/**
 * Gives a subscription a new secret. The old one stays valid for signing for some hours; one from an earlier rotation ends.
 * @param hours 0 to 168; 24 if undefined
 * @throws {ApiError} BAD_REQUEST, NOT_FOUND
 */
export async function rotateWebhookSecret(
  context: Context,
  keyRing: KeyRing,
  id: string,
  hours: number = overlapHours.usual,
): Promise<NewSubscription> {
  requireBounds({ name: 'overlapHours', value: hours, min: 0, max: overlapHours.most });
  return inTransaction(context, async (tx) => {
    const row = await lockOwnWebhook(tx, id);
    const secret = mintSecret();
    const until = new Date(tx.clock.now().getTime() + hours * 3_600_000);
    await replaceSecret(tx, row.id, keyRing.seal(sealedSecret, secret), until);
    await recordAudit(tx, {
      action: 'rotateWebhookSecret',
      subject: { type: 'webhook', id: row.id },
      after: { formerSignsUntil: until },
    });
    return { ...row, formerSecretUntil: until, secret };
  });
}
