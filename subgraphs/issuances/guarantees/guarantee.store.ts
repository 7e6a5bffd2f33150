import { byOperation } from '../operations/by-operation.js';
import { GuaranteeRow } from './guarantee.entity.js';

export const guaranteesOf = byOperation(GuaranteeRow, { position: 'ASC', id: 'ASC' });
