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

  @Field(() => BatchStatusEnum, { description: 'Status of the batch' })
  status!: BatchStatus;

  @Field(() => Int, { description: 'Number of payments in the batch' })
  settlementCount!: number;

  @Field(() => DecimalScalar, { description: 'Total amount of the payments, in BRL with 2 decimals' })
  totalSettledAmount!: string;

  @Field(() => String, { nullable: true, description: 'Reason for the rejection; null unless the batch was rejected' })
  rejectionReason!: string | null;

  @Field(() => Int, { description: 'Number of payments with errors, when the batch was rejected' })
  errorCount!: number;

  @Field(() => DateTimeScalar, { description: 'Time of creation' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time of submission; null until then' })
  submittedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time until which a submitted batch can be cancelled; null before its submission',
  })
  processAfter!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the batch was processed or rejected; null until then',
  })
  processedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time of cancellation; null unless the batch was cancelled',
  })
  cancelledAt!: Date | null;
}

@InputType({
  description: 'Filter of a list of settlement batches. A field that is omitted does not restrict the list.',
})
export class SettlementBatchFilter {
  @Field(() => BatchStatusEnum, { nullable: true, description: 'Only batches with this status' })
  status?: BatchStatus | null;

  @Field(() => ID, { nullable: true, description: 'Only batches for the credit batch with this id' })
  creditBatchId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Only batches for the estate with this id' })
  patrimonyId?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only batches created on this day or later, in São Paulo' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only batches created on this day or earlier, in São Paulo' })
  to?: string | null;
}

@ArgsType()
export class SettlementBatchesArgs {
  @Field(() => SettlementBatchFilter, { nullable: true, description: 'Restricts the list; all batches when omitted' })
  filter?: SettlementBatchFilter | null;

  @Field(() => Int, { nullable: true, description: 'Page size, from 1 to 100; default 20' })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: '`endCursor` of the previous page, which must have been requested with the same filter',
  })
  after?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A settlement batch with its cursor in a list.' })
export class SettlementBatchEdge {
  @Field(() => SettlementBatch, { description: 'The batch' })
  node!: SettlementBatch;

  @Field(() => String, { description: 'Cursor of this item; pass it as `after` to continue behind it' })
  cursor!: string;
}

// The resolver adds the total count.
@ObjectType({ simpleResolvers: true, description: 'A page of settlement batches.' })
export class SettlementBatchConnection {
  @Field(() => [SettlementBatchEdge], { description: 'The batches of this page, each with its cursor' })
  edges!: readonly SettlementBatchEdge[];

  @Field(() => [SettlementBatch], { description: 'The batches of this page' })
  nodes!: readonly SettlementBatch[];

  @Field(() => PageInfo, { description: 'Whether there is a next page, and the cursor from which it continues' })
  pageInfo!: PageInfo;
}

// The resolver adds its batch.
@ObjectType({ simpleResolvers: true, description: 'A payment that was received for a receivable.' })
export class Settlement {
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

@ObjectType({ simpleResolvers: true, description: 'A payment with its cursor in a list.' })
export class SettlementEdge {
  @Field(() => Settlement, { description: 'The payment' })
  node!: Settlement;

  @Field(() => String, { description: 'Cursor of this item; pass it as `after` to continue behind it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of payments.' })
export class SettlementConnection {
  @Field(() => [SettlementEdge], { description: 'The payments of this page, each with its cursor' })
  edges!: readonly SettlementEdge[];

  @Field(() => [Settlement], { description: 'The payments of this page' })
  nodes!: readonly Settlement[];

  @Field(() => PageInfo, { description: 'Whether there is a next page, and the cursor from which it continues' })
  pageInfo!: PageInfo;

  @Field(() => Int, { description: 'Number of payments on all pages' })
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
