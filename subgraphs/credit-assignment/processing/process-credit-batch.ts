import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announce } from '../../../shared/outbox/outbox.js';
import { creditBatchEvent } from '../credit-batches/credit-batch-event.js';
import { moved } from '../credit-batches/credit-batch-transitions.js';
import type { CreditBatchRow, LockedBatch } from '../credit-batches/credit-batch.store.js';
import { lockTerms, whyClosed, type AssignmentTerms } from '../estates/assignment.js';
import { checkBatch } from './check-batch.js';
import { contractsAt, lockLeasedBatch, openReceivables, saveDecided } from './credit-processing.store.js';
import type { Finding } from './findings.js';
import { addOutstandingPieces } from './outstanding-pieces.store.js';

/** Receivables in one event to tokenization. */
const pieceSize = 1000;

/**
 * Decides a claimed batch in one transaction: all of its contracts are assigned, or none. Does nothing when the
 * lease is no longer valid.
 */
export async function processCreditBatch(context: Context, id: string, lease: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const locked = await lockLeasedBatch(tx, id, lease);
    if (locked === undefined) return;
    const refusal = await estateRefusal(tx, locked.batch);
    if (refusal !== undefined) {
      await reject(tx, locked, { reason: refusal, errorCount: 0, errors: [] });
      return;
    }
    const findings = await checkBatch(tx, locked.batch);
    if (findings.count === 0) await assign(tx, locked);
    else {
      const reason = findings.reason(locked.batch.receivableCount);
      await reject(tx, locked, { reason, errorCount: findings.count, errors: findings.kept });
    }
  });
}

/** Returns why the estate no longer accepts credits from the originator, in a sentence: permits, criteria and status can change after the submission. */
async function estateRefusal(tx: Context, { originatorId, patrimonyId }: CreditBatchRow): Promise<string | undefined> {
  return refusalBy(await lockTerms(tx, originatorId, patrimonyId), patrimonyId);
}

/** Returns why an estate accepts nothing from an originator by the given terms, in a sentence; undefined when it does. */
export function refusalBy(terms: AssignmentTerms, patrimonyId: string): string | undefined {
  const subject = `The estate ${terms.estate?.ticker ?? patrimonyId}`;
  if (terms.estate?.isPermitted !== true) return `${subject} is not permitted for the originator`;
  const closed = whyClosed(terms);
  return closed === undefined ? undefined : `${subject} ${closed}`;
}

interface Rejection {
  readonly reason: string;
  readonly errorCount: number;
  /** The first errors. */
  readonly errors: readonly Finding[];
}

async function reject(tx: Context, { batch, ownerId }: LockedBatch, rejection: Rejection): Promise<void> {
  const processedAt = tx.clock.now();
  const rejected = {
    ...batch,
    status: moved(batch.status, 'REJECT'),
    rejectionReason: rejection.reason,
    errorCount: rejection.errorCount,
    processedAt,
  };
  await saveDecided(tx, rejected, rejection.errors);
  await announce(tx, creditBatchEvent('credit_batch.rejected', rejected, { ownerId, occurredAt: processedAt }));
}

/** Opens the receivables, and announces them to tokenization piece by piece. The batch is PROCESSED once all pieces are confirmed. */
async function assign(tx: Context, { batch, ownerId }: LockedBatch): Promise<void> {
  const { id: batchId, name: batchName, patrimonyId, originatorId, receivableCount } = batch;
  await openReceivables(tx, batchId);
  await announce(tx, creditBatchEvent('credit_batch.approved', batch, { ownerId, occurredAt: tx.clock.now() }));
  const pieces = Math.ceil(receivableCount / pieceSize);
  await addOutstandingPieces(tx, batchId, pieces);
  for (let piece = 0; piece < pieces; piece += 1) {
    const contracts = await contractsAt(tx, batchId, piece * pieceSize, pieceSize);
    const receivables = contracts.map(({ id, externalId, debtorDocument, faceValue, dueDate }) => ({
      id,
      externalId,
      debtorDocument,
      faceValue,
      dueDate,
    }));
    const payload = { batchId, batchName, patrimonyId, originatorId, piece, receivables };
    await announce(tx, { topic: 'receivables.assigned', key: batchId, payload, internal: true });
  }
  await saveDecided(tx, batch);
}
