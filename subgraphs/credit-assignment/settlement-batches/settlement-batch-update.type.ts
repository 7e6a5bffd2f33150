import { Field, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import type { UpdateTopic } from './settlement-batch-event.js';
import { SettlementBatch } from './settlement-batch.type.js';

export type SettlementBatchUpdateKind = 'SUBMITTED' | 'PROCESSED' | 'REJECTED' | 'CANCELLED' | 'PAYMENTS_REVERSED';

/** The kind of update for each event of a settlement batch. */
export const settlementUpdateKinds: Readonly<Record<UpdateTopic, SettlementBatchUpdateKind>> = {
  'settlement_batch.submitted': 'SUBMITTED',
  'settlement_batch.processed': 'PROCESSED',
  'settlement.failed': 'REJECTED',
  'settlement_batch.cancelled': 'CANCELLED',
  'settlement_batch.payments_reversed': 'PAYMENTS_REVERSED',
};

const SettlementBatchUpdateKindEnum = describeEnum<SettlementBatchUpdateKind>(
  'SettlementBatchUpdateKind',
  'What happened to a settlement batch.',
  {
    SUBMITTED: 'It was submitted.',
    PROCESSED: 'Its payments are taken off the receivables and their assets.',
    REJECTED: 'It was refused, whole.',
    CANCELLED: 'The originator took it back.',
    PAYMENTS_REVERSED:
      'An operator reversed payments of one receivable in it: they show as `reversed`. The others stand.',
  },
);

@ObjectType({
  simpleResolvers: true,
  description: 'Something that happened to a settlement batch, at the moment it did.',
})
export class SettlementBatchUpdate {
  @Field(() => SettlementBatchUpdateKindEnum, { description: 'What happened' })
  kind!: SettlementBatchUpdateKind;

  @Field(() => DateTimeScalar, { description: 'When' })
  occurredAt!: string;

  @Field(() => SettlementBatch, { description: 'The batch, as it is now' })
  batch!: SettlementBatch;
}
