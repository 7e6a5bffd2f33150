import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { IssueStatus } from './issue-status.js';

export const IssueStatusEnum = describeEnum<IssueStatus>(
  'IssueStatus',
  'Status of an operation or of one of its series, according to the label that its operator published.',
  {
    STRUCTURING: 'Being set up',
    OFFERED: 'Offered to investors',
    ACTIVE: 'In force',
    DEFAULTED: 'In force, with payments that are not made',
    ACCELERATED: 'Due before its maturity date, because of a default or another event of the deed',
    ENDED: 'Ended: repaid, redeemed or matured',
    CANCELLED: 'Cancelled',
    OTHER: 'The published label is none of the known ones',
  },
  {
    STRUCTURING: ['Em estruturação', 'Being set up'],
    OFFERED: ['Em distribuição', 'Offered'],
    ACTIVE: ['Ativa', 'Active'],
    DEFAULTED: ['Inadimplente', 'Defaulted'],
    ACCELERATED: ['Vencida antecipadamente', 'Accelerated'],
    ENDED: ['Encerrada', 'Ended'],
    CANCELLED: ['Cancelada', 'Cancelled'],
    OTHER: ['Outro', 'Other'],
  },
);
