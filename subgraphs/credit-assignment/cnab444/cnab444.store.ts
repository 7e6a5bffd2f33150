import type { Context } from '../../../shared/context.js';

/** Names that one statement asks for: the text of more takes long to make. */
const namesPerStatement = 5_000;

/** The receivables of a credit batch by their originator's names for them, as ids. */
export async function loadReceivableIds(
  { manager }: Context,
  creditBatchId: string,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (let start = 0; start < externalIds.length; start += namesPerStatement) {
    const rows: { externalId: string; id: string }[] = await manager.query(
      `SELECT external_id AS "externalId", id FROM credit_assignment.receivables
       WHERE batch_id = $1 AND external_id = ANY ($2::text[])`,
      [creditBatchId, externalIds.slice(start, start + namesPerStatement)],
    );
    for (const { externalId, id } of rows) ids.set(externalId, id);
  }
  return ids;
}
