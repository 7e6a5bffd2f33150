import { byOperation } from '../operations/by-operation.js';
import { CommunicationRow } from './communication.entity.js';

/** Newest first. */
export const communicationsOf = byOperation(CommunicationRow, { date: 'DESC', id: 'ASC' });
