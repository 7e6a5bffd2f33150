import { ArgsType, Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { BatchStatusEnum } from './credit-batch.enum.js';
import type { BatchStatus } from './credit-batch-transitions.js';
import type { CreditBatchRow } from './credit-batch.store.js';

// Resolvers add its estate, its errors and its receivables.
@ObjectType({ simpleResolvers: true, description: 'Credits that an originator assigns to an estate together.' })
@Directive('@key(fields: "id")')
export class CreditBatch {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Name of the batch' })
  name!: string;

  @Field(() => BatchStatusEnum, { description: 'Status of the batch' })
  status!: BatchStatus;

  @Field(() => Int, { description: 'Number of contracts in the batch' })
  receivableCount!: number;

  @Field(() => DecimalScalar, { description: 'Total face value of the contracts, in BRL with 2 decimals' })
  totalFaceValue!: string;

  @Field(() => String, { nullable: true, description: 'Reason for the rejection; null unless the batch was rejected' })
  rejectionReason!: string | null;

  @Field(() => Int, { description: 'Number of errors of single contracts, when the batch was rejected' })
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

@InputType({ description: 'Filter of a list of credit batches. A field that is omitted does not restrict the list.' })
export class CreditBatchFilter {
  @Field(() => BatchStatusEnum, { nullable: true, description: 'Only batches with this status' })
  status?: BatchStatus | null;

  @Field(() => ID, { nullable: true, description: 'Only batches for the estate with this id' })
  patrimonyId?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only batches created on this day or later, in São Paulo' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only batches created on this day or earlier, in São Paulo' })
  to?: string | null;
}

@ArgsType()
export class CreditBatchesArgs {
  @Field(() => CreditBatchFilter, { nullable: true, description: 'Restricts the list; all batches when omitted' })
  filter?: CreditBatchFilter | null;

  @Field(() => Int, { nullable: true, description: 'Page size, from 1 to 100; default 20' })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: '`endCursor` of the previous page, which must have been requested with the same filter',
  })
  after?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A credit batch with its cursor in a list.' })
export class CreditBatchEdge {
  @Field(() => CreditBatch, { description: 'The batch' })
  node!: CreditBatch;

  @Field(() => String, { description: 'Cursor of this item; pass it as `after` to continue behind it' })
  cursor!: string;
}

// The resolver adds the total count.
@ObjectType({ simpleResolvers: true, description: 'A page of credit batches.' })
export class CreditBatchConnection {
  @Field(() => [CreditBatchEdge], { description: 'The batches of this page, each with its cursor' })
  edges!: readonly CreditBatchEdge[];

  @Field(() => [CreditBatch], { description: 'The batches of this page' })
  nodes!: readonly CreditBatch[];

  @Field(() => PageInfo, { description: 'Whether there is a next page, and the cursor from which it continues' })
  pageInfo!: PageInfo;
}

/** A batch as resolvers pass it on: the shown fields, and the id of its estate. */
export type CreditBatchShape = Shape<CreditBatch> & { readonly patrimonyId: string };

export function toCreditBatch(row: CreditBatchRow): CreditBatchShape {
  return {
    id: row.id,
    patrimonyId: row.patrimonyId,
    name: row.name,
    status: row.status,
    receivableCount: row.receivableCount,
    totalFaceValue: row.totalFaceValue,
    rejectionReason: row.rejectionReason,
    errorCount: row.errorCount,
    createdAt: row.createdAt,
    submittedAt: row.submittedAt,
    processAfter: row.processAfter,
    processedAt: row.processedAt,
    cancelledAt: row.cancelledAt,
  };
}
