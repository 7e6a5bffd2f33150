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
  'What happened to a credit batch.',
  {
    SUBMITTED: 'It was submitted.',
    APPROVED: 'It passed the eligibility checks.',
    PROCESSED: 'Its receivables are assets of the estate.',
    REJECTED: 'It was refused, whole.',
    CANCELLED: 'The originator took it back.',
  },
);

@ObjectType({ simpleResolvers: true, description: 'Something that happened to a credit batch, at the moment it did.' })
export class CreditBatchUpdate {
  @Field(() => CreditBatchUpdateKindEnum, { description: 'What happened' })
  kind!: CreditBatchUpdateKind;

  @Field(() => DateTimeScalar, { description: 'When' })
  occurredAt!: string;

  @Field(() => CreditBatch, { description: 'The batch, as it is now' })
  batch!: CreditBatch;
}
