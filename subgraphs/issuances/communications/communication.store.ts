import { byOperation } from '../operations/by-operation.js';
import { columnsOf } from '../../../shared/database/columns.js';
import type { CommunicationKind } from './communication.js';

/** A notice or material fact. */
export interface CommunicationRow {
  readonly id: string;
  readonly operationId: string;
  readonly externalId: string;
  readonly kind: CommunicationKind;
  readonly date: string;
  readonly title: string;
  readonly description: string;
}

const columns = columnsOf<CommunicationRow>()('id operationId externalId kind date::text title description');

/** Newest first. */
export const communicationsOf = byOperation<CommunicationRow>(
  `SELECT ${columns} FROM issuances.communications WHERE operation_id = ANY ($1) ORDER BY date DESC, id`,
);
