import { byOperation } from '../operations/by-operation.js';
import { OperationAccountRow } from './operation-account.entity.js';
import { PermittedInvestmentRow } from './permitted-investment.entity.js';

export const accountsOf = byOperation(OperationAccountRow, { purpose: 'ASC', id: 'ASC' });

export const permittedInvestmentsOf = byOperation(PermittedInvestmentRow, { description: 'ASC', id: 'ASC' });
