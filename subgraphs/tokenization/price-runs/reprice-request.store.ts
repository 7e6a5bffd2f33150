import type { Context } from '../../../shared/kernel/context.js';
import { sqlNow, statementTime } from '../../../shared/database/statement-time.js';
import { watched } from '../../../shared/work/queue/watched-queue.js';
import {
  endClaim,
  storedError,
  type ClaimedItem,
  type WorkTable,
} from '../../../shared/work/queue/work-items.store.js';

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

const columns = `request.id, request.tranche_id AS "trancheId", request.series, request.requested_at AS "requestedAt",
  request.finished_at AS "finishedAt", request.prices, request.missing, request.fault`;

/** The requests that are to be processed, the oldest first. */
export const openRequests: WorkTable = {
  table: 'tokenization.reprice_requests',
  as: 'request',
  key: 'id',
  dueAt: 'due_at',
  leasedUntil: 'due_at',
  isOpen: 'finished_at IS NULL AND quarantined_at IS NULL',
  columns,
};

/** The same as operators see them. */
export const watchedRequests = watched(openRequests, {
  name: 'price-requests',
  isFailing: 'request.last_error IS NOT NULL',
  attempts: 'request.failures',
  lastError: 'request.last_error',
  canRetry: true,
  canQuarantine: true,
});

/** Stores a request, and deletes those that were completed a month ago. */
export async function addRequest(
  context: Context,
  { id, trancheId, series }: Pick<RepriceRequestRow, 'id' | 'trancheId' | 'series'>,
): Promise<RepriceRequestRow> {
  const { manager, clock } = context;
  await manager.execute(
    `DELETE FROM tokenization.reprice_requests WHERE finished_at < $1::timestamptz - interval '30 days'`,
    [clock.now()],
  );
  // Due by the time of the database, as claims are: the wake-up after the commit must find it.
  return manager.one(
    `INSERT INTO tokenization.reprice_requests AS request (id, tranche_id, series, requested_at, due_at)
     VALUES ($2, $3, $4, $5, ${sqlNow}) RETURNING ${columns}`,
    [statementTime(context), id, trancheId, series, clock.now()],
  );
}

export function findRequest({ manager }: Context, id: string): Promise<RepriceRequestRow | undefined> {
  return manager.row(`SELECT ${columns} FROM tokenization.reprice_requests AS request WHERE id = $1`, [id]);
}

/** Stores the result of a request. Returns false, and writes nothing, if another run has claimed the request by now. */
export function finishRequest(
  context: Context,
  item: ClaimedItem,
  { prices, missing, fault }: RepriceOutcomeRow,
): Promise<boolean> {
  return endClaim(context, openRequests, item, {
    set: `finished_at = ${sqlNow}, prices = $5, missing = $6, fault = $7`,
    parameters: [prices, JSON.stringify(missing), fault],
  });
}

/** Ends the claim on a request whose run failed: it is tried again later. */
export async function putRequestOff(
  context: Context,
  item: ClaimedItem,
  { afterMs, error }: { readonly afterMs: number; readonly error: string },
): Promise<void> {
  const set = 'failures = failures + 1, last_error = $5';
  await endClaim(context, openRequests, item, { afterMs, set, parameters: [storedError(error)] });
}
