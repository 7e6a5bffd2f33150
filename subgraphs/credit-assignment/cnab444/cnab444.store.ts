import type { Context } from '../../../shared/context.js';

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
