import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import { registerKey } from './add-originator-key.js';
import { originatorErrors } from './originator.js';
import { insertOriginator, type OriginatorRow } from './originator.store.js';
import { readPublicKey } from './public-key.js';

export interface NewOriginator {
  readonly name: string;
  /** In PEM. */
  readonly publicKey: string;
  readonly rateLimit: number | null;
  readonly accountId: string | null;
}

/** Adds an originator, who can sign with the key at once. @throws {ApiError} BAD_REQUEST, CONFLICT for a key that another client has */
export async function addOriginator(
  context: Context,
  { name, publicKey, rateLimit, accountId }: NewOriginator,
): Promise<OriginatorRow> {
  refuse('BAD_REQUEST', originatorErrors({ name, rateLimit, accountId }));
  const key = readPublicKey(publicKey);
  return inTransaction(context, async (tx) => {
    const now = tx.clock.now();
    const row = {
      id: newId(now.getTime()),
      name: identifyingText(name),
      rateLimit,
      accountId,
      accountMaySend: false,
      status: 'ACTIVE',
      createdAt: now,
    } as const;
    await insertOriginator(tx, row);
    const { id: keyId, fingerprint } = await registerKey(tx, row.id, key);
    const after = { ...row, keyId, fingerprint: fingerprint.toString('hex') };
    await recordAudit(tx, { action: 'addOriginator', subject: { type: 'originator', id: row.id }, after });
    return row;
  });
}
