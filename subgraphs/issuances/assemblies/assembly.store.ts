import { byOperation } from '../operations/by-operation.js';
import { AssemblyRow } from './assembly.entity.js';

/** Newest first. */
export const assembliesOf = byOperation(AssemblyRow, { date: 'DESC', id: 'ASC' });
