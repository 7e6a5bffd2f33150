import { byOperation } from '../common/by-operation.js';
import { DocumentRow } from './document.entity.js';

/** The public documents, newest first. There is no way to load the others. */
export const publicDocumentsOf = byOperation(DocumentRow, { createdAt: 'DESC', id: 'ASC' }, 'row.isPublic');
