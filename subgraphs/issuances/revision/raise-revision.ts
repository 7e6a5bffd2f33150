import type { Context } from '../../../shared/kernel/context.js';

/** Locks the revision until the transaction ends. Every import raises it before it commits, so data read after this call is consistent and stays so until then. */
export async function raiseRevision({ manager }: Context, operationIds: readonly string[]): Promise<void> {
  await manager.execute(
    `WITH raised AS (UPDATE issuances.revision SET value = value + 1, named = named + 1 RETURNING value)
     INSERT INTO issuances.operation_revisions (operation_id, value)
     SELECT DISTINCT id, value FROM raised CROSS JOIN unnest($1::uuid[]) AS changed (id)
     ON CONFLICT (operation_id) DO UPDATE SET value = excluded.value`,
    [operationIds],
  );
}
