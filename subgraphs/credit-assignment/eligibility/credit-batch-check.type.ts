import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import { BatchStatusEnum, RejectionRule } from '../batches/batch.type.js';
import type { BatchStatus } from '../batches/transitions.js';
import type { BatchErrorRow } from '../batches/batch.store.js';
import { CreditBatchError } from '../credit-batches/credit-batch.graph.js';

@ObjectType({
  simpleResolvers: true,
  description: 'The result that processing a credit batch would have now. Nothing is written.',
})
export class CreditBatchCheck {
  @Field(() => ID, { description: 'Id of the batch (UUID)' })
  id!: string;

  @Field(() => BatchStatusEnum, { description: 'Status of the batch: DRAFT or SUBMITTED' })
  status!: BatchStatus;

  @Field(() => Boolean, { description: 'Whether the batch would be accepted' })
  eligible!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Reason for which the batch would be rejected; null when it would be accepted',
  })
  rejectionReason!: string | null;

  @Field(() => [RejectionRule], {
    nullable: true,
    description:
      'The rules of which `rejectionReason` is made, for texts in other languages; null when the batch would be accepted',
  })
  rejectionRules!: readonly RejectionRule[] | null;

  @Field(() => Int, { description: 'Number of errors of single contracts' })
  errorCount!: number;

  @Directive('@listSize(assumedSize: 1000)')
  @Field(() => [CreditBatchError], { description: 'Errors of single contracts, at most 1,000' })
  errors!: readonly BatchErrorRow[];
}
