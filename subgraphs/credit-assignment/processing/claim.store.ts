import type { Context } from '../../../shared/context.js';

/** A claim on batches whose processing is due. */
export interface Claim {
  /** The token of the holder. */
  readonly lease: string;
  /** When the lease runs out. */
  readonly until: Date;
  readonly limit: number;
}

/**
 * Claims batches of a table that are due, and those whose lease ran out before they were decided, the longest due first; returns their ids.
 * Skips rows that others are claiming.
 */
export async function claimBatches(
  { manager, clock }: Context,
  { table }: { readonly table: string },
  { lease, until, limit }: Claim,
): Promise<string[]> {
  const rows = await manager.rows<{ id: string }>(
    `WITH waiting AS (
       SELECT id, process_after AS since FROM ${table}
       WHERE status = 'SUBMITTED' AND process_after <= $1 ORDER BY process_after LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED
     ), lost AS (
       SELECT id, leased_until AS since FROM ${table}
       WHERE status = 'PROCESSING' AND leased_until < $1 ORDER BY leased_until LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED
     )
     UPDATE ${table} SET status = 'PROCESSING', lease = $2, leased_until = $3
     WHERE id IN (SELECT id FROM (TABLE waiting UNION ALL TABLE lost) AS due ORDER BY since LIMIT $4)
     RETURNING id`,
    [clock.now(), lease, until, limit],
  );
  return rows.map(({ id }) => id);
}

/** Returns when the next unclaimed batch of a table is due; null when none waits. */
export async function nextDue({ manager }: Context, { table }: { readonly table: string }): Promise<Date | null> {
  const { due } = await manager.one<{ due: Date | null }>(
    `SELECT min(process_after) AS due FROM ${table} WHERE status = 'SUBMITTED'`,
  );
  return due;
}
