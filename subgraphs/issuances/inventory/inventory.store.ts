import type { Context } from '../../../shared/context.js';
import type { InventoryContract } from './generalize.js';

export function countContracts(context: Context, operationId: string): Promise<number> {
  return context.manager.countRows(
    'SELECT count(*)::int AS count FROM issuances.credit_contracts WHERE operation_id = $1',
    [operationId],
  );
}

/**
 * Returns the contracts of an operation without identifying data of their debtors, by id. Establishments of one company, whose CNPJ
 * begin with the same eight characters, count as one debtor.
 */
export function readContracts(context: Context, operationId: string): Promise<InventoryContract[]> {
  return context.manager.rows<InventoryContract>(
    `SELECT id, dense_rank() OVER (ORDER BY length(debtor_document),
         CASE WHEN length(debtor_document) = 14 THEN left(debtor_document, 8) ELSE debtor_document END)::int AS debtor,
       type, status, original_value AS "originalValue", outstanding_balance AS "outstandingBalance", indexer, rate,
       issue_date::text AS "issueDate", maturity_date::text AS "maturityDate", installments,
       paid_installments AS "paidInstallments", days_late AS "daysLate", uf
     FROM issuances.credit_contracts WHERE operation_id = $1 ORDER BY id`,
    [operationId],
  );
}
