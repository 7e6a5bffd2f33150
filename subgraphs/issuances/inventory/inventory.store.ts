import type { Context } from '../../../shared/context.js';
import { fewestDebtors, type InventoryContract } from './inventory.js';

export async function countContracts(context: Context, operationId: string): Promise<number> {
  const [row] = await context.manager.query<{ count: number }[]>(
    'SELECT count(*)::int AS count FROM issuances.credit_contracts WHERE operation_id = $1',
    [operationId],
  );
  return row?.count ?? 0;
}

export async function contractIdsOf(context: Context, operationId: string): Promise<string[]> {
  const rows = await context.manager.query<{ id: string }[]>(
    'SELECT id FROM issuances.credit_contracts WHERE operation_id = $1',
    [operationId],
  );
  return rows.map(({ id }) => id);
}

/** The states in which an operation has enough debtors to show them. */
export async function shownUfsOf(context: Context, operationId: string): Promise<Set<string>> {
  const rows = await context.manager.query<{ uf: string }[]>(
    `SELECT uf FROM issuances.credit_contracts WHERE operation_id = $1 AND uf IS NOT NULL
     GROUP BY uf HAVING count(DISTINCT debtor_document) >= $2`,
    [operationId, fewestDebtors],
  );
  return new Set(rows.map(({ uf }) => uf));
}

/** Contracts without what names their debtors, in the order of the ids. */
export async function findContracts(context: Context, ids: readonly string[]): Promise<InventoryContract[]> {
  const rows = await context.manager.query<InventoryContract[]>(
    `SELECT id, type, status, original_value AS "originalValue", outstanding_balance AS "outstandingBalance", indexer, rate,
       issue_date::text AS "issueDate", maturity_date::text AS "maturityDate", installments,
       paid_installments AS "paidInstallments", days_late AS "daysLate", uf
     FROM issuances.credit_contracts WHERE id = ANY ($1)`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
