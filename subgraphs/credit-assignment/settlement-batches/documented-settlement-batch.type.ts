import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { BatchStatusEnum } from '../batches/batch.enum.js';
import type { BatchStatus } from '../batches/transitions.js';

const statusText = 'DRAFT, SUBMITTED, PROCESSING, PROCESSED, REJECTED or CANCELLED';

// Types for REST (docs/contract/credit-assignment.md §4.3): SOFA expands every relation of the type in the graph (docs/adr/0003-rest-by-sofa.md).
@ObjectType({ simpleResolvers: true, description: 'A settlement batch as the documented lists and acts answer it.' })
export class SettlementBatchItem {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => ID, { description: 'Id of the credit batch whose receivables were paid' })
  creditBatchId!: string;

  @Field(() => ID, { description: 'Id of the estate that holds the credits' })
  patrimonyId!: string;

  @Field(() => BatchStatusEnum, { description: statusText })
  status!: BatchStatus;

  @Field(() => Int, { description: 'Payments in it' })
  settlementCount!: number;

  @Field(() => DecimalScalar, { description: 'All of them together, in BRL with 2 decimals' })
  totalSettledAmount!: string;

  @Field(() => String, { nullable: true, description: 'Why it was rejected; null when it was not' })
  rejectionReason!: string | null;

  @Field(() => DateTimeScalar, { description: 'When it was created' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was submitted; null until then' })
  submittedAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was processed or rejected; null until then' })
  processedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A payment of a settlement batch.' })
export class SettlementBatchPayment {
  @Field(() => ID, { description: 'Id of the receivable' })
  contractId!: string;

  @Field(() => String, { description: "The contract in the originator's system" })
  externalId!: string;

  @Field(() => DecimalScalar, { description: 'What was received, in BRL with 2 decimals' })
  settledAmount!: string;

  @Field(() => DateScalar, { description: 'When it was received' })
  settledDate!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What the originator calls the payment; null without a reference',
  })
  paymentReference!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether it was recorded before by its reference, in another batch or earlier in this one, so that its balance did not fall again; known once the batch is processed',
  })
  repeated!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether an operator reversed it: it did not take place, and what it took off the balance is open again',
  })
  reversed!: boolean;
}

// Its resolver adds its errors and its payments.
@ObjectType({ simpleResolvers: true, description: 'A settlement batch with its payments.' })
export class SettlementBatchDetail extends SettlementBatchItem {}
