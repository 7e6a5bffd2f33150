import { byOperation } from '../operations/by-operation.js';
import { columnsOf } from '../../../shared/database/columns.js';

/** Collateral of an operation. */
export interface GuaranteeRow {
  readonly id: string;
  readonly operationId: string;
  readonly externalId: string;
  readonly position: number;
  readonly type: string;
  readonly description: string;
  readonly status: string;
}

const columns = columnsOf<GuaranteeRow>()('id operationId externalId position type description status');

export const guaranteesOf = byOperation<GuaranteeRow>(
  `SELECT ${columns} FROM issuances.guarantees WHERE operation_id = ANY ($1) ORDER BY position, id`,
);
