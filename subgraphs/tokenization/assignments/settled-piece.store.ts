import type { Context } from '../../../shared/kernel/context.js';

/** A part of a settlement batch, by its number. */
export interface PieceKey {
  readonly batchId: string;
  readonly piece: number;
}

/** A change of the status of an asset, as it is announced. */
export type ToldMove = Readonly<Record<string, unknown>> & { readonly assetId: string };

/** The changes that the payments of a part caused, and the owner who receives them. */
export interface PieceMoves extends PieceKey {
  readonly ownerId: string | null;
  readonly moves: readonly ToldMove[];
}

/**
 * Records that parts of settlement batches are applied to the assets; returns those that were not recorded before, each
 * once and in order.
 */
export async function noteSettledPieces<P extends PieceKey & { readonly ownerId: string }>(
  { manager }: Context,
  pieces: readonly P[],
): Promise<P[]> {
  const noted = await manager.rows<PieceKey>(
    `INSERT INTO tokenization.settled_pieces (batch_id, piece, owner_id)
     SELECT DISTINCT ON (batch_id, piece) batch_id, piece, owner_id
     FROM unnest($1::uuid[], $2::integer[], $3::text[]) AS reported (batch_id, piece, owner_id) ORDER BY batch_id, piece
     ON CONFLICT DO NOTHING RETURNING batch_id AS "batchId", piece`,
    [pieces.map(({ batchId }) => batchId), pieces.map(({ piece }) => piece), pieces.map(({ ownerId }) => ownerId)],
  );
  const isNew = new Set(noted.map(nameOf));
  return pieces.filter((piece) => isNew.delete(nameOf(piece)));
}

/** Takes the changes of the first part of a batch that are not announced yet; undefined when all are. */
export async function takeMoves({ manager }: Context, batchId: string): Promise<PieceMoves | undefined> {
  const rows = await manager.rows<PieceMoves>(
    `SELECT batch_id AS "batchId", piece, owner_id AS "ownerId", moves FROM tokenization.settled_pieces
     WHERE batch_id = $1 AND moves IS NOT NULL ORDER BY piece LIMIT 1 FOR UPDATE`,
    [batchId],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  await manager.execute('UPDATE tokenization.settled_pieces SET moves = NULL WHERE batch_id = $1 AND piece = $2', [
    row.batchId,
    row.piece,
  ]);
  return row;
}

function nameOf({ batchId, piece }: PieceKey): string {
  return `${batchId} ${piece}`;
}
