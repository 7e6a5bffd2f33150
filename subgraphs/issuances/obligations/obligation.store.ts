import { byOperation } from '../operations/by-operation.js';
import { columnsOf } from '../../../shared/database/columns.js';
import type { Periodicity } from './obligation.js';

/** A delivery that a debtor owes; its status is computed. */
export interface ObligationRow {
  readonly id: string;
  readonly operationId: string;
  readonly externalId: string;
  readonly title: string;
  readonly description: string;
  readonly responsible: string | null;
  readonly periodicity: Periodicity;
  readonly dueDate: string;
  readonly graceDays: number;
  readonly deliveredDate: string | null;
  readonly waivedDate: string | null;
}

const columns = columnsOf<ObligationRow>()(
  'id operationId externalId title description responsible periodicity dueDate::text graceDays',
  'deliveredDate::text waivedDate::text',
);

export const obligationsOf = byOperation<ObligationRow>(
  `SELECT ${columns} FROM issuances.obligations WHERE operation_id = ANY ($1) ORDER BY due_date, id`,
);
