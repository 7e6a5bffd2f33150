import type { Context } from '../../../shared/kernel/context.js';
import { isUuid, newId } from '../../../shared/kernel/ids.js';
import { actorOf } from '../activity/activity.js';
import { findKeyById } from '../originators/originator-key.store.js';
import type { BatchRow } from './batch.store.js';

/** Returns a new batch in DRAFT of the client of the transaction. It has no number yet. */
export async function draftBatch(
  tx: Context,
  createdAt: Date,
  given: Pick<BatchRow, 'originatorId' | 'patrimonyId' | 'lineCount' | 'total' | 'fileName' | 'firstLine'>,
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

/** Returns where the first of some lines was in their file, if the others followed one by one. */
export function firstLineOf(lines: readonly { readonly line?: number }[]): number | null {
  const first = lines[0]?.line;
  return first !== undefined && lines.every(({ line }, index) => line === first + index) ? first : null;
}
