import { ArgsType, Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { BatchStatusEnum } from '../credit-batches/credit-batch.enum.js';
import type { BatchStatus } from '../credit-batches/credit-batch-transitions.js';
import type { PaymentRow } from './payment.store.js';
import type { SettlementBatchRow } from './settlement-batch.store.js';

// Resolvers add its credit batch, its errors and its payments.
@ObjectType({ simpleResolvers: true, description: 'Payments that were received for receivables of a credit batch.' })
@Directive('@key(fields: "id")')
export class SettlementBatch {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => BatchStatusEnum, { description: 'Where it stands' })
  status!: BatchStatus;

  @Field(() => Int, { description: 'Payments in it' })
  settlementCount!: number;

  @Field(() => DecimalScalar, { description: 'All of them together, in BRL with 2 decimals' })
  totalSettledAmount!: string;

  @Field(() => String, { nullable: true, description: 'Why it was rejected; null when it was not' })
  rejectionReason!: string | null;

  @Field(() => Int, { description: 'How many of its payments could not be taken, where it was rejected' })
  errorCount!: number;

  @Field(() => DateTimeScalar, { description: 'When it was created' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was submitted; null until then' })
  submittedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Until when it can be cancelled once it is submitted; null until then',
  })
  processAfter!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was processed or rejected; null until then' })
  processedAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was cancelled; null when it was not' })
  cancelledAt!: Date | null;
}

@InputType({ description: 'Which settlement batches to list. What is left out does not narrow the list.' })
export class SettlementBatchFilter {
  @Field(() => BatchStatusEnum, { nullable: true, description: 'That stand here' })
  status?: BatchStatus | null;

  @Field(() => ID, { nullable: true, description: 'Of the credit batch with this id' })
  creditBatchId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Of the estate with this id' })
  patrimonyId?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Created on this day or later, in São Paulo' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Created on this day or earlier, in São Paulo' })
  to?: string | null;
}

@ArgsType()
export class SettlementBatchesArgs {
  @Field(() => SettlementBatchFilter, { nullable: true, description: 'Which batches; all when omitted' })
  filter?: SettlementBatchFilter | null;

  @Field(() => Int, { nullable: true, description: 'How many, from 1 to 100; 20 when omitted' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: '`endCursor` of the page before, got with the same filter' })
  after?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A settlement batch in a list.' })
export class SettlementBatchEdge {
  @Field(() => SettlementBatch, { description: 'The batch' })
  node!: SettlementBatch;

  @Field(() => String, { description: 'Its place in the list, to continue after it' })
  cursor!: string;
}

// The resolver adds the total count.
@ObjectType({ simpleResolvers: true, description: 'A page of settlement batches.' })
export class SettlementBatchConnection {
  @Field(() => [SettlementBatchEdge], { description: 'The batches of this page, each with its place' })
  edges!: readonly SettlementBatchEdge[];

  @Field(() => [SettlementBatch], { description: 'The batches of this page' })
  nodes!: readonly SettlementBatch[];

  @Field(() => PageInfo, { description: 'Where this page ends' })
  pageInfo!: PageInfo;
}

// The resolver adds its batch.
@ObjectType({ simpleResolvers: true, description: 'A payment that was received for a receivable.' })
export class Settlement {
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

@ObjectType({ simpleResolvers: true, description: 'A payment in a list.' })
export class SettlementEdge {
  @Field(() => Settlement, { description: 'The payment' })
  node!: Settlement;

  @Field(() => String, { description: 'Its place in the list, to continue after it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of payments.' })
export class SettlementConnection {
  @Field(() => [SettlementEdge], { description: 'The payments of this page, each with its place' })
  edges!: readonly SettlementEdge[];

  @Field(() => [Settlement], { description: 'The payments of this page' })
  nodes!: readonly Settlement[];

  @Field(() => PageInfo, { description: 'Where this page ends' })
  pageInfo!: PageInfo;

  @Field(() => Int, { description: 'Payments in the whole list, on all pages' })
  totalCount!: number;
}

/** A batch as resolvers pass it on: the shown fields, and the id of its credit batch. */
export type SettlementBatchShape = Shape<SettlementBatch> & { readonly creditBatchId: string };

export function toSettlementBatch(row: SettlementBatchRow): SettlementBatchShape {
  return {
    id: row.id,
    creditBatchId: row.creditBatchId,
    status: row.status,
    settlementCount: row.settlementCount,
    totalSettledAmount: row.totalSettledAmount,
    rejectionReason: row.rejectionReason,
    errorCount: row.errorCount,
    createdAt: row.createdAt,
    submittedAt: row.submittedAt,
    processAfter: row.processAfter,
    processedAt: row.processedAt,
    cancelledAt: row.cancelledAt,
  };
}

/** A payment as resolvers pass it on: the shown fields, and the id of its batch. */
export type SettlementShape = Shape<Settlement> & { readonly batchId: string };

export function toSettlement(row: PaymentRow): SettlementShape {
  const { batchId, contractId, externalId, settledAmount, settledDate, paymentReference, repeated, reversed } = row;
  return { batchId, contractId, externalId, settledAmount, settledDate, paymentReference, repeated, reversed };
}
