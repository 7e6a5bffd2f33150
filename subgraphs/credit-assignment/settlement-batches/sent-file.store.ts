import type { Context } from '../../../shared/kernel/context.js';

/** A file of payments for a credit batch, by the digest of its lines. */
interface PaymentFile {
  readonly creditBatchId: string;
  readonly fileDigest: string;
}

/** Locks a file until the end of the transaction: of two that send it at once the second then sees the batch of the first. */
export async function lockFile({ manager }: Context, { creditBatchId, fileDigest }: PaymentFile): Promise<void> {
  const lock = `credit_assignment.files ${creditBatchId} ${fileDigest}`;
  await manager.execute('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lock]);
}

/** Returns the number of the batch in which a file was sent and any of its payments counts, or may yet. */
export function numberOfSent(
  { manager }: Context,
  { creditBatchId, fileDigest }: PaymentFile,
): Promise<number | undefined> {
  return manager.value(
    `SELECT number FROM credit_assignment.settlement_batches AS batch
     WHERE credit_batch_id = $1 AND file_digest = $2 AND status NOT IN ('REJECTED', 'CANCELLED') AND EXISTS (
       SELECT FROM credit_assignment.settlements WHERE batch_id = batch.id AND NOT repeated AND reversed_amount < settled_amount)`,
    [creditBatchId, fileDigest],
  );
}
