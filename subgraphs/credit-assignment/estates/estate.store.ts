import { arraysOf } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { requireFound } from '../../../shared/kernel/errors.js';

export interface Estate {
  readonly id: string;
  readonly ticker: string;
  readonly name: string;
  readonly status: EstateStatus;
}

export const estateStatuses = ['DRAFT', 'ACTIVE', 'CLOSED'] as const;
export type EstateStatus = (typeof estateStatuses)[number];

export type AnnouncedEstate = Estate & {
  /** Number of the event; the estate is as the event with the greatest number announced it. */
  readonly sequence: number;
};

const columns = 'id, ticker, name, status';

/** Inserts estates, or updates those that were stored from an earlier event, each once and in the same order in every transaction. */
export async function saveEstates({ manager }: Context, estates: readonly AnnouncedEstate[]): Promise<void> {
  await manager.execute(
    `INSERT INTO credit_assignment.estates AS stored (id, ticker, name, status, event_sequence)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bigint[]) AS announced (id) ORDER BY id
     ON CONFLICT (id) DO UPDATE SET ticker = excluded.ticker, name = excluded.name, status = excluded.status,
       event_sequence = excluded.event_sequence
     WHERE stored.event_sequence < excluded.event_sequence`,
    arraysOf(estates, 'id', 'ticker', 'name', 'status', 'sequence'),
  );
}

export function findEstate({ manager }: Context, id: string): Promise<Estate | undefined> {
  return manager.row(`SELECT ${columns} FROM credit_assignment.estates WHERE id = $1`, [id]);
}

/** Lists the ACTIVE estates, by ticker, at most 500. */
export function activeEstates({ manager }: Context): Promise<Estate[]> {
  return manager.rows(
    `SELECT ${columns} FROM credit_assignment.estates WHERE status = 'ACTIVE' ORDER BY lower(ticker), id LIMIT 500`,
  );
}

export function findEstateNamed({ manager }: Context, idOrTicker: string): Promise<Estate | undefined> {
  return manager.row(
    `SELECT ${columns} FROM credit_assignment.estates WHERE id = $1 OR lower(ticker) = lower($2) LIMIT 1`,
    [isUuid(idOrTicker) ? idOrTicker : null, idOrTicker],
  );
}

/** @throws {ApiError} NOT_FOUND */
export async function requireEstate(context: Context, id: string): Promise<Estate> {
  return requireFound(isUuid(id) ? await findEstate(context, id) : undefined, 'There is no such estate');
}
