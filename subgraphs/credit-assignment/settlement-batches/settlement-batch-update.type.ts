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
  'Kind of an event of a settlement batch.',
  {
    SUBMITTED: 'The batch was submitted.',
    PROCESSED: 'The payments of the batch were subtracted from the balances of the receivables and their assets.',
    REJECTED: 'The whole batch was rejected.',
    CANCELLED: 'The originator cancelled the batch.',
    PAYMENTS_REVERSED:
      'An operator reversed payments of one receivable in the batch; they are marked `reversed`. The other payments remain valid.',
  },
);

@ObjectType({
  simpleResolvers: true,
  description: 'An event of a settlement batch, sent when it happens.',
})
export class SettlementBatchUpdate {
  @Field(() => SettlementBatchUpdateKindEnum, { description: 'Kind of the event' })
  kind!: SettlementBatchUpdateKind;

  @Field(() => DateTimeScalar, { description: 'Time of the event' })
  occurredAt!: string;

  @Field(() => SettlementBatch, { description: 'The batch in its current state' })
  batch!: SettlementBatch;
}
