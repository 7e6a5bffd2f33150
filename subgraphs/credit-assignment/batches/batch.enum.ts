import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { BatchStatus } from './transitions.js';

export const BatchStatusEnum = describeEnum<BatchStatus>('BatchStatus', 'Where a batch of an originator stands.', {
  DRAFT: 'It can be added to, submitted and cancelled.',
  SUBMITTED: 'Its processing is to begin shortly; until then it can be cancelled.',
  PROCESSING: 'It is being checked and taken over.',
  PROCESSED: 'It was accepted, whole.',
  REJECTED: 'It was refused, whole.',
  CANCELLED: 'The originator took it back.',
});
