import type { Context } from '../../../shared/kernel/context.js';

export interface ImportPiece {
  readonly fileId: string;
  /** From 0. */
  readonly position: number;
  readonly piece: Buffer;
}

/** Stores or replaces a piece. Pieces of one owner are stored one after another, so that at most `most` wait; returns false, with nothing stored, if the limit is reached. */
export async function putPiece(
  { manager, principal, clock }: Context,
  { fileId, position, piece }: ImportPiece,
  most: number,
): Promise<boolean> {
  await manager.execute(`SELECT pg_advisory_xact_lock(hashtextextended('accounts.import_pieces' || $1, 0))`, [
    principal.ownerId,
  ]);
  return manager.changes(
    `INSERT INTO accounts.import_pieces (owner_id, file_id, position, piece, added_at) SELECT $1, $2, $3, $4, $5
     WHERE (SELECT count(*) FROM accounts.import_pieces WHERE owner_id = $1 AND (file_id, position) <> ($2, $3)) < $6
     ON CONFLICT (owner_id, file_id, position) DO UPDATE SET piece = excluded.piece, added_at = excluded.added_at`,
    [principal.ownerId, fileId, position, piece, clock.now(), most],
  );
}

export function listPieces({ manager, principal }: Context, fileId: string, pieces: number): Promise<Buffer[]> {
  return manager.values<Buffer>(
    `SELECT piece FROM accounts.import_pieces WHERE owner_id = $1 AND file_id = $2 AND position < $3 ORDER BY position`,
    [principal.ownerId, fileId, pieces],
  );
}

export async function deletePieces({ manager, principal }: Context, fileIds: readonly string[]): Promise<void> {
  await manager.execute('DELETE FROM accounts.import_pieces WHERE owner_id = $1 AND file_id = ANY ($2::uuid[])', [
    principal.ownerId,
    fileIds,
  ]);
}

export async function forgetPieces({ manager }: Pick<Context, 'manager'>, before: Date): Promise<void> {
  await manager.execute('DELETE FROM accounts.import_pieces WHERE added_at < $1', [before]);
}
