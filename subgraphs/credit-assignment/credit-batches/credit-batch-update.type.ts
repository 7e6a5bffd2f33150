import { Field, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import type { CreditBatchTopic } from './credit-batch-event.js';
import { CreditBatch } from './credit-batch.type.js';

export type CreditBatchUpdateKind = 'SUBMITTED' | 'APPROVED' | 'PROCESSED' | 'REJECTED' | 'CANCELLED';

/** The kind of update for each event of a batch. */
export const updateKinds: Readonly<Record<CreditBatchTopic, CreditBatchUpdateKind>> = {
  'credit_batch.submitted': 'SUBMITTED',
  'credit_batch.approved': 'APPROVED',
  'credit_batch.processed': 'PROCESSED',
  'credit_batch.rejected': 'REJECTED',
  'credit_batch.cancelled': 'CANCELLED',
};

const CreditBatchUpdateKindEnum = describeEnum<CreditBatchUpdateKind>(
  'CreditBatchUpdateKind',
  'Kind of an event of a credit batch.',
  {
    SUBMITTED: 'The batch was submitted.',
    APPROVED: 'The batch passed the eligibility checks.',
    PROCESSED: 'The receivables of the batch are now assets of the estate.',
    REJECTED: 'The whole batch was rejected.',
    CANCELLED: 'The originator cancelled the batch.',
  },
);

@ObjectType({ simpleResolvers: true, description: 'An event of a credit batch, sent when it happens.' })
export class CreditBatchUpdate {
  @Field(() => CreditBatchUpdateKindEnum, { description: 'Kind of the event' })
  kind!: CreditBatchUpdateKind;

  @Field(() => DateTimeScalar, { description: 'Time of the event' })
  occurredAt!: string;

  @Field(() => CreditBatch, { description: 'The batch in its current state' })
  batch!: CreditBatch;
}
