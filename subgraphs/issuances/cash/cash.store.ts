import { byOperation } from '../operations/by-operation.js';
import { columnsOf } from '../../../shared/database/columns.js';

/** A type of investment that an operation may hold its cash in. */
export interface PermittedInvestmentRow {
  readonly id: string;
  readonly operationId: string;
  readonly externalId: string;
  readonly description: string;
  readonly institution: string | null;
  readonly limitPercent: string | null;
  readonly investedAmount: string | null;
  readonly positionDate: string | null;
}

const investmentColumns = columnsOf<PermittedInvestmentRow>()(
  'id operationId externalId description institution limitPercent investedAmount positionDate::text',
);

/** A bank account of an operation. */
export interface OperationAccountRow {
  readonly id: string;
  readonly operationId: string;
  readonly externalId: string;
  readonly purpose: string;
  readonly bank: string;
  readonly branch: string | null;
  readonly accountNumber: string | null;
  readonly balance: string | null;
  readonly minimumBalance: string | null;
  readonly balanceDate: string | null;
}

const accountColumns = columnsOf<OperationAccountRow>()(
  'id operationId externalId purpose bank branch accountNumber balance minimumBalance balanceDate::text',
);

export const accountsOf = byOperation<OperationAccountRow>(
  `SELECT ${accountColumns} FROM issuances.operation_accounts WHERE operation_id = ANY ($1) ORDER BY purpose, id`,
);

export const permittedInvestmentsOf = byOperation<PermittedInvestmentRow>(
  `SELECT ${investmentColumns} FROM issuances.permitted_investments WHERE operation_id = ANY ($1) ORDER BY description, id`,
);
