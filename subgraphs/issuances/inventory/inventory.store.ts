import { today, type Context } from '../../../shared/kernel/context.js';
import type { InventoryContract } from './generalize.js';

export function countContracts(context: Context, operationId: string): Promise<number> {
  return context.manager.countRows(
    'SELECT count(*)::int AS count FROM issuances.credit_contracts WHERE operation_id = $1',
    [operationId],
  );
}

// SQL: eleven digits of a name in the form of a CPF. Their check digits do not matter: to count two debtors as one protects them too.
const cpfInName = `regexp_replace(substring(debtor_name
  FROM '(?<![0-9])[0-9]{3}[^0-9A-Za-z]?[0-9]{3}[^0-9A-Za-z]?[0-9]{3}[^0-9A-Za-z]?[0-9]{2}(?![0-9])'), '[^0-9]', '', 'g')`;

/** Leaves out identifying data. Establishments of one company (the CNPJ's first eight characters) count as one debtor; so do a person and the individual entrepreneur with that CPF. */
export function readContracts(context: Context, operationId: string): Promise<InventoryContract[]> {
  return context.manager.rows<InventoryContract>(
    `SELECT id, dense_rank() OVER (ORDER BY person)::int AS debtor,
       type, status, original_value AS "originalValue", outstanding_balance AS "outstandingBalance", indexer, rate,
       issue_date::text AS "issueDate", maturity_date::text AS "maturityDate", installments,
       paid_installments AS "paidInstallments", CASE WHEN next_due_date IS NULL OR outstanding_balance = 0 THEN days_late
         ELSE greatest($2::date - next_due_date, 0) END AS "daysLate", uf
     FROM (
       SELECT *, CASE WHEN length(debtor_document) = 11 THEN debtor_document
         ELSE coalesce(min(${cpfInName}) OVER (PARTITION BY length(debtor_document), left(debtor_document, 8)), left(debtor_document, 8))
         END AS person
       FROM issuances.credit_contracts WHERE operation_id = $1) AS contract
     ORDER BY id`,
    [operationId, today(context)],
  );
}
