import type { Context } from '../../../shared/context.js';
import { isUuid } from '../../../shared/ids.js';

/** The receivables of a credit batch by their originator's names for them, as ids. */
export async function receivablesNamed(
  { manager }: Context,
  creditBatchId: string,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows: { externalId: string; id: string }[] = await manager.query(
    `SELECT external_id AS "externalId", id FROM credit_assignment.receivables
     WHERE batch_id = $1 AND external_id = ANY ($2::text[])`,
    [creditBatchId, externalIds],
  );
  return new Map(rows.map(({ externalId, id }) => [externalId, id]));
}

/** The id of an estate that is named by its id or its ticker. */
export async function findEstate({ manager }: Context, idOrTicker: string): Promise<string | undefined> {
  const rows: { id: string }[] = await manager.query(
    `SELECT id FROM credit_assignment.estates WHERE id = $1 OR lower(ticker) = lower($2) LIMIT 1`,
    [isUuid(idOrTicker) ? idOrTicker : null, idOrTicker],
  );
  return rows[0]?.id;
}
