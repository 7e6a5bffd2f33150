import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { BatchStatusEnum } from '../batches/batch.enum.js';
import type { BatchStatus } from '../batches/transitions.js';

const statusText = 'DRAFT, SUBMITTED, PROCESSING, PROCESSED, REJECTED or CANCELLED';

// Types for REST (docs/contract/credit-assignment.md §4.3): SOFA expands every relation of the type in the graph (docs/adr/0003-rest-by-sofa.md).
@ObjectType({ simpleResolvers: true, description: 'A settlement batch as the REST API and the MCP tools return it.' })
export class SettlementBatchItem {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => ID, { description: 'Id of the credit batch whose receivables were paid' })
  creditBatchId!: string;

  @Field(() => ID, { description: 'Id of the estate that holds the credits' })
  patrimonyId!: string;

  @Field(() => BatchStatusEnum, { description: statusText })
  status!: BatchStatus;

  @Field(() => Int, { description: 'Number of payments in the batch' })
  settlementCount!: number;

  @Field(() => DecimalScalar, { description: 'Total amount of the payments, in BRL with 2 decimals' })
  totalSettledAmount!: string;

  @Field(() => String, { nullable: true, description: 'Reason for the rejection; null unless the batch was rejected' })
  rejectionReason!: string | null;

  @Field(() => DateTimeScalar, { description: 'Time of creation' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time of submission; null until then' })
  submittedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the batch was processed or rejected; null until then',
  })
  processedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A payment of a settlement batch.' })
export class SettlementBatchPayment {
  @Field(() => ID, { description: 'Id of the receivable' })
  contractId!: string;

  @Field(() => String, { description: "Identifier of the contract in the originator's system" })
  externalId!: string;

  @Field(() => DecimalScalar, { description: 'Amount received, in BRL with 2 decimals' })
  settledAmount!: string;

  @Field(() => DateScalar, { description: 'Day on which it was received' })
  settledDate!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Reference of the originator for the payment; null without one',
  })
  paymentReference!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether the payment repeats one with the same reference, in another batch or earlier in this one, and therefore did not reduce the balance; determined when the batch is processed',
  })
  repeated!: boolean;

  @Field(() => Boolean, {
    description: 'Whether an operator reversed the payment; its amount is open again',
  })
  reversed!: boolean;
}

// Its resolver adds its errors and its payments.
@ObjectType({ simpleResolvers: true, description: 'A settlement batch with its payments.' })
export class SettlementBatchDetail extends SettlementBatchItem {}
