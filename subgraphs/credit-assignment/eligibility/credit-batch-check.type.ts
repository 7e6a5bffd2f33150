import { Field, ID, Int, ObjectType } from 'type-graphql';
import { BatchStatusEnum } from '../batches/batch.enum.js';
import type { BatchStatus } from '../batches/transitions.js';
import type { BatchErrorRow } from '../batches/batch.store.js';
import { CreditBatchError } from '../credit-batches/credit-batch.graph.js';

@ObjectType({
  simpleResolvers: true,
  description: 'What processing would say of a credit batch at this moment. Nothing is written.',
})
export class CreditBatchCheck {
  @Field(() => ID, { description: 'Id of the batch (UUID)' })
  id!: string;

  @Field(() => BatchStatusEnum, { description: 'Where the batch stands: DRAFT or SUBMITTED' })
  status!: BatchStatus;

  @Field(() => Boolean, { description: 'Whether it would be assigned' })
  eligible!: boolean;

  @Field(() => String, { nullable: true, description: 'Why it would be rejected; null when it would be assigned' })
  rejectionReason!: string | null;

  @Field(() => Int, { description: 'How many things are wrong with single contracts' })
  errorCount!: number;

  @Field(() => [CreditBatchError], { description: 'The first of them, at most 1,000' })
  errors!: readonly BatchErrorRow[];
}
