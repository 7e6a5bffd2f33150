import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import { countLiveKeys, findKey, insertKey, type OriginatorKeyRow } from './originator-key.store.js';
import { maxLiveKeys } from './originator.js';
import { lockOriginator } from './originator.store.js';
import { readPublicKey, type PublicKey } from './public-key.js';

/** The same key again yields the same result. @param publicKey in PEM @throws {ApiError} BAD_REQUEST, NOT_FOUND, CONFLICT for a key that was revoked, is another client's, or one too many */
export async function addOriginatorKey(
  context: Context,
  forgetClient: (id: string) => void,
  originatorId: string,
  publicKey: string,
): Promise<OriginatorKeyRow> {
  const key = readPublicKey(publicKey);
  return inTransaction(context, async (tx) => {
    const { id } = await lockOriginator(tx, originatorId);
    const added = await registerKey(tx, id, key);
    const after = { keyId: added.id, fingerprint: added.fingerprint.toString('hex') };
    await recordAudit(tx, { action: 'addOriginatorKey', subject: { type: 'originator', id }, after });
    afterCommit(tx, () => forgetClient(id));
    return added;
  });
}

/** Registers a key for a client that is locked, or new. @throws {ApiError} CONFLICT. */
export async function registerKey(tx: Context, originatorId: string, key: PublicKey): Promise<OriginatorKeyRow> {
  const known = await findKey(tx, key);
  if (known === undefined && (await countLiveKeys(tx, originatorId)) >= maxLiveKeys)
    throw new ApiError('CONFLICT', byRule('ORIGINATOR_KEYS_FULL', { max: maxLiveKeys }));
  // Someone else may have registered it in the meantime.
  const row =
    known ?? (await insertKey(tx, newId(tx.clock.now().getTime()), originatorId, key)) ?? (await findKey(tx, key));
  if (row === undefined) throw new Error('The key neither exists nor could it be added');
  if (row.originatorId !== originatorId) throw new ApiError('CONFLICT', byRule('ORIGINATOR_KEY_TAKEN'));
  if (row.revokedAt !== null) throw new ApiError('CONFLICT', byRule('ORIGINATOR_KEY_REVOKED'));
  return row;
}
