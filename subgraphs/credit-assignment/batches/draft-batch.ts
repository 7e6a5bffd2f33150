import type { Context } from '../../../shared/kernel/context.js';
import { isUuid, newId } from '../../../shared/kernel/ids.js';
import { actorOf } from '../activity/activity.js';
import { findKeyById } from '../originators/originator-key.store.js';
import type { BatchRow } from './batch.store.js';

/** Returns a new batch in DRAFT of the client of the transaction. It has no number yet. */
export async function draftBatch(
  tx: Context,
  createdAt: Date,
  given: Pick<BatchRow, 'originatorId' | 'patrimonyId' | 'lineCount' | 'total' | 'fileName'>,
): Promise<BatchRow> {
  const { kind, id: credential, actor = kind } = tx.principal;
  const key = actor === 'CLIENT' && isUuid(credential) ? await findKeyById(tx, credential) : undefined;
  return {
    id: newId(createdAt.getTime()),
    number: 0,
    // Whoever acts for the client now belongs to its present account.
    sender: actorOf({ actorKind: actor, actorId: null }, null),
    senderKey: key?.fingerprint.toString('hex') ?? null,
    ...given,
    status: 'DRAFT',
    rejectionReason: null,
    rejectionRules: null,
    errorCount: 0,
    createdAt,
    submittedAt: null,
    processAfter: null,
    processedAt: null,
    cancelledAt: null,
  };
}
