import type { Context } from '../../../shared/context.js';
import { issueStatusOf, type IssueStatus } from './issue-status.js';

/**
 * Returns the published labels of operations or series that mean one of the statuses; an empty label, which none has, if none means them.
 * The labels are compared here and not in SQL, so that a filter and `status` follow the same table.
 * @param statuses an empty list does not restrict: no labels
 */
export async function labelsMeaning(
  { manager }: Context,
  table: 'operations' | 'series',
  statuses: readonly IssueStatus[],
): Promise<readonly string[]> {
  if (statuses.length === 0) return [];
  const rows = await manager.rows<{ status: string }>(`SELECT DISTINCT status FROM issuances.${table}`);
  const labels = rows.map(({ status }) => status).filter((label) => statuses.includes(issueStatusOf(label)));
  return labels.length === 0 ? [''] : labels;
}
