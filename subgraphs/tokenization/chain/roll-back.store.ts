import type { Context } from '../../../shared/kernel/context.js';
import type { ChainEvent } from './scan.store.js';

/** Locks the collections that are known beyond a block, and returns each with its number of inconsistent movements. */
export function lockBeyond(
  { manager }: Context,
  chainId: number,
  block: bigint,
): Promise<{ readonly id: string; readonly gaps: number }[]> {
  return manager.rows(
    `SELECT id, gaps FROM tokenization.collections WHERE chain_id = $1 AND scanned_block > $2 ORDER BY id FOR UPDATE`,
    [chainId, block],
  );
}

/** The fields of an event that undoing it requires. */
export type UndoneEvent = Pick<ChainEvent, 'collectionId' | 'from' | 'to' | 'firstTokenId' | 'lastTokenId'>;

/** Deletes the events of some collections after a block and returns them in chain order. */
export async function deleteEventsBeyond(
  { manager }: Context,
  ids: readonly string[],
  block: bigint,
): Promise<UndoneEvent[]> {
  const rows = await manager.rows<{ id: string; from: string; to: string; first: string; last: string }>(
    `WITH gone AS (
       DELETE FROM tokenization.chain_events WHERE collection_id = ANY ($1) AND block_number > $2 RETURNING *)
     SELECT collection_id AS id, from_address AS "from", to_address AS "to", first_token_id AS first, last_token_id AS last
     FROM gone ORDER BY block_number, log_index`,
    [ids, block],
  );
  return rows.map(({ id, from, to, first, last }) => ({
    collectionId: id,
    from,
    to,
    firstTokenId: BigInt(first),
    lastTokenId: BigInt(last),
  }));
}

/** Sets a chain and some of its collections back to a block; `changed` lists those that lost events. */
export async function setBack(
  { manager }: Context,
  chainId: number,
  block: bigint,
  ids: readonly string[],
  changed: readonly string[],
): Promise<void> {
  await manager.execute('DELETE FROM tokenization.chain_blocks WHERE chain_id = $1 AND number > $2', [chainId, block]);
  await manager.execute(
    `UPDATE tokenization.collections SET scanned_block = greatest($2::bigint, deployed_block - 1), checked_at = NULL,
       revision = revision + (id = ANY ($3::uuid[]))::integer
     WHERE id = ANY ($1)`,
    [ids, block, changed],
  );
}

/** Deletes all stored chain data of collections, so that they are read from the beginning. */
export async function forgetCollections({ manager }: Context, ids: readonly string[]): Promise<void> {
  await manager.execute('DELETE FROM tokenization.chain_events WHERE collection_id = ANY ($1)', [ids]);
  await manager.execute('DELETE FROM tokenization.token_ranges WHERE collection_id = ANY ($1)', [ids]);
  await manager.execute(
    `UPDATE tokenization.collections SET scanned_block = deployed_block - 1, checked_at = NULL, gaps = 0, problem = NULL,
       revision = revision + 1 WHERE id = ANY ($1)`,
    [ids],
  );
}
