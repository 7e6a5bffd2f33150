import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { ReceivableStatus } from './receivable.store.js';

export const ReceivableStatusEnum = describeEnum<ReceivableStatus>(
  'ReceivableStatus',
  'Where a contract of a credit batch stands.',
  {
    PENDING: 'Its batch is not accepted.',
    OPEN: 'It belongs to the estate, and is to be paid.',
    SETTLED: 'All of it was paid.',
  },
);
