import type { Context } from '../../../shared/kernel/context.js';

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
       SELECT FROM credit_assignment.settlements WHERE batch_id = batch.id AND NOT repeated
         AND (reversed_amount < settled_amount OR settled_amount = 0 AND reversed_at IS NULL))`,
    [creditBatchId, fileDigest],
  );
}

/** Names per statement: building the text of a longer one takes too long. */
const namesPerStatement = 5_000;

/** Loads the ids of a credit batch's receivables by their originator's names for them. */
export async function loadReceivableIds(
  { manager }: Context,
  creditBatchId: string,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (let start = 0; start < externalIds.length; start += namesPerStatement) {
    const rows = await manager.rows<{ externalId: string; id: string }>(
      `SELECT external_id AS "externalId", id FROM credit_assignment.receivables
       WHERE batch_id = $1 AND external_id = ANY ($2::text[])`,
      [creditBatchId, externalIds.slice(start, start + namesPerStatement)],
    );
    for (const { externalId, id } of rows) ids.set(externalId, id);
  }
  return ids;
}
