import type { Context } from '../../../shared/context.js';

/** Writes down that tokenization is to be told of the first `count` pieces of a batch. */
export async function addOutstandingPieces({ manager }: Context, batchId: string, count: number): Promise<void> {
  await manager.query(
    `INSERT INTO credit_assignment.outstanding_pieces (batch_id, piece) SELECT $1, generate_series(0, $2::integer - 1)`,
    [batchId, count],
  );
}

/**
 * Takes pieces off what tokenization has not answered, and answers the batches of which nothing is left to be answered. The
 * batches are locked before: of two answers that come at once, the second then sees that it is the last.
 */
export async function removeOutstandingPieces(
  { manager }: Context,
  pieces: readonly { readonly batchId: string; readonly piece: number }[],
): Promise<string[]> {
  const [removed]: [{ batchId: string }[], number] = await manager.query(
    `DELETE FROM credit_assignment.outstanding_pieces AS outstanding
     USING unnest($1::uuid[], $2::integer[]) AS answered (batch_id, piece)
     WHERE outstanding.batch_id = answered.batch_id AND outstanding.piece = answered.piece
     RETURNING outstanding.batch_id AS "batchId"`,
    [pieces.map(({ batchId }) => batchId), pieces.map(({ piece }) => piece)],
  );
  const rows: { id: string }[] = await manager.query(
    `SELECT id FROM unnest($1::uuid[]) AS batch (id)
     WHERE NOT EXISTS (SELECT FROM credit_assignment.outstanding_pieces WHERE batch_id = batch.id)`,
    [[...new Set(removed.map(({ batchId }) => batchId))]],
  );
  return rows.map(({ id }) => id);
}
