import { byOperation } from '../common/by-operation.js';
import { GuaranteeRow } from './guarantee.entity.js';

export const guaranteesOf = byOperation(GuaranteeRow, { position: 'ASC', id: 'ASC' });
