import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { uselessLink } from '../accounts/useless-link.js';
import { keyHash, mintKey } from '../api-keys/key-form.js';
import { tokenHash } from '../tokens/one-time-token.js';
import { auditedKey } from './mint-operator-key.js';
import { lockLinkedKey, lockOperator, setFetched } from './operator.store.js';

/**
 * Makes the secret of a key for the reader of the mail that has its link, and returns the whole key. Of two requests at once one gets it.
 * @throws {ApiError} UNPROCESSABLE for a link that is unknown, used or expired, and where the key or its operator was revoked
 */
export async function fetchOperatorKey(
  context: Context,
  forgetKey: (prefix: string) => void,
  token: string,
): Promise<string> {
  return inTransaction(context, async (tx) => {
    const key = await lockLinkedKey(tx, tokenHash(token));
    const operator = key && (await lockOperator(tx, key.operatorId));
    if (key === undefined || operator?.revokedAt !== null) throw uselessLink();
    const minted = mintKey('svc_op_', undefined, key.prefix);
    await setFetched(tx, key.id, keyHash(minted));
    const { id, email: name } = operator;
    await recordAudit(tx, {
      action: 'fetchOperatorKey',
      subject: { type: 'operator', id },
      actor: { kind: 'OPERATOR', ownerId: id, id: key.id, name },
      after: auditedKey(key),
    });
    afterCommit(tx, () => {
      forgetKey(key.prefix);
    });
    return minted.text;
  });
}
