import { byOperation } from '../operations/by-operation.js';
import { ObligationRow } from './obligation.entity.js';

export const obligationsOf = byOperation(ObligationRow, { dueDate: 'ASC', id: 'ASC' });
