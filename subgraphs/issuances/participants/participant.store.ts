import { byOperation } from '../operations/by-operation.js';
import { columnsOf } from '../../../shared/database/columns.js';

/** A company that takes part in an operation. */
export interface ParticipantRow {
  readonly id: string;
  readonly operationId: string;
  readonly name: string;
  readonly position: number;
  readonly logoUrl: string | null;
  readonly functions: readonly string[];
}

const columns = columnsOf<ParticipantRow>()('id operationId name position logoUrl functions');

export const participantsOf = byOperation<ParticipantRow>(
  `SELECT ${columns} FROM issuances.participants WHERE operation_id = ANY ($1) ORDER BY position, id`,
);
