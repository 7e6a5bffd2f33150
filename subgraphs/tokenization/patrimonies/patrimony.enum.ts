import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { PatrimonyStatus } from './patrimony.js';

export const PatrimonyStatusEnum = describeEnum<PatrimonyStatus>(
  'PatrimonyStatus',
  'Status of an estate.',
  {
    DRAFT: 'Being set up',
    ACTIVE: 'In force',
    CLOSED: 'Ended: everything in it is settled',
  },
  { DRAFT: ['Em estruturação', 'Draft'], ACTIVE: ['Ativo', 'Active'], CLOSED: ['Encerrado', 'Closed'] },
);
