import { byOperation } from '../operations/by-operation.js';
import { DocumentRow } from './document.entity.js';

/** Returns the public documents, newest first. Nothing loads the others. */
export const publicDocumentsOf = byOperation(DocumentRow, { createdAt: 'DESC', id: 'ASC' }, 'row.isPublic');
