import { ArgsType, Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { BatchStatusEnum } from './credit-batch.enum.js';
import type { BatchStatus } from './credit-batch-transitions.js';
import type { CreditBatchRow } from './credit-batch.store.js';

// Resolvers add its estate, its errors and its receivables.
@ObjectType({ simpleResolvers: true, description: 'Credits that an originator assigns to an estate, together.' })
@Directive('@key(fields: "id")')
export class CreditBatch {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => BatchStatusEnum, { description: 'Where it stands' })
  status!: BatchStatus;

  @Field(() => Int, { description: 'Contracts in it' })
  receivableCount!: number;

  @Field(() => DecimalScalar, { description: 'Face value of all of them, in BRL with 2 decimals' })
  totalFaceValue!: string;

  @Field(() => String, { nullable: true, description: 'Why it was rejected; null when it was not' })
  rejectionReason!: string | null;

  @Field(() => Int, { description: 'How many things were wrong with single contracts, where it was rejected' })
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

@InputType({ description: 'Which credit batches to list. What is left out does not narrow the list.' })
export class CreditBatchFilter {
  @Field(() => BatchStatusEnum, { nullable: true, description: 'That stand here' })
  status?: BatchStatus | null;

  @Field(() => ID, { nullable: true, description: 'For the estate with this id' })
  patrimonyId?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Created on this day or later, in São Paulo' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Created on this day or earlier, in São Paulo' })
  to?: string | null;
}

@ArgsType()
export class CreditBatchesArgs {
  @Field(() => CreditBatchFilter, { nullable: true, description: 'Which batches; all when omitted' })
  filter?: CreditBatchFilter | null;

  @Field(() => Int, { nullable: true, description: 'How many, from 1 to 100; 20 when omitted' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: '`endCursor` of the page before, got with the same filter' })
  after?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A credit batch in a list.' })
export class CreditBatchEdge {
  @Field(() => CreditBatch, { description: 'The batch' })
  node!: CreditBatch;

  @Field(() => String, { description: 'Its place in the list, to continue after it' })
  cursor!: string;
}

// The resolver adds the total count.
@ObjectType({ simpleResolvers: true, description: 'A page of credit batches.' })
export class CreditBatchConnection {
  @Field(() => [CreditBatchEdge], { description: 'The batches of this page, each with its place' })
  edges!: readonly CreditBatchEdge[];

  @Field(() => [CreditBatch], { description: 'The batches of this page' })
  nodes!: readonly CreditBatch[];

  @Field(() => PageInfo, { description: 'Where this page ends' })
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
