import type { Context } from '../../../shared/kernel/context.js';

/** Records that the first `count` pieces of a batch await tokenization's confirmation. */
export async function addOutstandingPieces({ manager }: Context, batchId: string, count: number): Promise<void> {
  await manager.execute(
    `INSERT INTO credit_assignment.outstanding_pieces (batch_id, piece) SELECT $1, generate_series(0, $2::integer - 1)`,
    [batchId, count],
  );
}

/** Counts the pieces of batches that await tokenization's confirmation. */
export async function countOutstandingPieces({ manager }: Context, ids: readonly string[]): Promise<number[]> {
  const rows = await manager.rows<{ id: string; count: number }>(
    `SELECT batch_id AS id, count(*)::integer AS count FROM credit_assignment.outstanding_pieces
     WHERE batch_id = ANY ($1::uuid[]) GROUP BY batch_id`,
    [ids],
  );
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return ids.map((id) => counts.get(id) ?? 0);
}

/** Returns the batches that have none left. The caller locks them first: of two concurrent confirmations, the second then sees that it is the last. */
export async function removeOutstandingPieces(
  { manager }: Context,
  pieces: readonly { readonly batchId: string; readonly piece: number }[],
): Promise<string[]> {
  const removed = await manager.rows<{ batchId: string }>(
    `DELETE FROM credit_assignment.outstanding_pieces AS outstanding
     USING unnest($1::uuid[], $2::integer[]) AS answered (batch_id, piece)
     WHERE outstanding.batch_id = answered.batch_id AND outstanding.piece = answered.piece
     RETURNING outstanding.batch_id AS "batchId"`,
    [pieces.map(({ batchId }) => batchId), pieces.map(({ piece }) => piece)],
  );
  return manager.values(
    `SELECT id FROM unnest($1::uuid[]) AS batch (id)
     WHERE NOT EXISTS (SELECT FROM credit_assignment.outstanding_pieces WHERE batch_id = batch.id)`,
    [[...new Set(removed.map(({ batchId }) => batchId))]],
  );
}
