import type { Context } from '../../../shared/context.js';

/** A request of an operator to compute prices now. */
export interface RepriceRequestRow {
  readonly id: string;
  /** The requested series; null for all that are due. */
  readonly trancheId: string | null;
  /** How many series were marked. */
  readonly series: number;
  readonly requestedAt: Date;
  readonly finishedAt: Date | null;
  readonly prices: number | null;
  readonly missing: readonly MissingCount[];
  /** Why some series could not be priced. */
  readonly fault: string | null;
}

/** A missing number, such as `IPCA 2026-03`, and how many series wait for it. */
export interface MissingCount {
  readonly input: string;
  readonly series: number;
}

/** The result of a request. */
export type RepriceOutcomeRow = Pick<RepriceRequestRow, 'prices' | 'missing' | 'fault'>;

const columns = `id, tranche_id AS "trancheId", series, requested_at AS "requestedAt", finished_at AS "finishedAt", prices,
  missing, fault`;

/** Stores a request, and deletes those that were completed a month ago. */
export async function addRequest(
  { manager, clock }: Context,
  { id, trancheId, series }: Pick<RepriceRequestRow, 'id' | 'trancheId' | 'series'>,
): Promise<RepriceRequestRow> {
  await manager.execute(
    `DELETE FROM tokenization.reprice_requests WHERE finished_at < $1::timestamptz - interval '30 days'`,
    [clock.now()],
  );
  const row = await manager.row<RepriceRequestRow>(
    `INSERT INTO tokenization.reprice_requests (id, tranche_id, series, requested_at) VALUES ($1, $2, $3, $4)
     RETURNING ${columns}`,
    [id, trancheId, series, clock.now()],
  );
  if (row === undefined) throw new Error('A request that was stored cannot be found');
  return row;
}

export async function findRequest({ manager }: Context, id: string): Promise<RepriceRequestRow | undefined> {
  const row = await manager.row<RepriceRequestRow>(
    `SELECT ${columns} FROM tokenization.reprice_requests WHERE id = $1`,
    [id],
  );
  return row;
}

/** Claims the oldest request that no run is processing; a request whose run was killed can be claimed again after ten minutes. */
export async function claimRequest({ manager, clock }: Context): Promise<RepriceRequestRow | undefined> {
  const row = await manager.row<RepriceRequestRow>(
    `UPDATE tokenization.reprice_requests SET claimed_at = $1 WHERE id = (
       SELECT id FROM tokenization.reprice_requests
       WHERE finished_at IS NULL AND (claimed_at IS NULL OR claimed_at < $1::timestamptz - interval '10 minutes')
       ORDER BY requested_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING ${columns}`,
    [clock.now()],
  );
  return row;
}

/** Releases a request for the next run. */
export async function releaseRequest({ manager }: Context, id: string): Promise<void> {
  await manager.execute('UPDATE tokenization.reprice_requests SET claimed_at = NULL WHERE id = $1', [id]);
}

export async function finishRequest(
  { manager, clock }: Context,
  id: string,
  { prices, missing, fault }: RepriceOutcomeRow,
): Promise<void> {
  await manager.execute(
    `UPDATE tokenization.reprice_requests SET finished_at = $2, prices = $3, missing = $4, fault = $5 WHERE id = $1`,
    [id, clock.now(), prices, JSON.stringify(missing), fault],
  );
}
