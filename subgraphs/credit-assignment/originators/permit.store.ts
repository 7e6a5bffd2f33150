import type { Context } from '../../../shared/kernel/context.js';
import { groupsOf } from '../../../shared/kernel/group-by.js';

/** An estate that an originator may assign credits to. */
export interface PermitRow {
  readonly patrimonyId: string;
  readonly ticker: string;
  readonly permittedAt: Date;
}

/** Maximum number of permits that are read of one originator. */
const maxPermits = 500;

interface Permit {
  readonly originatorId: string;
  readonly patrimonyId: string;
}

/** Adds a permit of an originator for an estate; an existing one stays as it is. */
export async function addPermit({ manager, clock }: Context, { originatorId, patrimonyId }: Permit): Promise<void> {
  await manager.execute(
    `INSERT INTO credit_assignment.originator_permits (originator_id, patrimony_id, permitted_at) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING`,
    [originatorId, patrimonyId, clock.now()],
  );
}

/** Withdraws a permit; returns whether there was one. */
export async function deletePermit({ manager }: Context, { originatorId, patrimonyId }: Permit): Promise<boolean> {
  const deleted = await manager.execute(
    'DELETE FROM credit_assignment.originator_permits WHERE originator_id = $1 AND patrimony_id = $2',
    [originatorId, patrimonyId],
  );
  return deleted > 0;
}

/** Loads the permits of the given originators, ordered by the tickers of their estates, at most 500 each. */
export async function permitsOf(
  { manager }: Context,
  originatorIds: readonly string[],
): Promise<(readonly PermitRow[])[]> {
  const rows = await manager.rows<PermitRow & { readonly originatorId: string }>(
    `SELECT permit.*
     FROM unnest($1::uuid[]) AS originator (id)
     CROSS JOIN LATERAL (
       SELECT originator_id AS "originatorId", patrimony_id AS "patrimonyId", estate.ticker, permitted_at AS "permittedAt"
       FROM credit_assignment.originator_permits JOIN credit_assignment.estates AS estate ON estate.id = patrimony_id
       WHERE originator_id = originator.id ORDER BY lower(estate.ticker), patrimony_id LIMIT $2
     ) AS permit`,
    [[...new Set(originatorIds)], maxPermits],
  );
  return groupsOf(originatorIds, rows, ({ originatorId }) => originatorId);
}
