import type { Context } from '../../../shared/context.js';

/** A part of a settlement batch, by its number. */
export interface PieceKey {
  readonly batchId: string;
  readonly piece: number;
}

/** Writes down that a part of a settlement batch is in the assets; answers false when it was already. */
export async function noteSettledPiece({ manager }: Context, { batchId, piece }: PieceKey): Promise<boolean> {
  const noted: unknown[] = await manager.query(
    `INSERT INTO tokenization.settled_pieces (batch_id, piece) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING piece`,
    [batchId, piece],
  );
  return noted.length > 0;
}
