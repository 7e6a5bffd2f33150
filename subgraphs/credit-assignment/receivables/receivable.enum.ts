import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { ReceivableStatus } from './receivable.store.js';

export const ReceivableStatusEnum = describeEnum<ReceivableStatus>(
  'ReceivableStatus',
  'Status of a contract of a credit batch.',
  {
    PENDING: 'Its batch was not accepted yet.',
    OPEN: 'It belongs to the estate and is not paid in full.',
    SETTLED: 'It was paid in full.',
  },
  { PENDING: ['Pendente', 'Pending'], OPEN: ['Em aberto', 'Open'], SETTLED: ['Liquidado', 'Settled'] },
);
