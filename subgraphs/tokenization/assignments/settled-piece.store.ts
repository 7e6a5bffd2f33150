import type { Context } from '../../../shared/context.js';

/** A part of a settlement batch, by its number. */
export interface PieceKey {
  readonly batchId: string;
  readonly piece: number;
}

/**
 * Writes down that parts of settlement batches are in the assets; answers those that were not before, each once and in
 * their order.
 */
export async function noteSettledPieces<P extends PieceKey>({ manager }: Context, pieces: readonly P[]): Promise<P[]> {
  const noted: PieceKey[] = await manager.query(
    `INSERT INTO tokenization.settled_pieces (batch_id, piece)
     SELECT DISTINCT batch_id, piece FROM unnest($1::uuid[], $2::integer[]) AS told (batch_id, piece) ORDER BY batch_id, piece
     ON CONFLICT DO NOTHING RETURNING batch_id AS "batchId", piece`,
    [pieces.map(({ batchId }) => batchId), pieces.map(({ piece }) => piece)],
  );
  const isNew = new Set(noted.map(nameOf));
  return pieces.filter((piece) => isNew.delete(nameOf(piece)));
}

function nameOf({ batchId, piece }: PieceKey): string {
  return `${batchId} ${piece}`;
}
