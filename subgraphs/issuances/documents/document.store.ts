import { byOperation } from '../operations/by-operation.js';
import { columnsOf } from '../../../shared/database/columns.js';

/** A document of an operation; callers see only those with `isPublic`. */
export interface DocumentRow {
  readonly id: string;
  readonly operationId: string;
  readonly externalId: string;
  readonly isPublic: boolean;
  readonly name: string | null;
  readonly type: string | null;
  readonly url: string | null;
  readonly referenceDate: string | null;
  readonly createdAt: Date;
}

const columns = columnsOf<DocumentRow>()(
  'id operationId externalId isPublic name type url referenceDate::text createdAt',
);

/** Returns the public documents, newest first. Nothing loads the others. */
export const publicDocumentsOf = byOperation<DocumentRow>(
  `SELECT ${columns} FROM issuances.documents WHERE operation_id = ANY ($1) AND is_public ORDER BY created_at DESC, id`,
);
