import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { requireBounds } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { DateScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { readScope } from '../originators/seen-originators.js';
import { receivablesAt } from '../receivables/receivable.store.js';
import { toReceivable } from '../receivables/receivable.type.js';
import { maxContracts } from './check-contracts.js';
import { firstErrorsOf } from './credit-batch-list.store.js';
import { BatchStatusEnum } from './credit-batch.enum.js';
import type { BatchStatus } from './credit-batch-transitions.js';
import {
  CreditBatchContract,
  CreditBatchDetail,
  CreditBatchError,
  CreditBatchPage,
  toCreditBatchDetail,
  toCreditBatchItem,
} from './documented-credit-batch.type.js';
import { ownCreditBatch } from './own-credit-batch.js';
import { readBatchPage } from './read-credit-batches.js';

/** Maximum number of errors that are stored of a batch. */
const maxErrors = 1_000;

@ArgsType()
class CreditBatchListArgs {
  @Field(() => Int, { nullable: true, description: 'Number of the page, from 1; default 1' })
  page?: number | null;

  @Field(() => Int, { nullable: true, description: 'Batches per page, from 1 to 100; default 20' })
  limit?: number | null;

  @Field(() => BatchStatusEnum, { nullable: true, description: 'Only batches with this status' })
  status?: BatchStatus | null;

  @Field(() => ID, { nullable: true, description: 'Only batches for the estate with this id' })
  patrimonyId?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only batches created on this day or later, in São Paulo' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only batches created on this day or earlier, in São Paulo' })
  to?: string | null;
}

/** A detail as resolvers pass it on. */
type DetailShape = Shape<CreditBatchDetail> & { readonly withContracts: boolean };

@Resolver(() => CreditBatchDetail)
export class DocumentedCreditBatchResolver {
  @Access('originator', readScope)
  @Query(() => CreditBatchPage, {
    description:
      "The caller's credit batches, newest first. REST: GET /tidc/v1/credit-batches. BAD_REQUEST for arguments that are out of bounds.",
  })
  async creditBatchList(
    @Ctx() context: Context,
    @Args(() => CreditBatchListArgs) { page, limit, status, patrimonyId, from, to }: CreditBatchListArgs,
  ): Promise<Shape<CreditBatchPage>> {
    const { rows, ...found } = await readBatchPage(context, { page, limit, status, patrimonyId, from, to });
    return { data: rows.map(toCreditBatchItem), ...found, totalPages: Math.ceil(found.total / found.limit) };
  }

  @Access('originator', readScope)
  @Query(() => CreditBatchDetail, {
    description:
      'A credit batch of the caller with its contracts. REST: GET /tidc/v1/credit-batches/{id}. Errors: 404 code 2001.',
  })
  async creditBatchDetail(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the batch (UUID)' }) id: string,
    @Arg('contracts', () => Boolean, {
      nullable: true,
      description: 'Whether to include the contracts; default true. With false, `contracts` is null',
    })
    contracts: boolean | null | undefined,
  ): Promise<DetailShape> {
    return { ...toCreditBatchDetail(await ownCreditBatch(context, id)), withContracts: contracts ?? true };
  }

  // The counts are arguments so that the cost of a document reflects how many are requested; REST returns them all.
  @FieldResolver(() => [CreditBatchError], {
    description: 'Errors of single contracts, when the batch was rejected; at most 1,000',
  })
  errors(
    @Ctx() context: Context,
    @Root() { id }: CreditBatchDetail,
    @Arg('first', () => Int, { defaultValue: maxErrors, description: 'Maximum number of items, from 1 to 1,000' })
    first: number,
  ): Promise<Shape<CreditBatchError[]>> {
    requireBounds({ name: 'first', value: first, min: 1, max: maxErrors });
    return loaderOf(context, firstErrorsOf).load({ batchId: id, first });
  }

  @FieldResolver(() => [CreditBatchContract], {
    nullable: true,
    description:
      'Its contracts, in the order in which they were submitted; null when they were not requested (omitted over REST)',
  })
  async contracts(
    @Ctx() context: Context,
    @Root() { id, withContracts }: DetailShape,
    @Arg('first', () => Int, { defaultValue: maxContracts, description: 'Maximum number of items, from 1 to 50,000' })
    first: number,
  ): Promise<Shape<CreditBatchContract[]> | null> {
    requireBounds({ name: 'first', value: first, min: 1, max: maxContracts });
    if (!withContracts) return null;
    const rows = await loaderOf(context, receivablesAt).load({ batchId: id, after: -1, limit: first });
    return rows.map((row) => toReceivable(row, context.principal));
  }
}
