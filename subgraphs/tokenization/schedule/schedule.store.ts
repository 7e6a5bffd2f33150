import type { Context } from '../../../shared/context.js';
import { columnsOf } from '../../../shared/database/columns.js';
import { groupBy } from '../../../shared/group-by.js';
import { ScheduleEntryRow } from './schedule-entry.entity.js';

/** Maximum number of instalments that are read per series: a century of months. */
export const mostInstalments = 1200;

/** Returns the instalments of each series by number, in the order of the series. */
export async function schedulesOf(context: Context, trancheIds: readonly string[]): Promise<ScheduleEntryRow[][]> {
  const rows = await context.manager.rows<ScheduleEntryRow>(
    `SELECT entry.* FROM unnest($1::uuid[]) AS tranche (id) CROSS JOIN LATERAL (
       SELECT ${columnsOf(context.manager, ScheduleEntryRow)} FROM tokenization.schedule_entries
       WHERE tranche_id = tranche.id ORDER BY installment_number LIMIT $2) AS entry`,
    [trancheIds, mostInstalments],
  );
  const groups = groupBy(rows, ({ trancheId }) => trancheId);
  return trancheIds.map((id) => groups.get(id) ?? []);
}
