import type { Context } from '../../../shared/kernel/context.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { EligibilityCriteria } from './criteria.type.js';

export type CriteriaRow = Shape<EligibilityCriteria>;

const columns = `patrimony_id AS "patrimonyId", min_face_value AS "minFaceValue", max_face_value AS "maxFaceValue",
  max_term_days AS "maxTermDays", trim_scale(max_debtor_share) AS "maxDebtorShare", limits, net_worth AS "netWorth",
  net_worth_date::text AS "netWorthDate", updated_at AS "updatedAt"`;

/** Finds the criteria of an estate; an estate without any accepts no credits. */
export function findCriteria({ manager }: Context, patrimonyId: string): Promise<CriteriaRow | undefined> {
  return manager.row(`SELECT ${columns} FROM credit_assignment.eligibility_criteria WHERE patrimony_id = $1`, [
    patrimonyId,
  ]);
}

/** Stores the criteria of an estate, in place of its present ones, and returns them as they are stored. */
export function saveCriteria({ manager }: Context, row: CriteriaRow): Promise<CriteriaRow> {
  return manager.one(
    `INSERT INTO credit_assignment.eligibility_criteria
       (patrimony_id, min_face_value, max_face_value, max_term_days, max_debtor_share, limits, net_worth, net_worth_date, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (patrimony_id) DO UPDATE SET min_face_value = excluded.min_face_value,
       max_face_value = excluded.max_face_value, max_term_days = excluded.max_term_days,
       max_debtor_share = excluded.max_debtor_share, limits = excluded.limits, net_worth = excluded.net_worth,
       net_worth_date = excluded.net_worth_date, updated_at = excluded.updated_at
     RETURNING ${columns}`,
    [
      ...[row.patrimonyId, row.minFaceValue, row.maxFaceValue, row.maxTermDays, row.maxDebtorShare],
      ...[JSON.stringify(row.limits), row.netWorth, row.netWorthDate, row.updatedAt],
    ],
  );
}

export async function deleteCriteria({ manager }: Context, patrimonyId: string): Promise<boolean> {
  const sql = 'DELETE FROM credit_assignment.eligibility_criteria WHERE patrimony_id = $1';
  return manager.changes(sql, [patrimonyId]);
}
