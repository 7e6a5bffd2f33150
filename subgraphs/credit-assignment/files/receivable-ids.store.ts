import type { Context } from '../../../shared/kernel/context.js';

/** Names per statement: building the text of a longer one takes too long. */
const namesPerStatement = 5_000;

/** Loads the ids of a credit batch's receivables by their originator's names for them. */
export async function loadReceivableIds(
  { manager }: Context,
  creditBatchId: string,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (let start = 0; start < externalIds.length; start += namesPerStatement) {
    const rows = await manager.rows<{ externalId: string; id: string }>(
      `SELECT external_id AS "externalId", id FROM credit_assignment.receivables
       WHERE batch_id = $1 AND external_id = ANY ($2::text[])`,
      [creditBatchId, externalIds.slice(start, start + namesPerStatement)],
    );
    for (const { externalId, id } of rows) ids.set(externalId, id);
  }
  return ids;
}
