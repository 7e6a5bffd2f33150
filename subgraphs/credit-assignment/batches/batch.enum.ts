import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { BatchStatus } from './transitions.js';

export const BatchStatusEnum = describeEnum<BatchStatus>(
  'BatchStatus',
  'Status of a batch.',
  {
    DRAFT: 'The batch can be changed, submitted and cancelled.',
    SUBMITTED: 'The batch is about to be processed; until then it can be cancelled.',
    PROCESSING: 'The batch is being checked and applied.',
    PROCESSED: 'The whole batch was accepted and applied.',
    REJECTED: 'The whole batch was rejected.',
    CANCELLED: 'The originator cancelled the batch.',
  },
  {
    DRAFT: ['Rascunho', 'Draft'],
    SUBMITTED: ['Enviado', 'Submitted'],
    PROCESSING: ['Em processamento', 'Processing'],
    PROCESSED: ['Processado', 'Processed'],
    REJECTED: ['Rejeitado', 'Rejected'],
    CANCELLED: ['Cancelado', 'Cancelled'],
  },
);
