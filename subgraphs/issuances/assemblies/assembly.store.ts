import { byOperation } from '../operations/by-operation.js';
import { columnsOf } from '../../../shared/database/columns.js';

/** A meeting of the holders. */
export interface AssemblyRow {
  readonly id: string;
  readonly operationId: string;
  readonly externalId: string;
  readonly date: string;
  readonly type: string;
  readonly title: string;
  readonly call: string | null;
  readonly status: string;
  readonly agenda: string;
  readonly resolution: string | null;
  readonly quorumPercent: string | null;
  readonly url: string | null;
}

const columns = columnsOf<AssemblyRow>()(
  'id operationId externalId date::text type title call status agenda resolution quorumPercent url',
);

/** Newest first. */
export const assembliesOf = byOperation<AssemblyRow>(
  `SELECT ${columns} FROM issuances.assemblies WHERE operation_id = ANY ($1) ORDER BY date DESC, id`,
);
